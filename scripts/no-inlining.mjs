// Minifiers like Terser, which webpack brings along, put a function that is used in one place into that place, as an expression: each call then
// makes the function anew, and does not find the code that the engine has compiled for it. Long arrays of numbers were written at half of the speed
// so, instances read at 0.6. The scripts of the package ask them to leave such calls alone.
import ts from "typescript";

const MARK = "/*@__NOINLINE__*/ ";

/** A script by itself, parsed, and what knows its names. */
function parsed(code) {
  const file = ts.createSourceFile("script.mjs", code, ts.ScriptTarget.Latest, true);
  const host = {
    ...ts.createCompilerHost({}),
    getSourceFile: (name) => (name === file.fileName ? file : undefined),
  };
  const program = ts.createProgram([file.fileName], { allowJs: true, noLib: true, noResolve: true, types: [] }, host);
  return { file, checker: program.getTypeChecker() };
}

/** Is it the name of a function that is declared, or imported, as far as one file can tell? */
function isFunction(symbol) {
  return symbol?.declarations?.some((declaration) => ts.isFunctionDeclaration(declaration) || ts.isImportSpecifier(declaration));
}

/** Where the only use of a function is a call. */
function onlyCalls(code) {
  const { file, checker } = parsed(code);
  const uses = new Map();
  const visit = (node) => {
    ts.forEachChild(node, visit);
    if (!ts.isIdentifier(node)) return;
    // Declarations, and members of what stands in front of them.
    if (node.parent.name === node) return;
    const symbol = checker.getSymbolAtLocation(node);
    if (!isFunction(symbol)) return;
    if (!uses.has(symbol)) uses.set(symbol, []);
    uses.get(symbol).push(node);
  };
  visit(file);
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
