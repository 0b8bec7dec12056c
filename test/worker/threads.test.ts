// The package's own worker and modules of one's own in real threads, from the built package.
import { execFile } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { Worker } from "node:worker_threads";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { expectSame } from "../same.ts";

type Api = typeof import("../../src/worker/index.ts") & typeof import("../../src/elephant/index.ts");

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
/** Inside of the package, so that its own name is found. */
const FOLDER = join(ROOT, "build/worker-test");
const run = promisify(execFile);

let api: Api;
beforeAll(async () => {
  const load = (entry: string) => import(pathToFileURL(join(ROOT, "dist", `${entry}.mjs`)).href) as Promise<object>;
  api = { ...(await load("elephant")), ...(await load("worker")) } as Api;
  mkdirSync(FOLDER, { recursive: true });
});
afterAll(() => rmSync(FOLDER, { recursive: true, force: true }));

function file(name: string, source: string): string {
  const path = join(FOLDER, name);
  writeFileSync(path, source);
  return path;
}

test("the package's own worker, started by default", async () => {
  const worker = await api.createTuskWorker();
  try {
    const entities = Array.from({ length: 20_000 }, (_, id) => ({ id, name: `entity ${id}`, at: { x: id / 3 } }));
    const save = worker.elephant.write(entities);
    let turns = 0;
    const ticking = setInterval(() => turns++, 0);
    const [value, text] = await Promise.all([worker.read(save), worker.exportString(entities)]);
    clearInterval(ticking);
    expectSame(value, entities);
    expectSame(await worker.importString(text), entities);
    expect(turns).toBeGreaterThan(3);
    expect(await worker.call("check", [save])).toEqual({ bytes: save, end: save.length });
    for (const given of [save.slice().buffer, new DataView(save.slice().buffer), new Blob([save])])
      expect(await worker.call("check", [given])).toEqual({ bytes: save, end: save.length });
    for (const given of ["text", undefined, 5])
      for (const method of ["check", "exportString"])
        expect(await worker.call(method, [given]).catch((reason: unknown) => reason)).toMatchObject({ code: "bad-option" });
    const error = await worker.read(save.subarray(0, 1000)).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(api.TuskError);
    expect(error).toMatchObject({ code: "truncated", offset: 1000 });
  } finally {
    worker.terminate();
  }
});

test("both engines, and limits, are the worker's too", async () => {
  const worker = await api.createTuskWorker({ engine: "js", limits: { maxDepth: 3 } });
  try {
    expect(worker.elephant.engine).toBe("js");
    const deep = api.createElephantSync().write([[[[1]]]]);
    await expect(worker.read(deep)).rejects.toMatchObject({ code: "depth-limit" });
    await expect(worker.toJson(deep)).rejects.toMatchObject({ code: "depth-limit" });
  } finally {
    worker.terminate();
  }
});

test("a worker of one's own, with its classes", async () => {
  const script = file(
    "own.mjs",
    `import { serveTusk } from "tusk-codec/worker";
    import { POST_READ } from "tusk-codec/elephant";
    class Hero { name = ""; [POST_READ]() { this.title = "Sir " + this.name; } }
    serveTusk({ constructors: { Hero }, methods: {
      title: ({ elephant }, save) => elephant.read(save).title,
      hero: ({ elephant }, save) => elephant.read(save),
      forever: () => { while (true); },
      crash: () => { setTimeout(() => { throw new Error("crashed"); }, 0); return new Promise(() => {}); },
      leave: () => process.exit(3),
    } });`,
  );
  class Hero {
    name = "";
  }
  const start = () => api.createTuskWorker({ constructors: { Hero }, worker: pathToFileURL(script) });
  const worker = await start();
  const save = worker.elephant.write(Object.assign(new Hero(), { name: "Lancelot" }));
  expect(await worker.call("title", [save])).toBe("Sir Lancelot");
  const hero = await worker.call("hero", [save]);
  expect(hero).toBeInstanceOf(Hero);
  expect(hero).toEqual(Object.assign(new Hero(), { name: "Lancelot", title: "Sir Lancelot" }));

  // What never ends is ended from here.
  const forever = worker.call("forever").catch((reason: unknown) => reason);
  const aborted = worker.call("title", [save], { signal: AbortSignal.timeout(20) }).catch((reason: Error) => reason.name);
  expect(await aborted).toBe("TimeoutError");
  worker.terminate();
  expect(await forever).toMatchObject({ format: "tusk", code: "worker" });
  await expect(worker.call("title", [save])).rejects.toMatchObject({ code: "worker" });

  const crashing = await start();
  const calls = await Promise.allSettled([crashing.call("crash"), crashing.call("crash")]);
  for (const call of calls)
    expect(call).toMatchObject({ reason: { code: "worker", reason: "the worker is gone: crashed", cause: { message: "crashed" } } });
  const leaving = await start();
  await expect(leaving.call("leave")).rejects.toMatchObject({ code: "worker", cause: { message: "the worker ended with exit code 3" } });
});

test("a worker that is running already, CommonJS, and a script that does not exist", async () => {
  const script = file("own.cjs", `require("tusk-codec/worker").serveTusk({ methods: { hello: (_, name) => "hello " + name } });`);
  const worker = await api.createTuskWorker({ worker: new Worker(script) });
  expect(await worker.call("hello", ["you"])).toBe("hello you");
  worker.terminate();
  await expect(api.createTuskWorker({ worker: join(FOLDER, "missing.mjs") })).rejects.toMatchObject({ code: "worker" });
});

test("memory of the worker alone: a save that does not fit ends the worker, not the process", async () => {
  const worker = await api.createTuskWorker({
    workerOptions: { resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 2 } },
  });
  const save = worker.elephant.write(Array.from({ length: 60 }, () => Array.from({ length: 10_000 }, (_, i) => ({ i }))));
  await expect(worker.read(save)).rejects.toMatchObject({ code: "worker", cause: { code: "ERR_WORKER_OUT_OF_MEMORY" } });
}, 20_000);

test("text larger than the worker's memory is read all the same, and the process goes on", async () => {
  const script = file(
    "long-text.mjs",
    `import { createTuskWorker } from "tusk-codec/worker";
import { writeDs } from "tusk-codec/ds";

const worker = await createTuskWorker({ workerOptions: { resourceLimits: { maxOldGenerationSizeMb: 16 } } });
const text = writeDs({ kind: "list", items: ["x".repeat(35_000_000)] });
console.log(text.length);
await worker.readDs(text.slice(0, -2)).catch(({ code, offset }) => console.log(code, offset));
await worker.importString("e".repeat(70_000_000)).catch(({ code }) => console.log(code));
console.log(await worker.readDs("93é").catch(({ code, offset }) => code + offset));
console.log((await worker.readDs(writeDs({ kind: "list", items: [5] }))).items);
worker.terminate();`,
  );
  const { stdout } = await run(process.execPath, [script]);
  expect(stdout).toBe("70000032\ntruncated 24\nexport-string\nbad-hex2\n[ 5 ]\n");
}, 30_000);

test.each(["mjs", "cjs"])(
  "an idle worker does not keep a process alive, one with work does (%s)",
  async (extension) => {
    const load =
      extension === "mjs"
        ? `import { createTuskWorker } from "tusk-codec/worker";`
        : `const { createTuskWorker } = require("tusk-codec/worker");`;
    const script = file(
      `idle.${extension}`,
      `${load}
    createTuskWorker().then(async (worker) => {
      const save = worker.elephant.write({ answer: 42 });
      console.log((await worker.read(save)).answer);
      worker.read(save).then(({ answer }) => console.log("late", answer));
    });`,
    );
    const { stdout } = await run(process.execPath, [script], { timeout: 20_000 });
    expect(stdout).toBe("42\nlate 42\n");
  },
  30_000,
);

test("a client that has its answer does not end the process while another one of the same worker waits", async () => {
  const service = file(
    "slow.mjs",
    `import { serveTusk } from "tusk-codec/worker";
serveTusk({ methods: { slow: () => new Promise((resolve) => setTimeout(resolve, 200, "slow")), fast: () => "fast" } });`,
  );
  const script = file(
    "two-clients.mjs",
    `import { Worker } from "node:worker_threads";
import { createTuskWorker } from "tusk-codec/worker";

const thread = new Worker(${JSON.stringify(service)});
const [one, two] = [await createTuskWorker({ worker: thread }), await createTuskWorker({ worker: thread })];
const slow = one.call("slow");
console.log(await two.call("fast"));
console.log(await slow);`,
  );
  const { stdout } = await run(process.execPath, [script], { timeout: 20_000 });
  expect(stdout).toBe("fast\nslow\n");
}, 30_000);

test("a worker that was started for a client ends with it, when nobody has it any more; one of the program's own script goes on", async () => {
  const service = file("goes-on.mjs", `import { serveTusk } from "tusk-codec/worker";\nserveTusk();`);
  const script = file(
    "dropped.mjs",
    `import threads from "node:worker_threads";
import { setTimeout as after } from "node:timers/promises";
import { createTuskWorker } from "tusk-codec/worker";

const made = [];
threads.Worker = class extends threads.Worker {
  constructor(...given) {
    super(...given);
    made.push(this);
  }
};
const useOnce = async (worker) => console.log(await (await createTuskWorker({ worker })).detect("x"));
await useOnce();
await useOnce(${JSON.stringify(service)});
for (let i = 0; i < 300 && made[0].threadId > 0; i++) {
  await after(10);
  gc();
}
console.log(made.map(({ threadId }) => threadId > 0));`,
  );
  const { stdout } = await run(process.execPath, ["--expose-gc", script], { timeout: 20_000 });
  expect(stdout).toBe("undefined\nundefined\n[ false, true ]\n");
}, 30_000);

test("where web workers are of less use than Node's, Node's are taken", async () => {
  const platform = globalThis as { Worker?: unknown };
  for (const runtime of ["bun", "deno"]) {
    // As in Deno, which has modules only.
    platform.Worker = class {
      constructor() {
        throw new DOMException("Classic workers are not supported.", "NotSupportedError");
      }
    };
    Object.defineProperty(process.versions, runtime, { value: "1.0.0", configurable: true });
    try {
      const worker = await api.createTuskWorker({ workerOptions: { name: runtime } });
      expect(await worker.read(worker.elephant.write([runtime]))).toEqual([runtime]);
      worker.terminate();
    } finally {
      Reflect.deleteProperty(process.versions, runtime);
      delete platform.Worker;
    }
  }
});

// Whatever else names the place of a module becomes the path on the machine that a bundle was built on (webpack).
test("the package asks for its own place only where bundlers see to it", () => {
  const built = readFileSync(join(ROOT, "dist/worker.mjs"), "utf8");
  expect(built.match(/.*import\.meta.*/g)).toEqual([expect.stringContaining('new Worker(new URL("./worker-thread.js", import.meta.url))')]);
});

describe("what nests too deeply for the thread that it is sent to", () => {
  const source = `
    import { serveTusk } from "tusk-codec/worker";
    const nested = (levels) => {
      let value = 1;
      for (let i = 0; i < levels; i++) value = [value];
      return value;
    };
    serveTusk({
      methods: {
        nested: (_context, levels) => nested(levels),
        report: ({ progress }, levels) => progress(nested(levels)),
        never: () => new Promise(() => {}),
        depth: (_context, value) => {
          let levels = 0;
          for (; Array.isArray(value); value = value[0]) levels++;
          return levels;
        },
      },
    });
  `;
  const nested = (levels: number): unknown => {
    let value: unknown = 1;
    for (let i = 0; i < levels; i++) value = [value];
    return value;
  };
  /** Whether a call gives something, or the code or name of what it rejects with. */
  const outcome = (call: Promise<unknown>) =>
    call.then(
      () => "given",
      (error: Error & { code?: string }) => error.code ?? error.name,
    );
  const started = async (name: string, workerOptions?: object) =>
    api.createTuskWorker({ worker: pathToFileURL(file(name, source)), ...(workerOptions && { workerOptions }) } as never);

  test.each(["nested", "report"])("ends the call alone: %s", async (method) => {
    const worker = await started(`deep-${method}.mjs`);
    try {
      const beside = outcome(worker.call("never"));
      expect(await outcome(worker.call(method, [300], { onProgress: () => {} }))).toBe("given");
      const outcomes = [];
      for (const levels of [1500, 3000, 5000, 7000, 9000, 30_000]) outcomes.push(await outcome(worker.call(method, [levels])));
      // At the end, more than the worker itself can follow.
      for (const each of outcomes) expect(["given", "worker", "RangeError"]).toContain(each);
      expect(outcomes).toContain("worker");
      expect(await worker.call("depth", [[[1]]])).toBe(2);
      expect(await Promise.race([beside, "pending"])).toBe("pending");
      worker.terminate();
      expect(await beside).toBe("worker");
    } finally {
      worker.terminate();
    }
  });

  test("ends the call alone where it is an argument", async () => {
    const worker = await started("deep-arguments.mjs", { resourceLimits: { stackSizeMb: 0.5 } });
    try {
      const outcomes = [];
      for (const levels of [300, 800, 1200, 1600, 2000, 2500, 3000]) outcomes.push(await outcome(worker.call("depth", [nested(levels)])));
      expect(outcomes[0]).toBe("given");
      expect(outcomes).toContain("worker");
      expect(await worker.call("depth", [[[1]]])).toBe(2);
    } finally {
      worker.terminate();
    }
  });

  test("a ds string of strings, with the default limits", async () => {
    const worker = await api.createTuskWorker();
    const { writeDs } = (await import(pathToFileURL(join(ROOT, "dist/ds.mjs")).href)) as typeof import("../../src/ds/index.ts");
    try {
      const outcomes = [];
      let text = "";
      for (let strings = 0; strings < 10; strings++) {
        let value: unknown = [text];
        for (let i = 1; i < 512; i++) value = [value];
        text = writeDs({ kind: "list", items: [value as never] });
        outcomes.push(await outcome(worker.readDs(text, { nested: true })));
        expect(await worker.detect(text)).toMatchObject({ format: "ds" });
      }
      expect(outcomes[0]).toBe("given");
      expect(outcomes).toContain("worker");
    } finally {
      worker.terminate();
    }
  });
});
