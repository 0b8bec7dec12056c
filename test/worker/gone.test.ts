// Whoever is gone answers no more: no call of theirs waits for ever, and the program goes on.
import type { EventEmitter } from "node:events";
import { setTimeout as after } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { MessageChannel, Worker } from "node:worker_threads";
import { expect, test } from "vitest";
import { createTuskWorker, type ServiceContext, serveTusk } from "../../src/worker/index.ts";

/** Bun has another engine, whose collector is not asked here. */
const V8 = !("bun" in process.versions);
if (V8) setFlagsFromString("--expose-gc");
const collect = V8 ? (runInNewContext("gc") as () => void) : () => {};

/** Answers whatever it is asked; "fail" is an error that it does not catch, a little later. */
const SCRIPT = `
const { parentPort } = require("node:worker_threads");
parentPort.on("message", ({ tag, id, method }) => {
  parentPort.postMessage({ tag, id, kind: "result", value: [{ engine: "js", methods: [] }] });
  if (method === "fail") setTimeout(() => { throw new Error("nobody catches this"); }, 50);
});`;

const thread = (script = SCRIPT): Worker => new Worker(script, { eval: true });

const exit = (running: Worker): Promise<unknown> => new Promise((resolve) => running.on("exit", resolve));

function standStill(milliseconds: number): void {
  for (const end = performance.now() + milliseconds; performance.now() < end; );
}

test("an error of the worker that is under way when it is terminated does not end the program", async () => {
  const running = thread();
  const worker = await createTuskWorker({ worker: running });
  const errors: unknown[] = [];
  const told = (error: unknown): void => void errors.push(error);
  process.on("uncaughtException", told);
  try {
    await worker.call("fail");
    standStill(200);
    worker.terminate();
    worker.terminate();
    expect(running.listenerCount("error")).toBe(1);
    await exit(running);
    await after(10);
  } finally {
    process.off("uncaughtException", told);
  }
  expect(errors).toEqual([]);
});

test("a worker that has ended is told at once", async () => {
  const ended = thread("");
  await exit(ended);
  await expect(createTuskWorker({ worker: ended })).rejects.toMatchObject({ format: "tusk", code: "worker" });
});

test.each(["this end", "the other end"])("a port that was closed at %s is told", async (end) => {
  for (const waits of [true, false]) {
    const { port1, port2 } = new MessageChannel();
    (end === "this end" ? port1 : port2).close();
    if (waits) await after(20);
    await expect(createTuskWorker({ worker: port1 })).rejects.toMatchObject({ format: "tusk", code: "worker" });
  }
});

test("a service that is ended tells its clients: calls under way, and later ones", async () => {
  const { port1, port2 } = new MessageChannel();
  const signals: AbortSignal[] = [];
  let begin: (() => void) | undefined;
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const end = serveTusk({
    port: port2,
    methods: {
      never: ({ signal }) => {
        if (signals.push(signal) === 2) begin!();
        return new Promise(() => {});
      },
    },
  });
  const clients = [await createTuskWorker({ worker: port1 }), await createTuskWorker({ worker: port1 })];
  const calls = clients.map((client) => client.call("never"));
  await begun;
  end();
  end();
  const gone = { format: "tusk", code: "worker", reason: "the worker is gone: its service was ended" };
  for (const call of calls) await expect(call).rejects.toMatchObject(gone);
  for (const client of clients) await expect(client.call("never")).rejects.toMatchObject(gone);
  expect(signals.map(({ aborted }) => aborted)).toEqual(Array(signals.length).fill(true));
  // The port can be served anew.
  const endAgain = serveTusk({ port: port2, methods: { hello: () => "hello" } });
  const client = await createTuskWorker({ worker: port1 });
  expect(await client.call("hello")).toBe("hello");
  client.terminate();
  endAgain();
});

test("a call that is made while the service ends is told, too", async () => {
  const { port1, port2 } = new MessageChannel();
  const end = serveTusk({ port: port2 });
  const client = await createTuskWorker({ worker: port1 });
  end();
  await expect(client.call("detect", ["x"])).rejects.toMatchObject({ code: "worker" });
  client.terminate();
});

/** What is told of clients that are gone, and the messages after it, arrives in turns of the event loop. */
async function collected(): Promise<void> {
  for (let i = 0; i < 2; i++) {
    await after(10);
    collect();
  }
  await after(10);
}

test.runIf(V8)(
  "a client that is not kept leaves: its codec goes, the others' stay, and so does what listens to the worker's errors",
  async () => {
    const { port1, port2 } = new MessageChannel();
    const codecs: WeakRef<object>[] = [];
    const see = ({ elephant }: ServiceContext): void => void codecs.push(new WeakRef(elephant));
    const end = serveTusk({ port: port2, methods: { see } });
    const kept = await createTuskWorker({ worker: port1 });
    await kept.call("see");
    const running = thread();
    const useOnce = async () => {
      await (await createTuskWorker({ worker: port1 })).call("see");
      await createTuskWorker({ worker: running });
    };
    await useOnce();
    expect(running.listenerCount("message")).toBe(1);
    await collected();
    expect(codecs.map((codec) => codec.deref() !== undefined)).toEqual([true, false]);
    expect(["message", "error"].map((event) => running.listenerCount(event))).toEqual([0, 1]);
    await kept.call("see");
    expect(codecs[2].deref()).toBe(codecs[0].deref());
    kept.terminate();
    end();
    await running.terminate();
  },
);

test.runIf(V8)("a client stays for as long as a call of its waits", async () => {
  const { port1, port2 } = new MessageChannel();
  let answer: ((result: string) => void) | undefined;
  const end = serveTusk({ port: port2, methods: { wait: () => new Promise((resolve) => (answer = resolve)) } });
  const call = (async () => {
    const client = await createTuskWorker({ worker: port1 });
    return [client.call("wait")];
  })();
  const [result] = await call;
  await collected();
  answer!("here");
  expect(await result).toBe("here");
  end();
  port1.close();
});

test("a client that cannot be made leaves the worker that it was given", async () => {
  const { port1, port2 } = new MessageChannel();
  const kinds: [string, boolean][] = [];
  let client: number | undefined;
  port2.on("message", ({ kind, id, client: calling }) => {
    client ??= calling;
    kinds.push([kind, id === client]);
  });
  const end = serveTusk({ port: port2, engine: "js" });
  await expect(createTuskWorker({ worker: port1, wasm: new Uint8Array(8), engine: "wasm" })).rejects.toMatchObject({ code: "engine" });
  await after(10);
  expect(kinds.filter(([kind]) => kind !== "next")).toEqual([
    ["call", false],
    ["leave", true],
  ]);
  end();
  port1.close();
});

test("a client that gave up by itself leaves nevertheless", async () => {
  const { port1, port2 } = new MessageChannel();
  const kinds: string[] = [];
  port2.on("message", ({ kind }) => kinds.push(kind));
  const end = serveTusk({ port: port2 });
  const client = await createTuskWorker({ worker: port1 });
  (port1 as unknown as EventEmitter).emit("messageerror", new Error("deep"));
  await expect(client.call("detect", ["x"])).rejects.toMatchObject({ code: "worker" });
  const left = new Promise((resolve) => port2.on("message", ({ kind }) => kind === "leave" && resolve(kind)));
  client.terminate();
  expect(await left).toBe("leave");
  expect(kinds).toEqual(["next", "call", "next", "leave"]);
  end();
});

/** Both ends of a connection of one's own, which throw once it is closed. */
function ownConnection() {
  const sides = [new EventTarget(), new EventTarget()];
  let open = true;
  let stopped = 0;
  const receive = (at: 0 | 1, data: unknown) => sides[at].dispatchEvent(new MessageEvent("message", { data }));
  const side = (at: 0 | 1) => ({
    postMessage(message: unknown) {
      if (!open) throw new Error("the socket is closed");
      const data: unknown = structuredClone(message);
      queueMicrotask(() => receive(at === 0 ? 1 : 0, data));
    },
    addEventListener: sides[at].addEventListener.bind(sides[at]),
    removeEventListener: sides[at].removeEventListener.bind(sides[at]),
    terminate: () => stopped++,
  });
  return {
    here: side(0) as never,
    there: side(1) as never,
    receive,
    tell: (at: 0 | 1, type: string) => sides[at].dispatchEvent(new Event(type)),
    close: () => {
      open = false;
    },
    stopped: () => stopped,
  };
}

test("a port of one's own that throws where its other side is gone is terminated all the same", async () => {
  const { here, there, close, stopped } = ownConnection();
  serveTusk({ port: there, methods: { never: () => new Promise(() => {}) } });
  const client = await createTuskWorker({ worker: here });
  const call = client.call("never");
  close();
  client.terminate();
  await expect(call).rejects.toMatchObject({ code: "worker", reason: "the worker is gone: it was terminated" });
  expect(stopped()).toBe(1);
});

test("calls that are given up at such a port reject, all of them", async () => {
  const { here, there, close } = ownConnection();
  serveTusk({ port: there, methods: { never: () => new Promise(() => {}) } });
  const client = await createTuskWorker({ worker: here });
  const controller = new AbortController();
  const { signal } = controller;
  const calls = [client.call("never", [], { signal }), client.call("never", [], { signal })];
  close();
  controller.abort("enough");
  const rejected = { status: "rejected", reason: "enough" };
  expect(await Promise.race([Promise.allSettled(calls), after(10)])).toEqual([rejected, rejected]);
});

test("a service at such a port goes on, and can be ended", async () => {
  const { here, there, receive, tell, close } = ownConnection();
  const signals: AbortSignal[] = [];
  let answer: ((result: string) => void) | undefined;
  const wait = ({ signal }: ServiceContext) => {
    signals.push(signal);
    return new Promise((resolve) => (answer = resolve));
  };
  const errors: unknown[] = [];
  const told = (error: unknown): void => void errors.push(error);
  const events = ["uncaughtException", "unhandledRejection"];
  for (const event of events) process.on(event, told);
  try {
    const end = serveTusk({ port: there, methods: { wait } });
    const client = await createTuskWorker({ worker: here });
    const calls = Promise.allSettled([client.call("wait"), client.call("wait")]);
    await after(1);
    // A message of a call that cannot be read.
    receive(1, { tag: "tusk-1", id: 1, kind: "next" });
    close();
    answer!("too late");
    tell(1, "messageerror");
    await after(1);
    expect(signals.map(({ aborted }) => aborted)).toEqual([false, false]);
    tell(1, "close");
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, false]);
    end();
    client.terminate();
    await calls;
    await after(10);
  } finally {
    for (const event of events) process.off(event, told);
  }
  expect(errors).toEqual([]);
});
