#!/usr/bin/env node
// The executable `tusk`.
import { main } from "./main.ts";

const interruption = new AbortController();
// A save under way removes its temporary file; a second interruption does not wait.
process.once("SIGINT", () => interruption.abort());
// Failed writes are told to whoever writes.
process.stdout.on("error", () => undefined);
process.stderr.on("error", () => undefined);

const { stdin, stdout, stderr, env } = process;
process.exitCode = await main(process.argv.slice(2), { stdin, stdout, stderr, env, signal: interruption.signal });
