// The vectors of test/vectors/enigma, read once.
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import type { EnigmaSchema } from "../../src/enigma/index.ts";

/** States and values in the manifest's notation: tests compare them whole. */
// biome-ignore lint/suspicious/noExplicitAny: what stands in them is what the tests find out
export type Json = any;

export interface Vector {
  id: string;
  file: string;
  backend: "binary" | "json";
  kind: string;
  origin: "engine" | "engine-corrected" | "engine-2022" | "mutated";
  schema: string;
  outcome: "ok" | "defect" | "error";
  defects?: string[];
  error?: string;
  roundtrip?: boolean;
  prefix?: number;
  digest?: string;
  size: number;
  gzip?: boolean;
  state?: Json;
  source?: Json;
  summary?: Json;
  samples?: Json;
}

const folder = new URL("../vectors/enigma/", import.meta.url);

interface Manifest {
  schemas: Record<string, EnigmaSchema>;
  vectors: Vector[];
  evolution: Json[];
}

export const manifest: Manifest = JSON.parse(gunzipSync(readFileSync(new URL("manifest.json.gz", folder))).toString());

const files = new Map<string, Uint8Array>();

export function fileOf(vector: Vector): Uint8Array {
  let bytes = files.get(vector.file);
  if (!bytes) {
    const stored = readFileSync(new URL(vector.file, folder));
    bytes = new Uint8Array(vector.gzip ? gunzipSync(stored) : stored);
    files.set(vector.file, bytes);
  }
  return bytes;
}

export function vectorOf(id: string): Vector {
  const vector = manifest.vectors.find((candidate) => candidate.id === id);
  if (!vector) throw new Error(`no vector is called ${id}`);
  return vector;
}

export function schemaOf(vector: Vector): EnigmaSchema {
  return manifest.schemas[vector.schema]!;
}

export const ENGINES = ["wasm", "js"] as const;
