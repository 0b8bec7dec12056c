// Options of reading and writing, with their defaults and the reasons for them.
import { TuskError, type TuskWarning } from "../errors.ts";
import type { EnigmaSchema } from "./schema.ts";

/** Bounds on what one call may take. Counts claimed by a file are always checked against its size before anything is made for them. */
export interface EnigmaLimits {
  /** Largest file in bytes. Default 1 GiB: ENIGMA itself holds a save in one buffer, and views of JavaScript end near there. Error `limit`. */
  maxBytes: number;
  /** Most warnings about single variables; a damaged file has one for each. Default 1000. */
  maxWarnings: number;
}

const DEFAULT_LIMITS: Readonly<EnigmaLimits> = { maxBytes: 2 ** 30, maxWarnings: 1000 };

interface EnigmaCommonOptions {
  /** `"wasm"` (SIMD), `"js"` (the same kernel translated to JavaScript), or `"auto"` (default): wasm where the page allows it. */
  engine?: "auto" | "wasm" | "js";
  limits?: Partial<EnigmaLimits>;
  /** Called after the work, once for each warning; codes are listed in docs/enigma.md. */
  onWarning?: (warning: TuskWarning) => void;
}

/** Options of `readEnigma`. */
export interface EnigmaReadOptions extends EnigmaCommonOptions {
  /** Default `"auto"`: told by the content (formats/enigma.md §3.3). */
  backend?: "auto" | "binary" | "json";
  /** The objects of the game. Without it every variable keeps its stored bytes in `raw`, and the file can still be written back. */
  schema?: EnigmaSchema;
  /** A wrong SHA-1: `"verify"` (default) is error `checksum`, `"report"` a warning of that code, `"ignore"` does not compute it. */
  checksum?: "verify" | "ignore" | "report";
  /** An object index that the schema lacks: error `unknown-object` (default), or its variables stay raw. */
  unknownObject?: "error" | "raw";
}

/** Options of `writeEnigma`. */
export interface EnigmaWriteOptions extends EnigmaCommonOptions {
  /** Default: the backend the game was read from. */
  backend?: "binary" | "json";
  /**
   * A damaged variable: `"recovered"` (default) writes what could be recovered of it, else its bytes, `"raw"` always its bytes,
   * `"error"` refuses with `damaged-local`. The first two warn with that code.
   */
  damaged?: "recovered" | "raw" | "error";
}

function accept(right: boolean, rule: string): void {
  if (!right) throw new TuskError("enigma", "bad-option", rule);
}

function checkCommonOptions(options: EnigmaCommonOptions): void {
  accept(typeof options === "object" && options !== null, "options are an object");
  const { engine, onWarning } = options;
  accept(engine === undefined || engine === "auto" || engine === "wasm" || engine === "js", 'engine is "auto", "wasm" or "js"');
  accept(onWarning === undefined || typeof onWarning === "function", "onWarning is a function");
}

/** Error `bad-option` for what means nothing. */
export function checkReadOptions(options: EnigmaReadOptions): void {
  checkCommonOptions(options);
  const { backend, checksum, unknownObject } = options;
  accept(
    backend === undefined || backend === "auto" || backend === "binary" || backend === "json",
    'backend is "auto", "binary" or "json"',
  );
  accept(
    checksum === undefined || checksum === "verify" || checksum === "ignore" || checksum === "report",
    'checksum is "verify", "ignore" or "report"',
  );
  accept(unknownObject === undefined || unknownObject === "error" || unknownObject === "raw", 'unknownObject is "error" or "raw"');
}

/** Error `bad-option` for what means nothing. */
export function checkWriteOptions(options: EnigmaWriteOptions): void {
  checkCommonOptions(options);
  const { damaged } = options;
  accept(
    damaged === undefined || damaged === "recovered" || damaged === "raw" || damaged === "error",
    'damaged is "recovered", "raw" or "error"',
  );
}

/** The limits of a call that is told of these. Error `bad-option`. */
export function limitsOf(given: Partial<EnigmaLimits> | undefined): EnigmaLimits {
  if (given === undefined) return DEFAULT_LIMITS;
  accept(typeof given === "object" && given !== null, "limits are an object");
  const limits = { ...DEFAULT_LIMITS };
  for (const [name, limit] of Object.entries(given)) {
    if (limit === undefined) continue;
    accept(Object.hasOwn(DEFAULT_LIMITS, name) && typeof limit === "number" && limit >= 0, `limits.${name} is not a limit`);
    limits[name as keyof EnigmaLimits] = limit;
  }
  return limits;
}

/** The bytes of a file. Error `bad-option`. */
export function givenBytes(given: unknown): Uint8Array {
  if (given instanceof Uint8Array) return given;
  if (ArrayBuffer.isView(given)) return new Uint8Array(given.buffer, given.byteOffset, given.byteLength);
  try {
    // Takes buffers of any realm, and throws for everything else.
    return new Uint8Array(new DataView(given as ArrayBuffer).buffer);
  } catch {
    throw new TuskError(
      "enigma",
      "bad-option",
      `a save is a Uint8Array, an ArrayBuffer or a view, not ${given === null ? "null" : typeof given}`,
    );
  }
}
