#!/usr/bin/env node
// The executable `tusk`.
import { main } from "./main.ts";

const interruption = new AbortController();
/** While a file is written: its temporary file is removed. A second interruption does not wait. */
function catchInterruption(): () => void {
  const abort = () => interruption.abort();
  process.once("SIGINT", abort);
  return () => process.off("SIGINT", abort);
}
// Failed writes are told to whoever writes.
process.stdout.on("error", () => undefined);
process.stderr.on("error", () => undefined);

const { stdin, stdout, stderr, env } = process;
process.exitCode = await main(process.argv.slice(2), { stdin, stdout, stderr, env, signal: interruption.signal, catchInterruption });
