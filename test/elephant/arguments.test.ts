// What the codec says of arguments and options that mean nothing: always a TuskError with the code `bad-option`, before anything is done.

import { Writable } from "node:stream";
import { runInNewContext } from "node:vm";
import { describe, expect, test } from "vitest";
import { checkOptions, SLICES } from "../../src/elephant/arguments.ts";
import { DEFAULT_LIMITS, type Limits } from "../../src/elephant/index.ts";
import { createElephant, createElephantSync, Scalar, StructInstance } from "./codec.ts";
import { expectError } from "./expect-error.ts";

const elephant = createElephantSync();
const save = elephant.write({ gold: 1250 });
const refused = { name: "TuskError", format: "elephant", code: "bad-option" };

test("the limits of all codecs cannot be changed", () => {
  expect(() => {
    (DEFAULT_LIMITS as Limits).maxDepth = 1;
  }).toThrow(TypeError);
  expect(createElephantSync().read(elephant.write([[[1]]]))).toEqual([[[1]]]);
});

describe("bytes to read", () => {
  test.each([
    ["a promise", Promise.resolve(save), /await/],
    ["undefined", undefined, /undefined/],
    ["null", null, /null/],
    ["text", "PELE", /PELE/],
    ["a number", 1e9, /1000000000/],
    ["an object", {}, /object/],
    ["an array of numbers", [...save], /object/],
  ])("%s is refused", async (_, given, message) => {
    expect(expectError(() => elephant.read(given as never), "bad-option").message).toMatch(message);
    expectError(() => elephant.readAt(given as never, 0), "bad-option");
    await expect(elephant.readAsync(given as never)).rejects.toMatchObject(refused);
  });

  test("memory that has been given away is told as that", () => {
    const words = new Uint16Array(8);
    const view = new DataView(words.buffer);
    const bytes = save.slice();
    const buffers = [words.buffer, bytes.buffer];
    structuredClone(null, { transfer: buffers });
    for (const given of [words, view, bytes, ...buffers])
      expect(expectError(() => elephant.read(given), "bad-option").message).toMatch("a save cannot be memory that has been given away");
  });

  test("views and buffers of any kind and realm are read", async () => {
    const room = new Uint8Array(save.length + 8);
    room.set(save, 4);
    const foreign = runInNewContext("new Uint8Array(length)", { length: save.length });
    foreign.set(save);
    const shared = new Uint8Array(new SharedArrayBuffer(save.length));
    shared.set(save);
    for (const given of [new DataView(room.buffer, 4, save.length), save.slice().buffer, foreign, foreign.buffer, shared, shared.buffer]) {
      expect(elephant.read(given)).toEqual({ gold: 1250 });
      expect(elephant.readAt(given, 0).end).toBe(save.length);
      expect(await elephant.readAsync(given)).toEqual({ gold: 1250 });
    }
  });

  test.each([-1, Number.NaN, 1.5, "0", 2 ** 53, Number.POSITIVE_INFINITY])("the offset %j is refused", async (offset) => {
    expectError(() => elephant.readAt(save, offset as never), "bad-option");
    expectError(() => elephant.read(save, { offset: offset as never }), "bad-option");
    await expect(elephant.readAtAsync(save, offset as never)).rejects.toMatchObject(refused);
    expectError(() => elephant.writeInto(1, new Uint8Array(100), offset as never), "bad-option");
  });

  test("an offset behind the end is a save that is cut", () => {
    expect(expectError(() => elephant.readAt(save, 1000), "truncated").offset).toBe(save.length);
  });

  test("an export string is text", () => {
    for (const given of [undefined, null, 5, save]) expectError(() => elephant.importString(given as never), "bad-option");
  });
});

describe("targets of writeInto", () => {
  test.each([
    ["Uint16Array", new Uint16Array(100)],
    ["Int8Array", new Int8Array(100)],
    ["DataView", new DataView(new ArrayBuffer(100))],
    ["ArrayBuffer", new ArrayBuffer(100)],
    ["array", new Array(100).fill(0)],
    ["undefined", undefined],
  ])("%s is refused", (_, target) => {
    expectError(() => elephant.writeInto({ gold: 1 }, target as never), "bad-option");
  });

  test("a Buffer and a Uint8Array of another realm are taken", () => {
    for (const target of [Buffer.alloc(100), runInNewContext("new Uint8Array(100)")]) {
      expect(elephant.writeInto({ gold: 1250 }, target, 3)).toBe(save.length + 3);
      expect(elephant.readAt(target, 3).value).toEqual({ gold: 1250 });
    }
  });
});

/** What has no options for members: `write(value, buffer)`. */
const NO_OPTIONS = [
  [],
  new Uint8Array(100),
  new ArrayBuffer(100),
  new DataView(new ArrayBuffer(100)),
  new Map([["diffsOnly", true]]),
  Promise.resolve(),
];

describe("options", () => {
  test("none are not what a library gives to all objects", async () => {
    const elephant = createElephantSync();
    const value = Array.from({ length: 1000 }, (_, i) => ({ i }));
    const bytes = elephant.write(value);
    async function* chunks() {
      yield bytes;
    }
    Object.defineProperty(Object.prototype, "size", { value: () => 0, writable: true, configurable: true });
    try {
      expect(await elephant.readAsync(chunks())).toEqual(value);
      expect(await elephant.writeAsync(value)).toEqual(bytes);
    } finally {
      Reflect.deleteProperty(Object.prototype, "size");
    }
  });

  test.each([
    ["null", null],
    ["bytes", new Uint8Array(100)],
    ["text", "fast"],
    ["engine", { engine: "foo" }],
    ["unknownConstructor", { unknownConstructor: "foo" }],
    ["limits", { limits: 5 }],
    ["limits in a Map", { limits: new Map([["maxDepth", 1]]) }],
    ["bytes for limits", { limits: new ArrayBuffer(1) }],
    ["a limit's name", { limits: { maxdepth: 5 } }],
    ["a limit's name that objects inherit", { limits: { toString: 5 } }],
    ["a limit", { limits: { maxDepth: Number.NaN } }],
    ["a limit that is inherited", { limits: Object.create({ maxDepth: Number.NaN }) }],
    ["a promise of them", Promise.resolve({})],
    ["constructors in a Map", { constructors: new Map() }],
    ["constructors", { constructors: "Hero" }],
    ["a constructor that is a number", { constructors: { A: 5 } }],
    ["a constructor that is null", { constructors: { A: null } }],
    ["an arrow function", { constructors: { A: () => 1 } }],
    ["a method", { constructors: { A: { m() {} }.m } }],
    ["a generator", { constructors: { A: function* () {} } }],
    ["onWarning", { onWarning: 5 }],
    ["codeGeneration", { codeGeneration: "no" }],
  ])("of createElephant: %s", async (_, options) => {
    expectError(() => createElephantSync(options as never), "bad-option");
    await expect(createElephant(options as never)).rejects.toMatchObject(refused);
  });

  test("limits that are inherited are limits", () => {
    const codec = createElephantSync({ limits: Object.create({ maxDepth: 2 }) });
    expect(codec.read(save)).toEqual({ gold: 1250 });
    expectError(() => codec.write([[[1]]]), "depth-limit");
  });

  test("a module of something else is an error when the codec is made", async () => {
    const other = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]);
    const wrong = { name: "TuskError", format: "tusk", code: "engine" };
    expect(() => createElephantSync({ wasm: other })).toThrow(expect.objectContaining(wrong));
    await expect(createElephant({ wasm: new WebAssembly.Module(other) })).rejects.toMatchObject(wrong);
  });

  test("a message names the class of what is wrong, and does not quote all of it", () => {
    class Long {
      words = "x".repeat(1000);
      method(): string {
        return `${this.words} ${"a rather long line of source ".repeat(3)}`;
      }
    }
    expect(expectError(() => elephant.read(new Blob([save]) as never), "bad-option").message).toContain("an object (Blob)");
    expect(expectError(() => elephant.readAt(save, new Long() as never), "bad-option").message).toContain("an object (Long)");
    for (const wrong of [
      () => elephant.read(Long as never),
      () => createElephantSync(Long as never),
      () => elephant.importString(Long as never),
    ])
      expect(expectError(wrong, "bad-option").message.length).toBeLessThan(120);
  });

  test.each([null, 5, ...NO_OPTIONS, { scalars: "foo" }, { typedArrays: "yes" }])("of reading: %j", async (options) => {
    expectError(() => elephant.read(save, options as never), "bad-option");
    expectError(() => elephant.readAt(save, 0, options as never), "bad-option");
    expectError(() => elephant.importString(elephant.exportString(1), options as never), "bad-option");
    await expect(elephant.readAsync(save, options as never)).rejects.toMatchObject(refused);
  });

  test.each([null, 5, ...NO_OPTIONS, { scalars: "foo" }, { typedArrays: "yes" }, { offset: -1 }])(
    "of an export string, before it is looked at what the text holds: %j",
    (options) => {
      expectError(() => elephant.importString("!", options as never), "bad-option");
      expectError(() => elephant.importString("!", { offset: null } as never), "export-string");
    },
  );

  test.each([null, ...NO_OPTIONS, { release: "1.3.0" }, { diffEquality: "x" }, { diffsOnly: 1 }, { diffsOnly: true, release: "1.4.0" }])(
    "of writing: %j",
    async (options) => {
      expectError(() => elephant.write(1, options as never), "bad-option");
      expectError(() => elephant.writeInto(1, new Uint8Array(100), 0, options as never), "bad-option");
      expectError(() => elephant.exportString(1, options as never), "bad-option");
      await expect(elephant.writeAsync(1, options as never)).rejects.toMatchObject(refused);
      await expect(elephant.writeTo(() => {}, 1, options as never)).rejects.toMatchObject(refused);
      const sink = new Writable({ write: (_chunk, _encoding, done) => done() });
      await expect(elephant.writeTo(sink, 1, options as never)).rejects.toMatchObject(refused);
      // The caller's still.
      expect(sink.destroyed).toBe(false);
    },
  );

  test.each([
    { sliceMs: "x" },
    { sliceMs: -1 },
    { sliceMs: Number.NaN },
    { onProgress: 5 },
    { pause: 5 },
    { signal: {} },
    { signal: { aborted: false } },
  ])("of slices: %j", async (options) => {
    await expect(elephant.readAsync(save, options as never)).rejects.toMatchObject(refused);
    await expect(elephant.writeAsync(1, options as never)).rejects.toMatchObject(refused);
  });

  test.each([0, 1.5, 2 ** 30 + 1, 1e12, "1"])("chunks of %j bytes", async (chunkBytes) => {
    await expect(elephant.writeChunks(1, { chunkBytes: chunkBytes as never }).next()).rejects.toMatchObject(refused);
  });

  test("but not chunks of 1 GiB", () => {
    // Looked at only: one would take the memory.
    expect(() => checkOptions({ chunkBytes: 2 ** 30 }, SLICES)).not.toThrow();
  });

  test.each([-1, 1.5, "9"])("a source of %j bytes", async (size) => {
    await expect(elephant.readAsync([save], { size: size as never })).rejects.toMatchObject(refused);
  });

  test("of copies and JSON", () => {
    for (const options of [null, ...NO_OPTIONS, { forceVerbose: 1 }, { allMembers: "x" }])
      expectError(() => elephant.duplicate({}, options as never), "bad-option");
    for (const options of [null, ...NO_OPTIONS, { diffsOnly: 1 }]) expectError(() => elephant.toJson({}, options as never), "bad-option");
  });
});

describe("classes whose instances take no members", () => {
  class Frozen {
    constructor() {
      Object.freeze(this);
    }
  }
  class Fixed {
    constructor() {
      Object.defineProperty(this, "x", { value: 1, enumerable: true });
    }
  }
  const stand = createElephantSync({ unknownConstructor: "generic" });

  test.each([
    ["Frozen", Frozen],
    ["Fixed", Fixed],
  ])("%s is named, with the member", (name, type) => {
    const codec = createElephantSync({ constructors: { [name]: type } });
    const bytes = stand.write(Array.from({ length: 20 }, () => new StructInstance(name, { x: 2 })));
    const json = stand.toJson(new StructInstance(name, { x: 2 }));
    for (const operation of [() => codec.read(bytes), () => codec.fromJson(json)]) {
      const error = expectError(operation, "bad-option");
      expect(error.message).toContain(name);
      expect(error.message).toContain('"x"');
    }
    expect(codec.write([1])).toEqual(elephant.write([1]));
  });
});

describe("plain objects", () => {
  const foreign = runInNewContext("({ a: 1, b: [{ c: 'x' }, { c: 'y' }] })");

  test("of another realm are as plain as others", () => {
    const own = { a: 1, b: [{ c: "x" }, { c: "y" }] };
    for (let i = 0; i < 20; i++) expect(elephant.write(foreign)).toEqual(elephant.write(own));
    expect(elephant.toJson(foreign)).toEqual(own);
    expect(elephant.duplicate(foreign)).toEqual(own);
    expect(elephant.fromJson(foreign)).toEqual(own);
  });

  test("a DataView of another realm is copied like any other", () => {
    const view = runInNewContext("new DataView(new Uint8Array([1, 2, 3, 4]).buffer, 1, 2)");
    const { view: copy } = elephant.duplicate({ view });
    expect([copy.byteLength, copy.buffer.byteLength, copy.getUint8(0), copy.getUint8(1)]).toEqual([2, 2, 2, 3]);
  });

  test("inherit from nothing else", () => {
    for (const given of [Object.create({ a: 1 }), Object.create(Object.create(null)), runInNewContext("new (class Object {})()")])
      expectError(() => elephant.write(given), "datatype-not-recognised");
  });
});

describe("what has no text, and what has been given away", () => {
  const givenAway = <T extends { buffer: ArrayBuffer }>(view: T): T => {
    structuredClone(view.buffer, { transfer: [view.buffer] });
    return view;
  };

  test("is no scalar's datatype, and no stand-in", () => {
    for (const odd of [Object.create(null), Symbol(), {}, undefined, () => 1]) {
      expectError(() => Scalar(odd as never, 5 as never), "bad-option");
      for (const ask of [StructInstance.nameOf, StructInstance.versionOf, StructInstance.verboseOf])
        expectError(() => ask(odd as never), "bad-option");
    }
  });

  test("is no JSON", () => {
    for (const odd of [Symbol(), givenAway(new Uint8Array(2)), givenAway(new DataView(new ArrayBuffer(2))).buffer])
      expect(expectError(() => elephant.toJson({ a: [odd] }), "datatype-not-recognised").path).toBe(".a[0]");
    expect(expectError(() => elephant.fromJson({ a: [Symbol()] }), "datatype-not-recognised").path).toBe(".a[0]");
  });

  test("is no source", async () => {
    const bytes = givenAway(save.slice());
    await expect(elephant.readAsync(bytes)).rejects.toMatchObject(refused);
    await expect(elephant.readAtAsync(bytes.buffer, 0)).rejects.toMatchObject(refused);
  });
});

describe("scalars", () => {
  test("have a datatype that there is, and a value of its kind", () => {
    expectError(() => Scalar("nope" as never, 5 as never), "bad-option");
    expectError(() => Scalar("u8", "x" as never), "bad-option");
    expectError(() => Scalar("bool", 1 as never), "bad-option");
    expectError(() => Scalar("toString" as never, 5 as never), "bad-option");
    expect(Scalar("u8", 5).value).toBe(5);
  });
});

test("an export string that inflates too far says where that was", () => {
  const text = elephant.exportString(new Array(10_000).fill(0));
  const small = createElephantSync({ limits: { maxInflatedBytes: 100 } });
  expect(expectError(() => small.importString(text), "inflate-limit").offset).toBe(100);
  for (const wrong of ["AAAAAAAAAAAA", `${text.slice(0, 40)}AAAAAAAAAAAA`, text.slice(0, 40)])
    expect(expectError(() => elephant.importString(wrong), "export-string").offset).toBeTypeOf("number");
});

test("a target that ends before the offset has as many bytes as it has", () => {
  const { reason, offset } = expectError(() => elephant.writeInto(5, new Uint8Array(50), 60), "target-too-small");
  expect([reason, offset]).toEqual(["the save would end at 81, the target ends at 50", 60]);
});

test("a StructInstance has a name", () => {
  for (const name of [undefined, null, 5, {}]) expectError(() => new StructInstance(name as never), "bad-option");
});

describe("what may be given", () => {
  test("limits that are undefined are the default ones", () => {
    const codec = createElephantSync({ limits: { maxDepth: undefined, maxNodes: 100 } });
    expect(codec.read(codec.write([[1]]))).toEqual([[1]]);
  });

  test("a signal may be null", async () => {
    expect(await elephant.readAsync(save, { signal: null as never })).toEqual({ gold: 1250 });
  });

  test("a depth limit may be infinite", () => {
    // Too large for what reads small saves.
    const value = Array.from({ length: 400 }, (_, a) => ({ a }));
    for (const maxDepth of [Number.POSITIVE_INFINITY, 2 ** 40])
      expect(createElephantSync({ limits: { maxDepth } }).read(elephant.write(value))).toEqual(value);
  });
});

describe("Scalars and constructors", () => {
  test("any and containers are no datatypes of a Scalar", () => {
    for (const datatype of ["any", "array", "struct", "undefined"])
      for (const value of ["x", 5, true, 5n]) expectError(() => Scalar(datatype as never, value as never), "bad-option");
  });

  test("a Scalar counts as its value where one reckons", () => {
    expect([Number(Scalar("s32", 5)), +Scalar("bool", true), Scalar("u8", 2) > Scalar("f32", 1.5)]).toEqual([5, 1, true]);
  });

  test("a Scalar does not change", () => {
    expect(Object.isFrozen(Scalar("s32", 5))).toBe(true);
  });

  test("a function without a prototype is no constructor", () => {
    expectError(() => createElephantSync({ constructors: { A: class {}.bind(undefined) as never } }), "bad-option");
    function Fn() {}
    Fn.prototype = null;
    expectError(() => createElephantSync({ constructors: { Fn: Fn as never } }), "bad-option");
  });
});

test("a limit between two whole numbers is the lower one, whatever is done", () => {
  const limited = createElephantSync({ limits: { maxDepth: 2.5 } });
  const few = createElephantSync({ limits: { maxNodes: 2.5 } });
  const value = [[1]];
  expect(limited.read(elephant.write(value))).toEqual(value);
  for (const operation of ["write", "duplicate", "toJson", "fromJson"] as const) {
    expect(() => limited[operation](value), operation).not.toThrow();
    expectError(() => limited[operation]([value]), "depth-limit");
  }
  expectError(() => limited.read(elephant.write([value])), "depth-limit");
  for (const operation of [() => few.read(elephant.write([[], []])), () => few.fromJson([[], []])]) expectError(operation, "element-limit");
});

test("messages do not hold the source of what was given", () => {
  class Given {
    own = 1;
  }
  for (const given of [Given, () => "own = 1", { own: 1 }, new Given()] as never[])
    for (const call of [
      () => elephant.read(given),
      () => elephant.importString(given),
      () => elephant.write(1, { release: given }),
      () => createElephantSync({ engine: given }),
      () => new Scalar(given, 1 as never),
    ])
      expect(expectError(call, "bad-option").message).not.toMatch(/own/);
});
