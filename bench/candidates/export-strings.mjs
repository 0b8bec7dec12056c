// Export strings, base64(zlib(binary)): the strong codec's bytes through each deflate, against Tusk's own exportString and importString.
import { fromBase64, toBase64 } from "./base64.mjs";

function exporter(name, nodeOnly, loadZlib) {
  return {
    name: `strong-js + ${name}`,
    loses: "nothing",
    nodeOnly,
    operations: ["export", "import"],
    async load() {
      const { deflate, inflate } = await loadZlib();
      const { createStrongJs } = await import("../codecs/strong-js.mjs");
      return ({ constructors, typedArrays }) => {
        const codec = createStrongJs({ constructors, typedArrays });
        return {
          exportString: (value) => toBase64(deflate(codec.encode(value))),
          importString: (text) => codec.decode(inflate(fromBase64(text))),
        };
      };
    },
  };
}

/** All at level 6, zlib's default. @type {import("./candidates.mjs").Candidate[]} */
export const exportStrings = [
  exporter("node:zlib", true, async () => {
    const { deflateSync, inflateSync } = await import("node:zlib");
    return { deflate: (bytes) => deflateSync(bytes, { level: 6 }), inflate: inflateSync };
  }),
  exporter("pako", false, async () => {
    const { deflate, inflate } = await import("pako");
    return { deflate: (bytes) => deflate(bytes, { level: 6 }), inflate };
  }),
  exporter("fflate", false, async () => {
    const { unzlibSync, zlibSync } = await import("fflate");
    return { deflate: (bytes) => zlibSync(bytes, { level: 6 }), inflate: (bytes) => unzlibSync(bytes) };
  }),
];
