// What is made of a kernel without SIMD: text of binaryen's (the module's, and what its wasm2js makes of it) becomes a module that makes instances.
// scripts/build-kernels.mjs runs binaryen.

const VIEW_METHODS = {
  load_i32_: "getInt32",
  load_i32_16_u: "getUint16",
  load_i32_16_s: "getInt16",
  load_f32_: "getFloat32",
  load_f64_: "getFloat64",
  store_i32_: "setInt32",
  store_i32_16_: "setInt16",
  store_f32_: "setFloat32",
  store_f64_: "setFloat64",
};

/**
 * The typed arrays of the translation cannot take unaligned addresses, which the sources mark (alignment hint 1). These accesses become calls
 * of imports, `load_i32_(offset, address)`, that {@link asFactory} makes of a DataView: one access, where wasm-opt's --alignment-lowering takes
 * a byte at a time. That pass remains for the few of 64-bit integers.
 */
export function importUnaligned(text) {
  const used = new Set();
  const body = text.replace(
    /\((i32|f32|f64)\.(load|store)(16)?(_[us])?(?: offset=(\d+))? align=1\b/g,
    (_, type, operation, bits = "", sign = "_", offset = "0") => {
      const name = `${operation}_${type}${bits && `_${bits}`}${sign}`;
      if (!(name in VIEW_METHODS)) throw new Error(`no access ${name}`);
      used.add(name);
      return `(call $${name} (i32.const ${offset})`;
    },
  );
  const imports = [...used].map((name) => {
    const type = name.split("_")[1];
    return `(import "view" "${name}" (func $${name} (param i32 i32${name.startsWith("store") ? ` ${type})` : `) (result ${type})`}))`;
  });
  return body.replace("(module", `(module ${imports.join(" ")}`);
}

function replaced(text, from, to) {
  const result = text.replace(from, to);
  if (result === text) throw new Error(`wasm2js output has a new form: it lacks ${from}`);
  return result;
}

/** wasm2js writes a singleton; the codec needs a factory, because a codec used inside its own callback gets a second instance. */
export function asFactory(source) {
  // Drop the module's tail and export the function itself.
  const tail = source.indexOf("var retasmFunc");
  if (tail < 0) throw new Error("wasm2js output has a new form: it lacks its tail");
  // Its functions for memory.copy and memory.fill stand outside and move inside, where `withOneMemory` replaces them.
  const head = source.slice(0, tail);
  const start = head.indexOf("function asmFunc(");
  const outside = head.slice(0, start).replace(/^import .*$/gm, "");
  let text = replaced(head.slice(start), "function asmFunc(imports) {", (line) => `export ${line}\n${outside}`);
  text = text.replace("asmFunc(imports)", "instantiateScalar()");
  const accessors = [...text.matchAll(/^ var (fimport\$\d+) = view\.(\w+);$/gm)].map(([, local, name]) => {
    const value = name.startsWith("store");
    const method = VIEW_METHODS[name];
    return `function ${local}(offset, address${value ? ", value" : ""}) { ${value ? "" : "return "}view.${method}(offset + address${value ? ", value" : ""}, true); }`;
  });
  text = text.replace(/^ var fimport\$\d+ = .*\n/gm, "");
  // A kernel may be without any.
  if (accessors.length > 0) text = replaced(text, /^ var view = imports\.view;$/m, accessors.join("\n"));
  if (/\bimports\b/.test(text)) throw new Error("wasm2js output has a new form: it imports something else");
  return withOneMemory(text);
}

const VIEWS = {
  HEAP8: "Int8Array",
  HEAP16: "Int16Array",
  HEAP32: "Int32Array",
  HEAPU8: "Uint8Array",
  HEAPU16: "Uint16Array",
  HEAPU32: "Uint32Array",
  HEAPF32: "Float32Array",
  HEAPF64: "Float64Array",
};

/** wasm2js makes the views over memory in two places, those that nobody uses, too, and its copying and filling take more words than these. */
function withOneMemory(source) {
  const grows = source.includes("newHEAP8");
  const copies = source.includes("function wasm2js_memory_");
  let text = source.replace(/^ *function wasm2js_memory_(?:copy|fill)\(dest[\s\S]*?\n {2}\}$/gm, "");
  const views = Object.keys(VIEWS).filter((name) => text.includes(`${name}[`) || ((grows || copies) && name === "HEAPU8"));
  const made = ["view = new DataView(buffer)", ...views.map((name) => `${name} = new ${VIEWS[name]}(buffer)`)];
  const memory = grows
    ? `var buffer, view, ${views.join(", ")};
 function useBuffer(given) { buffer = given; ${made.join("; ")}; }
 useBuffer(new ArrayBuffer($1));`
    : `var buffer = new ArrayBuffer($1), ${made.join(", ")};`;
  const copying = `
 function wasm2js_memory_copy(to, from, size) { HEAPU8.copyWithin(to, from, from + size); }
 function wasm2js_memory_fill(to, value, size) { HEAPU8.fill(value, to, to + size); }`;
  text = replaced(text, /^ var buffer = new ArrayBuffer\((\d+)\);[\s\S]*? var HEAPF64 = .*$/m, memory + (copies ? copying : ""));
  if (copies) {
    text = replaced(text, /^ *var bufferView;$/m, "");
    text = replaced(text, /^ bufferView = HEAPU8;$/m, "");
  }
  // As WebAssembly's own: -1 where the host refuses. Its addresses are signed integers here.
  if (grows)
    text = replaced(
      text,
      /^ function __wasm_memory_grow\(pagesToAdd\) \{[\s\S]*?^ \}$/m,
      ` function __wasm_memory_grow(pages) {
  var old = HEAPU8, size = old.length, made;
  try { made = new ArrayBuffer(size + pages * 65536 | 0); } catch { return -1; }
  useBuffer(made);
  HEAPU8.set(old);
  return size >> 16;
 }`,
    );
  return replaced(
    text,
    /Object\.create\(Object\.prototype, \{[\s\S]*?\}\)(?=\n \};)/,
    `{ ${grows ? "grow: __wasm_memory_grow, " : ""}get buffer() { return buffer; } }`,
  );
}

/**
 * Coercions (`x | 0`) of what is a 32-bit integer anyway: variables, which are only ever given such, and unaligned loads. What is a sum or a product
 * keeps its own, and so does what an export returns.
 */
export function withoutCoercions(source) {
  // Conversions to doubles (`+(x >>> 0)`) aside, what is unsigned is only compared.
  const unsigned = /\$\w+ = (?!\$\w+ [|&^] |[^;]*\+(?:\(|HEAPU32))(?:[^;<>=]|>>>? \d|<< \d)*(?:>>> 0|HEAPU32\[[^\]]*\])\)*;/.exec(source);
  if (unsigned) {
    console.warn(`coercions are kept, for a variable is given what may be an unsigned integer: ${unsigned[0]}`);
    return source;
  }
  const VARIABLE = String.raw`(?:global)?\$\w+`;
  return source
    .replace(new RegExp(String.raw`(fimport\$\d+\(\d+, (?:${VARIABLE}|${VARIABLE} \| 0)\)) \| 0`, "g"), "($1)")
    .replace(new RegExp(String.raw`([([]|, )(${VARIABLE}) \| 0(?=[)\],])`, "g"), "$1$2");
}
