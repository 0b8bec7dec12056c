// Test runners like Jest run packages in sandboxes (node:vm) whose global names are looked up by a call each time: `Math.imul` in a loop then takes a hundred
// times as long, and saves were written at a thirtieth of the speed. The scripts of the package look up what they use in loops once, when they are loaded;
// everywhere else engines know that a constant is one.
import ts from "typescript";
import { eachUse, parsed } from "./script-names.mjs";

/** Those of loops. Not what loops make objects by, of which engines make more where they know it by name: by `new $Array(n)` graphs were read at two thirds of the speed. */
const NAMES = new Set(["ArrayBuffer", "Math", "NaN", "Number", "Object", "SharedArrayBuffer", "String"]);

/** Where a script uses global names of {@link NAMES}, in order. */
function globalUses(script) {
  const uses = [];
  eachUse(script, (node, symbol) => {
    if (NAMES.has(node.text) && !symbol?.declarations?.length) uses.push(node);
  });
  return uses.sort((a, b) => a.getStart() - b.getStart());
}

/**
 * The same script with such names as constants of its own, behind directives like "use strict". They have other names, `$Math` for `Math`: bundlers put scripts
 * together, and helpers of their own in front that mean the global ones.
 */
export function withOwnGlobals(code) {
  const script = parsed(code);
  const uses = globalUses(script);
  if (uses.length === 0) return code;
  const first = script.file.statements.find(
    (statement) => !(ts.isExpressionStatement(statement) && ts.isStringLiteral(statement.expression)),
  );
  const names = [...new Set(uses.map(({ text }) => text))].sort();
  let from = first.getFullStart();
  let own = `${code.slice(0, from)}${from > 0 ? "\n" : ""}const { ${names.map((name) => `${name}: $${name}`).join(", ")} } = globalThis;\n`;
  for (const use of uses) {
    own += `${code.slice(from, use.getStart())}$${use.text}`;
    from = use.getEnd();
  }
  return own + code.slice(from);
}

/** A plugin that does so with the scripts that read and write. */
export const ownGlobals = {
  name: "own-globals",
  generateBundle(_, bundle) {
    const files = Object.values(bundle).filter(({ fileName }) => /^(?:elephant|ds|enigma|introspection|engine)-.*\.[cm]js$/.test(fileName));
    if (files.length === 0) throw new Error("no script of the package has the name of one that reads and writes");
    for (const file of files) file.code = withOwnGlobals(file.code);
  },
};
