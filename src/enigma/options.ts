// Options of reading and writing, with their defaults and the reasons for them.
import { bytesIn } from "../engine/given-bytes.ts";
import { TuskError, type TuskWarning } from "../errors.ts";
import { checkFormatOptions, type Given, type Words } from "../options.ts";
import { describe } from "./failure.ts";
import type { EnigmaSchema } from "./schema.ts";

/** Bounds on what one call may take. Counts claimed by a file are always checked against its size before anything is made for them. */
export interface EnigmaLimits {
  /** Largest file that is read, in bytes. Default 1 GiB: ENIGMA itself holds a save in one buffer. Error `limit`. */
  maxBytes: number;
  /** Most warnings about single variables and instances; a damaged file or a wrong schema has one for each. Default 1000. */
  maxWarnings: number;
}

interface EnigmaCommonOptions {
  /** `"wasm"` (SIMD), `"js"` (the same kernel translated to JavaScript), or `"auto"` (default): wasm where the page allows it. */
  engine?: "auto" | "wasm" | "js" | undefined;
  /** Those that are not given have their defaults. */
  limits?: Given<EnigmaLimits> | undefined;
  /** Called after the work, once for each warning; codes are listed in docs/enigma.md. */
  onWarning?: ((warning: TuskWarning) => void) | undefined;
}

/** Options of `readEnigma`. */
export interface EnigmaReadOptions extends EnigmaCommonOptions {
  /** Default `"auto"`: told by the content (formats/enigma.md §3.3). */
  backend?: "auto" | "binary" | "json" | undefined;
  /** The objects of the game. Without it every variable keeps its stored bytes in `raw`, and the file can still be written back. */
  schema?: EnigmaSchema | undefined;
  /** A wrong SHA-1: `"verify"` (default) is error `checksum`, `"report"` a warning of that code, `"ignore"` does not compute it. */
  checksum?: "verify" | "ignore" | "report" | undefined;
  /** An object index that the schema lacks: error `unknown-object` (default), or its variables stay raw. */
  unknownObject?: "error" | "raw" | undefined;
}

/** Options of `writeEnigma`. */
export interface EnigmaWriteOptions extends EnigmaCommonOptions {
  /** Default: the backend the game was read from. */
  backend?: "binary" | "json" | undefined;
  /**
   * A damaged variable: `"recovered"` (default) writes what could be recovered of it, else its bytes, `"raw"` always its bytes,
   * `"error"` refuses with `damaged-local`. The first two warn with that code.
   */
  damaged?: "recovered" | "raw" | "error" | undefined;
}

const ENGINES: Words = { engine: ["auto", "wasm", "js"] };
const READ_WORDS: Words = {
  ...ENGINES,
  backend: ["auto", "binary", "json"],
  checksum: ["verify", "ignore", "report"],
  unknownObject: ["error", "raw"],
};
const WRITE_WORDS: Words = { ...ENGINES, backend: ["binary", "json"], damaged: ["recovered", "raw", "error"] };

function checkCommonOptions(options: EnigmaCommonOptions, words: Words): void {
  checkFormatOptions("enigma", options, words, limitsOf());
  if (options.onWarning !== undefined && typeof options.onWarning !== "function")
    throw new TuskError("enigma", "bad-option", "onWarning is a function");
}

/** Error `bad-option` for what means nothing. */
export function checkReadOptions(options: EnigmaReadOptions): void {
  checkCommonOptions(options, READ_WORDS);
}

/** Error `bad-option` for what means nothing. */
export function checkWriteOptions(options: EnigmaWriteOptions): void {
  checkCommonOptions(options, WRITE_WORDS);
}

/** The limits of a call that is told of these. */
export function limitsOf({ maxBytes = 2 ** 30, maxWarnings = 1000 }: Given<EnigmaLimits> = {}): EnigmaLimits {
  return { maxBytes, maxWarnings };
}

/** The bytes of a file. Error `bad-option`. */
export function givenBytes(given: unknown): Uint8Array {
  const bytes = bytesIn(given);
  try {
    // Of Node's `Buffer`, too, a plain view: its slices are no copies.
    if (bytes) return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  } catch {
    // Code that the engine had compiled before any memory was given away may have found a length that it has not any more.
  }
  throw new TuskError(
    "enigma",
    "bad-option",
    `a save is a Uint8Array, an ArrayBuffer or a view that was not given away, not ${describe(given)}`,
  );
}
