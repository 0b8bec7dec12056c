// Damaged export strings: places are those of the text, or of the save inside, and it is said which.
import { deflateSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { createElephantSync } from "../../src/elephant/index.ts";
import { run } from "./program.ts";

const codec = createElephantSync();
const value = { name: "Ada", list: Array.from({ length: 200 }, (_, i) => i * 7) };
const text = codec.exportString(value);

async function verify(input: string, ...options: string[]) {
  const { status, stderr } = await run(["verify", ...options, "-"], input);
  expect(status).toBe(1);
  return { stderr, offset: Number(/at byte (\d+)/.exec(stderr)?.[1]) };
}

test.each([
  ["", ""],
  ["", "\r\n"],
  ["\n  ", "\n"],
])("a character that is none of base64, between %j and %j", async (before, after) => {
  const { stderr, offset } = await verify(`${before}${text.slice(0, 50)}!${text.slice(51)}${after}`);
  expect(offset).toBe(before.length + 50);
  expect(stderr).toContain(`^^ byte ${offset} `);
  expect(stderr).toContain("21");
});

test("damage inside the stream is told near its place in the text", async () => {
  // The letters of another stream, from here on.
  const damaged = text.slice(0, 400) + "A".repeat(text.length - 400);
  const { stderr, offset } = await verify(damaged);
  expect(stderr).toContain("export-string");
  expect(offset).toBeGreaterThanOrEqual(390);
  expect(offset).toBeLessThanOrEqual(damaged.length);
  const line = /^ {2}([0-9a-f]{8}) {2}.*\n {12} *\^\^/m.exec(stderr)!;
  expect(Number.parseInt(line[1], 16)).toBe(offset - (offset % 16));
});

test.each(["", "\n"])("a string that is cut off ends there, before %j", async (end) => {
  for (const length of [100, 101, 102, 103]) {
    const { stderr, offset } = await verify(text.slice(0, length) + end);
    expect(stderr).toContain("^^ the file ends here");
    expect(offset).toBe(length + end.length);
  }
});

test("a damaged save inside is shown as such", async () => {
  const bytes = Buffer.from(codec.write({ a: "text" }));
  const inside = async (save: Buffer) => (await verify(deflateSync(save).toString("base64"))).stderr;
  const cut = await inside(bytes.subarray(0, 16));
  expect(cut).toContain("\nthe save inside, unpacked:\n  00000000  50 45 4c 45 ");
  expect(cut).toContain("^^ the save ends here");
  bytes[13] = 99;
  expect(await inside(bytes)).toContain("the save inside, unpacked:\n");
});

test("a damaged string of 100 KB that is mostly padding is told in no more time than another one", async () => {
  const start = performance.now();
  const { stderr, offset } = await verify(`eJxjYGBg${"=".repeat(100_000)}A`);
  // By the square of its length it would be most of a minute.
  expect(performance.now() - start).toBeLessThan(5_000);
  expect(stderr).toContain("[elephant: export-string]");
  expect(offset).toBe(8);
});

describe("white space around a string", () => {
  test("comes back as far as the JSON keeps it", async () => {
    const file = ` \r\n\t${text}\t \r\n`;
    const json = (await run(["decode", "-"], file)).stdout;
    expect(JSON.parse(json.toString())).toMatchObject({ before: " \r\n\t", lineEnd: "\t \r\n" });
    expect((await run(["encode", "-"], json)).stdout.toString()).toBe(file);
  });

  test("may be long", async () => {
    const file = `${" ".repeat(61)}${"\n".repeat(70_000)}${text}`;
    expect((await run(["detect", "-"], file)).stdout.toString()).toBe("-\texport-string\n");
    const json = (await run(["decode", "-"], file)).stdout;
    expect((await run(["encode", "-"], json)).stdout.toString()).toBe(file);
  });

  test.each<[string, string, string]>([
    ["a form feed", "\f", ""],
    ["a vertical tab", "", "\v\n"],
    ["a space without break, as latin1 has it", "\n", "\xa0 "],
  ])("is told where it is of another kind: %s", async (_title, before, after) => {
    const { status, stdout, stderr } = await run(["decode", "-"], Buffer.from(`${before}${text}${after}`, "latin1"));
    const place = before === "\f" ? 0 : before.length + text.length;
    expect([status, stdout.length]).toEqual([1, 0]);
    expect(stderr).toContain(`(at byte ${place}) [elephant: export-string]`);
  });

  test("is no byte order mark, which is told as before", async () => {
    const marked = `\ufeff${text}`;
    expect((await run(["verify", "-"], marked)).stderr).toContain("3 bytes stand before what seems to be an Elephant export string");
    expect((await verify(marked, "--from", "export-string")).offset).toBe(0);
  });
});
