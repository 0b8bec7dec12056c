// What inspect, diff, convert, verify and bench print and write.
import { constants } from "node:buffer";
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { introspection } from "../../src/cli/formats/introspection.ts";
import { sizeText, valueText } from "../../src/cli/values.ts";
import { writeDs } from "../../src/ds/index.ts";
import { setStoredAs } from "../../src/elephant/constructors.ts";
import { StructInstance } from "../../src/elephant/index.ts";
import { scratchFolder } from "../node/scratch.ts";
import { type Bundle, bundleProgram, hurryClock, run, runProcess } from "./program.ts";
import { FIFTH, files, generic, SCHEMAS } from "./saves.ts";

let bundle: Bundle;
beforeAll(async () => {
  bundle = await bundleProgram();
}, 60_000);
afterAll(() => bundle?.remove());

describe("inspect", () => {
  test("shows constructors, sizes and the tree", async () => {
    const { strict, schemas } = files();
    const text = (await run(["inspect", "--schema", schemas, strict])).stdout.toString().split("\n");
    const size = statSync(strict).size;
    expect(text[0]).toBe(`${strict}: Elephant save, release 1.5.1, ${size} B`);
    expect(text.slice(1, 4)).toEqual(["3 structs, 3 arrays", "constructors", expect.stringMatching(/^ {2}Hero +2 +69 B {2}v1 strict$/)]);
    expect(text.slice(5, 9)).toEqual([
      `(root)  struct of 1 member  ${size - 13} B`,
      "└─ heroes  array of 2  72 B",
      "   ├─ [0]  Hero (v1 strict) of 3 members  37 B",
      "   └─ [1]  Hero (v1 strict) of 3 members  32 B",
    ]);
  });

  test("sizes are those of the save", async () => {
    const { folder } = files();
    const root = [[{ $text: "a" }, "b"], { t: { $text: "c" } }, [{ $text: "d" }, 1], [{ $u8: 1 }, { $u8: 2 }], [true, false], [], ["é"]];
    for (const value of root) {
      const json = JSON.stringify({ tusk: 1, format: "elephant", root: [value] });
      await run(["encode", "-", join(folder, "sized")], json);
      // Around it a header, a code and an array, behind it the footer.
      const size = statSync(join(folder, "sized")).size - 8 - 1 - 3 - 4;
      expect((await run(["inspect", "--path", "[0]", join(folder, "sized")])).stdout.toString(), json).toContain(`  ${size} B`);
    }
  });

  test("bytes in JSON have the size of an array of bytes", async () => {
    for (const root of [[{ $bytes: "" }], [{ $bytes: "AQID" }, [1]], { a: { $bytes: "AQID" } }]) {
      const json = JSON.stringify({ tusk: 1, format: "elephant", root });
      const size = (await run(["encode", "-"], json)).stdout.length - 8 - 1 - 4;
      expect((await run(["inspect", "-"], json)).stdout.toString(), json).toMatch(new RegExp(`^\\(root\\) .*  ${size} B$`, "m"));
    }
  });

  test("a size has the unit of which it is shown as less than a thousand", () => {
    expect([999, 1000, 999_949, 999_950, 999_949_999, 999_950_000, 5e12].map(sizeText)).toEqual([
      "999 B",
      "1.0 kB",
      "999.9 kB",
      "1.0 MB",
      "999.9 MB",
      "1.0 GB",
      "5000.0 GB",
    ]);
  });

  test("of a text more than 60 characters are cut", () => {
    const shown = (length: number) => valueText("x".repeat(length), {} as never, () => undefined);
    expect(shown(60)).toBe(`"${"x".repeat(60)}"`);
    expect(shown(61)).toBe(`"${"x".repeat(60)}"… (61 characters)`);
  });

  test("without its schema a strict struct has no size, nor what holds it", async () => {
    const { strict, schemas } = files();
    const json = (await run(["decode", "--schema", schemas, strict])).stdout;
    const lines = async (...options: string[]) => (await run(["inspect", ...options, "-"], json)).stdout.toString().split("\n").slice(3, 8);
    expect(await lines("--schema", schemas)).toEqual([
      expect.stringMatching(/^ {2}Hero +2 +69 B {2}v1 strict$/),
      "",
      expect.stringMatching(/^\(root\) {2}struct of 1 member {2}\d+ B$/),
      "└─ heroes  array of 2  72 B",
      "   ├─ [0]  Hero (v1 strict) of 3 members  37 B",
    ]);
    expect(await lines()).toEqual([
      expect.stringMatching(/^ {2}Hero +2 +v1 strict$/),
      "",
      "(root)  struct of 1 member",
      "└─ heroes  array of 2",
      "   ├─ [0]  Hero (v1 strict) of 3 members",
    ]);
  });

  test("bytes of a constructor count once where its instances are nested or shared", async () => {
    const node = (next?: StructInstance) => new StructInstance("Node", { next });
    const single = node();
    const chain = node(node(node(node())));
    const bytes = Buffer.from(generic.write([chain, new StructInstance("Box", { single, chain, inner: [single] }), single]));
    const sizeOf = async (path: string) => {
      const { stdout } = await run(["inspect", "--path", path, "--depth", "0", "-"], bytes);
      return Number(/ (\d+) B\n$/.exec(stdout.toString())![1]);
    };
    const all = (await sizeOf("[0]")) + (await sizeOf("[1].single"));
    expect((await run(["inspect", "-"], bytes)).stdout.toString().split("\n").slice(3, 5)).toEqual([
      expect.stringMatching(new RegExp(`^ {2}Node +5 +${all} B$`)),
      expect.stringMatching(new RegExp(`^ {2}Box +1 +${await sizeOf("[1]")} B$`)),
    ]);
  });

  test("--path, --depth and --most choose what is shown", async () => {
    const bytes = Buffer.from(generic.write({ list: Array.from({ length: 30 }, (_, i) => [i]), "a b": { c: { d: { e: 1 } } } }));
    const show = async (...options: string[]) => (await run(["inspect", ...options, "-"], bytes)).stdout.toString();
    expect(await show("--path", '["a b"].c', "--depth", "1")).toBe('["a b"].c  struct of 1 member  18 B\n└─ d  struct of 1 member  13 B\n');
    expect(await show("--path", "list", "--most", "1", "--depth", "1")).toMatch(/^\.list {2}array of 30 .*\n├─ \[0\] .*\n└─ … 29 more\n$/);
    expect(await show("--path", ".list[29][0]")).toBe(".list[29][0]  29\n");
    expect((await run(["inspect", "--path", ".none", "-"], bytes)).status).toBe(2);
    expect((await run(["inspect", "--path", ".a b", "-"], bytes)).status).toBe(2);
  });
});

test("a root that occurs again, and values of every kind, are shown", async () => {
  const root: Record<string, unknown> = { whole: 5n, nothing: null };
  root.inner = { root };
  const show = async (input: Uint8Array | string) => (await run(["inspect", "-"], input)).stdout.toString();
  expect(await show(generic.write(root))).toMatch(/├─ whole {2}5n\n.*\n└─ inner .*\n {3}└─ root {2}same as \(root\)\n$/);
  for (const [bytes, shown] of [
    ["", "0 bytes"],
    ["/w==", "1 byte: ff"],
    ["A".repeat(400), "300 bytes"],
  ])
    expect(await show(JSON.stringify({ tusk: 1, format: "ds", root: [{ $bytes: bytes }] }))).toMatch(`└─ [0]  ${shown}\n`);
});

test("JSON without a release is shown with the one that it is written in", async () => {
  const json = '{"tusk":1,"format":"elephant","root":{"a":1}}';
  for (const command of ["inspect", "verify"]) expect((await run([command, "-"], json)).stdout.toString()).toContain("release 1.5.1");
});

test("JSON whose values are no save is shown, and is not good", async () => {
  for (const json of [
    '{"tusk":1,"format":"ds","root":null}',
    '{"tusk":1,"format":"enigma","root":5}',
    '{"tusk":1,"format":"introspection","root":[1]}',
  ]) {
    expect(await run(["inspect", "-"], json)).toMatchObject({ status: 0 });
    expect((await run(["verify", "-"], json)).status, json).toBe(1);
  }
});

describe("an object where a plain value belongs is an error with its place, though its toString is no function", () => {
  const object = { toString: 1 };
  test.each<[string, object, string]>([
    ["the version", { tusk: object, root: 1 }, "version an object of the notation"],
    ["the format", { format: object, root: 1 }, "no format is called an object"],
    ["a member beside the root", { format: "elephant", release: object, root: 1 }, '"release" holds a plain value, not an object'],
    ["$of", { format: "elephant", root: { $of: object, $array: [1] } }, '"$of" holds the name of a datatype, not an object'],
    ["ds: kind", { format: "ds", root: { kind: object } }, '"kind" holds a plain value, not an object (at .kind)'],
    ["ds: generation", { format: "ds", root: { kind: "list", generation: [object], items: [] } }, "not an array (at .generation)"],
    ["ds: a size", { format: "ds", root: { kind: "grid", width: object, height: 1, columns: [[1]] } }, "(at .width)"],
    ["ds: an exact value", { format: "ds", root: { kind: "list", items: [{ value: object, type: "int32" }] } }, "(at .items[0].value)"],
    ["enigma: backend", { format: "enigma", root: { backend: object, active: [], inactive: [] } }, "(at .backend)"],
  ])("%s", async (_title, members, told) => {
    const { plain, folder } = files();
    const bad = join(folder, "bad.json");
    writeFileSync(bad, JSON.stringify({ tusk: 1, ...members }));
    for (const command of ["inspect", "encode", "decode", "convert"]) {
      const { status, stderr } = await run([command, bad]);
      expect([status, stderr], command).toEqual([1, expect.stringMatching(/^tusk: .+[/\\]bad\.json: .*\[tusk: notation\]\n$/)]);
      expect(stderr).toContain(told);
    }
    const verified = await run(["verify", plain, bad, plain]);
    expect(verified.status).toBe(1);
    expect(verified.stdout.toString().match(/: good, /g)).toHaveLength(2);
  });

  test("nor are 20,000 levels of arrays made a text", async () => {
    const deep = `${"[".repeat(20_000)}${"]".repeat(20_000)}`;
    for (const json of [
      `{"tusk":${deep},"root":1}`,
      `{"tusk":1,"format":${deep},"root":1}`,
      `{"tusk":1,"format":"ds","root":{"kind":${deep}}}`,
      `{"tusk":1,"format":"elephant","root":{"$ref":${deep}}}`,
    ])
      expect(await run(["verify", "-"], json)).toMatchObject({ status: 1, stderr: expect.stringContaining("an array") });
  });

  test("as a value of Elephant such an object is data, and has no size where a text is expected", async () => {
    const json = (root: unknown) => JSON.stringify({ tusk: 1, format: "elephant", root });
    expect((await run(["verify", "-"], json({ kind: object }))).status).toBe(0);
    const { schemas } = files();
    const strict = json({ $new: "Hero", $version: 1, $verbose: false, $struct: { name: object, hp: 1, bag: [] } });
    const shown = await run(["inspect", "--schema", schemas, "-"], strict);
    expect([shown.status, shown.stdout.toString()]).toEqual([0, expect.stringContaining("name  struct of 1 member")]);
    expect((await run(["verify", "--schema", schemas, "-"], strict)).status).toBe(1);
  });

  test("a game whose instances are no list is shown as none", async () => {
    const root = { backend: "json", active: { length: object }, inactive: [] };
    const { status, stdout } = await run(["inspect", "-"], JSON.stringify({ tusk: 1, format: "enigma", root }));
    expect([status, stdout.toString()]).toEqual([0, expect.stringContaining("ENIGMA save, no game")]);
  });
});

test(`a tree of ${5 * FIFTH} levels is printed in proportion to its values`, async () => {
  let value: unknown = 1;
  for (let i = 0; i < 5 * FIFTH; i++) value = [value];
  const shown = (await run(["inspect", "--depth", "300000", "-"], Buffer.from(generic.write(value)))).stdout;
  expect(shown.toString().trimEnd().split("\n")).toHaveLength(5 * FIFTH + 1 + 3);
  expect(shown.length).toBeLessThan(1500 * FIFTH);
}, 30_000);

describe("diff", () => {
  const file = (folder: string, name: string, value: unknown) => {
    writeFileSync(join(folder, name), generic.write(value));
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

  const json = (folder: string, name: string, format: string, root: unknown) => {
    writeFileSync(join(folder, name), JSON.stringify({ tusk: 1, format, root }));
    return join(folder, name);
  };

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
    const names = ["struct\u200b", "array\u00a0of\u00a03", "Pla\u00adyer", "Hero\u{e0041}", "array of 3"];
    const save = file(
      folder,
      "a",
      names.map((name) => new StructInstance(name, { a: 1 })),
    );
    const lines = (await run(["inspect", save])).stdout.toString().split("\n");
    for (const shown of ["struct\\u200b", "array\\u00a0of\\u00a03", "Pla\\u00adyer", "Hero\\udb40\\udc41", "array of 3"]) {
      const kind = shown.includes(" ") ? JSON.stringify(shown) : shown;
      expect(lines.filter((line) => line.includes(`  ${kind} of 1 member`))).toHaveLength(1);
      expect(lines.filter((line) => line.startsWith(`  ${shown} `))).toHaveLength(1);
    }
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

describe("convert, verify, bench", () => {
  test("convert goes round through every form", async () => {
    const { plain, strict, schemas, folder } = files();
    const text = join(folder, "string.txt");
    expect(await runProcess(bundle, ["convert", "--to", "export-string", plain, text])).toMatchObject({ status: 0 });
    const json = await runProcess(bundle, ["convert", "--to", "json", text]);
    const back = await runProcess(bundle, ["convert", "--to", "elephant", "-"], json.stdout);
    expect(back.stdout.equals(readFileSync(plain))).toBe(true);
    const older = await run(["convert", "--release", "1.4.0", "-s", schemas, strict]);
    expect(older.stdout.subarray(0, 8).toString("hex")).toBe("50454c4500040100");
    expect((await run(["convert", "--release", "1.2.0", plain])).status).toBe(2);
    expect((await run(["convert", "--help"])).stdout.toString()).toContain("  tusk convert [OPTIONS] [--to FORMAT] FILE [OUTPUT]\n");
  });

  test("a release that cannot leave out fields is a wrong one for a save that does, and in JSON a wrong member", async () => {
    const { schemas, folder } = files();
    const save = join(folder, "skips.dat");
    const left = { $new: "Hero", $version: 1, $verbose: false, $struct: { name: "Ada", bag: [] } };
    const json = (release: string) => JSON.stringify({ tusk: 1, format: "elephant", release, root: { heroes: [left] } });
    expect((await run(["encode", "-s", schemas, "-", save], json("1.5.1"))).status).toBe(0);
    const told = "release 1.4.0 cannot leave out fields, which the save does (at .heroes[0].hp)";
    expect(await run(["convert", "--release", "1.4.0", "-s", schemas, save])).toMatchObject({
      status: 2,
      stdout: Buffer.alloc(0),
      stderr: `tusk: --release: ${save}: ${told}\nTry "tusk convert --help".\n`,
    });
    expect((await run(["convert", "--release", "1.5.0", "-s", schemas, save])).status).toBe(0);
    for (const command of ["encode", "verify"])
      expect(await run([command, "-s", schemas, "-"], json("1.4.0"))).toMatchObject({
        status: 1,
        stderr: `tusk: -: ${told} [elephant: bad-option]\n`,
      });
  });

  test("without --release the newest is written, also of JSON that says 1.4.0 and leaves out fields", async () => {
    const { schemas } = files();
    const hero = { $new: "Hero", $version: 1, $verbose: false, $struct: { name: "Ada" } };
    const json = (release: string) => JSON.stringify({ tusk: 1, format: "elephant", release, root: hero });
    const converted = await run(["convert", "-s", schemas, "-"], json("1.4.0"));
    expect(converted).toMatchObject({ status: 0, stderr: "" });
    expect(converted).toEqual(await run(["encode", "-s", schemas, "-"], json("1.5.1")));
  });

  test("convert refuses another family, and a release of what has none", async () => {
    const { folder } = files();
    const list = join(folder, "list.txt");
    writeFileSync(list, "2f01000000000000");
    const bad = (message: string) => ({ status: 2, stderr: `tusk: ${message}\nTry "tusk convert --help".\n` });
    expect(await run(["convert", "--to", "elephant", list])).toMatchObject(bad("a file of format ds cannot become elephant"));
    expect(await run(["convert", "--release", "1.5.1", list])).toMatchObject(bad("--release means nothing for ds"));
    expect((await run(["convert", list])).stdout.toString()).toBe("2F01000000000000");
  });

  test("convert takes --indent where it writes JSON only, and looks at it before the file", async () => {
    const { plain, folder } = files();
    const out = join(folder, "out");
    const bad = (message: string) => ({ status: 2, stderr: `tusk: ${message}\nTry "tusk convert --help".\n` });
    for (const call of [[], ["--to", "elephant"]])
      expect(await run(["convert", "--indent", "banana", ...call, plain, out])).toMatchObject(
        bad("--indent means nothing without --to json"),
      );
    expect(existsSync(out)).toBe(false);
    for (const file of [plain, join(folder, "none")])
      expect(await run(["convert", "--indent", "banana", "--to", "json", file])).toMatchObject(
        bad('--indent takes a whole number from 0 on, not "banana"'),
      );
    expect((await run(["decode", "--indent", "17", join(folder, "none")])).stderr).toContain("--indent takes at most 16");
    expect((await run(["convert", "--indent", "0", "--to", "json", plain])).stdout.toString()).toMatch(/^\{"tusk":1,/);
  });

  test("convert without --to writes the format that is read, of JSON the one that it names", async () => {
    const { plain } = files();
    const save = readFileSync(plain);
    const text = (await run(["convert", "--to", "export-string", plain])).stdout;
    for (const form of [save, text]) {
      expect((await run(["convert", "-"], form)).stdout.equals(form)).toBe(true);
      expect((await run(["convert", "-"], (await run(["decode", "-"], form)).stdout)).stdout.equals(form)).toBe(true);
    }
    const page = (await run(["convert", "--help"])).stdout.toString().replace(/\s+/g, " ");
    expect(page).toContain("default: the format that is read, of JSON the one that it names");
  });

  test("verify tells good from bad and goes on", async () => {
    const { plain, strict, folder } = files();
    writeFileSync(join(folder, "bad.dat"), readFileSync(plain).subarray(0, -1));
    const outcome = await runProcess(bundle, ["verify", join(folder, "bad.dat"), strict, plain]);
    expect(outcome.status).toBe(1);
    expect(outcome.stderr.match(/\[elephant: [a-z-]+\]/g)).toEqual(["[elephant: truncated]", "[elephant: schema-missing]"]);
    expect(outcome.stdout.toString()).toMatch(
      /plain\.dat: good, Elephant save, release 1\.5\.1, .*, 3 containers, writes back to the same bytes\n$/,
    );
  });

  test("verify says what writes back to other bytes, what is legacy and what follows", async () => {
    const { folder, plain } = files();
    const good = async (content: Uint8Array | string) => {
      writeFileSync(join(folder, "file"), content);
      const { status, stdout } = await run(["verify", join(folder, "file")]);
      expect(status).toBe(0);
      return stdout.toString();
    };
    expect(await good("2f01000000000000")).toContain(
      ", list of generation 3, 16 B, 2 containers, writes back to other bytes of the same value\n",
    );
    expect(await good(`2D01000001000000${"0".repeat(32)}`)).toContain(", list of generation 1 with legacy values, ");
    expect(await good('{"tusk":1,"format":"ds","root":{"kind":"list","items":[]}}')).toContain(", list of generation 3, ");
    expect(await good(Buffer.concat([readFileSync(plain), Buffer.alloc(1)]))).toContain(", 1 byte follows it, ");
    expect(await good(Buffer.concat([readFileSync(plain), Buffer.alloc(2)]))).toContain(", 2 bytes follow it, ");
  });

  test("--from json is for what is to be JSON", async () => {
    const { plain } = files();
    expect((await run(["verify", "--from", "json", "-"], (await run(["decode", plain])).stdout)).status).toBe(0);
    expect(await run(["verify", "--from", "json", plain])).toMatchObject({
      status: 1,
      stderr: expect.stringContaining("[tusk: notation]"),
    });
  });

  test("detect finds a document wherever it begins behind zeros", async () => {
    const document = readFileSync(new URL("../vectors/enigma/json-many-50.json.bin", import.meta.url));
    const file = join(scratchFolder(), "game.sav");
    for (const zeros of [1_000, 2 ** 20 - 16, 2 ** 20, 3 * 2 ** 20 - 16, 3 * 2 ** 20 - 1]) {
      writeFileSync(file, Buffer.concat([Buffer.alloc(zeros), document]));
      expect(await run(["detect", file]), String(zeros)).toMatchObject({ status: 0, stdout: Buffer.from(`${file}\tenigma\n`) });
    }
  });

  test.skipIf(process.platform === "win32")("a line break in a file's name begins no line", async () => {
    expect((await run(["detect", "no\ntusk: all is well\u001b[31m"])).stderr.split("\n")).toHaveLength(2);
  });

  test("verify and detect go on behind what cannot be read: 2", async () => {
    const { plain, folder } = files();
    writeFileSync(join(folder, "bad.dat"), readFileSync(plain).subarray(0, -1));
    mkdirSync(join(folder, "deeper"));
    const list = [join(folder, "deeper"), join(folder, "none.dat"), join(folder, "bad.dat"), plain];
    const verified = await run(["verify", ...list]);
    expect(verified.status).toBe(2);
    expect(verified.stdout.toString()).toMatch(/^.+[/\\]plain\.dat: good,.*\n$/);
    expect(verified.stderr).toMatch(
      /deeper cannot be read: EISDIR.*\n.*none\.dat cannot be read: ENOENT.*\n.*bad\.dat: .*\[elephant: truncated\]/,
    );
    expect(verified.stderr).not.toContain("--help");
    const detected = await run(["detect", ...list]);
    expect(detected.status).toBe(2);
    expect(detected.stdout.toString()).toBe(`${list[2]}\telephant\n${list[3]}\telephant\n`);
    expect(detected.stderr.trimEnd().split("\n")).toHaveLength(2);
    const noSchema = await run(["verify", "--schema", join(folder, "none.json"), plain, plain]);
    expect(noSchema).toMatchObject({ status: 2, stdout: Buffer.alloc(0) });
    expect(noSchema.stderr.trimEnd().split("\n")).toHaveLength(1);
  });

  test("standard input given twice is a wrong call, not an empty file", async () => {
    const bytes = Buffer.from(generic.write({ a: 1 }));
    const stderr = expect.stringMatching(/^tusk: standard input is given twice.*\nTry/) as string;
    const twice = { status: 2, stdout: Buffer.alloc(0), stderr };
    expect(await run(["verify", "-", "-"], bytes)).toMatchObject(twice);
    expect(await run(["detect", "-", "-"], bytes)).toMatchObject(twice);
    expect(await run(["decode", "--schema", "-", "-"], SCHEMAS)).toMatchObject(twice);
    expect(await run(["verify", "--schema", "-", "-"], bytes)).toMatchObject(twice);
    expect(await run(["verify", "none.dat", "-", "--schema", "-"], bytes)).toMatchObject(twice);
    // Before anything is read.
    for (const input of [bytes, Buffer.alloc(0)])
      for (const name of ["-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"])
        expect(await run(["diff", "-", name], input)).toMatchObject(twice);
    expect((await run(["diff", "-", "/dev/stdin1"], bytes)).stderr).toMatch(/^tusk: \/dev\/stdin1 cannot be read: /);
    expect((await run(["decode", "-", "-"], bytes)).status).toBe(0);
  });

  test("schemas may come from standard input where the result goes to standard output", async () => {
    const { strict } = files();
    const { status, stdout } = await run(["decode", "--schema", "-", strict, "-"], SCHEMAS);
    expect([status, stdout.toString()]).toEqual([0, expect.stringContaining("Ada")]);
  });

  test("verify goes on behind a file that the schema is not for, and names it", async () => {
    const { plain, strict, schemas, folder } = files();
    const list = join(folder, "list.json");
    writeFileSync(list, "[1]");
    const unsuited = await run(["verify", "--schema", list, plain, strict, plain]);
    expect(unsuited.status).toBe(2);
    expect(unsuited.stderr.trimEnd().split("\n")).toEqual(
      [plain, strict, plain].map(
        (file) => `tusk: ${list} (--schema, for ${file}): the file holds no object of schemas by constructor name`,
      ),
    );
    const other = join(folder, "list.txt");
    writeFileSync(other, "2F01000000000000");
    const mixed = await run(["verify", "--schema", list, plain, other]);
    expect(mixed.status).toBe(2);
    expect(mixed.stdout.toString()).toMatch(/list\.txt: good/);
    expect((await run(["verify", "--schema", schemas, strict, plain])).status).toBe(0);
  });

  test.each<[string, unknown]>([
    ["an object without a name", [{ index: 0 }]],
    ["no object", [null]],
    ["its own parent", [{ index: 0, name: "a", parent: "a", locals: [] }]],
    ["an unknown type", [{ index: 0, name: "a", locals: [{ name: "x", type: "word" }] }]],
  ])("2: a schema for ENIGMA that is none is no fault of the save: %s", async (_title, objects) => {
    const bad = join(scratchFolder(), "bad.json");
    writeFileSync(bad, JSON.stringify({ objects }));
    const save = readFileSync(new URL("../vectors/enigma/bin-array1d-dense.bin", import.meta.url));
    for (const command of ["decode", "verify"]) {
      const outcome = await run([command, "--schema", bad, "-"], save);
      expect(outcome).toMatchObject({ status: 2, stdout: Buffer.alloc(0) });
      expect(outcome.stderr).toMatch(/^tusk: .+[/\\]bad\.json \(--schema, for -\): .*\n$/);
    }
  });

  test("a schema for a format that has no use for one is told", async () => {
    const { plain, schemas, folder } = files();
    const list = join(folder, "list.txt");
    writeFileSync(list, "2F01000000000000");
    const warning = `tusk: ${list}: --schema means nothing for ds\n`;
    expect(await run(["verify", "--schema", schemas, list, plain])).toMatchObject({ status: 0, stderr: warning });
    expect(await run(["decode", "-s", schemas, list])).toMatchObject({ status: 0, stderr: warning });
    expect(await run(["decode", "-q", "-s", schemas, list])).toMatchObject({ status: 0, stderr: "" });
    const text = await run(["verify", "--schema", schemas, "-"], "obj = 1\n{\n}\n");
    expect(text).toMatchObject({ status: 0, stderr: "tusk: -: --schema means nothing for introspection\n" });
  });

  test("a warning names the file that it is about", async () => {
    const { folder } = files();
    const old = (name: string, value: number) => {
      writeFileSync(join(folder, name), JSON.stringify({ tusk: 1, format: "elephant", release: "1.3.0", root: value }));
      return join(folder, name);
    };
    const warning = (file: string) => `tusk: ${file}: release 1.3.0 cannot be written; this is 1.5.1\n`;
    const [a, b] = [old("a.json", 1), old("b.json", 2)];
    expect((await run(["verify", a, b, a])).stderr).toBe(warning(a) + warning(b));
    expect((await run(["encode", a])).stderr).toBe(warning(a));
  });

  test("introspection text that no string holds is too long, not of another encoding", () => {
    const text = Buffer.alloc(constants.MAX_STRING_LENGTH + 1, "a");
    const read = () => introspection.read(text, { schemas: undefined, onWarning: () => undefined });
    expect(read).toThrow(expect.objectContaining({ code: "too-long" }));
    text[0] = 0xff;
    expect(read).toThrow(expect.objectContaining({ code: "encoding" }));
  });

  test("bench measures both engines and JSON", async () => {
    const { plain } = files();
    const lines = (await runProcess(bundle, ["bench", "--rounds", "2", plain])).stdout.toString().trimEnd().split("\n");
    expect(lines.slice(1).map((line) => line.split(/ +/).slice(0, 2).join(" "))).toEqual([
      "read wasm",
      "read js",
      "read JSON",
      "write wasm",
      "write js",
      "write JSON",
    ]);
    for (const line of lines.slice(1)) expect(line).toMatch(/\d+\.\d\d (µs|ms) +\S+ [kMG]?B\/s$/);
    const json = (await run(["decode", plain])).stdout;
    hurryClock();
    const ofJson = await run(["bench", "--rounds", "2", "-"], json);
    expect(ofJson).toMatchObject({ status: 0, stderr: "" });
    expect(ofJson.stdout.toString().split("\n")[0]).toBe(lines[0].replace(plain, "-"));
  }, 30_000);

  test("bench of other forms", async () => {
    hurryClock();
    const { plain } = files();
    const lines = async (input: Uint8Array | string) => {
      const { status, stdout } = await run(["bench", "--rounds", "1", "-"], input);
      expect(status).toBe(0);
      return stdout.toString().match(/^(read|write) +\S+(?= +\d)/gm);
    };
    expect(await lines("2F01000000000000")).toEqual(["read   ds", "write  ds"]);
    expect(await lines((await run(["convert", "--to", "export-string", plain])).stdout)).toHaveLength(6);
  }, 30_000);

  test("bench of a save that is undefined", async () => {
    hurryClock();
    const { status, stdout, stderr } = await run(["bench", "--rounds", "1", "-"], Buffer.from(generic.write(undefined)));
    expect([status, stderr]).toEqual([0, ""]);
    expect(stdout.toString().match(/^(read|write) +JSON +\d.*$/gm)).toHaveLength(2);
  }, 30_000);
});
