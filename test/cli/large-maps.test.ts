// Saves of more containers than a set or a map of the platform can hold, with small ones in their place.
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Call, OpenedSave } from "../../src/cli/command.ts";
import { differences } from "../../src/cli/commands/diff.ts";
import { BadFile, failureOf } from "../../src/cli/failure.ts";
import { elephant } from "../../src/cli/formats/elephant.ts";
import { elephantSizes } from "../../src/cli/formats/elephant-sizes.ts";
import { outline } from "../../src/cli/notation/graph-walk.ts";
import { restoreOriginal } from "../../src/cli/original.ts";
import { StructInstance } from "../../src/elephant/constructors.ts";

/** What V8 throws at 16,777,216 entries. */
const MOST = 10;
function checkRoom(kind: string, isThere: boolean, size: number): void {
  if (!isThere && size >= MOST) throw new RangeError(`${kind} maximum size exceeded`);
}

beforeEach(() => {
  class SmallSet extends Set<unknown> {
    override add(value: unknown): this {
      checkRoom("Set", this.has(value), this.size);
      return super.add(value);
    }
  }
  class SmallMap extends Map<unknown, unknown> {
    override set(key: unknown, value: unknown): this {
      checkRoom("Map", this.has(key), this.size);
      return super.set(key, value);
    }
  }
  vi.stubGlobal("Set", SmallSet);
  vi.stubGlobal("Map", SmallMap);
});
afterEach(() => void vi.unstubAllGlobals());

/** 101 containers, of which one occurs again. */
function many(): unknown[] {
  const root: unknown[] = Array.from({ length: 100 }, (_, i) => (i % 2 ? [] : new StructInstance("Hero", {})));
  return [...root, root[0]];
}

test("are walked through", () => {
  const root = many();
  const { containers, shared } = outline(root, elephant.vocabulary);
  expect([containers, [...shared]]).toEqual([101, [root[0]]]);
});

test("are measured", () => {
  const list = many() as object[];
  const root = new StructInstance("Hero", { list });
  const { bytes, nested } = elephantSizes(root, {});
  expect(bytes.size).toBe(102);
  // The outer one has written the name.
  for (const container of list) expect(bytes.get(container)).toBe(Array.isArray(container) ? 2 : 7);
  expect([root, ...list].map((container) => nested.has(container))).toEqual([false, ...list.map((container) => !Array.isArray(container))]);
});

test("are compared", () => {
  const opened = (value: unknown) => ({ format: elephant, save: { value, head: {} } }) as unknown as OpenedSave;
  const other = many();
  other[98] = [];
  expect(Array.from(differences(opened(many()), opened(other)), ({ path }) => path)).toEqual(["[98]"]);
});

test("that the digest of a kept file cannot be taken is told of the file", async () => {
  const twice = Array.from({ length: MOST + 1 }, () => []);
  const opened = { file: "big.json", format: elephant, save: { value: [...twice, ...twice], head: {} }, original: { original: "" } };
  const failure = restoreOriginal({} as Call, opened as unknown as OpenedSave);
  await expect(failure).rejects.toMatchObject({ file: "big.json", error: { code: "too-many" } });
});

test("an error of what is left is told as one of the file", () => {
  for (const kind of ["Set", "Map"]) {
    const failure = failureOf("big.dat", new RangeError(`${kind} maximum size exceeded`));
    expect(failure).toBeInstanceOf(BadFile);
    expect((failure as BadFile).message).toBe(
      "more than 16 million arrays and structs would have to be told apart, as many as can be here [tusk: too-many]",
    );
  }
  const other = new RangeError("Invalid array length");
  expect(failureOf("big.dat", other)).toBe(other);
});
