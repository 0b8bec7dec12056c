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

/** `engine`: asked for; undefined leaves the choice to the package, as programs do, which has to be WebAssembly here. */
function tusk(name, engine, codeGeneration) {
  return {
    name,
    loses: "nothing",
    async load() {
      const module = await import("../../dist/elephant.mjs");
      return ({ constructors, typedArrays }) => {
        const elephant = module.createElephantSync({ constructors: tuskConstructors(module, constructors), engine, codeGeneration });
        const options = typedArrays ? { typedArrays: true } : undefined;
        return {
          /** Before anything is timed: throws where another engine than this is at work. */
          check() {
            if (elephant.engine !== (engine ?? "wasm")) throw new Error(`engine ${engine ?? "wasm"} is not available`);
          },
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
  tusk("tusk", undefined, true),
  tusk("tusk js engine", "js", true),
  tusk("tusk, no code generation", undefined, false),
];
