// Files that mean harm or were damaged. Whatever comes in: the right value or a TuskError, within the limits, and nothing else.

import zlib, { deflateSync } from "node:zlib";
import { Inflate } from "pako";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { inflateByPako } from "../../src/elephant/export-string.ts";
import { numberAsked } from "../long-run.ts";
import { bytes, f64, file, text, u16 } from "./bytes.ts";
import { createElephantSync, type Elephant, type ElephantOptions, ENGINES, LONG_RUN, SCHEMA, StructInstance, TuskError } from "./codec.ts";
import { expectError, failure } from "./expect-error.ts";
import { buildClasses } from "./notation.ts";
import { once } from "./once.ts";
import { loadVectorSets, vectorBytes } from "./vector-files.ts";

/** Small files of every kind and release, each with the constructors it needs; `set` counts the sets of constructors. */
const SMALL = (() => {
  const sets = new Map<string, number>([["{}", 0]]);
  return loadVectorSets()
    .flatMap(({ vectors }) => vectors)
    .filter((vector) => vector.op === "binary" && vector.dirs.includes("read") && !vector.error && vector.bytes! <= 400)
    .map((vector) => {
      const ctors = vector.readCtors ?? vector.ctors ?? {};
      const key = JSON.stringify(ctors);
      const set = sets.get(key) ?? sets.size;
      sets.set(key, set);
      return { vector, save: vectorBytes(vector), ctors, set };
    });
})();

/** Single bits flipped per engine; all of them are about 200,000. */
const FLIPS = numberAsked("TUSK_FLIPS", LONG_RUN ? 200_000 : 6_000);

/** The suite cuts files behind each of their first bytes, and further on behind every third; the long run behind all. */
const CUT_EVERYWHERE = LONG_RUN ? Infinity : 64;

/** Levels of the deepest graph: far more than any stack holds. */
const LEVELS = LONG_RUN ? 1_000_000 : 100_000;

/** Budgets under which reading a damaged file may not take memory or time worth mentioning. */
const TIGHT = { maxDepth: 1000, maxNodes: 200_000 };

/** A single run is over in this time even on a busy machine; the point is to tell linear from quadratic. */
const LONG = 120_000;

/** 64 MB of zeros. */
const bomb = once(() => deflateSync(Buffer.alloc(64_000_000)).toString("base64"));

/** Structs of 5,000 and 40,000 distinct names that differ in few bits. */
const distinctNames = once(() => {
  const structs = (count: number, name: (i: number) => string) => {
    const members = Array.from({ length: count }, (_, i) => `${text(name(i))}cf`).join("");
    return file(`CE ${u16(count)} ${members}`);
  };
  const families: ((i: number) => string)[] = [
    (i) => "k" + i,
    (i) => "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa" + i.toString(36).padStart(4, "0"),
    (i) => i.toString(2).padStart(16, "0").replaceAll("0", "a").replaceAll("1", "b"),
    // the same bytes in other places: additive and xor hashes collide
    (i) => Array.from({ length: 16 }, (_, bit) => ((i >> bit) & 1 ? "ab" : "ba")).join(""),
  ];
  return families.map((name) => [structs(5_000, name), structs(40_000, name)] as const);
});

/** 2,500 and 20,000 structs, each of a shape of its own. */
const manyShapes = once(() =>
  [2_500, 20_000].map((count) =>
    file(
      `CD ${u16(count)} CE ${Array.from({ length: count }, (_, i) => `03 00 ${text("a" + (i % 251))} CF ${text("b" + (i % 509))} CF ${text("c" + i)} CF`).join("")}`,
    ),
  ),
);

/** 100 and 800 structs whose shapes almost match at every level. */
const almostAlike = once(() => {
  const nest = (levels: number, last: string) => {
    let body = `01 00 ${text("end")} ${last}`;
    for (let i = 0; i < levels; i++) body = `02 00 ${text("kid")} CE ${body} ${text("n")} 09 ${f64(i)}`;
    return body;
  };
  return [100, 800].map((count) =>
    file(
      `CD ${u16(count)} CE ${Array.from({ length: count }, (_, i) => nest(14, i % 3 === 2 ? "0B 78 00" : i % 3 === 1 ? "CF" : `09 ${f64(i)}`)).join(" ")}`,
    ),
  );
});

/** An instance of each of 65,537 constructors, and the save of one less. */
const mostConstructors = once(() => {
  const instances = Array.from({ length: 65_537 }, (_, i) => new StructInstance(`C${i}`, {}));
  return { instances, save: createElephantSync().write([instances.slice(0, 40_000), instances.slice(40_000, 65_536)]) };
});

describe.each(ENGINES)("engine %s", (engine) => {
  const create = (options: ElephantOptions = {}) => createElephantSync({ ...options, engine });
  const elephant = create();

  describe("damage", () => {
    /** Those with constructors of their own take a codec for each set, with its memory: the suite gives them to one engine or another. */
    const files = SMALL.filter(({ set }) => LONG_RUN || set === 0 || set % ENGINES.length === ENGINES.indexOf(engine));
    const codecs = once(() => new Map<number, Elephant>());
    const codecFor = ({ ctors, set }: (typeof SMALL)[number]) => {
      let codec = codecs().get(set);
      if (!codec) codecs().set(set, (codec = create({ constructors: buildClasses(ctors), limits: TIGHT })));
      return codec;
    };

    test(
      "the proper prefixes of every small file are refused",
      () => {
        for (const small of files) {
          const { vector, save } = small;
          const codec = codecFor(small);
          const end = vector.stopsAt ?? save.length;
          // 1.0.0 and 1.1.0 have no footer: a cut in the middle is still always noticed, there is no value without its end.
          for (let length = 0; length < end; length += length < CUT_EVERYWHERE ? 1 : 3) {
            const error = failure(() => codec.read(save.subarray(0, length)));
            if (!(error instanceof TuskError))
              expect.fail(`${vector.set}/${vector.name} cut to ${length} bytes: ${String(error ?? "was read")}`);
          }
        }
      },
      LONG,
    );

    test(
      "a flipped bit gives a value or a TuskError, and the codec goes on",
      () => {
        const small = files.filter(({ save }) => save.length <= 200);
        const total = small.reduce((sum, { save }) => sum + save.length * 8, 0);
        const step = Math.max(1, Math.floor(total / FLIPS));
        let position = 0;
        let flipped = 0;
        for (const one of small) {
          const { vector, save } = one;
          const codec = codecFor(one);
          for (let bit = 0; bit < save.length * 8; bit++) {
            // A step that is no multiple of 8 visits all bit positions.
            if (position++ % (step | 1) !== 0) continue;
            flipped++;
            const damaged = save.slice();
            damaged[bit >> 3]! ^= 1 << (bit & 7);
            const error = failure(() => codec.read(damaged));
            if (error !== undefined && !(error instanceof TuskError)) {
              expect.fail(`${vector.set}/${vector.name}, bit ${bit} flipped: ${String(error)}`);
            }
          }
          expect(failure(() => codec.read(save))).toBeUndefined();
        }
        expect(flipped).toBeGreaterThan(Math.min(FLIPS, total) / 3);
      },
      LONG,
    );

    test("a byte replaced by each of the codes that matter", () => {
      const save = elephant.write({ a: [1, "x", true, undefined, 5n], b: { c: [[], {}] }, c: [1.5, 2.5] });
      for (let at = 0; at < save.length; at++) {
        for (const value of [0, 1, 7, 13, 14, 15, 16, 17, 32, 127, 128, 203, 204, 205, 206, 207, 208, 254, 255]) {
          const damaged = save.slice();
          damaged[at] = value;
          const error = failure(() => elephant.read(damaged));
          if (error !== undefined && !(error instanceof TuskError)) expect.fail(`byte ${at} = ${value}: ${String(error)}`);
        }
      }
    });

    test("what is wrong does not depend on what arrays of numbers become", () => {
      const numbers = [Int8Array.of(1, 2, 3), [1n, 2n], Uint16Array.of(4), [Float32Array.of(5, 6), Int8Array.of(7)], BigInt64Array.of(8n)];
      const save = elephant.write([numbers, { a: Uint32Array.of(9, 10), b: [[11], Float64Array.of(12)] }]);
      const errors = (damaged: Uint8Array) =>
        [{}, { scalars: "exact" as const }, { typedArrays: true }, { scalars: "exact" as const, typedArrays: true }].map((options) => {
          const error = failure(() => elephant.read(damaged, options)) as TuskError | undefined;
          return error && [error.code, error.offset];
        });
      let wrong = 0;
      for (let at = 8; at < save.length; at++) {
        for (const value of [0, 1, 5, 9, 12, 14, 65, 82, 205, 206, 207, 255]) {
          const damaged = save.slice();
          damaged[at] = value;
          const [first, ...others] = errors(damaged);
          if (first) wrong++;
          if (first || others.some((other) => other)) expect({ at, value, others }).toEqual({ at, value, others: [first, first, first] });
        }
      }
      expect(wrong).toBeGreaterThan(100);
    });

    test("an error in the middle of a file does not change what is read afterwards", () => {
      const good = elephant.write({ rows: Array.from({ length: 40 }, (_, i) => ({ id: i, name: "n" + i })) });
      const value = elephant.read(good);
      for (let length = 0; length < good.length; length += 7) expectError(() => elephant.read(good.subarray(0, length)));
      expect(elephant.read(good)).toStrictEqual(value);
    });
  });

  describe("claims", () => {
    test.each<[string, string]>([
      ["65534 numbers in 4 bytes", "CD FE FF 09"],
      ["65534 strings", "CD FE FF 0B"],
      ["65534 members", "CE FD FF"],
      ["65534 arrays", "CD FE FF CD"],
      ["65534 structs", "CD FE FF CE"],
      ["a verbose struct of 65535 members", `CE FE FF 00 00 ${text("C")} 80 FF FF`],
    ])("%s that are not there are truncated, quickly", (_, root) => {
      const codec = create({ constructors: { C: class {} } as never });
      const started = process.cpuUsage().user;
      for (let i = 0; i < 50; i++) expectError(() => codec.read(bytes(`50454c45 01050100 ${root}`)), "truncated");
      expect(process.cpuUsage().user - started).toBeLessThan(3e6);
    });

    test("nested claims do not multiply: each level claims 65534 arrays", () => {
      const before = process.memoryUsage().rss;
      const codec = create();
      for (let i = 0; i < 20; i++) expectError(() => codec.read(bytes(`50454c45 01050100 ${"CD FE FF ".repeat(400)} 09`)), "truncated");
      expect(process.memoryUsage().rss - before).toBeLessThan(300e6);
    });

    test("undefined elements cost no bytes: a budget bounds them", () => {
      const row = "FE FF CF ";
      const save = file(`CD ${u16(500)} CD ${row.repeat(500)}`);
      expect(expectError(() => create({ limits: { maxNodes: 1_000_000 } }).read(save), "element-limit").offset).toBeTypeOf("number");
      expect(create({ limits: { maxNodes: 100_000_000 } }).read<unknown[]>(file(`CD 02 00 CD ${row.repeat(2)}`))).toHaveLength(2);
    });

    test("with the default limits 9 KB cannot become 196 million elements", () => {
      const save = file(`CD ${u16(3000)} CD ${"FE FF CF ".repeat(3000)}`);
      expectError(() => elephant.read(save), "element-limit");
    });

    test("any inside any is bounded, and never overflows", () => {
      const save = file(`${"CC ".repeat(300_000)} 0A 01`);
      expect(expectError(() => elephant.read(save), "unknown-datatype").offset).toBe(131_080);
    });

    test("strict structs without fields nest in 5 bytes each and are counted", () => {
      class E {
        static [SCHEMA]: Record<string, unknown> = { v1: {} };
      }
      const save = file(`CD FE FF CE ${`FE FF 00 00 ${text("E")} 01 00 00`} ${"FE FF 00 00 01 00 00 ".repeat(65533)}`);
      const read = create({ constructors: { E } as never }).read<unknown[]>(save);
      expect(read).toHaveLength(65534);
      expect(read[65533]).toBeInstanceOf(E);
    });
  });

  describe("depth", () => {
    const nested = (levels: number) => bytes(`50454c45 01050100 CD ${"01 00 CD ".repeat(levels - 1)} 00 00 544e4148`);

    test("deeper than maxDepth is an error, when reading and when writing", () => {
      const shallow = create({ limits: { maxDepth: 50 } });
      expect(shallow.read(nested(40))).toHaveLength(1);
      expect(expectError(() => shallow.read(nested(200)), "depth-limit").offset).toBeTypeOf("number");
      let deep: unknown = [];
      for (let i = 0; i < 200; i++) deep = { next: deep };
      expect(expectError(() => shallow.write(deep), "depth-limit").path).toBeTypeOf("string");
      expectError(() => shallow.toJson(deep), "depth-limit");
      expectError(() => shallow.duplicate(deep), "depth-limit");
      expectError(() => shallow.fromJson(deep), "depth-limit");
    });

    test("thousands of levels are fine by default, both ways", () => {
      let deep: unknown = "end";
      for (let i = 0; i < 2000; i++) deep = i % 2 ? { next: deep } : [deep];
      const save = elephant.write(deep);
      expect(elephant.write(elephant.read(save))).toStrictEqual(save);
    });

    test(
      `a graph ${LEVELS} deep is written, read and copied when maxDepth allows it`,
      () => {
        const deepest = create({ limits: { maxDepth: LEVELS + 10, maxNodes: 10 * LEVELS } });
        let root: unknown = "end";
        for (let i = 0; i < LEVELS; i++) root = i % 2 ? { next: root } : [root];
        const depthOf = (value: unknown) => {
          let depth = 0;
          while (typeof value === "object" && value !== null) {
            value = Array.isArray(value) ? value[0] : (value as { next: unknown }).next;
            depth++;
          }
          expect(value).toBe("end");
          return depth;
        };
        const save = deepest.write(root);
        expect(depthOf(deepest.read(save))).toBe(LEVELS);
        expect(depthOf(deepest.duplicate(root))).toBe(LEVELS);
      },
      LONG,
    );
  });

  describe("names", () => {
    const NAMES = [
      "__proto__",
      "constructor",
      "prototype",
      "toString",
      "valueOf",
      "hasOwnProperty",
      "__defineSetter__",
      "then",
      "length",
      "toJSON",
    ];
    const untouched = () => {
      const probe = {} as Record<string, unknown>;
      expect(probe.polluted).toBeUndefined();
      expect(Object.getPrototypeOf(probe)).toBe(Object.prototype);
      expect(Object.keys(Object.prototype)).toStrictEqual([]);
    };

    test("are data in plain structs, also when the shape is seen often", () => {
      const rows = `[${Array.from({ length: 40 }, (_, i) => `{${NAMES.map((name) => `"${name}":{"polluted":${i}}`).join(",")}}`).join(",")}]`;
      const value = JSON.parse(rows) as object[];
      for (let i = 0; i < 5; i++) {
        const read = elephant.read<object[]>(elephant.write(value));
        expect(JSON.stringify(read)).toBe(JSON.stringify(value));
        for (const row of read) {
          expect(Object.getPrototypeOf(row)).toBe(Object.prototype);
          expect(Object.keys(row)).toStrictEqual(NAMES);
        }
      }
      untouched();
    });

    test.each([
      ["verbose", `80 ${u16(NAMES.length)} ${NAMES.map((name) => `${text(name)} CE 01 00 ${text("polluted")} 0A 01`).join("")}`, undefined],
      [
        "strict",
        `01 00 00 ${[...NAMES]
          .sort((a, b) => (a < b ? -1 : 1))
          .map(() => `CE 01 00 ${text("polluted")} 0A 01`)
          .join("")}`,
        { v1: Object.fromEntries(NAMES.map((name) => [name, "any"])) },
      ],
    ])("are data in constructed structs, %s", (_, contents, schema) => {
      class C {}
      if (schema) (C as unknown as Record<symbol, unknown>)[SCHEMA] = schema;
      const codec = create({ constructors: { C } as never });
      const save = file(`CE FE FF 00 00 ${text("C")} ${contents}`);
      for (let i = 0; i < 12; i++) {
        const read = codec.read<Record<string, unknown>>(save);
        expect(Object.getPrototypeOf(read)).toBe(C.prototype);
        for (const name of NAMES) {
          expect(Object.hasOwn(read, name), name).toBe(true);
          expect(Object.getOwnPropertyDescriptor(read, name)!.value).toStrictEqual({ polluted: true });
        }
        expect(codec.write(read)).toStrictEqual(save);
      }
      untouched();
    });

    test("of a schema's literal that is __proto__ is a field like any other", () => {
      class C {}
      (C as unknown as Record<symbol, unknown>)[SCHEMA] = { v1: JSON.parse('{"__proto__":"u8","a":"u8"}') as object };
      const codec = create({ constructors: { C } as never });
      const save = file(`CE FE FF 00 00 ${text("C")} 01 00 00 05 06`);
      const read = codec.read<object>(save);
      expect(Object.getOwnPropertyNames(read).sort()).toStrictEqual(["__proto__", "a"]);
      expect(codec.write(read)).toStrictEqual(save);
    });

    test("do not call setters that a class defines", () => {
      let calls = 0;
      class C {
        set trap(_: unknown) {
          calls++;
        }
      }
      const codec = create({ constructors: { C } as never });
      const read = codec.read<object>(file(`CE FE FF 00 00 ${text("C")} 80 02 00 ${text("__proto__")} CE 00 00 ${text("a")} 0A 01`));
      expect(Object.getPrototypeOf(read)).toBe(C.prototype);
      expect(calls).toBe(0);
    });

    test.each([
      "Object",
      "Function",
      "Array",
      "__proto__",
      "toString",
      "constructor",
      "eval",
      "",
      "globalThis",
      "process",
      "hasOwnProperty",
    ])("a constructor named %j in a file reaches only the registry", (name) => {
      const save = file(`CE FE FF 00 00 ${text(name)} 80 00 00`);
      expectError(() => elephant.read(save), "unknown-constructor");
      expectError(() => create({ constructors: { C: class {} } as never }).read(save), "unknown-constructor");
      class Mine {}
      const constructors = JSON.parse("{}") as object;
      Object.defineProperty(constructors, name, { value: Mine, enumerable: true });
      expect(create({ constructors: constructors as never }).read(save)).toBeInstanceOf(Mine);
    });

    test("long names of constructors stand in messages by their ends", () => {
      const name = "Long".repeat(1000);
      const strict = file(`CE FE FF 00 00 ${text(name)} 01 00 00 05`);
      const tool = create({ unknownConstructor: "generic" });
      const stored = create({ constructors: { [name]: { v1: { a: "u8" } } } as never }).read(strict);
      for (const error of [
        expectError(() => elephant.read(strict), "unknown-constructor"),
        expectError(() => tool.read(strict), "schema-missing"),
        expectError(() => tool.write(stored), "schema-missing"),
      ]) {
        expect(error.message).toContain("LongLong ... Long");
        expect(error.message.length).toBeLessThan(1000);
      }
    });

    test("a schema inherited from Object.prototype is no schema version", () => {
      class C {
        static [SCHEMA]: Record<string, unknown> = {};
      }
      (Object.prototype as unknown as Record<string, unknown>).v1 = { a: "u8" };
      try {
        expectError(
          () => create({ constructors: { C } as never }).read(file(`CE FE FF 00 00 ${text("C")} 01 00 00 05`)),
          "schema-version-missing",
        );
      } finally {
        delete (Object.prototype as unknown as Record<string, unknown>).v1;
      }
    });
  });

  describe("export strings", () => {
    test("a zip bomb stops at maxInflatedBytes", () => {
      const given = bomb();
      const inflating = vi.spyOn(zlib, "inflateSync");
      onTestFinished(() => inflating.mockRestore());
      const started = process.memoryUsage().rss;
      const error = expectError(() => create({ limits: { maxInflatedBytes: 1_000_000 } }).importString(given), "inflate-limit");
      expect(process.memoryUsage().rss - started).toBeLessThan(200e6);
      expect(error.offset).toBe(1_000_000);
      expect(inflating.mock.calls.map(([, options]) => options?.maxOutputLength)).toEqual([1_000_000]);
    });

    test("... also where the platform has no zlib", () => {
      const given = Buffer.from(bomb(), "base64");
      const inflating = vi.spyOn(Inflate.prototype, "push");
      onTestFinished(() => inflating.mockRestore());
      expect(expectError(() => inflateByPako(given, 1_000_000), "inflate-limit").offset).toBe(1_000_000);
      // Each byte makes a thousand at most: what was inflated beyond the limit is no more than a piece makes.
      const taken = inflating.mock.calls.map(([piece]) => (piece as Uint8Array).length);
      expect(Math.max(...taken)).toBeLessThanOrEqual(4096);
      expect(taken.reduce((sum, length) => sum + length)).toBeLessThanOrEqual(4096);
    });

    test("maxInflatedBytes does not stop what fits", () => {
      const value = { s: "x".repeat(90_000) };
      expect(create({ limits: { maxInflatedBytes: 100_000 } }).importString(elephant.exportString(value))).toStrictEqual(value);
      expectError(() => create({ limits: { maxInflatedBytes: 80_000 } }).importString(elephant.exportString(value)), "inflate-limit");
    });

    test("a flipped bit gives the same value or a TuskError, never another value", () => {
      const value = { name: "hero", hp: 10, list: [1, 2, 3] };
      const stream = Buffer.from(elephant.exportString(value), "base64");
      for (let bit = 0; bit < stream.length * 8; bit++) {
        const damaged = Buffer.from(stream);
        damaged[bit >> 3]! ^= 1 << (bit & 7);
        let read: unknown;
        const error = failure(() => (read = elephant.importString(damaged.toString("base64"))));
        if (error === undefined) expect(read).toStrictEqual(value);
        else expect(error).toBeInstanceOf(TuskError);
      }
    });
  });

  describe("work", () => {
    /** CPU milliseconds of the fastest run, or of the first that takes less than is `enough`. */
    const cost = (operation: () => unknown, runs: number, enough = 0) => {
      let best = Infinity;
      for (let i = 0; i < runs && best >= enough; i++) {
        const started = process.cpuUsage();
        operation();
        const used = process.cpuUsage(started);
        best = Math.min(best, (used.user + used.system) / 1000);
      }
      return best;
    };
    /** Eight times the input may take twenty times as long, with room for noise; quadratic growth would make it sixty-four times. */
    const expectLinear = (small: () => unknown, large: () => unknown) => {
      const most = cost(small, 3) * 20 + 100;
      // Other work on the machine slows single runs down, a growth that is not linear all of them.
      expect(cost(large, 8, most)).toBeLessThan(most);
    };

    test(
      "40,000 distinct names that differ in few bits are read in linear time",
      () => {
        for (const [small, large] of distinctNames()) {
          let read = {};
          expectLinear(
            () => elephant.read(small),
            () => (read = elephant.read<object>(large)),
          );
          expect(Object.keys(read)).toHaveLength(40_000);
        }
      },
      LONG,
    );

    test(
      "many shapes, each seen once, are read in linear time",
      () => {
        const [small, large] = manyShapes();
        expectLinear(
          () => elephant.read(small),
          () => elephant.read(large),
        );
      },
      LONG,
    );

    test(
      "shapes that almost match at every level do not make parsing exponential",
      () => {
        const [small, large] = almostAlike();
        expectLinear(
          () => elephant.read(small),
          () => elephant.read(large),
        );
      },
      LONG,
    );

    test(
      "JSON whose paths are far longer than itself takes time in proportion",
      () => {
        const wide = (count: number) => ({
          ["x".repeat(20_000)]: Array.from({ length: count }, () => ({})),
          again: { __Elephant_Circular_Ref__: "" },
        });
        const deep = (levels: number) => {
          let value: unknown = [{}];
          for (let i = 0; i < levels; i++) value = [{}, value];
          return value;
        };
        for (const make of [wide, deep]) {
          const small = make(2_500);
          const large = make(20_000);
          expectLinear(
            () => elephant.fromJson(small),
            () => elephant.fromJson(large),
          );
        }
      },
      LONG,
    );

    test.each<[string, (count: number, shared: object) => unknown[]]>([
      ["before a number", (count, shared) => Array.from({ length: count }, (_, i) => [shared, i])],
      [
        "behind small ones",
        (count, shared) => [...Array.from({ length: count }, (_, a) => ({ a, b: 2 })), ...new Array(count).fill(shared)],
      ],
      ["among small ones", (count, shared) => Array.from({ length: count }, (_, a) => (a % 10 ? { a, b: 2 } : shared))],
    ])(
      "a struct of many members that occurs many times, %s, is written in time that does not depend on them",
      (_, make) => {
        const members = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, i]));
        const [small, large] = [members(100), members(20_000)].map((shared) => make(4000, shared));
        expectLinear(
          () => elephant.write(small),
          () => elephant.write(large),
        );
        expect(elephant.write(large)).toEqual(create({ codeGeneration: false }).write(large));
      },
      LONG,
    );

    test("a codec that has met thousands of strict fields reads those of the next save, too", () => {
      const schemas = Object.fromEntries(
        Array.from({ length: 300 }, (_, i) => [
          `K${i}`,
          { v1: Object.fromEntries(Array.from({ length: 100 }, (_, k) => [`f${k}`, "u8"])) },
        ]),
      ) as unknown as NonNullable<ElephantOptions["constructors"]>;
      const members = Object.fromEntries(Array.from({ length: 100 }, (_, k) => [`f${k}`, k]));
      const codec = create({ constructors: schemas });
      for (const first of [0, 100, 200]) {
        const value = Array.from({ length: 100 }, (_, i) => new StructInstance(`K${first + i}`, members));
        expect(codec.read<Record<string, number>[]>(codec.write(value)).map((instance) => instance.f99)).toEqual(value.map(() => 99));
      }
    });

    test("more constructors than have numbers", () => {
      const many = Object.fromEntries(Array.from({ length: 65_535 }, (_, i) => [`C${i}`, {}]));
      expectError(() => create({ constructors: many }), "bad-option");
      const { instances, save } = mostConstructors();
      // No engine has a part in it.
      if (LONG_RUN || engine === ENGINES[0])
        expectError(() => elephant.write([instances.slice(0, 40_000), instances.slice(40_000)]), "element-limit");
      expectError(() => create({ unknownConstructor: "generic" }).read(save), "element-limit");
    });

    test("a file of one kind of error each does not leak: many failed reads in a row", () => {
      const damaged = file(`CD 02 00 CE 01 00 ${text("a")} 0B ${text("x".repeat(1000))} FF FF 09 00`);
      for (let i = 0; i < 3000; i++) expectError(() => elephant.read(damaged), "bad-reference");
      expect(elephant.read(elephant.write({ a: 1 }))).toStrictEqual({ a: 1 });
    });
  });
});
