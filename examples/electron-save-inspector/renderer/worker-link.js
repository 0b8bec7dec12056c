// The way to the worker: calls that return promises, and the events it tells.

export class WorkerFailure extends Error {
  constructor(report) {
    super(report.message);
    this.report = report;
  }
}

/** The policy of the page lets only this script become a worker. */
function scriptUrl(name) {
  if (!globalThis.trustedTypes) return name;
  const policy = trustedTypes.createPolicy("tusk-inspector", {
    createScriptURL(url) {
      if (url !== "worker.js") throw new TypeError(`${url} is not the worker's script`);
      return url;
    },
  });
  return policy.createScriptURL(name);
}

export class WorkerLink {
  #calls = new Map();
  #next = 1;
  #worker;
  #isReady = false;
  /** Why there is no worker. */
  #failure;

  /** `onEvent(name, data)`: progress of what is under way. */
  constructor(onEvent) {
    try {
      this.#worker = new Worker(scriptUrl("worker.js"));
    } catch (error) {
      const isFile = location.protocol === "file:";
      const message = isFile ? "browsers start no worker for a page that is a file: open it with npm run inspector" : error.message;
      this.#failure = new WorkerFailure({ message });
      return;
    }
    this.#worker.onmessage = ({ data }) => {
      this.#isReady = true;
      if (data.event) onEvent(data.event, data.data);
      else this.#answer(data);
    };
    this.#worker.onerror = (event) => {
      const failure = new WorkerFailure({ message: event.message || "the worker could not be started" });
      if (!this.#isReady) this.#failure = failure;
      for (const { reject } of this.#calls.values()) reject(failure);
      this.#calls.clear();
    };
  }

  #answer({ id, result, error }) {
    const call = this.#calls.get(id);
    this.#calls.delete(id);
    if (error) call?.reject(new WorkerFailure(error));
    else call?.resolve(result);
  }

  /** Rejects with a {@link WorkerFailure} that has the worker's report. */
  call(operation, data, transfer = []) {
    // Nobody would ever answer.
    if (this.#failure) return Promise.reject(this.#failure);
    const id = this.#next++;
    return new Promise((resolve, reject) => {
      this.#calls.set(id, { resolve, reject });
      this.#worker.postMessage({ id, operation, data }, transfer);
    });
  }
}
