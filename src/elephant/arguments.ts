// Arguments and options of the codec's methods: looked at once, where they come in. What means nothing is the error `bad-option`.
import type { ReadAsyncOptions, SliceOptions, WriteAsyncOptions } from "./async/options.ts";
import type { ElephantOptions, ReadOptions, WriteOptions } from "./codec.ts";
import { elephantError } from "./errors.ts";
import { DEFAULT_LIMITS, type Limits } from "./limits.ts";
import { VERSION_WORDS } from "./releases.ts";

/** A chunk is one piece of memory. */
const LARGEST_CHUNK = 1 << 30;

function accept(right: boolean, rule: string): void {
  if (!right) throw elephantError("bad-option", rule);
}

/** What a wrong argument is, for people. */
function described(value: unknown): string {
  if (value === null) return "null";
  if (typeof value !== "object") return typeof value === "string" ? "text" : typeof value;
  return typeof (value as { then?: unknown }).then === "function" ? "a promise (is an await missing?)" : "an object of another kind";
}

/** The bytes of a typed array, DataView, ArrayBuffer or SharedArrayBuffer of any realm; undefined for anything else. */
export function bytesIn(value: unknown): Uint8Array | undefined {
  if (value instanceof Uint8Array) return value;
  if (ArrayBuffer.isView(value)) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  try {
    // Takes buffers of any realm, and throws for everything else.
    return new Uint8Array(new DataView(value as ArrayBuffer).buffer);
  } catch {
    return undefined;
  }
}

export function givenBytes(given: unknown): Uint8Array {
  const bytes = bytesIn(given);
  if (!bytes) throw elephantError("bad-option", `a save is a Uint8Array, an ArrayBuffer or a view, not ${described(given)}`);
  return bytes;
}

export function checkTarget(target: unknown): void {
  const right = ArrayBuffer.isView(target) && (target as { [Symbol.toStringTag]?: string })[Symbol.toStringTag] === "Uint8Array";
  if (!right) throw elephantError("bad-option", `the target is a Uint8Array, not ${described(target)}`);
}

export function checkOffset(offset: unknown): void {
  accept(Number.isSafeInteger(offset) && (offset as number) >= 0, "an offset is a whole number from 0 on");
}

export function checkText(text: unknown): void {
  if (typeof text !== "string") throw elephantError("bad-option", `an export string is text, not ${described(text)}`);
}

function checkObject(options: unknown): void {
  accept(typeof options === "object" && options !== null, "options are an object");
}

function checkFlag(flag: unknown, name: string): void {
  if (flag !== undefined && typeof flag !== "boolean") throw elephantError("bad-option", `${name} is true or false`);
}

function checkFunction(given: unknown, name: string): void {
  if (given !== undefined && typeof given !== "function") throw elephantError("bad-option", `${name} is a function`);
}

/** Options that are true or false, of methods that have no others. */
export function checkFlags<T extends object>(options: T, names: readonly (keyof T & string)[]): void {
  checkObject(options);
  for (const name of names) checkFlag(options[name], name);
}

export function checkReadOptions(options: ReadOptions): void {
  checkObject(options);
  const { scalars } = options;
  checkFlag(options.typedArrays, "typedArrays");
  accept(scalars === undefined || scalars === "plain" || scalars === "exact", 'scalars is "plain" or "exact"');
}

export function checkWriteOptions(options: WriteOptions): void {
  checkObject(options);
  const { release, diffEquality, diffsOnly } = options;
  if (release !== undefined && !Object.hasOwn(VERSION_WORDS, release))
    throw elephantError("bad-option", `release ${String(release)} cannot be written; "1.5.1", "1.5.0" and "1.4.0" can`);
  checkFlag(diffsOnly, "diffsOnly");
  accept(!(diffsOnly && release === "1.4.0"), "diffsOnly came with release 1.5.0");
  accept(diffEquality === undefined || diffEquality === "gml" || diffEquality === "exact", 'diffEquality is "gml" or "exact"');
}

/** Options of the methods that work in slices. */
export function checkSliceOptions(options: SliceOptions & Pick<ReadAsyncOptions, "size"> & Pick<WriteAsyncOptions, "chunkBytes">): void {
  checkObject(options);
  const { sliceMs, signal, size, chunkBytes } = options;
  accept(sliceMs === undefined || (typeof sliceMs === "number" && sliceMs >= 0), "sliceMs is a number of milliseconds");
  checkFunction(options.onProgress, "onProgress");
  checkFunction(options.pause, "pause");
  accept(signal === undefined || signal === null || typeof signal.throwIfAborted === "function", "signal is an AbortSignal");
  accept(size === undefined || (Number.isSafeInteger(size) && size >= 0), "size is a whole number of bytes");
  accept(
    chunkBytes === undefined || (Number.isInteger(chunkBytes) && chunkBytes >= 1 && chunkBytes <= LARGEST_CHUNK),
    "chunkBytes is a whole number from 1 to 1,073,741,824",
  );
}

/** The limits of a codec that is told of these. */
export function limitsOf(given: Partial<Limits> | undefined): Limits {
  accept(given === undefined || (typeof given === "object" && given !== null), "limits are an object");
  const limits = { ...DEFAULT_LIMITS };
  for (const [name, limit] of Object.entries(given ?? {})) {
    if (limit === undefined) continue;
    accept(Object.hasOwn(DEFAULT_LIMITS, name) && typeof limit === "number" && limit >= 0, `limits.${name} is not a limit`);
    limits[name as keyof Limits] = limit;
  }
  return limits;
}

/** Options of a codec, without what they hold: limits and constructors are checked where they are taken over. */
export function checkCodecOptions(options: ElephantOptions): void {
  checkObject(options);
  const { constructors, engine, unknownConstructor } = options;
  accept(
    constructors === undefined || (typeof constructors === "object" && constructors !== null && !(Symbol.iterator in constructors)),
    "constructors are an object: classes and schemas by name",
  );
  accept(
    unknownConstructor === undefined || unknownConstructor === "error" || unknownConstructor === "generic",
    'unknownConstructor is "error" or "generic"',
  );
  accept(engine === undefined || engine === "auto" || engine === "wasm" || engine === "js", 'engine is "auto", "wasm" or "js"');
  checkFunction(options.onWarning, "onWarning");
  checkFlag(options.codeGeneration, "codeGeneration");
}
