// Arguments and options: looked at once, where they come in. What means nothing is the error `bad-option`.
import { bytesIn } from "../engine/given-bytes.ts";
import { TuskError } from "../errors.ts";
import { checkFormatOptions, type Words } from "../options.ts";
import { KINDS } from "./layout.ts";
import { DEFAULTS } from "./limits.ts";
import type { DsKind, DsStructure, ReadDsOptions, WriteDsOptions } from "./types.ts";

export function accept(right: boolean, rule: string): void {
  if (!right) throw new TuskError("ds", "bad-option", rule);
}

const ENGINES = ["auto", "wasm", "js"];
export const GENERATIONS: readonly unknown[] = [1, 2, 3];
const FLAGS = [true, false];

const READ_WORDS: Words = {
  engine: ENGINES,
  kind: KINDS,
  legacy: [true, false, "auto"],
  strings: ["exact", "text"],
  bools: ["plain", "exact"],
  nested: FLAGS,
};
const WRITE_WORDS: Words = { engine: ENGINES, generation: GENERATIONS, legacy: FLAGS, astral: ["utf8", "cesu8"] };

/** An array, or a typed one whose memory has not been given away. */
export function isList(value: unknown): boolean {
  return Array.isArray(value) || (ArrayBuffer.isView(value) && "length" in value && !!bytesIn(value));
}

export function checkReadOptions(options: ReadDsOptions): void {
  checkFormatOptions("ds", options, READ_WORDS, DEFAULTS);
}

export function checkWriteOptions(options: WriteDsOptions): void {
  checkFormatOptions("ds", options, WRITE_WORDS, DEFAULTS);
}

/** A Uint8Array of any realm whose memory has not been given away. */
export function isBytes(value: unknown): boolean {
  return isList(value) && (value as { [Symbol.toStringTag]?: string })[Symbol.toStringTag] === "Uint8Array";
}

export function checkInput(input: unknown): void {
  accept(typeof input === "string" || isBytes(input), "the input is a string, or a Uint8Array that was not given away");
}

export function checkIterable(given: unknown, what: string, example: string): void {
  accept(typeof given !== "string" && Symbol.iterator in Object(given), `${what} must be iterable, for instance ${example}`);
}

interface Fault {
  readonly message: string;
  readonly path: string;
}

/** An item of a priority queue: either of its parts may be undefined, but not missing. */
export function isItem(value: unknown): boolean {
  return "priority" in Object(value) && "value" in Object(value);
}

/** What is wrong with the outer form of a structure; the values are looked at when they are written. `pairs`: those of maps and priorities, too. */
export function faultOf(structure: DsStructure, pairs = false): Fault | undefined {
  const kind = structure?.kind;
  if (!KINDS.includes(kind)) return { message: `the kind of a structure is ${KINDS.join(" or ")}, not ${String(kind)}`, path: "" };
  const own = structure as unknown as Readonly<Record<string, unknown>>;
  const name = kind === "map" ? "entries" : kind === "grid" ? "columns" : "items";
  for (const list of kind === "queue" && own.slots !== undefined ? [name, "slots"] : [name])
    if (!isList(own[list])) return { message: `the ${list} of a ${kind} must be an array`, path: `.${list}` };
  if (kind !== "grid" && !(pairs && (kind === "map" || kind === "priority"))) return undefined;
  const odd = (own[name] as unknown[]).findIndex((part) => !(kind === "priority" ? isItem : isList)(part));
  return odd < 0 ? undefined : { message: `a part of the ${kind} is none`, path: `.${name}[${odd}]` };
}

/** Throws unless it is a structure, of one of these kinds. */
export function checkStructure(structure: DsStructure, kinds: readonly DsKind[] = KINDS): void {
  const fault = faultOf(structure, true);
  if (fault) throw new TuskError("ds", "bad-option", fault.message, { path: fault.path });
  accept(kinds.includes(structure.kind), `expected a ${kinds.join(" or ")}, found a ${structure.kind}`);
}
