// tusk diff: what differs between two saves.
import { type Command, FROM_OPTION, NESTED_OPTION, type OpenedSave, SCHEMA_OPTION } from "../command.ts";
import { BAD_FILE } from "../failure.ts";
import { kindKey, type SaveFormat } from "../formats/format.ts";
import { type ItemKeys, pairsByKey, pairsByPosition } from "../keyed-items.ts";
import { LargeMap } from "../notation/large-maps.ts";
import { isContainer } from "../notation/vocabulary.ts";
import { countText, kindName, kindNames, shownKey, shownPath, shownStep, toldApart } from "../shown-text.ts";
import { firstDifference, valueText } from "../values.ts";
import { visible } from "../visible.ts";

/** A pair of values at one path. A side that is missing has no entry. */
interface Pair {
  readonly path: string;
  readonly left?: { value: unknown } | undefined;
  readonly right?: { value: unknown } | undefined;
  /** Of two arrays whose order means nothing. */
  readonly keys?: ItemKeys | undefined;
  /** Of an item of such an array that only one side has. */
  readonly key?: { readonly name: string; readonly value: unknown };
}

export interface Difference extends Pair {
  /** Said instead of the values. */
  readonly note?: string;
}

/** Two containers that are compared, or have been: formats without references store them once more wherever they occur. */
interface Comparison {
  readonly path: string;
  /** How many differences were told before them. */
  readonly before: number;
  /** Known when all that they hold has been compared. */
  differ: boolean;
}

/**
 * Where several containers of one save stand for one of the other, each is compared with it, until so many pairs of values have come of that: of an
 * array that occurs 65,534 times there may be as many others. In formats without references more, as all of their sharing is by chance.
 */
const MOST_AGAIN = 1 << 18;
const MOST_BY_CHANCE = 1 << 20;

/** What a container is; `name` is how its constructor's is shown. */
function kindText({ format }: OpenedSave, value: object, name?: string): string {
  if (Array.isArray(value)) return "array";
  const kind = format.kindOf?.(value);
  return kind ? `${name ?? kindName(kind.name)}${kind.note ? ` ${kind.note}` : ""}` : "struct";
}

/** What a struct was, and what it is. */
function kindChange(a: OpenedSave, b: OpenedSave, left: object, right: object): string {
  const old = a.format.kindOf?.(left);
  const now = b.format.kindOf?.(right);
  const [oldName, nowName] = old && now ? kindNames(old.name, now.name) : [];
  return `${kindText(a, left, oldName)} became ${kindText(b, right, nowName)}`;
}

/** Are two arrays, or two structs, of the same constructor? By the whole of its name, of which {@link kindText} may be a part. */
function sameKind(a: OpenedSave, b: OpenedSave, left: object, right: object): boolean {
  if (Array.isArray(left)) return true;
  const kindLeft = a.format.kindOf?.(left);
  const kindRight = b.format.kindOf?.(right);
  return kindLeft && kindRight ? kindKey(kindLeft) === kindKey(kindRight) : kindLeft === kindRight;
}

/** Same value of the same type? Leaves of a format compare by tag and content, and by what is written of them. One of the two may be a container. */
function sameLeaf({ format }: OpenedSave, left: unknown, right: unknown): boolean {
  const { vocabulary } = format;
  if (Object.is(left, right)) return true;
  if (left instanceof Uint8Array && right instanceof Uint8Array) return Buffer.compare(left, right) === 0;
  if (isContainer(left, vocabulary) || isContainer(right, vocabulary)) return false;
  const leaf = (value: unknown) => (typeof value === "object" && value !== null ? vocabulary.leaf?.(value) : undefined);
  const a = leaf(left);
  const b = leaf(right);
  return (a && b && a[0] === b[0] && Object.is(a[1], b[1])) || format.writesAlike?.(left, right) === true;
}

/** What only one side has of an array with `keys`: of an entry its value. */
function loneItem(path: string, item: unknown, keys: ItemKeys, side: "left" | "right"): Pair {
  const { name, valueAt } = keys;
  const key = { name, value: keys.of(item) };
  return valueAt !== undefined && Array.isArray(item)
    ? { path: shownPath(path + shownStep(valueAt)), [side]: { value: item[valueAt] }, key }
    : { path, [side]: { value: item }, key };
}

function arrayPairs(a: OpenedSave, { path, keys }: Pair, left: readonly unknown[], right: readonly unknown[]): Pair[] {
  const pairs: Pair[] = [];
  for (const [l, r] of keys ? pairsByKey(left, right, keys, a.format.vocabulary) : pairsByPosition(left, right)) {
    const itemPath = shownPath(path + shownStep((l ?? r)!));
    if (l !== undefined && r !== undefined) {
      if (!Object.is(left[l], right[r]) || typeof left[l] === "object")
        pairs.push({ path: itemPath, left: { value: left[l] }, right: { value: right[r] } });
    } else {
      const side = l === undefined ? "right" : "left";
      const item = l === undefined ? right[r!] : left[l];
      pairs.push(keys ? loneItem(itemPath, item, keys, side) : { path: itemPath, [side]: { value: item } });
    }
  }
  return pairs;
}

/** Members that hold arrays whose order means nothing to both formats are told so. */
function memberPairs(a: OpenedSave, b: OpenedSave, path: string, left: object, right: object): Pair[] {
  const l = left as Record<string, unknown>;
  const r = right as Record<string, unknown>;
  const pairs: Pair[] = [];
  const pathOf = (name: string) => shownPath(path + shownStep(name));
  for (const name of Object.keys(l)) {
    const there = Object.hasOwn(r, name);
    if (there && Object.is(l[name], r[name]) && typeof l[name] !== "object") continue;
    const keys = b.format.itemKeys?.(right, name) && a.format.itemKeys?.(left, name);
    pairs.push({ path: pathOf(name), left: { value: l[name] }, right: there ? { value: r[name] } : undefined, keys });
  }
  for (const name of Object.keys(r)) if (!Object.hasOwn(l, name)) pairs.push({ path: pathOf(name), right: { value: r[name] } });
  return pairs;
}

/** What follows the saves in their files, if it is not the same. */
function behindPair(a: OpenedSave, b: OpenedSave): Pair | undefined {
  const left = bytesBehind(a);
  const right = bytesBehind(b);
  if (Buffer.compare(left, right) === 0) return undefined;
  const side = (value: Uint8Array) => (value.length > 0 ? { value } : undefined);
  return { path: "(behind the save)", left: side(left), right: side(right) };
}

function bytesBehind({ format, save }: OpenedSave): Uint8Array {
  return format.behind?.(save.head) ?? new Uint8Array(0);
}

/** The differences in the order of the left side; graphs may be deep, shared and circular. */
export function* differences(a: OpenedSave, b: OpenedSave): Generator<Difference> {
  const partner = new LargeMap<object>();
  const taken = new LargeMap<object>();
  /** Of formats without references: by the left and the right container. */
  const compared = new Map<object, Map<object, Comparison>>();
  const shares = a.format.vocabulary.shares && b.format.vocabulary.shares;
  let again = shares ? MOST_AGAIN : MOST_BY_CHANCE;
  let count = 0;
  const told = (difference: Difference): Difference => {
    count++;
    return difference;
  };
  const open: (Pair | Comparison)[] = [{ path: "", left: { value: a.save.value }, right: { value: b.save.value } }];
  while (open.length > 0) {
    const pair = open.pop()!;
    if ("before" in pair) {
      pair.differ = count > pair.before;
      continue;
    }
    if (!pair.left || !pair.right) {
      yield told(pair);
      continue;
    }
    const left = pair.left.value;
    const right = pair.right.value;
    if (!isContainer(left, a.format.vocabulary) || !isContainer(right, b.format.vocabulary)) {
      if (!sameLeaf(a, left, right)) yield told(pair);
      continue;
    }
    /** Was one of them compared with another container? */
    let isAgain = false;
    if (shares) {
      const known = partner.get(left);
      const other = taken.get(right);
      if (known === right) continue;
      isAgain = known !== undefined || other !== undefined;
      // Where one of them is new, what it holds has been compared with nothing yet.
      const isNew = known === undefined || other === undefined;
      const isLeftOut = isAgain && isNew && again <= 0;
      if (isAgain) yield told({ ...pair, note: `refers to another place${isLeftOut ? "; what it holds is not compared" : ""}` });
      if (known === undefined) partner.set(left, right);
      if (other === undefined) taken.set(right, left);
      if (!isNew || isLeftOut) continue;
    } else {
      const others = compared.get(left) ?? new Map<object, Comparison>();
      const earlier = others.get(right);
      if (earlier) {
        if (earlier.differ) yield told({ ...pair, note: `differs as ${earlier.path || "(root)"} does` });
        continue;
      }
      isAgain = others.size > 0;
      if (isAgain && again <= 0) {
        yield told({ ...pair, note: "holds what occurs too often; it is not compared" });
        continue;
      }
      const comparison = { path: pair.path, before: count, differ: false };
      compared.set(left, others.set(right, comparison));
      // Behind all that they hold.
      open.push(comparison);
    }
    if (Array.isArray(left) !== Array.isArray(right)) {
      yield told(pair);
      continue;
    }
    if (!sameKind(a, b, left, right)) yield told({ ...pair, note: kindChange(a, b, left, right) });
    const children =
      Array.isArray(left) && Array.isArray(right) ? arrayPairs(a, pair, left, right) : memberPairs(a, b, pair.path, left, right);
    if (isAgain) again -= children.length;
    for (let i = children.length - 1; i >= 0; i--) open.push(children[i]);
  }
  const behind = behindPair(a, b);
  if (behind) yield behind;
}

/** Is one of them a text that `--nested` opens, and the other one opened? */
function isOpenedInOne(format: SaveFormat, left: unknown, right: unknown): boolean {
  const [text, other] = typeof left === "string" ? [left, right] : [right, left];
  return typeof text === "string" && typeof other === "object" && !Array.isArray(other) && format.holdsNested?.(text) === true;
}

export const diff: Command = {
  name: "diff",
  summary: "show what differs between two saves, by path",
  usage: ["[OPTIONS] OLD NEW"],
  description: [
    'Compares values, types, constructors and sharing; the order of members, of entries of ds maps and of instances of ENIGMA, the release and the bytes do not count; what follows an Elephant save in its file does, as "(behind the save)"; how introspection text is laid out (how a value is spelled, a byte order mark, how lines end) is one of its values, and does, and so is that an ENIGMA file does not ascend by ids and names ("order"). Either file may be the JSON of "tusk decode", so that a save can be compared with an edited text.',
    "Lines begin with - (only or otherwise in OLD), + (in NEW) or ~ (the kind or the sharing; the format of the files, in the first line). Of long texts and bytes the place is shown where they begin to differ. Without differences nothing is printed.",
  ],
  options: {
    most: { type: "string", short: "m", value: "N", help: "differences shown; default 100, 0 for all" },
    ...NESTED_OPTION,
    ...SCHEMA_OPTION,
    ...FROM_OPTION,
  },
  examples: ["tusk diff before.dat after.dat", "tusk diff slot1.dat slot1.json"],
  async run(call) {
    call.expectArguments(2, 2, 2);
    const most = call.number("most", 100) || Number.POSITIVE_INFINITY;
    const a = await call.nested(await call.open(call.arguments[0]));
    const b = await call.nested(await call.open(call.arguments[1]));
    call.progress.phase("comparing", a.bytes.length + b.bytes.length);
    const { style } = call;
    const text = (opened: OpenedSave, value: unknown, index: number | undefined) =>
      valueText(value, opened.format.vocabulary, (container) => kindText(opened, container), index);
    if (a.format.family !== b.format.family) {
      call.raise(BAD_FILE);
      await call.print(`${style.name("~ (format)")}: ${a.format.title} became ${b.format.title}\n`);
    }
    let count = 0;
    let isNested = false;
    for (const { path, left, right, note, key } of differences(a, b)) {
      call.raise(BAD_FILE);
      isNested ||= left !== undefined && right !== undefined && isOpenedInOne(a.format, left.value, right.value);
      if (++count > most) continue;
      const place = (path || "(root)") + (key ? ` (${key.name} ${shownKey(text(left ? a : b, key.value, undefined))})` : "");
      if (note) await call.print(`${style.name(`~ ${place}`)}: ${visible(note)}\n`);
      else {
        // Else two long texts would look the same.
        const index = left && right && firstDifference(left.value, right.value, a.format.vocabulary);
        let old = left && text(a, left.value, index);
        let now = right && text(b, right.value, index);
        if (old !== undefined && now !== undefined) [old, now] = toldApart(old, now);
        if (old !== undefined) await call.print(`${style.removed(`- ${place}: ${old}`)}\n`);
        if (now !== undefined) await call.print(`${style.added(`+ ${place}: ${now}`)}\n`);
      }
    }
    if (count > most) await call.print(`${style.dim(`… ${countText(count - most, "more difference")}`)}\n`);
    if (isNested) call.warn("some texts of one file are structures in the other; --nested opens them in both");
    return call.status;
  },
};
