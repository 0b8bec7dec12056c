// Compiles a tree of values to a function that allocates it anew: object literals and loops over typed arrays, nothing is parsed and
// nothing decided. The time it takes is the engine's for the allocation alone, the floor of every decoder.
//
// Each place of the tree (a member of a shape, the elements of an array) becomes a column over all its rows. Where a place holds values of several kinds,
// or structs of several shapes, or of one that others hold, too, two columns say what each row is, and which row of its own kind. Those of graphs (`shared`)
// hold one kind each; references to instances further up are a place's numbers, too.

const CHUNK = 1 << 16;
/** Arrays shorter than this are literals; longer ones are copied from a template of their kind and filled. */
const LITERAL = 8;

const isInteger = (v) => typeof v === "number" && (v | 0) === v && !Object.is(v, -0);
const isScalar = (v) => typeof v !== "object" && typeof v !== "bigint" && typeof v !== "function";

/** Structs of one prototype with the same names, wherever in a tree they are. */
class Shape {
  /** In the order in which they are met. */
  structs = [];
  /** Name of the function that makes one of them, given its row; once there is one. */
  maker = "";
}

/** All shapes of a tree. */
class Shapes {
  #byNames = new Map();
  #ofStruct = new Map();
  #rows = new Map();

  constructor(root) {
    const left = [root];
    while (left.length > 0) {
      const value = left.pop();
      if (isScalar(value) || ArrayBuffer.isView(value)) continue;
      if (!Array.isArray(value)) this.#add(value);
      for (const inner of Object.values(value).reverse()) left.push(inner);
    }
  }

  #add(struct) {
    if (this.#rows.has(struct)) throw new Error("measured where nothing is shared");
    const prototype = Object.getPrototypeOf(struct);
    if (!this.#byNames.has(prototype)) this.#byNames.set(prototype, new Map());
    const shapes = this.#byNames.get(prototype);
    const names = JSON.stringify(Object.keys(struct));
    if (!shapes.has(names)) shapes.set(names, new Shape());
    const shape = shapes.get(names);
    this.#ofStruct.set(struct, shape);
    this.#rows.set(struct, shape.structs.push(struct) - 1);
  }

  of(struct) {
    return this.#ofStruct.get(struct);
  }

  rowOf(struct) {
    return this.#rows.get(struct);
  }
}

/** Different strings of the tree in the order of their first use, and how to make them all from text. */
class StringTable {
  #ids = new Map();

  idOf(text) {
    let id = this.#ids.get(text);
    if (id === undefined) this.#ids.set(text, (id = this.#ids.size));
    return id;
  }

  /** A function that makes the whole table: blobs of at most 64 KB are decoded and cut, as the fastest decoders do. */
  maker() {
    const all = [...this.#ids.keys()];
    const chunks = [];
    for (const wide of [false, true]) {
      let chunk;
      all.forEach((text, id) => {
        // biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII is what is asked for
        if (wide === /^[\x00-\x7f]*$/.test(text)) return;
        if (chunk === undefined || chunk.text.length + text.length > CHUNK) chunks.push((chunk = { wide, text: "", ids: [], ends: [] }));
        chunk.text += text;
        chunk.ids.push(id);
        chunk.ends.push(chunk.text.length);
      });
    }
    const sources = chunks.map(({ wide, text, ids, ends }) => ({
      decode: wide ? wideDecoder(text) : asciiDecoder(text),
      ids: Int32Array.from(ids),
      ends: Int32Array.from(ends),
    }));
    return () => {
      const table = new Array(all.length).fill("");
      for (const { decode, ids, ends } of sources) {
        const text = decode();
        for (let i = 0, at = 0; i < ids.length; i++) {
          table[ids[i]] = text.slice(at, ends[i]);
          at = ends[i];
        }
      }
      return table;
    };
  }
}

/** A typed array's copy, in memory that is not cleared first where the platform has such. */
function copyOfView(view) {
  if (globalThis.Buffer?.allocUnsafeSlow === undefined) return view.slice();
  const { buffer } = globalThis.Buffer.allocUnsafeSlow(view.byteLength);
  const copy = new view.constructor(buffer);
  copy.set(view);
  return copy;
}

function asciiDecoder(text) {
  const bytes = Uint8Array.from(text, (c) => c.charCodeAt(0));
  if (globalThis.Buffer !== undefined) {
    const buffer = Buffer.from(bytes.buffer);
    return () => buffer.latin1Slice(0, buffer.length);
  }
  const decoder = new TextDecoder("latin1");
  return () => decoder.decode(bytes);
}

function wideDecoder(text) {
  const units = Uint16Array.from({ length: text.length }, (_, i) => text.charCodeAt(i));
  if (globalThis.Buffer !== undefined) {
    const buffer = Buffer.from(units.buffer);
    return () => buffer.ucs2Slice(0, buffer.length);
  }
  const decoder = new TextDecoder("utf-16le", { ignoreBOM: true });
  return () => decoder.decode(units);
}

/**
 * @param {unknown} value a tree, with references to instances further up if `shared`
 * @param {boolean} freshStrings strings are made anew on every call; else they are references to strings that exist
 * @param {boolean} [shared]
 * @returns {() => unknown}
 */
export function compileGraph(value, freshStrings, shared = false) {
  const strings = new StringTable();
  /** Instances by number, place by place. */
  const numbers = new Map();
  const columns = [];
  const functions = [];
  /** Of the functions, those that a place chooses from. */
  const tables = [];
  const shapes = shared ? undefined : new Shapes(value);

  const constant = (data) => `c${columns.push(data) - 1}`;

  /** An expression for the value in the row that `row` (an expression) names. */
  function column(values) {
    const first = values[0];
    if (values.every(isInteger))
      return (
        (c) => (row) =>
          `${c}[${row}]`
      )(constant(Int32Array.from(values)));
    if (values.every((v) => typeof v === "number"))
      return (
        (c) => (row) =>
          `${c}[${row}]`
      )(constant(Float64Array.from(values)));
    if (values.every((v) => typeof v === "boolean"))
      return (
        (c) => (row) =>
          `${c}[${row}] === 1`
      )(constant(Uint8Array.from(values)));
    if (values.every((v) => typeof v === "string"))
      return (
        (c) => (row) =>
          `strings[${c}[${row}]]`
      )(constant(Int32Array.from(values, (v) => strings.idOf(v))));
    if (values.every(isScalar)) return scalars(values);
    if (values.some((v) => numbers.has(v))) return references(values);
    if (values.every(Array.isArray)) return arrays(values);
    if (values.every(ArrayBuffer.isView))
      return (
        (c) => (row) =>
          `COPY(${c}[${row}])`
      )(constant(values));
    if (shared) {
      if (values.every((v) => sameShape(v, first))) return structs(values, first);
      throw new Error("measured where every place of a graph holds one kind of value");
    }
    const shape = shapes.of(first);
    if (shape?.structs.length === values.length && values.every((v) => shapes.of(v) === shape)) return structs(values, first);
    return kinds(values);
  }

  /** Values of several kinds: by row its kind, and its row there. */
  function kinds(values) {
    const kindOf = (v) => (isScalar(v) ? "scalar" : Array.isArray(v) ? "array" : ArrayBuffer.isView(v) ? "view" : shapes.of(v));
    const groups = new Map();
    const rows = new Int32Array(values.length);
    const groupOf = Uint16Array.from(values, (value, i) => {
      const kind = kindOf(value);
      if (!groups.has(kind)) groups.set(kind, { number: groups.size, kind, values: [] });
      const group = groups.get(kind);
      const row = group.values.push(value) - 1;
      rows[i] = kind instanceof Shape ? shapes.rowOf(value) : row;
      return group.number;
    });
    const all = [...groups.values()].map(({ kind, values }) =>
      kind instanceof Shape ? makerOf(kind) : functionOf(() => column(values)("i")),
    );
    const at = constant(rows);
    if (all.length === 1) return (row) => `${all[0]}(${at}[${row}])`;
    const which = constant(groupOf);
    const makers = `makers${tables.push(all) - 1}`;
    return (row) => `${makers}[${which}[${row}]](${at}[${row}])`;
  }

  /** Name of a function of a row, the next of all functions; what it returns is made when it has its name. */
  function functionOf(expression) {
    const at = functions.push("") - 1;
    functions[at] = `function make${at}(i) { return ${expression()}; }`;
    return `make${at}`;
  }

  function makerOf(shape) {
    if (shape.maker === "") {
      shape.maker = `make${functions.length}`;
      functionOf(() => structs(shape.structs, shape.structs[0])("i"));
    }
    return shape.maker;
  }

  function sameShape(a, b) {
    if (isScalar(a) || Array.isArray(a) || ArrayBuffer.isView(a) || Object.getPrototypeOf(a) !== Object.getPrototypeOf(b)) return false;
    const [one, other] = [Object.keys(a), Object.keys(b)];
    return one.length === other.length && one.every((name, i) => name === other[i]);
  }

  /** Scalars of several kinds: one byte says which. */
  function scalars(values) {
    const kindOf = (v) => (isInteger(v) ? 0 : typeof v === "number" ? 1 : typeof v === "string" ? 2 : v === undefined ? 3 : v ? 4 : 5);
    const kinds = constant(Uint8Array.from(values, kindOf));
    const present = new Set(values.map(kindOf));
    const numbers = present.has(0) || present.has(1) ? constant(Float64Array.from(values, (v) => (typeof v === "number" ? v : 0))) : "";
    const texts = present.has(2) ? constant(Int32Array.from(values, (v) => (typeof v === "string" ? strings.idOf(v) : 0))) : "";
    const forms = [
      (row) => `${numbers}[${row}] | 0`,
      (row) => `${numbers}[${row}]`,
      (row) => `strings[${texts}[${row}]]`,
      () => "undefined",
      () => "true",
      () => "false",
    ];
    const order = [...present];
    return (row) =>
      `(${order.map((kind, i) => (i === order.length - 1 ? forms[kind](row) : `${kinds}[${row}] === ${kind} ? ${forms[kind](row)} : `)).join("")})`;
  }

  function references(values) {
    if (!values.every((v) => v === undefined || numbers.has(v))) throw new Error("measured where every place holds one kind of value");
    const targets = constant(Int32Array.from(values, (v) => (v === undefined ? -1 : numbers.get(v))));
    return (row) => `(${targets}[${row}] < 0 ? undefined : INSTANCES[${targets}[${row}]])`;
  }

  function structs(values, first) {
    const names = Object.keys(first);
    const prototype = Object.getPrototypeOf(first);
    const base = numbers.size;
    if (shared && prototype !== Object.prototype) for (const v of values) numbers.set(v, numbers.size);
    const members = names.map((name) => [JSON.stringify(name), column(values.map((v) => v[name]))]);
    if (prototype === Object.prototype)
      return (row) => `{ ${members.map(([name, at]) => `${name === '"__proto__"' ? '["__proto__"]' : name}: ${at(row)}`).join(", ")} }`;
    const Class = constant(first.constructor);
    const make = `make${functions.length}`;
    functions.push(
      `function ${make}(i) { const o = new ${Class}(); ${shared ? `INSTANCES[${base} + i] = o; ` : ""}${members.map(([name, at]) => `o[${name}] = ${at("i")};`).join(" ")} return o; }`,
    );
    return (row) => `${make}(${row})`;
  }

  function arrays(values) {
    const starts = new Int32Array(values.length + 1);
    values.forEach((list, i) => {
      starts[i + 1] = starts[i] + list.length;
    });
    const from = constant(starts);
    const flat = values.flat(1);
    const numeric = flat.length > 0 && flat.every((v) => typeof v === "number");
    let literal;
    let fill;
    if (numeric) {
      // Arrays of integers and arrays of doubles have representations of their own, and so does the result.
      const numbers = constant(Float64Array.from(flat));
      const fractions = constant(Uint8Array.from(values, (list) => (list.every(isInteger) ? 0 : 1)));
      const integers = constant(Int32Array.from(flat));
      literal = (at) => `${integers}[${at}]`;
      fill = `if (${fractions}[i] === 1) { const list = DOUBLES.slice(0, n); for (let k = 0; k < n; k++) list[k] = ${numbers}[from + k]; return list; }
      ${cases(literal)}
      const list = INTEGERS.slice(0, n); for (let k = 0; k < n; k++) list[k] = ${integers}[from + k]; return list;`;
    } else {
      literal = flat.length > 0 ? column(flat) : () => "undefined";
      fill = `${cases(literal)}
      const list = OBJECTS.slice(0, n); for (let k = 0; k < n; k++) list[k] = ${literal("(from + k)")}; return list;`;
    }
    const make = `make${functions.length}`;
    functions.push(`function ${make}(i) { const from = ${from}[i], n = ${from}[i + 1] - from;\n      ${fill}\n    }`);
    const longest = values.reduce((most, list) => Math.max(most, list.length), 0);

    function cases(element) {
      const literals = Array.from({ length: Math.min(LITERAL, 1 + values.reduce((m, list) => Math.max(m, list.length), 0)) }, (_, n) => {
        const elements = Array.from({ length: n }, (_, k) => element(`from + ${k}`));
        return `case ${n}: return [${elements.join(", ")}];`;
      });
      return `switch (n) { ${literals.join(" ")} }`;
    }
    if (longest > 65534) throw new Error("longer than the format's arrays");
    return (row) => `${make}(${row})`;
  }

  const root = column([value]);
  const make = strings.maker();
  const build = new Function(
    "INTEGERS",
    "DOUBLES",
    "OBJECTS",
    "INSTANCES",
    "COPY",
    "COLUMNS",
    `"use strict"; let strings = [];
    ${columns.map((_, i) => `const c${i} = COLUMNS[${i}];`).join("\n    ")}
    ${functions.join("\n    ")}
    ${tables.map((makers, i) => `const makers${i} = [${makers.join(", ")}];`).join("\n    ")}
    return (table) => { strings = table; const value = ${root("0")}; strings = []; INSTANCES.fill(undefined); return value; };`,
  )(
    Array.from({ length: 65534 }, () => 0),
    Array.from({ length: 65534 }, () => 0.5),
    Array.from({ length: 65534 }, () => undefined),
    Array.from(numbers, () => undefined),
    copyOfView,
    columns,
  );
  if (freshStrings) return () => build(make());
  const table = make();
  return () => build(table);
}
