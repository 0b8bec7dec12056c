// The vectors of test/vectors/ds and their notation (README.md there).
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { DS_NESTED_LIST, DS_NESTED_MAP, DS_STRUCT, type DsKind, type DsStructure, type DsValue } from "../../src/ds/index.ts";

const folder = new URL("../vectors/ds/", import.meta.url);

export type NotedValue =
  | { t: "real"; v: number | "nan" | "inf" | "-inf" | "-0"; bits?: string }
  | { t: "string"; v: string; enc?: "cesu8"; bytes?: undefined }
  | { t: "string"; bytes: string }
  | { t: "array"; v: NotedValue[] }
  | { t: "array2"; v: NotedValue[][] }
  | { t: "undefined" }
  | { t: "bool"; v: boolean }
  | { t: "int32"; v: number }
  | { t: "int64"; v: string }
  | { t: "ptr"; v: string }
  | { t: "struct" }
  | { t: "nested"; v: "map" | "list" };

interface NotedStructure {
  items?: NotedValue[] | { priority: NotedValue; value: NotedValue }[];
  entries?: [NotedValue, NotedValue][];
  first?: number;
  last?: number;
  slots?: NotedValue[];
  width?: number;
  height?: number;
  columns?: NotedValue[][];
}

export interface Vector {
  id: string;
  file: string;
  result: "ok" | "error";
  kind: DsKind;
  magic: number;
  generation: "x03" | "x02" | "x01" | "legacy";
  also_parses_as?: string[];
  value?: NotedStructure;
  rule?: string;
  reencode?: "exact" | "canonical";
  errors?: string[];
  at?: number;
}

export const vectors: Vector[] = JSON.parse(readFileSync(new URL("manifest.json", folder), "utf8")).cases;

export function textOf(vector: Vector): string {
  const bytes = readFileSync(new URL(vector.file, folder));
  return (vector.file.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString("utf8");
}

const REALS = { nan: Number.NaN, inf: Number.POSITIVE_INFINITY, "-inf": Number.NEGATIVE_INFINITY, "-0": -0 };

function valueFrom(noted: NotedValue): DsValue {
  switch (noted.t) {
    case "real":
      if (noted.bits) return { type: "nan", bits: BigInt(`0x${noted.bits}`) };
      return typeof noted.v === "number" ? noted.v : REALS[noted.v];
    case "string":
      if (noted.bytes !== undefined) return { type: "bytes", bytes: Uint8Array.from(Buffer.from(noted.bytes, "hex")) };
      return noted.enc ? { type: "string", text: noted.v, encoding: noted.enc } : noted.v;
    case "array":
      return noted.v.map(valueFrom);
    case "array2":
      return { type: "rows", rows: noted.v.map((row) => row.map(valueFrom)) };
    case "undefined":
      return undefined;
    case "bool":
      return noted.v;
    case "int32":
      return { type: "int32", value: noted.v };
    case "int64":
      return BigInt(noted.v);
    case "ptr":
      return { type: "pointer", address: BigInt(`0x${noted.v}`) };
    case "struct":
      return DS_STRUCT;
    case "nested":
      return noted.v === "map" ? DS_NESTED_MAP : DS_NESTED_LIST;
  }
}

/** What the vector says that its string means. */
export function structureOf(vector: Vector): DsStructure {
  const form =
    vector.generation === "legacy" ? { generation: 1 as const, legacy: true } : { generation: Number(vector.generation[2]) as 1 | 2 | 3 };
  return { ...form, ...(vector.value ? shapeOf(vector.kind, vector.value) : largeStructure(vector.id)) };
}

function shapeOf(kind: DsKind, noted: NotedStructure): DsStructure {
  switch (kind) {
    case "map":
      return { kind, entries: noted.entries!.map(([key, value]) => [valueFrom(key), valueFrom(value)]) };
    case "priority":
      return {
        kind,
        items: (noted.items as { priority: NotedValue; value: NotedValue }[]).map(({ priority, value }) => ({
          priority: valueFrom(priority),
          value: valueFrom(value),
        })),
      };
    case "grid":
      return { kind, width: noted.width!, height: noted.height!, columns: noted.columns!.map((column) => column.map(valueFrom)) };
    case "queue": {
      const items = (noted.items as NotedValue[]).map(valueFrom);
      return noted.slots ? { kind, items, head: noted.first, tail: noted.last, slots: noted.slots.map(valueFrom) } : { kind, items };
    }
    default:
      return { kind, items: (noted.items as NotedValue[]).map(valueFrom) };
  }
}

/** The rules of the large vectors, which the manifest states in words. */
function largeStructure(id: string): DsStructure {
  const count = <T>(length: number, item: (i: number) => T) => Array.from({ length }, (_, i) => item(i));
  switch (id) {
    case "map-x03-large-100k":
      return {
        kind: "map",
        entries: count(100_000, (i) => [i.toString(36), i % 4 === 0 ? i * 0.25 : i % 4 === 2 ? `v${i.toString(36)}` : undefined]),
      };
    case "list-x03-large-100k":
      return { kind: "list", items: count(100_000, (i) => i / 8) };
    case "grid-x03-large":
      return {
        kind: "grid",
        width: 256,
        height: 200,
        columns: count(256, (x) => count(200, (y) => ((x + y) % 7 === 0 ? `k${x},${y}` : x * 1000 + y))),
      };
    case "queue-x03-large-20k":
      return { kind: "queue", items: count(20_000, (i) => (i % 3 === 0 ? i % 2 === 0 : i)) };
    case "priority-x03-large-2k":
      return { kind: "priority", items: count(2000, (i) => ({ priority: Math.floor(i / 2), value: `v${i}` })) };
  }
  throw new Error(`no rule for ${id}`);
}
