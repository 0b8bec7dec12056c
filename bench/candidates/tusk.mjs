// Tusk itself, from its build: each engine, and with code generation refused as a strict page policy does.
import { existsSync } from "node:fs";

const entry = new URL("../../dist/elephant.mjs", import.meta.url);
export const tuskIsBuilt = existsSync(entry);

/** Registers the benchmark's classes in Tusk's way: the schema is a static member of the class. */
function tuskConstructors(tusk, constructors) {
  return Object.fromEntries(
    Object.entries(constructors).map(([name, { class: Class, schema }]) => {
      if (schema !== undefined) Object.defineProperty(Class, tusk.SCHEMA, { value: schema, configurable: true });
      return [name, Class];
    }),
  );
}

function codec(tusk, engine, { constructors, typedArrays }, codeGeneration = true) {
  const elephant = tusk.createElephantSync({ constructors: tuskConstructors(tusk, constructors), engine, codeGeneration });
  if (elephant.engine !== engine) throw new Error(`engine ${engine} is not available`);
  return {
    encode: (value) => elephant.write(value),
    decode: (bytes) => elephant.read(bytes, typedArrays ? { typedArrays: true } : undefined),
    duplicate: (value) => elephant.duplicate(value),
    exportString: (value) => elephant.exportString(value),
  };
}

/** @type {import("./candidates.mjs").Candidate[]} */
export const tuskCandidates = !tuskIsBuilt
  ? []
  : [
      { name: "tusk", loses: "nothing", create: async (corpus) => codec(await import(entry.href), "wasm", corpus) },
      { name: "tusk js engine", loses: "nothing", create: async (corpus) => codec(await import(`${entry.href}?js`), "js", corpus) },
      {
        name: "tusk, no code generation",
        loses: "nothing",
        create: async (corpus) => codec(await import(`${entry.href}?no-code-generation`), "wasm", corpus, false),
      },
    ];
