// Files on the disk, for a page that may not touch them. The page knows them by numbers that are given out here, so it can ask for nothing that
// the person at the screen has not chosen.
import { realpath, stat } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { backupPath, loadSave, saveFile } from "tusk-codec/node";

/** What one message may carry, and what a file may have. */
const LARGEST_PIECE = 16 << 20;
const LARGEST_FILE = 2 ** 31;

export const BACKUPS = 3;

async function placeOf(path) {
  const status = await stat(path).catch((error) => {
    throw error.code === "ENOENT" ? new Error(`${basename(path)} is no longer there`) : error;
  });
  return { size: status.size, mtimeMs: status.mtimeMs, isFile: status.isFile() };
}

/** The page asks for no more than the size it was told: more bytes would be cut off unseen. */
async function load({ path, size }) {
  const bytes = await loadSave(path, { maxBytes: LARGEST_FILE });
  if (bytes.length > size) throw new Error("the file has grown while it was read");
  return bytes;
}

/** Are these the bytes of the file? */
async function holds(path, pieces) {
  const bytes = await loadSave(path, { maxBytes: LARGEST_FILE }).catch(() => undefined);
  if (!bytes) return false;
  let end = 0;
  return pieces.every((piece) => Buffer.compare(bytes.subarray(end, (end += piece.length)), piece) === 0) && end === bytes.length;
}

export class FileDesk {
  #files = new Map();
  /** Those whose bytes are still to come. */
  #saves = new Map();
  /** How many are being written. */
  #writing = 0;
  /** Of those who wait for the saves that are under way. */
  #settled;
  #next = 1;

  constructor({ backups = BACKUPS, onOpened = () => undefined } = {}) {
    this.backups = backups;
    this.onOpened = onOpened;
  }

  /** A number for a file that the person has chosen: the `save`, or another one. Its bytes are read when the first piece is asked for. */
  async open(path, what = "save") {
    const { size, mtimeMs, isFile } = await placeOf(path);
    if (!isFile) throw new Error(`${basename(path)} is no file`);
    if (size > LARGEST_FILE) throw new Error(`${basename(path)} has more than 2 GiB`);
    const id = this.#next++;
    this.#files.set(id, { path, size, mtimeMs, bytes: undefined });
    if (what === "save") this.onOpened(path);
    return { id, name: basename(path), folder: dirname(path), size };
  }

  #file(id) {
    const file = this.#files.get(id);
    if (!file) throw new Error("this file is not open");
    return file;
  }

  async read(id, offset, length) {
    const file = this.#file(id);
    if (!Number.isSafeInteger(offset) || !Number.isSafeInteger(length) || offset < 0 || length < 0 || length > LARGEST_PIECE)
      throw new RangeError("no such piece");
    file.bytes ??= load(file).catch((error) => {
      file.bytes = undefined;
      throw error;
    });
    const bytes = await file.bytes;
    // A copy: a view would take the whole file along.
    return bytes.slice(offset, offset + length);
  }

  /** The page has all of it. The number stays good for saving. */
  release(id) {
    this.#file(id).bytes = undefined;
  }

  pathOf(id) {
    return this.#file(id).path;
  }

  /** Has somebody else written the file since it was opened here? One that is gone can be written again. */
  async isOutdated(id) {
    const { path, size, mtimeMs } = this.#file(id);
    const now = await placeOf(path).catch(() => undefined);
    return now !== undefined && (now.size !== size || now.mtimeMs !== mtimeMs);
  }

  beginSave(path, size) {
    if (!Number.isSafeInteger(size) || size < 0) throw new RangeError("no such size");
    if (size > LARGEST_FILE) throw new RangeError(`${basename(path)} would have more than 2 GiB`);
    const saving = this.#next++;
    this.#saves.set(saving, { path, size, pieces: [], received: 0 });
    return saving;
  }

  sendPiece(saving, piece) {
    const save = this.#saves.get(saving);
    if (!save) throw new Error("nothing is being saved");
    if (!(piece instanceof Uint8Array) || save.received + piece.length > save.size) throw new RangeError("more than was announced");
    save.pieces.push(piece);
    save.received += piece.length;
  }

  /** Replaces the file in one step, and keeps the versions before it beside it. `warning`: what the person has to know of a file that is saved. */
  async endSave(saving) {
    const save = this.#saves.get(saving);
    if (!save) throw new Error("nothing is being saved");
    this.#saves.delete(saving);
    this.#writing++;
    let isWritten = false;
    try {
      const saved = await this.#write(save);
      isWritten = true;
      return saved;
    } finally {
      this.#writing--;
      this.#over(isWritten);
    }
  }

  async #write(save) {
    if (save.received !== save.size) throw new Error("not everything has arrived");
    const existed = await stat(save.path).then(
      () => true,
      () => false,
    );
    // A save that changes no byte costs no version.
    const isSame = existed && (await holds(save.path, save.pieces));
    const written = isSame
      ? { path: save.path }
      : await saveFile(save.path, save.pieces, { backups: this.backups }).catch(async (error) => {
          // The new file is in place.
          if (error.code === "file-sync") return { path: await realpath(save.path), warning: error.reason };
          throw error;
        });
    const { id, name } = await this.open(save.path);
    // What a game has written in between is its version, though the time is that of the file as it is now.
    if (!(await holds(written.path, save.pieces))) this.#file(id).mtimeMs = Number.NaN;
    const hasBackup = existed && !isSame && this.backups > 0;
    return { id, name, backup: hasBackup ? basename(backupPath(written.path, 1)) : undefined, warning: written.warning };
  }

  abortSave(saving) {
    if (this.#saves.delete(saving)) this.#over(false);
  }

  /** The page is gone, and with it who would ask for bytes and send pieces. */
  reset() {
    for (const file of this.#files.values()) file.bytes = undefined;
    for (const saving of this.#saves.keys()) this.abortSave(saving);
  }

  #over(isWritten) {
    if (!this.#settled) return;
    this.#settled.areWritten &&= isWritten;
    if (this.#saves.size + this.#writing > 0) return;
    this.#settled.resolve(this.#settled.areWritten);
    this.#settled = undefined;
  }

  /** For who waits until no save is under way: have all been written? Undefined where there is nothing to wait for. */
  settled() {
    if (this.#saves.size + this.#writing === 0) return undefined;
    if (!this.#settled) {
      const settled = { areWritten: true };
      settled.promise = new Promise((resolve) => {
        settled.resolve = resolve;
      });
      this.#settled = settled;
    }
    return this.#settled.promise;
  }
}
