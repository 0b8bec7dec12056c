// Arguments and options: looked at once, where they come in. What means nothing is the error `bad-option`.
import { TuskError } from "../errors.ts";
import { KINDS } from "./layout.ts";
import { DEFAULTS } from "./limits.ts";
import type { DsEngineOptions, DsGrid, DsKind, DsQueue, DsStructure, ReadDsOptions, WriteDsOptions } from "./types.ts";

function accept(right: boolean, rule: string): void {
  if (!right) throw new TuskError("ds", "bad-option", rule);
}

const ENGINES = ["auto", "wasm", "js"];
const FLAGS = [true, false];

/** What each option may be. */
type Words = Readonly<Record<string, readonly unknown[]>>;
const READ_WORDS: Words = {
  engine: ENGINES,
  kind: KINDS,
  legacy: [true, false, "auto"],
  strings: ["exact", "text"],
  bools: ["plain", "exact"],
  nested: FLAGS,
};
const WRITE_WORDS: Words = { engine: ENGINES, legacy: FLAGS, astral: ["utf8", "cesu8"] };

/** An array, or a typed one. */
export function isList(value: unknown): boolean {
  return Array.isArray(value) || (ArrayBuffer.isView(value) && "length" in value);
}

function checkOptions(options: DsEngineOptions, words: Words): void {
  accept(typeof options === "object" && options !== null, "options are an object");
  for (const name in words) {
    const given = (options as Readonly<Record<string, unknown>>)[name];
    if (given !== undefined && !words[name].includes(given))
      throw new TuskError("ds", "bad-option", `${name} is ${words[name].map((word) => JSON.stringify(word)).join(" or ")}`);
  }
  const { limits } = options;
  if (limits === undefined) return;
  accept(typeof limits === "object" && limits !== null, "limits are an object");
  for (const [name, limit] of Object.entries(limits))
    accept(
      Object.hasOwn(DEFAULTS, name) && (limit === undefined || (typeof limit === "number" && limit >= 0)),
      `limits.${name} is not a limit`,
    );
}

export function checkReadOptions(options: ReadDsOptions): void {
  checkOptions(options, READ_WORDS);
}

export function checkWriteOptions(options: WriteDsOptions): void {
  checkOptions(options, WRITE_WORDS);
}

export function checkInput(input: unknown): void {
  const bytes = ArrayBuffer.isView(input) && (input as { [Symbol.toStringTag]?: string })[Symbol.toStringTag] === "Uint8Array";
  accept(typeof input === "string" || bytes, "the input is a string or a Uint8Array");
}

export function checkIterable(given: unknown, what: string): void {
  accept(
    given !== undefined && given !== null && typeof given !== "string" && Symbol.iterator in Object(given),
    `${what} can be gone through`,
  );
}

interface Fault {
  readonly message: string;
  readonly path: string;
}

/** What is wrong with the outer form of a structure; the values are looked at when they are written. */
export function faultOf(structure: DsStructure): Fault | undefined {
  const kind = typeof structure === "object" && structure !== null ? structure.kind : structure;
  switch (kind) {
    case "list":
    case "stack":
    case "priority":
      return faultOfList(structure as DsStructure, "items");
    case "queue":
      return (
        faultOfList(structure as DsStructure, "items") ??
        ((structure as DsQueue).slots === undefined ? undefined : faultOfList(structure as DsStructure, "slots"))
      );
    case "map":
      return faultOfList(structure as DsStructure, "entries");
    case "grid":
      return faultOfList(structure as DsStructure, "columns") ?? faultOfColumns((structure as DsGrid).columns);
  }
  return { message: `expected a structure, its kind is ${String(kind)}`, path: "" };
}

function faultOfList(structure: DsStructure, name: "items" | "slots" | "entries" | "columns"): Fault | undefined {
  if (isList((structure as unknown as Record<string, unknown>)[name])) return undefined;
  return { message: `${name} of a ${structure.kind} is no array`, path: `.${name}` };
}

function faultOfColumns(columns: readonly unknown[]): Fault | undefined {
  const odd = columns.findIndex((column) => !isList(column));
  return odd < 0 ? undefined : { message: "a column is no array", path: `.columns[${odd}]` };
}

/** Throws unless it is a structure, of one of these kinds. */
export function checkStructure(structure: DsStructure, kinds: readonly DsKind[] = KINDS): void {
  const fault = faultOf(structure);
  if (fault) throw new TuskError("ds", "bad-option", fault.message, { path: fault.path });
  accept(kinds.includes(structure.kind), `expected a ${kinds.join(" or ")}, found a ${structure.kind}`);
}
