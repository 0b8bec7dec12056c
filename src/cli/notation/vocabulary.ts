// The lossless JSON notation (docs/cli.md): what a format adds to it, and how a value of the graph is classed.
import { TuskError } from "../../errors.ts";

export type Primitive = string | number | boolean | bigint | null | undefined;

/**
 * The members that a struct may have, and of each the place of what it holds: "" where that is no struct, `x[]` where it is an array whose items
 * stand at the place `x`. The items of an array at `x` do, too.
 */
export type Members = Readonly<Record<string, string>>;
/** Those of a type, none forgotten. */
export type MembersOf<T> = Readonly<Record<keyof T & string, string>>;

/** The place of the root. */
export const ROOT = "root";

/** The values of a format that are no plain JavaScript data. Tags are written with a `$` in front. */
export interface Vocabulary {
  /** Does the format store what occurs again as a reference? Others store it once more. */
  readonly shares?: boolean;
  /** Tag and content of an object that is one value, e.g. `["s32", 5]`. */
  leaf?(value: object): [tag: string, content: Primitive] | undefined;
  /** The way back; undefined for a tag that is none of the format's. */
  makeLeaf?(tag: string, content: Primitive): object | undefined;
  /** Is it the tag of such a value? An array says so of its items, also if it has none. */
  isLeafTag?(tag: string): boolean;
  /** Tags of a struct that is no plain one, e.g. `{ new: "Player", version: 1 }`. */
  tags?(value: object): Record<string, Primitive> | undefined;
  /** An empty struct with these tags; undefined when they are not the format's. */
  makeStruct?(tags: Record<string, Primitive>): object | undefined;
  /**
   * Does the member `name` of `struct`, which is still JSON, hold a plain value in every save? JSON with an array or a struct there is refused:
   * codecs put such values into messages, and an object may have a `toString` that is no function.
   */
  isPlainMember?(name: string, struct: object, atRoot: boolean): boolean;
  /** The members of `struct`, which is still JSON and stands at `place`: writers look at no others. Undefined: not known. */
  membersOf?(struct: Readonly<Record<string, unknown>>, place: string): Members | undefined;
  /** Why a writer would leave out a part of `struct`, in words for people. */
  lossOf?(struct: Readonly<Record<string, unknown>>, place: string): string | undefined;
}

export function notationError(message: string, path?: string): TuskError {
  return new TuskError("tusk", "notation", message, path === undefined ? {} : { path });
}

/** The tags that every format has. */
export const OWN_TAGS: ReadonlySet<string> = new Set(["undefined", "number", "bigint", "bytes", "ref", "id", "array", "of", "struct"]);

/** A value of a JSON in a message. Of arrays and objects only what they are: they may be deeper than the stack. */
export function jsonText(json: unknown): string {
  if (typeof json !== "object" || json === null) return JSON.stringify(json);
  return Array.isArray(json) ? "an array" : "an object";
}

/** Is it an array or struct, something with identity and children? */
export function isContainer(value: unknown, vocabulary: Vocabulary): value is object {
  return typeof value === "object" && value !== null && !(value instanceof Uint8Array) && !vocabulary.leaf?.(value);
}

export function isPlain(value: object): boolean {
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
