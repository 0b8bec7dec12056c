// Elephant's golden vectors as values for the JavaScript codecs: their large saves are corpora, all others check the codecs.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { gunzipSync } from "node:zlib";
import { FLAG } from "./codecs/elephant-format.mjs";

const here = dirname(fileURLToPath(import.meta.url));
/** Where the vectors are; ELEPHANT_VECTORS names another folder. */
export const vectorFolder = process.env.ELEPHANT_VECTORS ?? join(here, "../test/vectors/elephant");

/** Bytes of a vector file, which may be stored compressed. */
export function readVectorFile(set, file) {
  const path = join(vectorFolder, set, file);
  if (existsSync(path)) return new Uint8Array(readFileSync(path));
  return new Uint8Array(gunzipSync(readFileSync(`${path}.gz`)));
}

export function readManifest(set) {
  return JSON.parse(Buffer.from(readVectorFile(set, "manifest.json")).toString("utf8")).vectors;
}

export function vectorSets() {
  return existsSync(vectorFolder) ? readdirSync(vectorFolder).filter((f) => !f.includes(".")) : [];
}

/** A default as JavaScript source, so that a vector's class costs what a hand-written one does. */
function defaultSource(v) {
  if (v === null) return "undefined";
  if (typeof v !== "object") return JSON.stringify(v);
  if ("$f64" in v) return `Buffer.from("${v.$f64}", "hex").readDoubleBE()`;
  if ("$s32" in v) return String(v.$s32);
  if ("$i64" in v) return `${v.$i64}n`;
  if ("$arr" in v && v.repeat === undefined) return `[${(v.v ?? []).map(defaultSource).join(", ")}]`;
  if ("$obj" in v && v.gen === undefined)
    return `{ ${(v.v ?? []).map(([name, x]) => `[${JSON.stringify(name)}]: ${defaultSource(x)}`).join(", ")} }`;
  return `readValue(${JSON.stringify(v)}, constructors, new Map())`;
}

/** Classes of a vector's constructors, in the form the codecs of the benchmark take. */
export function buildConstructors(ctors = {}) {
  const constructors = {};
  for (const [name, definition] of Object.entries(ctors)) {
    const fields = (definition.defaults ?? []).map(([member, value]) => `[${JSON.stringify(member)}] = ${defaultSource(value)};`);
    const Class = new Function("readValue", "constructors", `return class { ${fields.join(" ")} };`)(readValue, constructors);
    constructors[name] = { class: Class, ...(definition.schema === undefined ? {} : { schema: buildSchema(definition.schema) }) };
  }
  return constructors;
}

function buildSchema({ force, exclude, versions = [] }) {
  const schema = {};
  if (force !== undefined) schema.__Elephant_Force_Version__ = force;
  if (exclude !== undefined) schema.__Elephant_Verbose_Exclude__ = exclude;
  for (const [key, { fields, verbose, verboseAt = 0 }] of versions) {
    const entries = fields.map(([name, type]) => [name, type]);
    if (verbose !== undefined) entries.splice(verboseAt, 0, [FLAG, verbose]);
    schema[key] = Object.fromEntries(entries);
  }
  return schema;
}

/** A value in the vectors' notation (vectors README). int32-typed values become plain numbers. */
export function readValue(v, constructors, known) {
  if (v === null) return undefined;
  if (typeof v !== "object") return v;
  if ("$f64" in v) return Buffer.from(v.$f64, "hex").readDoubleBE();
  if ("$s32" in v) return v.$s32;
  if ("$i64" in v) return BigInt(v.$i64);
  if ("$fn" in v) return () => {};
  if ("$ref" in v) return known.get(v.$ref);
  if ("$arr" in v) {
    const list = [];
    known.set(v.$arr, list);
    if (v.repeat) for (let i = 0; i < v.repeat[0]; i++) list.push(readValue(v.repeat[1], constructors, known));
    for (const x of v.v ?? []) list.push(readValue(x, constructors, known));
    return list;
  }
  const o = "$new" in v ? Object.create(constructors[v.c].class.prototype) : {};
  known.set("$new" in v ? v.$new : v.$obj, o);
  if (v.gen) for (let i = 0; i < v.gen.count; i++) o[v.gen.prefix + i] = readValue(v.gen.value, constructors, known);
  for (const [name, x] of v.v ?? [])
    Object.defineProperty(o, name, { value: readValue(x, constructors, known), writable: true, enumerable: true, configurable: true });
  return o;
}

/** The large saves: name, value, constructors and the bytes Elephant wrote. Empty where the vectors are not present. */
export async function largeSaves() {
  const generator = join(vectorFolder, "large/generator.mjs");
  if (!existsSync(generator)) return [];
  const { generate } = await import(pathToFileURL(generator).href);
  return readManifest("large")
    .filter((v) => v.options?.diffsOnly !== true)
    .map((v) => ({
      name: `save-${v.name}`,
      bytes: v.bytes,
      load() {
        const { ctors, value } = generate(v.generator);
        const constructors = buildConstructors(ctors);
        return { constructors, value: readValue(value, constructors, new Map()), elephant: readVectorFile("large", v.file) };
      },
    }));
}
