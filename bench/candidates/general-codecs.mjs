// General codecs on the same object graph. What each loses is stated and left out of its check, nothing else.
import v8 from "node:v8";
import { decode as msgpackDecode, encode as msgpackEncode } from "@msgpack/msgpack";
import { Encoder as CborEncoder } from "cbor-x";
import { Packr } from "msgpackr";

const CLASSES = { classes: false };
const TREE = { classes: false, sharing: false };

/** @type {import("./candidates.mjs").Candidate[]} */
export const generalCodecs = [
  {
    name: "JSON",
    loses: "classes, sharing, undefined (members vanish, elements become null)",
    fidelity: { ...TREE, undefinedMembers: false, undefinedAsNull: true },
    create: () => ({
      encode: (value) => JSON.stringify(value),
      decode: (text) => JSON.parse(text),
      duplicate: (value) => JSON.parse(JSON.stringify(value)),
    }),
  },
  {
    name: "v8.serialize",
    loses: "classes",
    fidelity: CLASSES,
    create: () => ({
      encode: (value) => v8.serialize(value),
      decode: (bytes) => v8.deserialize(bytes),
      duplicate: (value) => v8.deserialize(v8.serialize(value)),
    }),
  },
  {
    name: "structuredClone",
    loses: "classes",
    fidelity: CLASSES,
    operations: ["duplicate"],
    create: () => ({ duplicate: (value) => structuredClone(value) }),
  },
  {
    name: "msgpackr records",
    loses: "classes, sharing",
    fidelity: TREE,
    create() {
      const packr = new Packr({ useRecords: true, moreTypes: true });
      return { encode: (value) => packr.pack(value), decode: (bytes) => packr.unpack(bytes) };
    },
  },
  {
    name: "msgpackr plain",
    loses: "classes, sharing",
    fidelity: TREE,
    create() {
      const packr = new Packr({ useRecords: false, moreTypes: true });
      return { encode: (value) => packr.pack(value), decode: (bytes) => packr.unpack(bytes) };
    },
  },
  {
    name: "msgpackr structuredClone",
    loses: "classes",
    fidelity: CLASSES,
    create() {
      const packr = new Packr({ useRecords: true, structuredClone: true });
      return {
        encode: (value) => packr.pack(value),
        decode: (bytes) => packr.unpack(bytes),
        duplicate: (value) => packr.unpack(packr.pack(value)),
      };
    },
  },
  {
    name: "cbor-x",
    loses: "classes, sharing",
    fidelity: TREE,
    create() {
      const encoder = new CborEncoder({ useRecords: true });
      return { encode: (value) => encoder.encode(value), decode: (bytes) => encoder.decode(bytes) };
    },
  },
  {
    name: "@msgpack/msgpack",
    loses: "classes, sharing, undefined (becomes null)",
    fidelity: { ...TREE, undefinedAsNull: true },
    create: () => ({ encode: (value) => msgpackEncode(value), decode: (bytes) => msgpackDecode(bytes) }),
  },
];
