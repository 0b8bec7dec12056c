// A kept original comes back only while nothing beside it was edited: the values, the format, and what else stands beside the root.
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import zlib from "node:zlib";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import type { OpenedSave } from "../../src/cli/command.ts";
import { elephant } from "../../src/cli/formats/elephant.ts";
import { keepOriginal } from "../../src/cli/original.ts";
import { writeDs } from "../../src/ds/index.ts";
import { importBytes } from "../../src/elephant/export-string.ts";
import { DEFAULT_LIMITS } from "../../src/elephant/index.ts";
import { fileOf, schemaOf, vectorOf } from "../enigma/vectors.ts";
import { scratchFolder } from "../node/scratch.ts";
import { run } from "./program.ts";
import { generic } from "./saves.ts";

const OLD = readFileSync(new URL("../vectors/elephant/legacy/1.1.0-mixed.bin", import.meta.url));
const NOTE = "tusk: -: the JSON was edited, so the save is written anew in the form that this library writes\n";

const decoded = async (bytes: Uint8Array = OLD) => JSON.parse((await run(["decode", "-"], bytes)).stdout.toString());

describe("an edit beside the root is no less one than an edit of the values", () => {
  test.each(["1.4.0", "1.5.1"])("release %s", async (release) => {
    const document = await decoded();
    const json = JSON.stringify({ ...document, release });
    const { status, stdout, stderr } = await run(["encode", "-"], json);
    expect([status, stderr]).toEqual([0, NOTE]);
    expect(generic.readAt(stdout, 0)).toMatchObject({ release, end: stdout.length });
    expect((await run(["verify", "-"], json)).stdout.toString()).toContain(`: good, Elephant save, release ${release}, `);
  });

  test("a release that is none", async () => {
    const { status, stdout, stderr } = await run(["encode", "-"], JSON.stringify({ ...(await decoded()), release: "9" }));
    expect([status, generic.readAt(stdout, 0).release]).toEqual([0, "1.5.1"]);
    expect(stderr).toContain("release 9 cannot be written; this is 1.5.1");
    expect(stderr).toContain(NOTE);
  });

  test("bytes behind the save", async () => {
    const { status, stdout, stderr } = await run(["encode", "-"], JSON.stringify({ ...(await decoded()), after: "AAAA" }));
    expect(status).toBe(0);
    expect(stderr).toContain(NOTE);
    expect(stdout.subarray(generic.readAt(stdout, 0).end)).toEqual(Buffer.alloc(3));

    const followed = await decoded(Buffer.concat([OLD, Buffer.from("behind")]));
    delete followed.after;
    const without = (await run(["encode", "-"], JSON.stringify(followed))).stdout;
    expect(generic.readAt(without, 0).end).toBe(without.length);
  });

  test("the format", async () => {
    const { status, stdout, stderr } = await run(["encode", "-"], JSON.stringify({ ...(await decoded()), format: "export-string" }));
    expect(status).toBe(0);
    expect(stderr).toContain(NOTE);
    const inside = importBytes(stdout.toString(), DEFAULT_LIMITS.maxInflatedBytes);
    expect(generic.readAt(inside, 0)).toMatchObject({ release: "1.5.1", value: generic.read(OLD) });
  });

  test.each<[string, unknown, string]>([
    ["release", 5, '"release" is a release of Elephant, e.g. "1.5.1"'],
    ["after", "***", '"after" holds base64'],
  ])("%s: what cannot be written is an error, also for verify", async (name, content, told) => {
    const json = JSON.stringify({ ...(await decoded()), [name]: content });
    for (const command of ["encode", "verify"])
      expect(await run([command, "-"], json)).toMatchObject({ status: 1, stderr: expect.stringContaining(told) });
  });
});

test.each<[string, unknown, string]>([
  ["no base64", "*", "holds base64"],
  ["no text", 5, "holds base64"],
  ["no zlib stream", "AAAA", "is no zlib stream"],
])("an original that is %s is an error, also for verify", async (_title, original, told) => {
  const json = JSON.stringify({ ...(await decoded()), original });
  for (const command of ["encode", "verify"])
    expect(await run([command, "-"], json)).toMatchObject({ status: 1, stderr: `tusk: -: "original" ${told} [tusk: notation]\n` });
});

test("an original may inflate to 1 GiB, and no more", async () => {
  const inflate = zlib.inflateSync;
  // A millionth of the sizes does.
  const inflating = vi.spyOn(zlib, "inflateSync").mockImplementation((bytes, options) => {
    return inflate(bytes, { maxOutputLength: options!.maxOutputLength! / 2 ** 20 });
  });
  syncBuiltinESMExports();
  onTestFinished(() => {
    inflating.mockRestore();
    syncBuiltinESMExports();
  });
  const followed = (bytes: number) => Buffer.concat([OLD, Buffer.alloc(bytes - OLD.length)]);
  const encoded = async (bytes: number) => run(["encode", "-"], JSON.stringify(await decoded(followed(bytes))));
  expect(await encoded(1024)).toEqual({ status: 0, stdout: followed(1024), stderr: "" });
  expect(await encoded(1025)).toMatchObject({ status: 1, stderr: 'tusk: -: "original" inflates to more than 1 GiB [tusk: notation]\n' });
});

test("a larger file is not kept", () => {
  const opened = (length: number) =>
    ({ file: "a", format: elephant, save: { value: 1, head: {} }, bytes: { length } }) as unknown as OpenedSave;
  expect(() => keepOriginal(opened(2 ** 30 + 1))).toThrow(
    expect.objectContaining({ error: expect.objectContaining({ code: "too-long" }) }),
  );
});

describe("a kept file with other values than the JSON", () => {
  const otherValues = (by = "") =>
    `tusk: -: the file that the JSON keeps has other values than the JSON${by}, so the save is written anew in the form that this library writes\n`;
  const RELEASE = "tusk: -: release 1.1.0 cannot be written; this is 1.5.1\n";
  const packed = (bytes: Uint8Array | string) => zlib.deflateSync(bytes).toString("base64");

  test.each<[string, Uint8Array]>([
    ["is no save", Buffer.alloc(9)],
    ["is another save", generic.write({ hp: 1 })],
    ["is the same in another release", generic.write(generic.read(OLD))],
    ["has other bytes behind it", Buffer.concat([OLD, Buffer.alloc(1)])],
  ])("that %s is not what encode writes", async (_title, bytes) => {
    const document = await decoded();
    const json = JSON.stringify({ ...document, original: packed(bytes) });
    const { status, stdout, stderr } = await run(["encode", "-"], json);
    expect([status, stderr]).toEqual([0, otherValues() + RELEASE]);
    expect(generic.readAt(stdout, 0)).toMatchObject({ release: "1.5.1", value: generic.read(OLD), end: stdout.length });
    expect(await run(["verify", "-"], json)).toMatchObject({ status: 0, stderr: RELEASE });
  });

  test("also of opened ds strings", async () => {
    const text = (hp: number) => writeDs({ kind: "list", items: [writeDs({ kind: "list", items: [hp] })] });
    const document = JSON.parse((await run(["decode", "--nested", "-"], text(1).toLowerCase())).stdout.toString());
    expect((await run(["encode", "-"], JSON.stringify(document))).stdout.toString()).toBe(text(1).toLowerCase());
    const json = JSON.stringify({ ...document, original: packed(text(2).toLowerCase()) });
    expect(await run(["encode", "-"], json)).toEqual({ status: 0, stdout: Buffer.from(text(1)), stderr: otherValues() });
  });

  test("is only known by the schemas of structs that have some; without them it comes back, and a note says so", async () => {
    const unchecked =
      "tusk: -: whether the file that the JSON keeps has these values was not checked: that takes the game's schemas (--schema)\n";
    const folder = scratchFolder();
    const schemas = (content: unknown) => {
      writeFileSync(join(folder, "game.json"), JSON.stringify(content));
      return ["--schema", join(folder, "game.json")];
    };
    const strict = readFileSync(new URL("../vectors/elephant/legacy/1.1.0-strict.bin", import.meta.url));
    const knight = schemas({ Knight: { v1: { name: "string", hp: "u16", gear: "any" } } });
    const json = (await run(["decode", ...knight, "-"], strict)).stdout;
    const encoded = { status: 0, stdout: strict };
    expect(await run(["encode", ...knight, "-"], json)).toEqual({ ...encoded, stderr: "" });
    expect(await run(["encode", "-"], json)).toEqual({ ...encoded, stderr: unchecked });
    expect(await run(["verify", "-"], json)).toMatchObject({ status: 0, stderr: unchecked });
    // No schema helps a file that is none.
    const forged = JSON.stringify({ ...JSON.parse(json.toString()), original: packed(Buffer.alloc(9)) });
    expect(await run(["encode", ...knight, "-"], forged)).toMatchObject({ status: 0, stderr: otherValues(" by these schemas") + RELEASE });
    expect((await run(["encode", "-"], forged)).stderr).toContain("[elephant: schema-missing]");
    expect(await run(["encode", ...schemas({ Squire: { v1: {} } }), "-"], json)).toEqual({ ...encoded, stderr: unchecked });

    const vector = vectorOf("bin-array1d-dense-padded");
    const game = Buffer.from(fileOf(vector));
    const objects = schemas(schemaOf(vector));
    const typed = (await run(["decode", "-q", ...objects, "-"], game)).stdout;
    expect(typed.toString()).toContain('"originalOf": ');
    expect(await run(["encode", ...objects, "-"], typed)).toEqual({ status: 0, stdout: game, stderr: "" });
    expect(await run(["encode", "-"], typed)).toEqual({ status: 0, stdout: game, stderr: unchecked });
    // Of another file decode keeps the original without schemas, too: those that the call gives are no hindrance.
    const other = Buffer.from(fileOf(vectorOf("bin-vmap-one")));
    const untyped = (await run(["decode", "-q", "-"], other)).stdout;
    expect(untyped.toString()).toContain('"originalOf": ');
    expect(await run(["encode", ...objects, "-"], untyped)).toEqual({ status: 0, stdout: other, stderr: "" });
  });
});

test("members in another order and other spaces are no edit", async () => {
  const document = await decoded(Buffer.concat([OLD, Buffer.from("behind")]));
  const turned = Object.fromEntries(Object.entries(document).reverse());
  const { stdout, stderr } = await run(["encode", "-"], JSON.stringify(turned, null, 3));
  expect([stdout.equals(Buffer.concat([OLD, Buffer.from("behind")])), stderr]).toEqual([true, ""]);
});

test("the digest is that of the JSON with the values only, in one line", async () => {
  const { originalOf, ...document } = await decoded(Buffer.concat([OLD, Buffer.from("behind")]));
  delete document.original;
  const json = (await run(["decode", "--values-only", "--indent", "0", "-"], JSON.stringify(document))).stdout;
  expect(createHash("sha256").update(json).digest("hex")).toBe(originalOf);
});

test("without its digest the original is of no use, and what decode makes of that JSON is read again", async () => {
  const { originalOf, ...document } = await decoded();
  expect(originalOf).toMatch(/^[0-9a-f]{64}$/);
  const json = (await run(["decode", "-"], JSON.stringify(document))).stdout;
  expect(JSON.parse(json.toString())).toEqual(document);
  expect(await run(["encode", "-"], json)).toMatchObject({ status: 0, stderr: expect.stringContaining(NOTE) });
});
