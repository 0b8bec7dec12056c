// Size of the format alone, minified and gzipped: everything, and without the JavaScript translation of the kernel, which only pages
// that refuse WebAssembly run. Usage: node bench/ds/size.mjs
import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { bundle } from "./bundle.mjs";

const file = await bundle();
const size = (text) => gzipSync(text, { level: 9 }).length;
const whole = readFileSync(file, "utf8");
const lean = readFileSync(await bundle({ scalar: false }), "utf8");
console.log(`all: ${whole.length} bytes, ${size(whole)} gzipped`);
console.log(`without the JavaScript translation: ${lean.length} bytes, ${size(lean)} gzipped`);
