// Saves are from strangers: nothing in them may reach the terminal as more than characters.
import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import zlib, { constants, deflateRawSync } from "node:zlib";
import { afterEach, describe, expect, test, vi } from "vitest";
import { slicesOf, visible, visibleJson, visibleMessage } from "../../src/cli/visible.ts";
import { createElephantSync, StructInstance } from "../../src/elephant/index.ts";
import { LONG_RUN } from "../elephant/codec.ts";
import { listing, scratchFolder } from "../node/scratch.ts";
import { hurryClock, run } from "./program.ts";

const generic = createElephantSync({ unknownConstructor: "generic" });
/** Begins a sequence in both ways, deletes, breaks the line, turns the direction. */
const EVIL = "Evil\u001b[31m\u009b31m\u007f\r\n\u2028\u2029\u202e\u2066\u200f";
const SHOWN = "Evil\\u001b[31m\\u009b31m\\u007f\\u000d\\u000a\\u2028\\u2029\\u202e\\u2066\\u200f";
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const ACTIVE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/;

function save(name: string, content: Uint8Array | string): string {
  const path = join(scratchFolder(), name);
  writeFileSync(path, content);
  return path;
}
const value = (text: string) => ({ [EVIL]: text, thing: new StructInstance(EVIL, { [EVIL]: [text] }), "שלום 👩‍🚀 é": 1 });

test("inspect, diff, verify and detect show the characters of the save, not what they do", async () => {
  const a = save(`${EVIL.replace("\n", "")}a.dat`, generic.write(value(EVIL)));
  const b = save("b.dat", generic.write({ ...value("other"), thing: [] }));
  const tree = await run(["inspect", "--depth", "5", a]);
  expect(tree).toMatchObject({ status: 0, stderr: "" });
  expect(tree.stdout.toString()).not.toMatch(ACTIVE);
  expect(tree.stdout.toString()).toContain(`thing  ${SHOWN} of 1 member`);
  expect(tree.stdout.toString()).toContain(`\n  ${SHOWN}  `);
  expect(tree.stdout.toString()).toContain('["שלום 👩‍🚀 é"]  1');
  hurryClock();
  for (const call of [
    ["diff", a, b],
    ["diff", b, a],
    ["verify", a],
    ["detect", a],
    ["bench", "--rounds", "1", a],
  ]) {
    const { stdout, stderr } = await run(call);
    expect(stdout.length, call[0]).toBeGreaterThan(0);
    expect(stdout.toString() + stderr, call[0]).not.toMatch(ACTIVE);
  }
  // What is painted is painted by the program alone.
  const painted = (await run(["inspect", "--color", a])).stdout.toString();
  // biome-ignore lint/suspicious/noControlCharactersInRegex: as above
  expect(painted.replace(/\u001b\[\d+m/g, "")).not.toMatch(ACTIVE);
  expect(painted).not.toContain("\u001b[31m");
});

test.each<[string, object]>([
  ["elephant: release", { format: "elephant", release: EVIL, root: 1 }],
  ["ds: kind", { format: "ds", root: { kind: EVIL, generation: 3, items: [] } }],
  ["ds: generation", { format: "ds", root: { kind: "list", generation: EVIL, items: [] } }],
  ["enigma: backend", { format: "enigma", root: { backend: EVIL, active: [], inactive: [], backgrounds: [], room: 0 } }],
])("what JSON says of its save is characters, too: %s", async (_title, members) => {
  const json = JSON.stringify({ tusk: 1, ...members });
  for (const command of ["inspect", "verify"]) {
    const { stdout, stderr } = await run([command, "-"], json);
    expect(stdout.toString() + stderr, command).not.toMatch(ACTIVE);
  }
  expect((await run(["inspect", "-"], json)).stdout.toString().split("\n")[0]).toContain(SHOWN);
});

test("a path that is shown can be asked for", async () => {
  const file = save("a.dat", generic.write({ [EVIL]: { inner: 7 } }));
  const shown = (await run(["inspect", file])).stdout.toString();
  const key = /^└─ (\[".*"\]) /m.exec(shown)![1];
  expect((await run(["inspect", "--path", `${key}.inner`, file])).stdout.toString()).toMatch(/\.inner {2}7\n$/);
});

test("errors and the lines around their place", async () => {
  const strict = createElephantSync({ constructors: { [EVIL]: { v1: { a: "u8" } } } });
  const unknown = await run(["decode", save("a.dat", strict.write(new StructInstance(EVIL, { a: 1 })))]);
  expect(unknown.status).toBe(1);
  expect(unknown.stderr).toContain(SHOWN);
  expect(unknown.stderr).not.toMatch(ACTIVE);
  for (const text of ["oThing = 1\n{\n\t_a : Evil\u001b[31m = \u009b5\n}\n", '{"tusk":1,"format":"elephant",\n"root":"\u202e\u009b",]']) {
    const bad = await run(["verify", save("bad.txt", text)]);
    expect(bad.status, text).toBe(1);
    expect(bad.stderr).toMatch(/^> {6}\d \| /m);
    expect(bad.stderr).not.toMatch(ACTIVE);
  }
  const missing = await run(["verify", `${scratchFolder()}/none\u001b[31m`]);
  expect(missing.stderr).toContain("none\\u001b[31m");
  expect(missing.stderr).not.toMatch(ACTIVE);
});

test("the JSON of decode spells them out, and encode reads them", async () => {
  const bytes = Buffer.from(generic.write(value(EVIL)));
  const json = (await run(["decode", "-"], bytes)).stdout;
  expect(json.toString()).not.toMatch(ACTIVE);
  expect(JSON.parse(json.toString()).root[EVIL]).toBe(EVIL);
  expect((await run(["encode", "-"], json)).stdout.equals(bytes)).toBe(true);
});

test("a kept original that inflates to gigabytes is refused", async () => {
  // A megabyte of zeros, which stands alone, a thousand times and more.
  const megabyte = deflateRawSync(Buffer.alloc(2 ** 20), { finishFlush: constants.Z_FULL_FLUSH });
  const stream = Buffer.concat([Buffer.of(0x78, 0x9c), ...Array<Buffer>(1026).fill(megabyte)]);
  const originalOf = createHash("sha256").update('{"tusk":1,"format":"elephant","release":"1.5.1","root":1}\n').digest("hex");
  const json = { tusk: 1, format: "elephant", release: "1.5.1", root: 1, originalOf, original: stream.toString("base64") };
  const path = save("bomb.json", JSON.stringify(json));
  const refused = async (command: string) => {
    const { status, stderr } = await run([command, path]);
    expect([status, stderr]).toEqual([1, expect.stringContaining('"original" inflates to more than 1 GiB')]);
  };
  await refused("verify");
  if (LONG_RUN) return refused("encode");
  // A gigabyte takes seconds: the second time a megabyte is where it has asked to stop at one.
  const { inflateSync } = zlib;
  const limits: unknown[] = [];
  vi.spyOn(zlib, "inflateSync").mockImplementation((bytes, options) => {
    limits.push(options?.maxOutputLength);
    return inflateSync(bytes, { ...options, maxOutputLength: 2 ** 20 });
  });
  syncBuiltinESMExports();
  try {
    await refused("encode");
  } finally {
    vi.restoreAllMocks();
    syncBuiltinESMExports();
  }
  expect(limits).toEqual([2 ** 30]);
}, 60_000);

test("JSON whose values pretend to be of a class does not keep verify from the next file", async () => {
  const good = save("good.dat", generic.write(1));
  const root = '{"kind":"list","items":[{"constructor":{"name":{"toString":1}}}]}';
  const { status, stdout, stderr } = await run(["verify", "-", good], `{"tusk":1,"format":"ds","root":${root}}`);
  expect([status, stdout.toString()]).toEqual([1, expect.stringContaining("good.dat: good, ")]);
  expect(stderr).toBe("tusk: -: an object of class object cannot be stored (at .items[0]) [ds: unsupported-value]\n");
});

test("inspect lists any number of constructors, however long a name is", async () => {
  const count = LONG_RUN ? 1500 : 500;
  const kinds = Array.from({ length: count * 127 }, (_, i) => [`C${i % count}`, 1 + Math.floor(i / count)]);
  const instances = [["L".repeat(10_000), 1], ...kinds].map(([$new, $version]) => ({ $new, $version, $verbose: true, $struct: {} }));
  const root = Array.from({ length: 4 }, (_, i) => instances.slice(i * 60_000, (i + 1) * 60_000));
  const { status, stdout } = await run(["inspect", "-"], JSON.stringify({ tusk: 1, format: "elephant", release: "1.5.1", root }));
  expect(status).toBe(0);
  expect(stdout.toString().split("\n").length).toBeGreaterThan(kinds.length);
  expect(stdout.length).toBeLessThan(100 * kinds.length);
}, 60_000);

describe("texts of any length", () => {
  test("are looked at in slices, which part no pair of surrogates", () => {
    expect([...slicesOf("ab😀c😀", 3)]).toEqual(["ab😀", "c😀"]);
    expect([...slicesOf("\ud83d\ud83dabc", 1)].join("")).toBe("\ud83d\ud83dabc");
    expect([...slicesOf("abcd", 2)]).toEqual(["ab", "cd"]);
    expect([...slicesOf("", 2)]).toEqual([]);
    // The first slice would end within a pair.
    const long = `x${"😀".repeat(600_000)}\u007f\u202e`;
    const shown = `x${"😀".repeat(600_000)}\\u007f\\u202e`;
    expect(visible(long) === shown).toBe(true);
    const pieces = [...visibleJson(long)];
    expect(pieces.length).toBe(2);
    expect(Buffer.concat(pieces).equals(Buffer.from(shown))).toBe(true);
  });

  test("messages are told by their ends where they are long", () => {
    const message = `begin${"\u007f".repeat(3_000_000)}end`;
    expect(visibleMessage(message)).toMatch(/^begin(\\u007f)+ \.\.\. (\\u007f)+end$/);
    expect(visibleMessage(message).length).toBeLessThan(100_000);
  });

  test("names are cut in trees and differences as values are, and told apart all the same", async () => {
    const name = (end: string) => `${"n\u007f".repeat(50_000)}${end}`;
    const made = (end: string) => ({ [name("")]: { inner: 1 }, thing: new StructInstance(name(end), {}) });
    const a = save("a.dat", generic.write(made("1")));
    const b = save("b.dat", generic.write({ ...made("2"), [name("")]: { inner: 2 } }));
    const cut = (length: string) => `"${"n\\u007f".repeat(30)}"… (${length} characters)`;
    const end = (last: string) => `…"${"n\\u007f".repeat(10)}${last}" (100,001 characters, differs at index 100000)`;
    const tree = (await run(["inspect", a])).stdout.toString();
    expect(tree).toContain(`├─ [${cut("100,000")}]  struct of 1 member`);
    expect(tree).toContain(`thing  ${cut("100,001")} of 0 members`);
    expect(tree).toContain(`\n  ${cut("100,001")}  `);
    expect(tree.length).toBeLessThan(5_000);
    expect((await run(["diff", a, b])).stdout.toString().trimEnd().split("\n")).toEqual([
      `- [${cut("100,000")}].inner: 1`,
      `+ [${cut("100,000")}].inner: 2`,
      `~ .thing: ${end("1")} became ${end("2")}`,
    ]);
  });

  test("the path of what is shown elsewhere is told by its ends where it is long", async () => {
    const shared = { x: 1 };
    let value: object = { shared };
    for (let i = 0; i < 2000; i++) value = { n: value, shared };
    const { status, stdout } = await run(["inspect", "--depth", "99999", "-"], Buffer.from(generic.write(value)));
    const whole = `${".n".repeat(2000)}.shared`;
    const told = `shared  same as ${whole.slice(0, 200)} ... ${whole.slice(-200)}`;
    const lines = stdout.toString().match(/shared {2}same as .*/g)!;
    expect([status, lines.length]).toEqual([0, 2000]);
    expect(new Set(lines)).toEqual(new Set([told]));
  });

  describe("that would be longer than a string can be", () => {
    const MARK = "more than a string can hold";
    const stringify = JSON.stringify;
    const refuse = () =>
      vi.spyOn(JSON, "stringify").mockImplementation((...call: Parameters<typeof stringify>) => {
        if (call[0] === (MARK as unknown)) throw new RangeError("Invalid string length");
        return stringify(...call);
      });
    afterEach(() => vi.restoreAllMocks());

    test("are an error of the file, and nothing stays where its JSON was to be", async () => {
      const folder = scratchFolder();
      const path = join(folder, "a.dat");
      writeFileSync(path, generic.write({ before: "x".repeat(200_000), text: MARK }));
      refuse();
      for (const output of [join(folder, "a.json"), "-"]) {
        const { status, stderr } = await run(["decode", path, output]);
        expect([status, stderr]).toEqual([
          1,
          expect.stringMatching(/^tusk: .+[/\\]a\.dat: a text would have more .* \[tusk: too-long\]\n$/),
        ]);
      }
      expect(listing(folder)).toEqual(["a.dat"]);
    });

    test("do not keep verify from the next file", async () => {
      const json = stringify({ tusk: 1, format: "elephant", root: MARK, original: "AAAA", originalOf: "none" });
      const good = save("good.dat", generic.write(1));
      refuse();
      const { status, stdout, stderr } = await run(["verify", "-", good], json);
      expect([status, stdout.toString()]).toEqual([1, expect.stringContaining("good.dat: good, ")]);
      expect(stderr).toMatch(/^tusk: -: a text would have .* \[tusk: too-long\]\n$/);
    });
  });
});
