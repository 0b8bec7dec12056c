// Tusk itself, from its build: each engine, and with code generation refused as a strict page policy does.

/** Registers the benchmark's classes in Tusk's way: the schema is a static member of the class. */
function tuskConstructors(tusk, constructors) {
  return Object.fromEntries(
    Object.entries(constructors).map(([name, { class: Class, schema }]) => {
      if (schema !== undefined) Object.defineProperty(Class, tusk.SCHEMA, { value: schema, configurable: true });
      return [name, Class];
    }),
  );
}

function tusk(name, engine, codeGeneration) {
  return {
    name,
    loses: "nothing",
    async load() {
      const module = await import("../../dist/elephant.mjs");
      return ({ constructors, typedArrays }) => {
        const elephant = module.createElephantSync({ constructors: tuskConstructors(module, constructors), engine, codeGeneration });
        if (elephant.engine !== engine) throw new Error(`engine ${engine} is not available`);
        const options = typedArrays ? { typedArrays: true } : undefined;
        return {
          encode: (value) => elephant.write(value),
          decode: (bytes) => elephant.read(bytes, options),
          duplicate: (value) => elephant.duplicate(value),
          exportString: (value) => elephant.exportString(value),
          importString: (text) => elephant.importString(text, options),
        };
      };
    },
  };
}

/** @type {import("./candidates.mjs").Candidate[]} */
export const tuskCandidates = [
  tusk("tusk", "wasm", true),
  tusk("tusk js engine", "js", true),
  tusk("tusk, no code generation", "wasm", false),
];
