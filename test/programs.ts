// Many small programs of Node in a process that they share: its start, and the modules that they import, take most of their time. For what makes no
// difference to a program: its folder, arguments, variables, output, exit status and its own module are its own.
import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";

export interface Outcome {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

export class Programs {
  #host: ChildProcess | undefined;

  /** Runs the program of this file. One at a time: await each. */
  run(program: string, args: readonly string[], folder: string, env: Record<string, string> = {}): Promise<Outcome> {
    const host = (this.#host ??= fork(fileURLToPath(new URL("program-host.mjs", import.meta.url)), { execArgv: ["--no-warnings"] }));
    return new Promise((resolve, reject) => {
      const ended = (code: number | null) => {
        this.#host = undefined;
        reject(new Error(`the process of the programs has ended with ${code}, at ${program}`));
      };
      host.once("exit", ended);
      host.once("message", (outcome) => {
        host.off("exit", ended);
        resolve(outcome as Outcome);
      });
      host.send({ program, args, folder, env });
    });
  }

  /** Ends the process. */
  end(): void {
    this.#host?.disconnect();
    this.#host = undefined;
  }
}
