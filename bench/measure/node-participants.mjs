// Participants in Node. As a rule each candidate runs in a process of its own, so that no candidate meets what another has left in the engine (type
// feedback, compiled code, a heap grown large). The processes of a corpus wait side by side and take turns. Memory that a process gives back while the
// others run is touched anew in its next turn, though, by the operating system's work that is the same for all; in one process it is not.
import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";

const entry = fileURLToPath(new URL("process.mjs", import.meta.url));

class NodeProcess {
  #process;
  #pending;
  #last = Promise.resolve();

  constructor(flags) {
    this.#process = fork(entry, { execArgv: ["--expose-gc", ...flags], stdio: ["ignore", "inherit", "inherit", "ipc"] });
    this.#process.on("message", ({ result, error }) => {
      const { resolve, reject } = this.#pending;
      if (error === undefined) resolve(result);
      else reject(new Error(error));
    });
    this.#process.on("exit", (code, signal) => this.#pending?.reject(new Error(`the process ended (${signal ?? code})`)));
  }

  /** One after the other. */
  ask(message) {
    const answer = this.#last.then(
      () =>
        new Promise((resolve, reject) => {
          this.#pending = { resolve, reject };
          if (this.#process.connected) this.#process.send(message, (error) => error && reject(error));
          else reject(new Error("the process has ended"));
        }),
    );
    this.#last = answer.catch(() => {});
    return answer;
  }

  close() {
    if (this.#process.connected) this.#process.disconnect();
  }
}

class NodeParticipant {
  #process;
  #close;

  constructor(candidate, process, close) {
    this.name = candidate.name;
    this.#process = process;
    this.#close = close;
  }

  async #ask(action, job) {
    try {
      return await this.#process.ask({ candidate: this.name, action, ...job });
    } catch (error) {
      throw new Error(`${this.name}: ${error.message}`);
    }
  }

  prepare(corpus, scale, operations) {
    return this.#ask("prepare", { corpus, scale, operations });
  }

  warm(operation, runs, ms) {
    return this.#ask("warm", { operation, runs, ms });
  }

  repeatsFor(operation, ms) {
    return this.#ask("repeatsFor", { operation, ms });
  }

  settle(operation, repeats, samples, ms) {
    return this.#ask("settle", { operation, repeats, samples, ms });
  }

  sample(operation, repeats) {
    return this.#ask("sample", { operation, repeats });
  }

  close() {
    this.#close();
  }
}

/** Starts participants with these flags of V8, each in a process of its own. */
export function nodeParticipants(flags = []) {
  return {
    async start(candidate) {
      const process = new NodeProcess(flags);
      return new NodeParticipant(candidate, process, () => process.close());
    },
    finish: async () => {},
  };
}

/** Starts participants that share one process, and no module of ours. */
export function participantsOfOneProcess() {
  const process = new NodeProcess(["--import", new URL("own-modules.mjs", import.meta.url).href]);
  return { start: async (candidate) => new NodeParticipant(candidate, process, () => {}), finish: async () => process.close() };
}
