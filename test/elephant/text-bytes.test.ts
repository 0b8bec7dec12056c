// Text both ways. UTF-16 to UTF-8, short texts by JavaScript (src/elephant/write/byte-writer.ts) and others by blocks (assembly/elephant/write.ts), against
// the platform's encoder: characters of each length at each place of a block, and what cannot be stored at each place. UTF-8 to UTF-16
// (assembly/elephant/text.ts) against the platform's decoder: the same characters, and what is no UTF-8.
import { describe, expect, test } from "vitest";
import { file, text } from "./bytes.ts";
import { createElephantSync, ENGINES } from "./codec.ts";
import { differences } from "./compare.ts";
import { expectError } from "./expect-error.ts";
import { once } from "./once.ts";

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
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** Sequences that are no UTF-8, or only the beginning of some. */
const WRONG = [
  [0x80],
  [0xbf, 0x80],
  [0xc0, 0x80],
  [0xc1, 0xbf],
  [0xc2],
  [0xdf],
  [0xe0, 0x80, 0x80],
  [0xe0, 0x9f, 0xbf],
  [0xe0, 0xa0],
  [0xe2, 0x82],
  [0xe2],
  [0xed, 0xa0, 0x80],
  [0xed, 0xbf, 0xbf],
  [0xed, 0x9f],
  [0xed],
  [0xf0],
  [0xf0, 0x90],
  [0xf0, 0x9f, 0x90],
  [0xf0, 0x8f, 0xbf, 0xbf],
  [0xf4, 0x90, 0x80, 0x80],
  [0xf5, 0x80, 0x80, 0x80],
  [0xf8, 0x88, 0x80, 0x80, 0x80],
  [0xff],
];

/** Numbers below `n` by chance, the same for each run. */
function randomFrom(seed: number): (n: number) => number {
  let state = seed;
  return (n) => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    return (state >>> 8) % n;
  };
}

const joined = (texts: readonly string[]): Uint8Array => encoder.encode(texts.map((text) => `${text}\0`).join(""));

/** Texts of characters of few kinds and of many, of lengths on both sides of each limit, and their bytes. */
const mixedTexts = once(() => {
  const random = randomFrom(2);
  const lengths = [0, 1, 7, 23, 24, 25, 26, 40, 255, 256, 257, 2000, 8165, 8190, 8191, 8192, 8193, 13_000, 39_999, 40_000, 40_001];
  return [2, 5, 9, CHARACTERS.length].map((among) => {
    const text = (length: number): string => Array.from({ length }, () => CHARACTERS[random(among)]).join("");
    const texts = [
      ...lengths.flatMap((length) => [text(length), text(30), text(length), text(length)]),
      ...lengths.map((length) => "a".repeat(length)),
      ...Array.from({ length: 2000 }, () => text(random(60))),
      ...lengths.map(text),
    ];
    return { texts, expected: joined(texts) };
  });
});

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
    const random = randomFrom(1);
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

  /** An array of strings as root: its length and datatype before them. */
  const utf8Array = (texts: readonly string[], save = codec.write(texts)): Uint8Array => save.subarray(12, -4);

  test("strings of an array of any lengths, one by one or many by one call", async () => {
    for (const { texts, expected } of mixedTexts()) {
      expect(Buffer.compare(utf8Array(texts), expected)).toBe(0);
      expect(Buffer.compare(utf8Array(texts, await codec.writeAsync(texts)), expected), "in slices").toBe(0);
      for (let cut = 0; cut < 20; cut++)
        expect(Buffer.compare(utf8Array(texts.slice(cut)), expected.subarray(joined(texts.slice(0, cut)).length))).toBe(0);
    }
  });

  test.each([
    ["nul-in-string", ["\0"]],
    ["nul-in-string", ["", "\0\0"]],
    ["lone-surrogate", ["\ud83d", "\udc09"]],
    ["lone-surrogate", ["\udc09", "\ud83d"]],
  ])("%s in an array of strings: %j, and the place is told", (code, wrong) => {
    for (const around of ["a", "ж", "界", "🐉"]) {
      const texts = Array.from({ length: 600 }, (_, i) => around.repeat(20 + (i % 60)));
      for (const place of [0, 1, 2, 5, 150, 300, 598]) {
        const given = texts.with(place, texts[place] + wrong[0]);
        if (wrong.length > 1) given[place + 1] = wrong[1] + given[place + 1];
        const first = wrong[0] === "" ? place + 1 : place;
        expect(expectError(() => codec.write({ given }), code).path).toBe(`.given[${first}]`);
      }
      expect(utf8Array(texts)).toEqual(joined(texts));
    }
  });

  test("an element that is found out by code which uses the codec", () => {
    const texts = Array.from({ length: 300 }, (_, i) => "ж".repeat(20 + (i % 60)));
    const given = texts.slice();
    for (const place of [0, 7, 8, 299])
      Object.defineProperty(given, place, {
        get() {
          expect(codec.write(["other".repeat(20), "text".repeat(30)]).length).toBe(12 + 101 + 121 + 4);
          return texts[place];
        },
      });
    expect(utf8Array(texts, codec.write(given))).toEqual(joined(texts));
  });

  test("an element that is no string any more, once its array has begun", () => {
    let times = 0;
    const given = Array.from({ length: 300 }, (_, i) => "a".repeat(20 + (i % 60)));
    Object.defineProperty(given, 200, { get: () => (times++ === 0 ? "text" : 5) });
    expect(expectError(() => codec.write(given)).path).toBe("[200]");
    expectUtf8("whole again ж");
  });

  /** What strings of these bytes are read as: the texts of one array, so that the kernel reads them and not what is there for small saves. */
  const read = (texts: readonly Uint8Array[]): string[] => {
    const save = codec.write(texts.map(({ length }) => "a".repeat(length)));
    let at = save.length - 4;
    for (const text of texts.toReversed()) {
      at -= text.length + 1;
      save.set(text, at);
    }
    return codec.read(save) as string[];
  };
  const expectTexts = (texts: readonly Uint8Array[]): void => expect(read(texts)).toEqual(texts.map((text) => decoder.decode(text)));

  test("each character at each place is read", () => {
    for (const around of ["a", "ж", "界", "🐉", "aж", "界 "]) {
      for (const one of CHARACTERS) {
        const texts = Array.from({ length: 40 }, (_, place) => encoder.encode(around.repeat(place) + one + around.repeat(39 - place)));
        expectTexts([...texts, ...texts.map((text) => text.subarray(0, 20))]);
      }
    }
  });

  test.each(WRONG.map((wrong) => [Buffer.from(wrong).toString("hex"), wrong] as const))(
    "%s at each place is read as the platform reads it",
    (_, wrong) => {
      for (const around of ["a", "ж", "界", "🐉", "é"]) {
        for (const length of [0, 1, 3, 20]) {
          const texts = Array.from({ length: 40 }, (_, place) =>
            Uint8Array.from([...encoder.encode(around.repeat(place)), ...wrong, ...encoder.encode(around.repeat(length))]),
          );
          expectTexts([...texts, ...texts.map((text) => Uint8Array.from([...text, ...wrong, ...wrong]))]);
        }
      }
    },
  );

  test("surrogates of three bytes each are one character, at each place", () => {
    const pair = [0xed, 0xa0, 0xbd, 0xed, 0xb0, 0x89];
    for (const around of ["a", "ж", "界", "🐉"]) {
      const texts = Array.from({ length: 40 }, (_, place) =>
        Uint8Array.from([...encoder.encode(around.repeat(place)), ...pair, ...pair, ...encoder.encode(around)]),
      );
      expect(read(texts)).toEqual(texts.map((_, place) => `${around.repeat(place)}🐉🐉${around}`));
    }
  });

  test("strings in each form in which an engine holds them", () => {
    const letters = "abcdefghijklmnopqrstuvwxyzäöü0123456789".repeat(3);
    const forms: readonly ((i: number) => string)[] = [
      (i) => Object.keys({ [`name${i % 10}`]: 1 })[0]!,
      (i) => Object.keys({ [`имя${i % 10}`]: 1 })[0]!,
      (i) => String.fromCharCode(97 + (i % 26), 98, 99),
      (i) => String.fromCharCode(0x416 + (i % 26), 98, 99),
      (i) => letters.slice(i % 60, (i % 60) + 20),
      (i) => `界${letters}`.slice(i % 60, (i % 60) + 20),
      (i) => `left ${i} of ` + `right ${i} and more`,
      (i) => `left ${i} of ` + `право ${i} and more`,
      (i) => i.toString(36),
      () => "",
    ];
    const texts = Array.from({ length: 3000 }, (_, i) => forms[i % forms.length]!(i));
    // As a key, what was put together becomes a name.
    expect(texts.filter((text, i) => i % 3 === 0 && { [text]: 1 }[text] !== 1)).toEqual([]);
    const named = texts.map((text) => ({ [text]: text, text, list: [text, text] }));
    for (let round = 0; round < 4; round++) {
      for (const value of [texts, named]) expect(differences(value, codec.read(codec.write(value)))).toEqual([]);
      for (const text of texts.slice(0, 100)) expectUtf8(text);
    }
  });

  test("bytes by chance", () => {
    const random = randomFrom(7);
    const piece = (): readonly number[] => {
      const kind = random(10);
      if (kind === 0) return WRONG[random(WRONG.length)]!;
      if (kind === 1) return [1 + random(255)];
      return [...encoder.encode(CHARACTERS[random(CHARACTERS.length)])];
    };
    for (let round = 0; round < 20; round++) {
      const texts = Array.from({ length: 500 }, () => Uint8Array.from(Array.from({ length: random(30) }, piece).flat()));
      // What would be surrogates of three bytes each, which the platform does not join.
      expectTexts(texts.filter((text) => !/ed[ab].{3}ed[ab]/.test(Buffer.from(text).toString("hex"))));
    }
  });

  test("names that cannot be stored are refused however often they come", () => {
    const codec = createElephantSync({ engine });
    for (let i = 0; i < 20; i++) {
      expectError(() => codec.write({ "a\0b": 1 }), "nul-in-string");
      expectError(() => codec.write([{ "a\ud800": 1, b: 2 }]), "lone-surrogate");
    }
  });

  test("names and long texts that cannot be stored are refused where strings do not know whether they are well-formed", () => {
    const { isWellFormed } = String.prototype as { isWellFormed?: () => boolean };
    Reflect.deleteProperty(String.prototype, "isWellFormed");
    try {
      const codec = createElephantSync({ engine });
      const long = "x".repeat(50_000);
      for (const wrong of ["a\ud800", "\udc00b", `${long}\udc00\ud800`, `\ud83d${long}`]) {
        expectError(() => codec.write({ a: wrong }), "lone-surrogate");
        expectError(() => codec.write({ [wrong]: 1 }), "lone-surrogate");
      }
      for (const right of ["😀", `${long}😀`]) expect(codec.read(codec.write({ [right]: right }))).toEqual({ [right]: right });
    } finally {
      if (isWellFormed)
        Object.defineProperty(String.prototype, "isWellFormed", { value: isWellFormed, writable: true, configurable: true });
    }
  });

  test("a high surrogate in front of another character of three bytes", () => {
    const odd = "eda080 eeb080 00";
    const expected = "\ufffd\ufffd\ufffd\uec00";
    const codec = createElephantSync({ engine });
    expect(codec.read(file(`0b ${odd}`))).toBe(expected);
    expect(codec.read(file(`cd 0200 cc 0b ${text("x".repeat(600))} 0b ${odd}`))).toEqual(["x".repeat(600), expected]);
    expect(codec.read(file(`0b ${"c3a9".repeat(200_000)} ${odd}`))).toBe("é".repeat(200_000) + expected);
  });
});
