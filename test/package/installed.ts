// The package as a user has it: packed, unpacked into projects of either module system, its dependencies beside it.
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = fileURLToPath(new URL("../..", import.meta.url));

export interface Manifest {
  name: string;
  exports: Record<string, string | Record<"import" | "require", { types: string; default: string }>>;
  dependencies: Record<string, string>;
}

export const manifest = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as Manifest;

/** The entries that hold code: "" for the main one, "elephant" for `tusk-codec/elephant`. */
export const ENTRIES = Object.keys(manifest.exports)
  .filter((path) => typeof manifest.exports[path] === "object")
  .map((path) => path.slice(2));

/** How a user writes an entry. */
export function specifier(entry: string): string {
  return entry === "" ? manifest.name : `${manifest.name}/${entry}`;
}

export interface Project {
  readonly folder: string;
  /** The names of the files in the tarball. */
  readonly files: readonly string[];
  /** Writes a file and runs it by node; its standard output. */
  run(name: string, source: string): string;
  write(name: string, source: string): void;
  remove(): void;
}

/** An empty project that has the package installed. */
export function createProject(): Project {
  if (!existsSync(join(ROOT, "dist"))) throw new Error("there is no dist folder: run npm run build first");
  const folder = mkdtempSync(join(tmpdir(), "tusk-project-"));
  const npm = process.platform === "win32" ? "npm.cmd" : "npm";
  const packed = execFileSync(npm, ["pack", "--ignore-scripts", "--json", "--pack-destination", folder], {
    cwd: ROOT,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
    shell: process.platform === "win32",
  });
  const [{ filename, files }] = JSON.parse(packed) as { filename: string; files: { path: string }[] }[];
  const modules = join(folder, "node_modules");
  mkdirSync(modules);
  execFileSync("tar", ["-xzf", filename, "-C", "node_modules"], { cwd: folder });
  cpSync(join(modules, "package"), join(modules, manifest.name), { recursive: true });
  rmSync(join(modules, "package"), { recursive: true });
  for (const dependency of Object.keys(manifest.dependencies)) {
    mkdirSync(join(modules, dependency, ".."), { recursive: true });
    symlinkSync(join(ROOT, "node_modules", dependency), join(modules, dependency), "junction");
  }
  const write = (name: string, source: string) => writeFileSync(join(folder, name), source);
  return {
    folder,
    files: files.map((file) => file.path),
    write,
    run(name, source) {
      write(name, source);
      return execFileSync(process.execPath, [name], { cwd: folder, encoding: "utf8" });
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
