// The codecs of the format itself in pure JavaScript: the strong opponent and the plain one.
import { createPlainJs } from "../codecs/plain-js.mjs";
import { createStrongJs } from "../codecs/strong-js.mjs";

/** @typedef {import("./candidates.mjs").Candidate} Candidate */

/** @type {Candidate[]} */
export const elephantCodecs = [
  {
    name: "strong-js",
    loses: "nothing",
    create: ({ constructors, typedArrays }) => {
      const codec = createStrongJs({ constructors, typedArrays });
      return { ...codec, duplicate: (value) => codec.decode(codec.encode(value)) };
    },
  },
  {
    name: "strong-js, no identity",
    loses: "sharing",
    fidelity: { sharing: false },
    operations: ["encode"],
    create: ({ constructors, typedArrays }) => createStrongJs({ constructors, typedArrays, identity: false }),
  },
  {
    name: "plain-js",
    loses: "typed arrays (come back as arrays)",
    fidelity: { typedArrays: false },
    create: ({ constructors }) => createPlainJs({ constructors }),
  },
];
