// Rules of the binary backend, one test each (formats/enigma.md §1, §2, §4, §7).
import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import {
  type EnigmaArrays,
  type EnigmaInstance,
  type EnigmaWriteOptions,
  NanBits,
  readEnigma,
  TuskError,
  type TuskWarning,
  writeEnigma,
} from "../../src/enigma/index.ts";
import { parseType } from "../../src/enigma/value-type.ts";
import { hex } from "./notation.ts";
import { gameOf, instanceOf, schemaFor } from "./samples.ts";
import { fileOf, type Json, schemaOf, vectorOf } from "./vectors.ts";

function readVector(id: string) {
  const vector = vectorOf(id);
  return readEnigma(fileOf(vector), { schema: schemaOf(vector) });
}

function errorOf(work: () => unknown): TuskError {
  try {
    work();
  } catch (error) {
    if (error instanceof TuskError) return error;
    throw error;
  }
  throw new Error("no error");
}

function warningsOf(work: (onWarning: (warning: TuskWarning) => void) => unknown): string[] {
  const codes: string[] = [];
  work(({ code }) => codes.push(code));
  return codes;
}

/** The file with its digest computed again. */
function signed(bytes: Uint8Array): Uint8Array {
  const payload = bytes.subarray(0, -20);
  return new Uint8Array(Buffer.concat([payload, createHash("sha1").update(payload).digest()]));
}

/** Values of one variable, written and read back. */
function roundTrip(type: string, value: Json) {
  const bytes = writeEnigma(gameOf([instanceOf(1, [{ name: "v", type, value }])]));
  return readEnigma(bytes, { schema: schemaFor({ v: type }) }).active[0]!.classes[0]!.locals[0]!.value;
}

test("a file of fewer than 20 bytes is too short", () => {
  expect(errorOf(() => readEnigma(new Uint8Array(19))).code).toBe("too-short");
});

test("a wrong digest is an error at the digest, a warning with checksum report, nothing with ignore", () => {
  const bytes = fileOf(vectorOf("bin-err-digest-bit"));
  const error = errorOf(() => readEnigma(bytes));
  expect([error.code, error.offset]).toEqual(["checksum", 434]);
  expect(warningsOf((onWarning) => readEnigma(bytes, { checksum: "report", onWarning }))).toEqual(["checksum"]);
  expect(warningsOf((onWarning) => readEnigma(bytes, { checksum: "ignore", onWarning }))).toEqual([]);
  // It is of the whole file, so the limit of those of single variables does not drop it.
  expect(warningsOf((onWarning) => readEnigma(bytes, { checksum: "report", limits: { maxWarnings: 0 }, onWarning }))).toEqual(["checksum"]);
});

test("writing computes the digest again", () => {
  const game = readEnigma(fileOf(vectorOf("bin-one-instance")));
  game.room = 7;
  const bytes = writeEnigma(game);
  expect(hex(bytes.subarray(-20))).toBe(createHash("sha1").update(bytes.subarray(0, -20)).digest("hex"));
});

test("errors stand at the byte that is wrong", () => {
  for (const [id, code, offset] of [
    ["bin-err-lead-ac", "lead-byte", 0x7f],
    ["bin-err-variant-type", "bad-variant-type", 0x43],
    ["bin-err-unknown-object", "unknown-object", 0x0d],
    ["bin-err-trailing", "trailing-bytes", 434],
    ["bin-err-active-count-huge", "truncated", 0],
    ["bin-err-active-count-plus1", "lead-byte", 0x19c],
  ] as const) {
    const error = errorOf(() => readVector(id));
    expect([error.code, error.offset], id).toEqual([code, offset]);
  }
});

test("the classes of an instance are counted without a schema by looking ahead", () => {
  for (const id of ["bin-tree-all", "bin-plain-then-inactive", "bin-plain-three", "bin-inactive-mixed", "bin-tree-obj_imp"]) {
    const known = readVector(id);
    const blind = readEnigma(fileOf(vectorOf(id)));
    const counts = (game: typeof known) =>
      [...game.active, ...game.inactive].map(({ classes }) => classes.map(({ locals }) => locals.length));
    expect(counts(blind), id).toEqual(counts(known));
  }
});

test("without a schema a variable keeps its bytes, and has no type", () => {
  const game = readEnigma(fileOf(vectorOf("bin-one-instance")));
  const [barfoo] = game.active[0]!.classes[0]!.locals;
  expect(barfoo).toEqual({ name: "barfoo", raw: Uint8Array.from([0, 0x40, 0x20, ...new Array(54).fill(0)]) });
});

test("unusual NaNs keep their bits, the usual one is NaN, and negative zero stays", () => {
  for (const value of [Number.NaN, -0, Number.POSITIVE_INFINITY, new NanBits("fff8000000000000"), new NanBits("7ff0000000000001")])
    expect(roundTrip("f64", value)).toEqual(value);
  for (const value of [Number.NaN, -0, new NanBits("ffc00000"), new NanBits("7f800001")]) expect(roundTrip("f32", value)).toEqual(value);
});

test("a NaN of the other width, and a finite number that 32 bits do not hold, are refused with the path", () => {
  for (const [type, value] of [
    ["f32", new NanBits("7ff0000000000001")],
    ["f32", new NanBits("fff8000000000001")],
    ["f64", new NanBits("ffc00000")],
    ["var", new NanBits("ffc00000")],
    ["f32", 1e300],
    ["f32", -(2 ** 128 - 2 ** 103)],
    ["vector<f32>", [1e39]],
  ] as const) {
    const path = `.active[0].classes[0].v${Array.isArray(value) ? "[0]" : ""}`;
    // Alone by the plain writer, and in a list that the kernel takes.
    for (const count of [1, 6])
      for (const backend of ["binary", "json"] as const) {
        const instances = Array.from({ length: count }, (_, id) => instanceOf(id, [{ name: "v", type, value: value as never }]));
        const error = errorOf(() => writeEnigma(gameOf(instances), { backend }));
        expect([error.code, error.path], `${type} ${backend}`).toEqual(["unwritable", path]);
      }
  }
  const largest = 2 ** 128 - 2 ** 104;
  expect(roundTrip("vector<f32>", [largest, 2 ** 128 - 2 ** 103 - 2 ** 75, Number.NEGATIVE_INFINITY])).toEqual([
    largest,
    largest,
    Number.NEGATIVE_INFINITY,
  ]);
});

test("an engine field of 32 bits holds what 32 bits hold, in a list that the kernel takes", () => {
  const games = (image_index: number, image_angle = 0) =>
    gameOf(
      Array.from({ length: 6 }, (_, id) => {
        const instance = instanceOf(id);
        Object.assign(instance.graphics, { image_index, image_angle });
        return instance;
      }),
    );
  for (const angle of [0, Number.NaN, Number.POSITIVE_INFINITY]) {
    const error = errorOf(() => writeEnigma(games(1e300, angle)));
    expect([error.code, error.path]).toEqual(["unwritable", ".active[0].graphics.image_index"]);
  }
  for (const value of [Number.NaN, Number.NEGATIVE_INFINITY, 2 ** 128 - 2 ** 104])
    expect(readEnigma(writeEnigma(games(value))).active[5]!.graphics.image_index).toBe(value);
});

test("NanBits are the bits of a NaN", () => {
  for (const bits of ["7ff0000000000001", "ffffffffffffffff", "7ff8000000000000", "7f800001", "ffc00000", "7fffffff"])
    expect(new NanBits(bits).bits).toBe(bits);
  for (const bits of ["3ff0000000000000", "7ff0000000000000", "fff0000000000000", "7fefffffffffffff", "7f800000", "ff800000", "7f7fffff"])
    expect(errorOf(() => new NanBits(bits)).code, bits).toBe("bad-option");
});

test("bytes that are not UTF-8 stay bytes; a byte order mark stays a character", () => {
  expect(roundTrip("string", Uint8Array.of(0xff, 0))).toEqual(Uint8Array.of(0xff, 0));
  // U+FFFD itself is a character.
  expect(roundTrip("string", "\ufffd?")).toBe("\ufffd?");
  const cut = Uint8Array.of(0xef, 0xbf, 0xbd, 0xe2, 0x82);
  expect(roundTrip("string", cut)).toEqual(cut);
  expect(roundTrip("var", Uint8Array.of(0xed, 0xa0, 0x80))).toEqual(Uint8Array.of(0xed, 0xa0, 0x80));
  expect(roundTrip("string", "\ufeffx")).toBe("\ufeffx");
  expect(roundTrip("string", "\ufeff".padEnd(80, "é"))).toBe("\ufeff".padEnd(80, "é"));
});

test("a lone surrogate has no UTF-8 form: error with the path", () => {
  const error = errorOf(() => writeEnigma(gameOf([instanceOf(1, [{ name: "v", type: "string", value: "\ud800" }])])));
  expect([error.code, error.path]).toEqual(["unwritable", ".active[0].classes[0].v"]);
});

test("an undefined variant is written as the number 0, with a warning", () => {
  const game = gameOf([instanceOf(1, [{ name: "v", type: "var", value: undefined }])]);
  expect(warningsOf((onWarning) => writeEnigma(game, { onWarning }))).toEqual(["undefined-as-zero"]);
  expect(readEnigma(writeEnigma(game), { schema: schemaFor({ v: "var" }) }).active[0]!.classes[0]!.locals[0]!.value).toBe(0);
});

test("a new game gets ascending names and ids as signed numbers; a file in another order is reproduced", () => {
  const local = (name: string) => ({ name, type: "i32", value: 1 });
  const schema = schemaFor({ a: "i32", b: "i32" });
  const game = gameOf([instanceOf(5, [local("b"), local("a")]), instanceOf(2), instanceOf(0x80000001)]);
  const sorted = readEnigma(writeEnigma(game), { schema });
  expect(sorted.active.map(({ id }) => id)).toEqual([0x80000001, 2, 5]);
  expect(sorted.active[2]!.classes[0]!.locals.map(({ name }) => name)).toEqual(["a", "b"]);
  expect(sorted.order).toBeUndefined();
  const bytes = writeEnigma({ ...game, order: "kept" });
  const kept = readEnigma(bytes, { schema });
  expect(kept.active.map(({ id }) => id)).toEqual([5, 2, 0x80000001]);
  expect(kept.order).toBe("kept");
  expect(writeEnigma(kept)).toEqual(bytes);
});

test("instances that are not active have an order, too", () => {
  const bytes = writeEnigma({ ...gameOf([instanceOf(1)], [instanceOf(9), instanceOf(4)]), order: "kept" });
  const kept = readEnigma(bytes);
  expect([kept.order, kept.inactive.map(({ id }) => id)]).toEqual(["kept", [9, 4]]);
  expect(writeEnigma(kept)).toEqual(bytes);
});

test("the order of the symbol table is kept; a new variable is put at its end, one that is gone leaves it", () => {
  const vector = vectorOf("bin-one-instance");
  const game = readVector("bin-one-instance");
  const block = game.active[0]!.classes[0]!;
  expect(block.table).toEqual(["foobar", "barfoo"]);
  block.locals.push({ name: "added", type: "var", value: 3 });
  const schema = schemaOf(vector);
  const more = readEnigma(writeEnigma(game), { schema: { objects: [{ index: 0, name: "o", locals: [{ name: "added", type: "var" }] }] } });
  expect(more.active[0]!.classes[0]!.table).toEqual(["foobar", "barfoo", "added"]);
  block.locals.splice(1, 2);
  expect(readEnigma(writeEnigma(game), { schema }).active[0]!.classes[0]!.table).toEqual(["barfoo"]);
});

test("a class without variables is the single byte BB", () => {
  const one = writeEnigma(gameOf([instanceOf(1)]));
  expect(one.length).toBe(8 + 229 + 1 + 8 + 1 + 8 + 1 + 4 + 20);
});

test("a name that is twice in a symbol table is refused, also one that is not UTF-8", () => {
  for (const [first, second] of [
    ["a", "b"],
    [Uint8Array.of(0xfe, 0x61), Uint8Array.of(0xfe, 0x62)],
  ]) {
    const bytes = writeEnigma(
      gameOf([
        instanceOf(
          1,
          [first!, second!].map((name) => ({ name, type: "u8", value: 1 })),
        ),
      ]),
    );
    expect(readEnigma(bytes).active[0]!.classes[0]!.locals.length).toBe(2);
    const at = Buffer.from(bytes).lastIndexOf("b", bytes.length - 30);
    bytes[at] = 0x61;
    expect(errorOf(() => readEnigma(signed(bytes))).code).toBe("bad-table");
  }
});

test("a lost map count is read through, and the count is written", () => {
  const game = readVector("bin-vmap-one");
  expect(game.active[0]!.vmap).toEqual([["ghost", 77]]);
  expect(writeEnigma(game)).toEqual(fileOf(vectorOf("bin-vmap-one-corrected")));
});

test("what stands behind a map without its count and is neither an entry nor a class is a wrong lead byte", () => {
  const bytes = Buffer.from(fileOf(vectorOf("bin-vmap-one")));
  // Name, kind and value of the one entry.
  const behind = bytes.indexOf(0xbb, bytes.indexOf("ghost"));
  expect(behind).toBe(307);
  for (const lead of [0xba, 0xaa, 1, 0xff])
    for (const engine of ["wasm", "js"] as const) {
      bytes[behind] = lead;
      expect(errorOf(() => readEnigma(signed(bytes), { engine }))).toMatchObject({ code: "lead-byte", offset: behind });
    }
});

test("lost map counts in a list are one warning, with the place of the first", () => {
  const vmaps = [null, [["ghost", 77]], [["ghost", "é"]], [["ghost", -1]]] as const;
  const game = gameOf(vmaps.map((vmap, id) => ({ ...instanceOf(id), vmap: vmap as EnigmaInstance["vmap"] })));
  const bytes = Buffer.from(writeEnigma(game));
  const count = Buffer.from("\0\0\0\0\0\0\0\x01\0\0\0\0\0\0\0\x05ghost");
  const first = bytes.indexOf(count);
  for (let at = first; at >= 0; at = bytes.indexOf(count, at)) bytes[at + 7] = 0;
  for (const engine of ["wasm", "js"] as const) {
    const told: unknown[] = [];
    const { active } = readEnigma(signed(bytes), { engine, onWarning: ({ code, offset, message }) => told.push([code, offset, message]) });
    expect(active.map(({ vmap }) => vmap)).toEqual(vmaps);
    expect(told).toEqual([["vmap-count-zero", first, expect.stringMatching(/; 3 times/)]]);
  }
});

test("a 2-D array that the engine cut off is recovered as far as it goes, and written whole", () => {
  const local = readVector("bin-array2d-ctor").active[0]!.classes[0]!.locals[0]!;
  expect(local.damaged).toBe(true);
  expect(local.raw!.length).toBe(159);
  expect((local.recovered as EnigmaArrays).array2d).toEqual({
    max: 3,
    dense: [],
    sparse: [
      [1, { max: 2, dense: [3, 3], sparse: [] }],
      [2, { max: 2, dense: [3], sparse: [] }],
    ],
  });
  const written = readEnigma(writeEnigma(readVector("bin-array2d-ctor")), { schema: schemaOf(vectorOf("bin-array2d-ctor")) });
  expect(written.active[0]!.classes[0]!.locals[0]).toEqual({ name: "data", type: "var", value: local.recovered });
});

test("a text that overran its slot in a container is recovered to 24 bytes; writing one that long is refused", () => {
  const game = readVector("bin-containers-long-string");
  const local = game.active[0]!.classes[0]!.locals.find(({ name }) => name === "v_str")!;
  expect(local.recovered).toEqual(["short", "a string of more than tw", "end"]);
  const error = errorOf(() => writeEnigma(gameOf([instanceOf(1, [{ name: "v", type: "vector<string>", value: ["x".repeat(25)] }])])));
  expect([error.code, error.path]).toEqual(["string-slot", ".active[0].classes[0].v[0]"]);
  expect(roundTrip("vector<string>", ["x".repeat(24), ""])).toEqual(["x".repeat(24), ""]);
});

test("a damaged variable is written recovered, raw or not at all, as the caller says", () => {
  const bytes = fileOf(vectorOf("bin-array2d-ctor"));
  const write = (damaged: EnigmaWriteOptions["damaged"]) => writeEnigma(readVector("bin-array2d-ctor"), { damaged });
  expect(write("raw")).toEqual(bytes);
  expect(errorOf(() => write("error")).code).toBe("damaged-local");
  expect(warningsOf((onWarning) => writeEnigma(readVector("bin-array2d-ctor"), { onWarning }))).toEqual(["damaged-local"]);
});

test("a variable that only fits another type is damaged, never 'recovered', and keeps its bytes", () => {
  const bytes = writeEnigma(gameOf([instanceOf(1, [{ name: "v", type: "f64", value: 1.5 }])]));
  const [local] = readEnigma(bytes, { schema: schemaFor({ v: "string" }) }).active[0]!.classes[0]!.locals;
  expect(local).toEqual({ name: "v", type: "string", raw: Uint8Array.of(0x3f, 0xf8, 0, 0, 0, 0, 0, 0), damaged: true });
});

test("variables at one offset both have the bytes up to the next larger one, so a wrong offset takes nothing of the variable it meets", () => {
  // Two bytes each. b comes to lie on c, or c on a; then a or b has the bytes of both.
  for (const [moved, offset, expected] of [
    ["b", 4, { a: undefined, b: 3, c: 3 }],
    ["c", 0, { a: 1, b: undefined, c: 1 }],
  ] as const)
    for (const table of ["abc", "cba", "bca", "acb"]) {
      const instance = instanceOf(
        1,
        ["a", "b", "c"].map((name, i) => ({ name, type: "u16", value: i + 1 })),
      );
      instance.classes[0]!.table = [...table];
      const bytes = writeEnigma(gameOf([instance]));
      const symbol = Buffer.from(bytes).indexOf(Uint8Array.of(...new Array(7).fill(0), 1, moved.charCodeAt(0)));
      bytes[symbol + 16] = offset;
      const file = signed(bytes);
      const codes = warningsOf((onWarning) => {
        const game = readEnigma(file, { schema: schemaFor({ a: "u16", b: "u16", c: "u16" }), onWarning });
        const { locals } = game.active[0]!.classes[0]!;
        expect(Object.fromEntries(locals.map(({ name, value }) => [name, value])), `${moved} in ${table}`).toEqual(expected);
      });
      expect(codes).toEqual(["damaged-local", "damaged-local"]);
      // Without the types no byte is given twice, and the file is reproduced.
      expect(writeEnigma(readEnigma(file))).toEqual(file);
    }
});

test("any number of variables at one offset are given no more than some times the file", () => {
  const names = Array.from({ length: 300 }, (_, i) => `v${1000 + i}`);
  const value = new Array(20_000).fill(1);
  const bytes = writeEnigma(gameOf([instanceOf(1, [{ name: names[299]!, type: "vector<u8>", value }])]));
  // The count and the one symbol, where there are to be 300 at offset 0.
  const table = Buffer.from(bytes).indexOf(names[299]!) - 16;
  const number = (n: number) => Uint8Array.of(...new Array(6).fill(0), n >> 8, n & 255);
  const symbols = names.flatMap((name) => [number(name.length), Buffer.from(name), number(0)]);
  const file = signed(Buffer.concat([bytes.subarray(0, table), number(names.length), ...symbols, bytes.subarray(table + 29)]));
  const schema = schemaFor(Object.fromEntries(names.map((name) => [name, "vector<u8>"])));
  const { locals } = readEnigma(file, { schema }).active[0]!.classes[0]!;
  expect(locals.map(({ name }) => name)).toEqual(names);
  const whole = locals.filter((local) => local.value !== undefined);
  for (const local of whole) expect(local.value).toEqual(value);
  expect(
    whole
      .slice(0, 3)
      .concat(locals[299]!)
      .map(({ name }) => name),
  ).toEqual(["v1000", "v1001", "v1002", "v1299"]);
  expect(whole.length * value.length).toBeLessThan(6 * file.length);
  expect(locals.find((local) => local.damaged)).toMatchObject({ raw: new Uint8Array(0) });
  expect(writeEnigma(readEnigma(file))).toEqual(file);
});

test("padded arrays of the 2022 revision are read, and written compactly", () => {
  const game = readVector("bin-array1d-dense-padded");
  expect(writeEnigma(game)).toEqual(fileOf(vectorOf("bin-array1d-dense")));
});

test("padded arrays in a variable map, too, with its count or without, by the kernel and by the plain reader", () => {
  const word = (n: number) => [...new Array(7).fill(0), n];
  const text = (given: string) => [...word(given.length), ...Buffer.from(given)];
  /** A table of such texts, whose area is 56 bytes for each (formats/enigma.md §9). */
  const padded = (texts: readonly string[]) => {
    const bytes = [...word(texts.length), ...word(texts.length), ...texts.flatMap((t) => [1, ...text(t)]), ...word(0)];
    return [...bytes, ...new Array(24 + 56 * texts.length - bytes.length).fill(0)];
  };
  const one = [...new Array(8).fill(0), 0x3f, 0xf0, 0, 0, 0, 0, 0, 0].slice(7);
  const nothing = new Array(24).fill(0);
  const entry = (name: string, array1d: number[], array2d: number[]) => [...text(name), ...one, ...array1d, ...array2d];
  const table = (dense: readonly string[]) => ({ max: dense.length, dense, sparse: [] });
  const empty = { max: 0, dense: [], sparse: [] };
  /** Its padding takes as many bytes as one variable without a name. */
  const [x, y] = ["x".repeat(15), "y".repeat(14)];
  const maps: [bytes: number[], count: number, vmap: unknown][] = [
    [entry("a", padded([x, y]), nothing), 1, [["a", { value: 1, array1d: table([x, y]), array2d: empty }]]],
    [
      [
        ...entry("a", padded(["p"]), nothing),
        ...entry("b", nothing, nothing),
        ...entry("c", nothing, [...word(1), ...word(1), ...padded(["q"]), ...word(0)]),
      ],
      3,
      [
        ["a", { value: 1, array1d: table(["p"]), array2d: empty }],
        ["b", 1],
        ["c", { value: 1, array1d: empty, array2d: { max: 1, dense: [table(["q"])], sparse: [] } }],
      ],
    ],
  ];
  const whole = fileOf(vectorOf("bin-one-instance"));
  /** Where the map's count stands, and what is behind the active instances but the digest. */
  const count = 8 + 221;
  const tail = whole.subarray(-20 - 22);
  for (const [map, entries, vmap] of maps)
    for (const counted of [true, false])
      for (const instances of [1, 6]) {
        const instance = [...whole.subarray(8, count), ...word(counted ? entries : 0), ...map, ...whole.subarray(count + 8, -tail.length)];
        const file = signed(Uint8Array.from([...word(instances), ...new Array(instances).fill(instance).flat(), ...tail]));
        const codes = warningsOf((onWarning) => {
          for (const { vmap: found } of readEnigma(file, { onWarning }).active) expect(found).toEqual(vmap);
        });
        expect(codes).toEqual(counted ? ["padded-arrays"] : ["vmap-count-zero", "padded-arrays"]);
        const again = readEnigma(writeEnigma(readEnigma(file)));
        expect(again.active[0]!.vmap).toEqual(vmap);
      }
});

test("a variable of a map may have no name", () => {
  for (const entries of [1, 3]) {
    const game = readVector("bin-one-instance");
    game.active[0]!.vmap = Array.from({ length: entries }, (_, i) => [i === 0 ? "" : `v${i}`, i]);
    const bytes = writeEnigma(game);
    expect(readEnigma(bytes).active[0]!.vmap).toEqual(game.active[0]!.vmap);
  }
});

test("a boolean byte other than 0 and 1 is true, with a warning", () => {
  const bytes = fileOf(vectorOf("bin-one-instance")).slice();
  bytes[0x42] = 2;
  const file = signed(bytes);
  expect(warningsOf((onWarning) => readEnigma(file, { onWarning }))).toEqual(["bool-byte"]);
  expect(readEnigma(file).active[0]!.planar.persistent).toBe(true);
});

test("a boolean byte other than 0 and 1 is told of its own instance, not of the next one, too", () => {
  const bytes = writeEnigma(gameOf([instanceOf(1), instanceOf(2)]));
  // Of the first instance: visible, and two scales behind it.
  const at = Buffer.from(bytes).indexOf(Uint8Array.of(1, 0x3f, 0x80, 0, 0, 0x3f, 0x80));
  bytes[at] = 2;
  const told: TuskWarning[] = [];
  readEnigma(signed(bytes), { onWarning: (warning) => told.push(warning) });
  expect(told).toEqual([
    { format: "enigma", code: "bool-byte", message: "a boolean byte is neither 0 nor 1 and will be written as 1", offset: at },
  ]);
});

test("an object that the schema lacks is an error, or stays raw if the caller says so", () => {
  const bytes = fileOf(vectorOf("bin-err-unknown-object"));
  const schema = schemaOf(vectorOf("bin-err-unknown-object"));
  expect(errorOf(() => readEnigma(bytes, { schema })).code).toBe("unknown-object");
  expect(writeEnigma(readEnigma(bytes, { schema, unknownObject: "raw" }))).toEqual(bytes);
});

test("64-bit integers are bigints, whole", () => {
  for (const value of [-(2n ** 63n), 2n ** 63n - 1n, -1n]) expect(roundTrip("i64", value)).toBe(value);
  for (const value of [0n, 2n ** 64n - 1n]) expect(roundTrip("u64", value)).toBe(value);
});

test("values outside their type are refused with the path", () => {
  for (const [type, value] of [
    ["u8", 256],
    ["i8", -129],
    ["u32", -1],
    ["i32", 1.5],
    ["bool", 1],
    ["i64", 5],
    ["u64", -1n],
    ["string", 5],
    ["f64", "1"],
    ["var", true],
    ["var", null],
    ["vector<u8>", 1],
    ["pair<u8,u8>", [1]],
  ] as const) {
    // Alone by the plain writer, and in a list that the kernel takes.
    for (const count of [1, 6]) {
      const instances = Array.from({ length: count }, (_, id) => instanceOf(id, [{ name: "v", type, value: value as never }]));
      const error = errorOf(() => writeEnigma(gameOf(instances)));
      expect([error.code, error.path], type).toEqual(["unwritable", ".active[0].classes[0].v"]);
    }
  }
});

test("a type that is none is refused when the schema is read", () => {
  for (const type of [
    "int",
    "vector",
    "vector<i32",
    "map<i32>",
    "i32>",
    "pair<i32,i32,i32>",
    "vector<".repeat(40) + "i32" + ">".repeat(40),
  ])
    expect(errorOf(() => readEnigma(fileOf(vectorOf("bin-empty")), { schema: schemaFor({ v: type }) })).code, type).toBe("schema");
});

test("types stand within each other 32 deep", () => {
  const read = (levels: number) => () =>
    readEnigma(writeEnigma(gameOf([])), { schema: schemaFor({ v: "vector<".repeat(levels) + "f64" + ">".repeat(levels) }) });
  expect(read(32)).not.toThrow();
  expect(errorOf(read(33)).code).toBe("schema");
});

test("of a type only a short text is kept for the next time", () => {
  const tuple = (parts: number) => `tuple<${Array(parts).fill("u8")}>`;
  expect(parseType(tuple(80))).toBe(parseType(tuple(80)));
  expect(parseType(tuple(90))).not.toBe(parseType(tuple(90)));
});

test("a variable declared again with the same type is stored in the ancestor only", () => {
  const schema = {
    objects: [
      { index: 0, name: "base", locals: [{ name: "v", type: "i32" }] },
      {
        index: 1,
        name: "kid",
        parent: "base",
        locals: [
          { name: "v", type: "i32" },
          { name: "w", type: "u8" },
        ],
      },
    ],
  };
  const instance = {
    ...instanceOf(1, [], 1),
    classes: [{ locals: [{ name: "v", type: "i32", value: 1 }] }, { locals: [{ name: "w", type: "u8", value: 2 }] }],
  };
  const game = readEnigma(writeEnigma(gameOf([instance])), { schema });
  expect(game.active[0]!.classes.map(({ locals }) => locals.map(({ name, type, value }) => [name, type, value]))).toEqual([
    [["v", "i32", 1]],
    [["w", "u8", 2]],
  ]);
});

test("a variable declared again with other parts of the same container is one of its own", () => {
  const own = (type: string) => [{ name: "v", type }];
  const schema = {
    objects: [
      { index: 0, name: "base", locals: own("vector<i32>") },
      { index: 1, name: "kid", parent: "base", locals: own("vector<f64>") },
      { index: 2, name: "grandchild", parent: "kid", locals: own("vector< i32 >") },
    ],
  };
  const classes = [
    { locals: [{ name: "v", type: "vector<i32>", value: [1] }] },
    { locals: [{ name: "v", type: "vector<f64>", value: [0.5] }] },
    { locals: [] },
  ];
  const { active } = readEnigma(writeEnigma(gameOf([{ ...instanceOf(1, [], 2), classes }])), { schema });
  expect(active[0]!.classes.map(({ locals }) => locals)).toEqual(classes.map(({ locals }) => locals));
});

test("blanks in a type mean nothing", () => {
  const local = { name: "v", type: "map<string,vector<f64>>", value: [["a", [1]]] };
  const save = writeEnigma(gameOf([instanceOf(1, [local])]));
  const { active } = readEnigma(save, { schema: schemaFor({ v: " map < string , vector < f64 > > " }) });
  expect(active[0]!.classes[0]!.locals).toEqual([local]);
});

test("a tuple may have no parts", () => {
  for (const type of ["tuple<>", "tuple< >", "tuple"]) expect(roundTrip(type, [])).toEqual([]);
  expect(roundTrip("vector<tuple<>>", [[], []])).toEqual([[], []]);
});

test("the place of a texture that is too large", () => {
  const texture = { width: 1, height: 1, bgra: new Uint8Array(4) };
  const sizes = { isTileset: false, tileWidth: 0, tileHeight: 0, hOffset: 0, vOffset: 0, hSep: 0, vSep: 0 };
  const background = { width: 1, height: 1, texture, bounds: { x: 0, y: 0, h: 1, w: 1 }, ...sizes };
  const save = writeEnigma({ ...gameOf([]), backgrounds: [background] });
  save[34] = 1;
  expect(() => readEnigma(save, { checksum: "ignore" })).toThrow(expect.objectContaining({ code: "truncated", offset: 33 }));
});

test.each<[string, number | bigint, number | bigint]>([
  ["i8", -0x80, 0x7f],
  ["u8", 0, 0xff],
  ["char", 0, 0xff],
  ["i16", -0x8000, 0x7fff],
  ["u16", 0, 0xffff],
  ["i32", -(2 ** 31), 2 ** 31 - 1],
  ["u32", 0, 2 ** 32 - 1],
  ["i64", -(2n ** 63n), 2n ** 63n - 1n],
  ["u64", 0n, 2n ** 64n - 1n],
])("%s goes from %d to %d", (type, low, high) => {
  const one = (typeof low === "bigint" ? 1n : 1) as never;
  // One by itself, and as many as the kernel takes.
  for (const backend of ["binary", "json"] as const)
    for (const length of [1, 6]) {
      const write = (value: number | bigint) =>
        writeEnigma(gameOf(Array.from({ length }, (_, id) => instanceOf(id, [{ name: "v", type, value }]))), { backend });
      for (const value of [low, high])
        expect(readEnigma(write(value), { schema: schemaFor({ v: type }) }).active[0]!.classes[0]!.locals[0]!.value).toBe(value);
      for (const value of [(low as number) - one, (high as number) + one])
        expect(() => write(value), String(value)).toThrow(expect.objectContaining({ code: "unwritable", path: ".active[0].classes[0].v" }));
    }
});
