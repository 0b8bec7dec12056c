// The codecs of the format itself in pure JavaScript: the strong opponent and the plain one.

/** @typedef {import("./candidates.mjs").Candidate} Candidate */

/** @type {Candidate[]} */
export const elephantCodecs = [
  {
    name: "strong-js",
    loses: "nothing",
    async load() {
      const { createStrongJs } = await import("../codecs/strong-js.mjs");
      return ({ constructors, typedArrays }) => {
        const codec = createStrongJs({ constructors, typedArrays });
        return { ...codec, duplicate: (value) => codec.decode(codec.encode(value)) };
      };
    },
  },
  {
    name: "strong-js, no identity",
    loses: "sharing",
    fidelity: { sharing: false },
    operations: ["encode"],
    async load() {
      const { createStrongJs } = await import("../codecs/strong-js.mjs");
      return ({ constructors, typedArrays }) => createStrongJs({ constructors, typedArrays, identity: false });
    },
  },
  {
    name: "plain-js",
    loses: "typed arrays (come back as arrays)",
    fidelity: { typedArrays: false },
    async load() {
      const { createPlainJs } = await import("../codecs/plain-js.mjs");
      return ({ constructors }) => createPlainJs({ constructors });
    },
  },
];
