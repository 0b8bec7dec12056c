// Builds every kernel `assembly/<name>/index.ts` twice and embeds the results as TypeScript modules in
// `src/engine/generated/` (never committed):
//   <name>-wasm.ts      the SIMD build, as text (scripts/pack-bytes.mjs)
//   <name>-scalar.js    the build without SIMD, translated to JavaScript by binaryen's wasm2js
// and `assembly/unpack.ts`, which unpacks the text, as `unpack-wasm.ts`, in base64.
// The raw modules go to `build/` for tools that load them by URL.
import { execFile } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import asc from "assemblyscript/asc";
import { transform } from "esbuild";
import { minify } from "rolldown/experimental";
import { packBytes } from "./pack-bytes.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const generated = join(root, "src/engine/generated");
const build = join(root, "build");
mkdirSync(generated, { recursive: true });
mkdirSync(build, { recursive: true });

const binaryen = join(root, "node_modules/binaryen/bin");
const FEATURES = ["--enable-bulk-memory", "--enable-sign-ext", "--enable-nontrapping-float-to-int", "--enable-mutable-globals"];

/** Letters that the unpacker's page has room for. */
const MOST_PACKED = 65536 - 256;

/** A source without what asks for functions to be inlined. */
function withCalls(name, baseDir) {
  const path = join(baseDir, name);
  return existsSync(path) ? readFileSync(path, "utf8").replace(/^( *)@inline$/gm, "$1") : null;
}

async function compile(entry, target, outFile, options) {
  // How large its memory is, a kernel says in a configuration of its own.
  const own = join(dirname(entry), "asconfig.json");
  const config = existsSync(join(root, own)) ? own : "asconfig.json";
  const { error, stderr } = await asc.main([entry, "--config", config, "--target", target, "--outFile", outFile], {
    baseDir: root,
    ...options,
  });
  if (error) throw new Error(`asc ${entry} (${target}):\n${stderr.toString()}`);
}

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
function importUnaligned(text) {
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
function asFactory(source) {
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
  if (accessors.length === 0) throw new Error("the kernel has no unaligned access");
  text = text.replace(/^ var fimport\$\d+ = .*\n/gm, "");
  text = replaced(text, /^ var view = imports\.view;$/m, accessors.join("\n"));
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
  var old = HEAPU8, size = old.length;
  try { useBuffer(new ArrayBuffer(size + pages * 65536 | 0)); } catch { return -1; }
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
function withoutCoercions(source) {
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

/** As minifiers make it, so that the package and the pages of users without one are smaller, too; the module's exports keep their names. */
async function shortened(source) {
  const { code } = await minify("kernel.js", source, { compress: true, mangle: { toplevel: true }, codegen: { removeWhitespace: true } });
  return (await transform(code, { minify: true, format: "esm", target: "es2022" })).code;
}

const execute = promisify(execFile);

/** What one of binaryen's programs prints. They are scripts, which not every system can start by themselves. */
async function binary(program, args) {
  const { stdout } = await execute(process.execPath, [join(binaryen, program), ...FEATURES, ...args], { cwd: root, maxBuffer: 1 << 26 });
  return stdout;
}

async function embedWasm(name, wasm) {
  // Once more by itself: 1 to 2 % shorter than what the compiler's own passes leave.
  await binary("wasm-opt", ["--enable-simd", "-Os", wasm, "-o", wasm]);
  const packed = packBytes(readFileSync(join(root, wasm)));
  if (packed.length > MOST_PACKED)
    throw new Error(`${name}: ${packed.length} letters, for which the memory of assembly/unpack.ts is too small`);
  writeFileSync(
    join(generated, `${name}-wasm.ts`),
    `// Generated by scripts/build-kernels.mjs from assembly/${name}.\nexport const packedWasm =\n  "${packed}";\n`,
  );
  return `${statSync(join(root, wasm)).size} bytes of wasm`;
}

async function embedTranslation(name, scalar) {
  const text = `build/${name}.scalar.wat`;
  await binary("wasm-dis", [scalar, "-o", text]);
  writeFileSync(join(root, text), importUnaligned(readFileSync(join(root, text), "utf8")));
  await binary("wasm-as", [text, "-o", scalar]);
  // For size, as asconfig.json asks for this target.
  const lowered = `build/${name}.lowered.wasm`;
  await binary("wasm-opt", ["--alignment-lowering", "-Oz", scalar, "-o", lowered]);
  const js = await shortened(withoutCoercions(asFactory(await binary("wasm2js", ["-Oz", lowered]))));
  writeFileSync(join(generated, `${name}-scalar.js`), `// Generated by scripts/build-kernels.mjs from assembly/${name}.\n${js}`);
  writeFileSync(
    join(generated, `${name}-scalar.d.ts`),
    `// Generated by scripts/build-kernels.mjs.\nexport function instantiateScalar(): Record<string, unknown>;\n`,
  );
  return `${js.length} of scalar JavaScript`;
}

await compile("assembly/unpack.ts", "scalar", "build/unpack.wasm");
writeFileSync(
  join(generated, "unpack-wasm.ts"),
  `// Generated by scripts/build-kernels.mjs from assembly/unpack.ts.\nexport const unpackWasm = "${readFileSync(join(root, "build/unpack.wasm")).toString("base64")}";\n`,
);

const names =
  process.argv.length > 2
    ? process.argv.slice(2)
    : readdirSync(join(root, "assembly")).filter((name) => existsSync(join(root, "assembly", name, "index.ts")));
const embedded = [];
for (const name of names) {
  const entry = `assembly/${name}/index.ts`;
  const wasm = `build/${name}.wasm`;
  const scalar = `build/${name}.scalar.wasm`;
  await compile(entry, "simd", wasm);
  // Calls instead of what is inlined for WebAssembly, and optimised for size: JavaScript engines inline for themselves (docs/performance.md, Size).
  await compile(entry, "scalar", scalar, { readFile: withCalls });
  // Binaryen's programs are processes, which work while the next kernel is compiled here.
  const sizes = Promise.all([embedWasm(name, wasm), embedTranslation(name, scalar)]);
  embedded.push(sizes.then((made) => `${name}: ${made.join(", ")}`));
}
for (const line of await Promise.all(embedded)) console.log(line);
