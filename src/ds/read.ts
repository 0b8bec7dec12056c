// readDs: header and shape of the six structures (formats/ds.md §2, §5, §6); the values are those of value-reader.ts.
import { TuskError } from "../errors.ts";
import { checkInput, checkReadOptions } from "./arguments.ts";
import { failure } from "./failure.ts";
import { BYTES, KINDS } from "./layout.ts";
import { limitsOf } from "./limits.ts";
import { type Machine, withMachine } from "./machine.ts";
import { openNested } from "./nested.ts";
import type { DsGeneration, DsKind, DsLimits, DsStructure, DsValue, ReadDsOptions } from "./types.ts";
import type { Values } from "./value-reader.ts";

/**
 * Reads the string of a `ds_*_write` function.
 *
 * @param input The hex text, as a string or as its bytes (JavaScript strings end at 536,870,888 characters).
 * @returns The structure. Nothing is lost but the case of the digits, the double behind a bool (see `bools`), the real in front of a legacy string,
 * and with `strings: "text"` that a string was CESU-8.
 * @throws {TuskError} `empty`, `bad-hex`, `odd-length`, `bad-magic`, `truncated`, `count`, `unknown-type`, `trailing`, `depth`;
 * `offset` is the character where it is wrong; `bad-option` for arguments that mean nothing; `engine`, of format `"tusk"`, where WebAssembly was asked for and
 * cannot be had. There are no partial results.
 *
 * @example
 * const save = readDs(ini.inventory, { kind: "map" });
 * for (const [key, value] of save.entries) console.log(key, value);
 */
export function readDs<K extends DsKind>(input: string | Uint8Array, options: ReadDsOptions & { kind: K }): DsOfKind<K>;
export function readDs(input: string | Uint8Array, options?: ReadDsOptions): DsStructure;
export function readDs(input: string | Uint8Array, options: ReadDsOptions = {}): DsStructure {
  checkReadOptions(options);
  checkInput(input);
  const structure = withMachine(options.engine, (machine) => readText(machine, input, options));
  return options.nested ? openNested(structure, options) : structure;
}

/** The structure of one kind. */
export type DsOfKind<K extends DsKind> = Extract<
  DsStructure,
  { kind: K extends "stack" ? "list" | "stack" : K extends "list" ? "list" | "stack" : K }
> & {
  kind: K;
};

function readText(
  machine: Machine,
  input: string | Uint8Array,
  options: ReadDsOptions,
  legacy: boolean | "auto" = options.legacy ?? "auto",
): DsStructure {
  if (input.length === 0) throw failure("empty", "there is no text", 0);
  const { source } = machine;
  source.open(input);
  if (input.length % 2 === 1) source.checkRest();
  let header: Header | undefined;
  try {
    source.take(BYTES);
    header = readHeader(machine, options);
    return readBody(machine, header, options, legacy === true && header.generation === 1);
  } catch (error) {
    if (!(error instanceof TuskError) || error.code === "bad-hex") throw error;
    source.checkRest();
    if (header?.generation !== 1 || legacy !== "auto") throw error;
    // Second attempt, after compact values failed. When both fail, the one that came further says more.
    try {
      return readText(machine, input, options, true);
    } catch (second) {
      throw second instanceof TuskError && second.offset! > error.offset! ? second : error;
    }
  }
}

export interface Header {
  kind: DsKind;
  generation: DsGeneration;
  /** The words after the magic number: count; width, height; tail, head, slots. */
  words: number[];
  /** Bytes of the header. */
  size: number;
}

function readHeader(machine: Machine, options: ReadDsOptions): Header {
  const { source, view } = machine;
  const total = source.bytes;
  if (total < 4) throw failure("truncated", "the text ends inside the magic number", 0);
  const magic = view.getUint32(BYTES, true);
  const kind = KINDS[Math.floor(magic / 100) - 1];
  const generation = magic % 100;
  if (!kind || generation < 1 || generation > 3) throw failure("bad-magic", `${magic} is no magic number of a data structure`, 0);
  if (options.kind !== undefined && kind !== options.kind) throw failure("bad-magic", `expected a ${options.kind}, found a ${kind}`, 0);
  const count = kind === "queue" ? 3 : kind === "grid" ? 2 : 1;
  const size = 4 + count * 4;
  if (total < size) throw failure("truncated", "the text ends inside the header", (total - (total % 4)) * 2);
  const words: number[] = [];
  for (let i = 0; i < count; i++) words.push(view.getUint32(BYTES + 4 + i * 4, true));
  return { kind, generation: generation as DsGeneration, words, size };
}

/** Number of values, checked against what is left before anything is allocated (formats/ds.md §8). */
function valuesOf(header: Header, bytesLeft: number, legacy: boolean, limits: DsLimits): number {
  const { kind, words } = header;
  let values = words[0];
  if (kind === "map" || kind === "priority") values *= 2;
  else if (kind === "grid") {
    // As doubles the product cannot wrap.
    values *= words[1];
    if (words[1] === 0 && words[0] > limits.maxEmptyColumns)
      throw failure("count", `a grid without rows claims ${words[0]} columns; the limit is ${limits.maxEmptyColumns}`, 8);
  } else if (kind === "queue") {
    const [tail, head, slots] = words;
    if (head > tail || tail > slots) throw failure("count", `head ${head}, tail ${tail} and ${slots} slots do not fit together`, 8);
    values = slots;
  }
  const place = kind === "queue" ? 24 : 8;
  // Every value begins with a type code of 4 bytes, a legacy value takes 16.
  if (values > bytesLeft / (legacy ? 16 : 4))
    throw failure("count", `${values} values cannot fit in the ${bytesLeft} bytes that are left`, place);
  if (values > limits.maxValues) throw failure("count", `${values} values are more than the limit of ${limits.maxValues}`, place);
  return values;
}

function readBody(machine: Machine, header: Header, options: ReadDsOptions, legacy: boolean): DsStructure {
  const limits = limitsOf(options.limits);
  const count = valuesOf(header, machine.source.bytes - header.size, legacy, limits);
  return shape(header, machine.reader.read(header, count, legacy, options, limits), legacy);
}

/** Arranges the flat values as the structure has them. */
function shape(header: Header, { values, pairs }: Values, legacy: boolean): DsStructure {
  const { kind, generation, words } = header;
  const [count, second] = words;
  const form = legacy ? { generation, legacy } : { generation };
  switch (kind) {
    case "map": {
      // All legacy keys come before all values (formats/ds.md §6).
      if (legacy) for (let i = 0; i < count; i++) pairs.push([values[i], values[count + i]]);
      return { kind, ...form, entries: pairs };
    }
    case "priority": {
      const items: { priority: DsValue; value: DsValue }[] = [];
      for (let i = 0; i < count; i++) items.push({ priority: values[i], value: values[count + i] });
      return { kind, ...form, items };
    }
    case "grid": {
      const columns: DsValue[][] = [];
      for (let x = 0; x < count; x++) columns.push(values.slice(x * second, (x + 1) * second));
      return { kind, ...form, width: count, height: second, columns };
    }
    case "queue": {
      const [tail, head, slots] = words;
      if (head > 0 || tail < slots) return { kind, ...form, items: values.slice(head, tail), head, tail, slots: values };
    }
  }
  return { kind, ...form, items: values };
}
