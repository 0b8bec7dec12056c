// Arguments and options: looked at once, where they come in. What means nothing is the error `bad-option`.
import { bytesIn } from "../engine/given-bytes.ts";
import { TuskError } from "../errors.ts";
import { checkFormatOptions, type Words } from "../options.ts";
import { KINDS } from "./layout.ts";
import { DEFAULTS } from "./limits.ts";
import { located, Refusal, unsupported } from "./refusal.ts";
import type { DsGrid, DsKind, DsStructure, ReadDsOptions, WriteDsOptions } from "./types.ts";

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

/** A value in a message. The text of an object may say nothing, or throw; that of a long bigint may take longer than all else. */
export function shown(value: unknown): string {
  return Object(value) === value || (typeof value === "bigint" && BigInt.asIntN(64, value) !== value) ? typeof value : String(value);
}

/** An item of a priority queue: either of its parts may be undefined, but not missing. */
export function isItem(value: unknown): boolean {
  return "priority" in Object(value) && "value" in Object(value);
}

/** Refuses what has not the outer form of a structure; the values are looked at when they are written. `pairs`: those of maps and priorities, too. */
export function checkForm(structure: DsStructure, pairs = false): void {
  const kind = structure?.kind;
  if (!KINDS.includes(kind)) unsupported(`the kind of a structure is ${KINDS.join(" or ")}, not ${shown(kind)}`);
  const own = structure as unknown as Readonly<Record<string, unknown>>;
  const name = kind === "map" ? "entries" : kind === "grid" ? "columns" : "items";
  for (const list of kind === "queue" && own.slots !== undefined ? [name, "slots"] : [name])
    if (!isList(own[list])) unsupported(`the ${list} of a ${kind} must be an array`, `.${list}`);
  if (kind !== "grid" && !(pairs && (kind === "map" || kind === "priority"))) return;
  const odd = (own[name] as unknown[]).findIndex((part) => !(kind === "priority" ? isItem : isList)(part));
  if (odd >= 0) unsupported(`a part of the ${kind} is none`, `.${name}[${odd}]`);
}

/** Refuses a grid whose sizes are not those of its columns, or that is higher than `most`: without columns nothing else is compared to the height. */
export function checkSizes({ width, height, columns }: Pick<DsGrid, "width" | "height" | "columns">, most = 0xffffffff): void {
  const odd = columns.findIndex((column) => column.length !== height);
  if (odd >= 0)
    throw new Refusal("count", `the grid is ${shown(height)} high, this column has ${columns[odd].length} cells`, `.columns[${odd}]`);
  if (columns.length !== width || !(Number.isInteger(height) && height >= 0 && height <= most))
    throw new Refusal("count", `the grid is ${shown(width)} x ${shown(height)}, its columns are ${columns.length}`, ".columns");
}

/** Throws unless it is a structure, of one of these kinds. */
export function checkStructure(structure: DsStructure, kinds: readonly DsKind[] = KINDS): void {
  located(() => checkForm(structure, true), "bad-option");
  accept(kinds.includes(structure.kind), `expected a ${kinds.join(" or ")}, found a ${structure.kind}`);
}
