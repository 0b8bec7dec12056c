// The golden vectors against a codec: formats/elephant.md as Elephant itself carried it out, all 723 of them. What a vector asks for
// is in vectors/elephant/README.md; each `op` is one function below.

import { inflateSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { type Elephant, LONG_RUN, type WriteOptions } from "./codec.ts";
import { type CompareOptions, differences } from "./compare.ts";
import { expectError, failure } from "./expect-error.ts";
import { buildValue, type Classes, type Notation, type TraceEntry } from "./notation.ts";
import { CodecPool, type CreateCodec } from "./vector-codecs.ts";
import { loadVectorSets, type Vector, vectorBytes, vectorInput, vectorText } from "./vector-files.ts";

/** The number of vectors: a set that fails to load must not pass as an empty one. */
const TOTAL = 723;

/** Where this codec goes another way than the vector, which way, and why. Everything else is matched. */
const DEVIATIONS: Record<string, "order-of-integer-names" | "honours-diffs-in-export" | "version-above-127" | "refuses"> = {
  // JavaScript objects enumerate names like "10" first and in numeric order: the bytes differ, the value read back must not.
  "structs/names-integer-like": "order-of-integer-names",
  // Elephant takes the argument and ignores it; §14 #11 honours it. Without the option the bytes are Elephant's.
  "export-strings/diffs-argument-ignored": "honours-diffs-in-export",
  // Readable, but the version byte of the releases we write has 7 bits: re-encoding is refused (§8).
  "legacy/1.1.0-version-200": "version-above-127",
  "legacy/1.2.0-version-200": "version-above-127",
  "legacy/1.2.1-version-200": "version-above-127",
  // A bug of release 1.2.1 made files that nobody can read (§12.2): an error, not a guess.
  "legacy/1.2.1-version-verbose": "refuses",
};

/** Milliseconds; the large saves take a fraction of a second each, more where the whole suite shares two cores. */
const TIMEOUT = 60_000;

/** Files up to this size are read this often, so that code paths made for shapes seen many times are checked too. */
const WARM_BYTES = 4096;
const WARM_READS = 12;

/** Ways of writing and of reading: into given memory, plainly, exactly and back again, with typed arrays, amid other bytes, often. */
type Way = "write" | "into" | "read" | "exact" | "typed" | "amid" | "warm";
const ALL_WAYS: readonly Way[] = ["write", "into", "read", "exact", "typed", "amid", "warm"];
/**
 * All ways in the two modes that other tests run in, too (MODES). What random graphs take in each mode, and all files in the other two: all ways in the four modes
 * together. In the long run all of them in each.
 */
const SOME_WAYS: readonly (readonly Way[])[] = [
  ["write", "into", "read", "warm"],
  ["write", "read", "exact"],
  ["write", "read", "typed", "warm"],
  ["write", "read", "amid"],
];
/** And files of more bytes. */
const LARGE_BYTES = 60_000;
const FEW_WAYS: readonly (readonly Way[])[] = [
  ["into", "read"],
  ["write", "exact"],
  ["write", "typed"],
  ["write", "amid"],
];

/** `mode` as for {@link testVectors}, `number` that of the vector. */
function waysOf(vector: Vector, mode: number | undefined, number: number): readonly Way[] {
  if (mode === undefined || LONG_RUN) return ALL_WAYS;
  const turn = mode + number;
  if (vector.bytes! > LARGE_BYTES) return FEW_WAYS[turn % FEW_WAYS.length];
  return vector.set === "fuzz" || mode === 1 || mode === 2 ? SOME_WAYS[turn % SOME_WAYS.length] : ALL_WAYS;
}

/**
 * One test per vector; of all sets, or of all but those named. `mode`: of four, 0 is WebAssembly with code generation, 3 JavaScript without; none is
 * given where there are no others.
 */
export function testVectors(title: string, create: CreateCodec, without: readonly string[] = [], mode?: number): void {
  describe(title, () => {
    let executed = 0;
    const codecs = new CodecPool(create);
    const all = loadVectorSets();
    const left = all.filter(({ set }) => without.includes(set)).reduce((sum, { vectors }) => sum + vectors.length, 0);
    for (const { set, vectors } of all.filter(({ set }) => !without.includes(set))) {
      describe(set, () => {
        for (const [i, vector] of vectors.entries()) {
          test(
            `${vector.name}: ${vector.exercises}`,
            async () => {
              executed++;
              const ways = waysOf(vector, mode, i);
              const run = new VectorRun(await vectorInput(vector), codecs, ways);
              if (vector.op === "binary") checkBinary(run);
              else if (vector.op === "prefixes") checkPrefixes(run);
              else if (vector.op === "exportString") checkExportString(run);
              else if (vector.op === "toJson") checkToJson(run);
              else if (vector.op === "fromJson") checkFromJson(run);
              else if (vector.op === "duplicate") checkDuplicate(run);
              else throw new Error(`unknown operation ${vector.op as string}`);
            },
            TIMEOUT,
          );
        }
      });
    }
    test(`${TOTAL - left} vectors were executed`, () => {
      expect(executed).toBe(TOTAL - left);
    });
  });
}

/** A vector with the codecs and classes of its two sides. */
class VectorRun {
  readonly vector: Vector;
  readonly ways: readonly Way[];
  readonly trace: TraceEntry[];
  readonly writeClasses: Classes;
  readonly readClasses: Classes;
  readonly writer: Elephant;
  readonly reader: Elephant;
  private readonly changes: boolean;
  private given: { value: unknown } | undefined;
  private expected: { value: unknown } | undefined;
  private exactly: { value: unknown } | undefined;

  constructor(vector: Vector, codecs: CodecPool, ways: readonly Way[]) {
    this.vector = vector;
    this.ways = ways;
    this.trace = codecs.trace;
    const write = codecs.side(vector.ctors);
    const read = vector.readCtors ? codecs.side(vector.readCtors) : write;
    this.writeClasses = write.classes;
    this.readClasses = read.classes;
    this.writer = write.codec;
    this.reader = read.codec;
    this.changes = Object.values(vector.ctors ?? {}).some(({ callbacks }) => callbacks !== undefined);
  }

  get deviation() {
    return DEVIATIONS[`${this.vector.set}/${this.vector.name}`];
  }

  /** The input value, a fresh one each time where callbacks change the one they are given. */
  input(): unknown {
    if (!this.given || this.changes) this.given = { value: buildValue(this.vector.value!, this.writeClasses) };
    return this.given.value;
  }

  /** What is read with its datatypes, once. */
  exact(): unknown {
    this.exactly ??= { value: this.reader.read(vectorBytes(this.vector), { scalars: "exact" }) };
    return this.exactly.value;
  }

  /** Runs one operation and returns its result with the callbacks it made. */
  traced<T>(operation: () => T): { result: T; trace: TraceEntry[] } {
    this.trace.length = 0;
    const result = operation();
    return { result, trace: this.trace.splice(0) };
  }

  /** `actual` must be what the vector gives as the result of reading. */
  expectReadValue(actual: unknown, options: CompareOptions = {}): void {
    const wanted = this.vector.readValue!;
    const same = wanted === "same" || wanted === "same-numeric";
    // What was written is what is expected: a write that changes it shows.
    const kept = same && !this.changes && this.readClasses === this.writeClasses;
    this.expected ??= { value: kept ? this.input() : buildValue(same ? this.vector.value! : wanted, this.readClasses) };
    const expected = this.expected.value;
    expect(differences(expected, actual, { ...options, numbers: wanted === "same-numeric" ? "values" : options.numbers })).toEqual([]);
  }
}

function checkBinary(run: VectorRun): void {
  const { vector } = run;
  if (run.deviation === "refuses") {
    expectError(() => run.reader.read(vectorBytes(vector)));
    return;
  }
  if (vector.dirs.includes("write")) checkWrite(run);
  if (vector.dirs.includes("read")) checkRead(run);
  if (vector.reencode) checkReencode(run);
}

function checkWrite(run: VectorRun): void {
  const { vector, writer } = run;
  const options = writeOptions(vector);
  if (vector.error?.on === "write") {
    const error = expectError(() => writer.write(run.input(), options), vector.error.category);
    expect(error.path, "a value that cannot be written is named by its path").toBeTypeOf("string");
    return;
  }
  const wanted = vectorBytes(vector);
  if (run.ways.includes("write")) {
    const { result, trace } = run.traced(() => writer.write(run.input(), options));
    if (run.deviation === "order-of-integer-names") {
      expect(result.length).toBe(wanted.length);
      run.expectReadValue(run.reader.read(result));
      return;
    }
    expectBytes(result, wanted);
    if (vector.writeTrace) expect(trace).toEqual(vector.writeTrace);
  }
  if (!run.ways.includes("into")) return;
  const target = new Uint8Array(wanted.length + 20).fill(0xa5);
  expect(writer.writeInto(run.input(), target, 7, options)).toBe(7 + wanted.length);
  expectBytes(target.subarray(7, 7 + wanted.length), wanted);
  expect([...target.subarray(0, 7), ...target.subarray(7 + wanted.length)].every((byte) => byte === 0xa5)).toBe(true);
}

function checkRead(run: VectorRun): void {
  const { vector, reader } = run;
  const bytes = vectorBytes(vector);
  if (vector.error?.on === "read") {
    const thrown = failure(() => reader.read(bytes));
    if (vector.orValue && !thrown) return;
    const error = expectError(() => {
      if (thrown) throw thrown;
    }, vector.error.category);
    expect(error.offset, "a file that means nothing is named by the byte").toBeTypeOf("number");
    return;
  }
  if (run.ways.includes("read")) {
    const { result, trace } = run.traced(() => reader.read(bytes));
    run.expectReadValue(result);
    if (vector.readTrace) expect(trace).toEqual(vector.readTrace);
  }
  if (run.ways.includes("exact")) run.expectReadValue(run.exact());
  if (run.ways.includes("typed")) run.expectReadValue(reader.read(bytes, { typedArrays: true }), { typedArrays: true });
  if (run.ways.includes("amid")) checkReadAmid(run);

  if (run.ways.includes("warm") && bytes.length <= WARM_BYTES) {
    let value: unknown;
    for (let i = 0; i < WARM_READS; i++) value = reader.read(bytes);
    run.expectReadValue(value);
  }
}

/** Somewhere in a larger buffer, with other data behind it. */
function checkReadAmid(run: VectorRun): void {
  const { vector, reader } = run;
  const bytes = vectorBytes(vector);
  const room = new Uint8Array(bytes.length + 16).fill(0x41);
  room.set(bytes, 5);
  const found = reader.readAt(room, 5);
  expect(found.end).toBe(5 + (vector.stopsAt ?? bytes.length));
  run.expectReadValue(found.value);
  // A scalar root looks the same in both dialects of 1.4.0.
  if (vector.elephant === "1.4.0-dev") expect(found.release).toMatch(/^1\.4\.0/);
  else expect(found.release).toBe(vector.elephant);
}

/**
 * What was read with its datatypes ("exact") and is written again gives the same bytes in the releases we write. For older ones the value takes the
 * same way through a 1.5.1 file and must arrive unchanged.
 */
function checkReencode(run: VectorRun): void {
  const { vector, reader } = run;
  if (run.deviation === "order-of-integer-names" || !run.ways.includes("exact")) return;
  const bytes = vectorBytes(vector);
  const value = run.exact();
  if (run.deviation === "version-above-127") {
    expectError(() => reader.write(value), "schema-key-invalid");
    return;
  }
  const again = reader.write(value, writeOptions(vector));
  if (isWritable(vector.elephant)) expectBytes(again, bytes.subarray(0, vector.stopsAt ?? bytes.length));
  else run.expectReadValue(reader.read(again));
}

function checkPrefixes(run: VectorRun): void {
  const bytes = vectorBytes(run.vector);
  for (let length = 0; length < bytes.length; length++) {
    expectError(() => run.reader.read(bytes.subarray(0, length)), run.vector.error!.category);
  }
}

function checkExportString(run: VectorRun): void {
  const { vector, writer, reader } = run;
  const bytes = vectorBytes(vector);
  const text = vectorText(vector, vector.exportString!);
  expectBytes(inflateSync(Buffer.from(text, "base64")), bytes);
  run.expectReadValue(reader.importString(text));
  if (!isWritable(vector.elephant)) {
    run.expectReadValue(reader.importString(writer.exportString(run.input())));
    return;
  }
  const withOptions = run.deviation === "honours-diffs-in-export" ? {} : writeOptions(vector);
  const exported = writer.exportString(run.input(), withOptions);
  expect(exported).toMatch(/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/);
  expectBytes(inflateSync(Buffer.from(exported, "base64")), bytes);
  if (run.deviation === "honours-diffs-in-export") {
    const shorter = writer.exportString(run.input(), writeOptions(vector));
    expectBytes(inflateSync(Buffer.from(shorter, "base64")), writer.write(run.input(), writeOptions(vector)));
    run.expectReadValue(reader.importString(shorter));
  }
}

function checkToJson(run: VectorRun): void {
  const { vector, writer, reader } = run;
  if (vector.dirs.includes("write")) {
    const { result, trace } = run.traced(() => writer.toJson(run.input(), vector.options));
    const wanted = buildValue(vector.json!);
    expect(differences(wanted, result)).toEqual([]);
    expectMemberOrder(vector.json!, result);
    if (vector.writeTrace) expect(trace).toEqual(vector.writeTrace);
  }
  if (vector.dirs.includes("read")) {
    const { result, trace } = run.traced(() => reader.fromJson(buildValue(vector.json!)));
    run.expectReadValue(result);
    if (vector.readTrace) expect(trace).toEqual(vector.readTrace);
    if (vector.jsonFile) {
      const text = JSON.parse(vectorText(vector, vector.jsonFile)) as unknown;
      run.expectReadValue(reader.fromJson(text), { nullIsUndefined: true, numbers: "values" });
    }
  }
}

function checkFromJson(run: VectorRun): void {
  const { vector, reader } = run;
  const json = () => buildValue(vector.json!);
  if (vector.error) {
    expectError(() => reader.fromJson(json()), vector.error.category);
    return;
  }
  const { result, trace } = run.traced(() => reader.fromJson(json()));
  run.expectReadValue(result);
  if (vector.readTrace) expect(trace).toEqual(vector.readTrace);
}

function checkDuplicate(run: VectorRun): void {
  const { vector, writer } = run;
  const options = { forceVerbose: vector.options?.forceVerbose };
  if (vector.error) {
    expectError(() => writer.duplicate(run.input(), options), vector.error.category);
    return;
  }
  const original = run.input();
  const { result, trace } = run.traced(() => writer.duplicate(original, options));
  const wanted = vector.result === "same" ? vector.value! : vector.result!;
  expect(differences(buildValue(wanted, run.writeClasses), result)).toEqual([]);
  if (vector.trace) expect(trace).toEqual(vector.trace);
  if (typeof original === "object") expect(result).not.toBe(original);
  const after = vector.valueAfter ?? vector.value!;
  if (!JSON.stringify(after).includes("$fn")) expect(differences(buildValue(after, run.writeClasses), original)).toEqual([]);
}

function isWritable(release: string): release is NonNullable<WriteOptions["release"]> {
  return release === "1.4.0" || release === "1.5.0" || release === "1.5.1";
}

function writeOptions(vector: Vector): WriteOptions {
  const options: WriteOptions = {};
  if (vector.options?.diffsOnly !== undefined) options.diffsOnly = vector.options.diffsOnly;
  if (isWritable(vector.elephant) && vector.elephant !== "1.5.1") options.release = vector.elephant;
  return options;
}

function expectBytes(actual: Uint8Array, expected: Uint8Array): void {
  if (Buffer.compare(actual, expected) === 0) return;
  let at = 0;
  while (at < actual.length && actual[at] === expected[at]) at++;
  const around = (bytes: Uint8Array) => Buffer.from(bytes.subarray(Math.max(0, at - 8), at + 24)).toString("hex");
  expect.fail(
    `bytes differ from ${at} on (${actual.length} bytes, expected ${expected.length}); from ${Math.max(0, at - 8)}: got ${around(actual)}, expected ${around(expected)}`,
  );
}

/** ToJSON's members come in ordinal order, after the two meta keys: the order is part of the result. */
function expectMemberOrder(json: Notation, actual: unknown): void {
  const open: [Notation, unknown][] = [[json, actual]];
  while (open.length > 0) {
    const [wanted, got] = open.pop()!;
    if (wanted === null || typeof wanted !== "object" || !wanted.v) continue;
    if (wanted.$arr !== undefined) {
      for (const [i, element] of (wanted.v as Notation[]).entries()) open.push([element, (got as unknown[])[i]]);
    } else {
      const members = wanted.v as [string, Notation][];
      expect(Object.keys(got as object)).toEqual(members.map(([name]) => name));
      for (const [name, value] of members) open.push([value, (got as Record<string, unknown>)[name]]);
    }
  }
}
