// Ways through the kernel that are taken because of what stands next to each other: runs of text of one kind, short arrays of numbers, many
// names, values that outlive their chunk. The result must be the same as by any other way.
import { describe, expect, onTestFinished, test } from "vitest";
import { file, text, u16 } from "./bytes.ts";
import { createElephantSync, ENGINES, TuskError } from "./codec.ts";
import { differences } from "./compare.ts";
import { expectError } from "./expect-error.ts";

const save = createElephantSync().write({ a: "X" });

/** A save of one text whose bytes are given; its text may be ill-formed. */
function saveOfText(bytes: readonly number[]): Uint8Array {
  const at = save.indexOf(0x58);
  return Uint8Array.from([...save.subarray(0, at), ...bytes, ...save.subarray(at + 1)]);
}

/** Deterministic, so that a failure can be repeated. */
function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    return (state >>> 8) % below;
  };
}

describe.each(ENGINES)("%s", (engine) => {
  const elephant = createElephantSync({ engine });

  test("a member's text may stand behind any number of any", async () => {
    for (const length of [0, 1, 20, 5000, 70_000, 400_000]) {
      const value = "x".repeat(length);
      const root = `ce ${u16(4)} ${text("a")} cc 0b ${text(value)} ${text("b")} cc cc 0d ${text(value)} ${text("c")} 0a 01 ${text("d")} cc 0b ${text("end")}`;
      const rows = `cd ${u16(30)} ce ${`${u16(1)} ${text("a")} cc 0b ${text("again")}`.repeat(30)}`;
      const expected = { a: value, b: value, c: true, d: "end" };
      expect(elephant.read(file(root))).toEqual(expected);
      expect(elephant.read(file(rows))).toEqual(Array.from({ length: 30 }, () => ({ a: "again" })));
      const whole = file(root);
      const pieces = (async function* () {
        for (let at = 0; at < whole.length; at += 4999) yield whole.subarray(at, at + 4999);
      })();
      expect(await elephant.readAsync(pieces)).toEqual(expected);
    }
  });

  test("children of one form that follow each other in a struct, and what comes between them", () => {
    const below = random(11);
    const leaf = (i: number): unknown =>
      [{ v: `${i % 7}` }, { v: `${i % 7}` }, { v: `${i % 7}` }, { v: i, w: i / 2 }, {}, [i], i, { v: { v: "inner" } }, { v: true }][
        below(9)
      ];
    const struct = (depth: number, known: unknown[]): Record<string, unknown> => {
      const made: Record<string, unknown> = {};
      const alike = below(3) > 0;
      const members = 1 + below(14);
      for (let i = 0; i < members; i++) {
        const kind = below(alike ? 40 : 8);
        made[`m${i}`] =
          kind === 0 && depth > 0
            ? struct(depth - 1, known)
            : kind === 1 && known.length > 0
              ? known[below(known.length)]
              : alike
                ? { v: `${i}` }
                : leaf(i);
        if (typeof made[`m${i}`] === "object") known.push(made[`m${i}`]);
      }
      return made;
    };
    for (let round = 0; round < 30; round++) {
      const known: unknown[] = [];
      const value = Array.from({ length: 100 }, () => struct(3, known));
      const bytes = elephant.write(value);
      const read = elephant.read(bytes);
      expect(differences(value, read)).toEqual([]);
      // The same containers are shared.
      expect(elephant.write(read)).toEqual(bytes);
    }
  });

  test("runs of characters of one length, and what breaks them, become what the Encoding Standard says", () => {
    // Well-formed characters at the ends of their ranges, one byte too few or too many, overlong forms, lone bytes. Pairs of surrogates in
    // three bytes each are left out: the format joins them (formats/elephant.md §3.3).
    const pieces = ["41", "7f", "c3a9", "c280", "dfbf", "c080", "c1bf", "e0a080", "e09fbf", "e38182", "ed9fbf", "ee8080", "efbfbf"]
      .concat(["f0908080", "f48fbfbf", "f4908080", "f5", "80", "bf", "e381", "e3", "c3", "f09f", "f09f92", "ff", "d0bf", "d180", "e5a4"])
      .map((hex) => [...Buffer.from(hex, "hex")]);
    const plain = [pieces[0], pieces[2], pieces[25], pieces[26], pieces[9]];
    const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
    const below = random(5);
    for (let i = 0; i < 1000; i++) {
      const favourite = pieces[below(pieces.length)];
      const mode = below(3);
      const bytes = Array.from({ length: 1 + below(40) }, () =>
        mode === 0 ? pieces[below(pieces.length)] : mode === 1 ? (below(6) ? favourite : pieces[below(pieces.length)]) : plain[below(5)],
      ).flat();
      const read = elephant.read<{ a: string }>(saveOfText(bytes)).a;
      if (read !== decoder.decode(Uint8Array.from(bytes)))
        expect(read, Buffer.from(bytes).toString("hex")).toBe(decoder.decode(Uint8Array.from(bytes)));
    }
  });

  test("short arrays of numbers in a row keep their numbers, kinds, sharing and places", () => {
    const shared = [1, 2];
    const points = Array.from({ length: 5000 }, (_, i) => (i % 7 === 0 ? [i, i / 2] : [i, -i]));
    const others = [[], [0.5], [-0, 1], [Number.NaN], [2 ** 31, 1], [-(2 ** 31)], ["text"], [true], [[1], [2, 3]], shared, shared];
    const long = [64, 65, 254, 255, 256, 257].map((length) => Array.from({ length }, (_, i) => i));
    const value = { points, others, mixed: [...others, ...points.slice(0, 20), ...others], long, again: points[4999] };
    const read = elephant.read<typeof value>(elephant.write(value));
    expect(differences(value, read)).toEqual([]);
    expect(Object.is(read.others[2][0], -0)).toBe(true);
    expect(read.others[9]).toBe(read.others[10]);
    expect(read.again).toBe(read.points[4999]);
    expect(elephant.write(read)).toEqual(elephant.write(value));
  });

  test("one number that is no int32, at any place of an array of any length", () => {
    const odd = [0.5, -0, Number.NaN, 2 ** 31, -(2 ** 31) - 1, 2 ** 32 + 5, 2 ** 52 + 1, -(2 ** 53), 1e300, Number.POSITIVE_INFINITY];
    const arrays: number[][] = [];
    for (let length = 1; length <= 13; length++)
      for (let at = 0; at < length; at++)
        for (const value of odd) arrays.push(Array.from({ length }, (_, i) => (i === at ? value : (i - 3) * 0x2aaaaaaa)));
    for (const value of [{ arrays }, { each: arrays.map((numbers) => ({ numbers })) }]) {
      const read = elephant.read<typeof value>(elephant.write(value));
      expect(differences(value, read)).toEqual([]);
      expect(elephant.write(read)).toEqual(elephant.write(value));
    }
  });

  test("short arrays of numbers count for the limits, at the place where the limit is passed", () => {
    const value = [Array.from({ length: 1000 }, (_, i) => [i, i])];
    const bytes = elephant.write(value);
    const exactly = createElephantSync({ engine, limits: { maxNodes: 1002, maxDepth: 3 } });
    expect(exactly.read(bytes)).toEqual(value);
    const limited = (limits: { maxNodes?: number; maxDepth?: number }): unknown => {
      try {
        return createElephantSync({ engine, limits }).read(bytes);
      } catch (error) {
        return error instanceof TuskError ? [error.code, error.offset] : error;
      }
    };
    // Header 8, root 1 + 2 + 1, rows 2 + 1; each row 2 + 1 + 16 bytes.
    expect(limited({ maxNodes: 1001 })).toEqual(["element-limit", 15 + 999 * 19]);
    expect(limited({ maxDepth: 2 })).toEqual(["depth-limit", 15]);
  });

  test("long arrays of mixed values keep their order, whatever stands among them", () => {
    const below = random(9);
    const others = [
      () => undefined,
      () => true,
      () => `text ${below(9)}`,
      () => `unique ${below(2 ** 30)}`,
      () => below(1000),
      () => below(1000) / 7,
    ];
    const rare = [
      () => [below(9)],
      () => ({ a: below(9) }),
      () => 2n ** 40n,
      () => -0,
      () => Number.NaN,
      () => 2 ** 31,
      () => -(2 ** 31),
      () => [] as unknown[],
    ];
    for (const length of [63, 64, 65, 999, 1000, 1001, 2500, 65_533]) {
      const value = Array.from({ length }, () => (below(200) === 0 ? rare[below(rare.length)]() : others[below(others.length)]()));
      const read = elephant.read<unknown[]>(elephant.write([value]));
      expect(differences([value], read)).toEqual([]);
      expect(elephant.write(read)).toEqual(elephant.write([value]));
    }
  });

  test("data with more names than most is read the same each time", () => {
    const value = Object.fromEntries(Array.from({ length: 12_000 }, (_, i) => [`name${i}`, { [`own${i}`]: i, text: `text ${i}` }]));
    const bytes = elephant.write(value);
    for (let i = 0; i < 3; i++) expect(differences(value, elephant.read(bytes))).toEqual([]);
  });

  test("texts that outlive their chunk, in structs that stay open over many", () => {
    const inner = Array.from({ length: 40 }, (_, i) => ({ big: "x".repeat(70_000), i }));
    let value: unknown = inner;
    for (let i = 0; i < 300; i++) value = { first: `first ${i}`, second: `second ${i}`, value, last: `last ${i}` };
    const bytes = elephant.write(value);
    for (let i = 0; i < 2; i++) expect(differences(value, elephant.read(bytes))).toEqual([]);
  });

  test.each([
    ["an accessor", { get: () => -1, set: () => undefined }],
    ["read-only", { value: -1, writable: false }],
  ])("a member that the constructor has defined as %s gets its value, however often the class is read", (_, own) => {
    class Guarded {
      static guards = false;
      x: unknown;
      constructor() {
        if (Guarded.guards) Object.defineProperty(this, "x", { ...own, configurable: true, enumerable: true });
      }
    }
    const guarded = createElephantSync({ engine, constructors: { Guarded } });
    const value = Array.from({ length: 40 }, (_, i) => Object.assign(new Guarded(), { x: i }));
    // Among others, too, so that both ways of making functions are gone.
    const bytes = [guarded.write(value), guarded.write({ list: value.map((one) => [one, 1]) })];
    Guarded.guards = true;
    for (let i = 0; i < 4; i++) {
      expect(guarded.read<Guarded[]>(bytes[0]).map(({ x }) => x)).toEqual(value.map((_, k) => k));
      expect(guarded.read<{ list: [Guarded][] }>(bytes[1]).list.map(([{ x }]) => x)).toEqual(value.map((_, k) => k));
    }
  });
});

test("a count of members that are not there takes no memory", () => {
  const instances: WebAssembly.Instance[] = [];
  const { Instance } = WebAssembly;
  WebAssembly.Instance = new Proxy(Instance, {
    construct(target, given) {
      instances.push(Reflect.construct(target, given));
      return instances.at(-1)!;
    },
  });
  onTestFinished(() => {
    WebAssembly.Instance = Instance;
  });
  const codec = createElephantSync({ engine: "wasm" });
  const sizes = () => instances.map(({ exports }) => (exports.memory as WebAssembly.Memory).buffer.byteLength);
  const members = (count: number): string => `ce ${u16(count)} ${text("a")} `;
  expectError(() => codec.read(file(members(3))));
  const before = sizes();
  expect(before.length).toBe(1);
  WebAssembly.Instance = Instance;
  for (const count of [40_000, 65_533]) for (const levels of [1, 2, 40]) expectError(() => codec.read(file(members(count).repeat(levels))));
  expect(sizes()).toEqual(before);
  // Those that are there take what they need.
  const all = Object.fromEntries(Array.from({ length: 65_000 }, (_, i) => [`m${i}`, i]));
  expect(differences(all, codec.read(codec.write(all)))).toEqual([]);
  expect(sizes()[0]).toBeGreaterThan(before[0]);
});
