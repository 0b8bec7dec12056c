// A call that runs out of stack or memory, whatever it was at, leaves nothing behind that a later one would meet.
import { describe, expect, onTestFinished, test } from "vitest";
import { createElephantSync, type ElephantOptions, ENGINES, StructInstance } from "./codec.ts";
import { expectError } from "./expect-error.ts";

const list = <T>(length: number, make: (i: number) => T): T[] => Array.from({ length }, (_, i) => make(i));
const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");

test.each(ENGINES)("engine %s: a strict version that was half handed over when the stack overflowed is not used", (engine) => {
  const names = ["first", "second"];
  const constructors = { A: { v1: { first: "u32", second: "u8" } } } as const;
  const save = createElephantSync({ constructors }).write(list(40, (i) => new StructInstance("A", { first: i, second: i })));
  const codec = createElephantSync({ engine, constructors });
  const { forEach } = Array.prototype;
  const back = () => {
    Array.prototype.forEach = forEach;
  };
  onTestFinished(back);
  Array.prototype.forEach = function (this: { name?: unknown }[], call) {
    if (this.length === 2 && this.every(({ name }, i) => name === names[i])) throw new RangeError("Maximum call stack size exceeded");
    forEach.call(this, call);
  };
  expect(() => codec.read(save)).toThrow("Maximum call stack size exceeded");
  back();
  expect(codec.read<StructInstance[]>(save).map((one) => ({ ...one }))).toEqual(list(40, (i) => ({ first: i, second: i })));
});

/** Lets one allocation of an `Int32Array` of `length` fail: the `nth`. */
function failing(length: number, nth: number, work: () => void): void {
  const Usual = globalThis.Int32Array;
  let met = 0;
  globalThis.Int32Array = new Proxy(Usual, {
    construct(target, args: [number]) {
      if (args[0] === length && ++met === nth) throw new RangeError("Array buffer allocation failed");
      return Reflect.construct(target, args) as object;
    },
  });
  const back = () => {
    globalThis.Int32Array = Usual;
  };
  onTestFinished(back);
  expect(work).toThrow("Array buffer allocation failed");
  back();
  expect(met).toBeGreaterThanOrEqual(nth);
}

test("tables of which one could not be had are not used: what occurs twice is found", () => {
  const shared = { x: 1, y: 2 };
  const value = { list: list(40, (i) => ({ id: i, v: i })), a: shared, b: shared };
  const codec = createElephantSync();
  failing(16, 2, () => codec.write(value));
  const right = hex(createElephantSync().write(value));
  expect(hex(codec.write(value))).toBe(right);
  const copy = codec.read<typeof value>(codec.write(value));
  expect(copy.a).toBe(copy.b);
  failing(16, 2, () => codec.duplicate(value));
  const duplicate = codec.duplicate(value);
  expect(duplicate.a).toBe(duplicate.b);
});

test("a table whose links could not be had is not used, where a codec knows that graphs share", () => {
  const shared = { x: 1, y: 2 };
  const value = { list: list(600, (i) => ({ id: i, v: i })), a: shared, b: shared, c: shared };
  const codec = createElephantSync();
  codec.write({ a: shared, b: shared });
  failing(4096, 1, () => codec.write(value));
  expect(hex(codec.write(value))).toBe(hex(createElephantSync().write(value)));
});

describe("strict versions", () => {
  const constructors: NonNullable<ElephantOptions["constructors"]> = {};
  for (let i = 0; i < 16_400; i++) constructors[`C${i}`] = { v1: { a: "u8" } };
  const save = (from: number, length: number) =>
    createElephantSync({ constructors }).write(list(length, (i) => new StructInstance(`C${from + i}`, { a: 1 })));

  test("a save with thousands of them is read whatever a codec has read before", () => {
    const codec = createElephantSync({ constructors });
    expect(codec.read(save(0, 9999))).toHaveLength(9999);
    const later = save(9999, 6400);
    for (let i = 0; i < 2; i++) expect(codec.read(later)).toHaveLength(6400);
  });

  test("a version that has no room left beside others has it in the next attempt", () => {
    const version = (length: number) => ({ v1: Object.fromEntries(list(length, (i) => [`f${i}`, "undefined" as const])) });
    const constructors = { A: version(8400), B: version(14_000) };
    const [first, second] = ["A", "B"].map((name) => createElephantSync({ constructors }).write(new StructInstance(name, {})));
    const codec = createElephantSync({ constructors });
    codec.read(first);
    expect(expectError(() => codec.read(second)).code).toBe("element-limit");
    expect(Object.keys(codec.read<object>(second))).toHaveLength(14_000);
  });
});

describe("what a codec has learned", () => {
  const codec = createElephantSync();
  const { idle } = codec as unknown as { idle: unknown[] };

  test("is kept behind an error of the package, whatever names stand in that", () => {
    codec.write({});
    const [learned] = idle;
    for (const name of ["stack", "recurs", "alloc", "memory", "unreach"])
      expect(expectError(() => codec.write({ [name]: Symbol() })).message).toContain(`.${name}`);
    expect(idle.map((parts) => parts === learned)).toEqual([true]);
  });

  test("is dropped where memory has run out, also where the engine says so by a text", () => {
    for (const thrown of [new RangeError("Array buffer allocation failed"), "out of memory"]) {
      codec.write({});
      expect(idle).toHaveLength(1);
      const value = {
        get member() {
          throw thrown;
        },
      };
      expect(() => codec.write(value)).toThrow();
      expect(idle).toHaveLength(0);
    }
  });
});
