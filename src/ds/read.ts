// readDs: header and shape of the six structures (formats/ds.md §2, §5, §6); the values are the kernel's and the builder's.
import { TuskError } from "../errors.ts";
import { checkInput, checkReadOptions } from "./arguments.ts";
import type { ValueBuilder } from "./build.ts";
import { failure } from "./failure.ts";
import { limitsOf } from "./limits.ts";
import { type Machine, withMachine } from "./machine.ts";
import { openNested } from "./nested.ts";
import {
  DONE,
  ERROR_COUNT,
  ERROR_DEPTH,
  ERROR_LEGACY_REAL,
  ERROR_TRUNCATED,
  ERROR_UNKNOWN_TYPE,
  KINDS,
  LAYOUT_COMPACT,
  LAYOUT_LEGACY,
  LAYOUT_NESTED,
  LAYOUT_ROWS,
  LONG,
  MORE,
  STATE_ERROR_FOUND,
  STATE_ERROR_OFFSET,
} from "./tape.ts";
import type { DsGeneration, DsKind, DsLimits, DsStructure, DsValue, ReadDsOptions } from "./types.ts";

/**
 * Reads the string of a `ds_*_write` function.
 *
 * @param input The hex text, as a string or as its bytes (JavaScript strings end at 536,870,888 characters).
 * @returns The structure; nothing is lost but the case of the digits and the double behind a bool (see `bools`).
 * @throws {TuskError} `empty`, `bad-hex`, `odd-length`, `bad-magic`, `truncated`, `count`, `unknown-type`, `trailing`, `depth`;
 * `offset` is the character where it is wrong; `bad-option` for arguments that mean nothing. There are no partial results.
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

function readText(machine: Machine, input: string | Uint8Array, options: ReadDsOptions): DsStructure {
  if (input.length === 0) throw failure("empty", "there is no text", 0);
  const legacy = options.legacy ?? "auto";
  const { source } = machine;
  source.open(input);
  if (source.chars % 2 === 1) source.checkRest();
  let header: Header | undefined;
  try {
    source.take();
    header = readHeader(machine, options);
    return readBody(machine, header, options, legacy === true && header.generation === 1);
  } catch (error) {
    if (!(error instanceof TuskError) || error.code === "bad-hex") throw error;
    source.checkRest();
    if (header?.generation !== 1 || legacy !== "auto") throw error;
    return readAsLegacy(machine, input, header, options, error);
  }
}

/** Second attempt of `legacy: "auto"`, after compact values failed. When both fail, the one that came further says more. */
function readAsLegacy(
  machine: Machine,
  input: string | Uint8Array,
  header: Header,
  options: ReadDsOptions,
  compact: TuskError,
): DsStructure {
  const { source } = machine;
  try {
    source.open(input);
    source.take();
    return readBody(machine, header, options, true);
  } catch (error) {
    throw error instanceof TuskError && error.offset! > compact.offset! ? error : compact;
  }
}

interface Header {
  kind: DsKind;
  generation: DsGeneration;
  /** The words after the magic number: count; width, height; tail, head, slots. */
  words: number[];
  /** Bytes of the header. */
  size: number;
}

function readHeader(machine: Machine, options: ReadDsOptions): Header {
  const total = machine.source.bytes;
  const view = new DataView(machine.u8.buffer, machine.readBytes);
  if (total < 4) throw failure("truncated", "the text ends inside the magic number", 0);
  const magic = view.getUint32(0, true);
  const kind = KINDS[Math.floor(magic / 100) - 1];
  const generation = magic % 100;
  if (!kind || generation < 1 || generation > 3) throw failure("bad-magic", `${magic} is no magic number of a data structure`, 0);
  if (options.kind !== undefined && kind !== options.kind) throw failure("bad-magic", `expected a ${options.kind}, found a ${kind}`, 0);
  const count = kind === "queue" ? 3 : kind === "grid" ? 2 : 1;
  const size = 4 + count * 4;
  if (total < size) throw failure("truncated", "the text ends inside the header", (total - (total % 4)) * 2);
  const words: number[] = [];
  for (let i = 0; i < count; i++) words.push(view.getUint32(4 + i * 4, true));
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
  // Every value begins with a type code of 4 bytes, a legacy value takes 16.
  if (values > bytesLeft / (legacy ? 16 : 4))
    throw failure("count", `${values} values cannot fit in the ${bytesLeft} bytes that are left`, kind === "queue" ? 24 : 8);
  if (values > limits.maxValues) throw failure("count", `${values} values are more than the limit of ${limits.maxValues}`, 8);
  return values;
}

function readBody(machine: Machine, header: Header, options: ReadDsOptions, legacy: boolean): DsStructure {
  const limits = limitsOf(options.limits);
  const values = valuesOf(header, machine.source.bytes - header.size, legacy, limits);
  machine.builder.start(options, header.kind === "map" && !legacy ? values / 2 : -1);
  readValues(machine, header, values, legacy, limits);
  return shape(header, machine.builder, legacy);
}

/** Runs the values through the kernel into the builder. */
function readValues(machine: Machine, header: Header, values: number, legacy: boolean, limits: DsLimits): void {
  const { kernel, source, builder } = machine;
  const total = source.bytes;
  const layout = header.generation === 3 ? LAYOUT_NESTED : header.generation === 2 ? LAYOUT_ROWS : legacy ? LAYOUT_LEGACY : LAYOUT_COMPACT;
  kernel.startValues(header.size, values, layout, limits.maxDepth, limits.maxValues);
  for (;;) {
    const status = kernel.parse();
    machine.refresh();
    if (status !== MORE && status !== DONE && status !== LONG) throw parseFailure(machine, status, limits);
    const long = builder.take(machine);
    if (status === DONE) break;
    if (status === LONG) builder.takeLong(source.bytesAhead(long));
    else source.take();
  }
  const unread = source.unread;
  if (unread > 0) throw failure("trailing", `${unread} bytes follow the last value`, (total - unread) * 2);
}

function parseFailure(machine: Machine, status: number, limits: DsLimits): TuskError {
  const offset = machine.state(STATE_ERROR_OFFSET) * 2;
  const found = machine.state(STATE_ERROR_FOUND);
  switch (status) {
    case ERROR_TRUNCATED:
      return failure("truncated", "the text ends inside a value", offset);
    case ERROR_COUNT:
      return failure("count", `an array of ${found} cannot fit in what is left`, offset);
    case ERROR_UNKNOWN_TYPE:
      return failure("unknown-type", `type code ${found} has no known layout here`, offset);
    case ERROR_DEPTH:
      return failure("depth", `arrays are nested deeper than ${limits.maxDepth} levels`, offset);
    case ERROR_LEGACY_REAL:
      return failure("count", `a legacy real has a string length of ${found}, expected 0`, offset);
    default:
      return failure("count", `there are more values than the limit of ${limits.maxValues}`, offset);
  }
}

/** Arranges the flat values as the structure has them. */
function shape(header: Header, { values, pairs }: ValueBuilder, legacy: boolean): DsStructure {
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
      if (head === 0 && tail === slots) return { kind, ...form, items: values };
      return { kind, ...form, items: values.slice(head, tail), head, tail, slots: values };
    }
    default:
      return { kind, ...form, items: values };
  }
}
