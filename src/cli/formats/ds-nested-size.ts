// How long the texts of structures inside of structures become: each level doubles them, so that a short JSON could ask for gigabytes.
import { constants } from "node:buffer";
import { KINDS } from "../../ds/layout.ts";
import { TuskError } from "../../errors.ts";
import { isContainer, type Vocabulary } from "../notation/vocabulary.ts";

/** Characters of all such texts. Of one alone a string can hold no more. */
const MOST_NESTED = constants.MAX_STRING_LENGTH;

/** Bytes of a type code, of that with a length, and with a number. */
const TYPE = 4;
const BEGINNING = 8;
const NUMBER = 12;

interface Size {
  readonly bytes: number;
  /** Those of them that are texts of structures. */
  readonly nested: number;
}

/** Bytes of what is no container, where it is an item of an array. Of members the names of kinds and types stand for what is stored instead. */
function leafBytes(value: unknown, isItem: boolean): number {
  if (typeof value === "string" || value instanceof Uint8Array) return value.length + (isItem ? BEGINNING : 0);
  if (!isItem) return 0;
  return value === undefined || typeof value === "object" ? TYPE : NUMBER;
}

function childrenOf(container: object): readonly unknown[] {
  return Array.isArray(container) ? container : Object.values(container);
}

function isStructure(container: object): boolean {
  return KINDS.includes((container as { kind?: (typeof KINDS)[number] }).kind!);
}

/** So many containers are looked at without keeping which: those of a file, mostly, which has no structures inside. */
const MOST_LOOKED_AT = 1 << 24;

/** May there be structures inside? What holds itself has any number of containers. */
function mayHaveNested(root: object, vocabulary: Vocabulary): boolean {
  const open = [root];
  for (let seen = 1; open.length > 0; ) {
    for (const child of childrenOf(open.pop()!)) {
      if (!isContainer(child, vocabulary)) continue;
      if (++seen > MOST_LOOKED_AT || isStructure(child)) return true;
      open.push(child);
    }
  }
  return false;
}

/** Refuses a structure with structures inside whose texts would be too long: error `too-long`. It may be anything, as JSON may; the writer tells. */
export function refuseLongNested(root: unknown, vocabulary: Vocabulary): void {
  if (!isContainer(root, vocabulary) || !mayHaveNested(root, vocabulary)) return;
  const begun = new Set<object>();
  /** Of a container that holds itself, which the writer refuses, there is none yet when it is asked for. */
  const sizes = new Map<unknown, Size>();
  const open: object[] = [root];
  while (open.length > 0) {
    const container = open[open.length - 1];
    if (sizes.has(container)) {
      open.pop();
      continue;
    }
    const children = childrenOf(container);
    if (!begun.has(container)) {
      begun.add(container);
      for (const child of children) if (isContainer(child, vocabulary) && !begun.has(child)) open.push(child);
      continue;
    }
    let bytes = 0;
    let nested = 0;
    for (const child of children) {
      const size = sizes.get(child);
      bytes += size ? size.bytes : leafBytes(child, Array.isArray(container));
      nested += size ? size.nested : 0;
    }
    if (container !== root && isStructure(container)) nested = bytes = BEGINNING + 2 * bytes;
    if (nested > MOST_NESTED)
      throw new TuskError("tusk", "too-long", "the texts of structures inside of structures would have more than 512 million characters");
    sizes.set(container, { bytes, nested });
  }
}
