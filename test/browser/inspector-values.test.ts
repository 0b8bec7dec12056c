// The inspector's values without its page: what its worker makes of saves, and of what somebody types.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { deflateSync, inflateSync } from "node:zlib";
import { describe, expect, test, vi } from "vitest";
import { type DsStructure, type DsValue, readDs, writeDs } from "../../src/ds/index.ts";
import {
  createElephantSync,
  type ElephantSchema,
  SCHEMA,
  StructInstance,
  VERBOSE_EXCLUDE,
  VERSION_VERBOSE,
} from "../../src/elephant/index.ts";
import { type EnigmaGame, readEnigma, writeEnigma } from "../../src/enigma/index.ts";
import {
  type IntrospectionPath,
  readIntrospection,
  setIntrospectionValue,
  writeIntrospectionDocument,
} from "../../src/introspection/index.ts";
import { ROOT } from "../package/installed.ts";
import {
  edit,
  editedNames,
  elephant,
  errorReport,
  found,
  introspection,
  OpenSave,
  pathTo,
  quoted,
  readSource,
  reportOf,
  shown,
  typeOf,
  utf8,
} from "./inspector-worker.ts";

describe("an ENIGMA save", () => {
  const schema = {
    objects: [
      { index: 0, name: "obj_actor", parent: null, locals: [{ name: "hp", type: "var" }] },
      {
        index: 1,
        name: "obj_foe",
        parent: "obj_actor",
        locals: [
          { name: "rank", type: "i32" },
          { name: "loot", type: "vector<string>" },
        ],
      },
    ],
  };

  /** Two instances, at x 64 and 500. */
  function game(): EnigmaGame {
    const packed =
      "eNpjYAADxlUMjG0LQYzVDgEQIQcHKE2ATxJwKHiAwl8DY/z///8/g30DlLcWJgwW2f8BzRRGkDBM8Tr7Dwgz1oPNARHISmBgN0w/lGbKKEAz2ZLBwbGBgRwAM5sJSrPk5OeXoKlhKUrMy4ayPaC0D7q+ovyCVDz2sOQk5hbgkIOZwfAOxngPIj57Wd77+WjLsznx3F8sooyj8/sPnAIAXgc4hw==";
    const made = readEnigma(inflateSync(Buffer.from(packed, "base64")), { schema });
    const second = structuredClone(made.active[0]);
    second.id = 100_005;
    second.planar.x = 500;
    made.active.push(second);
    return made;
  }

  const places = (bytes: Uint8Array) => readEnigma(bytes).active.map(({ id, planar }) => [id, planar.x]);

  test.each(["binary", "json"] as const)("keeps an id that gives its instance another place in the file: %s", async (backend) => {
    const bytes = writeEnigma(game(), { backend });
    const save = await OpenSave.read("game", bytes);
    const [first, second] = ["0", "1"].map((i) => ["active", i]);
    expect(await edit(save, [...first, "id"], "100009")).toBe(true);
    expect(shown(save, ...first, "id")).toBe("100009");
    expect(places(await save.bytes())).toEqual([
      [100_005, 500],
      [100_009, 64],
    ]);
    // Of the instance that is edited, wherever it stands.
    await edit(save, [...first, "planar", "x"], "65");
    await edit(save, [...second, "planar", "x"], "501");
    expect(places(await save.bytes())).toEqual([
      [100_005, 501],
      [100_009, 65],
    ]);
    for (let i = 0; i < 3; i++) save.undo();
    expect(await save.bytes()).toEqual(bytes);
  });

  test("keeps its whole numbers to the ranges that they have", async () => {
    const save = await OpenSave.read("game", writeEnigma(game()));
    const id = ["active", "0", "id"];
    expect(await edit(save, id, "4294967295")).toBe(true);
    // Sorted as a signed number.
    expect(places(await save.bytes())[0]).toEqual([4_294_967_295, 64]);
    await expect(edit(save, id, "-1")).rejects.toThrow("a whole number from 0 to 4294967295 is expected");
    await expect(edit(save, ["room"], "4294967295")).rejects.toThrow("a whole number from -2147483648 to 2147483647 is expected");
  });

  test("shows an instance by its number, and how many members it holds", async () => {
    const [instance] = game().active;
    const save = await OpenSave.read("game", writeEnigma(game()));
    const shown = { type: "struct", title: `object ${instance.objectIndex}`, text: "instance 100001" };
    expect(save.view.look(instance)).toEqual({ ...shown, holds: `${Object.keys(instance).length} members` });
  });

  test("shows its numbers in the types that it has them in", async () => {
    const made = game();
    const [instance] = made.active;
    const array1d = { max: 8, dense: [1, 2.5], sparse: [[7, 0.5]] as [number, number][] };
    instance.vmap = [
      ["id", 1.5],
      ["list", { value: 0, array1d, array2d: { max: 0, dense: [], sparse: [] } }],
    ];
    instance.timelines.timeline_moments_maps = [[[1, 2]]];
    const texture = { width: 0, height: 0, bgra: new Uint8Array() };
    const zeros = { width: 0, height: 0, tileWidth: 0, tileHeight: 0, hOffset: 0, vOffset: 0, hSep: 0, vSep: 0 };
    made.backgrounds = [{ ...zeros, texture, bounds: { x: 0, y: 0, h: 0, w: 0 }, isTileset: true }];
    const save = await OpenSave.read("game", writeEnigma(made));
    const types = [["id"], ["objectIndex"], ["planar", "x"], ["graphics", "image_speed"], ["vmap", "id"]];
    const moment = ["timelines", "timeline_moments_maps", "0", "0", "1"];
    expect([...types, moment].map((names) => typeOf(save, "active", "0", ...names))).toEqual([
      "u32",
      "s32",
      "number",
      "f32",
      "number",
      "s32",
    ]);
    expect([["hSep"], ["bounds", "x"]].map((names) => typeOf(save, "backgrounds", "0", ...names))).toEqual(["s32", "f32"]);
    await expect(edit(save, ["active", "0", ...moment], "1.5")).rejects.toThrow("a whole number is expected");
    for (const names of [
      ["dense", "0"],
      ["sparse", "0", "1"],
    ]) {
      const place = ["active", "0", "vmap", "list", "array1d", ...names];
      expect(typeOf(save, ...place)).toBe("number");
      expect(await edit(save, place, "1.25")).toBe(true);
    }
  });

  test("without a map of variables has none, to the search and the details, too", async () => {
    const made = game();
    for (const instance of made.active) instance.vmap = null;
    const bytes = writeEnigma(made);
    const save = await OpenSave.read("game", bytes);
    const path = pathTo(save, "active", "0", "vmap");
    expect([save.view.look(null), shown(save, "active", "0", "vmap")]).toEqual([
      { type: "undefined", text: "none", editable: false },
      "none",
    ]);
    const search = await found(bytes, "none");
    expect([search.count, search.path(0)]).toEqual([2, path]);
  });

  test.each([
    ["words that are no JSON", '"x":64', '"x":-inf', "-Infinity"],
    ["another form than the engine's", '"x":64', '"x" : 6.40e1', "64"],
  ])("is saved with what was warned of: %s", async (_what, written, foreign, shows) => {
    const text = Buffer.from(writeEnigma(game(), { backend: "json" }).subarray(0, -20)).toString("latin1");
    const payload = Buffer.from(text.replace(written, foreign), "latin1");
    const bytes = new Uint8Array(Buffer.concat([payload, createHash("sha1").update(payload).digest()]));
    const save = await OpenSave.read("game", bytes);
    const isNumber = shows === "64";
    expect(save.content.warnings).toHaveLength(1);
    expect(shown(save, "active", "0", "planar", "x")).toBe(shows);
    await edit(save, ["active", "0", "planar", "y"], "33");
    expect(save.history.changesMore).toBe(isNumber);
    const own = readEnigma(bytes);
    own.active[0].planar.y = 33;
    const saved = await save.bytes();
    expect(saved).toEqual(writeEnigma(own));
    // The status is about what is on the disk.
    save.saved(saved);
    expect(save.content.warnings).toHaveLength(isNumber ? 0 : 1);
    save.undo();
    expect(await save.bytes()).toEqual(bytes);
    save.saved(bytes);
    expect(save.content.warnings).toHaveLength(1);
  });

  test("has its edited variables marked in the maps that they are shown in", async () => {
    const made = game();
    for (const instance of made.active) instance.vmap = [["gold", 5]];
    const save = await OpenSave.read("game", writeEnigma(made));
    const path = pathTo(save, "active", "1", "vmap", "gold");
    await save.edit(path, "6");
    expect(editedNames(save, path)).toEqual(["gold 6"]);
    save.undo();
    expect(editedNames(save, path)).toEqual([]);
  });

  test("refuses what would make another save than it says", async () => {
    const unsorted = { ...game(), order: "kept" as const };
    unsorted.active.reverse();
    const bytes = writeEnigma(unsorted);
    const save = await OpenSave.read("game", bytes);
    await expect(edit(save, ["order"], "sorted")).rejects.toThrow("a save cannot hold this value here");
    expect(save.history.isChanged).toBe(false);
    await edit(save, ["active", "0", "id"], "7");
    expect(places(await save.bytes())).toEqual([
      [7, 500],
      [100_001, 64],
    ]);
  });
});

describe("an edited Elephant save", () => {
  class Item {
    static [SCHEMA] = { v1: { count: "u8", name: "string" } } as const;
    name = "Rope";
    count = 2;
  }
  const game = (hero: ElephantSchema) => {
    class Hero {
      static [SCHEMA] = hero;
      name = "Ada";
      hp = 300;
      note = "keep me";
    }
    return { Hero, codec: createElephantSync({ constructors: { Hero, Item } }) };
  };

  const named = { v1: { [VERSION_VERBOSE]: true, name: "string", hp: "u16", note: "string" } } as const;
  test.each<[string, ElephantSchema, ElephantSchema]>([
    ["before their constructor had a schema", {}, { v1: { name: "string", hp: "u8" } }],
    ["in a version that is no longer the newest", named, { ...named, v2: { name: "string", hp: "u8" } }],
    ["without what is excluded now", {}, { [VERBOSE_EXCLUDE]: ["note"], v1: { [VERSION_VERBOSE]: true, name: "string" } }],
  ])("keeps structs that were stored with names %s", async (_when, then, now) => {
    const { Hero, codec } = game(then);
    const written = (count: number) => codec.write({ hero: new Hero(), item: Object.assign(new Item(), { count }) });
    const save = await OpenSave.read("save", written(2), { Item: Item[SCHEMA], Hero: now });
    expect(await save.bytes()).toEqual(written(2));
    await edit(save, ["item", "count"], "3");
    expect(await save.bytes()).toEqual(written(3));
  });

  test("skips the fields that it had skipped", async () => {
    class Hero {
      static [SCHEMA] = { v1: { name: "string", hp: "u8", bag: "any", toString: "any" } } as const;
      name = "Ada";
      hp: unknown = 80;
      bag: unknown = "empty";
    }
    const codec = createElephantSync({ constructors: { Hero } });
    const written = (name: string) => {
      const heroes = [Object.assign(new Hero(), { name }), Object.assign(new Hero(), { hp: 7, bag: undefined })];
      return codec.write(heroes, { diffsOnly: true });
    };
    const save = await OpenSave.read("save", written("Bo"), { Hero: Hero[SCHEMA] });
    await edit(save, ["0", "name"], "Cy");
    const [first] = save.root as object[];
    const saving = save.bytes();
    expect(Object.keys(first)).toEqual(["name"]);
    expect(await saving).toEqual(written("Cy"));
    expect(Object.getOwnPropertyNames(first)).toEqual(["name"]);
  });

  test("is refused where structs of one constructor are stored in two versions", async () => {
    const v1 = { hp: "u16" } as const;
    const { Hero, codec } = game({ v1 });
    const bytes = codec.write([new Hero(), new Hero()]);
    // Version, nothing skipped, hp.
    const second = bytes.length - 4 - 5;
    expect([...bytes.subarray(second, second + 5)]).toEqual([1, 0, 0, 300 & 255, 300 >> 8]);
    bytes[second] = 2;
    const save = await OpenSave.read("save", bytes, { Hero: { v1, v2: v1 } });
    await edit(save, ["0", "hp"], "80");
    await expect(save.bytes()).rejects.toMatchObject({
      code: "schema-version-missing",
      reason: 'structs of "Hero" in different schema versions cannot be written into one save',
    });
    save.undo();
    expect(await save.bytes()).toBe(bytes);
  });
});

describe("schemas", () => {
  const codec = createElephantSync({ constructors: { Hero: { v1: { hp: "u16", name: "string" } } } });
  const written = (hp: number) => codec.write([new StructInstance("Hero", { hp, name: "Ada" })]);

  test("may be copied from GML", async () => {
    const v1 = { hp: "buffer_u16", name: "buffer_string" };
    const v2 = { ELEPHANT_VERSION_VERBOSE: true, hp: "buffer_u32" };
    const schema = { ELEPHANT_FORCE_VERSION: 2, ELEPHANT_VERBOSE_EXCLUDE: ["hp"], v1, v2 };
    const save = await OpenSave.read("save", written(80), { Hero: schema });
    expect(shown(save, "0", "name")).toBe("Ada");
    expect(["hp", "name"].map((name) => typeOf(save, "0", name))).toEqual(["u16", "string"]);
    await expect(edit(save, ["0", "hp"], "65536")).rejects.toThrow("a whole number from 0 to 65535 is expected");
    await edit(save, ["0", "hp"], "81");
    expect(await save.bytes()).toEqual(written(81));
  });

  test.each([
    [{ Hero: "buffer_u16" }, "bad-option"],
    [{ Hero: { v1: "buffer_u16" } }, "schema-key-invalid"],
    [{ Hero: { v1: { hp: "buffer_words" } } }, "schema-key-invalid"],
  ])("that are none are refused as such: %j", async (schemas, code) => {
    await expect(OpenSave.read("save", written(80), schemas)).rejects.toMatchObject({ code });
  });
});

describe("a ds string", () => {
  const made: Record<DsStructure["kind"], (items: DsValue[]) => DsStructure> = {
    list: (items) => ({ kind: "list", items }),
    stack: (items) => ({ kind: "stack", items }),
    queue: (items) => ({ kind: "queue", items }),
    map: (items) => ({ kind: "map", entries: items.map((item, i) => [i, item]) }),
    priority: (items) => ({ kind: "priority", items: items.map((value, i) => ({ priority: items.length - i, value })) }),
    grid: (items) => ({ kind: "grid", width: items.length, height: 1, columns: items.map((item) => [item]) }),
  };
  const written = (kind: DsStructure["kind"], items: DsValue[], generation: number, legacy: boolean) =>
    writeDs({ ...made[kind](items), generation, ...(legacy && { legacy }) } as DsStructure);

  test.each<[generation: number, legacy: boolean, before: DsValue[], typed: string[], after: DsValue[]]>([
    [1, false, [1.5, "text"], ["-0", "🐘"], [-0, "🐘"]],
    [1, true, [1.5, "text"], ["NaN", ""], [Number.NaN, ""]],
    [2, false, [1.5, true, 5n], ["1e21", "0", "9007199254740993"], [1e21, false, 9_007_199_254_740_993n]],
    [
      3,
      false,
      [
        { type: "int32", value: 7 },
        { type: "bool", bits: 0x4000000000000000n },
        { type: "string", text: "🐘", encoding: "cesu8" },
      ],
      ["-2147483648", "true", "🐘🐘"],
      [{ type: "int32", value: -(2 ** 31) }, true, { type: "string", text: "🐘🐘", encoding: "cesu8" }],
    ],
  ])("of any kind is written with what was typed: generation %i, legacy %s", async (generation, legacy, before, typed, after) => {
    for (const kind of Object.keys(made) as DsStructure["kind"][]) {
      const text = written(kind, before, generation, legacy);
      const save = await OpenSave.read("ds.txt", utf8(text));
      for (const [i, value] of typed.entries()) expect(await save.edit([i], value), `${kind}: ${value}`).toBe(true);
      expect(Buffer.from(await save.bytes()).toString(), kind).toBe(written(kind, after, generation, legacy));
      for (const _ of typed) save.undo();
      expect(Buffer.from(await save.bytes()).toString(), kind).toBe(text);
    }
  });

  test("has bools that are true unless they are zero, of which switching makes the other one", async () => {
    const bits = (word: bigint): DsValue => ({ type: "bool", bits: word });
    const before = [true, false, bits(0x4000000000000000n), bits(0x8000000000000000n), bits(0x7ff8000000000000n)];
    const save = await OpenSave.read("ds.txt", utf8(writeDs({ kind: "list", items: before })));
    for (const i of before.keys()) expect(await save.toggle([i]), String(i)).toBe(true);
    expect(readDs(Buffer.from(await save.bytes()).toString())).toMatchObject({ items: [false, true, false, true, false] });
  });

  test("that is the whole store of a queue keeps what lies outside", async () => {
    const queue = (item: number): DsStructure => ({ kind: "queue", items: [item, 2], head: 1, tail: 3, slots: [8, 0, 0, 9] });
    const save = await OpenSave.read("ds.txt", utf8(writeDs(queue(1))));
    await save.edit([0], "7");
    expect(Buffer.from(await save.bytes()).toString()).toBe(writeDs(queue(7)));
  });
});

test("values of a nested ds structure are those of its own generation", async () => {
  const inner: DsStructure = { kind: "map", generation: 3, entries: [["i", 5n]] };
  const save = await OpenSave.read("save.ds", utf8(writeDs({ kind: "map", generation: 1, entries: [["child", inner]] })));
  await edit(save, ["child", "i"], "6");
  expect(shown(save, "child", "i")).toBe("6");
  const [[, child]] = (readDs(await save.bytes(), { nested: true }) as { entries: [DsValue, DsValue][] }).entries;
  expect(child).toEqual({ ...inner, entries: [["i", 6n]] });
});

describe("an export string", () => {
  const raw = elephant.write({ slot: 3, name: "Ada", list: [1, 2, 3] });
  const packed = (save: Uint8Array) => Buffer.from(deflateSync(save).toString("base64"));

  test("that packs a damaged save is shown with the bytes that the place counts in", async () => {
    const damaged = raw.slice();
    damaged[8] = 99;
    const { message, code, offset, hex } = await reportOf(packed(damaged));
    expect({ message, code, offset }).toEqual({
      message: "99 is no datatype code (in the save that the text packs)",
      code: "unknown-datatype",
      offset: 8,
    });
    expect(hex).toEqual({ start: 0, bytes: [...damaged.subarray(0, 8 + 80)], at: 8, length: damaged.length });
  });

  test("that is damaged itself is shown with the characters around the place", async () => {
    const text = packed(raw);
    const cut = text.subarray(0, text.length - 8);
    const { code, offset, hex } = await reportOf(cut);
    expect({ code, offset, length: hex?.length }).toEqual({ code: "export-string", offset: cut.length, length: cut.length });
    const long = packed(elephant.write(Array.from({ length: 4000 }, (_, i) => Math.sin(i))));
    long[20_000] = "!".charCodeAt(0);
    expect(await reportOf(long)).toMatchObject({ code: "export-string", offset: 20_000, hex: { at: 20_000 } });
    long[20_000] = "A".charCodeAt(0);
    const flipped = await reportOf(long);
    expect(flipped.code).toBe("export-string");
    expect(flipped.hex).toMatchObject({ at: flipped.offset, length: long.length });
  });

  test.each(["\n", "\r\n", ""])("keeps the line end %j behind it when it is edited", async (end) => {
    const save = await OpenSave.read("save.txt", Buffer.concat([packed(raw), Buffer.from(end)]));
    await edit(save, ["slot"], "5");
    const text = Buffer.from(await save.bytes()).toString();
    expect(text).toBe(text.trim() + end);
    expect(elephant.importString(text.trim())).toMatchObject({ slot: 5 });
  });
});

describe("that a save will differ in more than the edit", () => {
  const whole = elephant.write([true, 2]);
  /** The list with `bytes` in place of true's. */
  const listed = (...bytes: number[]) => Uint8Array.from([...whole.subarray(0, 12), ...bytes, ...whole.subarray(14)]);

  test.each([
    [true, "text that is not UTF-8", listed(0x0b, 0xff, 0)],
    [true, "a bool that is stored as 2", listed(0x0a, 2)],
    [false, "nothing of the kind", whole],
  ])("is said from the first edit on: %s, %s", async (isTold, _what, bytes) => {
    const save = await OpenSave.read("save", bytes);
    expect(save.history.changesMore).toBe(false);
    await save.edit([1], "3");
    expect(save.history.changesMore).toBe(isTold);
    save.undo();
    expect(save.history.changesMore).toBe(false);
    await save.edit([1], "4");
    expect(save.history.changesMore).toBe(isTold);
    save.saved(await save.bytes());
    await save.edit([1], "5");
    expect(save.history.changesMore).toBe(false);
  });

  test("is not said of an export string that another version of zlib has packed", async () => {
    const text = deflateSync(whole, { level: 0 }).toString("base64");
    expect(elephant.exportString([true, 2])).not.toBe(text);
    const save = await OpenSave.read("save.txt", utf8(text));
    await save.edit([1], "3");
    expect(save.history).toMatchObject({ isChanged: true, changesMore: false });
  });

  test.each(["", "\n", "\0"])("is said of an export string with %j behind it", async (end) => {
    const save = await OpenSave.read("save.txt", utf8(deflateSync(listed(0x0a, 2)).toString("base64") + end));
    await save.edit([1], "3");
    expect(save.history).toMatchObject({ isChanged: true, changesMore: true });
  });

  test("is not said where it is written as another release anyway", async () => {
    const file = join(ROOT, "test/vectors/elephant/legacy/1.2.0-mixed.bin");
    const save = await OpenSave.read("save", Uint8Array.from(readFileSync(file)));
    await save.edit([0], "7");
    expect(save.history).toMatchObject({ nextRelease: "1.5.1", changesMore: false });
  });
});

describe("rows", () => {
  test("of an open struct, and the values they lead to, are had without listing its members anew", async () => {
    const members = Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`npc_${i}`, { hp: i }]));
    const save = await OpenSave.read("wide.dat", elephant.write({ npcs: members }));
    save.rows.reveal([0, 999]);
    const lists = vi.spyOn(save.view, "contents");
    expect(save.rows.rows(943, 59).at(-1)).toMatchObject({ name: "npc_999", isInside: false });
    expect(save.at([0, 999]).value).toEqual({ hp: 999 });
    expect(lists).not.toHaveBeenCalled();
    lists.mockRestore();
  });

  test("tell a value that they stand in from one that is shared", async () => {
    const shared = {};
    const ring: Record<string, unknown> = { shared, list: [shared] };
    ring.self = ring;
    const save = await OpenSave.read("ring.dat", elephant.write(ring));
    save.rows.reveal([1, 0]);
    expect(save.rows.rows(0, 10).map(({ name, isInside }) => [name, isInside])).toEqual([
      ["", false],
      ["shared", false],
      ["list", false],
      ["0", false],
      ["self", true],
    ]);
  });
});

describe("introspection text", () => {
  test("has grids whose cells are not looked at before they are asked for", () => {
    const columns = new Proxy([[{ type: "int", value: 1 }], [{ type: "int", value: 2 }]], {
      get: (list, key) => (key === "1" ? list[1] : expect.unreachable(String(key))),
    });
    const grid = { type: "grid", width: 2, height: 1, columns };
    expect(introspection.look(grid).text).toBe("2 × 1 cells");
    const contents = introspection.contents(grid)!;
    expect([contents.count, contents.name(1), contents.value(1)]).toEqual([2, "1, 0", { type: "int", value: 2 }]);
  });

  test.each([
    ["a byte of another encoding", "caf\xe9", 25 + 3],
    ["a character that is cut", "\xe2\x82\xac\xe2\x82", 25 + 3],
    ["a byte behind many characters", `${"\xc3\xa9".repeat(5000)}\xff`, 25 + 10_000],
  ])("that is not UTF-8 is refused with code and place: %s", async (_what, text, offset) => {
    const report = await reportOf(Buffer.from(`oP = 100001\n{\n\t_s : string = "${text}"\n}\n`, "latin1"));
    expect(report).toMatchObject({ message: "the text is not UTF-8", code: "encoding", offset: 5 + offset, hex: { at: 5 + offset } });
  });

  test.each([
    ["-inf", "-inf"],
    ["inf", "inf"],
    ["+inf", "inf"],
    ["-Infinity", "-inf"],
  ])("takes %s for a float, and shows it as %s", async (typed, kept) => {
    const save = await OpenSave.read("i.txt", utf8("oP = 100001\n{\n\t_f : float = 1.50000\n}\n"));
    await edit(save, ["0", "_f"], typed);
    expect(shown(save, "0", "_f")).toBe(kept);
    expect(Buffer.from(await save.bytes()).toString()).toContain(`_f : float = ${kept}\n`);
  });

  test("that no string can hold is too long where a decoder makes an empty one of it, too", async () => {
    const bytes = utf8(`oP = 100001\n{\n\t_s : string = "${"x".repeat(100_000)}"\n}\n`);
    const { decode } = TextDecoder.prototype;
    const decoder = vi.spyOn(TextDecoder.prototype, "decode").mockImplementation(function (this: TextDecoder, given, options) {
      return (given as Uint8Array | undefined)?.length === bytes.length ? "" : decode.call(this, given, options);
    });
    try {
      expect(await reportOf(bytes)).toMatchObject({
        code: "too-long",
        message: `the text of ${bytes.length} bytes is longer than a string may be here`,
      });
    } finally {
      decoder.mockRestore();
    }
  });

  test("of more lines than an array has room for is shown around the line that is wrong", () => {
    const bytes = new Uint8Array(134_300_000).fill(10);
    bytes.set(utf8("one\ntwo\r\n"), 0);
    bytes.set(utf8("é🐘"), bytes.length - 6);
    const behind = bytes.length - 11;
    expect(errorReport({ line: 2 }, bytes).text).toEqual({
      line: 2,
      lines: ["one", "two\r", "", "", ""].map((text, i) => ({ number: i + 1, text })),
    });
    expect(errorReport({ line: behind }, bytes).text).toEqual({
      line: behind,
      lines: ["", "", "", "é🐘", undefined].map((text, i) => ({ number: behind - 4 + i, text })),
    });
  });

  test("of more than 16 MB shows what the file holds when it is saved", async () => {
    const text = `oP = 100001\n{\n\t_s : string = "${"x".repeat(17 << 20)}"\n\t_f : float = 1.50000\n}\n`;
    const save = await OpenSave.read("large.txt", utf8(text));
    const value = () => shown(save, "0", "_f");
    await edit(save, ["0", "_f"], "1.23456789");
    save.saved(await save.bytes());
    expect([value(), save.history.isChanged]).toEqual(["1.23457", false]);
    await edit(save, ["0", "_f"], "2.34567891");
    await edit(save, ["0", "_f"], "3");
    save.undo();
    save.saved(await save.bytes());
    expect(value()).toBe("2.34568");
    save.redo();
    expect(value()).toBe("3");
    save.undo();
    expect(value()).toBe("2.34568");
    save.undo();
    expect(value()).toBe("1.23457");
    save.undo();
    expect(value()).toBe("1.5");
  });

  describe("of every type", () => {
    const text = [
      ...["oP = 100001", "{", "\t_i : int = 9007199254740993", "\t_f : float = -0.00000", "\t_b : bool = True", '\t_s : string = "a"'],
      ...["\t_e : enum = Red", "\t_x : enum = #7", "\t_a : asset = sprite sHero", "\t_v : asset = sound noone"],
      ...["\t_u : undefined = undefined", "\t_o : object = noone"],
      ...["\t_arr : array =", "\t{", "\t\ta0 : list =", "\t\t{", "\t\t\tl0 : int = 1", "\t\t}", "\t\ta1 : float = nan", "\t}"],
      ...["\t_m : map =", "\t{", "\t\tgold : int = 5", "\t\t[3] : enum = #1", "\t}"],
      ...["\t_g : grid = 2x1", "\t{", "\t\tg0,0 : int = 1", "\t\tg1,0 : asset = sprite noone", "\t}"],
      ...["\t_c : custom = Tree", "\t{", "\t\tkey : float = inf", "\t\tleft : undefined = undefined", "\t}", "}", ""],
    ].join("\n");

    test.each<[what: string, path: (string | number)[], typed: string, value: unknown, shows?: string]>([
      ["an int of more digits than a number has", ["_i"], "-9223372036854775808", -(2n ** 63n)],
      ["an int that has room again", ["_i"], "-0", 0, "0"],
      ["a float that is no number", ["_f"], "NaN", Number.NaN, "nan"],
      ["a float beyond 2^53", ["_f"], "9007199254740993", 2 ** 53, "9007199254740992"],
      ["a bool", ["_b"], "0", false, "false"],
      ["a string with a line end", ["_s"], 'x\n"', 'x\n"'],
      ["a member by its name", ["_e"], "Blue", "Blue"],
      ["a number for a member", ["_e"], "#5", 5],
      ["a member that is called by digits", ["_e"], "5", "5"],
      ["a number for a number", ["_x"], "9007199254740993", 9007199254740993n, "#9007199254740993"],
      ["a member for a number", ["_x"], "Blue", "Blue"],
      ["no asset", ["_a"], "noone", null],
      ["an asset for none", ["_v"], "null", "null"],
      ["an item of a list in an array", ["_arr", 0, 0], "9007199254740993", 9007199254740993n],
      ["minus zero in an array", ["_arr", 1], "-0.0", -0, "-0"],
      ["an entry of a map", ["_m", "gold"], "6", 6],
      ["a cell of a grid", ["_g", "1,0"], "sFoe", "sFoe"],
      ["a field of a structure", ["_c", "key"], "-inf", Number.NEGATIVE_INFINITY],
    ])("is written as the codec's own functions for editors do: %s", async (_what, path, typed, value, shows = typed) => {
      const save = await OpenSave.read("i.txt", utf8(text));
      const names = ["0", ...path.map((step) => String(step).replace(",", ", "))];
      expect(await edit(save, names, typed)).toBe(true);
      expect(shown(save, ...names)).toBe(shows);
      const document = readIntrospection(text);
      setIntrospectionValue(document, path as IntrospectionPath, value);
      expect(Buffer.from(await save.bytes()).toString()).toBe(writeIntrospectionDocument(document));
      save.undo();
      expect(Buffer.from(await save.bytes()).toString()).toBe(text);
    });

    test.each([
      ["_u", "5", "this value cannot be edited"],
      ["_o", "oP", "this value cannot be edited"],
      ["_arr", "5", "this value cannot be edited"],
      ["_a", "two words", "the name of an asset is expected, or noone"],
      ["_e", `#${2n ** 63n}`, "a whole number from -9223372036854775808 to 9223372036854775807 is expected"],
      ["_i", "1.5", "a whole number is expected"],
    ])("keeps what it has where something else is typed: %s, %s", async (name, typed, reason) => {
      const save = await OpenSave.read("i.txt", utf8(text));
      await expect(edit(save, ["0", name], typed)).rejects.toThrow(reason);
      expect(save.history.isChanged).toBe(false);
    });
  });

  test("has the nodes that it had when an edit has been refused", async () => {
    // A member's name to the original scripts alone; in the other form it is a value without one.
    const text = "oP = 100001\n{\n\t_n : int = 1\n\t_s : enum = #foo\n}\n";
    const save = await OpenSave.read("i.txt", utf8(text));
    await expect(edit(save, ["0", "_s"], "#5")).rejects.toMatchObject({ code: "not-original" });
    expect(save.at(pathTo(save, "0", "_s")).value).toEqual({ type: "enum", name: "_s", member: "#foo" });
    expect(await edit(save, ["0", "_n"], "2")).toBe(true);
    expect(Buffer.from(await save.bytes()).toString()).toBe(text.replace("int = 1", "int = 2"));
  });
});

describe("a file", () => {
  test("that is too large for memory is called that", async () => {
    const file = { name: "huge.bin", size: 2 ** 53 - 1 };
    for (const source of [{ file }, { ...file, pieces: {} }])
      await expect(readSource(source, () => undefined)).rejects.toThrow(/^huge\.bin is too large to be opened here: .* 9007199\.3 GB$/);
  });

  test("that cannot be read any more is called that", async () => {
    const file = {
      name: "gone",
      size: 3,
      stream: () => new ReadableStream({ start: (controller) => controller.error(new Error("network error")) }),
    };
    await expect(readSource({ file }, () => undefined)).rejects.toThrow("gone is a folder, or is no longer what it was");
  });
});

test("a long text is cut between characters", () => {
  expect(quoted(`${"x".repeat(239)}🐘`)).toBe(`"${"x".repeat(239)}"…`);
  expect(quoted(`${"x".repeat(238)}🐘`)).toBe(`"${"x".repeat(238)}🐘"`);
  expect(quoted("🐘".repeat(121))).toBe(`"${"🐘".repeat(120)}"…`);
});
