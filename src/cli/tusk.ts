#!/usr/bin/env node
// The executable `tusk`.
import { createReadStream, fstatSync } from "node:fs";
import type { Readable } from "node:stream";
import { FileOutput } from "./file-output.ts";
import { mostBytesOfInput } from "./input.ts";
import { main } from "./main.ts";
import { Interruption, type Terminal } from "./terminal.ts";

const interruption = new AbortController();
/** From the keyboard, by `kill`, by a terminal that is closed. */
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** While a file is written: its temporary file is removed. A second signal does not wait. */
function catchInterruption(): () => void {
  const abort = (signal: NodeJS.Signals) => {
    release();
    interruption.abort(new Interruption(signal));
  };
  const release = () => {
    for (const signal of SIGNALS) process.off(signal, abort);
  };
  for (const signal of SIGNALS) process.on(signal, abort);
  return release;
}
/** What is neither a file nor a pipe nor a terminal (a folder, a disk) is an empty stream to Node. Read as a file it says what it is. */
function standardInput(): Readable {
  try {
    const info = fstatSync(0);
    if (info.isDirectory() || info.isBlockDevice()) return createReadStream("", { fd: 0, autoClose: false });
  } catch {
    // There is none; Node knows what to do then.
  }
  return process.stdin;
}

/** Node's stream for a regular file takes no notice of bytes that are not written. */
function standardOutput(): Terminal["stdout"] {
  try {
    if (fstatSync(1).isFile()) return new FileOutput(1);
  } catch {
    // As above.
  }
  return process.stdout;
}

const { stderr, env } = process;
const stdin = standardInput();
const stdout = standardOutput();
// Failed writes are told to whoever writes.
stdout.on("error", () => undefined);
stderr.on("error", () => undefined);
const { signal } = interruption;
const mostInput = mostBytesOfInput(0);
process.exitCode = await main(process.argv.slice(2), { stdin, mostInput, stdout, stderr, env, signal, catchInterruption });
