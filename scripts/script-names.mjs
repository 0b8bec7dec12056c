// What the names of a script stand for, as far as one file can tell.
import ts from "typescript";

/** A script by itself, parsed, and what knows its names. */
export function parsed(code) {
  const file = ts.createSourceFile("script.mjs", code, ts.ScriptTarget.Latest, true);
  const host = {
    ...ts.createCompilerHost({}),
    getSourceFile: (name) => (name === file.fileName ? file : undefined),
  };
  const program = ts.createProgram([file.fileName], { allowJs: true, noLib: true, noResolve: true, types: [] }, host);
  return { file, checker: program.getTypeChecker() };
}

/** Calls `visit` with each identifier that is a use of a name, and the symbol that it stands for; members, and names where they are declared, are none. */
export function eachUse({ file, checker }, visit) {
  const walk = (node) => {
    ts.forEachChild(node, walk);
    if (!ts.isIdentifier(node) || node.parent.name === node) return;
    if (ts.isBindingElement(node.parent) && node.parent.propertyName === node) return;
    visit(node, checker.getSymbolAtLocation(node));
  };
  walk(file);
}
