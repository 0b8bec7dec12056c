// Members of ds strings, ENIGMA games and introspection text that were edited in the JSON: written, or refused with their place.
import { describe, expect, test } from "vitest";
import { writeDs } from "../../src/ds/index.ts";
import { type EnigmaGame, type EnigmaLocal, writeEnigma } from "../../src/enigma/index.ts";
import { gameOf, instanceOf } from "../enigma/samples.ts";
import { run } from "./program.ts";

/** As it is parsed. */
type Json = ReturnType<typeof JSON.parse>;

const encode = (format: string, root: unknown) => run(["encode", "-"], JSON.stringify({ tusk: 1, format, root }));

/** What `encode` says of this root, which it refuses. */
async function refusal(format: string, root: unknown): Promise<string> {
  const { status, stdout, stderr } = await encode(format, root);
  expect([status, stdout.length]).toEqual([1, 0]);
  return /^tusk: -: (.*) \[tusk: notation\]\n$/.exec(stderr)?.[1] ?? stderr;
}

/** The root that `decode` gives for this save. */
async function decoded(save: Uint8Array | string): Promise<Json> {
  const { status, stdout } = await run(["decode", "-"], save);
  expect(status).toBe(0);
  return JSON.parse(stdout.toString()).root;
}

const list = (...items: unknown[]) => ({ kind: "list", generation: 3, items });

describe("ds", () => {
  test.each<[string, unknown, string]>([
    [
      "a misspelt member",
      { kind: "list", genration: 2, items: [] },
      '"genration" is no member here; there are kind, generation, legacy, items (at .genration)',
    ],
    [
      "one of another kind",
      { ...list(), entries: [] },
      '"entries" is no member here; there are kind, generation, legacy, items (at .entries)',
    ],
    [
      "a value with a kind",
      list({ type: "int32", value: 5, kind: "list", items: [] }),
      '"type" is no member here; there are kind, generation, legacy, items (at .items[0].type)',
    ],
    [
      "a value in an array in a map",
      { kind: "map", entries: [["a", [[{ type: "pointer", address: { $bigint: "1" }, value: 1 }]]]] },
      '"value" is no member here; there are type, address (at .entries[0][1][0][0].value)',
    ],
    [
      "an item",
      { kind: "priority", items: [{ priority: 1, value: 2, type: "int32" }] },
      '"type" is no member here; there are priority, value (at .items[0].type)',
    ],
    [
      "a structure in a structure",
      list({ kind: "grid", width: 1, height: 1, columns: [[1]], colums: [[2]] }),
      '"colums" is no member here; there are kind, generation, legacy, width, height, columns (at .items[0].colums)',
    ],
    [
      "one of a struct that occurs again",
      list({ $id: 0, $struct: { type: "int32", value: 1, bits: 2 } }),
      '"bits" is no member here; there are type, value (at .items[0].bits)',
    ],
    ["null as the generation", { ...list(), generation: null }, '"generation" is a number, or is left out (at the root value)'],
    ["null as the tail", { kind: "queue", items: [1], tail: null }, '"tail" is a number, or is left out (at the root value)'],
    ["legacy values of generation 3", { ...list(), legacy: true }, 'values are "legacy" in "generation" 1 alone (at the root value)'],
    [
      "legacy values without a generation",
      list({ kind: "list", legacy: true, items: [] }),
      'values are "legacy" in "generation" 1 alone (at .items[0])',
    ],
    ["a number as legacy", { kind: "list", generation: 1, legacy: 1, items: [] }, '"legacy" is true or false (at the root value)'],
    ["a mark that there is none of", list({ $mark: "strct" }), '"$mark" does not hold "strct" (at .items[0])'],
    ["a tag of another format", list({ $u8: 1 }), '"$u8" is no tag of this format (at .items[0])'],
    ["a tag of no items", list({ $of: "u8", $array: [] }), '"$of" holds the name of a datatype, not "u8" (at .items[0])'],
  ])("%s", async (_title, root, told) => {
    expect(await refusal("ds", root)).toBe(told);
  });

  test("what is left out, undefined or false is written as before", async () => {
    for (const root of [
      { kind: "list", items: [1] },
      { ...list(1), legacy: false },
      { ...list(1), generation: { $undefined: true } },
      { kind: "priority", items: [{ value: { type: "int32", value: 1 }, priority: { $mark: "struct" } }] },
      list({ $of: "mark", $array: [] }),
    ])
      expect(await encode("ds", root)).toMatchObject({ status: 0, stderr: "" });
  });

  describe("a queue with its store", () => {
    const queue = (...slots: unknown[]) => ({ kind: "queue", generation: 3, items: [2, [3, 4]], head: 1, tail: 3, slots });
    const told = (index: number, place: string, head = 1) =>
      `the contents of a queue stand in "items" and once more in "slots", but slots[${index + head}] is another value than items[${index}]; ` +
      `"items" alone is enough, without "head", "tail" and "slots" (at ${place})`;

    test("is written where both hold the same, and the slots beside the contents can be edited", async () => {
      for (const slots of [
        [1, 2, [3, 4], 5],
        [7, 2, [3, 4], "eight"],
      ]) {
        const { status, stdout, stderr } = await encode("ds", queue(...slots));
        expect([status, stderr]).toEqual([0, ""]);
        expect((await decoded(stdout)).slots.map((slot: Json) => (slot.$ref === 0 ? [3, 4] : slot))).toEqual(slots);
      }
      // One array in both, as decode has it.
      const shared = { ...queue(1, 2, { $ref: 0 }, 5), items: [2, { $id: 0, $array: [3, 9] }] };
      expect((await encode("ds", shared)).stdout.toString()).toBe(
        writeDs({ kind: "queue", items: [2, [3, 9]], head: 1, tail: 3, slots: [1, 2, [3, 9], 5] }),
      );
    });

    test.each<[string, unknown[], number]>([
      ["a number", [1, 9, [3, 4], 5], 0],
      ["the sign of a zero", [1, { $number: "-0" }, [3, 4], 5], 0],
      ["a value in an array", [1, 2, [3, 9], 5], 1],
      ["another type", [1, 2, "x", 5], 1],
      ["what cannot be stored", [1, 2, { type: "int32", value: 0.5 }, 5], 1],
    ])("is refused where the slots differ from the contents: %s", async (_title, slots, index) => {
      expect(await refusal("ds", queue(...slots))).toBe(told(index, "the root value"));
      expect(await refusal("ds", list("a", [queue(...slots)]))).toBe(told(index, ".items[1][0]"));
    });

    test("that holds the same structure inside of structures many times is not written to compare it", async () => {
      let deep: unknown = { kind: "list", items: [] };
      for (let i = 0; i < 26; i++) deep = { kind: "list", items: [deep] };
      const one = JSON.parse(JSON.stringify(deep));
      const root = { ...queue(one), items: [deep], head: 0, tail: 1 };
      expect(await refusal("ds", root)).toContain("[tusk: too-long]");
    });

    test("that cannot be stored is refused by its writer", async () => {
      const odd = { type: "int32", value: 0.5 };
      for (const [root, message] of [
        [{ ...queue(1, odd, 3, 5), items: [{ ...odd }, 3] }, "0.5 is no signed 32-bit integer (at .items[0]) [ds: unsupported-value]"],
        [
          { ...queue(1, 2), items: [2, 3] },
          "head, tail, slots and items do not fit together: 1, 3, 2, 2; the items alone are enough (at the root value) [ds: count]",
        ],
        [
          { ...queue(1, 2, [3, 4]), head: { $bigint: "1" } },
          "head, tail, slots and items do not fit together: 1, 3, 3, 2; the items alone are enough (at the root value) [ds: count]",
        ],
        [{ ...queue(), slots: { 1: 2 } }, "the slots of a queue must be an array (at .slots) [ds: unsupported-value]"],
      ] as const)
        expect(await encode("ds", root)).toMatchObject({ status: 1, stderr: `tusk: -: ${message}\n` });
    });

    test("undefined and null are told apart from what is there", async () => {
      const root = { kind: "queue", items: [{ $undefined: true }], head: 0, tail: 1, slots: [{ $undefined: true }, 1] };
      expect(await encode("ds", root)).toMatchObject({ status: 0, stderr: "" });
      expect(await refusal("ds", { ...root, slots: [null, 1] })).toBe(told(0, "the root value", 0));
    });
  });
});

describe("enigma", () => {
  const locals: EnigmaLocal[] = [{ name: "hp", type: "f64", value: 5 }];
  /** The JSON of a game, edited. */
  const edited = (change: (game: Json, instance: Json, local: Json) => void, backend: EnigmaGame["backend"] = "binary") => {
    const instance = { ...instanceOf(1, locals), classes: [{ locals: structuredClone(locals) }] };
    const game = { ...gameOf([instance]), backend };
    change(game, instance, instance.classes[0].locals[0]);
    return game;
  };
  const raw = { $bytes: "QBQAAAAAAAA=" };

  test.each<[string, (game: Json, instance: Json, local: Json) => void, string]>([
    [
      "of the game",
      (game) => (game.rooms = 2),
      '"rooms" is no member here; there are backend, active, inactive, backgrounds, room, prefix, order (at .rooms)',
    ],
    [
      "of an instance",
      (_game, instance) => {
        instance.vmpa = instance.vmap;
        delete instance.vmap;
      },
      '"vmpa" is no member here; there are id, objectIndex, planar, timelines, graphics, transform, collisions, vmap, classes (at .active[0].vmpa)',
    ],
    [
      "of a tier",
      (_game, instance) => (instance.transform.alpha = 0.5),
      '"alpha" is no member here; there are image_alpha, image_blend (at .active[0].transform.alpha)',
    ],
    [
      "of a variable",
      (_game, _instance, local) => (local.vlaue = 6),
      '"vlaue" is no member here; there are name, type, value, raw, damaged, stored, recovered (at .active[0].classes[0].locals[0].vlaue)',
    ],
    [
      "of a class",
      (_game, instance) => (instance.classes[0].name = "obj"),
      '"name" is no member here; there are class, table, locals, gap (at .active[0].classes[0].name)',
    ],
    [
      "of arrays in a variable",
      (_game, instance) => (instance.vmap = [["a", { value: 1, array1d: {}, array2d: {}, array3d: {} }]]),
      '"array3d" is no member here; there are value, array1d, array2d (at .active[0].vmap[0][1].array3d)',
    ],
    [
      "of a row",
      (_game, _instance, local) =>
        Object.assign(local, { type: "var", value: { value: 1, array1d: {}, array2d: { dense: [{ max: 1, dens: [1], sparse: [] }] } } }),
      '"dens" is no member here; there are max, dense, sparse (at .active[0].classes[0].locals[0].value.array2d.dense[0].dens)',
    ],
    [
      "of a background",
      (game) => (game.backgrounds = [{ texture: { width: 0, height: 0, bgra: { $bytes: "" }, rgba: { $bytes: "" } } }]),
      '"rgba" is no member here; there are width, height, bgra (at .backgrounds[0].texture.rgba)',
    ],
    [
      "bytes before the first variable where there is none",
      (_game, instance) => (instance.classes[0] = { table: ["hp"], locals: [], gap: raw }),
      '"gap" stands before the bytes of the variables, and a class without any has none: take "gap" away (at .active[0].classes[0])',
    ],
    ["the prefix of a binary save", (game) => (game.prefix = raw), 'a save of the "binary" backend has no "prefix" (at the root value)'],
    ["an order that is none", (game) => (game.order = "keep"), '"order" is "kept", or is left out (at the root value)'],
    [
      "a value beside the bytes",
      (_game, _instance, local) => (local.raw = raw),
      '"value" does not stand beside "raw", which would be written: take "raw" away (and "damaged" and "recovered") (at .active[0].classes[0].locals[0])',
    ],
    [
      "a type beside the bytes",
      (_game, _instance, local) => {
        delete local.value;
        local.raw = raw;
      },
      '"type" and "recovered" stand beside "raw" where "damaged" is true; a variable with a "value" has no "raw" (at .active[0].classes[0].locals[0])',
    ],
    [
      "what was recovered, without the bytes",
      (_game, _instance, local) => (local.recovered = 6),
      '"damaged" and "recovered" stand beside "raw" alone (at .active[0].classes[0].locals[0])',
    ],
  ])("%s", async (_title, change, told) => {
    expect(await refusal("enigma", edited(change))).toBe(told);
  });

  test("what decode writes is written again, a variable that gets a value instead of its bytes too", async () => {
    const game = Buffer.from(writeEnigma(gameOf([instanceOf(1, locals)])));
    const root = await decoded(game);
    const [local] = root.active[0].classes[0].locals;
    expect(local).toEqual({ name: "hp", raw });
    expect((await encode("enigma", root)).stdout.equals(game)).toBe(true);
    Object.assign(local, { type: "f64", value: 7 });
    expect((await encode("enigma", root)).status).toBe(1);
    delete local.raw;
    expect((await encode("enigma", root)).stdout.equals(writeEnigma(gameOf([instanceOf(1, [{ ...locals[0], value: 7 }])])))).toBe(true);
    const json = edited((given) => (given.prefix = { $bytes: "AA==" }), "json");
    expect(await encode("enigma", json)).toMatchObject({ status: 0, stderr: "" });
  });

  test("bytes of one backend are not written by the other", async () => {
    // As a number of 8 bits it is the digit 1 in JSON.
    const game = (backend: EnigmaGame["backend"]) =>
      writeEnigma({ ...gameOf([], [instanceOf(1, [{ name: "hp", type: "i8", value: 0x31 }])]), backend });
    for (const [backend, other, is] of [
      ["binary", "json", '"raw" of a class with "table" is bytes of the binary backend'],
      ["json", "binary", '"raw" of a class without "table" is text of the JSON backend'],
    ] as const) {
      const root = await decoded(game(backend));
      delete root.prefix;
      expect(await encode("enigma", root)).toEqual({ status: 0, stdout: Buffer.from(game(backend)), stderr: "" });
      const told = `${is}; in the other one variables have a "value", as decode --schema gives it (at .inactive[0].classes[0].locals[0])`;
      expect(await encode("enigma", { ...root, backend: other })).toMatchObject({
        status: 1,
        stderr: `tusk: -: ${told} [enigma: schema-needed]\n`,
      });
    }
    // What has a value can be written by either.
    const values = edited((given) => (given.active[0].classes[0].table = null), "json");
    expect(await encode("enigma", values)).toMatchObject({ status: 0, stderr: "" });
  });
});

describe("introspection", () => {
  const document = (...variables: unknown[]) => ({ type: "object", object: "oA", id: 1, variables });
  const laidOut = (layout: unknown) => ({ ...document(), layout });

  test.each<[string, unknown, string]>([
    [
      "a value beside undefined",
      document({ name: "_hp", type: "undefined", value: 80 }),
      '"value" is no member here; there are name, type, layout (at .variables[0].value)',
    ],
    [
      "variables of no instance",
      document({ name: "_t", type: "object", object: null, id: 5, variables: [] }),
      '"id" is no member here; there are name, type, object, layout (at .variables[0].id)',
    ],
    [
      "a misspelt member",
      { ...document(), varables: [] },
      '"varables" is no member here; there are type, object, id, variables, layout (at .varables)',
    ],
    [
      "the name of a document",
      { ...document(), name: "a" },
      '"name" is no member here; there are type, object, id, variables, layout (at .name)',
    ],
    [
      "the name of an item",
      document({ name: "_l", type: "list", items: [{ type: "int", value: 1, name: "x" }] }),
      '"name" is no member here; there are type, value, layout (at .variables[0].items[0].name)',
    ],
    [
      "the name of an entry",
      document({ name: "_m", type: "map", entries: [{ key: "a", name: "b", type: "bool", value: true }] }),
      '"name" is no member here; there are key, type, value, layout (at .variables[0].entries[0].name)',
    ],
    [
      "a part of a key",
      document({ name: "_m", type: "map", entries: [{ key: { real: "nan", rael: 1 }, type: "bool", value: true }] }),
      '"rael" is no member here; there are real (at .variables[0].entries[0].key.rael)',
    ],
    [
      "a part of a cell",
      document({ name: "_g", type: "grid", width: 1, height: 1, columns: [[{ type: "asset", kind: "sprite", asset: null, index: 1 }]] }),
      '"index" is no member here; there are type, kind, asset, layout (at .variables[0].columns[0][0].index)',
    ],
    ["a layout that is none", laidOut(5), '"layout" holds an object, or is left out (at the root value)'],
    [
      "a misspelt member of a layout",
      laidOut({ lineEnd: "\r\n" }),
      '"lineEnd" is no member here; there are line, usual, mode, defined, newline, lineEnds, end, byteOrderMark, floats (at .layout.lineEnd)',
    ],
    [
      "a document's layout of a variable",
      document({ name: "_a", type: "int", value: 1, layout: { newline: "\r\n" } }),
      '"newline" is no member here; there are line, usual, mode (at .variables[0].layout.newline)',
    ],
    ["another line end", laidOut({ newline: "\n" }), '"newline" of a layout is "\\r\\n", or is left out (at .layout)'],
    ["another flag", laidOut({ byteOrderMark: false }), '"byteOrderMark" of a layout is true, or is left out (at .layout)'],
    ["another end", laidOut({ end: "x" }), '"end" of a layout does not hold what decode writes there (at .layout)'],
    ["other numbers", laidOut({ lineEnds: ["1"] }), '"lineEnds" of a layout does not hold what decode writes there (at .layout)'],
    ["a line alone", laidOut({ line: "oA = 01" }), '"line" and "usual" of a layout stand together (at .layout)'],
  ])("%s", async (_title, root, told) => {
    expect(await refusal("introspection", root)).toBe(told);
    // A list of documents has their numbers in front.
    expect(await refusal("introspection", [document(), root])).toBe(told.replace(/\(at (the root value)?/, "(at [1]"));
  });

  test("what cannot be written is an error with its place, behind the number of the object where there is a list", async () => {
    const odd = document({ name: "_hp", type: "int", value: "x" });
    for (const [root, told] of [
      [odd, "._hp) [introspection: bad-document]"],
      [[document(), odd], "[1]._hp) [introspection: bad-document]"],
      [[document(), document(), { type: "undefined" }], "[2]) [introspection: bad-document]"],
      [[laidOut({ mode: "original" }), document({ name: "_e", type: "enum", index: 1 })], "[1]._e) [introspection: not-original]"],
    ])
      expect(await encode("introspection", root)).toMatchObject({ status: 1, stderr: expect.stringContaining(`(at ${told}`) });
  });

  test("floats of more than five decimals are rounded with a note, and as they are where the layout says so", async () => {
    const floats = [0.1234567, 0.5, 1e-6].map((value, i) => ({ name: `_x${i}`, type: "float", value }));
    const rounded = await encode("introspection", [document(), document(...floats)]);
    expect(rounded.stdout.toString()).toContain("_x0 : float = 0.12346\n\t_x1 : float = 0.50000\n\t_x2 : float = 0.00000\n");
    expect(rounded.stderr).toBe(
      'tusk: -: 2 floats are rounded to five decimals; "layout": {"floats": "exact"} in the object keeps all digits (at [1].variables[0])\n',
    );
    const { stdout, stderr } = await encode("introspection", { ...laidOut({ floats: "exact" }), variables: floats });
    expect(stdout.toString()).toContain("_x0 : float = 0.1234567\n\t_x1 : float = 0.50000\n\t_x2 : float = 0.000001\n");
    expect(stderr).toBe("");
  });

  test("what decode writes is written again", async () => {
    const text =
      "\ufeffoA = 1\r\n{\r\n\t_x : float = 1e-3\n\t_y : float = 0.123456789\r\n\tm : map =\r\n\t{\r\n\t\t[nan] : object = noone\r\n\t}\r\n\tg : grid = 1x2\r\n\t{\r\n" +
      "\t\tg0,1 : undefined = undefined\r\n\t\tg0,0 : enum = #5\r\n\t}\r\n}\r\n";
    const root = await decoded(text);
    expect(Object.keys(root[0].layout).sort()).toEqual(["byteOrderMark", "end", "floats", "lineEnds", "newline"]);
    expect((await encode("introspection", root)).stdout.toString()).toBe(text);
  });
});
