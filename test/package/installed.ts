// The package as a user has it: packed, then installed by npm into an empty project, without a network.
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = fileURLToPath(new URL("../..", import.meta.url));

export interface Manifest {
  name: string;
  version: string;
  exports: Record<string, string | Record<"import" | "require", { types: string; default: string }>>;
  typesVersions: { "*": Record<string, string[]> };
  dependencies: Record<string, string>;
}

export const manifest = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as Manifest;

/** The entries that hold code: "" for the main one, "elephant" for `tusk-codec/elephant`. */
export const ENTRIES = Object.keys(manifest.exports)
  .filter((path) => typeof manifest.exports[path] === "object")
  .map((path) => path.slice(2));

/** Entries that need Node; all others run anywhere. */
export const FOR_NODE: readonly string[] = ["node"];

/** The entries of one format each. The main entry has all of them, and nothing of the others. */
export const FORMATS: readonly string[] = ENTRIES.filter((entry) => !["", "node", "worker"].includes(entry));

/** How a user writes an entry. */
export function specifier(entry: string): string {
  return entry === "" ? manifest.name : `${manifest.name}/${entry}`;
}

export interface Project {
  readonly folder: string;
  /** The names of the files in the tarball. */
  readonly files: readonly string[];
  write(name: string, source: string): void;
  /** Writes a file and runs it by node; its standard output. */
  run(name: string, source: string): string;
  /** Runs a program of Node; its output and errors together, whatever its exit status. */
  node(...args: string[]): string;
  remove(): void;
}

export const WINDOWS = process.platform === "win32";

function npm(cwd: string, ...args: string[]): string {
  // The shell of Windows takes the arguments as one text.
  const given = WINDOWS ? args.map((arg) => `"${arg}"`) : args;
  return execFileSync(WINDOWS ? "npm.cmd" : "npm", given, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"], shell: WINDOWS });
}

/** An empty project that has the package installed. `type` is the one of its package.json. */
export function createProject(type: "module" | "commonjs" = "commonjs"): Project {
  if (!existsSync(join(ROOT, "dist"))) throw new Error("there is no dist folder: run npm run build first");
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "tusk-project-")));
  // Whoever runs the whole suite has the tarball already.
  const tarball = process.env.TUSK_TARBALL ?? join(folder, npm(ROOT, "pack", "--ignore-scripts", "--pack-destination", folder).trim());
  // Dependencies come from this repository, so that no test asks a server.
  const overrides = Object.fromEntries(
    Object.keys(manifest.dependencies).map((name) => [name, `file:${join(ROOT, "node_modules", name)}`]),
  );
  const write = (name: string, source: string) => writeFileSync(join(folder, name), source);
  write("package.json", JSON.stringify({ name: "project", private: true, type, overrides }));
  npm(folder, "install", "--offline", "--no-audit", "--no-fund", "--no-package-lock", tarball);
  const installed = join(folder, "node_modules", manifest.name);
  const entries = readdirSync(installed, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return {
    folder,
    files: entries.map(({ parentPath, name }) => relative(installed, join(parentPath, name)).replaceAll("\\", "/")),
    write,
    run(name, source) {
      write(name, source);
      return execFileSync(process.execPath, [name], { cwd: folder, encoding: "utf8" });
    },
    node(...args) {
      try {
        return execFileSync(process.execPath, args, { cwd: folder, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
      } catch (error) {
        const { stdout, stderr } = error as { stdout: string; stderr: string };
        return stdout + stderr;
      }
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
