// Golden vectors on disk (vectors/elephant/README.md): manifests and data files, large ones gzipped.

import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import type { ConstructorNotation, Notation, TraceEntry } from "./notation.ts";

const ROOT = fileURLToPath(new URL("../vectors/elephant/", import.meta.url));

/** One entry of a manifest; the README of the vectors explains each field. */
export interface Vector {
  set: string;
  name: string;
  elephant: string;
  op: "binary" | "prefixes" | "exportString" | "toJson" | "fromJson" | "duplicate";
  dirs: ("write" | "read")[];
  exercises: string;
  kind?: "quirk" | "policy";
  options?: { diffsOnly?: boolean; forceVerbose?: boolean };
  ctors?: Record<string, ConstructorNotation>;
  readCtors?: Record<string, ConstructorNotation>;
  value?: Notation;
  file?: string;
  bytes?: number;
  sha256?: string;
  readValue?: Notation;
  reencode?: boolean;
  writeTrace?: TraceEntry[];
  readTrace?: TraceEntry[];
  trace?: TraceEntry[];
  error?: { on: "write" | "read"; category: string };
  orValue?: boolean;
  stopsAt?: number;
  json?: Notation;
  jsonFile?: string;
  exportString?: string;
  result?: Notation;
  valueAfter?: Notation;
  generator?: Record<string, unknown>;
  valueSha256?: string;
}

function readDataFile(path: string): Uint8Array {
  return existsSync(path) ? readFileSync(path) : gunzipSync(readFileSync(path + ".gz"));
}

/** Every set, in the order of the folder names. */
export function loadVectorSets(): { set: string; vectors: Vector[] }[] {
  const sets: { set: string; vectors: Vector[] }[] = [];
  for (const entry of readdirSync(ROOT, { withFileTypes: true })) {
    if (!entry.isDirectory()) continue;
    const manifest = JSON.parse(Buffer.from(readDataFile(`${ROOT}${entry.name}/manifest.json`)).toString("utf8")) as { vectors: Vector[] };
    sets.push({ set: entry.name, vectors: manifest.vectors.map((vector) => ({ ...vector, set: entry.name })) });
  }
  return sets;
}

/** The binary file of a vector, checked against its length and hash, as a plain Uint8Array on a buffer of its own. */
export function vectorBytes(vector: Vector): Uint8Array {
  const bytes = Uint8Array.from(readDataFile(`${ROOT}${vector.set}/${vector.file}`));
  if (vector.bytes !== undefined && bytes.length !== vector.bytes)
    throw new Error(`${vector.set}/${vector.file} has ${bytes.length} bytes`);
  if (vector.sha256 !== undefined && sha256(bytes) !== vector.sha256) throw new Error(`${vector.set}/${vector.file} has changed`);
  return bytes;
}

export function vectorText(vector: Vector, file: string): string {
  return Buffer.from(readDataFile(`${ROOT}${vector.set}/${file}`)).toString("utf8");
}

/** Generated inputs by their hash: every engine of a test file runs on the same ones, which nothing changes. */
const generated = new Map<string, Pick<Vector, "ctors" | "value">>();

/** Constructors and input value; those of the large set come from generator.mjs and are checked against their hash. */
export async function vectorInput(vector: Vector): Promise<Vector> {
  if (!vector.generator) return vector;
  const known = generated.get(vector.valueSha256!);
  if (known) return { ...vector, ...known };
  const { generate } = (await import(`${ROOT}${vector.set}/generator.mjs`)) as {
    generate(parameters: object): Pick<Vector, "ctors" | "value">;
  };
  const { ctors, value } = generate(vector.generator);
  if (sha256(JSON.stringify({ ctors, value })) !== vector.valueSha256)
    throw new Error(`generator.mjs made something else for ${vector.name}`);
  generated.set(vector.valueSha256!, { ctors, value });
  return { ...vector, ctors, value };
}

function sha256(data: Uint8Array | string): string {
  return createHash("sha256").update(data).digest("hex");
}
