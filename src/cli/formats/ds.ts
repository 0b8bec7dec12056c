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
import { TuskError } from "../../errors.ts";
import { ENTRY_KEYS } from "../keyed-items.ts";
import { dsLoss, dsMembers } from "./ds-members.ts";
import { refuseLongNested } from "./ds-nested-size.ts";
import type { SaveFormat } from "./format.ts";
import { beginningText, splitTrailingSpace, withTrailingSpace } from "./text-file.ts";

const MARKS: readonly DsMark[] = [DS_STRUCT, DS_NESTED_LIST, DS_NESTED_MAP];

/** Members of structures and of exact values; those that hold values are not among them. */
const PLAIN_MEMBERS = new Set(["kind", "generation", "legacy", "width", "height", "head", "tail", "type"]);

/** So many strings that begin like ds strings are tried: each that is none takes the time of an error. */
const MOST_TRIES = 1000;

/** Digits that may be a ds string's: its header at the least. No letter or digit is before them, but that of a line end or tab in JSON. */
const DIGITS = /(?<=^|[^0-9A-Za-z]|\\[nrt])[0-9A-F]{16,}/gi;

/** Digits of the longest header (a queue's) and the type of the first value. */
const LONGEST_START = 40;
/** Of fewer digits that are cut off it is not known what they would be. */
const LEAST_CUT = 1000;

/** Do these digits begin as a ds string does? It may be damaged further on, or be `cut` off by whoever asks. */
function beginsAsDs(digits: string, cut: boolean): boolean {
  if (!detectDs(digits)) return false;
  try {
    readDs(digits.slice(0, digits.length & ~1));
    return true;
  } catch (error) {
    if (!(error instanceof TuskError) || error.offset === undefined) throw error;
    return error.offset >= LONGEST_START || (cut && digits.length >= LEAST_CUT);
  }
}

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
    isLeafTag: (tag) => tag === "mark",
    // Items of priority queues have a value, too, and no type.
    isPlainMember: (name, struct) => PLAIN_MEMBERS.has(name) || (name === "value" && Object.hasOwn(struct, "type")),
    membersOf: dsMembers,
    lossOf: dsLoss,
  },
  detect: (bytes) => detectDs(beginningText(bytes)) !== undefined,
  read(bytes) {
    const { content, after } = splitTrailingSpace(bytes);
    return { value: readDs(content, { bools: "exact" }), head: { after } };
  },
  write(save) {
    refuseLongNested(save.value, ds.vocabulary);
    return withTrailingSpace(writeDsBytes(save.value as DsStructure), save.head.after);
  },
  describe(save) {
    // JSON may hold anything.
    const { kind, generation, legacy } = (save.value ?? {}) as Partial<DsStructure>;
    return kind === undefined ? "no structure" : `${kind} of generation ${generation ?? 3}${legacy ? " with legacy values" : ""}`;
  },
  findIn(text, isCut) {
    for (const { 0: digits, index } of text.matchAll(DIGITS))
      if (beginsAsDs(digits, isCut && index + digits.length === text.length)) return index;
    return undefined;
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
