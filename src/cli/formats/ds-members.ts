// The members of what ds_* strings hold: the writer looks at no others, and at some of them only beside others.
import type { DsQueue } from "../../ds/index.ts";
import type {
  DsBool,
  DsBytes,
  DsGrid,
  DsInt32,
  DsKind,
  DsList,
  DsMap,
  DsMark,
  DsNaN,
  DsPointer,
  DsPriority,
  DsRows,
  DsText,
} from "../../ds/types.ts";
import type { Members, MembersOf } from "../notation/vocabulary.ts";

const HEAD = { kind: "", generation: "", legacy: "" };
const LIST: MembersOf<DsList> = { ...HEAD, items: "value[]" };
const MAP: MembersOf<DsMap> = { ...HEAD, entries: "value[]" };
const QUEUE: MembersOf<DsQueue> = { ...LIST, head: "", tail: "", slots: "value[]" };
const PRIORITY: MembersOf<DsPriority> = { ...HEAD, items: "item[]" };
const GRID: MembersOf<DsGrid> = { ...HEAD, width: "", height: "", columns: "value[]" };
const ITEM: MembersOf<DsPriority["items"][number]> = { priority: "value", value: "value" };

const STRUCTURES: Readonly<Record<DsKind, Members>> = { map: MAP, list: LIST, stack: LIST, queue: QUEUE, priority: PRIORITY, grid: GRID };

const TEXT: MembersOf<DsText> = { type: "", text: "", encoding: "" };
const BYTES: MembersOf<DsBytes> = { type: "", bytes: "" };
const ROWS: MembersOf<DsRows> = { type: "", rows: "value[]" };
const INT32: MembersOf<DsInt32> = { type: "", value: "" };
const POINTER: MembersOf<DsPointer> = { type: "", address: "" };
const BITS: MembersOf<DsNaN | DsBool> = { type: "", bits: "" };
const MARK: MembersOf<DsMark> = { type: "" };

const VALUES: Readonly<Record<string, Members>> = {
  string: TEXT,
  bytes: BYTES,
  rows: ROWS,
  int32: INT32,
  pointer: POINTER,
  nan: BITS,
  bool: BITS,
  struct: MARK,
  "nested-list": MARK,
  "nested-map": MARK,
};

function named(tables: Readonly<Record<string, Members>>, name: unknown): Members | undefined {
  return typeof name === "string" && Object.hasOwn(tables, name) ? tables[name] : undefined;
}

/** As the writer tells them: a structure has a `kind`, whatever its type. */
export function dsMembers({ kind, type }: Readonly<Record<string, unknown>>, place: string): Members | undefined {
  return place === "item" ? ITEM : (named(STRUCTURES, kind) ?? named(VALUES, type));
}

/** The writer takes null for a member that is missing, and `legacy` for one of generation 1; of a queue's contents it takes `items`. */
export function dsLoss(struct: Readonly<Record<string, unknown>>, place: string): string | undefined {
  if (place === "item" || !named(STRUCTURES, struct.kind)) return undefined;
  for (const name of ["generation", "head", "tail"]) if (struct[name] === null) return `"${name}" is a number, or is left out`;
  const { legacy, generation } = struct;
  if (legacy !== undefined && typeof legacy !== "boolean") return '"legacy" is true or false';
  if (legacy && generation !== 1) return 'values are "legacy" in "generation" 1 alone';
  return struct.kind === "queue" ? slotsLoss(struct as unknown as DsQueue) : undefined;
}

/** Values of a queue's contents that are compared; what is left then is taken for the same. */
const MOST_COMPARED = 1 << 20;

/** Are the values the same, apart from their sharing? `budget`: how many may still be compared. */
function isSame(item: unknown, slot: unknown, budget: { left: number }): boolean {
  const open = [[item, slot]];
  for (let pair = open.pop(); pair && budget.left > 0; pair = open.pop()) {
    const [a, b] = pair;
    if (Object.is(a, b)) continue;
    if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
    if (Array.isArray(a) !== Array.isArray(b)) return false;
    const left = Object.entries(a);
    const right = new Map(Object.entries(b));
    if (left.length !== right.size) return false;
    budget.left -= left.length;
    for (const [name, value] of left) {
      if (!right.has(name)) return false;
      open.push([value, right.get(name)]);
    }
  }
  return true;
}

function slotsLoss(queue: DsQueue): string | undefined {
  const { head = 0, items, slots } = queue;
  // Sizes that are none, or do not fit together, the writer refuses.
  if (typeof head !== "number" || !Array.isArray(items) || !Array.isArray(slots)) return undefined;
  const budget = { left: MOST_COMPARED };
  const index = items.findIndex((item, i) => head + i < slots.length && !isSame(item, slots[head + i], budget));
  if (index < 0) return undefined;
  const differs = `slots[${head + index}] is another value than items[${index}]`;
  return `the contents of a queue stand in "items" and once more in "slots", but ${differs}; "items" alone is enough, without "head", "tail" and "slots"`;
}
