// The codec of the bundle, and the JavaScript engine in a copy of its own: in one copy each engine would be slowed down by what the compiler has
// seen of the other.
import { pathToFileURL } from "node:url";
import { bundle, bundlePath } from "./bundle.mjs";

const { href } = pathToFileURL(process.argv.includes("--bundled") ? bundlePath() : await bundle());
export const { readDs, writeDs, writeDsBytes } = await import(href);

const js = await import(`${href}?js`);
export const readDsJs = (input) => js.readDs(input, { engine: "js" });
export const writeDsJs = (structure) => js.writeDs(structure, { engine: "js" });

/** Make what is measured, in a copy that is not measured. */
export const { writeDs: textOf, readDs: structureOf } = await import(`${href}?corpora`);
