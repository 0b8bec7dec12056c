// Participants in Node: each candidate runs in a process of its own, so that no candidate meets what another has left in the engine
// (type feedback, compiled code, a heap grown large). The processes of a corpus wait side by side and take turns.
import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";

const entry = fileURLToPath(new URL("process.mjs", import.meta.url));

class NodeParticipant {
  #process;
  #pending;

  constructor(candidate, flags) {
    this.name = candidate.name;
    this.#process = fork(entry, { execArgv: ["--expose-gc", ...flags], stdio: ["ignore", "inherit", "inherit", "ipc"] });
    this.#process.on("message", ({ result, error }) => {
      const { resolve, reject } = this.#pending;
      if (error === undefined) resolve(result);
      else reject(new Error(`${this.name}: ${error}`));
    });
    this.#process.on("exit", (code, signal) => this.#pending?.reject(new Error(`${this.name}: the process ended (${signal ?? code})`)));
  }

  #ask(action, job) {
    return new Promise((resolve, reject) => {
      this.#pending = { resolve, reject };
      this.#process.send({ action, ...job });
    });
  }

  prepare(corpus, scale, operations) {
    return this.#ask("prepare", { candidate: this.name, corpus, scale, operations });
  }

  warm(operation, runs, ms) {
    return this.#ask("warm", { operation, runs, ms });
  }

  repeatsFor(operation, ms) {
    return this.#ask("repeatsFor", { operation, ms });
  }

  sample(operation, repeats) {
    return this.#ask("sample", { operation, repeats });
  }

  close() {
    if (this.#process.connected) this.#process.disconnect();
  }
}

/** Starts participants with these flags of V8. */
export function nodeParticipants(flags = []) {
  return { start: async (candidate) => new NodeParticipant(candidate, flags), finish: async () => {} };
}
