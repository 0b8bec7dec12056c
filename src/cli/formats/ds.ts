// ds_*_write strings.
import { detectDs } from "../../ds/detect.ts";
import {
  DS_NESTED_LIST,
  DS_NESTED_MAP,
  DS_STRUCT,
  type DsList,
  type DsMark,
  type DsStructure,
  openNested,
  readDs,
  writeDsBytes,
} from "../../ds/index.ts";
import { mapValues } from "../../ds/map-values.ts";
import { ENTRY_KEYS } from "../keyed-items.ts";
import type { SaveFormat } from "./format.ts";
import { beginningText, splitTrailingSpace, withTrailingSpace } from "./text-file.ts";

const MARKS: readonly DsMark[] = [DS_STRUCT, DS_NESTED_LIST, DS_NESTED_MAP];

/** Members of structures and of exact values; those that hold values are not among them. */
const PLAIN_MEMBERS = new Set(["kind", "generation", "legacy", "width", "height", "head", "tail", "type"]);

/** So many strings that begin like ds strings are tried: each that is none takes the time of an error. */
const MOST_TRIES = 1000;

function isOpened(text: string): boolean {
  const list: DsList = { kind: "list", items: [text] };
  return openNested(list).items[0] !== text;
}

export const ds: SaveFormat = {
  name: "ds",
  title: "ds_*_write string",
  binary: false,
  family: "ds",
  headNames: ["after"],
  /** `$mark`: a type code without payload. Everything else is plain data. */
  vocabulary: {
    leaf: (value) => (MARKS.includes(value as DsMark) ? ["mark", (value as DsMark).type] : undefined),
    makeLeaf: (tag, content) => (tag === "mark" ? MARKS.find((mark) => mark.type === content) : undefined),
    // Items of priority queues have a value, too, and no type.
    isPlainMember: (name, struct) => PLAIN_MEMBERS.has(name) || (name === "value" && Object.hasOwn(struct, "type")),
  },
  detect: (bytes) => detectDs(beginningText(bytes)) !== undefined,
  read(bytes) {
    const { content, after } = splitTrailingSpace(bytes);
    return { value: readDs(content, { bools: "exact" }), head: { after } };
  },
  write: (save) => withTrailingSpace(writeDsBytes(save.value as DsStructure), save.head.after),
  describe(save) {
    // JSON may hold anything.
    const { kind, generation, legacy } = (save.value ?? {}) as Partial<DsStructure>;
    return kind === undefined ? "no structure" : `${kind} of generation ${generation ?? 3}${legacy ? " with legacy values" : ""}`;
  },
  openNested: (value) => openNested(value as DsStructure),
  holdsNested(value) {
    if (typeof value === "string") return isOpened(value);
    let found = false;
    let tries = 0;
    mapValues(value as DsStructure, false, (item) => {
      if (!found && typeof item === "string" && detectDs(item) && tries++ < MOST_TRIES) found = isOpened(item);
      return item;
    });
    return found;
  },
  hint({ code, offset }, _settings, bytes) {
    if (code !== "bad-hex" || !bytes) return undefined;
    const behind = /^[ \t]*\r?\n\s*(.*)/.exec(beginningText(bytes.subarray(offset)))?.[1];
    return behind && detectDs(behind) ? "the next line is another ds string: give each alone" : undefined;
  },
  /** Native runtimes write a map in the order of a hash table (formats/ds.md §7). */
  itemKeys: (struct, member) => (member === "entries" && (struct as Partial<DsStructure>).kind === "map" ? ENTRY_KEYS : undefined),
};
