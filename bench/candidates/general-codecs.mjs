// General codecs on the same object graph. What each loses is stated and left out of its check, nothing else.

const CLASSES = { classes: false };
const TREE = { classes: false, sharing: false };

function msgpackr(name, options, rest) {
  return {
    name,
    async load() {
      const { Packr } = await import("msgpackr");
      return () => {
        const packr = new Packr(options);
        return {
          encode: (value) => packr.pack(value),
          decode: (bytes) => packr.unpack(bytes),
          ...(options.structuredClone ? { duplicate: (value) => packr.unpack(packr.pack(value)) } : {}),
        };
      };
    },
    ...rest,
  };
}

/** @type {import("./candidates.mjs").Candidate[]} */
export const generalCodecs = [
  {
    // From and to a string: spared the UTF-8 of a file, which all others do.
    name: "JSON",
    loses: "classes, sharing, undefined (members vanish, elements become null)",
    fidelity: { ...TREE, undefinedMembers: false, undefinedAsNull: true },
    load: async () => () => ({
      encode: (value) => JSON.stringify(value),
      decode: (text) => JSON.parse(text),
      duplicate: (value) => JSON.parse(JSON.stringify(value)),
    }),
  },
  {
    name: "v8.serialize",
    loses: "classes (typed arrays are views of the input, not copies)",
    fidelity: CLASSES,
    nodeOnly: true,
    async load() {
      const v8 = await import("node:v8");
      return () => ({
        encode: (value) => v8.serialize(value),
        decode: (bytes) => v8.deserialize(bytes),
        duplicate: (value) => v8.deserialize(v8.serialize(value)),
      });
    },
  },
  {
    name: "structuredClone",
    loses: "classes",
    fidelity: CLASSES,
    operations: ["duplicate"],
    load: async () => () => ({ duplicate: (value) => structuredClone(value) }),
  },
  msgpackr("msgpackr records", { useRecords: true, moreTypes: true }, { loses: "classes, sharing", fidelity: TREE }),
  msgpackr("msgpackr plain", { useRecords: false, moreTypes: true }, { loses: "classes, sharing", fidelity: TREE }),
  msgpackr("msgpackr structuredClone", { useRecords: true, structuredClone: true }, { loses: "classes", fidelity: CLASSES }),
  {
    name: "cbor-x",
    loses: "classes, sharing (typed arrays are views of the input, not copies)",
    fidelity: TREE,
    async load() {
      const { Encoder } = await import("cbor-x");
      return () => {
        const encoder = new Encoder({ useRecords: true });
        return { encode: (value) => encoder.encode(value), decode: (bytes) => encoder.decode(bytes) };
      };
    },
  },
  {
    name: "@msgpack/msgpack",
    loses: "classes, sharing, undefined (becomes null; typed arrays are views of the input, not copies)",
    fidelity: { ...TREE, undefinedAsNull: true },
    async load() {
      const { Decoder, Encoder } = await import("@msgpack/msgpack");
      return () => {
        const encoder = new Encoder();
        const decoder = new Decoder();
        return { encode: (value) => encoder.encode(value), decode: (bytes) => decoder.decode(bytes) };
      };
    },
  },
];
