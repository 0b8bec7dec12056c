// The fenced blocks of the documents that are JavaScript or TypeScript, made into programs that import the built package.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { transformSync } from "esbuild";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
/** Inside of the package, so that its own name is found. */
export const FOLDER = join(ROOT, "build/code-blocks");

export interface CodeBlock {
  /** `README.md:22` */
  readonly place: string;
  readonly typed: boolean;
  readonly source: string;
  /** What the comments behind `console.log(...)`, or in the lines below it, say it prints. */
  readonly prints: readonly string[];
  /** File of the program that can be run. */
  readonly program: string;
  /** File with its types, for TypeScript. */
  readonly typedFile: string | undefined;
}

export function codeBlocks(documents: readonly string[]): CodeBlock[] {
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER, { recursive: true });
  return documents.flatMap((document) => {
    const text = readFileSync(join(ROOT, document), "utf8");
    return [...text.matchAll(/^```(js|ts|javascript|typescript)\n(.*?)^```$/gms)].map((match, i) => {
      const typed = match[1].startsWith("t");
      const source = match[2];
      const stem = join(FOLDER, `${document.replace(/\W/g, "-")}-${i + 1}`);
      const program = `${stem}.mjs`;
      writeFileSync(program, typed ? transformSync(source, { loader: "ts", target: "es2022", tsconfigRaw: {} }).code : source);
      if (typed) writeFileSync(`${stem}.mts`, source);
      return {
        place: `${document}:${text.slice(0, match.index).split("\n").length}`,
        typed,
        source,
        prints: printsOf(source),
        program,
        typedFile: typed ? `${stem}.mts` : undefined,
      };
    });
  });
}

/** Several lines of output stand as comments below the call. */
function printsOf(source: string): string[] {
  const prints = [...source.matchAll(/console\.log\(.*\);(?: \/\/ (.*)|((?:\n\/\/.*)+))$/gm)];
  return prints.flatMap(([, behind, below]) =>
    behind !== undefined
      ? [behind]
      : below
          .split("\n")
          .slice(1)
          .map((line) => line.replace(/^\/\/ ?/, "")),
  );
}

/** A package that a block imports and that is not installed here. */
export function standIn(name: string, source: string): void {
  const folder = join(FOLDER, "node_modules", name);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name, type: "module", exports: "./index.js" }));
  writeFileSync(join(folder, "index.js"), source);
}
