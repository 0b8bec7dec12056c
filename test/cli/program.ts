// The program as its users run it: bundled once, started as a process; and in this process, where hundreds of calls are made.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable, Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { onTestFinished, vi } from "vitest";
import { main } from "../../src/cli/main.ts";

export interface Outcome {
  status: number;
  stdout: Buffer;
  stderr: string;
}

export interface Bundle {
  readonly file: string;
  remove(): void;
}

export async function bundleProgram(): Promise<Bundle> {
  const folder = mkdtempSync(join(tmpdir(), "tusk-cli-"));
  const file = join(folder, "tusk.mjs");
  await build({
    absWorkingDir: fileURLToPath(new URL("../../", import.meta.url)),
    entryPoints: ["src/cli/tusk.ts"],
    bundle: true,
    format: "esm",
    platform: "node",
    target: "es2022",
    outfile: file,
    logLevel: "error",
  });
  return { file, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** Until the test is over an eighth of a second counts as one: what measures, or waits before it shows a bar, is done sooner. */
export function hurryClock(): void {
  const now = performance.now.bind(performance);
  const hurried = vi.spyOn(performance, "now").mockImplementation(() => now() * 8);
  onTestFinished(() => hurried.mockRestore());
}

/** Starts the bundled program. */
export function runProcess(
  bundle: Bundle,
  argv: readonly string[],
  input: Uint8Array | string = "",
  env: Record<string, string> = {},
): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [bundle.file, ...argv], { env: { ...process.env, NO_COLOR: "", ...env } });
    const stdout: Buffer[] = [];
    const stderr: Buffer[] = [];
    child.stdout.on("data", (piece) => stdout.push(piece));
    child.stderr.on("data", (piece) => stderr.push(piece));
    child.on("error", reject);
    child.on("close", (status) =>
      resolve({ status: status ?? -1, stdout: Buffer.concat(stdout), stderr: Buffer.concat(stderr).toString() }),
    );
    child.stdin.on("error", () => undefined);
    child.stdin.end(input);
  });
}

class Sink extends Writable {
  readonly pieces: Buffer[] = [];
  isTTY = false;
  declare columns?: number;
  override _write(piece: Buffer, _encoding: string, done: () => void): void {
    this.pieces.push(Buffer.from(piece));
    done();
  }
}

/** The same call without a process. */
export async function run(
  argv: readonly string[],
  input: Uint8Array | string | AsyncIterable<Uint8Array> = "",
  terminal: { tty?: boolean; columns?: number; env?: Record<string, string>; signal?: AbortSignal; mostInput?: number } = {},
): Promise<Outcome> {
  const stdout = new Sink();
  const stderr = new Sink();
  if (terminal.tty) stdout.isTTY = stderr.isTTY = true;
  if (terminal.columns !== undefined) stderr.columns = terminal.columns;
  const stdin = Readable.from(typeof input === "object" && Symbol.asyncIterator in input ? input : [Buffer.from(input as Uint8Array)]);
  const { env = {}, signal, mostInput } = terminal;
  const status = await main(argv, { stdin, mostInput, stdout, stderr, env, signal });
  return { status, stdout: Buffer.concat(stdout.pieces), stderr: Buffer.concat(stderr.pieces).toString() };
}
