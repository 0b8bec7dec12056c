// Saves for the tests of the program.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createElephantSync, StructInstance } from "../../src/elephant/index.ts";
import { scratchFolder } from "../node/scratch.ts";

/** A fifth of the levels of deep graphs: far more than any stack holds, 100,000 levels in the long run. */
export const FIFTH = process.env.TUSK_LONG === "1" ? 20_000 : 6000;

export const codec = createElephantSync({ constructors: { Hero: { v1: { name: "string", hp: "u16", bag: "array" } } } });
export const generic = createElephantSync({ unknownConstructor: "generic" });
export const SCHEMAS = JSON.stringify({ Hero: { v1: { name: "string", hp: "u16", bag: "array" } } });

export function hero(name: string, hp: number): StructInstance {
  return new StructInstance("Hero", { name, hp, bag: [1, 2] });
}

/** A folder with a save with a strict constructor, its schemas, and a plain save. */
export function files(): { folder: string; strict: string; schemas: string; plain: string } {
  const folder = scratchFolder();
  const put = (name: string, content: Uint8Array | string) => {
    writeFileSync(join(folder, name), content);
    return join(folder, name);
  };
  const strict = put("strict.dat", codec.write({ heroes: [hero("Ada", 10), hero("Bea", 20)] }));
  const plain = put("plain.dat", generic.write({ a: 1, list: [1, "two", { three: 3n }], "odd name": undefined }));
  return { folder, strict, schemas: put("schemas.json", SCHEMAS), plain };
}
