// A folder of its own for each test, removed afterwards.
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach } from "vitest";

const made: string[] = [];

export function scratchFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "tusk-test-"));
  made.push(folder);
  return folder;
}

export function listing(folder: string): string[] {
  return readdirSync(folder).sort();
}

afterEach(() => {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true });
});
