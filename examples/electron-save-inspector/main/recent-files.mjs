// The files opened last, in a small JSON file of the application's own folder.
import { existsSync, readFileSync } from "node:fs";
import { basename, dirname } from "node:path";
import { saveFileSync } from "tusk-codec/node";

const MOST = 8;

export class RecentFiles {
  #file;
  #paths;

  constructor(file) {
    this.#file = file;
    try {
      const paths = JSON.parse(readFileSync(file, "utf8"));
      this.#paths = Array.isArray(paths) ? paths.filter((path) => typeof path === "string").slice(0, MOST) : [];
    } catch {
      this.#paths = [];
    }
  }

  add(path) {
    this.#paths = [path, ...this.#paths.filter((known) => known !== path)].slice(0, MOST);
    try {
      saveFileSync(this.#file, new TextEncoder().encode(JSON.stringify(this.#paths)), { verify: false });
    } catch {
      // A list that cannot be kept is no reason not to open a file.
    }
  }

  /** Those that are still there, as the page shows them: without their paths, by place in the list. */
  list() {
    this.#paths = this.#paths.filter((path) => existsSync(path));
    return this.#paths.map((path) => ({ name: basename(path), folder: dirname(path) }));
  }

  path(index) {
    return this.#paths[index];
  }
}
