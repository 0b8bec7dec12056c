// Export strings, base64(zlib(binary)): the strong codec's bytes through each deflate, against Tusk's own exportString.
import { deflateSync } from "node:zlib";
import { zlibSync } from "fflate";
import { deflate } from "pako";
import { createStrongJs } from "../codecs/strong-js.mjs";

const base64 = (bytes) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64");

function exporter(name, compress) {
  return {
    name: `strong-js + ${name}`,
    loses: "nothing",
    operations: ["export"],
    create({ constructors }) {
      const codec = createStrongJs({ constructors });
      return { exportString: (value) => base64(compress(codec.encode(value))) };
    },
  };
}

/** All at level 6, zlib's default. @type {import("./candidates.mjs").Candidate[]} */
export const exportStrings = [
  exporter("node:zlib", (bytes) => deflateSync(bytes, { level: 6 })),
  exporter("pako", (bytes) => deflate(bytes, { level: 6 })),
  exporter("fflate", (bytes) => zlibSync(bytes, { level: 6 })),
];
