// The program: finds the command, runs it, turns failures into messages and exit statuses.
import manifest from "../../package.json" with { type: "json" };
import { TuskError } from "../errors.ts";
import { Call, type Command } from "./command.ts";
import { bench } from "./commands/bench.ts";
import { convert } from "./commands/convert.ts";
import { decode } from "./commands/decode.ts";
import { detect } from "./commands/detect.ts";
import { diff } from "./commands/diff.ts";
import { encode } from "./commands/encode.ts";
import { inspect } from "./commands/inspect.ts";
import { verify } from "./commands/verify.ts";
import { BAD_CALL, BAD_FILE, BadFile, CallError, describeBadFile, describeCallError, Inaccessible } from "./failure.ts";
import { FORMATS } from "./formats/registry.ts";
import { commandPage, programPage } from "./help.ts";
import { namedError } from "./platform-limits.ts";
import { ClosedPipe, Interruption, put, type Terminal, tell } from "./terminal.ts";
import { visibleMessage } from "./visible.ts";

export const COMMANDS: readonly Command[] = [detect, inspect, decode, encode, convert, diff, verify, bench];

const GOOD = 0;
/** Options of every command may stand before its name, too. */
const BEFORE_COMMAND = ["--color", "--no-color", "--quiet", "-q"];
const HELP = ["--help", "-h"];

/** Runs one call and returns the exit status. */
export async function main(argv: readonly string[], terminal: Terminal): Promise<number> {
  let at = 0;
  while (BEFORE_COMMAND.includes(argv[at])) at++;
  const [name, ...rest] = argv.slice(at);
  let command: Command | undefined;
  let call: Call | undefined;
  try {
    if (name === "--version" || name === "-v") {
      await put(terminal.stdout, `${manifest.version}\n`);
      return GOOD;
    }
    if (name === undefined || name === "help" || HELP.includes(name)) {
      const about = rest.find((given) => ![...BEFORE_COMMAND, ...HELP].includes(given));
      const page = about === undefined ? programPage(COMMANDS, FORMATS) : commandPage(commandNamed(about));
      if (name !== undefined) await put(terminal.stdout, page);
      else await tell(terminal.stderr, page);
      return name === undefined ? BAD_CALL : GOOD;
    }
    command = commandNamed(name);
    call = new Call(command, [...argv.slice(0, at), ...rest], terminal);
    if (call.options.help) {
      await put(terminal.stdout, commandPage(command));
      return GOOD;
    }
    const status = await command.run(call);
    call.progress.end();
    await call.tellWarnings();
    return status;
  } catch (thrown) {
    const error = namedError(thrown);
    call?.progress.end();
    if (error instanceof ClosedPipe) {
      await call?.tellWarnings();
      return call?.status ?? GOOD;
    }
    if (terminal.signal?.aborted) return interruptionOf(terminal.signal).status;
    await call?.tellWarnings();
    if (error instanceof BadFile) {
      await tell(terminal.stderr, describeBadFile(error));
      return BAD_FILE;
    }
    if (error instanceof CallError) {
      const hint = error instanceof Inaccessible ? "" : `Try "tusk ${command ? `${command.name} ` : ""}--help".\n`;
      await tell(terminal.stderr, describeCallError(error) + hint);
      return BAD_CALL;
    }
    if (error instanceof TuskError) {
      await tell(terminal.stderr, `tusk: ${visibleMessage(error.message)}\n`);
      return BAD_FILE;
    }
    throw error;
  }
}

/** An option where the command is expected: which it is decides what to do. */
function misplacedOption(given: string): CallError {
  const name = given.split("=")[0];
  if (name !== given && [...BEFORE_COMMAND, ...HELP, "--version", "-v"].includes(name)) return new CallError(`${name} takes no value`);
  const known = COMMANDS.some(({ options }) =>
    Object.entries(options).some(([long, { short }]) => name === `--${long}` || (short !== undefined && name === `-${short}`)),
  );
  const before = `only ${BEFORE_COMMAND.join(", ")} stand before a command`;
  return new CallError(
    known ? `${name} stands behind the command: tusk COMMAND ${name} ...; ${before}` : `unknown option ${JSON.stringify(name)}; ${before}`,
  );
}

function interruptionOf(signal: AbortSignal): Interruption {
  return signal.reason instanceof Interruption ? signal.reason : new Interruption("SIGINT");
}

function commandNamed(name: string): Command {
  if (/^-./.test(name)) throw misplacedOption(name);
  const found = COMMANDS.find((command) => command.name === name);
  if (!found)
    throw new CallError(`there is no command ${JSON.stringify(name)}; there are ${COMMANDS.map((command) => command.name).join(", ")}`);
  return found;
}
