// Whoever is gone answers no more: no call of theirs waits for ever, and the program goes on.
import { setTimeout as after } from "node:timers/promises";
import { MessageChannel, Worker } from "node:worker_threads";
import { expect, test } from "vitest";
import { createTuskWorker, serveTusk } from "../../src/worker/index.ts";

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
  let signal: AbortSignal | undefined;
  const end = serveTusk({
    port: port2,
    methods: {
      never: (context) => {
        signal = context.signal;
        return new Promise(() => {});
      },
    },
  });
  const clients = [await createTuskWorker({ worker: port1 }), await createTuskWorker({ worker: port1 })];
  const calls = clients.map((client) => client.call("never"));
  await after(10);
  end();
  end();
  const gone = { format: "tusk", code: "worker", reason: "the worker is gone: its service was ended" };
  for (const call of calls) await expect(call).rejects.toMatchObject(gone);
  for (const client of clients) await expect(client.call("never")).rejects.toMatchObject(gone);
  expect(signal!.aborted).toBe(true);
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
