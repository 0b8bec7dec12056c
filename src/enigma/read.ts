// Reading a save: its digest, its backend, then the reader of that backend.
import { TuskError } from "../errors.ts";
import { documentStart, findDocument } from "./backend.ts";
import { readBinaryGame } from "./binary/game-reader.ts";
import { Payload } from "./binary/payload.ts";
import { fail, Warnings } from "./failure.ts";
import { readJsonGame } from "./json/game-reader.ts";
import { kernelListReader } from "./kernel/list-reader.ts";
import { SessionLease } from "./kernel/session.ts";
import { DIGEST_BYTES, sha1 } from "./kernel/sha1.ts";
import type { EnigmaGame } from "./model.ts";
import { checkReadOptions, type EnigmaReadOptions, givenBytes, limitsOf } from "./options.ts";
import { compileSchema, type EnigmaSchema } from "./schema.ts";
import { hexOf } from "./text.ts";

function checkDigest(lease: SessionLease, bytes: Uint8Array, warnings: Warnings, report: boolean): void {
  const end = bytes.length - DIGEST_BYTES;
  const computed = sha1(lease, bytes.subarray(0, end));
  const stored = bytes.subarray(end);
  if (computed.every((byte, i) => byte === stored[i])) return;
  const message = `the SHA-1 of the first ${end} bytes is ${hexOf(computed)}, the file says ${hexOf(stored)}`;
  if (!report) fail("checksum", message, end);
  // Of the file, not of a variable: no limit of warnings drops it.
  warnings.tally("checksum", message, { offset: end });
}

/**
 * Reads a save of `game_save_buffer`, either backend (docs/enigma.md).
 *
 * @param bytes the whole file; it is not kept and not changed
 * @throws TuskError with format `"enigma"` and one of the codes `too-short`, `checksum`, `truncated`, `lead-byte`, `bad-variant-type`, `bad-table`,
 *   `trailing-bytes`, `unknown-object`, `json-syntax`, `json-object-type`, `json-missing-key`, `json-bad-value`, `json-texture-size`, `schema`, `limit`, `bad-option`;
 *   with format `"tusk"` `engine`, where WebAssembly was asked for, is needed and cannot be had
 */
export function readEnigma(bytes: ArrayBufferLike | ArrayBufferView, options: EnigmaReadOptions = {}): EnigmaGame {
  checkReadOptions(options);
  const limits = limitsOf(options.limits);
  const file = givenBytes(bytes);
  const warnings = new Warnings(limits.maxWarnings);
  if (file.length > limits.maxBytes) fail("limit", `the file has ${file.length} bytes, limits.maxBytes is ${limits.maxBytes}`, 0);
  if (file.length < DIGEST_BYTES) fail("too-short", `a save ends with ${DIGEST_BYTES} bytes of SHA-1; there are ${file.length} bytes`, 0);
  const given: EnigmaSchema | null | undefined = options.schema;
  const schema = given === undefined || given === null ? undefined : compileSchema(given);
  const lease = new SessionLease(options.engine ?? "auto");
  try {
    const checksum = options.checksum ?? "verify";
    if (checksum !== "ignore") checkDigest(lease, file, warnings, checksum === "report");
    const end = file.length - DIGEST_BYTES;
    const backend = options.backend ?? "auto";
    const document = backend === "auto" ? findDocument(file, end) : backend === "json" ? documentStart(file, end) : -1;
    const unknownObject = options.unknownObject ?? "error";
    if (document >= 0) return readJsonGame(file, document, end, schema, unknownObject, warnings);
    return readBinaryGame({ payload: new Payload(file, end), schema, unknownObject, warnings, unordered: false }, kernelListReader(lease));
  } catch (error) {
    if (error instanceof RangeError) throw new TuskError("enigma", "limit", "the platform ran out of room for this save", { cause: error });
    throw error;
  } finally {
    lease.release();
    warnings.deliver(options.onWarning);
  }
}
