// ... and what is wrong, too large or asked for by options. The ways to get there are in nested-codecs.ts.
import { isDeepStrictEqual } from "node:util";
import { describe, expect, test } from "vitest";
import {
  createElephantSync,
  type Elephant,
  type ElephantConstructor,
  ENGINES,
  LONG_RUN,
  MODES,
  type ReadOptions,
  SCHEMA,
} from "./codec.ts";
import { differences } from "./compare.ts";
import {
  classOf,
  codecsOf,
  countContainers,
  createElephantWriter,
  damagedSaves,
  depthOf,
  isSame,
  type Members,
  make,
  outcome,
  READS,
  random,
  structuredGraph,
  taken,
  woods,
} from "./nested-codecs.ts";
import { once } from "./once.ts";

/** Damage of a save of more than a window, with what comes of it for a codec that has read nothing yet: its error, or what is written of its value. */
const damagedBehindWindow = once(() => {
  const { constructors, value } = woods();
  const list = Array.from({ length: 400 }, () => structuredGraph(value));
  const writer = createElephantWriter(constructors);
  const save = writer.write(list);
  expect(save.length).toBeGreaterThan(1.2 * 262144);
  const below = random(5);
  const few = LONG_RUN ? 10 : 4;
  const damaged = [
    ...Array.from({ length: 2 * few }, (_, i) => save.subarray(0, save.length - 1 - (i < few ? i * 7 : below(2000)))),
    ...Array.from({ length: 4 * few }, (_, i) => {
      const at = i < 2 * few ? 9 + below(save.length - 9) : save.length - 1 - below(300);
      return save.with(at, [64, 255, save[at] ^ 1][i % 3]);
    }),
  ];
  const damage = damaged.map((bytes) => {
    const { value, error } = outcome(createElephantSync({ constructors, engine: ENGINES[0] }), bytes);
    return { bytes, error, again: error ? undefined : writer.write(value) };
  });
  return { list, save, few, damage };
});

describe.each(MODES)("$engine, code generation $codeGeneration", (mode) => {
  const { large, create, Node, node, lesson, learned } = codecsOf(mode);

  describe("errors and options", () => {
    test("a damaged save gives what it gives to a codec that has read nothing yet", () => {
      const { codec, constructors } = learned();
      for (const save of damagedSaves(constructors)) {
        for (const { at, damaged, fresh } of save.damage) {
          const warm = outcome(codec, damaged);
          const place = () => `${Buffer.from(damaged).toString("hex")}, changed at ${at}`;
          if (!isDeepStrictEqual(warm.error, fresh.error)) expect(warm.error, place()).toEqual(fresh.error);
          const found = fresh.error ? [] : differences(fresh.value, warm.value);
          if (found.length > 0) expect(found, place()).toEqual([]);
          // The way stays open, and nothing is left of the failure.
          const before = taken.operations;
          const again = differences(save.value, codec.read(save.bytes));
          if (again.length > 0 || taken.operations === before) {
            expect(again, place()).toEqual([]);
            expect(taken.operations > before, place()).toBe(true);
          }
        }
      }
    });

    test("a save that ends early is truncated, wherever it ends", () => {
      const { codec, value } = learned();
      const save = codec.write(value);
      for (let end = 9; end < save.length; end++) {
        const { error } = outcome(codec, save.subarray(0, end));
        if (!isDeepStrictEqual(error, ["truncated", end])) expect(error).toEqual(["truncated", end]);
      }
      expect(differences(value, codec.read(save))).toEqual([]);
    });

    large("a damaged save that reaches behind the window", () => {
      const { codec } = learned();
      const { list, save, few, damage } = damagedBehindWindow();
      expect(isSame(codec.write(list), save)).toBe(true);
      expect(differences(list, codec.read(save))).toEqual([]);
      for (const [i, { bytes, error, again }] of damage.entries()) {
        const warm = outcome(codec, bytes);
        expect(warm.error, `damage ${i}`).toEqual(error);
        if (again) expect(isSame(codec.write(warm.value), again), `damage ${i}`).toBe(true);
        if (i % (2 * few) === 0) expect(isSame(codec.write(codec.read(save)), save)).toBe(true);
      }
    });

    test("a constructor that throws leaves nothing behind", () => {
      let left = Number.POSITIVE_INFINITY;
      class Thrower {
        constructor() {
          if (--left < 0) throw new Error("no more");
        }
      }
      (Thrower as unknown as Members)[SCHEMA as unknown as string] = { v1: { id: "f64", list: "array", any: "any" } };
      const constructors = { Node: Thrower as unknown as ElephantConstructor };
      const one = (id: number, list: unknown[] = [], any?: unknown) => make(constructors.Node, { id, list, any });
      const many = () => Array.from({ length: 20 }, (_, i) => one(i, [one(-i, [])], one(i)));
      const codec = create({ constructors });
      const world: Members = { nodes: many(), name: "world" };
      // It refers to a plain struct that is still open, by a number that the read that fails has used.
      (world.nodes as unknown[]).push(one(1, [], world));
      const good = codec.write([Array.from({ length: 30 }, (_, i) => [i]), world]);
      const failing = codec.write([many(), 1]);
      for (let i = 0; i < READS; i++) codec.read(failing);
      for (left = 50; left < 58; ) {
        const again = left + 1;
        expect(() => codec.read(failing)).toThrow("no more");
        left = Number.POSITIVE_INFINITY;
        const [, read] = codec.read(good) as [unknown, { nodes: Members[] }];
        expect(read.nodes.at(-1)!.any).toBe(read);
        left = again;
      }
    });

    test("a member that is refused while containers are open leaves nothing behind", () => {
      const fields = { a: "f64", b: "any" };
      const Written = classOf(fields);
      class Refusing {
        constructor() {
          Object.defineProperty(this, "b", { value: 0 });
        }
      }
      (Refusing as unknown as Members)[SCHEMA as unknown as string] = { v1: fields };
      const writer = create({ constructors: { Node, Outer: Written } });
      const codec = create({ constructors: { Node, Outer: Refusing as unknown as ElephantConstructor } });
      const save = writer.write(lesson());
      for (let i = 0; i < READS; i++) codec.read(save);
      // Plain structs with arrays end it, in the middle of a hundred that are open.
      let chain: unknown = [1, { x: [1] }];
      for (let i = 0; i < 100; i++) chain = node(1, [], chain);
      const outer = (b: unknown) => make(Written, { a: 1, b });
      const bad = writer.write([node(1), outer(node(1, [outer(chain)], 1))]);
      const texts = ["äöü".repeat(20), "日本語".repeat(10)];
      const before = codec.write(texts);
      for (let i = 0; i < 6; i++) expect(outcome(codec, bad).error).toEqual(["bad-option", undefined]);
      expect(differences(lesson(), codec.read(save))).toEqual([]);
      expect(isSame(codec.write(texts), before)).toBe(true);
    });

    test("codes that are none are no references in plain structs", () => {
      const codec = create({ constructors: { Node } });
      const lessonSave = codec.write(lesson());
      for (let i = 0; i < READS; i++) codec.read(lessonSave);
      const last = node(1);
      last.any = { q: last };
      const save = codec.write([...lesson(), last]);
      const at = save.lastIndexOf(0xff) - 2;
      for (const byte of [0, 14, 203, 204, 208, 220, 254, 255]) {
        const bad = save.with(at, byte);
        expect(outcome(codec, bad).error, `${byte}`).toEqual(outcome(create({ constructors: { Node } }), bad).error);
      }
    });

    test("elements of any kind, cut and damaged at every byte", () => {
      const cell = (i: number) =>
        [undefined, { tile: 3, seen: true }, -4, 0.5, "text", "äö", "a longer text", false, [1, "x"], 5n, { tile: 0.5, seen: false }][
          i % 11
        ];
      const rows = (count: number, width: number) =>
        Array.from({ length: count }, (_, i) => Array.from({ length: width }, (_, k) => cell(i + k * 2)));
      const codec = create({});
      const learned = codec.write(rows(400, 7));
      const before = taken.operations;
      for (let i = 0; i < READS; i++) codec.read(learned);
      expect(taken.operations).toBeGreaterThan(before);
      /** A save damaged from a byte on, and read by a codec. With typed arrays, the kernel reads all of it. */
      const compare = (one: Elephant, save: Uint8Array<ArrayBuffer>, from: number) => {
        for (let at = from; at < save.length; at++) {
          const damaged = [0, 9, 204, 206, 207, 255].map((byte) => save.with(at, byte));
          damaged.push(save.subarray(0, at), Uint8Array.of(...save.subarray(0, at), 204, ...save.subarray(at)));
          damaged.forEach((bytes, i) => {
            const [kernels, found] = [outcome(codec, bytes, { typedArrays: true }), outcome(one, bytes)];
            expect(found.error, `byte ${at}, case ${i}`).toEqual(kernels.error);
            if (!found.error) expect(isSame(codec.write(found.value), codec.write(kernels.value)), `byte ${at}, case ${i}`).toBe(true);
          });
        }
      };
      const last = codec.write(rows(1, 11));
      const save = codec.write(rows(60, 7).concat(rows(1, 11)));
      const taught = taken.operations;
      compare(codec, save, save.length - last.length - 4);
      expect(taken.operations - taught).toBeGreaterThan(last.length * 7);
      // Without the kernel, unless something is wrong.
      compare(createElephantSync({ codeGeneration: mode.codeGeneration }), last, 8);
    });

    test("all NaNs are the same, whatever the codec has learned", () => {
      const Single = classOf({ any: "any", list: "array", single: "f32" });
      const one = (list: unknown[]) => make(Single, { any: 1, list, single: Number.NaN });
      const constructors = { Single };
      const codec = create({ constructors });
      const save = codec.write(Array.from({ length: 40 }, () => one([one([])])));
      const odd = save.slice();
      const view = new DataView(odd.buffer, odd.byteOffset, odd.byteLength);
      for (let at = 8; at < odd.length - 8; at++) if (view.getUint32(at, true) === 0x7fc00000) view.setUint32(at, 0x7fc12345, true);
      expect(isSame(odd, save)).toBe(false);
      for (let i = 0; i < READS; i++) expect(isSame(codec.write(codec.read(odd)), save), `read ${i}`).toBe(true);
    });

    test("input that is the program's: a Buffer used again, one given away meanwhile", () => {
      let meanwhile = () => {};
      class Watched {
        constructor() {
          meanwhile();
        }
      }
      (Watched as unknown as Members)[SCHEMA as unknown as string] = { v1: { id: "f64", list: "array", any: "any" } };
      const constructors = { Node: Watched as unknown as ElephantConstructor };
      const one = (list: unknown[], any?: unknown) => make(constructors.Node, { id: 1, list, any });
      const codec = create({ constructors });
      // More than a window.
      const saveOf = (name: string) =>
        codec.write([
          Array.from({ length: 20 }, () => one([one([])])),
          Array.from({ length: 60 }, (_, i) => one([{ [name]: i, [`${name}2`]: 2 }], "x".repeat(6000))),
        ]);
      const [first, second] = [saveOf("alpha"), saveOf("omega")];
      const buffer = Buffer.from(first);
      codec.read(buffer);
      buffer.set(second);
      expect(differences(create({ constructors }).read(second), codec.read(buffer))).toEqual([]);
      let made = 0;
      const given = first.slice();
      meanwhile = () => {
        if (++made === 70) structuredClone(given.buffer, { transfer: [given.buffer] });
      };
      expect(outcome(codec, given).error).toMatchObject(["truncated", expect.any(Number)]);
      meanwhile = () => {};
      expect(differences(create({ constructors }).read(first), codec.read(first))).toEqual([]);
    });

    test("more names, each of its own, than are remembered", () => {
      const codec = create({ constructors: { Node } });
      const value = [
        ...lesson(),
        ...Array.from({ length: 30 }, (_, i) =>
          node(
            i,
            Array.from({ length: 60 }, (_, k) => Object.fromEntries(Array.from({ length: 4 }, (_, n) => [`${i} ${k} ${n}`, n]))),
          ),
        ),
      ];
      const save = codec.write(value);
      for (let i = 0; i < 4; i++) expect(differences(value, codec.read(save))).toEqual([]);
    });

    test("more names in one struct than are remembered", () => {
      const codec = create({ constructors: { Node } });
      const strange = (seed: number) =>
        Array.from({ length: 70 }, (_, i) =>
          Object.fromEntries(Array.from({ length: 62 }, (_, k) => [(seed + i * 62 + k).toString(36), true])),
        );
      const value = [...lesson(), node(1, strange(0)), node(2, [1, 2]), node(3, strange(5000)), node(4, strange(2000))];
      const save = codec.write(value);
      for (let i = 0; i < 4; i++) expect(differences(value, codec.read(save))).toEqual([]);
    });

    test("limits end a read at the same place, whatever the codec has learned", () => {
      const { constructors, value, small } = woods();
      const save = createElephantWriter(constructors).write(value);
      const lessonSave = createElephantWriter(constructors).write(small);
      const nodes = countContainers(value);
      const depth = depthOf(value);
      const limits: { maxNodes?: number; maxDepth?: number }[] = [
        ...Array.from({ length: 12 }, (_, i) => ({ maxNodes: nodes - i * (i < 4 ? 1 : 2) })),
        ...Array.from({ length: 5 }, (_, i) => ({ maxDepth: depth - i })),
      ];
      for (const [i, limit] of limits.entries()) {
        const codec = create({ constructors, limits: limit });
        const fresh = outcome(create({ constructors, limits: limit }), save);
        const before = taken.operations;
        for (let k = 0; k < 15; k++) codec.read(lessonSave);
        expect(taken.operations > before).toBe(true);
        const warm = outcome(codec, save);
        expect(warm.error, JSON.stringify(limit)).toEqual(fresh.error);
        if (i === 0 || limit.maxDepth === depth) expect(differences(value, warm.value)).toEqual([]);
        else expect((warm.error as unknown[])[0]).toBe(limit.maxDepth ? "depth-limit" : "element-limit");
      }
    });

    test("typed arrays and exact scalars are those of a codec that has read nothing yet", () => {
      const { codec, constructors, value } = learned();
      const save = createElephantWriter(constructors).write(value);
      for (const options of [{ typedArrays: true }, { scalars: "exact" }, { typedArrays: true, scalars: "exact" }] as ReadOptions[]) {
        const fresh = create({ constructors }).read(save, options);
        for (let i = 0; i < 4; i++) {
          expect(differences(fresh, codec.read(save, options))).toEqual([]);
          expect(differences(value, codec.read(save))).toEqual([]);
        }
      }
    });
  });

  test("the depth limit is found at the same place wherever the last level stands", () => {
    const maxDepth = 16;
    const leaves: (() => unknown)[] = [() => ({ x: 1, y: 2 }), () => ({ x: 1, y: { x: 1, y: 3 } }), () => node(1), () => [1]];
    const holders: ((one: unknown) => object)[] = [
      (one) => node(1, [one]),
      (one) => node(1, [], one),
      (one) => node(1, [], [{ x: 1, y: 1 }, one]),
      (one) => node(1, [], { held: one }),
      (one) => node(1, [], { held: [one] }),
    ];
    const constructors = { Node };
    const writer = createElephantWriter(constructors);
    const pairs = leaves.flatMap((leaf) => holders.map((holder) => [leaf, holder] as const));
    const all = writer.write([...lesson(), ...pairs.flatMap(([leaf, holder]) => Array.from({ length: 6 }, () => holder(holder(leaf()))))]);
    const warm = create({ constructors, limits: { maxDepth } });
    const fresh = create({ constructors, limits: { maxDepth } });
    for (let i = 0; i < READS; i++) warm.read(all);
    for (const [i, [leaf, holder]] of pairs.entries()) {
      for (const around of holders.slice(0, 2)) {
        for (let more = 0; more < 3; more++) {
          let value = holder(leaf());
          while (depthOf([value]) < maxDepth + more) value = around(value);
          const save = writer.write(["x".repeat(600), value]);
          expect(outcome(warm, save).error, `${i}, ${more}`).toEqual(outcome(fresh, save).error);
        }
      }
      warm.read(all);
    }
  });

  test("of a bool's bytes only 1 is true, whatever the codec has learned", () => {
    const codec = create({ constructors: { Node } });
    const value = [
      ...lesson(),
      ...Array.from({ length: 40 }, (_, i) => node(i, [node(i, [{ flag: true, text: "a" }])], { flag: true, held: [{}] })),
    ];
    const save = codec.write(value);
    for (let i = 0; i < READS; i++) codec.read(save);
    const odd = save.slice();
    for (let at = odd.indexOf(0x66); at >= 0; at = odd.indexOf(0x66, at + 1))
      if (Buffer.from(odd.subarray(at, at + 5)).toString("latin1") === "flag\0" && odd[at + 6] === 1) odd[at + 6] = 2;
    const read = codec.read(odd) as Members[];
    expect(read.slice(20).map(({ any }) => (any as Members).flag)).toEqual(new Array(40).fill(false));
    expect(differences(create({ constructors: { Node } }).read(odd), read)).toEqual([]);
  });

  test("the last container that can be referred to, of any kind", () => {
    const kinds: (() => object)[] = [
      () => ({ a: 1, b: "x" }),
      () => [],
      () => [1.5, 2],
      () => [1, 2],
      () => ["a", "b"],
      () => [undefined],
      () => [1, "a"],
      () => ({ q: { z: 1 } }),
      () => node(1),
    ];
    const codec = create({ constructors: { Node } });
    for (const [i, kind] of kinds.entries()) {
      // Of a kind that has come often, or not: in the suite one of them in each mode.
      for (const alike of LONG_RUN ? [0, 600] : [(i + MODES.indexOf(mode)) % 2 ? 0 : 600]) {
        const before = Array.from({ length: alike }, kind);
        // The root is the first.
        const used = alike === 0 ? 1 : countContainers(before);
        const value = [Array.from({ length: 65_534 - used }, () => []), ...before, kind(), 1];
        const last = value.length - 2;
        value[last + 1] = value[last];
        expect(countContainers(value.slice(0, last))).toBe(65_535);
        const read = codec.read(codec.write(value)) as unknown[];
        expect(read[last], `${i}, ${alike}`).toEqual(value[last]);
        expect(read[last + 1], `${i}, ${alike}`).toBe(read[last]);
      }
    }
  });
});
