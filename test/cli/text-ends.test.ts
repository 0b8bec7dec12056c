// What stands behind a text in its file: line ends, the zero byte that GameMaker puts behind a buffer_string, and the rest of a buffer that was larger.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { writeDs } from "../../src/ds/index.ts";
import { createElephantSync } from "../../src/elephant/index.ts";
import { scratchFolder } from "../node/scratch.ts";
import { run } from "./program.ts";

const string = writeDs({ kind: "list", items: ["a", 1] });
const exported = createElephantSync().exportString({ hp: 5 });
const ENDS: [string, string][] = [
  ["a zero byte", "\0"],
  ["a buffer's", "\0".repeat(100)],
  ["a line end and a zero byte", "\n\0"],
  ["both mixed", "\0\r\n \0"],
];
/** More than is passed over at once. */
const LARGE: [string, string] = ["a large buffer's", "\0".repeat(200_001)];

const kinds: [string, string, string][] = [
  ["ds", string, "after"],
  ["export-string", exported, "lineEnd"],
];

describe.each(kinds)("behind the text of format %s", (format, text, member) => {
  test.each([...ENDS, LARGE])("%s comes back from the JSON", async (_title, end) => {
    const decoded = await run(["decode", "--indent", "0", "-"], text + end);
    expect(decoded).toMatchObject({ status: 0, stderr: "" });
    const document = JSON.parse(decoded.stdout.toString());
    expect([document.format, document[member], "original" in document]).toEqual([format, end, false]);
    const encoded = await run(["encode", "-"], decoded.stdout);
    expect([encoded.status, encoded.stderr, encoded.stdout.toString() === text + end]).toEqual([0, "", true]);
  });

  test.each(ENDS)("%s is passed over by all commands", async (_title, end) => {
    const bytes = text + end;
    const plain = (await run(["verify", "-"], text)).stdout.toString();
    expect(await run(["verify", "-"], bytes)).toEqual({
      status: 0,
      stdout: Buffer.from(plain.replace(`${text.length} B`, `${bytes.length} B`)),
      stderr: "",
    });
    expect((await run(["detect", "-"], bytes)).stdout.toString()).toBe(`-\t${format}\n`);
    const tree = (shown: Buffer) => shown.toString().split("\n").slice(1);
    expect(tree((await run(["inspect", "-"], bytes)).stdout)).toEqual(tree((await run(["inspect", "-"], text)).stdout));
    const file = join(scratchFolder(), "plain.txt");
    writeFileSync(file, text);
    expect(await run(["diff", file, "-"], bytes)).toEqual({ status: 0, stdout: Buffer.alloc(0), stderr: "" });
    const converted = (await run(["convert", "-"], bytes)).stdout.toString();
    expect(converted).toBe(bytes);
  });

  test("what is no white space and no zero byte is an error", async () => {
    const document = JSON.parse((await run(["decode", "-"], `${text}\0`)).stdout.toString());
    expect(await run(["encode", "-"], JSON.stringify({ ...document, [member]: "\0\v" }))).toMatchObject({
      status: 1,
      stderr: `tusk: -: "${member}" holds spaces and line ends, and zero bytes [tusk: notation]\n`,
    });
    for (const end of ["\x01", "\0\v"]) expect((await run(["verify", "-"], text + end)).status).toBe(1);
  });
});

test("zero bytes are not taken before an export string, also not from JSON", async () => {
  expect((await run(["verify", "-"], `\0${exported}`)).stderr).toContain("[tusk: unknown-format]");
  const document = JSON.parse((await run(["decode", "-"], `\n${exported}`)).stdout.toString());
  expect(await run(["encode", "-"], JSON.stringify({ ...document, before: "\0" }))).toMatchObject({
    status: 1,
    stderr: 'tusk: -: "before" holds spaces and line ends [tusk: notation]\n',
  });
});
