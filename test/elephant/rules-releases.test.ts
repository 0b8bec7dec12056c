// Constructors of old releases, and those that are not registered (formats/elephant.md §8, §12).
import { expect, test, vi } from "vitest";
import { readDs } from "../../src/ds/index.ts";
import { Machine } from "../../src/elephant/machine.ts";
import { bytes, text, u16 } from "./bytes.ts";
import { createElephantSync, ENGINES, POST_READ, PRE_READ, SCHEMA, StructInstance } from "./codec.ts";
import { expectError } from "./expect-error.ts";

test("1.0.0: an unknown constructor keeps its name in a generic codec", () => {
  const save = bytes(`41544d43 00000100 0F 01 00 22 ${text("Gone")} 00 01 00 ${text("a")} 0A 01`);
  const [read] = createElephantSync({ unknownConstructor: "generic" }).read<StructInstance[]>(save);
  expect([StructInstance.nameOf(read), read.a]).toEqual(["Gone", true]);
  expect(createElephantSync().read(save)).toStrictEqual([{ a: true }]);
});

test("1.0.0: limits are told though names may be missing", () => {
  const save = bytes(`41544d43 00000100 0F 02 00 0E 22 ${text("Gone")} 00 00 00 0F 01 00 0F 01 00 0F 01 00 0F 00 00`);
  expect(createElephantSync().read(save)).toEqual([{}, [[[[]]]]]);
  expectError(() => createElephantSync({ limits: { maxDepth: 3 } }).read(save), "depth-limit");
  expectError(() => createElephantSync({ limits: { maxNodes: 3 } }).read(save), "element-limit");
});

test("1.0.0: what is lacking is told with the place", () => {
  const save = bytes(`41544d43 00000100 20 ${text("Gone")} 00 01 00 ${text("a")} 12`);
  expect(expectError(() => createElephantSync().read(save), "unreadable")).toMatchObject({
    offset: save.length - 1,
    cause: { code: "unknown-datatype" },
  });
});

test("1.0.0: a save that has its names and is cut off is called that", () => {
  const save = bytes(`41544d43 00000100 20 ${text("Gone")} 00 01 00 ${text("a")} 0A 01`);
  expect(createElephantSync().read(save)).toEqual({ a: true });
  // Behind the datatype of the root.
  for (let length = 9; length < save.length; length++)
    for (const unknownConstructor of ["error", "generic"] as const)
      expectError(() => createElephantSync({ unknownConstructor }).read(save.subarray(0, length)), "truncated");
});

test.each(ENGINES)("engine %s, 1.0.0: what a callback throws goes to the caller, where names are lacking, too", (engine) => {
  const save = bytes(
    `41544d43 00000100 0F 02 00 0E 20 ${text("Gone")} 00 00 00 21 ${text("Bag")} 00 01 00 ${text("held")} 0B ${text("zz")}`,
  );
  class Bag {
    held: unknown = "";
    [POST_READ](): void {
      this.held = readDs(this.held as string);
    }
  }
  class Shut {
    constructor() {
      Object.freeze(this);
    }
  }
  const error = (() => {
    try {
      return createElephantSync({ constructors: { Bag }, unknownConstructor: "generic", engine }).read(save);
    } catch (thrown) {
      return thrown;
    }
  })();
  expect(error).toMatchObject({ format: "ds", offset: 0 });
  expectError(() => createElephantSync({ constructors: { Bag: Shut }, unknownConstructor: "generic", engine }).read(save), "bad-option");
});

test("1.0.0: errors of callbacks and of schemas are themselves, where a constructor is not registered, too", async () => {
  const beside = (other: string) => bytes(`41544d43 00000100 0F 02 00 0E 20 ${text("Gone")} 00 00 00 21 ${other}`);
  let thrown: unknown;
  class Bag {
    held = "";
    [POST_READ](): void {
      try {
        codec.importString(this.held);
      } catch (error) {
        thrown = error;
        throw error;
      }
    }
  }
  const codec = createElephantSync({ constructors: { Bag } });
  const save = beside(`${text("Bag")} 00 01 00 ${text("held")} 0B ${text("zz")}`);
  const error = expectError(() => codec.read(save), "export-string");
  expect(error).toBe(thrown);
  const later = await codec.readAsync(save).catch((reason: unknown) => reason);
  expect(later).toMatchObject({ code: "export-string" });
  expect(later).toBe(thrown);
  expect(later).not.toBe(error);
  const hero = beside(`${text("Hero")} 02 05`);
  for (const [schema, code] of [
    [{ v1: { hp: "u8" } }, "schema-version-missing"],
    [{ v2: { hp: "u99" } }, "schema-key-invalid"],
  ] as const) {
    const reader = createElephantSync({ constructors: { Hero: schema as never } });
    expectError(() => reader.read(hero), code);
    await expect(reader.readAsync(hero)).rejects.toMatchObject({ code });
  }
});

test.each(ENGINES)("engine %s: post-reads of instances that are not of their class any more, or never were", (engine) => {
  const doubled = { [PRE_READ](): void {}, [POST_READ]: doubling };
  function doubling(this: { hp: number }): void {
    this.hp *= 2;
  }
  const Made = function A() {
    return Object.create(doubled);
  } as unknown as new () => object;
  Object.assign(Made.prototype, doubled);
  class Swapped {
    [PRE_READ](): void {
      Object.setPrototypeOf(this, Object.prototype);
    }
  }
  Object.assign(Swapped.prototype, { [POST_READ]: doubling });
  class Asked {
    static [Symbol.hasInstance](): boolean {
      return false;
    }
  }
  Object.assign(Asked.prototype, { [POST_READ]: doubling });
  for (const A of [Made, Swapped, Asked])
    for (const begins of ["50454c45 01050100 CE", "50454c45 00030100 10"]) {
      const save = bytes(`${begins} FEFF 0000 ${text("A")} 80 0100 ${text("hp")} 09 0000000000004440 544e4148`);
      expect(createElephantSync({ constructors: { A }, engine }).read(save)).toMatchObject({ hp: 80 });
    }
});

test.each(ENGINES)("engine %s: post-reads up to 1.3.0, around an unknown constructor and behind a read that has failed", (engine) => {
  const calls: string[] = [];
  let fails = false;
  class Outer {
    [POST_READ](): void {
      calls.push("outer");
    }
  }
  class Inner {
    constructor() {
      if (fails) throw new Error("no");
    }
    [POST_READ](): void {
      calls.push("inner");
    }
  }
  const inner = `0100 ${text("x")} 0A 01`;
  const saves = [
    bytes(
      `41544d43 00000100 20 ${text("Outer")} 00 0100 ${text("u")} 21 ${text("Gone")} 00 0100 ${text("i")} 22 ${text("Inner")} 00 ${inner}`,
    ),
    bytes(`50454c45 00030100 10 FEFF 0000 ${text("Outer")} 80 0100 ${text("i")} 10 FEFF 0100 ${text("Inner")} 80 ${inner} 544e4148`),
  ];
  const codec = createElephantSync({ constructors: { Outer, Inner }, engine });
  for (const [i, save] of saves.entries()) {
    fails = true;
    expect(() => codec.read(save)).toThrow("no");
    fails = false;
    calls.length = 0;
    const held = Object.assign(new Inner(), { x: true });
    expect(codec.read(save)).toStrictEqual(Object.assign(new Outer(), i === 0 ? { u: { i: held } } : { i: held }));
    expect(calls).toEqual(["inner", "outer"]);
  }
});

test.each(ENGINES)("engine %s, 1.0.0: instances among more names than the kernel has room for", (engine) => {
  class Unit {
    hp = 0;
    static [SCHEMA] = { v1: { hp: "u8" } } as const;
  }
  const codec = createElephantSync({ constructors: { Unit }, engine });
  const members = Array.from({ length: 20_000 }, (_, i) => `${text(`n${i}`)} ${i % 100 === 1 ? "20 01 07" : "0A 01"}`);
  members[0] = `${text("n0")} 20 ${text("Unit")} 01 05`;
  const read = codec.read<Record<string, unknown>>(bytes(`41544d43 00000100 10 ${u16(20_000)} ${members.join("")}`));
  const units = Object.keys(read).filter((name) => read[name] !== true);
  expect(Object.keys(read)).toHaveLength(20_000);
  expect(units).toEqual(["n0", ...Array.from({ length: 200 }, (_, i) => `n${i * 100 + 1}`)]);
  for (const name of units) expect(read[name]).toEqual(Object.assign(new Unit(), { hp: name === "n0" ? 5 : 7 }));
});

test.each(ENGINES)("engine %s: constructors of a read mean nothing in another, 65,535 reads later either", (engine) => {
  class Near {
    a = 0;
    static [SCHEMA] = { v1: { a: "u8" } } as const;
  }
  class Far {
    a = 0;
    static [SCHEMA] = { v1: { a: "u8" } } as const;
  }
  const codec = createElephantSync({ constructors: { Near, Far }, engine });
  const filler = "x".repeat(600);
  const save = codec.write([filler, new Near(), new Far()]);
  const other = codec.write([filler, new Far(), new Near()]);
  const classes = (bytes: Uint8Array) => codec.read<object[]>(bytes).map((value) => value.constructor.name);
  const begin = vi.spyOn(Machine.prototype, "begin");
  expect(classes(save)).toEqual(["String", "Near", "Far"]);
  // The kernel counts reads in 16 bits.
  const { kernel } = begin.mock.contexts[0] as Machine;
  begin.mockRestore();
  for (let i = 0; i < 65_534; i++) kernel.readBegin(151, 0, 0, 9, 9, 9, 0);
  expect(classes(other)).toEqual(["String", "Far", "Near"]);
  expect(classes(save)).toEqual(["String", "Near", "Far"]);
});

test("how an instance of an old release was stored", () => {
  const codec = createElephantSync({ constructors: { C: { v5: { a: "u8" }, v127: {} } } });
  const old = codec.read<StructInstance>(bytes(`50454c45 00020100 10 FE FF 00 00 ${text("C")} 05 07 544e4148`));
  expect(old).toMatchObject({ a: 7 });
  expect([StructInstance.versionOf(old), StructInstance.verboseOf(old)]).toEqual([5, false]);
});

test("old releases have versions up to 255", () => {
  const versions: number[] = [];
  class C {
    static [SCHEMA] = { v200: { a: "u8" } } as never;
    [PRE_READ]({ schemaVersion }: { schemaVersion: number }) {
      versions.push(schemaVersion);
    }
  }
  const save = bytes(`50454c45 00020100 10 FE FF 00 00 ${text("C")} C8 07 544e4148`);
  expect(createElephantSync({ constructors: { C } }).read(save)).toMatchObject({ a: 7 });
  expect(versions).toEqual([200]);
  expect(StructInstance.versionOf(createElephantSync({ constructors: { C: { v200: { a: "u8" } } as never } }).read(save))).toBe(200);
});

test("unknown constructors of a save, up to 65,534", () => {
  const codec = createElephantSync({ unknownConstructor: "generic" });
  const all = Array.from({ length: 65_535 }, (_, i) => new StructInstance(`C${i}`));
  expect(codec.read<unknown[][]>(codec.write([all.slice(0, 40_000), all.slice(40_000, 65_534)]))[1]).toHaveLength(25_534);
  expectError(() => codec.read(codec.write([all.slice(0, 40_000), all.slice(40_000)])), "element-limit");
});
