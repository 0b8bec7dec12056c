// ds strings inside of ds strings: --nested opens them, and encode gives the same bytes. test/cli/formats.test.ts has the golden files.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type DsStructure, type DsValue, writeDs } from "../../src/ds/index.ts";
import { scratchFolder } from "../node/scratch.ts";
import { run } from "./program.ts";
import { generic } from "./saves.ts";

const list = (...items: DsValue[]): DsStructure => ({ kind: "list", items });
const map = (...entries: [DsValue, DsValue][]): DsStructure => ({ kind: "map", entries });
const opened = (...items: unknown[]) => ({ kind: "list", generation: 3, items });
const bag = writeDs(list("rope", 2));

/** JSON of `decode`; `encode` has to give the bytes back. */
async function decoded(input: Uint8Array | string, ...options: string[]) {
  const { status, stdout, stderr } = await run(["decode", "--nested", ...options, "-"], input);
  expect([status, stderr]).toEqual([0, ""]);
  const encoded = await run(["encode", "-"], stdout);
  expect([encoded.status, encoded.stderr, encoded.stdout.equals(Buffer.from(input as string))]).toEqual([0, "", true]);
  return JSON.parse(stdout.toString());
}

describe("decode --nested", () => {
  test.each<[string, DsStructure, unknown]>([
    ["in a list", list(bag, 1), opened(opened("rope", 2), 1)],
    ["in an array", list([1, [bag]]), opened([1, [opened("rope", 2)]])],
    ["at three levels", list(writeDs(list(writeDs(list(writeDs(list(5)))), "x"))), opened(opened(opened(opened(5)), "x"))],
    ["a value of a map, not a key", map([bag, bag]), { kind: "map", generation: 3, entries: [[bag, opened("rope", 2)]] }],
    [
      "a value of a priority queue, not a priority",
      { kind: "priority", items: [{ priority: bag, value: bag }] },
      { kind: "priority", generation: 3, items: [{ priority: bag, value: opened("rope", 2) }] },
    ],
    [
      "of the first generation",
      list(writeDs({ kind: "list", generation: 1, items: ["a", 1] })),
      opened({ kind: "list", generation: 1, items: ["a", 1] }),
    ],
    [
      "of the first generation with legacy values",
      list(writeDs({ kind: "map", generation: 1, legacy: true, entries: [["a", 1]] })),
      opened({ kind: "map", generation: 1, legacy: true, entries: [["a", 1]] }),
    ],
    [
      "of the second generation",
      list(writeDs({ kind: "stack", generation: 2, items: [bag, true] })),
      opened({ kind: "stack", generation: 2, items: [opened("rope", 2), true] }),
    ],
    ["nothing that has other digits", list(bag.toLowerCase()), opened(bag.toLowerCase())],
    ["nothing with a lower-case digit", list(bag.replace("2F", "2f")), opened(bag.replace("2F", "2f"))],
    ["nothing before a space", list(`${bag} `), opened(`${bag} `)],
    ["nothing behind a space", list(` ${bag}`), opened(` ${bag}`)],
    ["nothing with a line end", list(`${bag}\n`), opened(`${bag}\n`)],
    ["nothing that is damaged", list(bag.slice(2), bag.slice(0, -2)), opened(bag.slice(2), bag.slice(0, -2))],
    ["what is in a string that stays one", list(writeDs(list(bag)).toLowerCase()), opened(writeDs(list(bag)).toLowerCase())],
  ])("%s", async (_title, structure, root) => {
    const document = await decoded(writeDs(structure));
    expect(document).toEqual({ tusk: 1, format: "ds", root });
  });

  test("a file that the library would not write so is kept, and what follows the text stays", async () => {
    const text = `${writeDs(list(bag)).toLowerCase()}\r\n\0`;
    // Its digits are those of the outer string, which is no value.
    const lower = await decoded(text);
    expect([lower.root, typeof lower.original]).toEqual([opened(opened("rope", 2)), "string"]);
    expect(await decoded(`${writeDs(list(bag))}\n\0`)).toEqual({ tusk: 1, format: "ds", after: "\n\0", root: opened(opened("rope", 2)) });
  });

  test("a value inside can be edited; the others keep their digits", async () => {
    const document = await decoded(writeDs(map(["bag", bag], ["same", bag.toLowerCase()])));
    document.root.entries[0][1].items[1] = 3;
    const { stdout, stderr } = await run(["encode", "-"], JSON.stringify(document));
    expect([stdout.toString(), stderr]).toEqual([writeDs(map(["bag", writeDs(list("rope", 3))], ["same", bag.toLowerCase()])), ""]);
  });

  test("JSON of decode is opened, too, and what it keeps still fits", async () => {
    for (const text of [writeDs(list(bag)), writeDs(list(bag)).toLowerCase()]) {
      const json = (await run(["decode", "-"], text)).stdout;
      const nested = await run(["decode", "--nested", "-"], json);
      expect(nested).toEqual(await run(["decode", "--nested", "-"], text));
      expect((await run(["encode", "-"], nested.stdout)).stdout.toString()).toBe(text);
    }
    const edited = JSON.parse((await run(["decode", "-"], writeDs(list(bag)).toLowerCase())).stdout.toString());
    edited.root.items.push(7);
    const nested = await run(["decode", "--nested", "-"], JSON.stringify(edited));
    const { stdout, stderr } = await run(["encode", "-"], nested.stdout);
    expect(stdout.toString()).toBe(writeDs(list(bag, 7)));
    expect(stderr).toBe("tusk: -: the JSON was edited, so the save is written anew in the form that this library writes\n");
  });

  test("a queue's contents are opened in its slots, too, where one of them takes most of the empty columns", async () => {
    const grid = Buffer.from("5B020000409C000000000000").toString("hex").toUpperCase();
    const { root } = await decoded(["CB000000", "01000000", "00000000", "02000000", "0100000018000000", grid, "0".repeat(24)].join(""));
    expect([root.items.length, root.items[0].$struct.width, root.slots]).toEqual([1, 40_000, [{ $ref: 0 }, 0]]);
  });

  test("entries of a map that are no pairs stay as they are, and are refused when they are written", async () => {
    const root = { kind: "map", generation: 3, entries: [["a"], ["b", 1, 2]] };
    const { status, stdout } = await run(["decode", "--nested", "-"], JSON.stringify({ tusk: 1, format: "ds", root }));
    expect([status, JSON.parse(stdout.toString()).root]).toEqual([0, root]);
    const encoded = await run(["encode", "-"], stdout);
    expect([encoded.status, encoded.stderr]).toEqual([1, expect.stringContaining("[ds: unsupported-value]")]);
    expect(encoded.stderr).toContain("entries[0]");
  });

  test.each([["5"], ['{"kind":"map"}'], ['{"kind":"list","items":{}}']])("JSON that is no structure is an error: %s", async (root) => {
    for (const command of ["decode", "inspect"]) {
      const { status, stderr } = await run([command, "--nested", "-"], `{"tusk":1,"format":"ds","root":${root}}`);
      expect([status, stderr]).toEqual([1, expect.stringMatching(/^tusk: -: .* \[ds: bad-option\]\n$/)]);
    }
  });
});

test("a short JSON of structures inside of structures cannot ask for gigabytes", async () => {
  const wrapped = (levels: number) => {
    let structure: DsStructure = list();
    for (let i = 0; i < levels; i++) structure = list(structure);
    return structure;
  };
  const json = (levels: number) =>
    JSON.stringify({ tusk: 1, format: "ds", root: list(...([{ $id: 0, $struct: wrapped(levels) }, { $ref: 0 }, { $ref: 0 }] as never[])) });
  const small = writeDs(list(wrapped(5), wrapped(5), wrapped(5)));
  expect(await run(["encode", "-"], json(5))).toEqual({ status: 0, stdout: Buffer.from(small), stderr: "" });
  const told = "the texts of structures inside of structures would have more than 512 million characters";
  for (const command of ["encode", "verify"])
    expect(await run([command, "-"], json(23))).toEqual({
      status: 1,
      stdout: Buffer.alloc(0),
      stderr: `tusk: -: ${told} [tusk: too-long]\n`,
    });
  // The writer refuses these.
  const holdsItself = '{"tusk":1,"format":"ds","root":{"kind":"list","items":[{"$id":0,"$array":[{"$ref":0}]}]}}';
  expect((await run(["encode", "-"], holdsItself)).stderr).toContain("[ds: depth]");
});

test("inspect --nested shows what is inside, and its paths lead there", async () => {
  const text = writeDs(map(["bag", writeDs(list("rope", writeDs(list(5))))]));
  const tree = await run(["inspect", "--nested", "--depth", "9", "-"], text);
  expect(tree).toEqual({
    status: 0,
    stdout: Buffer.from(
      [
        "-: ds_*_write string, map of generation 3, 326 B",
        "3 structs, 4 arrays",
        "",
        "(root)  struct of 3 members",
        '├─ kind  "map"',
        "├─ generation  3",
        "└─ entries  array of 1",
        "   └─ [0]  array of 2",
        '      ├─ [0]  "bag"',
        "      └─ [1]  struct of 3 members",
        '         ├─ kind  "list"',
        "         ├─ generation  3",
        "         └─ items  array of 2",
        '            ├─ [0]  "rope"',
        "            └─ [1]  struct of 3 members",
        '               ├─ kind  "list"',
        "               ├─ generation  3",
        "               └─ items  array of 1",
        "                  └─ [0]  5",
        "",
      ].join("\n"),
    ),
    stderr: "",
  });
  const path = ".entries[0][1].items[1].items[0]";
  expect((await run(["inspect", "--nested", "--path", path, "-"], text)).stdout.toString()).toBe(`${path}  5\n`);
  expect((await run(["inspect", "--path", path, "-"], text)).status).toBe(2);
});

describe("inspect without it", () => {
  const hint = "tusk: -: some of its texts are ds strings themselves; --nested opens them\n";

  test.each<[string, DsStructure, string]>([
    ["one string", list(1, bag), hint],
    ["several, once", list(bag, [bag, bag]), hint],
    ["a key", map([bag, 1]), ""],
    ["a string that stays one", list(bag.toLowerCase(), `${bag} `, bag.slice(0, 16)), ""],
    ["none", list("rope"), ""],
    ["one behind many that only begin so", list(...Array(999).fill(bag.slice(0, 16)), bag), hint],
    ["nothing behind more of them", list(...Array(1000).fill(bag.slice(0, 16)), bag), ""],
  ])("tells of %s", async (_title, structure, stderr) => {
    expect(await run(["inspect", "-"], writeDs(structure))).toMatchObject({ status: 0, stderr });
    expect(await run(["inspect", "-q", "-"], writeDs(structure))).toMatchObject({ status: 0, stderr: "" });
    expect(await run(["inspect", "--nested", "-"], writeDs(structure))).toMatchObject({ status: 0, stderr: "" });
  });
});

test("diff --nested tells what differs inside", async () => {
  const file = join(scratchFolder(), "old.txt");
  writeFileSync(file, writeDs(map(["bag", writeDs(map(["rope", 1], ["lamp", 2]))])));
  const other = writeDs(map(["bag", writeDs(map(["lamp", 3], ["rope", 1]))]));
  const told = "- .entries[0][1].entries[1][1]: 2\n+ .entries[0][1].entries[1][1]: 3\n";
  expect(await run(["diff", "--nested", file, "-"], other)).toEqual({ status: 1, stdout: Buffer.from(told), stderr: "" });
  for (const options of [[], ["--nested"]]) {
    const json = (await run(["decode", ...options, "-"], other)).stdout;
    expect((await run(["diff", "--nested", file, "-"], json)).stdout.toString()).toBe(told);
  }
  expect((await run(["diff", file, "-"], other)).stdout.toString()).toMatch(/^- \.entries\[0\]\[1\]: …?"/);
});

test("diff without it says so where one file is opened and the other is not", async () => {
  const file = join(scratchFolder(), "old.txt");
  writeFileSync(file, writeDs(list(bag, bag)));
  const json = (await run(["decode", "--nested", "-"], writeDs(list(bag, bag)))).stdout;
  const note = "tusk: some texts of one file are structures in the other; --nested opens them in both\n";
  expect(await run(["diff", file, "-"], json)).toMatchObject({ status: 1, stderr: note });
  expect(await run(["diff", "-", file], json)).toMatchObject({ status: 1, stderr: note });
  expect(await run(["diff", "--nested", file, "-"], json)).toEqual({ status: 0, stdout: Buffer.alloc(0), stderr: "" });
  expect(await run(["diff", file, "-"], writeDs(list([1], 5)))).toMatchObject({ status: 1, stderr: "" });
});

test("--nested is a bad call for other formats", async () => {
  const save = generic.write({ bag });
  const file = join(scratchFolder(), "list.txt");
  writeFileSync(file, writeDs(list(bag)));
  for (const call of [["inspect"], ["decode"], ["diff", file]])
    expect(await run([...call, "--nested", "-"], save)).toEqual({
      status: 2,
      stdout: Buffer.alloc(0),
      stderr: `tusk: --nested means nothing for elephant\nTry "tusk ${call[0]} --help".\n`,
    });
  expect((await run(["encode", "--nested", "-"], "{}")).stderr).toContain("Unknown option '--nested'");
});
