// A folder of its own for each test, removed afterwards.
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** Inside of a test. */
export function scratchFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "tusk-test-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export function listing(folder: string): string[] {
  return readdirSync(folder).sort();
}
