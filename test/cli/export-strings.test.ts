// Damaged export strings: places are those of the text, or of the save inside, and it is said which.
import { deflateSync } from "node:zlib";
import { expect, test } from "vitest";
import { createElephantSync } from "../../src/elephant/index.ts";
import { run } from "./program.ts";

const codec = createElephantSync();
const value = { name: "Ada", list: Array.from({ length: 200 }, (_, i) => i * 7) };
const text = codec.exportString(value);

async function verify(input: string) {
  const { status, stderr } = await run(["verify", "-"], input);
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
