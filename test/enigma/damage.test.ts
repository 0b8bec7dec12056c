// What a damaged file may do: give a game or throw a TuskError of a known code, in bounded time. Every prefix and flipped bits of small vectors, with
// the checksum ignored, so that the readers behind it are met.
import { isDeepStrictEqual } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readRegion } from "../../src/enigma/binary/value-reader.ts";
import { Warnings } from "../../src/enigma/failure.ts";
import { type EnigmaLocal, type EnigmaReadOptions, readEnigma, TuskError, type TuskWarning, writeEnigma } from "../../src/enigma/index.ts";
import { JsonCursor } from "../../src/enigma/json/cursor.ts";
import { keyOf } from "../../src/enigma/text.ts";
import { parseType } from "../../src/enigma/value-type.ts";
import { LONG_RUN } from "../long-run.ts";
import { readPlainly } from "./plainly.ts";
import { gameOf, instanceOf, schemaFor } from "./samples.ts";
import { fileOf, manifest, schemaOf, type Vector } from "./vectors.ts";

const CODES = new Set(
  "too-short truncated lead-byte bad-variant-type bad-table trailing-bytes unknown-object json-syntax json-object-type json-missing-key json-bad-value json-texture-size".split(
    " ",
  ),
);

// A million errors are made here; their stacks would take most of the time.
const { stackTraceLimit } = Error;
beforeAll(() => {
  Error.stackTraceLimit = 0;
});
afterAll(() => {
  Error.stackTraceLimit = stackTraceLimit;
});

const TIMEOUT = 60000;

/** The suite flips every fifth bit, which visits each bit of a byte in turn, and each file from another one on; the long run all of them. */
const STEP = LONG_RUN ? 1 : 5;
/** It cuts at every third place, of each file at others, and at all of the last that are read. */
const CUTS = LONG_RUN ? 1 : 3;
const EDITS = LONG_RUN ? 12_000 : 2000;
const DIGITS = LONG_RUN ? 20e6 : 5e6;

type Outcome = { game: ReturnType<typeof readEnigma>; warned: boolean } | { code: string; offset: number | undefined };

function outcomeOf(bytes: Uint8Array, options: EnigmaReadOptions, read = readEnigma): Outcome {
  let warned = false;
  try {
    const game = read(bytes, { ...options, checksum: "ignore", onWarning: () => (warned = true) });
    return { game, warned };
  } catch (error) {
    if (!(error instanceof TuskError) || error.format !== "enigma" || !CODES.has(error.code)) throw error;
    return { code: error.code, offset: error.offset };
  }
}

/** Every game that was read can be written, and one that was read without a warning as it stood in the file. */
function checkLossless(bytes: Uint8Array, outcome: Outcome): void {
  if (!("game" in outcome)) return;
  const written = writeEnigma(outcome.game);
  if (outcome.warned) return;
  // Not `expect`, which costs more than reading: this runs for every bit.
  if (Buffer.compare(written.subarray(0, -20), bytes.subarray(0, -20)) !== 0) throw new Error("read without a warning, written otherwise");
}

function small(backend: "binary" | "json", most: number): Vector[] {
  return manifest.vectors.filter(
    (vector) => vector.backend === backend && vector.outcome !== "error" && vector.size <= most && !vector.gzip,
  );
}

test(
  "every prefix gives a TuskError",
  () => {
    let ran = 0;
    for (const [number, vector] of [...small("binary", 720), ...small("json", 1360)].entries()) {
      const bytes = fileOf(vector);
      for (let n = 0; n < bytes.length; n++) {
        if ((n + number) % CUTS > 0 && n > 0 && n < bytes.length - 42) continue;
        const outcome = outcomeOf(bytes.subarray(0, n), { schema: schemaOf(vector), backend: vector.backend });
        if (!("code" in outcome)) throw new Error(`a game of ${n} bytes`);
        if (!(outcome.offset! <= n)) throw new Error(`an error at ${outcome.offset} of ${n} bytes`);
        ran++;
      }
    }
    expect(ran).toBeGreaterThan(20000 / CUTS);
  },
  TIMEOUT,
);

for (const backend of ["binary", "json"] as const)
  test(
    `${backend}: flipped bits give a game or a TuskError, and a game without a warning is written as it was`,
    () => {
      let ran = 0;
      const seen = new Map<string, number>();
      // Vectors of one kind share their instance; one of each is enough.
      const kinds = new Set<string>();
      for (const vector of small(backend, backend === "binary" ? 640 : 1360)) {
        if (kinds.has(vector.kind)) continue;
        kinds.add(vector.kind);
        const bytes = fileOf(vector).slice();
        const schema = schemaOf(vector);
        for (let bit = kinds.size % STEP; bit < (bytes.length - 20) * 8; bit += STEP) {
          bytes[bit >> 3]! ^= 1 << (bit & 7);
          const outcome = outcomeOf(bytes, { schema });
          const code = "code" in outcome ? outcome.code : "game";
          seen.set(code, (seen.get(code) ?? 0) + 1);
          checkLossless(bytes, outcome);
          bytes[bit >> 3]! ^= 1 << (bit & 7);
          ran++;
        }
      }
      expect(ran).toBeGreaterThan(20000 / STEP);
      // The readers were really met: games and most errors occur.
      expect(seen.size).toBeGreaterThan(4);
    },
    TIMEOUT,
  );

test(
  "the kernel and the plain reader agree on flipped bits of a save with several instances",
  () => {
    for (const id of ["bin-plain-three", "bin-evo-treeA", "bin-vmap-many-corrected", "bin-evo-unitA"]) {
      const vector = manifest.vectors.find((candidate) => candidate.id === id)!;
      const bytes = fileOf(vector).slice();
      const schema = schemaOf(vector);
      for (let bit = 0; bit < (bytes.length - 20) * 8; bit += STEP) {
        bytes[bit >> 3]! ^= 1 << (bit & 7);
        const plain = outcomeOf(bytes, { schema }, readPlainly);
        const engine = bit % 2 ? "wasm" : "js";
        const found = outcomeOf(bytes, { schema, engine });
        if (!isDeepStrictEqual(found, plain)) expect(found, `${id} bit ${bit}`).toEqual(plain);
        bytes[bit >> 3]! ^= 1 << (bit & 7);
      }
    }
  },
  TIMEOUT,
);

/** A small generator of its own, so that a failure can be repeated by its number. */
function generator(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** Changes, cuts, copies and overwrites somewhere in a file, up to four times. */
function edited(vectors: readonly Vector[], bytes: Uint8Array, random: (below: number) => number): Uint8Array {
  let result = bytes.slice();
  for (let times = random(4) + 1; times > 0 && result.length > 40; times--) {
    const at = random(result.length - 20);
    const length = random(40) + 1;
    switch (random(5)) {
      case 0:
        result[at] = random(256);
        break;
      case 1:
        result = new Uint8Array(Buffer.concat([result.subarray(0, at), result.subarray(at + length)]));
        break;
      case 2: {
        const other = fileOf(vectors[random(vectors.length)]!);
        const from = random(other.length);
        result = new Uint8Array(Buffer.concat([result.subarray(0, at), other.subarray(from, from + length), result.subarray(at)]));
        break;
      }
      case 3:
        result.copyWithin(at, random(result.length - 20), random(result.length - 20));
        break;
      default:
        result.fill([0, 0xff, 0xbb, 0xaa, 1][random(5)]!, at, at + random(9));
    }
  }
  return result;
}

test(
  "random edits of any vector: kernel and plain reader agree, nothing is lost, what is written can be read",
  () => {
    const vectors = manifest.vectors.filter(({ outcome, gzip }) => outcome !== "error" && !gzip);
    let games = 0;
    for (let run = 0; run < EDITS; run++) {
      const random = generator(run);
      const vector = vectors[random(vectors.length)]!;
      const bytes = edited(vectors, fileOf(vector), random);
      if (bytes.length < 21) continue;
      const schema = random(3) ? schemaOf(vector) : undefined;
      const found = outcomeOf(bytes, { schema, engine: random(2) ? "wasm" : "js" });
      const isBinary = "game" in found ? found.game.backend === "binary" : vector.backend === "binary" && !found.code.startsWith("json");
      if (isBinary) {
        const plain = outcomeOf(bytes, { schema }, readPlainly);
        if (!isDeepStrictEqual(found, plain)) expect(found, `run ${run}`).toEqual(plain);
      }
      if (!("game" in found)) continue;
      checkLossless(bytes, found);
      const written = writeEnigma(found.game);
      if (Buffer.compare(writeEnigma(readEnigma(written, { schema })), written) !== 0)
        throw new Error(`run ${run}: written twice, not the same`);
      games++;
    }
    expect(games).toBeGreaterThan(EDITS / 15);
  },
  TIMEOUT,
);

test("claimed counts allocate nothing", () => {
  const vector = manifest.vectors.find(({ id }) => id === "bin-one-instance")!;
  const schema = schemaOf(vector);
  const before = process.memoryUsage().arrayBuffers + process.memoryUsage().heapUsed;
  const start = performance.now();
  for (let at = 0; at + 8 <= 434; at++) {
    for (const claim of [0x7fffffffffffffffn, 0xffffffffn, 0x100n]) {
      const bytes = fileOf(vector).slice();
      new DataView(bytes.buffer).setBigUint64(at, claim);
      outcomeOf(bytes, { schema });
    }
  }
  expect(performance.now() - start).toBeLessThan(5000);
  expect(process.memoryUsage().arrayBuffers + process.memoryUsage().heapUsed - before).toBeLessThan(64 * 2 ** 20);
});

test(
  "a number or bare word of any length takes no more than its bytes",
  () => {
    const vector = manifest.vectors.find(({ id }) => id === "json-one-instance")!;
    const text = Buffer.from(fileOf(vector)).toString("latin1");
    const digits = "7".repeat(DIGITS);
    const read = (before: RegExp, after: string, type = "f64") => {
      const bytes = new Uint8Array(Buffer.from(text.replace(before, after), "latin1"));
      const locals = ["barfoo", "foobar"].map((name) => ({ name, type }));
      const start = performance.now();
      const outcome = outcomeOf(bytes, { schema: { objects: [{ index: 0, name: "o", locals }] } });
      expect(performance.now() - start, `${before} ${type}`).toBeLessThan(3000);
      return "game" in outcome ? outcome.game.active[0]!.classes[0]!.locals[0]! : outcome.code;
    };
    const data = /(?<="barfoo","data":).*?\]\}/;
    expect(read(/(?<="room_index":)\d+/, digits)).toBe("json-bad-value");
    expect(read(/(?<="x":)\d+/, "x".repeat(DIGITS))).toBe("json-bad-value");
    expect(read(/(?="room_index":)/, `"more":${digits},`)).toHaveProperty("damaged", true);
    for (const type of ["i64", "var"]) expect(read(data, digits, type)).toHaveProperty("raw.length", DIGITS);
    expect(read(data, `${digits}x`)).toHaveProperty("raw.length", DIGITS + 1);
    // A float may have any number of digits, and all of them count.
    expect(read(data, digits)).toHaveProperty("raw.length", DIGITS);
    expect(read(data, `0.${"0".repeat(DIGITS)}${digits}e${DIGITS + 1}`)).toHaveProperty("value", 7.777777777777778);
  },
  TIMEOUT,
);

test(
  "maps whose compact reading leads through all instances behind them, to nowhere, do not make reading slow",
  () => {
    const zeros = (n: number) => new Uint8Array(n);
    const word = (n: number) => Uint8Array.of(0, 0, 0, 0, n >>> 24, n >>> 16, n >>> 8, n);
    const text = (given: string) => [word(given.length), Buffer.from(given)];
    const one = Uint8Array.of(0, 0x3f, 0xf0, 0, 0, 0, 0, 0, 0);
    const whole = fileOf(manifest.vectors.find(({ id }) => id === "bin-one-instance")!);
    const head = whole.subarray(8, 8 + 221);
    const count = 1000;
    // Padded, each map has one variable of one element, or three variables. Compactly the last byte of a length is that of the next field, the first of a
    // number that means nothing, and leads into the data of the class, where an empty variable and the length of a name lead to the next instance: to
    // the same place there, or, as a count of three ends the reading, to the end of the file.
    for (const more of [[], ["b", "c"]]) {
      const others = more.flatMap((name) => [...text(name), zeros(57)]);
      const gap = 23 + 34 + others.reduce((sum, { length }) => sum + length, 0);
      const size = 385 + gap;
      const instances = Array.from({ length: count }, (_, i) => [
        head,
        word(more.length > 0 ? 3 : 0),
        ...[...text("a"), zeros(9), word(1), word(0), word(1), zeros(8), one, zeros(31), Uint8Array.of(gap), zeros(23)],
        ...others,
        ...[Uint8Array.of(0xbb), word(1), ...text("z"), word(0), word(65), zeros(57)],
        word(more.length > 0 ? (count - 1 - i) * size + 22 : size - 65),
      ]).flat();
      const file = Buffer.concat([word(count), ...instances, whole.subarray(-42)]);
      const start = performance.now();
      const { active } = readEnigma(file, { checksum: "ignore" });
      expect(performance.now() - start).toBeLessThan(3000);
      expect(active).toHaveLength(count);
      for (const { vmap } of active) expect(vmap!.map(([name]) => name)).toEqual(["a", ...more]);
    }
  },
  TIMEOUT,
);

test("a chain of a hundred thousand classes in JSON is read without recursion", () => {
  const vector = manifest.vectors.find(({ id }) => id === "json-one-instance")!;
  const text = Buffer.from(fileOf(vector)).toString("latin1");
  const deep = text.replace('{"obj":', '{"obj":'.repeat(100000)).replace(',"locals":', ',"locals":[]}'.repeat(99999) + ',"locals":');
  const game = readEnigma(new Uint8Array(Buffer.from(deep, "latin1")), { checksum: "ignore" });
  expect(game.active[0]!.classes.length).toBe(100000);
  const broken = `\0{"instance_list":[{"obj":{"event_parent":${"[".repeat(1e6)}`;
  expect(outcomeOf(new Uint8Array(Buffer.from(broken.padEnd(broken.length + 20))), {})).toMatchObject({ code: "json-syntax" });
});

/** A save of one variable, whole or of bytes. */
const saveOf = (local: object) => writeEnigma(gameOf([instanceOf(1, [{ name: "v", ...local } as EnigmaLocal])]));

/** What is read where the last bytes of a var are missing; the engine forgets eight for each row. */
function cutBy(missing: number, sparse: unknown[]): EnigmaLocal {
  const none = { max: 0, dense: [], sparse: [] };
  const value = { value: 0, array1d: none, array2d: { max: 5, dense: [], sparse } };
  const { raw } = readEnigma(saveOf({ type: "var", value })).active[0]!.classes[0]!.locals[0]!;
  return readEnigma(saveOf({ raw: raw!.slice(0, -missing) }), { schema: schemaFor({ v: "var" }) }).active[0]!.classes[0]!.locals[0]!;
}

test("the last of several sparse rows is recovered as far as it goes", () => {
  const row = { max: 9, dense: [], sparse: [5, 7, 8].map((key) => [key, key / 2]) };
  const rows = [1, 2, 3].map((key) => [key, row]);
  const recovered = { array2d: { sparse: [...rows.slice(0, 2), [3, { sparse: row.sparse.slice(0, 1) }]] } };
  expect(cutBy(24, rows)).toMatchObject({ damaged: true, recovered });
});

test("the last sparse row may end in any of its parts", () => {
  const row = (sparse: unknown[], dense: unknown[] = []) => ({ max: 9, dense, sparse });
  // Behind its largest index; inside the index of its one element; inside the length of a text.
  for (const [last, part] of [
    [row([]), row([])],
    [row([[5, 1]]), row([])],
    [row([], [1, ""]), row([], [1])],
  ] as const) {
    const whole = [1, row([[7, "x"]])];
    expect(cutBy(16, [whole, [2, last]])).toMatchObject({ damaged: true, recovered: { array2d: { sparse: [whole, [2, part]] } } });
  }
});

test("more sparse rows than the bytes could be of are not recovered", () => {
  const none = { max: 0, dense: [], sparse: [] };
  const rows = [1, 2, 3].map((key) => [key, none]);
  expect(cutBy(24, rows)).toHaveProperty("recovered");
  expect(cutBy(25, rows)).not.toHaveProperty("recovered");
});

test("rows that lack more than eight bytes each are not recovered", () => {
  const rows = [1, 2, 3, 4].map((key) => [key, { max: 3, dense: key === 1 ? [1, 2, 3] : [], sparse: [] }]);
  expect(cutBy(32, rows)).toMatchObject({ damaged: true, recovered: { array2d: { max: 5 } } });
  expect(cutBy(40, rows)).toMatchObject({ damaged: true });
  expect(cutBy(40, rows)).not.toHaveProperty("recovered");
});

test("there are as many warnings of single variables as asked for, and one of the rest", () => {
  const names = ["a", "b", "c", "d"];
  const save = writeEnigma(
    gameOf([
      instanceOf(
        1,
        names.map((name) => ({ name, raw: Uint8Array.of(1, 2, 3) })),
      ),
    ]),
  );
  const warnings: string[] = [];
  const onWarning = ({ code, message }: TuskWarning) => warnings.push(`${code}: ${message}`);
  readEnigma(save, { schema: schemaFor(Object.fromEntries(names.map((name) => [name, "f64"]))), limits: { maxWarnings: 2 }, onWarning });
  expect(warnings).toEqual([/^damaged-local: /, /^damaged-local: /, /^more-warnings: 2 more/].map((text) => expect.stringMatching(text)));
});

test("a list of more elements than an array can grow by is refused before it is made, or where it has become as long: a RangeError, which is limit then", () => {
  // Memory that nobody touches is none yet.
  const bytes = new Uint8Array(8 + 112_000_001);
  const view = new DataView(bytes.buffer);
  view.setUint32(4, 112_000_001);
  expect(() => readRegion(bytes, view, 0, bytes.length, parseType("vector<u8>"))).toThrow(RangeError);
  const { push } = Array.prototype;
  // As if there had been so many before.
  const pushed = function (this: unknown[]) {
    this.length = 112_000_001;
    return this.length;
  };
  const element = `{"a":[0,0,0]}`;
  const cursor = new JsonCursor(Buffer.from(element), 5, element.length, new Warnings(0));
  Array.prototype.push = pushed;
  try {
    expect(() => cursor.array(() => cursor.word())).toThrow(RangeError);
    const nested = "[[[[0]]]]";
    expect(() => new JsonCursor(Buffer.from(nested), 0, nested.length, new Warnings(0)).skip()).toThrow(RangeError);
  } finally {
    Array.prototype.push = push;
  }
});

test("a name that is bytes is told from others by one character for each", () => {
  const names = Array.from({ length: 256 }, (_, byte) => keyOf(new Uint8Array(5000).fill(byte)));
  expect(new Set(names).size).toBe(256);
  expect(names[200]).toHaveLength(5001);
  expect(keyOf(new Uint8Array([0xff, 0x31]))).not.toBe(keyOf("\xff1"));
});
