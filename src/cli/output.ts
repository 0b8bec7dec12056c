// Where results go: a file, replaced in one step, or standard output.
import { readlinkSync, realpathSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { TuskError } from "../errors.ts";
import { saveFile } from "../node/index.ts";
import { namesFolder } from "../node/target.ts";
import { throwIfAborted } from "../signals.ts";
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

/** As many links in a row as systems follow. */
const MOST_LINKS = 40;

/** Where `path` leads by symbolic links. The name of a stream is not followed: behind it is what the shell opened. */
function linkTarget(path: string): string {
  let target = path;
  try {
    for (let links = 0; links < MOST_LINKS && !STANDARD_OUTPUT.test(target) && !OTHER_STREAM.test(target); links++)
      target = resolve(realpathSync(dirname(target)), readlinkSync(target));
  } catch {
    // It is no link. What else is wrong, writing tells.
  }
  return target;
}

/** The target: the second argument, or `--output`. `-` for standard output, also by the name of its file. */
export function outputPath(call: Call): string {
  const path = givenOutput(call);
  // Before the save is read, which may take long.
  call.number("backups", 0);
  if (path === "-" && call.text("backups") !== undefined) throw new CallError("--backups means nothing for standard output");
  return path;
}

function givenOutput(call: Call): string {
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
  const target = linkTarget(whole);
  if (STANDARD_OUTPUT.test(target)) return "-";
  if (OTHER_STREAM.test(target)) throw new Inaccessible(`${path} is not a regular file${REDIRECT}`);
  if (isLostName(path)) throw new Inaccessible(`${path} cannot be written: ${LOST_NAME}`);
  return path;
}

function isFolder(path: string): boolean {
  if (namesFolder(path)) return true;
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

export async function writeOutput(call: Call, path: string, pieces: Iterable<Uint8Array>, binary: boolean): Promise<void> {
  const { terminal, progress } = call;
  const backups = call.number("backups", 0);
  if (path === "-") {
    if (binary && terminal.stdout.isTTY)
      throw new CallError("the result is binary and would garble the terminal; name a file with --output");
    if (terminal.stdout.isTTY) progress.close();
    for (const piece of pieces) {
      throwIfAborted(terminal.signal);
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
