// Runs programs one after another, each in its own folder, with its own arguments and until nothing of it is left to do, as if the process were its own.
// But what they import is loaded once for all of them. test/programs.ts tells which.
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { inspect } from "node:util";

const require = createRequire(import.meta.url);
const environment = { ...process.env };
/** Thrown by `process.exit`, which must not return. */
const EXIT = new Error("the program has ended itself");

/** What the program that runs has put out so far. */
let current;
let number = 0;

for (const name of ["stdout", "stderr"])
  process[name].write = (chunk, encoding, done) => {
    if (current && !current.exited) current[name] += typeof chunk === "string" ? chunk : Buffer.from(chunk).toString();
    const written = typeof encoding === "function" ? encoding : done;
    if (written) process.nextTick(written);
    return true;
  };

process.exit = (code = process.exitCode) => {
  if (!current.exited) current.status = Number(code ?? 0);
  current.exited = true;
  throw EXIT;
};

function fail(error) {
  if (error === EXIT || !current || current.exited) return;
  current.stderr += `${inspect(error)}\n`;
  current.status = 1;
}

async function evaluate(program) {
  // A module is evaluated anew when its URL is another one, CommonJS when its file is forgotten.
  if (!program.endsWith(".cjs")) return import(`${pathToFileURL(program)}?${number++}`);
  const path = require.resolve(program);
  delete require.cache[path];
  require(path);
}

process.on("uncaughtException", fail);
process.on("warning", ({ stack }) => {
  if (current) current.stderr += `${stack}\n`;
});

process.on("message", ({ program, args, folder, env }) => {
  const run = { stdout: "", stderr: "", status: undefined, exited: false, evaluated: false };
  current = run;
  process.chdir(folder);
  process.argv = [process.argv[0], program, ...args];
  process.env = { ...environment, ...env };
  // What the program leaves open keeps it running, not this channel.
  process.channel.unref();
  evaluate(program)
    .catch(fail)
    .finally(() => (run.evaluated = true));
});

process.on("beforeExit", () => {
  if (!current) return;
  const { stdout, stderr, status, evaluated } = current;
  // As Node says it of a module that waits for what never comes.
  const answer = { stdout, stderr, status: status ?? (evaluated ? Number(process.exitCode ?? 0) : 13) };
  current = undefined;
  process.exitCode = undefined;
  process.channel.ref();
  process.send(answer);
});
