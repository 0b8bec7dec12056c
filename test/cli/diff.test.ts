// What diff tells of two saves.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { OpenedSave } from "../../src/cli/command.ts";
import { differences } from "../../src/cli/commands/diff.ts";
import { ds } from "../../src/cli/formats/ds.ts";
import { elephant } from "../../src/cli/formats/elephant.ts";
import { kindName } from "../../src/cli/shown-text.ts";
import { writeDs } from "../../src/ds/index.ts";
import { setStoredAs } from "../../src/elephant/constructors.ts";
import { Scalar, StructInstance } from "../../src/elephant/index.ts";
import { writeEnigma } from "../../src/enigma/index.ts";
import { gameOf, instanceOf } from "../enigma/samples.ts";
import { scratchFolder } from "../node/scratch.ts";
import { type Bundle, bundleProgram, run, runProcess } from "./program.ts";
import { generic } from "./saves.ts";

let bundle: Bundle;
beforeAll(async () => {
  bundle = await bundleProgram();
}, 60_000);
afterAll(() => bundle?.remove());

describe("diff", () => {
  const file = (folder: string, name: string, value: unknown) => {
    writeFileSync(join(folder, name), generic.write(value));
    return join(folder, name);
  };

  const json = (folder: string, name: string, format: string, root: unknown) => {
    writeFileSync(join(folder, name), JSON.stringify({ tusk: 1, format, root }));
    return join(folder, name);
  };

  test("0 and silence for equal values, whatever their bytes", async () => {
    const folder = scratchFolder();
    const cycle: Record<string, unknown> = { a: Number.NaN };
    cycle.self = cycle;
    const other: Record<string, unknown> = {};
    other.self = other;
    other.a = Number.NaN;
    expect(await runProcess(bundle, ["diff", file(folder, "a", cycle), file(folder, "b", other)])).toMatchObject({
      status: 0,
      stdout: Buffer.from(""),
      stderr: "",
    });
    await run(["decode", join(folder, "a"), join(folder, "a.json")]);
    expect(await run(["diff", join(folder, "a.json"), join(folder, "b")])).toMatchObject({ status: 0 });
  });

  test("values that JSON spells in several ways are the same where a save stores them as the same bytes", async () => {
    const folder = scratchFolder();
    const value = { x: 5n, all: -1n, real: 5, text: "a", word: "b", yes: true, none: undefined, small: Scalar("f32", Math.fround(0.1)) };
    const edited = {
      x: { $u64: { $bigint: "5" } },
      all: { $bigint: "18446744073709551615" },
      real: { $f64: 5 },
      text: { $text: "a" },
      word: { $string: "b" },
      yes: { $bool: true },
      none: null,
      small: { $f32: 0.1 },
    };
    const a = file(folder, "a", value);
    expect(await run(["diff", a, json(folder, "b", "elephant", edited)])).toEqual({ status: 0, stdout: Buffer.alloc(0), stderr: "" });
    const other = { ...edited, x: { $f64: 5 }, yes: { $string: "true" }, text: { $text: "\u0000" }, none: [], small: { $f32: 0.2 } };
    const { status, stdout } = await run(["diff", a, json(folder, "c", "elephant", other)]);
    expect([status, stdout.toString().match(/^- \.\w+/gm)]).toEqual([1, ["- .x", "- .text", "- .yes", "- .none", "- .small"]]);
  });

  test("what a format without references stores once more is no other place, however the JSON has it", async () => {
    const file = join(scratchFolder(), "list.txt");
    writeFileSync(file, writeDs({ kind: "list", items: [[1], [1], [2]] }));
    const shared = '{"tusk":1,"format":"ds","root":{"kind":"list","generation":3,"items":[{"$id":0,"$array":[1]},{"$ref":0},[3]]}}';
    const told = "- .items[2][0]: 2\n+ .items[2][0]: 3\n";
    expect(await run(["diff", file, "-"], shared)).toEqual({ status: 1, stdout: Buffer.from(told), stderr: "" });
    // A native queue, whose contents are in its store, too: `--nested` makes an array of each.
    writeFileSync(
      file,
      "CB0000000300000001000000040000000300000005000000000000000200000000000000000000000000000000804B40000000000000000000004740",
    );
    const json = (await run(["decode", "--nested", file])).stdout;
    expect(await run(["diff", file, "-"], json)).toEqual({ status: 0, stdout: Buffer.alloc(0), stderr: "" });
  });

  test("what a format without references stores once more differs there, too", async () => {
    const folder = scratchFolder();
    const list = (name: string, first: number, second: number) =>
      json(folder, name, "ds", {
        kind: "list",
        items: [
          { $id: 0, $array: [first, [second]] },
          { $id: 1, $array: [{ $ref: 0 }] },
          { $ref: 1 },
          { $id: 2, $array: [3] },
          { $ref: 2 },
        ],
      });
    const lines = async (a: string, b: string) => (await run(["diff", a, b])).stdout.toString().trimEnd().split("\n");
    expect(await lines(list("a", 1, 2), list("b", 1, 5))).toEqual([
      "- .items[0][1][0]: 2",
      "+ .items[0][1][0]: 5",
      "~ .items[1][0]: differs as .items[0] does",
      "~ .items[2]: differs as .items[1] does",
    ]);
    const game = (name: string, variable: string) => {
      const instance = (id: number, table: unknown) => ({ id, objectIndex: 1, planar: {}, classes: [{ table, locals: [] }] });
      const active = [instance(1, { $id: 0, $array: [variable] }), instance(2, { $ref: 0 })];
      return json(folder, name, "enigma", { backend: "binary", active, inactive: [] });
    };
    expect(await lines(game("a", "hp"), game("b", "mp"))).toEqual([
      '- .active[0].classes[0].table[0]: "hp"',
      '+ .active[0].classes[0].table[0]: "mp"',
      "~ .active[1].classes[0].table: differs as .active[0].classes[0].table does",
    ]);
    // What holds itself has no file, and an end here.
    const cycle = (name: string, value: number) =>
      json(folder, name, "ds", { kind: "list", items: [{ $id: 0, $array: [{ $ref: 0 }, value] }] });
    expect(await lines(cycle("a", 1), cycle("b", 2))).toEqual(["- .items[0][1]: 1", "+ .items[0][1]: 2"]);
  });

  test("a container that many took the place of is not compared with all of them", () => {
    const opened = (value: unknown) => ({ format: elephant, save: { value, head: {} } }) as unknown as OpenedSave;
    const shared = Array(1024).fill(0);
    const notes = new Map<string | undefined, number>();
    const others = Array.from(shared, () => []);
    for (const { note } of differences(opened(shared.map(() => shared)), opened(others))) notes.set(note, (notes.get(note) ?? 0) + 1);
    expect([...notes]).toEqual([
      [undefined, 1024 + 2 ** 18],
      ["refers to another place", 256],
      ["refers to another place; what it holds is not compared", 1023 - 256],
    ]);
  });

  test("nor is it in formats without references, but for a million values", () => {
    const opened = (items: unknown) => ({ format: ds, save: { value: { kind: "list", items }, head: {} } }) as unknown as OpenedSave;
    const shared = Array(1024).fill(0);
    const others = Array.from({ length: 1030 }, () => []);
    const left: string[] = [];
    let values = 0;
    for (const { path, note } of differences(opened(Array(1030).fill(shared)), opened(others)))
      if (note === undefined) values++;
      else left.push(`${path} ${note}`);
    // The first is not compared again.
    expect(values).toBe(1024 + 2 ** 20);
    expect(left).toEqual([1025, 1026, 1027, 1028, 1029].map((i) => `.items[${i}] holds what occurs too often; it is not compared`));
  });

  test("what differs in a struct that is shared in one save alone is told, too", async () => {
    const folder = scratchFolder();
    const hero = new StructInstance("Hero", { hp: 10 });
    const copy = new StructInstance("Hero", { hp: 99 });
    const old = file(folder, "old", { party: [hero], leader: hero });
    const other = file(folder, "new", { party: [hero], leader: copy });
    const place = "~ .leader: refers to another place\n";
    expect((await run(["diff", old, other])).stdout.toString()).toBe(`${place}- .leader.hp: 10\n+ .leader.hp: 99\n`);
    expect((await run(["diff", other, old])).stdout.toString()).toBe(`${place}- .leader.hp: 99\n+ .leader.hp: 10\n`);
  });

  test("keys of ds maps are the same whatever order their members have in JSON", async () => {
    const path = join(scratchFolder(), "map.txt");
    writeFileSync(path, writeDs({ kind: "map", entries: [[{ type: "bytes", bytes: Uint8Array.of(0xf6, 0xdf) }, 1]] }));
    const json = JSON.parse((await run(["decode", path])).stdout.toString());
    const [[key, value]] = json.root.entries;
    json.root.entries = [[Object.fromEntries(Object.entries(key).reverse()), value]];
    expect(await run(["diff", path, "-"], JSON.stringify(json))).toEqual({ status: 0, stdout: Buffer.alloc(0), stderr: "" });
  });

  test("1 and a line for each difference", async () => {
    const folder = scratchFolder();
    const shared = { s: 1 };
    const a = file(folder, "a", { same: 1, number: 1, type: 1, gone: [1], list: [1, 2, 3], kind: [], zero: 0, link: [shared, shared] });
    const b = file(folder, "b", { same: 1, number: 2, type: "1", new: {}, list: [1, 5], kind: {}, zero: -0, link: [shared, { s: 1 }] });
    const outcome = await run(["diff", a, b]);
    expect(outcome.status).toBe(1);
    expect(outcome.stdout.toString().trimEnd().split("\n")).toEqual([
      "- .number: 1",
      "+ .number: 2",
      "- .type: 1",
      '+ .type: "1"',
      "- .gone: array of 1",
      "- .list[1]: 2",
      "+ .list[1]: 5",
      "- .list[2]: 3",
      "- .kind: array of 0",
      "+ .kind: struct of 0 members",
      "- .zero: 0",
      "+ .zero: -0",
      "~ .link[1]: refers to another place",
      "+ .new: struct of 0 members",
    ]);
    expect((await run(["diff", "--most", "1", a, b])).stdout.toString()).toBe("- .number: 1\n+ .number: 2\n… 8 more differences\n");
    expect((await run(["diff", a, join(folder, "none")])).status).toBe(2);
  });

  test("long paths lose their middle", async () => {
    const folder = scratchFolder();
    const nested = (value: number) => {
      let root: Record<string, unknown> = { value };
      for (let i = 0; i < 3000; i++) root = { [`level${i}`]: root, value };
      return root;
    };
    const { status, stdout } = await run(["diff", "--most", "0", file(folder, "a", nested(1)), file(folder, "b", nested(2))]);
    expect(status).toBe(1);
    const lines = stdout.toString().trimEnd().split("\n");
    expect(lines).toHaveLength(2 * 3001);
    const deepest = lines.reduce((longest, line) => (line.length > longest.length ? line : longest));
    expect(deepest).toMatch(/^- \.level2999\.level2998\..* \.\.\. .*\.level\d+\.value: 1$/);
    expect(deepest.length).toBeLessThan(450);
  });

  test("entries of ds maps belong together by their keys, of the same type", async () => {
    const folder = scratchFolder();
    const map = (name: string, entries: unknown[]) => json(folder, name, "ds", { kind: "map", generation: 3, entries });
    const entries = [
      ["hp", 1],
      [1, "one"],
      ["1", "text"],
      [[1, [2]], "array"],
      [{ $bigint: "1" }, 5],
      ["hp", 2],
      [true, 0],
    ];
    const a = map("a", entries);
    const order = [6, 3, 0, 4, 2, 5, 1].map((i) => entries[i]);
    expect(await run(["diff", a, map("b", order)])).toMatchObject({ status: 0, stdout: Buffer.alloc(0) });
    const edited = [["gold", 9], ...order.slice(1).map(([key, value]) => [key, value === 2 ? 3 : value]), [2, "two"]];
    const { status, stdout } = await run(["diff", a, map("b", edited)]);
    expect([status, stdout.toString().trimEnd().split("\n")]).toEqual([
      1,
      [
        "- .entries[5][1]: 2",
        "+ .entries[5][1]: 3",
        "- .entries[6][1] (key true): 0",
        '+ .entries[0][1] (key "gold"): 9',
        '+ .entries[7][1] (key 2): "two"',
      ],
    ]);
    // Two keys, as -0 and 0 are in files.
    const zeros = [
      [0, "a"],
      [{ $number: "-0" }, "b"],
    ];
    expect(await run(["diff", map("a", zeros), map("b", zeros.toReversed())])).toMatchObject({ status: 0, stdout: Buffer.alloc(0) });
    const list = (items: unknown[]) => json(folder, String(items), "ds", { kind: "list", generation: 3, items });
    expect((await run(["diff", list([1, 2]), list([2, 1])])).status).toBe(1);
    expect((await run(["diff", map("a", [1, null, [], ["x"]]), map("b", [1, null, [], ["x"]])])).status).toBe(0);
  });

  test("instances of ENIGMA belong together by their ids, and variables by their names", async () => {
    const folder = scratchFolder();
    const instance = (id: number, vmap: unknown) => ({ id, objectIndex: 1, planar: {}, vmap });
    const game = (name: string, active: unknown[]) => json(folder, name, "enigma", { backend: "json", active, inactive: [] });
    const a = game("a", [
      instance(1, null),
      instance(2, [
        ["hp", 1],
        ["mp", 2],
      ]),
      instance(3, null),
    ]);
    const moved = [
      instance(3, null),
      instance(2, [
        ["mp", 2],
        ["hp", 1],
      ]),
      instance(1, null),
    ];
    expect((await run(["diff", a, game("b", moved)])).status).toBe(0);
    const b = game("b", [
      instance(2, [
        ["mp", 2],
        ["ap", 1],
        ["hp", 5],
      ]),
      instance(3, null),
      instance(4, null),
    ]);
    expect((await run(["diff", a, b])).stdout.toString().trimEnd().split("\n")).toEqual([
      "- .active[0] (id 1): object 1 of 4 members",
      "- .active[1].vmap[0][1]: 1",
      "+ .active[1].vmap[0][1]: 5",
      '+ .active[1].vmap[1][1] (key "ap"): 1',
      "+ .active[2] (id 4): object 1 of 4 members",
    ]);
  });

  test("that the instances of a file of ENIGMA do not ascend is all that is told of their order", async () => {
    const folder = scratchFolder();
    const file = (...ids: number[]) => {
      const path = join(folder, ids.join());
      writeFileSync(path, writeEnigma({ ...gameOf(ids.map((id) => instanceOf(id))), order: "kept" }));
      return path;
    };
    const [ascending, one, other] = [file(1, 2, 3), file(3, 1, 2), file(2, 3, 1)];
    expect(await run(["diff", ascending, one])).toMatchObject({ status: 1, stdout: Buffer.from('+ .order: "kept"\n') });
    expect(await run(["diff", one, other])).toMatchObject({ status: 0, stdout: Buffer.alloc(0) });
  });

  test("arrays and structs are of different kinds; other arrays of a game belong together by position", async () => {
    const folder = scratchFolder();
    const lines = async (a: string, b: string) => (await run(["diff", a, b])).stdout.toString().trimEnd().split("\n");
    const save = (name: string, root: unknown) => json(folder, name, "elephant", root);
    expect(await lines(save("a", { v: [1], list: [1] }), save("b", { v: { x: 1 }, list: [1, 2] }))).toEqual([
      "- .v: array of 1",
      "+ .v: struct of 1 member",
      "+ .list[1]: 2",
    ]);
    const game = (name: string, widths: number[], bits: string) =>
      json(folder, name, "enigma", { backgrounds: widths.map((width) => ({ width })), backend: "json", room: { $nan: bits } });
    expect(await lines(game("a", [1], "7ff8000000000001"), game("b", [2, 3], "7ff8000000000002"))).toEqual([
      "- .backgrounds[0].width: 1",
      "+ .backgrounds[0].width: 2",
      "+ .backgrounds[1]: struct of 1 member",
      '- .room: nan "7ff8000000000001"',
      '+ .room: nan "7ff8000000000002"',
    ]);
    expect(await run(["diff", folder])).toMatchObject({ status: 2, stderr: expect.stringContaining("a second file is missing") });
  });

  test("two lines for long texts and bytes show where they begin to differ", async () => {
    const folder = scratchFolder();
    const long = "x".repeat(100_000);
    const a = { tail: `${long}A`, cut: `${long}tail`, early: `a${long}`, text: { $text: `${long}1` }, near: "y".repeat(61) };
    const b = { tail: `${long}B`, cut: long, early: `b${long}`, text: { $text: `${long}2` }, near: "y".repeat(60) };
    const x = (count: number) => "x".repeat(count);
    const told = (characters: string) => `(${characters} characters, differs at index 100000)`;
    const texts = await run(["diff", json(folder, "a", "elephant", a), json(folder, "b", "elephant", b)]);
    expect(texts.stdout.toString().trimEnd().split("\n")).toEqual([
      `- .tail: …"${x(20)}A" ${told("100,001")}`,
      `+ .tail: …"${x(20)}B" ${told("100,001")}`,
      `- .cut: …"${x(20)}tail" ${told("100,004")}`,
      `+ .cut: …"${x(20)}" ${told("100,000")}`,
      `- .early: "a${x(59)}"… (100,001 characters)`,
      `+ .early: "b${x(59)}"… (100,001 characters)`,
      `- .text: text …"${x(20)}1" ${told("100,001")}`,
      `+ .text: text …"${x(20)}2" ${told("100,001")}`,
      `- .near: …"${"y".repeat(21)}" (61 characters, differs at index 60)`,
      `+ .near: "${"y".repeat(60)}"`,
    ]);
    const bytes = (change: number, length: number) =>
      Buffer.from(Array.from({ length }, (_, i) => (i === change ? 255 : i))).toString("base64");
    const some = (change: number) => [{ $bytes: bytes(change, 8) }, { $bytes: bytes(change * 40, 200) }];
    const pieces = await run(["diff", json(folder, "a", "enigma", some(-1)), json(folder, "b", "enigma", some(3))]);
    expect(pieces.stdout.toString().trimEnd().split("\n")).toEqual([
      "- [0]: 8 bytes: 00 01 02 03 04 05 06 07",
      "+ [0]: 8 bytes: 00 01 02 ff 04 05 06 07",
      "- [1]: 200 bytes: … 73 74 75 76 77 78 79 7a 7b 7c 7d 7e 7f 80 81 82 … (differs at index 120)",
      "+ [1]: 200 bytes: … 73 74 75 76 77 ff 79 7a 7b 7c 7d 7e 7f 80 81 82 … (differs at index 120)",
    ]);
  });

  test("constructors that are called like other kinds stand in quotes", async () => {
    const folder = scratchFolder();
    const made = (name: string, version = 0) => {
      const instance = new StructInstance(name, { a: 1 });
      if (version > 0) setStoredAs(instance, version, true);
      return instance;
    };
    const a = file(folder, "a", [made("struct"), {}, made("array"), made("Hero v1 verbose"), made("Hero")]);
    const b = file(folder, "b", [{ a: 1 }, made("struct"), [], made("Hero", 1), made("struct", 2)]);
    expect((await run(["diff", a, b])).stdout.toString().trimEnd().split("\n")).toEqual([
      '~ [0]: "struct" became struct',
      '~ [1]: struct became "struct"',
      "+ [1].a: 1",
      '- [2]: "array" of 1 member',
      "+ [2]: array of 0",
      '~ [3]: "Hero v1 verbose" became Hero v1 verbose',
      '~ [4]: Hero became "struct" v2 verbose',
    ]);
    expect((await run(["inspect", a])).stdout.toString()).toContain('[0]  "struct" of 1 member');
  });

  test("what cannot be seen in a constructor's name is told", async () => {
    const folder = scratchFolder();
    const unseen = ["\u3164", "\u115f", "\u034f", "\ufe0f", "\u2800", "\u17b4"].map((character) => `Hero${character}`);
    const names = ["struct\u200b", "array\u00a0of\u00a03", "Pla\u00adyer", "Hero\u{e0041}", "array of 3", ...unseen];
    const save = file(
      folder,
      "a",
      names.map((name) => new StructInstance(name, { a: 1 })),
    );
    const lines = (await run(["inspect", save])).stdout.toString().split("\n");
    const escaped = ["Hero\\u3164", "Hero\\u115f", "Hero\\u034f", "Hero\\ufe0f", "Hero\\u2800", "Hero\\u17b4"];
    for (const shown of ["struct\\u200b", "array\\u00a0of\\u00a03", "Pla\\u00adyer", "Hero\\udb40\\udc41", "array of 3", ...escaped]) {
      const kind = shown.includes(" ") ? JSON.stringify(shown) : shown;
      expect(lines.filter((line) => line.includes(`  ${kind} of 1 member`))).toHaveLength(1);
      expect(lines.filter((line) => line.startsWith(`  ${shown} `))).toHaveLength(1);
    }
  });

  test("what cannot be seen in a member's name is told, as --path takes it; texts stay as they are", async () => {
    const folder = scratchFolder();
    const a = file(folder, "a", {
      hp: 1,
      "hp\u3164": "❤\ufe0f",
      "hp\u200d": 3,
      'h"\ufe0f': 4,
      große_zahl: 5,
      "👩🏽\u200d❤\ufe0f\u200d👩\ufe0f\u200d": 6,
    });
    const b = file(folder, "b", {});
    expect((await run(["diff", a, b])).stdout.toString()).toBe(
      '- .hp: 1\n- ["hp\\u3164"]: "❤\ufe0f"\n- ["hp\\u200d"]: 3\n- ["h\\"\\ufe0f"]: 4\n- .große_zahl: 5\n- ["👩🏽\u200d❤\ufe0f\u200d👩\\ufe0f\\u200d"]: 6\n',
    );
    expect((await run(["inspect", "--path", '["h\\"\\ufe0f"]', a])).stdout.toString()).toBe('["h\\"\\ufe0f"]  4\n');
    expect((await run(["inspect", a])).stdout.toString()).toContain('─ ["hp\\u3164"]  "❤\ufe0f"\n');
  });

  test("two texts that would look the same are told apart", async () => {
    const folder = scratchFolder();
    const texts: [string, string, string, string][] = [
      ["a b", "a\u00a0b", "a b", "a\\u00a0b"],
      ["x", "x\u200b", "x", "x\\u200b"],
      ["Pla\u00adyer é", "Player é", "Pla\\u00adyer é", "Player é"],
      ["é\u034f", "e\u0301", "é\\u034f", "e\u0301"],
      ["\u00e9", "e\u0301", "\\u00e9", "e\\u0301"],
      ["می\u200cخواهم", "خواهم", "می\u200cخواهم", "خواهم"],
    ];
    const save = (name: string, side: 0 | 1) =>
      file(
        folder,
        name,
        texts.map((pair) => pair[side]),
      );
    const lines = (await run(["diff", save("a", 0), save("b", 1)])).stdout.toString().trimEnd().split("\n");
    expect(lines).toEqual(texts.flatMap(([, , old, now], i) => [`- [${i}]: "${old}"`, `+ [${i}]: "${now}"`]));
    const map = (name: string, key: string) => json(folder, name, "ds", { kind: "map", generation: 3, entries: [[key, 1]] });
    expect((await run(["diff", map("a", "a b"), map("b", "a\u00a0b")])).stdout.toString()).toBe(
      '- .entries[0][1] (key "a b"): 1\n+ .entries[0][1] (key "a\\u00a0b"): 1\n',
    );
  });

  test("names that would look the same are told apart: letters in parts, tabs, escapes", async () => {
    const folder = scratchFolder();
    const names: [string, string, string, string][] = [
      ["\u00e9", "e\u0301", "\u00e9", "e\\u0301"],
      ["가", "가".normalize("NFD"), "가", "\\u1100\\u1161"],
      ["\u212b", "\u00c5", "\\u212b", "\u00c5"],
      ["\u0958", "\u0915\u093c", "\\u0958", "\u0915\u093c"],
      ["Hero\tv1", "Hero", "Hero\\u0009v1", "Hero"],
      ["a\\u200b", "a\u200b", '"a\\\\u200b"', "a\\u200b"],
    ];
    const saves = [0, 1].map((side) =>
      file(
        folder,
        `${side}`,
        names.map((pair) => new StructInstance(pair[side as 0 | 1], {})),
      ),
    );
    const changes = (await run(["diff", ...saves])).stdout.toString().trimEnd().split("\n");
    expect(changes).toEqual(names.map(([, , old, now], i) => `~ [${i}]: ${old} became ${now}`));
    for (const side of [0, 1] as const) {
      const tree = (await run(["inspect", saves[side]])).stdout.toString();
      for (const pair of names) expect(tree.split(`  ${pair[side + 2]} `)).toHaveLength(3);
    }
    // What no single character is, stays: vowels and accents in any order.
    expect(["שָׁ", "बि", "\u0628\u0651\u064e", "ড়া"].map((name) => kindName(name))).toEqual(["שָׁ", "बि", "\u0628\u0651\u064e", "ড়া"]);
    const map = (name: string, key: string) => json(folder, name, "ds", { kind: "map", generation: 3, entries: [[key, 1]] });
    expect((await run(["diff", map("c", "\u00e9"), map("d", "e\u0301")])).stdout.toString()).toBe(
      '- .entries[0][1] (key "\u00e9"): 1\n+ .entries[0][1] (key "e\\u0301"): 1\n',
    );
    const members = [file(folder, "e", { "\u00e9 1": 1 }), file(folder, "f", { "e\u0301 1": 1 })];
    expect((await run(["diff", ...members])).stdout.toString()).toBe('- ["\u00e9 1"]: 1\n+ ["e\\u0301 1"]: 1\n');
  });

  test("half of a pair of surrogates in a constructor's name is told", () => {
    expect(["Hero\ud83d", "\ude00Hero", "Hero😀"].map((name) => kindName(name))).toEqual(["Hero\\ud83d", "\\ude00Hero", "Hero😀"]);
  });

  test("what follows an Elephant save in its file is compared, however it is packed", async () => {
    const folder = scratchFolder();
    const save = generic.write([1]);
    const file = (name: string, ...behind: number[]) => {
      writeFileSync(join(folder, name), Buffer.concat([save, Buffer.from(behind)]));
      return join(folder, name);
    };
    const [alone, two, other] = [file("alone"), file("two", 1, 2), file("other", 1, 3)];
    const lines = async (a: string, b: string) => (await run(["diff", a, b])).stdout.toString();
    expect(await run(["diff", alone, two])).toMatchObject({ status: 1, stdout: Buffer.from("+ (behind the save): 2 bytes: 01 02\n") });
    expect(await lines(two, alone)).toBe("- (behind the save): 2 bytes: 01 02\n");
    expect(await lines(two, other)).toBe("- (behind the save): 2 bytes: 01 02\n+ (behind the save): 2 bytes: 01 03\n");
    const json = (await run(["decode", two])).stdout.toString();
    const packed = (await run(["encode", "-"], json.replace('"elephant"', '"export-string"'))).stdout;
    for (const same of [json, packed]) expect(await run(["diff", two, "-"], same)).toMatchObject({ status: 0, stdout: Buffer.alloc(0) });
  });

  test("files of different formats are said to be", async () => {
    const folder = scratchFolder();
    writeFileSync(join(folder, "list.txt"), "2F01000000000000");
    const { status, stdout } = await run(["diff", file(folder, "a", []), join(folder, "list.txt")]);
    expect([status, stdout.toString().split("\n")[0]]).toEqual([1, "~ (format): Elephant save became ds_*_write string"]);
    writeFileSync(join(folder, "string.txt"), generic.exportString([]));
    expect(await run(["diff", join(folder, "a"), join(folder, "string.txt")])).toMatchObject({ status: 0, stdout: Buffer.alloc(0) });
  });
});
