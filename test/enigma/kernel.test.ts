// The kernel against its plain twin: the same objects, the same bytes, whatever does not fit it.
import { readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { type EnigmaGame, type EnigmaInstance, type EnigmaSchema, NanBits, readEnigma, writeEnigma } from "../../src/enigma/index.ts";
import * as memoryMap from "../../src/enigma/kernel/memory-map.ts";
import * as shimCodes from "../../src/enigma/kernel/opcodes.ts";
import { SessionLease } from "../../src/enigma/kernel/session.ts";
import { kernelSha1 } from "../../src/enigma/kernel/sha1.ts";
import { platformSha1 } from "../../src/enigma/platform-sha1.ts";
import { parseType, SCALAR_TYPES, type ValueType } from "../../src/enigma/value-type.ts";
import { characters } from "../characters.ts";
import { casesOf, LONG_RUN } from "../long-run.ts";
import { expectSame } from "../same.ts";
import { readPlainly, writePlainly } from "./plainly.ts";
import { gameOf, instanceOf, schemaFor } from "./samples.ts";
import { ENGINES, fileOf, type Json, manifest, schemaOf } from "./vectors.ts";

/** Reads and writes with both engines and with the plain twin, and returns what they agree on. */
function agree(game: EnigmaGame, schema: EnigmaSchema | undefined): EnigmaGame {
  const plain = writePlainly(game);
  let wanted: EnigmaGame | undefined;
  let read: EnigmaGame | undefined;
  for (const engine of ENGINES) {
    const bytes = writeEnigma(game, { engine });
    if (Buffer.compare(bytes.subarray(0, -20), plain) !== 0) expect(bytes.subarray(0, -20)).toEqual(plain);
    // All that is read of it are the bytes of `plain`.
    wanted ??= readPlainly(bytes, { schema });
    read = readEnigma(bytes, { schema, engine });
    expectSame(read, wanted);
    expect(Buffer.compare(writeEnigma(read, { engine }), bytes)).toBe(0);
  }
  return read!;
}

test("both sides of the boundary have the same numbers", () => {
  for (const [file, shimNumbers] of Object.entries({ opcodes: shimCodes, "memory-map": memoryMap })) {
    const list = readFileSync(new URL(`../../assembly/enigma/${file}.ts`, import.meta.url), "utf8");
    const kernelNumbers = Object.fromEntries(
      [...list.matchAll(/^export const (\w+): u32 = (\w+);$/gm)].map(([, name, value]) => [name, Number(value)]),
    );
    expect(Object.keys(kernelNumbers).length).toBe(list.match(/export const/g)!.length);
    expect({ ...shimNumbers }).toEqual(kernelNumbers);
  }
});

test("regions of the kernel's memory leave room between them and stand where their words are whole", () => {
  const map = memoryMap;
  const regions: [from: number, to: number][] = [
    [map.STATUS, map.STATUS + 64],
    [map.HASH, map.HASH + (5 + 80) * 4],
    [map.WINDOW, map.WINDOW + map.WINDOW_BYTES],
    [map.TAPE, map.TAPE + map.TAPE_BYTES],
    [map.BLOB8, map.BLOB8_END],
    [map.BLOB16, map.BLOB16_END],
    [map.LAYOUTS, map.LAYOUTS_END],
    [map.OBJECTS, 15 * 65536],
  ];
  for (let i = 1; i < regions.length; i++) expect(regions[i][0] - regions[i - 1][1], `region ${i}`).toBeGreaterThanOrEqual(64);
  expect([map.TAPE % 8, map.LAYOUTS % 16]).toEqual([0, 0]);
  // Object index, number of classes, a layout for each level; half of the slots are used.
  expect(map.OBJECTS + 2 * map.MOST_OBJECTS * (8 + 4 * shimCodes.MAX_LEVELS)).toBeLessThanOrEqual(15 * 65536);
});

test("the kernel's SHA-1 is SHA-1 at every length around its blocks and its window", () => {
  for (const engine of ENGINES) {
    const lease = new SessionLease(engine);
    const window = memoryMap.WINDOW_BYTES;
    for (const length of [
      ...Array.from({ length: 131 }, (_, i) => i),
      window - 129,
      window - 128,
      window - 127,
      window,
      window + 1,
      3 * window + 77,
    ]) {
      const bytes = Uint8Array.from({ length }, (_, i) => (i * 197 + length) >>> 2);
      expect(Buffer.compare(kernelSha1(lease.session, bytes), platformSha1(bytes)!), `${engine} ${length}`).toBe(0);
    }
    lease.release();
  }
});

test("every binary vector, its instances repeated, reads the same by kernel and plainly", () => {
  let ran = 0;
  for (const vector of manifest.vectors) {
    if (vector.backend !== "binary" || vector.outcome === "error" || vector.gzip) continue;
    const schema = schemaOf(vector);
    for (const known of [schema, undefined]) {
      const game = readEnigma(fileOf(vector), { schema: known });
      const repeat = (list: EnigmaInstance[]) =>
        [0, 1, 2, 3].flatMap((round) => list.map((instance) => ({ ...instance, id: (instance.id + round * 1000) >>> 0 })));
      agree({ ...game, order: "kept", active: repeat(game.active), inactive: repeat(game.inactive) }, known);
    }
    ran++;
  }
  expect(ran).toBe(70);
});

/** How many instances the kernel itself parses and writes while `action` runs. */
function byKernel(engine: "wasm" | "js", action: () => void): { parsed: number; written: number } {
  const lease = new SessionLease(engine);
  // The next read or write takes this one.
  const { session } = lease;
  lease.release();
  const { kernel, u32 } = session;
  const counts = { parsed: 0, written: 0 };
  const counting = {
    ...kernel,
    parseInstances(from: number, to: number, max: number) {
      const parsed = kernel.parseInstances(from, to, max);
      counts.parsed += parsed;
      return parsed;
    },
    writeInstances(from: number, to: number) {
      const bytes = kernel.writeInstances(from, to);
      counts.written += u32[memoryMap.STATUS / 4]!;
      return bytes;
    },
  };
  Object.assign(session, { kernel: counting });
  try {
    action();
  } finally {
    Object.assign(session, { kernel });
  }
  return counts;
}

const SAMPLES: Record<string, unknown[]> = {
  i8: [-1],
  u8: [255],
  char: [65],
  i16: [-300],
  u16: [65535],
  i32: [-70000],
  u32: [4000000000],
  i64: [-(2n ** 60n)],
  u64: [2n ** 63n],
  f32: [0.5, -0],
  f64: [0.1, Infinity, Number.NaN],
  bool: [true, false],
  string: ["", "plain", "schön 🐘", "x".repeat(4096), "é".repeat(2048)],
  variant: [1.5, "text", "日本"],
  var: [
    2.5,
    "text",
    "日本",
    {
      value: "é",
      array1d: { max: 3, dense: [1, "two", "三"], sparse: [] },
      array2d: {
        max: 2,
        dense: [
          { max: 1, dense: [4], sparse: [] },
          { max: 2, dense: ["a", 5], sparse: [] },
        ],
        sparse: [],
      },
    },
    { value: 0, array1d: { max: 900, dense: [7], sparse: [[900, "far"]] }, array2d: { max: 0, dense: [], sparse: [] } },
  ],
  "vector<i32>": [[1, 2, 3]],
  "map<string,f64>": [[["a", 1]]],
};

// Whatever the kernel declines is read and written all the same, but slowly: nothing else would tell that it does.
test.each(ENGINES)("engine %s: the kernel takes what is regular, all but the instance that it learns from", (engine) => {
  expect(Object.keys(SAMPLES)).toEqual(expect.arrayContaining([...SCALAR_TYPES]));
  for (const [type, values] of Object.entries(SAMPLES))
    for (const value of values) {
      const active = Array.from({ length: 12 }, (_, id) =>
        instanceOf(id, [
          { name: "a", type: "u8", value: id },
          { name: "it", type, value: value as never },
          { name: "z", type: "f64", value: id + 0.5 },
        ]),
      );
      for (const instance of active) {
        instance.timelines.timeline_moments_maps = [
          [
            [1, 2],
            [-3, 4],
          ],
          [],
        ];
        instance.planar.direction = "turned" as never;
        instance.vmap = [["é", { value: 1, array1d: { max: 1, dense: [1], sparse: [] }, array2d: { max: 0, dense: [], sparse: [] } }]];
      }
      const game = gameOf(active);
      let bytes!: Uint8Array;
      const what = `${type} ${String(value).slice(0, 20)}`;
      expect(byKernel(engine, () => (bytes = writeEnigma(game, { engine }))).written, `${what} written`).toBe(12);
      const schema = schemaFor({ a: "u8", it: type, z: "f64" });
      for (const known of [schema, undefined])
        expect(byKernel(engine, () => readEnigma(bytes, { schema: known, engine })).parsed, `${what} read`).toBe(11);
    }
});

test("the kernel takes for text what is UTF-8, at every edge, and leaves the rest as bytes", () => {
  const good = ["c280", "dfbf", "e0a080", "ed9fbf", "ee8080", "efbfbf", "f0908080", "f48fbfbf"];
  const bad = [
    ...["80", "bf", "c080", "c1bf", "e08080", "e09fbf", "eda080", "edbfbf", "f0808080", "f08fbfbf", "f4908080", "f5808080", "ff"],
    ...["c2", "e0a0", "f09080", "c241", "e0a041", "e041a0", "f0908041", "f0904180", "f0419080", "c2c2", "e0a0c2", "f09080c2"],
  ];
  for (const hex of [...good, ...bad])
    for (const [before, behind] of [
      ["", ""],
      ["61", "62"],
      ["c3a4", "f09f9098"],
    ]) {
      const bytes = Uint8Array.from(Buffer.from(before + hex + behind, "hex"));
      const text = good.includes(hex) ? Buffer.from(bytes).toString() : bytes;
      const game = gameOf(Array.from({ length: 6 }, (_, id) => instanceOf(id, [{ name: "v", type: "string", value: text }])));
      const read = agree(game, schemaFor({ v: "string" }));
      for (const { classes } of read.active) expect(classes[0]!.locals, hex).toEqual([{ name: "v", type: "string", value: text }]);
    }
});

test.each(ENGINES)("engine %s: more text in a window than there is room for at once", (engine) => {
  for (const [plain, wide] of [
    [1500, 10],
    [10, 700],
    [1200, 300],
    [4096, 2048],
    [0, 1],
  ] as const) {
    const instances = Array.from({ length: 300 }, (_, id) =>
      instanceOf(id, [
        { name: "a", type: "string", value: `${id}`.padEnd(plain, "abc") },
        { name: "b", type: "string", value: `${id}`.padEnd(wide, "éü") },
        { name: "c", type: "string", value: `${id}`.padStart(plain, "xyz") },
      ]),
    );
    const schema = schemaFor({ a: "string", b: "string", c: "string" });
    const bytes = writeEnigma(gameOf(instances), { engine });
    let read: EnigmaGame | undefined;
    const { parsed } = byKernel(engine, () => (read = readEnigma(bytes, { schema, engine })));
    expectSame(read, readPlainly(bytes, { schema }));
    expect(parsed).toBe(299);
    expect(Buffer.compare(bytes.subarray(0, -20), writePlainly(gameOf(instances)))).toBe(0);
  }
});

// Each place by one of the engines, which are made of the same source; in the long run by both.
test.each(ENGINES)("engine %s: a window may end anywhere in an instance", (engine) => {
  const instance = (id: number, text: string) => {
    const made = instanceOf(id, [{ name: "text", type: "string", value: text }]);
    made.classes.push({ class: "parent", locals: [] }, { class: "root", locals: [{ name: "n", type: "f64", value: id }] });
    made.vmap = [["é", "entry"]];
    return made;
  };
  const sizeOf = (game: EnigmaGame) => writeEnigma(game, { engine }).length;
  const size = sizeOf(gameOf([instance(0, ""), instance(1, "")])) - sizeOf(gameOf([instance(0, "")]));
  const lease = new SessionLease(engine);
  const others = Array.from({ length: Math.ceil(memoryMap.WINDOW_BYTES / size) + 1 }, (_, id) => instance(id + 1, ""));
  lease.release();
  const shifts = Array.from({ length: size }, (_, shift) => shift).filter((shift) => LONG_RUN || shift % 2 === ENGINES.indexOf(engine));
  // A write leaves behind the window what would have come next: all are written before the first is read.
  const files = shifts.map((shift) => writeEnigma(gameOf([instance(0, "x".repeat(shift)), ...others]), { engine }));
  const { active } = readPlainly(files[0]!);
  // Without a schema nothing says how many classes an instance has.
  for (const [i, bytes] of files.entries()) {
    let read!: EnigmaGame;
    expect(byKernel(engine, () => (read = readEnigma(bytes, { engine }))).parsed, `${shifts[i]}`).toBe(others.length);
    expect(read.active.length).toBe(active.length);
    expectSame(read.active.slice(-4), active.slice(-4), `${shifts[i]}`);
  }
});

test("instances larger than the window, tape or blobs are left to the plain reader", () => {
  const schema = schemaFor({ v: "var", w: "string" });
  const many = (n: number) => ({
    value: 0,
    array1d: { max: n, dense: Array.from({ length: n }, (_, i) => i), sparse: [] },
    array2d: { max: 0, dense: [], sparse: [] },
  });
  const sizes: [unknown, string][] = [
    [1, "a"],
    [many(20000), "b"],
    [many(40000), ""],
    ["é".repeat(2000), "x".repeat(5000)],
    ["x".repeat(4096), "é".repeat(40000)],
    [2, "x".repeat(300000)],
    [many(3), "é".repeat(2048)],
  ];
  const instances = Array.from({ length: 60 }, (_, id) => {
    const [v, w] = sizes[id % sizes.length]!;
    return instanceOf(id, [
      { name: "v", type: "var", value: v as never },
      { name: "w", type: "string", value: w },
    ]);
  });
  agree(gameOf(instances), schema);
});

test("more objects, tables and classes than the kernel keeps are read all the same", () => {
  const objects = Array.from({ length: 3000 }, (_, index) => ({
    index,
    name: `o${index}`,
    locals: [{ name: `v${index % 7}`, type: "i32" }],
  }));
  const instances = Array.from({ length: 6000 }, (_, id) =>
    instanceOf(id, [{ name: `v${(id % 3000) % 7}`, type: "i32", value: id }], id % 3000),
  );
  agree({ ...gameOf(instances) }, { objects });
  // One object whose instances all have other variables, as no schema would give them.
  const tables = Array.from({ length: 300 }, (_, id) => instanceOf(id, [{ name: `n${id % 50}`, type: "u16", value: id }]));
  agree(gameOf(tables), schemaFor(Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`n${i}`, "u16"]))));
  // A chain longer than the kernel follows.
  const chain = Array.from({ length: 40 }, (_, index) => ({
    index,
    name: `c${index}`,
    parent: index === 0 ? null : `c${index - 1}`,
    locals: [{ name: `v${index}`, type: "u8" }],
  }));
  const deep = Array.from({ length: 20 }, (_, id) => ({
    ...instanceOf(id, [], 39),
    classes: chain.map(({ locals }, i) => ({ locals: [{ name: locals[0]!.name, type: "u8", value: (id + i) & 255 }] })),
  }));
  agree(gameOf(deep), { objects: chain });
});

test("a getter that reads or writes another save while one is written does not disturb it", () => {
  const inner = gameOf(Array.from({ length: 20 }, (_, id) => instanceOf(id, [{ name: "v", type: "var", value: `inner ${id}` }])));
  const outer = gameOf(Array.from({ length: 20 }, (_, id) => instanceOf(id, [{ name: "v", type: "var", value: `outer ${id}` }])));
  const expected = writeEnigma(outer);
  const innerBytes = writeEnigma(inner);
  const seen: boolean[] = [];
  const nested = outer.active.map((instance, i) => ({
    ...instance,
    get vmap() {
      if (i % 5 === 3) {
        seen.push(Buffer.compare(writeEnigma(inner), innerBytes) === 0);
        seen.push(readEnigma(innerBytes).active.length === 20);
      }
      return null;
    },
  }));
  expect(Buffer.compare(writeEnigma({ ...outer, active: nested }), expected)).toBe(0);
  expect(seen.length).toBeGreaterThan(7);
  expect(seen.every(Boolean)).toBe(true);
});

test("a game can be read inside onWarning", () => {
  const vector = manifest.vectors.find(({ id }) => id === "bin-vmap-many")!;
  let inner: EnigmaGame | undefined;
  readEnigma(fileOf(vector), {
    schema: schemaOf(vector),
    onWarning: () => (inner = readEnigma(fileOf(vector), { schema: schemaOf(vector) })),
  });
  expect(inner).toEqual(readEnigma(fileOf(vector), { schema: schemaOf(vector) }));
});

const double = fc.oneof(fc.double(), fc.constantFrom(0, -0, 1, Number.NaN, new NanBits("fff8000000000001")), fc.integer());
const text = fc.oneof(
  fc.string({ unit: "binary-ascii" }),
  fc.string({ unit: characters(0) }),
  fc.uint8Array({ maxLength: 6 }).map((tail) => Uint8Array.of(0xff, ...tail)),
);
const variant = fc.oneof(double, text);
const sparse = <T>(element: fc.Arbitrary<T>) =>
  fc.record({ max: fc.nat(), dense: fc.array(element, { maxLength: 3 }), sparse: fc.array(fc.tuple(fc.nat(), element), { maxLength: 3 }) });
const variable = fc.oneof(
  { weight: 3, arbitrary: variant },
  { weight: 1, arbitrary: fc.record({ value: variant, array1d: sparse(variant), array2d: sparse(sparse(variant)) }) },
);

function arbitraryOf(type: ValueType): fc.Arbitrary<Json> {
  const ranges: Record<string, [number, number]> = {
    i8: [-128, 127],
    u8: [0, 255],
    char: [0, 255],
    i16: [-32768, 32767],
    u16: [0, 65535],
    i32: [-(2 ** 31), 2 ** 31 - 1],
    u32: [0, 2 ** 32 - 1],
  };
  const range = ranges[type.kind];
  if (range) return fc.integer({ min: range[0], max: range[1] });
  switch (type.kind) {
    case "i64":
      return fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
    case "u64":
      return fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });
    case "f32":
      return fc.oneof(fc.float(), fc.constant(new NanBits("ffc00001")));
    case "f64":
      return double;
    case "bool":
      return fc.boolean();
    case "string":
      return text;
    case "variant":
      return variant;
    case "var":
      return variable;
    case "map":
      return fc.array(fc.tuple(arbitraryOf(type.parts[0]!), arbitraryOf(type.parts[1]!)), { maxLength: 3 });
    case "pair":
    case "tuple":
      return fc.tuple(...type.parts.map(arbitraryOf));
    case "complex":
      return fc.tuple(arbitraryOf(type.parts[0]!), arbitraryOf(type.parts[0]!));
    default:
      return fc.array(arbitraryOf(type.parts[0]!), { maxLength: 4 });
  }
}

const types = fc.constantFrom(
  ...SCALAR_TYPES,
  ...SCALAR_TYPES,
  "vector<i32>",
  "map<u8,f64>",
  "pair<i16,bool>",
  "set<u64>",
  "tuple<i8,f32,u16>",
  "vector<vector<bool>>",
  "queue<variant>",
);

/** Games of one object with variables of any types, several instances with values of their own. */
const games = fc
  .uniqueArray(fc.tuple(fc.oneof(fc.string({ unit: characters(0), maxLength: 8 }), fc.constantFrom("hp", "x_1")), types), {
    maxLength: 6,
    selector: ([name]) => name,
  })
  .chain((locals) =>
    fc
      .array(
        fc.record({
          id: fc.nat(),
          values: fc.tuple(...locals.map(([, type]) => arbitraryOf(parseType(type)))),
          x: double,
          direction: variant,
          vmap: fc.option(fc.array(fc.tuple(text, variable), { minLength: 1, maxLength: 3 })),
          maps: fc.array(fc.array(fc.tuple(fc.integer({ min: -5, max: 5 }), fc.nat({ max: 9 })), { maxLength: 3 }), { maxLength: 2 }),
        }),
        { minLength: 1, maxLength: 8 },
      )
      .map((rows) => {
        const active = rows.map(({ id, values, x, direction, vmap, maps }) => {
          const instance = instanceOf(
            id,
            locals.map(([name, type], i) => ({ name, type, value: values[i] })),
          );
          instance.planar.x = x as number;
          instance.planar.direction = direction as number;
          instance.vmap = vmap as never;
          instance.timelines.timeline_moments_maps = maps;
          return instance;
        });
        return { game: gameOf(active), schema: schemaFor(Object.fromEntries(locals)) };
      }),
  );

const GAMES = casesOf(100);
const TIMEOUT = Math.max(60_000, GAMES * 50);

test(
  "any game: both engines and the plain twin give the same bytes and the same objects",
  () => {
    fc.assert(
      fc.property(games, ({ game, schema }) => {
        const read = agree(game, schema);
        agree(readEnigma(writeEnigma(read)), undefined);
      }),
      { numRuns: GAMES },
    );
  },
  TIMEOUT,
);

test(
  "any game: JSON is stable once written",
  () => {
    fc.assert(
      fc.property(games, ({ game, schema }) => {
        const first = writeEnigma(game, { backend: "json" });
        const read = readEnigma(first, { schema });
        expect(Buffer.compare(writeEnigma(read), first)).toBe(0);
        expect(Buffer.compare(writeEnigma(readEnigma(first)), first)).toBe(0);
      }),
      { numRuns: GAMES },
    );
  },
  TIMEOUT,
);

test("classes whose tables are too large for the kernel", () => {
  const locals = Array.from({ length: 300 }, (_, i) => ({ name: `v${String(i).padStart(80, "0")}`, type: "var", value: i }));
  const game = gameOf(Array.from({ length: 10 }, (_, id) => instanceOf(id, locals)));
  const schema = schemaFor(Object.fromEntries(locals.map(({ name, type }) => [name, type])));
  for (const { classes } of readEnigma(writeEnigma(game), { schema }).active) expect(classes[0]!.locals).toEqual(locals);
});
