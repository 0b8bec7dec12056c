// What becomes of a text's line ends when it is edited in a field, which knows one kind of them.
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { ROOT } from "../package/installed.ts";

const { fieldText, withLineEnds } = (await import(
  pathToFileURL(join(ROOT, "examples/electron-save-inspector/renderer/line-ends.js")).href
)) as { fieldText(text: string): string; withLineEnds(typed: string, before: string): string };

test.each([
  ["a\rX\nb", "a\n\nb", "a\r\r\nb"],
  ["one\rtwo\nthree", "one\ntwo\n\nthree", "one\rtwo\n\rthree"],
  ["one\rtwo\r\nthree\n", "one\n\nthree\n", "one\r\r\nthree\n"],
])("a line that is emptied, or added, between %j's ends stays one", (before, typed, kept) => {
  expect(withLineEnds(typed, before)).toBe(kept);
});

/** All texts of up to `most` of these parts. */
function texts(most: number): string[] {
  let last = [""];
  const all = [...last];
  for (let length = 1; length <= most; length++) {
    last = last.flatMap((text) => ["a", "\r", "\n", "\r\n"].map((part) => text + part));
    all.push(...last);
  }
  return [...new Set(all)];
}

test("what was typed is what the field shows of it again, wherever a character comes, goes, or takes another's place", () => {
  for (const before of texts(4)) {
    const shown = fieldText(before);
    for (let at = 0; at <= shown.length; at++)
      for (const put of ["", "\n", "x"])
        for (const taken of [0, 1]) {
          const typed = shown.slice(0, at) + put + shown.slice(at + taken);
          const kept = withLineEnds(typed, before);
          if (fieldText(kept) !== typed) expect.fail(`${JSON.stringify(before)}, typed ${JSON.stringify(typed)}: ${JSON.stringify(kept)}`);
        }
  }
});
