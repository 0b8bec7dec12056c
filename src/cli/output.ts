// Where results go: a file, replaced in one step, or standard output.
import { statSync } from "node:fs";
import { resolve } from "node:path";
import { TuskError } from "../errors.ts";
import { saveFile } from "../node/index.ts";
import type { Call, Option } from "./command.ts";
import { CallError, Inaccessible } from "./failure.ts";
import { isLostName, LOST_NAME } from "./input.ts";
import { put } from "./terminal.ts";

export const OUTPUT_OPTIONS: Record<string, Option> = {
  output: { type: "string", short: "o", value: "FILE", help: "where the result goes; - (the default) is standard output" },
  backups: { type: "string", value: "N", help: "keep N earlier versions of the output file as FILE.bak1 ..." },
};

/** Files that are the program's own streams. Behind the name is what the shell opened, and replacing that would lose what it holds. */
const STANDARD_OUTPUT = /^\/(?:dev\/(?:stdout|fd\/1)|proc\/self\/fd\/1)$/;
const OTHER_STREAM = /^\/(?:dev\/(?:stdin|stderr|fd\/\d+)|proc\/[^/]+\/fd\/\d+)$/;

/** Files are replaced in one step, which devices and pipes are not for. */
const REDIRECT = ", which only the shell can write to: use - and redirect";

/** The target: the second argument, or `--output`. `-` for standard output, also by the name of its file. */
export function outputPath(call: Call): string {
  const option = call.text("output");
  if (option !== undefined && call.arguments.length > 1) throw new CallError("the output is given twice");
  const path = option ?? call.arguments[1] ?? "-";
  if (path === "") throw new CallError("the path of the output is empty");
  if (path === "-") return path;
  let whole: string;
  try {
    whole = resolve(path);
  } catch (error) {
    // The working directory is gone. Standard output and absolute paths do without it.
    throw new Inaccessible(`${path} cannot be written: ${(error as Error).message}`);
  }
  if (STANDARD_OUTPUT.test(whole)) return "-";
  if (OTHER_STREAM.test(whole)) throw new Inaccessible(`${path} is not a regular file${REDIRECT}`);
  if (isLostName(path)) throw new Inaccessible(`${path} cannot be written: ${LOST_NAME}`);
  return path;
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? /[/\\]$/.test(path);
}

export async function writeOutput(call: Call, path: string, pieces: Iterable<Uint8Array>, binary: boolean): Promise<void> {
  const { terminal, progress } = call;
  const backups = call.number("backups", 0);
  if (path === "-") {
    if (binary && terminal.stdout.isTTY)
      throw new CallError("the result is binary and would garble the terminal; name a file with --output");
    for (const piece of pieces) {
      terminal.signal?.throwIfAborted();
      await put(terminal.stdout, piece);
    }
    progress.end();
    return;
  }
  const release = terminal.catchInterruption?.();
  try {
    await saveFile(path, pieces, { backups, signal: terminal.signal });
    progress.end();
  } catch (error) {
    // An error of the disk, not of what is written to it.
    if (error instanceof TuskError && /^(file-|not-a-file)/.test(error.code))
      throw new Inaccessible(error.reason + (error.code === "not-a-file" && !isFolder(path) ? REDIRECT : ""));
    throw error;
  } finally {
    release?.();
  }
}
