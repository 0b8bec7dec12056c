// What no codec can beat: copying the bytes, and allocating the same graph from columns that hold its values already.
import { compileGraph } from "./graph-factory.mjs";

function allocation(name, loses, freshStrings) {
  return {
    name,
    loses,
    floor: true,
    operations: ["decode"],
    load:
      async () =>
      ({ value, shared }) => ({ decode: compileGraph(value, freshStrings, shared) }),
  };
}

/** @type {import("./candidates.mjs").Candidate[]} */
export const floors = [
  {
    name: "floor: memcpy",
    loses: "everything: a copy of the file",
    floor: true,
    unchecked: true,
    async load() {
      const { createStrongJs } = await import("../codecs/strong-js.mjs");
      return ({ constructors, typedArrays, value }) => {
        const bytes = createStrongJs({ constructors, typedArrays }).encode(value);
        return { encode: () => bytes.slice(), decode: () => bytes.slice() };
      };
    },
  },
  allocation("floor: allocation", "parses nothing; strings are there already", false),
  allocation("floor: allocation, fresh strings", "parses nothing; each different string is made once, from one text", true),
];
