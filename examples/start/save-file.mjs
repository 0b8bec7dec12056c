// Save files on disk.
import { randomBytes } from "node:crypto";
import { open, readFile, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { gunzipSync } from "node:zlib";

/** The bytes of a save; a file that is gzipped as a whole is unpacked. */
export async function loadSave(path) {
  const bytes = await readFile(path);
  return bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzipSync(bytes) : bytes;
}

/**
 * Replaces the file at `path`, or leaves it as it was: whoever opens it, at whatever moment and after a crash, finds the old save or the
 * new one whole. The new one is written beside it, forced to the disk, and then takes its name.
 */
export async function storeSave(path, bytes) {
  const folder = dirname(path);
  const beside = join(folder, `.${basename(path)}.${randomBytes(6).toString("hex")}`);
  try {
    const file = await open(beside, "wx");
    try {
      await file.writeFile(bytes);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(beside, path);
  } catch (error) {
    await rm(beside, { force: true });
    throw error;
  }
  // The new name itself is on the disk once the folder is; Windows does that on its own and cannot open folders.
  if (process.platform === "win32") return;
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Where two saves differ: `{ offset, length }` for each run of bytes; the same length is needed. */
export function differingRuns(before, after) {
  const runs = [];
  for (let at = 0; at < before.length; at++) {
    if (before[at] === after[at]) continue;
    const offset = at;
    while (at < before.length && before[at] !== after[at]) at++;
    runs.push({ offset, length: at - offset });
  }
  return runs;
}
