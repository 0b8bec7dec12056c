#!/usr/bin/env node
// The executable `tusk`.
import { main } from "./main.ts";
import { Interruption } from "./terminal.ts";

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
// Failed writes are told to whoever writes.
process.stdout.on("error", () => undefined);
process.stderr.on("error", () => undefined);

const { stdin, stdout, stderr, env } = process;
process.exitCode = await main(process.argv.slice(2), { stdin, stdout, stderr, env, signal: interruption.signal, catchInterruption });
