// JSON that people edit: what is wrong with it, and where.
import { constants } from "node:buffer";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { refuseInexactNumbers } from "../../src/cli/notation/inexact-numbers.ts";
import { parseNotation } from "../../src/cli/notation/read.ts";
import { scratchFolder } from "../node/scratch.ts";
import { run } from "./program.ts";

/** The error's text of `encode`. */
async function refusal(json: string): Promise<string> {
  const { status, stdout, stderr } = await run(["encode", "-"], json);
  expect([status, stdout.length], json).toEqual([1, 0]);
  return stderr;
}

/** A JSON text with this root. */
const withRoot = (root: string) => `{"tusk":1,"format":"elephant","root":${root}}`;

/** The character that the window's caret stands below, and the column it tells. */
function marked(stderr: string): { character: string; column: number } {
  const lines = stderr.split("\n");
  const caret = lines.findIndex((line) => /^ +\^ column \d+$/.test(line));
  expect(caret, stderr).toBeGreaterThan(0);
  return { character: lines[caret - 1][lines[caret].indexOf("^")], column: Number(/\d+$/.exec(lines[caret])![0]) };
}

describe("text that is no JSON", () => {
  test("a long line is shown around the place", async () => {
    const items = Array.from({ length: 500 }, (_, i) => i).join(",");
    const json = withRoot(`[${items},,"${"x".repeat(300)}"]`);
    const stderr = await refusal(json);
    expect(stderr).toMatch(/^tusk: -: this is not JSON: Unexpected token ',' \(in line 1\) \[tusk: notation\]\n/);
    expect(stderr).toMatch(/\n> {6}1 \| ….*497,498,499,,"x.*…\n/);
    expect(marked(stderr)).toEqual({ character: ",", column: json.indexOf(",,") + 2 });
    for (const line of stderr.split("\n")) expect(line.length).toBeLessThan(140);
  });

  test("two lines before the place and two behind it are shown, of each 120 characters at most", async () => {
    const line = (digit: string) => `"${digit.repeat(130)}",`;
    const lines = ["1", "2", "3", "4"].map(line);
    const wrong = `${"5".repeat(200)}x${"6".repeat(200)}`;
    const json = ['{"tusk":1,"format":"elephant","root":[', ...lines, wrong, ...lines].join("\n");
    const rows = (await refusal(json)).split("\n").slice(1, -1);
    expect(rows.filter((row) => !/^ +\^ column \d+$/.test(row))).toEqual([
      `       4 | "${"3".repeat(119)}…`,
      `       5 | "${"4".repeat(119)}…`,
      `>      6 | …${"5".repeat(60)}x${"6".repeat(59)}…`,
      `       7 | "${"1".repeat(119)}…`,
      `       8 | "${"2".repeat(119)}…`,
    ]);
  });

  test("the caret stands below the column, also behind characters that are shown as escapes", async () => {
    expect(marked(await refusal('{"tusk":1,\n"format":"\u202eé\u009b", x\n}'))).toEqual({ character: "x", column: 17 });
    // Of some that are shown as they are, each takes two columns, of others none.
    expect(await refusal('{"tusk":1,\n"format":"名前e\u0301😀", x\n}')).toContain(
      `\n>      2 | "format":"名前e\u0301😀", x\n${" ".repeat(11 + 20)}^ column 20\n`,
    );
    // So short that V8 shows all of it.
    expect(marked(await refusal('{"tusk":1,!}'))).toEqual({ character: "!", column: 11 });
    expect(marked(await refusal('{"tusk":1,"a":x}'))).toEqual({ character: "x", column: 15 });
    expect(marked(await refusal('{"tusk":1,"root":'))).toEqual({ character: undefined, column: 18 });
    // Behind the end of it, where V8 tells the place in other words.
    expect(marked(await refusal('{"tusk":1,\n"root":1} x'))).toEqual({ character: "x", column: 11 });
    expect(await refusal(`${withRoot(JSON.stringify("a long text ".repeat(20)))}}`)).toMatch(
      /Unexpected non-whitespace character after JSON \(in line 1\) \[/,
    );
    // Words of the text that sound like the message's.
    expect(marked(await refusal('{"tusk":1,\n"note":"a longer text", position 1 }'))).toEqual({ character: "p", column: 25 });
  });

  test("the caret stands behind the same tabs as the character above it", async () => {
    expect(await refusal('{"tusk":1,\n\t\t"note":\t"text",\tx\n}')).toContain(
      '\n>      2 | \t\t"note":\t"text",\tx\n           \t\t       \t       \t^ column 19\n',
    );
  });

  test("text that is no UTF-8, and text that no string holds", () => {
    expect(() => parseNotation(Uint8Array.of(0x22, 0xff, 0x22))).toThrow(/the JSON cannot be read: it is not UTF-8/);
    expect(() => parseNotation(Buffer.alloc(constants.MAX_STRING_LENGTH + 1, " "))).toThrow(
      /more characters than a string can hold here, 512 million/,
    );
  });
});

describe("bytes that are not UTF-8 are shown where the first of them stands", () => {
  const json = '{"tusk":1,"format":"elephant","root":"caf';
  /** Longer than what is checked at once, which ends within a character. */
  const long = "é€😀".repeat(3000);
  test.each<[string, string, string]>([
    ["JSON", json, '\xe9"}'],
    ["introspection text", 'oP = 100001\n{\n\t_s : string = "caf', '\xe9"\n}\n'],
    ["behind a long text", json + long, '\xe9"}'],
    ["behind a long text that stands elsewhere", `${json}x${long}`, `\xe9${"a".repeat(5000)}"}`],
    ["a character of which the rest is missing", json, '\xe2\x82"}'],
    ["the rest of a character", json, '\x82"}'],
    ["a surrogate", json, '\xed\xa0\x80"}'],
    ["a character that the file ends in", json, "\xf0\x9f"],
  ])("%s", async (_title, before, wrong) => {
    const { status, stderr } = await run(["verify", "-"], Buffer.concat([Buffer.from(before), Buffer.from(wrong, "latin1")]));
    expect([status, stderr]).toEqual([1, expect.stringContaining("not UTF-8")]);
    expect(stderr).toMatch(new RegExp(`\\n {2}[0-9a-f]{8} .*\\n +\\^\\^ byte ${Buffer.byteLength(before)} `));
  });

  test("also of a schema file", async () => {
    const schemas = join(scratchFolder(), "schemas.json");
    writeFileSync(schemas, Buffer.from('{"caf\xe9":1}', "latin1"));
    const { status, stderr } = await run(["verify", "--schema", schemas, "-"], withRoot("1"));
    expect([status, stderr]).toEqual([2, expect.stringContaining("^^ byte 5 (0x5)")]);
  });
});

describe("numbers that JavaScript's are not", () => {
  test.each<[string, string]>([
    ["1e400", "1e400"],
    ["-1e400", "-1e400"],
    ["[1, 1E+0999]", "1E+0999"],
    ['{"a": {"$f64": 1e309}}', "1e309"],
    ['["\\"1e1", "e999", 2e308]', "2e308"],
    [`[${"9".repeat(400)}]`, `${"9".repeat(60)}…`],
    [`[0.5, ${"9".repeat(400)}.5]`, `${"9".repeat(60)}…`],
  ])("infinity is not taken for %s", async (root, shown) => {
    const stderr = await refusal(withRoot(root));
    expect(stderr).toContain(`${shown} is larger than a number can be; infinity is written {"$number": "Infinity"} (in line 1)`);
    expect(marked(stderr).character).toBe(shown[0]);
  });

  test.each(["12345678901234567890", "-9007199254740993", '{"$u64": 18446744073709551615}', '["12345678901234567890", 9007199254740993]'])(
    "digits are not taken from %s",
    async (root) => {
      const stderr = await refusal(withRoot(root));
      const literal = /-?\d+(?=[}\]]?$)/.exec(root)![0];
      expect(stderr).toContain(`: ${literal} would become ${Number(literal)}, which is the nearest number`);
      expect(stderr).toContain('{"$bigint": "..."}');
    },
  );

  test("many numbers of many digits take no longer for standing far from a string", () => {
    const text = withRoot(`[${Array.from({ length: 200_000 }, (_, i) => 1_700_000_000_000_000 + i).join(",")}]`);
    const start = performance.now();
    refuseInexactNumbers(text);
    // 4 s where the next string was looked for from each of them.
    expect(performance.now() - start).toBeLessThan(1500);
    expect(() => refuseInexactNumbers(text.replace("1700000000199999", "12345678901234567891"))).toThrow(
      '{"$bigint": "..."}, in introspection "..."',
    );
    expect(() => refuseInexactNumbers(text.replace("1700000000199999", "98765432109876543210987"))).toThrow(
      /which is the nearest number \(/,
    );
  });

  test("numbers that are held, and texts that look like such numbers, are read", async () => {
    const root = [
      9007199254740992,
      18446744073709552000,
      "18446744073709551616",
      1.7976931348623157e308,
      0.30000000000000004,
      '"12345678901234567890 1e999',
      { 'a"12345678901234567891': "e12345" },
    ];
    const decoded = await run(["encode", "-"], withRoot(JSON.stringify(root)));
    expect(decoded).toMatchObject({ status: 0, stderr: "" });
    // Fractions are rounded as JSON is everywhere; a whole number is exact, however it is written.
    for (const exact of ["0.1234567890123456789012", "1e-400", "18446744073709551616", "1.23456789012345678901e19"])
      expect(await run(["encode", "-"], withRoot(exact))).toMatchObject({ status: 0, stderr: "" });
  });
});

describe("the outermost members", () => {
  test.each<[string, string]>([
    ['{"tusk":1,"format":"elephant"}', 'it has no "root"'],
    ['{"format":"elephant","root":1}', "this is JSON, but not what `tusk decode` writes"],
    ['{"tusk":1,"root":1}', 'it has no "format"'],
    [
      '{"tusk":1,"format":"elephant","relase":"1.4.0","root":1}',
      '"relase" is no member of the JSON of format elephant; there are tusk, format, release, after, root, original, originalOf',
    ],
    ['{"tusk":1,"format":"ds","release":"3","root":1}', '"release" is no member of the JSON of format ds'],
    ['{"tusk":1,"format":"elephant","after":"!!","root":1}', '"after" holds base64'],
    ['{"tusk":1,"format":"elephant","after":"an uaw==","root":1}', '"after" holds base64'],
    ['{"tusk":1,"format":"elephant","after":"AAAAB","root":1}', '"after" holds base64'],
    ['{"tusk":1,"format":"elephant","root":{"$undefined":false}}', '"$undefined" stands for undefined and holds true'],
    ['{"tusk":1,"format":"elephant","root":[{"$number":"nan"}]}', '"$number" holds "NaN", "-0", "Infinity", "-Infinity" (at [0])'],
    ['{"tusk":1,"format":"elephant","root":[{"$new":"A","$version":300,"$struct":{}}]}', '"$version" is a number from 0 to 255 (at [0])'],
  ])("%s", async (json, reason) => {
    expect(await refusal(json)).toContain(reason);
  });
});

test("the path of a wrong value is the one that --path takes", async () => {
  const good = withRoot('{"a":[1,{"b c":{"$u8":30}}]}');
  const path = /\(at (.+)\) \[/.exec(await refusal(good.replace("30", "300")))![1];
  expect(path).toBe('.a[1]["b c"]');
  expect((await run(["inspect", "--path", path, "-"], good)).stdout.toString()).toBe(`${path}  u8 30\n`);
});
