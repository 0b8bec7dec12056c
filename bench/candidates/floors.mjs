// What no codec can beat: copying the bytes, and allocating the same graph from columns that hold its values already.
import { createStrongJs } from "../codecs/strong-js.mjs";

/** Literal factory and columns for arrays of one shape; nested structs become factories of their own. */
function shapeColumns(rows) {
  const names = Object.keys(rows[0]);
  const columns = names.map((name) => column(rows.map((row) => row[name])));
  const literal = names.map((name, k) => `${JSON.stringify(name)}: c${k}(i)`).join(", ");
  const Class = rows[0].constructor;
  if (Class === Object) return new Function(...names.map((_, k) => `c${k}`), `return (i) => ({ ${literal} })`)(...columns);
  const assigns = names.map((name, k) => `o[${JSON.stringify(name)}] = c${k}(i);`).join(" ");
  return new Function("Class", ...names.map((_, k) => `c${k}`), `return (i) => { const o = new Class(); ${assigns} return o; }`)(
    Class,
    ...columns,
  );
}

/** A function from row to value over typed arrays where the values allow it. */
function column(values) {
  const reader = (name, data) => new Function("data", `return function ${name}(i) { return data[i]; }`)(data);
  if (values.every((v) => typeof v === "number")) {
    return reader("numbers", values.every((v) => (v | 0) === v && !Object.is(v, -0)) ? Int32Array.from(values) : Float64Array.from(values));
  }
  if (values.every(Array.isArray)) return new Function("data", "return (i) => data[i].slice()")(values);
  if (values.every((v) => typeof v === "object" && v !== null)) return shapeColumns(values);
  return reader("values", values);
}

function rowsOf(value) {
  if (!Array.isArray(value.entities)) throw new Error("measured on arrays of one shape only");
  return value.entities;
}

/** @type {import("./candidates.mjs").Candidate[]} */
export const floors = [
  {
    name: "floor: memcpy",
    loses: "everything",
    floor: true,
    create({ constructors, typedArrays, value }) {
      const codec = createStrongJs({ constructors, typedArrays });
      const bytes = codec.encode(value);
      return { encode: () => bytes.slice(), decode: () => bytes.slice() };
    },
  },
  {
    name: "floor: allocation",
    loses: "strings and arrays of numbers are taken ready-made",
    floor: true,
    operations: ["decode"],
    create({ value }) {
      const rows = rowsOf(value);
      const make = shapeColumns(rows);
      return {
        encode: () => null,
        decode() {
          const entities = [];
          for (let i = 0; i < rows.length; i++) entities.push(make(i));
          return { ...value, entities };
        },
      };
    },
  },
];
