// writeDs and writeDsBytes: the shape of the six structures (formats/ds.md §2, §5, §6) as a row of values for the writer.
import { isStackEnd, utf8 } from "../engine/platform-text.ts";
import { TuskError } from "../errors.ts";
import { checkForm, checkSizes, checkWriteOptions, GENERATIONS, isItem, shown } from "./arguments.ts";
import { ByteCollector } from "./byte-collector.ts";
import type { ByteWriter, Sink } from "./byte-writer.ts";
import { KINDS, LAYOUT_LEGACY } from "./layout.ts";
import { limitsOf } from "./limits.ts";
import { withMachine } from "./machine.ts";
import { fromInside, located, Refusal, unsupported } from "./refusal.ts";
import type { DsStructure, DsValue, WriteDsOptions } from "./types.ts";

/** Structures inside structures: every level doubles the text, so that a deeper one can only be a cycle. */
const MAX_NESTED = 32;

/**
 * Writes a structure as the string that the `ds_*_read` functions take: upper-case digits, generation 3 unless the structure or the
 * options say another.
 *
 * @throws {TuskError} `unsupported-value` for what the generation cannot hold, `count` where sizes do not fit together, `depth`, `bad-option`, and
 * `too-long` when the text does not fit into a JavaScript string (use {@link writeDsBytes}); `path` is the place in the structure, which
 * `bad-option` and `too-long` do not have. `engine`, of format `"tusk"`, where WebAssembly was asked for and cannot be had.
 *
 * @example
 * writeDs({ kind: "map", entries: [["hp", 12], ["name", "Ayla"]] });
 */
export function writeDs(structure: DsStructure, options: WriteDsOptions = {}): string {
  checkWriteOptions(options);
  return located(() => writeText(structure, options, 0));
}

/** {@link writeDs} as the bytes of the text, of any length. Errors as there, but for `too-long` of the whole text. */
export function writeDsBytes(structure: DsStructure, options: WriteDsOptions = {}): Uint8Array<ArrayBuffer> {
  checkWriteOptions(options);
  const collector = new ByteCollector();
  located(() => encode(structure, options, 0, (chars) => collector.add(chars)));
  return collector.finish();
}

function writeText(structure: DsStructure, options: WriteDsOptions, nesting: number): string {
  let text = "";
  encode(structure, options, nesting, (chars) => {
    try {
      text += utf8.decode(chars);
    } catch (cause) {
      if (isStackEnd(cause)) throw cause;
      throw new TuskError("ds", "too-long", "the text is longer than a string may be; writeDsBytes has no limit", { cause });
    }
  });
  return text;
}

function encode(structure: DsStructure, options: WriteDsOptions, nesting: number, sink: Sink): void {
  if (nesting > MAX_NESTED) throw new Refusal("depth", `structures are nested deeper than ${MAX_NESTED} levels, or hold themselves`);
  const { engine, limits, astral } = options;
  withMachine(engine, ({ writer }) => {
    checkForm(structure);
    const generation = options.generation ?? structure.generation ?? 3;
    const legacy = options.legacy ?? (generation === 1 && structure.legacy === true);
    const base = (KINDS.indexOf(structure.kind) + 1) * 100;
    if (!GENERATIONS.includes(generation)) unsupported(`there is no generation ${shown(generation)}`);
    if (legacy && generation !== 1) unsupported(`legacy values exist in generation 1 only, not ${generation}`);

    writer.start({
      sink,
      layout: legacy ? LAYOUT_LEGACY : generation,
      cesu: astral === "cesu8",
      maxDepth: limitsOf(limits).maxDepth,
      // A nested structure is written as it is: the options' generation is that of the outer one.
      textOf: (inner) => writeText(inner, { engine, limits, astral }, nesting + 1),
    });
    writer.word(base + generation);
    writeBody(writer, structure, legacy);
    writer.flush();
  });
}

function writeBody(writer: ByteWriter, structure: DsStructure, legacy: boolean): void {
  switch (structure.kind) {
    case "map":
      writeMap(writer, structure.entries, legacy);
      return;
    case "list":
    case "stack":
      writer.begin(structure.items, 0, false, ".items");
      return;
    case "priority": {
      const { items } = structure;
      // A getter may add others.
      const { length } = items;
      writer.word(length);
      let i = 0;
      let part = "";
      try {
        for (const name of ["priority", "value"] as const)
          for (i = 0; i < length; i++) {
            const item = items[i];
            part = "";
            if (!isItem(item)) unsupported("an item is none");
            // A text made for each item took a third of the time.
            part = name;
            writer.value(item[name]);
          }
      } catch (error) {
        throw fromInside(error, `.items[${i}]${part && `.${part}`}`);
      }
      return;
    }
    case "grid": {
      const { width, height, columns } = structure;
      checkSizes({ width, height, columns });
      writer.word(width);
      writer.word(height);
      // As many cells as were counted: a getter may add others.
      for (let x = 0; x < width; x++) writer.values(columns[x], `.columns[${x}]`, 0, height);
      return;
    }
    case "queue": {
      const { items, slots } = structure;
      const head = structure.head ?? 0;
      const tail = structure.tail ?? (typeof head === "number" ? head + items.length : head);
      const store = slots ? slots.length : tail;
      const valid =
        [head, tail].every(Number.isInteger) &&
        head >= 0 &&
        tail - head === items.length &&
        tail <= store &&
        (head === 0 || slots !== undefined);
      if (!valid) {
        const sizes = [head, tail, store, items.length].map(shown).join(", ");
        throw new Refusal("count", `head, tail, slots and items do not fit together: ${sizes}; the items alone are enough`);
      }
      writer.word(tail);
      writer.word(head);
      writer.word(store);
      // As many as were counted, here too.
      if (slots) writer.values(slots, ".slots", 0, head);
      writer.values(items, ".items", 0, tail - head);
      if (slots) writer.values(slots, ".slots", tail, store);
    }
  }
}

function pairOf(entry: readonly [DsValue, DsValue]): readonly [DsValue, DsValue] {
  if (typeof entry !== "object" || entry === null || entry.length !== 2) unsupported("an entry is a pair of key and value");
  return entry;
}

function writeMap(writer: ByteWriter, entries: readonly (readonly [DsValue, DsValue])[], legacy: boolean): void {
  const { length } = entries;
  writer.word(length);
  let i = 0;
  /** None before the entry is known to have any. */
  let part = "";
  try {
    if (legacy) {
      for (const half of [0, 1])
        for (i = 0; i < length; i++) {
          part = "";
          const entry = pairOf(entries[i]);
          part = half ? "[1]" : "[0]";
          writer.value(entry[half]);
        }
      return;
    }
    for (; i < length; i++) {
      part = "";
      const entry = pairOf(entries[i]);
      part = "[0]";
      writer.value(entry[0]);
      part = "[1]";
      writer.value(entry[1]);
    }
  } catch (error) {
    throw fromInside(error, `.entries[${i}]${part}`);
  }
}
