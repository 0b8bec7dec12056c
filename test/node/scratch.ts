// A folder of its own for each test, removed afterwards.
import { mkdtempSync, readdirSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** Inside of a test. By its real path, which saves tell: the one of macOS is a link, that of Windows may be a short name. */
export function scratchFolder(): string {
  const folder = realpathSync.native(mkdtempSync(join(tmpdir(), "tusk-test-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export function listing(folder: string): string[] {
  return readdirSync(folder).sort();
}
