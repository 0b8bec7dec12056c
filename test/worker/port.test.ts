// Client and service over a message port: what crosses, and as what it arrives. Both ends are in this thread, so that both can be looked at;
// real threads are in threads.test.ts.
import { EventEmitter as Emitter, type EventEmitter, getEventListeners } from "node:events";
import { mkdtempSync, openAsBlob, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as after } from "node:timers/promises";
import { fileURLToPath, pathToFileURL } from "node:url";
import { runInNewContext } from "node:vm";
import { Worker } from "node:worker_threads";
import { deflateSync } from "node:zlib";
import { afterEach, describe, expect, test } from "vitest";
// @ts-expect-error: a script without types
import { compiled } from "../../scripts/test-sources.mjs";
import { readDs, writeDs } from "../../src/ds/index.ts";
import { createElephantSync, POST_READ, SCHEMA, Scalar, StructInstance, TuskError } from "../../src/elephant/index.ts";
import { NanBits, readEnigma, writeEnigma } from "../../src/enigma/index.ts";
import type { TuskWarning } from "../../src/errors.ts";
import { textToSend } from "../../src/worker/bytes.ts";
import {
  createTuskWorker,
  type ServeOptions,
  type ServiceContext,
  serveTusk,
  type TuskWorker,
  type TuskWorkerOptions,
} from "../../src/worker/index.ts";
import { gameOf } from "../enigma/samples.ts";

const open: (() => void)[] = [];
afterEach(() => {
  for (const close of open.splice(0)) close();
});

async function connect(serve: ServeOptions = {}, options: TuskWorkerOptions = {}): Promise<TuskWorker> {
  const { port1, port2 } = new MessageChannel();
  const end = serveTusk({ ...serve, port: port2 });
  const worker = await createTuskWorker({ ...options, worker: port1 });
  open.push(() => {
    worker.terminate();
    end();
  });
  return worker;
}

async function rejection(promise: Promise<unknown>): Promise<Error & { code?: unknown }> {
  return promise.then(
    () => expect.fail("a rejection was expected"),
    (error: Error) => error,
  );
}

class Hero {
  name = "";
  hp = 0;
  calls: string[] | undefined = undefined;
  static [SCHEMA] = { v1: { name: "string", hp: "u16" }, v2: { name: "string", hp: "f64" } } as const;
  greet(): string {
    return `I am ${this.name}`;
  }
  [POST_READ]({ schemaVersion }: { schemaVersion: number }): void {
    this.calls = [`post-read of version ${schemaVersion}`];
  }
}

describe("saves", () => {
  test("reading gives what the codec gives: classes, callbacks, sharing, options", async () => {
    const worker = await connect({}, { constructors: { Hero } });
    const hero = Object.assign(new Hero(), { name: "Ada", hp: 7.5 });
    const bytes = worker.elephant.write({ hero, team: [hero], exact: Scalar("s32", 5), big: 5n, none: undefined });
    const value = await worker.read<{ hero: Hero; team: Hero[] }>(bytes, { scalars: "exact" });
    expect(value).toEqual(worker.elephant.read(bytes, { scalars: "exact" }));
    expect(value.team[0]).toBe(value.hero);
    expect(value.hero.greet()).toBe("I am Ada");
    expect(value.hero.calls).toEqual(["post-read of version 2"]);
    const room = Buffer.concat([new Uint8Array(3), bytes, new Uint8Array(9)]);
    expect(await worker.readAt(room, 3)).toEqual({ value: worker.elephant.read(bytes), end: 3 + bytes.length, release: "1.5.1" });
    expect(await worker.read(new Blob([room]), { offset: 3 })).toEqual(worker.elephant.read(bytes));
  });

  test("the class's schema is known to the worker, its code is not needed there", async () => {
    const worker = await connect({}, { constructors: { Hero }, unknownConstructor: "generic" });
    const stranger = new StructInstance("Stranger", { x: 1 });
    const value = await worker.read<StructInstance>(worker.elephant.write(stranger));
    expect(StructInstance.nameOf(value)).toBe("Stranger");
    const strict = await connect();
    expect((await rejection(strict.read(worker.elephant.write(stranger)))).code).toBe("unknown-constructor");
  });

  test("writing, export strings and JSON are those of the codec", async () => {
    const worker = await connect({}, { constructors: { Hero } });
    const hero = Object.assign(new Hero(), { name: "Ada", hp: 7.5 });
    const world = { hero, list: [1, "two", { three: true }] };
    expect(await worker.write(world)).toEqual(worker.elephant.write(world));
    const text = await worker.exportString(world);
    expect(text).toBe(worker.elephant.exportString(world));
    expect(await worker.importString(text)).toEqual(worker.elephant.importString(text));
    const save = worker.elephant.write(world, { release: "1.4.0" });
    expect(await worker.toJson(save)).toEqual(worker.elephant.toJson(worker.elephant.read(save)));
    expect(save.length).toBeGreaterThan(0);
  });

  test("JSON has no options of reading", async () => {
    const worker = await connect();
    const seen: number[] = [];
    const others = { offset: 3, typedArrays: true, scalars: "anything", onProgress: ({ done }: { done: number }) => seen.push(done) };
    expect(await worker.toJson(worker.elephant.write({ list: [1, 2] }), others)).toEqual({ list: [1, 2] });
    expect(seen).toHaveLength(1);
  });

  test("the limits are the save's, not those of the form in which its JSON crosses", async () => {
    const shared = {};
    const ring: { ring?: object } = {};
    ring.ring = ring;
    for (const [value, limits, code] of [
      [[shared, shared], { maxNodes: 2 }, "element-limit"],
      [ring, { maxDepth: 1 }, "depth-limit"],
    ] as const) {
      const worker = await connect({}, { limits });
      const save = worker.elephant.write(value);
      const json = worker.elephant.toJson(worker.elephant.read(save));
      expect(await worker.toJson(save)).toEqual(json);
      expect((await rejection(worker.toJson(createElephantSync().write(json)))).code).toBe(code);
    }
  });

  test("... nor those of its empty elements: in the form, an array of nothing but undefined has no byte for each", async () => {
    const worker = await connect({}, { limits: { maxEmptyElements: 10 } });
    // Each of them has a code of its own here.
    const save = Uint8Array.from([0x50, 0x45, 0x4c, 0x45, 1, 5, 1, 0, 205, 11, 0, 204, ...Array(11).fill(207), 0x54, 0x4e, 0x41, 0x48]);
    expect(await worker.toJson(save)).toStrictEqual(Array(11).fill(undefined));
    expect(await rejection(worker.toJson(worker.elephant.write(Array(11).fill(undefined))))).toMatchObject({ code: "element-limit" });
  });

  test("JSON of an instance has to have room for the two members that tell its class", async () => {
    const worker = await connect({}, { unknownConstructor: "generic" });
    const members = Object.fromEntries(Array.from({ length: 65_531 }, (_, i) => [`m${i}`, true]));
    const json = (await worker.toJson(worker.elephant.write(new StructInstance("C", members)))) as object;
    expect([Object.keys(json).length, Object.hasOwn(json, "m65530")]).toEqual([65_533, true]);
    members.one = true;
    const error = await rejection(worker.toJson(worker.elephant.write(new StructInstance("C", members))));
    expect(error).toMatchObject({ format: "elephant", code: "struct-too-large" });
  });

  test("... and JSON of a save of 1.0.0 for the longest array and the longest plain struct", async () => {
    const worker = await connect();
    const saveOf = (code: number, count: number, rest: string) =>
      Buffer.concat([Buffer.from([0x41, 0x54, 0x4d, 0x43, 0, 0, 1, 0, code, count & 255, count >> 8]), Buffer.from(rest, "latin1")]);
    const list = (count: number) => saveOf(15, count, `\x0a${"\x01".repeat(count)}`);
    const struct = (count: number) => saveOf(16, count, Array.from({ length: count }, (_, i) => `m${i}\0\x0a\x01`).join(""));
    expect(await worker.toJson(list(65_534))).toHaveLength(65_534);
    expect(Object.keys((await worker.toJson(struct(65_533))) as object)).toHaveLength(65_533);
    for (const [save, code] of [
      [list(65_535), "array-too-long"],
      [struct(65_534), "struct-too-large"],
    ] as const) {
      expect(worker.elephant.read(save)).toBeTypeOf("object");
      expect(await rejection(worker.toJson(save))).toMatchObject({ format: "elephant", code });
    }
  });

  test("a view crosses without the rest of its buffer, and stays", async () => {
    let received: Uint8Array | undefined;
    const methods = {
      check: async (context: ServiceContext, bytes: Uint8Array<ArrayBuffer>) => {
        received = bytes;
        return context.transfer({ bytes }, [bytes.buffer]);
      },
    };
    const worker = await connect({ methods });
    const save = worker.elephant.write("hello");
    const buffer = new Uint8Array(1_000_000);
    buffer.set(save, 5000);
    const length = save.length;
    expect(await worker.read(buffer.subarray(5000, 5000 + length), { transfer: true })).toBe("hello");
    expect(received!.byteLength).toBe(0);
    expect(buffer.length).toBe(1_000_000);
    expect(await worker.read(save)).toBe("hello");
    expect(save.length).toBe(length);
    expect(await worker.read(save, { transfer: true })).toBe("hello");
    expect(save.length).toBe(0);
  });

  test("a buffer that was moved before is refused on either side, and the worker goes on", async () => {
    const moved = new Uint8Array(4);
    structuredClone(moved.buffer, { transfer: [moved.buffer] });
    const methods = {
      length: (_: ServiceContext, bytes: Uint8Array) => bytes.length,
      again: ({ transfer }: ServiceContext) => transfer(1, [moved.buffer]),
    };
    const worker = await connect({ methods });
    const save = worker.elephant.write("hello");
    const bytes = save.slice();
    const refused = { name: "TuskError", code: "bad-option", reason: "a buffer that is to be moved was moved before" };
    const far = runInNewContext("(length) => new ArrayBuffer(length)")(save.length) as ArrayBuffer;
    new Uint8Array(far).set(save);
    expect(await worker.read(far, { transfer: true })).toBe("hello");
    expect(far.byteLength).toBe(0);
    expect(await rejection(worker.call("length", [save], { transfer: [far] }))).toMatchObject(refused);
    const [first, second] = await Promise.allSettled([worker.read(bytes, { transfer: true }), worker.read(bytes, { transfer: true })]);
    expect(first).toMatchObject({ status: "fulfilled", value: "hello" });
    expect(second).toMatchObject({ status: "rejected", reason: refused });
    expect(await rejection(worker.call("length", [save], { transfer: [moved.buffer] }))).toMatchObject(refused);
    expect(await rejection(worker.call("again"))).toMatchObject(refused);
    expect(await worker.read(save)).toBe("hello");
  });

  test("whatever the codec takes for bytes; what is none is refused as by the codec", async () => {
    const worker = await connect();
    const bytes = worker.elephant.write([1, 2]);
    const far = runInNewContext("(length) => new ArrayBuffer(length)")(bytes.length) as ArrayBuffer;
    new Uint8Array(far).set(bytes);
    const shared = new Uint8Array(new SharedArrayBuffer(bytes.length));
    shared.set(bytes);
    for (const input of [new DataView(bytes.slice().buffer), far, shared, shared.buffer]) {
      expect(await worker.read(input as never)).toEqual([1, 2]);
      expect(await worker.toJson(input as never)).toEqual([1, 2]);
    }
    for (const wrong of [
      worker.read("no save" as never),
      worker.read(undefined as never),
      worker.read(bytes, { signal: 5 as never }),
      worker.importString(undefined as never),
      worker.toJson(7 as never),
    ])
      expect(await rejection(wrong)).toMatchObject({ name: "TuskError", code: "bad-option" });
  });

  test("what is no bytes to one of the other formats is bad-option, also where it could not cross", async () => {
    const worker = await connect();
    const givenAway = new Uint8Array(4);
    structuredClone(givenAway.buffer, { transfer: [givenAway.buffer] });
    for (const wrong of [givenAway, givenAway.buffer, Promise.resolve(new Uint8Array(4)), undefined, 5, {}]) {
      expect(await rejection(worker.readEnigma(wrong as never))).toMatchObject({ name: "TuskError", format: "enigma", code: "bad-option" });
      expect(await rejection(worker.readDs(wrong as never))).toMatchObject({ name: "TuskError", format: "ds", code: "bad-option" });
      expect(await worker.detect(wrong as never)).toBeUndefined();
    }
  });

  test("of bytes for another format a copy is sent: the caller's stay, also where they are to be moved", async () => {
    const worker = await connect();
    const moved = (bytes: Uint8Array<ArrayBuffer>) => ({ transfer: [bytes.buffer] });
    const save = worker.elephant.write("hello");
    expect(await worker.detect(save, moved(save))).toMatchObject({ format: "elephant" });
    expect(worker.elephant.read(save)).toBe("hello");
    const game = writeEnigma(gameOf([]));
    expect(await worker.readEnigma(game, {}, moved(game))).toEqual(readEnigma(game));
    expect(await worker.readEnigma(game, { onWarning: () => {} }, moved(game))).toEqual(readEnigma(game));
    const text = new TextEncoder().encode("2F01000000000000");
    expect(await worker.readDs(text, {}, moved(text))).toMatchObject({ kind: "list", items: [] });
    expect(text).toHaveLength(16);
    expect(await worker.readDs("2F01000000000000", {}, moved(text))).toMatchObject({ kind: "list", items: [] });
    expect(text).toHaveLength(16);
  });

  test("options that are none are errors of their own", async () => {
    const worker = await connect();
    const save = worker.elephant.write({ a: 1 });
    const none = null as unknown as undefined;
    const refused: (() => Promise<unknown>)[] = [
      () => worker.read(save, none),
      () => worker.readAt(save, 0, none),
      () => worker.importString(worker.elephant.exportString(1), none),
      () => worker.toJson(save, none),
      () => worker.readEnigma(new Uint8Array(), none),
    ];
    for (const call of refused) expect(await rejection(call()), String(call)).toMatchObject({ name: "TuskError" });
    expect(await worker.read(save)).toEqual({ a: 1 });
  });

  test("a Blob of a file, which does not cross in Node, is read here", async () => {
    const worker = await connect();
    const bytes = worker.elephant.write({ level: 5 });
    const folder = mkdtempSync(join(tmpdir(), "tusk-blob-"));
    try {
      writeFileSync(join(folder, "slot1.dat"), bytes);
      const blob = await openAsBlob(join(folder, "slot1.dat"));
      expect(await worker.read(blob)).toEqual({ level: 5 });
      expect(await worker.readAt(blob, 0)).toMatchObject({ end: bytes.length });
      expect((await rejection(worker.read(blob.slice(0, 20)))).code).toBe("truncated");
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test("one whose bytes do not come is given up at the signal", async () => {
    const worker = await connect();
    const controller = new AbortController();
    const stuck = { arrayBuffer: () => new Promise(() => {}) } as Blob;
    const reading = rejection(worker.read(stuck, { signal: controller.signal }));
    const reason = new Error("stop");
    controller.abort(reason);
    expect(await reading).toBe(reason);
    expect(getEventListeners(controller.signal, "abort")).toEqual([]);
  }, 5000);

  test("a class without a schema has none in the worker either", async () => {
    class Old {
      name = "";
    }
    const strict = createElephantSync({ constructors: { Old: Hero } }).write([new Hero()]);
    const worker = await connect({}, { constructors: { Old, ["__proto__"]: Old } });
    expect((await rejection(worker.read(strict))).code).toBe("schema-missing");
    const named = createElephantSync({ constructors: { ["__proto__"]: Old } }).write([new Old()]);
    expect(await worker.read<Old[]>(named)).toEqual([new Old()]);
  });

  test("of a class with two names the first crosses, as the codec writes it", async () => {
    class Ship {
      name = "Argo";
    }
    const save = ({ elephant }: ServiceContext, value: unknown) => elephant.write(value);
    const known = ({ elephant }: ServiceContext, value: unknown) => [value instanceof Ship, elephant.write(value)];
    const options = { constructors: { Ship, Boat: Ship } };
    const worker = await connect({ methods: { save } }, options);
    expect(await worker.call("save", [new Ship()])).toEqual(worker.elephant.write(new Ship()));
    const own = await connect({ methods: { known }, constructors: { Ship } }, options);
    expect(await own.call("known", [new Ship()])).toEqual([true, own.elephant.write(new Ship())]);
  });

  test("text that is not ASCII is refused where it is not, and not sent further", async () => {
    const worker = await connect();
    for (const text of ["AAAA€AAA", "AA😀AAA", "\ud83dAAA"]) {
      const own = async (read: (text: string) => unknown) => rejection((async () => read(text))()) as Promise<TuskError>;
      const { code, offset } = await own((text) => worker.elephant.importString(text));
      expect([code, offset]).toEqual(["export-string", text.search(/[^A]/)]);
      expect(await rejection(worker.importString(text))).toMatchObject({ code, offset });
      const ds = await own(readDs);
      expect(await rejection(worker.readDs(text))).toMatchObject({ code: ds.code, offset: ds.offset });
    }
    expect(textToSend(`AA${"€".repeat(1000)}`)).toEqual(new TextEncoder().encode("AA€"));
  });

  test("the worker's own limits come before the client's", async () => {
    const worker = await connect({ limits: { maxInflatedBytes: 1000 } });
    const text = worker.elephant.exportString("x".repeat(10_000));
    expect((await rejection(worker.importString(text))).code).toBe("inflate-limit");
    const limits = { maxInflatedBytes: 1000.5 };
    for (const other of [await connect({ limits }), await connect({}, { limits })])
      expect(await rejection(other.importString(text))).toMatchObject({ code: "inflate-limit", offset: 1000 });
  });

  test("so do its engine and what becomes of unknown constructors", async () => {
    const methods = { look: ({ elephant }: ServiceContext, save: Uint8Array) => [elephant.engine, typeof elephant.read(save)] };
    const save = createElephantSync({ unknownConstructor: "generic" }).write(new StructInstance("Stranger", { x: 1 }));
    const look = async (serve: ServeOptions, options: TuskWorkerOptions) =>
      (await connect({ ...serve, methods }, options)).call("look", [save]);
    expect(await look({ engine: "js", unknownConstructor: "generic" }, { engine: "wasm" })).toEqual(["js", "object"]);
    expect(await look({}, { engine: "js", unknownConstructor: "generic" })).toEqual(["js", "object"]);
    expect((await rejection(look({ unknownConstructor: "error" }, { unknownConstructor: "generic" }))).code).toBe("unknown-constructor");
  });

  test("a limit that only one of the two gives is one of the worker", async () => {
    const methods = { load: ({ elephant }: ServiceContext, save: Uint8Array) => Array.isArray(elephant.read(save)) };
    const worker = await connect({ methods, limits: { maxNodes: 50 } }, { limits: { maxDepth: 2 } });
    const codec = createElephantSync();
    const load = (value: unknown) => worker.call("load", [codec.write(value)]);
    expect(await load([[1]])).toBe(true);
    expect((await rejection(load([[[1]]]))).code).toBe("depth-limit");
    expect((await rejection(load(Array.from({ length: 60 }, () => [])))).code).toBe("element-limit");
  });

  test("of a limit that both give the worker's counts, whether it is the lower one or not", async () => {
    const methods = { load: ({ elephant }: ServiceContext, save: Uint8Array) => Array.isArray(elephant.read(save)) };
    const nested = createElephantSync().write([[[1]]]);
    const load = async (limits: [number, number]) => {
      const [ofWorker, ofClient] = limits.map((maxDepth) => ({ maxDepth }));
      return (await connect({ methods, limits: ofWorker }, { limits: ofClient })).call("load", [nested]);
    };
    expect(await load([3, 2])).toBe(true);
    expect((await rejection(load([2, 3]))).code).toBe("depth-limit");
  });

  test("what the worker gives as undefined is the client's", async () => {
    const look = ({ elephant }: ServiceContext, save: Uint8Array) => [elephant.engine, elephant.read(save)];
    const none = { engine: undefined, unknownConstructor: undefined, wasm: undefined };
    const given = { constructors: { Hero }, unknownConstructor: "generic", engine: "js" } as const;
    const worker = await connect(
      { ...none, methods: { look }, constructors: { Hero: undefined as never }, limits: { maxNodes: undefined, maxDepth: undefined } },
      { ...given, limits: { maxNodes: 2 } },
    );
    const codec = createElephantSync(given);
    const instances = [new StructInstance("Stranger", { x: 1 })];
    expect(await worker.call("look", [codec.write(instances)])).toEqual(["js", instances]);
    expect((await rejection(worker.call("look", [codec.write([[], []])]))).code).toBe("element-limit");
    // Strictly, so by the client's schema.
    expect(await worker.call("look", [codec.write(new Hero())])).toMatchObject(["js", { name: "", hp: 0 }]);
  });

  test("the worker's own WebAssembly module comes before the client's", async () => {
    // The smallest module there is, and not this release's.
    const other = Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0);
    const kernel = readFileSync(new URL("../../dist/tusk.wasm", import.meta.url));
    expect((await rejection(connect({ wasm: other }))).code).toBe("engine");
    expect((await rejection(connect({ wasm: other }, { wasm: kernel }))).code).toBe("engine");
  });

  test("options that are inherited are options", async () => {
    const worker = await connect();
    const signal = AbortSignal.abort();
    expect(await rejection(worker.detect("x", Object.create({ signal })))).toBe(signal.reason);
    let seen = 0;
    await worker.toJson(worker.elephant.write([1]), Object.create({ onProgress: () => seen++ }));
    expect(seen).toBeGreaterThan(0);
    expect(await worker.read(worker.elephant.write(Float32Array.of(1)), Object.create({ typedArrays: true }))).toEqual(Float32Array.of(1));
    const call = Object.create({ signal });
    expect(await rejection(worker.writeEnigma(gameOf([]), { onWarning: () => {} }, call))).toBe(signal.reason);
    const { port1, port2 } = new MessageChannel();
    open.push(serveTusk({ port: port2 }));
    const limited = await createTuskWorker(Object.assign(Object.create({ limits: { maxDepth: 2 } }), { worker: port1 }));
    open.push(() => limited.terminate());
    expect((await rejection(limited.read(worker.elephant.write([[[1]]])))).code).toBe("depth-limit");
    expect(() => limited.elephant.write([[[1]]])).toThrow(expect.objectContaining({ code: "depth-limit" }));
    const low = await connect({}, { limits: Object.create({ maxDepth: 2 }) });
    expect((await rejection(low.call("check", [worker.elephant.write([[[1]]]), 0]))).code).toBe("depth-limit");
    const served = await connect({ limits: Object.create({ maxDepth: 2 }) }, { limits: { maxDepth: 9 } });
    expect((await rejection(served.call("check", [worker.elephant.write([[[1]]]), 0]))).code).toBe("depth-limit");
  });

  test("a class whose schema is null has none in the worker, too", async () => {
    class Free {
      static [SCHEMA] = null;
      a = 1;
    }
    const worker = await connect({}, { constructors: { Free: Free as never } });
    expect(await worker.read(worker.elephant.write(new Free()))).toEqual(new Free());
  });

  test("in an export string the save may stand behind other bytes, as for the codec", async () => {
    const worker = await connect();
    const text = deflateSync(Buffer.concat([new Uint8Array(3), worker.elephant.write("hello")])).toString("base64");
    expect(await worker.importString(text, { offset: 3 })).toBe("hello");
    expect(worker.elephant.importString(text, { offset: 3 })).toBe("hello");
    expect((await rejection(worker.importString(text))).code).toBe("header");
    expect(await worker.importString(worker.elephant.exportString(7), { offset: null as never })).toBe(7);
  });

  test("progress goes up once", async () => {
    const worker = await connect();
    const bytes = worker.elephant.write(Array.from({ length: 20_000 }, (_, id) => ({ id, name: `entity ${id}` })));
    const seen: number[] = [];
    await worker.read(bytes, {
      sliceMs: 0.5,
      onProgress: ({ done, total }) => {
        expect(total).toBe(bytes.length);
        seen.push(done);
      },
    });
    expect(seen.length).toBeGreaterThan(2);
    expect(seen).toEqual([...seen].sort((a, b) => a - b));
    expect(seen.at(-1)).toBe(bytes.length);
    // The first pass, which is the worker's, is half of it.
    expect(seen.some((done) => done > 0 && done <= bytes.length / 2)).toBe(true);
  });
});

describe("other formats", () => {
  test("detect, ds, ENIGMA", async () => {
    const worker = await connect();
    expect(await worker.detect(worker.elephant.write(1))).toMatchObject({ format: "elephant", release: "1.5.1" });
    const list = { kind: "list" as const, generation: 3 as const, items: [1, "a", 5n] };
    const text = await worker.writeDs(list);
    expect(await worker.detect(text)).toMatchObject({ format: "ds" });
    expect(await worker.readDs(text)).toEqual(list);
    expect((await rejection(worker.readEnigma(new Uint8Array(3)))).message).toContain("enigma");
  });
});

describe("errors", () => {
  test("a TuskError stays one, with all that it says", async () => {
    const worker = await connect({
      methods: {
        fail: () => {
          throw new TuskError("ds", "bad-hex", "no digit", { offset: 3, line: 4, path: ".x", cause: new RangeError("deep") });
        },
      },
    });
    const bytes = worker.elephant.write([1, 2, 3]);
    const damaged = bytes.slice(0, 20);
    const own = (() => {
      try {
        worker.elephant.read(damaged);
      } catch (error) {
        return error as TuskError;
      }
    })()!;
    const error = await rejection(worker.read(damaged));
    expect(error).toBeInstanceOf(TuskError);
    expect({ ...error, message: error.message }).toEqual({ ...own, message: own.message });
    const other = (await rejection(worker.call("fail"))) as TuskError;
    expect(other).toBeInstanceOf(TuskError);
    expect([other.format, other.code, other.offset, other.line, other.path, other.reason]).toEqual([
      "ds",
      "bad-hex",
      3,
      4,
      ".x",
      "no digit",
    ]);
    expect(other.cause).toBeInstanceOf(RangeError);
  });

  test("other errors keep name, message and code", async () => {
    class StrangeError extends Error {
      override name = "StrangeError";
      code = "E_STRANGE";
    }
    const worker = await connect({
      methods: {
        strange: () => {
          throw new StrangeError("odd");
        },
        type: () => null!["x" as never],
        text: () => {
          throw "text";
        },
        function: () => () => 1,
      },
    });
    expect(await rejection(worker.call("strange"))).toMatchObject({ name: "StrangeError", message: "odd", code: "E_STRANGE" });
    expect(await rejection(worker.call("type"))).toBeInstanceOf(TypeError);
    expect((await rejection(worker.call("text"))).message).toBe("text");
    expect((await rejection(worker.call("function"))).name).toBe("DataCloneError");
    expect((await rejection(worker.call("strange", [() => 1]))).name).toBe("DataCloneError");
    expect((await rejection(worker.call("nothing"))).code).toBe("unknown-method");
    expect((await rejection(worker.call("toString"))).code).toBe("unknown-method");
  });
});

describe("classes of errors", () => {
  class Far extends RangeError {
    override name = "Far";
    code = "E_FAR";
  }
  const thrown = async (error: unknown) => {
    const worker = await connect({
      methods: {
        fail: () => {
          throw error;
        },
      },
    });
    return rejection(worker.call("fail"));
  };

  test("one that an own class extends is that of the error", async () => {
    const error = await thrown(new Far("too far"));
    expect(error).toBeInstanceOf(RangeError);
    expect(error).toMatchObject({ name: "Far", message: "too far", code: "E_FAR" });
  });

  test("a name that is of no class makes none", async () => {
    for (const name of ["Near", "toString", "__proto__", "TuskError"]) {
      const error = await thrown(Object.assign(new Error("no"), { name }));
      expect(error).toMatchObject({ name, message: "no" });
      expect(Object.getPrototypeOf(error)).toBe(Error.prototype);
    }
    const named = await thrown(Object.assign(new TypeError("no"), { name: "TuskError", code: () => "bad" }));
    expect(named).toMatchObject({ name: "TuskError", message: "no" });
    expect(named).toBeInstanceOf(TypeError);
  });

  test("an error of the package's other copy, which a module of the worker's may have, is one of this copy", async () => {
    const module = `${pathToFileURL(compiled(fileURLToPath(new URL("../../src/errors.ts", import.meta.url)))!)}?other`;
    const { TuskError: Other } = (await import(module)) as typeof import("../../src/errors.ts");
    const other = new Other("ds", "bad-hex", "no digit", { offset: 3, path: ".x", cause: new Other("tusk", "worker", "why") });
    expect(other).not.toBeInstanceOf(TuskError);
    const error = (await thrown(other)) as TuskError;
    for (const each of [error, error.cause]) expect(each).toBeInstanceOf(TuskError);
    expect({ ...error, message: error.message }).toEqual({ ...other, message: other.message });
  });

  test("an AggregateError has its errors", async () => {
    const inner = new AggregateError([new TuskError("ds", "bad-hex", "no digit", { offset: 3 })], "inner");
    const error = (await thrown(new AggregateError([new Far("a"), "b", inner], "all", { cause: new TypeError("c") }))) as AggregateError;
    expect(error).toBeInstanceOf(AggregateError);
    expect(error).toMatchObject({ name: "AggregateError", message: "all" });
    expect(error.cause).toBeInstanceOf(TypeError);
    const [far, text, more] = error.errors;
    expect(far).toBeInstanceOf(RangeError);
    expect(text).toMatchObject({ message: "b" });
    expect(more).toMatchObject({ message: "inner", errors: [{ format: "ds", code: "bad-hex", offset: 3 }] });
    expect(more.errors[0]).toBeInstanceOf(TuskError);
  });

  test("a SuppressedError has both errors", async () => {
    const platform = (globalThis as { SuppressedError?: unknown }).SuppressedError;
    /** As Node has it since 24. */
    class SuppressedError extends Error {
      override name = "SuppressedError";
      constructor(
        readonly error: unknown,
        readonly suppressed: unknown,
        message: string,
      ) {
        super(message);
      }
    }
    const Given = (platform ?? SuppressedError) as typeof SuppressedError;
    Object.assign(globalThis, { SuppressedError: Given });
    try {
      const module = `${pathToFileURL(compiled(fileURLToPath(new URL("../../src/worker/error-form.ts", import.meta.url)))!)}?suppressed`;
      const { errorForm, errorOf } = (await import(module)) as typeof import("../../src/worker/error-form.ts");
      const inner = new Given("text", new TuskError("ds", "bad-hex", "no digit", { offset: 3 }), "inner");
      const outer = Object.assign(new Given(new Far("a"), inner, "both"), { cause: new TypeError("c") });
      const error = errorOf(structuredClone(errorForm(outer))) as SuppressedError;
      expect(error).toBeInstanceOf(Given);
      expect(error).toMatchObject({ name: "SuppressedError", message: "both", error: { message: "a", code: "E_FAR" } });
      expect([error.error, error.cause]).toEqual([expect.any(RangeError), expect.any(TypeError)]);
      expect(error.suppressed).toMatchObject({ message: "inner", error: { message: "text" }, suppressed: { code: "bad-hex", offset: 3 } });
      const nothing = errorOf(structuredClone(errorForm(new Given(undefined, "text", "no error")))) as SuppressedError;
      expect([nothing.error, nothing.suppressed]).toEqual([undefined, new Error("text")]);
    } finally {
      if (platform === undefined) delete (globalThis as { SuppressedError?: unknown }).SuppressedError;
    }
  });

  test("a DOMException has its name and number", async () => {
    for (const name of ["AbortError", "TimeoutError", "Own"]) {
      const own = new DOMException("why", name);
      const error = await thrown(own);
      expect(error).toBeInstanceOf(DOMException);
      expect(error).toMatchObject({ name, message: "why", code: own.code, stack: own.stack });
    }
    expect(await thrown(AbortSignal.abort().reason)).toMatchObject({ name: "AbortError" });
  });
});

describe("arguments that mean nothing", () => {
  test.each([5, {}, null, { postMessage: () => undefined }])("the worker %o is none", async (given) => {
    const error = await rejection(createTuskWorker({ worker: given as never }));
    expect(error).toMatchObject({ name: "TuskError", code: "bad-option" });
    expect(() => serveTusk({ port: (given ?? 5) as never })).toThrow(TuskError);
  });

  test.each([null, 5, { engine: "fast" }, { limits: 5 }])("the options %j are refused before anything is started", async (options) => {
    const platform = globalThis as { Worker?: unknown };
    platform.Worker = class {
      constructor() {
        expect.fail("a worker was started");
      }
    };
    try {
      expect(await rejection(createTuskWorker(options as never))).toMatchObject({ name: "TuskError", code: "bad-option" });
    } finally {
      delete platform.Worker;
    }
  });

  test.each<[string, unknown]>([
    ["a schema with a function", { constructors: { Hero: { v1: { name: () => "string" } } } }],
    ["a schema that is a symbol", { constructors: { Hero: { v1: Symbol() } } }],
    [
      "a class with such a schema",
      {
        constructors: {
          Hero: class {
            static [SCHEMA] = { v1: { name: () => 1 } };
          },
        },
      },
    ],
    ["no limit", { limits: { maxDepth: () => 1 } }],
    ["no options for a Worker", { workerOptions: null }],
  ])("%s is refused, also where it cannot be sent", async (_name, options) => {
    const { port1 } = new MessageChannel();
    expect(await rejection(createTuskWorker({ ...(options as TuskWorkerOptions), worker: port1 }))).toMatchObject({
      name: "TuskError",
      code: "bad-option",
    });
    port1.close();
  });

  test("a call's", async () => {
    const worker = await connect({ methods: { id: (_, value) => value } });
    for (const [args, options] of [[5], ["text"], [{}], [null], [[], null], [[], 5], [[], { signal: 5 }], [[], { transfer: 5 }]])
      expect(await rejection(worker.call("id", args as never, options as never))).toMatchObject({ name: "TuskError", code: "bad-option" });
    expect(await worker.call("id", [7])).toBe(7);
  });
});

describe("own methods", () => {
  test("arguments and results keep their classes, both ways, with sharing", async () => {
    class Item {
      n = 0;
    }
    let arrived: unknown[] = [];
    const worker = await connect(
      {
        constructors: { Item },
        methods: {
          echo: (_, ...args: unknown[]) => {
            arrived = args;
            return args;
          },
        },
      },
      { constructors: { Hero } },
    );
    const hero = Object.assign(new Hero(), { name: "Ada" });
    const item = new StructInstance("Item", { n: 5, hero });
    const scalar = Scalar("u8", 7);
    const loop: unknown[] = [hero];
    loop.push(loop);
    const nan = new NanBits("7ff8000000000001");
    const back = await worker.call<unknown[]>("echo", [hero, { item, again: hero, scalar }, loop, nan, 5n, undefined, new Map([[1, 2]])]);
    // There: the worker has Item, but not Hero.
    expect(StructInstance.nameOf(arrived[0] as StructInstance)).toBe("Hero");
    expect((arrived[1] as { item: Item }).item).toBeInstanceOf(Item);
    // Here: the other way round.
    const [first, second, third, bits, big, none, map] = back as [
      Hero,
      { item: StructInstance; again: Hero; scalar: Scalar },
      unknown[],
      NanBits,
      ...unknown[],
    ];
    expect(first).toBeInstanceOf(Hero);
    expect(first.greet()).toBe("I am Ada");
    expect(second.again).toBe(first);
    expect(StructInstance.nameOf(second.item)).toBe("Item");
    expect(second.item.hero).toBe(first);
    expect(second.scalar).toEqual(scalar);
    expect(second.scalar).toBeInstanceOf(Scalar as unknown as Function);
    expect(third[0]).toBe(first);
    expect(third[1]).toBe(third);
    expect(bits).toEqual(nan);
    expect([big, none, map]).toEqual([5n, undefined, new Map([[1, 2]])]);
  });

  test("members become an instance's own, whatever its class has under their names", async () => {
    let calls = 0;
    class Getter {
      get level() {
        return 5;
      }
    }
    class Setter {
      set mana(_: number) {
        calls++;
      }
    }
    class Frozen {
      constructor() {
        Object.freeze(this);
      }
    }
    const constructors = { Getter, Setter, Frozen };
    const worker = await connect(
      { methods: { read: ({ elephant }, save) => elephant.read(save as Uint8Array), echo: (_, value) => value } },
      { constructors },
    );
    const saveOf = (name: string, members: object) => createElephantSync().write([new StructInstance(name, members)]);
    for (const [name, member] of [
      ["Getter", "level"],
      ["Setter", "mana"],
    ]) {
      const save = saveOf(name, { [member]: 99 });
      const here = createElephantSync({ constructors }).read<object[]>(save);
      for (const [there] of [await worker.call<object[]>("read", [save]), await worker.call<object[]>("echo", [here])])
        expect(Object.getOwnPropertyDescriptor(there, member)).toEqual(Object.getOwnPropertyDescriptor(here[0], member));
    }
    expect(calls).toBe(0);
    await expect(worker.call("read", [saveOf("Frozen", { hp: 1 })])).rejects.toMatchObject({ format: "elephant", code: "bad-option" });
  });

  test("arrays with holes keep them and their objects, and take no time for them", async () => {
    const worker = await connect({ methods: { echo: (_, value) => value } }, { constructors: { Hero } });
    const hero = Object.assign(new Hero(), { name: "Ada" });
    const sparse: unknown[] = [hero];
    sparse[2] = 5;
    sparse[3] = hero;
    sparse[2e8] = Scalar("u8", 7);
    const start = performance.now();
    const back = await worker.call<unknown[]>("echo", [sparse]);
    expect(performance.now() - start).toBeLessThan(3000);
    expect(back.length).toBe(2e8 + 1);
    expect(Object.keys(back)).toEqual(["0", "2", "3", "200000000"]);
    expect(back[0]).toBeInstanceOf(Hero);
    expect([back[2], back[3], back[2e8]]).toEqual([5, back[0], Scalar("u8", 7)]);
    expect(back[2e8]).toBeInstanceOf(Scalar as unknown as Function);
  });

  test("a graph can stay there, and be asked for parts", async () => {
    let world: { entities: unknown[] };
    const worker = await connect({
      methods: {
        open: ({ elephant }: ServiceContext, bytes: Uint8Array) => {
          world = elephant.read(bytes);
          return world.entities.length;
        },
        page: (_: ServiceContext, from: number, to: number) => world.entities.slice(from, to),
      },
    });
    expect(worker.methods).toContain("page");
    const entities = Array.from({ length: 1000 }, (_, id) => ({ id }));
    const save = worker.elephant.write({ entities });
    expect(await worker.call("open", [save], { transfer: [save.buffer] })).toBe(1000);
    expect(save.length).toBe(0);
    expect(await worker.call("page", [10, 12])).toEqual([{ id: 10 }, { id: 11 }]);
  });

  test("reports and warnings reach the caller while the method runs", async () => {
    const worker = await connect({
      methods: {
        count: async ({ progress, warn }: ServiceContext, to: number) => {
          for (let i = 1; i <= to; i++) progress({ i });
          warn({ format: "tusk", code: "careful", message: "..." });
          return "done";
        },
      },
    });
    const reports: unknown[] = [];
    const warnings: unknown[] = [];
    const result = await worker.call("count", [3], {
      onProgress: (report) => reports.push(report),
      onWarning: ({ code }) => warnings.push(code),
    });
    expect([result, reports, warnings]).toEqual(["done", [{ i: 1 }, { i: 2 }, { i: 3 }], ["careful"]]);
    const wrong = new Error("mine");
    const failing = worker.call("count", [3], {
      onProgress: () => {
        throw wrong;
      },
    });
    expect(await rejection(failing)).toBe(wrong);
    expect(await worker.call("count", [1])).toBe("done");
  });

  test("an abort rejects at once, and the method hears of it", async () => {
    let heard: Promise<unknown> | undefined;
    let begin: (() => void) | undefined;
    const begun = new Promise<void>((resolve) => {
      begin = resolve;
    });
    const worker = await connect({
      methods: {
        wait: ({ signal }: ServiceContext) => {
          heard = new Promise((resolve) => signal.addEventListener("abort", resolve));
          begin!();
          return heard;
        },
      },
    });
    const controller = new AbortController();
    const call = rejection(worker.call("wait", [], { signal: controller.signal }));
    await begun;
    const reason = new Error("enough");
    controller.abort(reason);
    expect(await call).toBe(reason);
    await heard;
    expect(await rejection(worker.call("wait", [], { signal: AbortSignal.abort(reason) }))).toBe(reason);
    expect(await rejection(worker.read(new Uint8Array(5), { signal: AbortSignal.abort(reason) }))).toBe(reason);
  });

  test("a method under way hears of the end of the service", async () => {
    const { port1, port2 } = new MessageChannel();
    let heard: AbortSignal | undefined;
    const wait = ({ signal }: ServiceContext) => {
      heard = signal;
      return new Promise(() => {});
    };
    const end = serveTusk({ port: port2, methods: { wait } });
    const worker = await createTuskWorker({ worker: port1 });
    const call = rejection(worker.call("wait"));
    await worker.detect("x");
    end();
    expect(heard!.aborted).toBe(true);
    expect((await call).code).toBe("worker");
    worker.terminate();
  });

  test("a method under way hears that its port was closed", async () => {
    const { port1, port2 } = new MessageChannel();
    const heard = new Promise((resolve) => {
      const methods = {
        wait: ({ signal, progress }: ServiceContext) => {
          signal.addEventListener("abort", () => resolve("aborted"));
          progress({ begun: true });
          return new Promise(() => {});
        },
      };
      open.push(serveTusk({ port: port2, methods }));
    });
    const worker = await createTuskWorker({ worker: port1 });
    const call = rejection(worker.call("wait", [], { onProgress: () => port1.close() }));
    expect(await heard).toBe("aborted");
    expect((await call).code).toBe("worker");
  });

  test("two clients of one worker", async () => {
    const { port1, port2 } = new MessageChannel();
    open.push(serveTusk({ port: port2 }));
    const [one, two] = [await createTuskWorker({ worker: port1 }), await createTuskWorker({ worker: port1 })];
    const values = await Promise.all([one.read(one.elephant.write("one")), two.read(two.elephant.write("two"))]);
    expect(values).toEqual(["one", "two"]);
    one.terminate();
  });

  test("each client of a worker has its own settings, and one that cannot be made leaves the worker to the others", async () => {
    const { port1, port2 } = new MessageChannel();
    open.push(serveTusk({ port: port2, methods: { same: (_, value) => value } }));
    const one = await createTuskWorker({ worker: port1, constructors: { Hero } });
    const two = await createTuskWorker({ worker: port1, limits: { maxDepth: 2 } });
    const hero = Object.assign(new Hero(), { name: "Ada" });
    const save = one.elephant.write([[hero]]);
    const [[read]] = await one.read<Hero[][]>(save);
    expect(read.greet()).toBe("I am Ada");
    expect((await one.call<Hero>("same", [hero])).greet()).toBe("I am Ada");
    expect(await two.call("same", [hero])).not.toBeInstanceOf(Hero);
    expect((await rejection(two.read(save))).code).toBe("depth-limit");
    expect((await rejection(createTuskWorker({ worker: port1, limits: { maxDepth: "x" as never } }))).code).toBe("bad-option");
    expect(await one.read(one.elephant.write("still there"))).toBe("still there");
    one.terminate();
  });

  test("a method may throw anything", async () => {
    const odd = Object.assign(new Error("odd"), { name: Symbol("name") });
    const worker = await connect({
      methods: {
        odd: () => {
          throw odd;
        },
        bare: () => {
          throw Object.create(null);
        },
      },
    });
    for (const method of ["odd", "bare"]) expect((await rejection(worker.call(method))).message).toContain("cannot be sent");
    expect(await worker.detect("plain text")).toBeUndefined();
  });

  test("messages of others on the same port are none of ours", async () => {
    const { port1, port2 } = new MessageChannel();
    const seen: unknown[] = [];
    port2.addEventListener("message", (event) => seen.push(event.data));
    const end = serveTusk({ port: port2 });
    const worker = await createTuskWorker({ worker: port1 });
    port1.postMessage("hello");
    port2.postMessage(null);
    expect(await worker.detect("plain text")).toBeUndefined();
    expect(seen).toContain("hello");
    worker.terminate();
    end();
    expect((await rejection(worker.detect("x"))).code).toBe("worker");
  });
});

describe("what is not for this worker", () => {
  const bad = { format: "enigma", code: "bad-option" };

  test("options that are none are refused as the codec refuses them", async () => {
    const worker = await connect();
    for (const options of [null, 5, "x", true, 0]) {
      expect(await rejection(worker.readEnigma(new Uint8Array(40), options as never))).toMatchObject(bad);
      expect(await rejection(worker.writeEnigma({} as never, options as never))).toMatchObject(bad);
      expect(await rejection(worker.readDs("", options as never))).toMatchObject({ format: "ds", code: "bad-option" });
      expect(await rejection(worker.readDs("", {}, options as never))).toMatchObject({ code: "bad-option" });
      expect(await rejection(worker.detect("", options as never))).toMatchObject({ code: "bad-option" });
      expect(await rejection(worker.readEnigma(new Uint8Array(40), {}, options as never))).toMatchObject({ code: "bad-option" });
    }
    for (const options of [{ onWarning: 5 }, { onWarning: null }, [], new Map()] as never[]) {
      expect(await rejection(worker.readEnigma(new Uint8Array(40), options))).toMatchObject(bad);
      expect(await rejection(worker.writeEnigma(gameOf([]), options))).toMatchObject(bad);
    }
    expect(await rejection(worker.call("detect", [""], { onWarning: 5 as never }))).toMatchObject({ code: "bad-option" });
    const save = worker.elephant.write([1]);
    expect(await rejection(worker.read(save, { transfer: 5 as never }))).toMatchObject({ code: "bad-option" });
    for (const options of [{ typedArrays: "x" as never }, { scalars: "x" as never }])
      expect(await rejection(worker.read(save, { transfer: true, ...options }))).toMatchObject({ code: "bad-option" });
    expect(save.length).toBeGreaterThan(0);
    const damaged = Buffer.from(deflateSync(save.subarray(0, -4))).toString("base64");
    for (const options of [{ typedArrays: "x" }, { scalars: "x" }, { offset: () => 0 }, { offset: -1 }] as never[])
      expect(await rejection(worker.importString(damaged, options))).toMatchObject({ format: "elephant", code: "bad-option" });
    expect(await rejection(worker.readAt(save, Promise.resolve(0) as never))).toMatchObject({ code: "bad-option" });
    expect(await rejection(worker.toJson(save, { diffsOnly: 5 as never }))).toMatchObject({ code: "bad-option" });
    expect(await rejection(createTuskWorker({ workerOptions: 5 as never }))).toMatchObject({ code: "bad-option" });
  });

  test.each([
    { engine: null },
    { engine: "" },
    { unknownConstructor: null },
    { wasm: null, code: "engine" },
    { wasm: 0, code: "engine" },
    { constructors: { A: null } },
  ])("a client hears of a worker's options that mean nothing: %j", async ({ code = "bad-option", ...options }) => {
    const { port1, port2 } = new MessageChannel();
    open.push(serveTusk({ ...(options as ServeOptions), port: port2 }));
    expect(await rejection(createTuskWorker({ worker: port1 }))).toMatchObject({ name: "TuskError", code });
    port1.close();
  });

  test.each([
    ...[null, 5, "x", new Map()].map((constructors) => ({ constructors })),
    { methods: new Map() },
    { limits: new Map() },
    { limits: new ArrayBuffer(1) },
    ...[null, 0, "", false].map((port) => ({ port })),
  ])("the worker itself hears of %o", (options) => {
    expect(() => serveTusk(options as never)).toThrow(expect.objectContaining({ name: "TuskError", code: "bad-option" }));
  });

  test("methods that are no functions", () => {
    for (const options of [null, 5, { methods: 5 }, { methods: { a: 5 } }]) expect(() => serveTusk(options as never)).toThrow(TuskError);
  });

  test("a listener of either options is told, also where the other is undefined", async () => {
    const worker = await connect();
    const damaged = writeEnigma(gameOf([]));
    damaged[damaged.length - 1] ^= 1;
    const warned = (listen: (onWarning: (warning: TuskWarning) => void) => Promise<unknown>) =>
      new Promise<string>((resolve, reject) => listen((warning) => resolve(warning.code)).catch(reject));
    expect(await warned((onWarning) => worker.readEnigma(damaged, { checksum: "report", onWarning }, { onWarning: undefined }))).toBe(
      "checksum",
    );
    expect(await warned((onWarning) => worker.readEnigma(damaged, { checksum: "report" }, { onWarning }))).toBe("checksum");
  });

  test("of two listeners that of the call is told", async () => {
    const worker = await connect();
    const damaged = writeEnigma(gameOf([]));
    damaged[damaged.length - 1] ^= 1;
    const told: string[] = [];
    const listener = (name: string) => ({ onWarning: ({ code }: TuskWarning) => void told.push(`${name}: ${code}`) });
    await worker.readEnigma(damaged, { checksum: "report", ...listener("options") }, listener("call"));
    expect(told).toEqual(["call: checksum"]);
  });

  test("errors that hold themselves are told once in each place", async () => {
    const errors = new AggregateError([new TypeError("a")], "all");
    errors.errors.push(errors, errors, errors, errors, errors, errors, errors, errors);
    errors.cause = errors;
    const worker = await connect({
      methods: {
        fail() {
          throw errors;
        },
      },
    });
    const error = (await rejection(worker.call("fail"))) as AggregateError;
    expect(error).toBeInstanceOf(AggregateError);
    expect(error.errors).toEqual([new TypeError("a")]);
    expect(error.cause).toBeUndefined();
  });

  test("what cannot be sent is what cannot be written", async () => {
    const worker = await connect();
    const limits = { maxDepth: () => 1 } as never;
    expect(await rejection(worker.writeDs({ kind: "list", items: [1] }, { limits }))).toMatchObject({ format: "ds", code: "bad-option" });
    expect(await rejection(worker.writeEnigma(gameOf([]), { limits, onWarning: () => {} }))).toMatchObject({
      format: "enigma",
      code: "bad-option",
    });
    const listener = { onWarning: () => {}, backend: "json" as const };
    for (const options of [() => 1, Symbol(), new Proxy({}, {}), { onWarning: Symbol() }] as never[]) {
      expect(await rejection(worker.writeDs({ kind: "list", items: [1] }, options))).toMatchObject({ format: "ds", code: "bad-option" });
      expect(await rejection(worker.writeEnigma(gameOf([]), options))).toMatchObject({ format: "enigma", code: "bad-option" });
    }
    expect(await rejection(worker.writeEnigma({ a: () => 1 } as never, listener))).toMatchObject({ format: "enigma", code: "unwritable" });
    expect(await worker.writeDs({ kind: "list", items: [1] }, { onWarning: () => {} } as object)).toBe(
      writeDs({ kind: "list", items: [1] }),
    );
    for (const text of ["", new Uint8Array(8)])
      expect(await rejection(worker.readDs(text, { kind: (() => 1) as never }))).toMatchObject({ format: "ds", code: "bad-option" });
    expect(await rejection(worker.readEnigma(new Uint8Array(40), { backend: (() => 1) as never }))).toMatchObject({
      format: "enigma",
      code: "bad-option",
    });
    for (const value of [() => 1, Symbol()])
      expect(await rejection(worker.writeDs({ kind: "list", items: [value as never] }))).toMatchObject({
        format: "ds",
        code: "unsupported-value",
      });
    expect(await rejection(worker.writeDs(Symbol() as never))).toMatchObject({ format: "ds", code: "unsupported-value" });
    expect(await rejection(worker.writeEnigma({ a: () => 1 } as never))).toMatchObject({ format: "enigma", code: "unwritable" });
  });
});

describe("what crosses, and what is left behind", () => {
  const wrong = () => {
    throw new DOMException("why", "AbortError");
  };

  test("nothing at the signal of a call that is over", async () => {
    const worker = await connect({ methods: { fine: () => 1, wrong } });
    const { signal } = new AbortController();
    await worker.call("fine", [], { signal });
    expect(getEventListeners(signal, "abort")).toEqual([]);
    await rejection(worker.call("wrong", [], { signal }));
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });

  test("one listener at the signal of many calls, as long as one of them is under way", async () => {
    let release = (): void => {};
    const first = new Promise<void>((resolve) => {
      release = resolve;
    });
    const worker = await connect({ methods: { first: () => first, never: () => new Promise(() => {}) } });
    const controller = new AbortController();
    const { signal } = controller;
    const one = worker.call("first", [], { signal });
    const calls = Array.from({ length: 30 }, () => rejection(worker.call("never", [], { signal })));
    const other = worker.call("first", [], { signal: new AbortController().signal });
    expect(getEventListeners(signal, "abort")).toHaveLength(1);
    release();
    await Promise.all([one, other]);
    expect(getEventListeners(signal, "abort")).toHaveLength(1);
    const reason = new Error("enough");
    controller.abort(reason);
    expect(new Set(await Promise.all(calls))).toEqual(new Set([reason]));
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });

  test("the message of an error whose path is long", async () => {
    const deep = Array.from({ length: 1000 }).reduce((value) => [value], Symbol() as unknown);
    const worker = await connect({ methods: { write: ({ elephant }) => elephant.write(deep) } });
    const there = (await rejection(worker.call("write"))) as TuskError;
    const here = await rejection(Promise.resolve().then(() => worker.elephant.write(deep)));
    expect(there).toMatchObject({ code: "datatype-not-recognised", path: "[0]".repeat(1000), message: here.message });
    expect(here.message.length).toBeLessThan(600);
  });

  test("no members of its own at a DOMException", async () => {
    const worker = await connect({ methods: { wrong } });
    const own = Object.getOwnPropertyNames(await rejection(worker.call("wrong")));
    expect(own.filter((name) => name === "name" || name === "code")).toEqual([]);
  });

  test("causes of causes, as many as eight", async () => {
    const chain = () => {
      throw Array.from({ length: 13 }, (_, i) => String(12 - i)).reduce<Error | undefined>(
        (cause, text) => new Error(text, { cause }),
        undefined,
      );
    };
    const worker = await connect({ methods: { chain } });
    const messages: string[] = [];
    for (let error: Error | undefined = await rejection(worker.call("chain")); error; error = error.cause as Error | undefined)
      messages.push(error.message);
    expect(messages).toEqual(["0", "1", "2", "3", "4", "5", "6", "7", "8"]);
  });

  test("version and form of a stand-in", async () => {
    class Hero {
      hp = 1;
      static [SCHEMA] = { v1: { hp: "u8" }, v2: { hp: "f64" } } as const;
    }
    const save = createElephantSync({ constructors: { Hero } }).write(new Hero());
    const hero = createElephantSync({ constructors: { Hero: Hero[SCHEMA] } }).read<StructInstance>(save);
    const worker = await connect({ methods: { echo: (_, value) => value } });
    const [back] = await worker.call<StructInstance[]>("echo", [[hero]]);
    for (const ask of [StructInstance.nameOf, StructInstance.versionOf, StructInstance.verboseOf]) expect(ask(back)).toBe(ask(hero));
    expect(StructInstance.versionOf(back)).toBe(2);
  });
});

describe("ports that are not the client's alone", () => {
  test("others may send anything over them", async () => {
    const { port1, port2 } = new MessageChannel();
    open.push(serveTusk({ port: port2 }));
    const worker = await createTuskWorker({ worker: port1 });
    open.push(() => worker.terminate());
    const lost: unknown[] = [];
    const hear = (error: unknown) => lost.push(error);
    process.on("uncaughtException", hear);
    for (const other of [undefined, null, 5, "text", {}]) {
      port1.postMessage(other);
      port2.postMessage(other);
    }
    expect(await worker.readDs("2F01000000000000")).toMatchObject({ kind: "list" });
    await new Promise((done) => setTimeout(done, 20));
    process.off("uncaughtException", hear);
    expect(lost).toEqual([]);
  });

  test("a message that cannot be read ends the call that it was of, and all calls where that is not known", async () => {
    const { port1, port2 } = new MessageChannel();
    const ids = new Map<string, number>();
    port2.addEventListener("message", ({ data: { kind, id, args } }) => kind === "call" && ids.set(args[0], id));
    open.push(serveTusk({ port: port2, methods: { never: () => new Promise(() => {}) } }));
    const clients = [await createTuskWorker({ worker: port1 }), await createTuskWorker({ worker: port1 })];
    open.push(() => {
      for (const worker of clients) worker.terminate();
      port2.close();
    });
    const calls = ["a", "b", "c"].map((name, i) => clients[i % 2].call("never", [name]));
    const states = calls.map(() => "pending");
    calls.forEach((call, i) => {
      call.catch(({ code }) => {
        states[i] = code;
      });
    });
    // The service has been asked for them by then.
    for (const client of clients) await client.detect("");
    const unreadable = async (name?: string) => {
      const arrived = new Promise((resolve) => port1.addEventListener("message", resolve, { once: true }));
      port2.postMessage({ tag: "tusk-1", id: name && ids.get(name), kind: "next" });
      await arrived;
      (port1 as unknown as EventEmitter).emit("messageerror", new Error("deep"));
      await new Promise(setImmediate);
      return states;
    };
    expect([...ids.keys()]).toEqual(expect.arrayContaining(["a", "b", "c"]));
    expect(await unreadable("b")).toEqual(["pending", "worker", "pending"]);
    // One that has been given up.
    expect(await unreadable("b")).toEqual(["pending", "worker", "pending"]);
    expect(await clients[1].exportString(5)).toBe(await clients[0].exportString(5));
    expect(await unreadable("a")).toEqual(["worker", "worker", "pending"]);
    expect(await unreadable()).toEqual(["worker", "worker", "worker"]);
    expect((await rejection(clients[1].exportString(5))).code).toBe("worker");
  });

  test("what a getter of the arguments ends is over", async () => {
    const { port1, port2 } = new MessageChannel();
    open.push(serveTusk({ port: port2, methods: { never: () => new Promise(() => {}) } }));
    const worker = await createTuskWorker({ worker: port1 });
    open.push(() => {
      worker.terminate();
      port2.close();
    });
    const controller = new AbortController();
    const reason = new Error("enough");
    const aborts = {
      get member() {
        controller.abort(reason);
        return 1;
      },
    };
    expect(await rejection(worker.call("never", [aborts], { signal: controller.signal }))).toBe(reason);
    const ends = {
      get member() {
        worker.terminate();
        return 1;
      },
    };
    expect((await rejection(worker.call("never", [ends]))).code).toBe("worker");
  });

  test("a result without a value ends its call", async () => {
    const { port1, port2 } = new MessageChannel();
    const { signal } = new AbortController();
    port2.onmessage = ({ data: { tag, id, kind, method } }) =>
      kind === "call" && port2.postMessage({ tag, id, kind: "result", ...(method === "tusk:setup" && { value: [{ methods: [] }] }) });
    const worker = await createTuskWorker({ worker: port1 });
    open.push(() => {
      worker.terminate();
      port2.close();
    });
    expect(await rejection(worker.call("any", [], { signal }))).toBeInstanceOf(TypeError);
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });

  /** A web port that tells what `target` does; messages go to `other`, if there is one. */
  const webPort = (target: EventTarget, other?: MessagePort) => ({
    postMessage: (message: unknown, transfer: never[]) => other?.postMessage(message, transfer),
    addEventListener: target.addEventListener.bind(target),
    removeEventListener: target.removeEventListener.bind(target),
  });

  test("a web worker goes on after an error that nobody has caught, once it has begun", async () => {
    const { port1, port2 } = new MessageChannel();
    open.push(serveTusk({ port: port2 }));
    const target = new EventTarget();
    port1.onmessage = ({ data }) => target.dispatchEvent(new MessageEvent("message", { data }));
    const port = webPort(target, port1);
    const worker = await createTuskWorker({ worker: port as never });
    open.push(() => {
      worker.terminate();
      port1.close();
    });
    target.dispatchEvent(new Event("error"));
    expect(await worker.readDs("2F01000000000000")).toMatchObject({ kind: "list" });
    // Nor does it matter to another client, which is just being made.
    const second = createTuskWorker({ worker: port as never });
    target.dispatchEvent(new Event("error"));
    expect(await (await second).readDs("2F01000000000000")).toMatchObject({ kind: "list" });
  });

  test("a web port tells by an error that the other side's script could not be loaded", async () => {
    const target = new EventTarget();
    const port = webPort(target);
    const made = createTuskWorker({ worker: port });
    target.dispatchEvent(Object.assign(new Event("error"), { message: "not found" }));
    await expect(made).rejects.toMatchObject({ code: "worker", reason: "the worker is gone: not found" });
  });

  test("in a web worker such an error does not end the service, not even before its first call", async () => {
    const { port1, port2 } = new MessageChannel();
    const inside = new EventTarget();
    port2.onmessage = ({ data }) => inside.dispatchEvent(new MessageEvent("message", { data }));
    const port = webPort(inside, port2);
    open.push(serveTusk({ port: port as never }));
    inside.dispatchEvent(new Event("error"));
    const worker = await Promise.race([createTuskWorker({ worker: port1 }), after(1000, "no answer")]);
    if (typeof worker !== "string") open.push(() => worker.terminate());
    open.push(() => port2.close());
    expect(worker).toMatchObject({ methods: expect.arrayContaining(["check"]) });
  });
});

test("bytes are copied in slices", async () => {
  const worker = await connect();
  let pauses = 0;
  const pause = async () => void pauses++;
  await rejection(worker.read(new Uint8Array(5 << 20), { sliceMs: 0, pause }));
  expect(pauses).toBe(5);
});

test("bytes that are given away while they are copied are an error", async () => {
  const worker = await connect();
  for (const method of ["read", "toJson"] as const) {
    const save = new Uint8Array(3 << 20);
    const reading = worker[method](save, { sliceMs: 0 });
    structuredClone(save.buffer, { transfer: [save.buffer] });
    expect(await rejection(reading)).toMatchObject({ code: "truncated", reason: "the bytes have been given away while they were read" });
  }
});

test("of a text, detect sends no more than it looks at", async () => {
  let sent = "";
  const worker = await connect({ methods: { detect: (_, text: string) => void (sent = text) } });
  await worker.detect(`a${"x".repeat(9999)}`);
  expect(sent).toBe(`a${"x".repeat(4095)}`);
});

test("check gives shared memory back, and registered typed arrays cross as such", async () => {
  class Bytes extends Uint8Array {}
  const worker = await connect({ methods: { echo: (_, given) => given } }, { constructors: { Bytes } });
  const save = worker.elephant.write(true);
  const shared = new Uint8Array(new SharedArrayBuffer(save.length));
  shared.set(save);
  expect(await worker.call("check", [shared])).toEqual({ bytes: shared, end: save.length });
  expect(await worker.call("echo", [Bytes.of(1, 2)])).toEqual(Uint8Array.of(1, 2));
});

test("of a Blob whose clone is none the bytes are sent, and its own stay", async () => {
  const worker = await connect();
  const save = worker.elephant.write([1, 2]);
  class Stored {
    #bytes = save;
    async arrayBuffer() {
      return this.#bytes.buffer;
    }
  }
  for (let time = 0; time < 2; time++) expect(await worker.read(new Stored() as never)).toEqual([1, 2]);
});

test("a method is aborted when its client ends, also where ports do not tell of that", async () => {
  const { port1, port2 } = new MessageChannel();
  const web = (port: MessagePort) => ({
    postMessage: (message: unknown, transfer: never[]) => port.postMessage(message, transfer),
    addEventListener: (type: string, listener: () => void) => type === "message" && port.addEventListener(type, listener),
    removeEventListener: (type: string, listener: () => void) => port.removeEventListener(type, listener),
    start: () => port.start(),
  });
  const aborted = new Promise((resolve) => {
    const wait = ({ signal }: ServiceContext) => {
      signal.addEventListener("abort", () => resolve("aborted"));
      worker.terminate();
      return new Promise(() => {});
    };
    open.push(serveTusk({ port: web(port2) as never, methods: { wait } }), () => port2.close());
  });
  const worker = await createTuskWorker({ worker: web(port1) as never });
  expect((await rejection(worker.call("wait"))).code).toBe("worker");
  expect(await Promise.race([aborted, after(500, "goes on")])).toBe("aborted");
});

test("a port may deliver at once", async () => {
  const [near, far] = [new Emitter(), new Emitter()];
  const post = (to: EventEmitter) => ({ postMessage: (message: unknown) => to.emit("message", structuredClone(message)) });
  open.push(serveTusk({ port: Object.assign(far, post(near)) }));
  const made = createTuskWorker({ worker: Object.assign(near, post(far)) });
  expect(await Promise.race([made, after(500, "no answer")])).toMatchObject({ methods: expect.arrayContaining(["check"]) });
});

test("on and start of a worker's global are the program's own", async () => {
  const global = globalThis as Record<string, unknown>;
  const own = ["WorkerGlobalScope", "addEventListener", "removeEventListener", "postMessage", "on", "start"];
  const before = own.map((name) => Object.getOwnPropertyDescriptor(global, name));
  const target = new EventTarget();
  const called: string[] = [];
  const { getBuiltinModule } = process;
  try {
    Object.assign(process, { getBuiltinModule: undefined });
    Object.assign(global, {
      WorkerGlobalScope: class {},
      addEventListener: (type: string, listener: () => void) => {
        called.push(type);
        target.addEventListener(type, listener);
      },
      removeEventListener: target.removeEventListener.bind(target),
      postMessage: () => {},
      on: () => called.push("on"),
      start: () => called.push("start"),
    });
    serveTusk()();
  } finally {
    Object.assign(process, { getBuiltinModule });
    own.forEach((name, i) => {
      delete global[name];
      if (before[i]) Object.defineProperty(global, name, before[i]);
    });
  }
  expect(called).toEqual(["message", "messageerror", "error", "exit", "close"]);
});

test("a service that is ended at once does not begin where Node's modules come later", async () => {
  const source = pathToFileURL(compiled(fileURLToPath(new URL("../../src/worker/index.ts", import.meta.url)))).href;
  const running = new Worker(
    `process.getBuiltinModule = undefined;
    const { parentPort } = require("node:worker_threads");
    import(${JSON.stringify(source)}).then(async ({ serveTusk }) => {
      serveTusk()();
      await new Promise((resolve) => setTimeout(resolve, 20));
      parentPort.postMessage(parentPort.listenerCount("message"));
      process.exit();
    });`,
    { eval: true },
  );
  expect(await new Promise((resolve) => running.on("message", resolve).on("error", resolve))).toBe(0);
});
