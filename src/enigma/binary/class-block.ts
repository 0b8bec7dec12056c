// Class blocks: one for each class of the object's chain, found without a schema by looking ahead (formats/enigma.md §2.2, §2.3).
import { fail } from "../failure.ts";
import type { EnigmaText } from "../model.ts";
import { keyOf, nameOf, textOf } from "../text.ts";
import * as LEAD from "./leads.ts";
import type { Payload } from "./payload.ts";
import { getU64 } from "./u64.ts";

/** A symbol: 8 bytes of length and 8 of offset; the name may be empty. */
const LEAST_SYMBOL = 16;

/** A table and where its values lie; the values are not interpreted here. */
export interface ClassBlock {
  /** Names in the order of the table. */
  names: EnigmaText[];
  /** For each position in the data area, the index into `names`. */
  order: number[];
  /** Absolute offset of each value, in data order, and the end of the last one. */
  bounds: number[];
  /** First byte of the data area. */
  data: number;
}

/** Does a bare `BB` end here, that is, is what follows something else than a symbol table? */
function isBare(payload: Payload): boolean {
  const { at, end, bytes } = payload;
  const next = bytes[at];
  if (at === end || next === LEAD.classBlock || next === LEAD.basic || next === LEAD.backgrounds) return true;
  if (end - at < 8) fail("truncated", "the data ends inside the symbol count of a class", at);
  let zero = true;
  for (let i = 0; zero && i < 8; i++) zero = bytes[at + i] === 0;
  return zero || (at + 8 < end && bytes[at + 8] === LEAD.basic);
}

/** Reads one block; null for a class without variables. */
export function readClassBlock(payload: Payload): ClassBlock | null {
  payload.lead(LEAD.classBlock, "a class block");
  if (isBare(payload)) return null;
  const count = payload.count(LEAST_SYMBOL, "the symbol count of a class");
  const names: EnigmaText[] = [];
  const offsets: { offset: number; place: number; index: number }[] = [];
  const seen = new Set<string>();
  for (let index = 0; index < count; index++) {
    const place = payload.at;
    const length = payload.count(1, "the length of a variable's name");
    const at = payload.take(length, "a variable's name");
    const name = textOf(payload.bytes, at, at + length);
    const key = keyOf(name);
    if (seen.has(key)) fail("bad-table", `the variable ${JSON.stringify(nameOf(name))} is in the symbol table twice`, place);
    seen.add(key);
    names.push(name);
    const field = payload.take(8, "a variable's offset");
    offsets.push({ offset: getU64(payload.view, field), place: field, index });
  }
  const size = payload.count(1, "the size of a class's data");
  const data = payload.take(size, "a class's data");
  for (const { offset, place } of offsets) if (offset > size) fail("bad-table", `a variable at offset ${offset} of ${size} bytes`, place);
  offsets.sort((a, b) => a.offset - b.offset || a.index - b.index);
  return {
    names,
    order: offsets.map(({ index }) => index),
    bounds: [...offsets.map(({ offset }) => data + offset), data + size],
    data,
  };
}
