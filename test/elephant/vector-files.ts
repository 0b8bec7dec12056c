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
  ctors?: Record<string, ConstructorNotation> | undefined;
  readCtors?: Record<string, ConstructorNotation>;
  value?: Notation | undefined;
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

/** What was loaded: all engines and files of a process have the same, which nothing changes. */
let sets: { set: string; vectors: Vector[] }[] | undefined;
const files = new Map<string, Uint8Array>();

/** Every set, in the order of the folder names. */
export function loadVectorSets(): { set: string; vectors: Vector[] }[] {
  if (sets) return sets;
  sets = [];
  for (const entry of readdirSync(ROOT, { withFileTypes: true })) {
    if (!entry.isDirectory()) continue;
    const manifest = JSON.parse(Buffer.from(readDataFile(`${ROOT}${entry.name}/manifest.json`)).toString("utf8")) as { vectors: Vector[] };
    sets.push({ set: entry.name, vectors: manifest.vectors.map((vector) => ({ ...vector, set: entry.name })) });
  }
  return sets;
}

/** The binary file of a vector, checked against its length and hash, as a plain Uint8Array on a buffer of its own. */
export function vectorBytes(vector: Vector): Uint8Array {
  const key = `${vector.set}/${vector.file}`;
  const known = files.get(key);
  if (known) return known;
  const bytes = Uint8Array.from(readDataFile(`${ROOT}${vector.set}/${vector.file}`));
  if (vector.bytes !== undefined && bytes.length !== vector.bytes)
    throw new Error(`${vector.set}/${vector.file} has ${bytes.length} bytes`);
  if (vector.sha256 !== undefined && sha256(bytes) !== vector.sha256) throw new Error(`${vector.set}/${vector.file} has changed`);
  files.set(key, bytes);
  return bytes;
}

export function vectorText(vector: Vector, file: string): string {
  return Buffer.from(readDataFile(`${ROOT}${vector.set}/${file}`)).toString("utf8");
}

/** Generated inputs by their hash, for every engine of a test file. As text: the collector goes through millions of objects again and again. */
const generated = new Map<string, string>();

async function generator(vector: Vector): Promise<{ generate(parameters: object): Pick<Vector, "ctors" | "value"> }> {
  return import(`${ROOT}${vector.set}/generator.mjs`);
}

/** Constructors and input value; those of the large set come from generator.mjs and are checked against their hash. */
export async function vectorInput(vector: Vector): Promise<Vector> {
  if (!vector.generator) return vector;
  const known = generated.get(vector.valueSha256!);
  if (known) return { ...vector, ...(JSON.parse(known) as Pick<Vector, "ctors" | "value">) };
  const { ctors, value } = (await generator(vector)).generate(vector.generator);
  const text = JSON.stringify({ ctors, value });
  if (sha256(text) !== vector.valueSha256) throw new Error(`generator.mjs made something else for ${vector.name}`);
  generated.set(vector.valueSha256!, text);
  return { ...vector, ctors, value };
}

/** The constructors alone. Those that are generated depend on neither the seed nor the size. */
export async function vectorConstructors(vector: Vector): Promise<Vector["ctors"]> {
  if (!vector.generator) return vector.ctors;
  const small = {
    regions: 1,
    mapSize: 1,
    entities: 1,
    maxItems: 0,
    quests: 0,
    flags: 0,
    log: 0,
    width: 1,
    height: 1,
    layers: 1,
    objects: 0,
  };
  return (await generator(vector)).generate({ ...vector.generator, ...small }).ctors;
}

function sha256(data: Uint8Array | string): string {
  return createHash("sha256").update(data).digest("hex");
}
