// A reader written straight from formats/ds.md, without windows, tape or kernel: what the codec is compared with. It knows generations 2
// and 3 and both layouts of generation 1 and gives the same values, codes and places.
import { DS_NESTED_LIST, DS_NESTED_MAP, DS_STRUCT, type DsKind, type DsStructure, type DsValue } from "./public.ts";

export class PlainError extends Error {
  readonly code: string;
  readonly offset: number;
  constructor(code: string, offset: number) {
    super(`${code} at ${offset}`);
    this.code = code;
    this.offset = offset;
  }
}

const KINDS: DsKind[] = ["stack", "queue", "list", "map", "priority", "grid"];

export function plainRead(text: string, layout: "compact" | "legacy" = "compact", maxDepth = 512): DsStructure {
  if (text === "") throw new PlainError("empty", 0);
  const bad = text.search(/[^0-9a-fA-F]/);
  if (bad >= 0) throw new PlainError("bad-hex", bad);
  if (text.length % 2 === 1) throw new PlainError("odd-length", text.length - 1);
  const bytes = Buffer.from(text, "hex");
  let at = 0;
  let legacy = false;
  let generation = 3;

  const left = () => bytes.length - at;
  const fail = (code: string, place: number): never => {
    throw new PlainError(code, place * 2);
  };
  const word = (place = at) => {
    if (left() < 4) fail("truncated", place);
    at += 4;
    return bytes.readUInt32LE(at - 4);
  };
  const eight = () => {
    if (left() < 8) fail("truncated", at);
    at += 8;
    return bytes.readBigUInt64LE(at - 8);
  };
  const string = (): DsValue => {
    const place = at;
    const size = word();
    if (size > left()) fail("truncated", place);
    at += size;
    return plainString(bytes.subarray(at - size, at));
  };
  const length = (): number => {
    const place = at;
    const count = word();
    if (count > Math.floor(left() / 4)) fail("count", place);
    return count;
  };
  const values = (count: number, depth: number) => Array.from({ length: count }, () => value(depth));

  const legacyValue = (): DsValue => {
    const start = at;
    if (left() < 16) fail("truncated", start);
    const type = word();
    const bits = eight();
    if (type === 1) return string();
    if (type !== 0) fail("unknown-type", start);
    if (word() !== 0) fail("count", at - 4);
    return real(bits);
  };
  const value = (depth = 0): DsValue => {
    if (legacy) return legacyValue();
    const start = at;
    const type = word();
    if (generation === 1 && type > 1) fail("unknown-type", start);
    switch (type) {
      case 0:
        return real(eight());
      case 1:
        return string();
      case 2: {
        if (depth === maxDepth) fail("depth", start);
        if (generation === 3) return values(length(), depth + 1);
        const rows = length();
        if (rows === 1) return values(length(), depth + 1);
        return { type: "rows", rows: Array.from({ length: rows }, () => values(length(), depth + 1)) };
      }
      case 3:
        return { type: "pointer", address: eight() };
      case 5:
        return undefined;
      case 6:
        return DS_STRUCT;
      case 7:
        return { type: "int32", value: word() | 0 };
      case 10:
        return BigInt.asIntN(64, eight());
      case 13:
        return (eight() & 0x7fffffffffffffffn) !== 0n;
      case 0x40000000:
        return DS_NESTED_LIST;
      case 0x80000000:
        return DS_NESTED_MAP;
    }
    return fail("unknown-type", start);
  };

  const magic = word();
  const kind = KINDS[Math.floor(magic / 100) - 1];
  generation = magic % 100;
  if (!kind || generation < 1 || generation > 3) fail("bad-magic", 0);
  legacy = generation === 1 && layout === "legacy";
  const counts = Array.from({ length: kind === "queue" ? 3 : kind === "grid" ? 2 : 1 }, () => word());
  const [first, second, third] = counts;
  if (kind === "grid" && second === 0 && first > 65536) fail("count", 4);
  if (kind === "queue" && (second > first || first > third)) fail("count", 4);
  const claimed = kind === "queue" ? third : kind === "grid" ? first * second : kind === "map" || kind === "priority" ? first * 2 : first;
  if (claimed > left() / (legacy ? 16 : 4)) fail("count", kind === "queue" ? 12 : 4);
  const all = values(claimed, 0);
  if (left() > 0) fail("trailing", at);

  const form = { generation: generation as 1 | 2 | 3, ...(legacy && { legacy: true }) };
  const pair = <T>(make: (a: DsValue, b: DsValue) => T, split: boolean) =>
    Array.from({ length: first }, (_, i) => (split ? make(all[i], all[first + i]) : make(all[i * 2], all[i * 2 + 1])));
  switch (kind) {
    case "map":
      return { kind, ...form, entries: pair((key, value): [DsValue, DsValue] => [key, value], legacy) };
    case "priority":
      return { kind, ...form, items: pair((priority, value) => ({ priority, value }), true) };
    case "grid":
      return {
        kind,
        ...form,
        width: first,
        height: second,
        columns: Array.from({ length: first }, (_, x) => all.slice(x * second, (x + 1) * second)),
      };
    case "queue":
      if (second === 0 && first === third) return { kind, ...form, items: all };
      return { kind, ...form, items: all.slice(second, first), head: second, tail: first, slots: all };
    default:
      return { kind, ...form, items: all };
  }
}

function real(bits: bigint): DsValue {
  const view = new DataView(new ArrayBuffer(8));
  view.setBigUint64(0, bits);
  const value = view.getFloat64(0);
  return Number.isNaN(value) && bits !== 0x7ff8000000000000n ? { type: "nan", bits } : value;
}

function plainString(bytes: Buffer): DsValue {
  const text = bytes.toString("utf8");
  if (Buffer.from(text, "utf8").equals(bytes)) return text;
  const cesu = [...bytes.toString("latin1").matchAll(/[\0-\x7f]|[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}/gs)].map(([match]) => {
    const [a, b, c] = Buffer.from(match, "latin1");
    return String.fromCharCode(
      match.length === 1 ? a : match.length === 2 ? ((a & 31) << 6) | (b & 63) : ((a & 15) << 12) | ((b & 63) << 6) | (c & 63),
    );
  });
  const units = cesu.join("");
  return !/\p{Cs}/u.test(units) && plainCesu(units).equals(bytes)
    ? { type: "string", text: units, encoding: "cesu8" }
    : { type: "bytes", bytes: Uint8Array.from(bytes) };
}

function plainCesu(text: string): Buffer {
  const bytes: number[] = [];
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0x80) bytes.push(unit);
    else if (unit < 0x800) bytes.push(0xc0 | (unit >> 6), 0x80 | (unit & 63));
    else bytes.push(0xe0 | (unit >> 12), 0x80 | ((unit >> 6) & 63), 0x80 | (unit & 63));
  }
  return Buffer.from(bytes);
}
