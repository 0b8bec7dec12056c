// UTF-16 to UTF-8, short texts by JavaScript (src/elephant/byte-writer.ts) and others by blocks (assembly/elephant/write.ts), against the platform's encoder: characters of each length at each place of a block, and what cannot be
// stored at each place.
import { describe, expect, test } from "vitest";
import { createElephantSync, ENGINES } from "./codec.ts";
import { expectError } from "./expect-error.ts";

/** First and last characters of each length, and around the surrogates. */
const CHARACTERS = [
  "a",
  "\x01",
  "\x7f",
  "\x80",
  "é",
  "\u07ff",
  "\u0800",
  "界",
  "\ud7ff",
  "\ue000",
  "\uffff",
  "\u{10000}",
  "🐉",
  "\u{10ffff}",
];
const encoder = new TextEncoder();

describe.each(ENGINES)("%s", (engine) => {
  const codec = createElephantSync({ engine });
  /** A string as root: magic, version and tag before it; its end and the footer behind it. */
  const utf8 = (text: string): Uint8Array => codec.write(text).subarray(9, -5);
  const expectUtf8 = (text: string): void => {
    if (Buffer.compare(utf8(text), encoder.encode(text)) !== 0) expect(utf8(text), JSON.stringify(text)).toEqual(encoder.encode(text));
  };

  test("each character at each place, among characters of each length", () => {
    for (const around of ["a", "ж", "界", "🐉"]) {
      for (const one of CHARACTERS) {
        for (const length of [0, 1, 5, 11, 12, 22, 23, 24, 25, 31, 40, 56]) {
          for (let place = 0; place <= length; place++) {
            expectUtf8(around.repeat(place) + one + around.repeat(length - place));
          }
        }
      }
    }
  });

  test("every length of mixed text", () => {
    let state = 1;
    const random = (n: number): number => {
      state = (Math.imul(state, 1103515245) + 12345) >>> 0;
      return (state >>> 8) % n;
    };
    for (let length = 0; length < 400; length++) {
      for (const among of [2, 5, 9, CHARACTERS.length]) {
        expectUtf8(Array.from({ length }, () => CHARACTERS[random(among)]).join(""));
      }
    }
  });

  test.each([
    ["lone-surrogate", "\ud800"],
    ["lone-surrogate", "\udfff"],
    ["lone-surrogate", "\udc00\ud800"],
    ["nul-in-string", "\0"],
  ])("%s at each place: %j", (code, wrong) => {
    for (const around of ["a", "ж", "界", "🐉"]) {
      for (const length of [0, 4, 10, 40])
        for (let place = 0; place <= length; place++)
          expectError(() => codec.write(around.repeat(place) + wrong + around.repeat(length - place)), code);
    }
    expectUtf8("whole again ж");
  });
});
