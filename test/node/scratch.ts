// A folder of its own for each test, removed afterwards.
import { accessSync, constants, mkdtempSync, readdirSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** Where folders lie in memory, if there is such a place: nothing waits there until it is on a disk. For small files only, there may be little room. */
export const IN_MEMORY = usable("/dev/shm") ? "/dev/shm" : tmpdir();

function usable(folder: string): boolean {
  try {
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Inside of a test. By its real path, which saves tell: the one of macOS is a link, that of Windows may be a short name. */
export function scratchFolder(place = tmpdir()): string {
  const folder = realpathSync.native(mkdtempSync(join(place, "tusk-test-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export function listing(folder: string): string[] {
  return readdirSync(folder).sort();
}
