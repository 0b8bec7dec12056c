// Minifiers like Terser, which webpack brings along, put a function that is used in one place into that place, as an expression: each call then
// makes the function anew, and does not find the code that the engine has compiled for it. Long arrays of numbers were written at half of the speed
// so, instances read at 0.6. The scripts of the package ask them to leave such calls alone.
import ts from "typescript";
import { eachUse, parsed } from "./script-names.mjs";

const MARK = "/*@__NOINLINE__*/ ";

/** Is it the name of a function that is declared, or imported, as far as one file can tell? */
function isFunction(symbol) {
  return symbol?.declarations?.some((declaration) => ts.isFunctionDeclaration(declaration) || ts.isImportSpecifier(declaration));
}

/** Where the only use of a function is a call. */
function onlyCalls(code) {
  const uses = new Map();
  eachUse(parsed(code), (node, symbol) => {
    if (!isFunction(symbol)) return;
    if (!uses.has(symbol)) uses.set(symbol, []);
    uses.get(symbol).push(node);
  });
  return [...uses.values()]
    .filter(([node, another]) => !another && ts.isCallExpression(node.parent) && node.parent.expression === node)
    .map(([node]) => node.getStart())
    .sort((a, b) => a - b);
}

/** The same script, in which each call of a function that is called nowhere else is marked as one to be left a call. */
export function withoutInlining(code) {
  let marked = "";
  let from = 0;
  for (const at of onlyCalls(code)) {
    marked += code.slice(from, at) + MARK;
    from = at;
  }
  return marked + code.slice(from);
}

/** A plugin that does so with every script of a build. */
export const noInlining = {
  name: "no-inlining",
  generateBundle(_, bundle) {
    for (const file of Object.values(bundle)) if (/\.(js|mjs|cjs)$/.test(file.fileName)) file.code = withoutInlining(file.code);
  },
};
