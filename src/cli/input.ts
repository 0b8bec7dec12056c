// What is read of files and streams: all of it, or as much as tells the format.
import { createReadStream, existsSync, fstatSync, type Stats } from "node:fs";
import { stat } from "node:fs/promises";
import { isUndecided } from "./notation/recognise.ts";

/** A stream may be endless. What has a size says so itself. */
const MOST_BYTES = 2 ** 32;

/** What formats are told by is in the first few kilobytes. */
const BEGINNING = 1 << 20;
const ZEROS = Buffer.alloc(BEGINNING);
/** More than any game's buffer. A device gives bytes without end, and a file may be said to have any number of zeros. */
const MOST_OF_DEVICE = 1 << 28;

export const TOO_MANY = "it has more bytes than can be held";

function tooMany(): never {
  throw new Error(TOO_MANY);
}

function mostBytes(info: Stats): number {
  return info.isCharacterDevice() || info.isBlockDevice() ? MOST_OF_DEVICE : MOST_BYTES;
}

/** How much is read of what does not say its size; undefined for a file, which does. */
export async function mostBytesOf(path: string): Promise<number | undefined> {
  const found = await stat(path).catch(() => undefined);
  return found && !found.isFile() ? mostBytes(found) : undefined;
}

/** How much is read of a stream that stands for this descriptor. */
export function mostBytesOfInput(descriptor: number): number {
  try {
    return mostBytes(fstatSync(descriptor));
  } catch {
    // There is none, and nothing is read.
    return MOST_BYTES;
  }
}

export async function readAll(stream: AsyncIterable<unknown>, onBytes: (bytes: number) => void, most = MOST_BYTES): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of stream) {
    pieces.push(piece as Uint8Array);
    bytes += (piece as Uint8Array).length;
    if (bytes > most) tooMany();
    onBytes(bytes);
  }
  return Buffer.concat(pieces);
}

function isZeros(bytes: Uint8Array): boolean {
  for (let at = 0; at < bytes.length; at += BEGINNING) {
    const part = bytes.subarray(at, at + BEGINNING);
    if (Buffer.compare(part, ZEROS.subarray(0, part.length)) !== 0) return false;
  }
  return true;
}

/**
 * As much of a stream as tells its format. JSON whose "tusk" is not its first member is read wholly. Zeros are left out behind the first of them:
 * the document of an ENIGMA save stands behind the zeros of the game's buffer.
 */
export async function readBeginning(stream: AsyncIterable<unknown>): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  let enough = BEGINNING;
  let zeros = 0;
  let undecided: boolean | undefined;
  for await (const given of stream) {
    const piece = given as Uint8Array;
    if (zeros === bytes && isZeros(piece)) {
      zeros += piece.length;
      if (zeros > MOST_OF_DEVICE) break;
      if (bytes >= BEGINNING) {
        bytes += piece.length;
        continue;
      }
    } else if (zeros === bytes) enough = bytes + piece.length + BEGINNING;
    pieces.push(piece);
    bytes += piece.length;
    if (bytes > MOST_BYTES) tooMany();
    if (zeros === bytes || bytes < enough) continue;
    undecided ??= isUndecided(Buffer.concat(pieces));
    if (!undecided) break;
  }
  return Buffer.concat(pieces);
}

/** {@link readBeginning} of a file or device. */
export function readBeginningOf(path: string): Promise<Uint8Array> {
  return readBeginning(createReadStream(path, { highWaterMark: BEGINNING }));
}

/** The bytes of a name that is not UTF-8 have been lost before the program begins, so that it names another file. */
export function isLostName(path: string): boolean {
  return path.includes("\ufffd") && !existsSync(path);
}

export const LOST_NAME = "its name is not UTF-8, or holds U+FFFD: Node.js gives programs the same name for both; use - and redirect";
