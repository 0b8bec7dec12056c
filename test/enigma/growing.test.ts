// Lists to which a getter adds others while they are written: the save holds as many as its counts say.
import { describe, expect, test } from "vitest";
import { type EnigmaLocal, type EnigmaValue, readEnigma, writeEnigma } from "../../src/enigma/index.ts";
import { gameOf, instanceOf, schemaFor } from "./samples.ts";

/** `list`, the first element of which adds `added` whenever it is looked at, or while there are fewer than `most`. */
function growing<T>(list: T[], added: T, most = Number.POSITIVE_INFINITY): T[] {
  const [first] = list;
  Object.defineProperty(list, 0, {
    enumerable: true,
    get() {
      if (list.length < most) list.push(added);
      return first;
    },
  });
  return list;
}

const table = (dense: unknown[], sparse: unknown[] = []) => ({ max: 9, dense, sparse });
const empty = table([]);

const values: [type: string, make: () => unknown, written: unknown][] = [
  ["var", () => ({ value: 1, array1d: table(growing([1, 2], 9)), array2d: empty }), { value: 1, array1d: table([1, 2]), array2d: empty }],
  [
    "var",
    () => ({ value: 1, array1d: table([], growing([[1, 2]], [4, 5])), array2d: empty }),
    // Looked at before they are counted.
    { value: 1, array1d: table([], expect.arrayContaining([[1, 2]]) as never), array2d: empty },
  ],
  [
    "var",
    () => ({ value: 1, array1d: empty, array2d: table(growing([table([1])], empty)) }),
    { value: 1, array1d: empty, array2d: table([table([1])]) },
  ],
  ["vector<i32>", () => growing([1, 2], 3), [1, 2]],
  ["map<i32, i32>", () => growing([[1, 2]], [3, 4]), [[1, 2]]],
];

// The plain writer, and the kernel's.
describe.each([1, 6])("in %i instances", (instances) => {
  const written = (change: () => Partial<ReturnType<typeof instanceOf>>, locals: () => EnigmaLocal[], type = "var") => {
    const game = gameOf(Array.from({ length: instances }, (_, i) => ({ ...instanceOf(i + 1, locals()), ...change() })));
    return readEnigma(writeEnigma(game), type === "" ? {} : { schema: schemaFor({ a: type }) }).active;
  };

  test.each(values)("a value of type %s", (type, make, expected) => {
    for (const { classes } of written(
      () => ({}),
      () => [{ name: "a", type, value: make() as EnigmaValue }],
      type,
    ))
      expect(classes[0].locals[0].value).toEqual(expected);
  });

  test("names, moments and variables", () => {
    const { timelines } = instanceOf(1, []);
    const change = () => ({
      vmap: growing<[string, number]>([["b", 1]], ["c", 2]),
      timelines: { ...timelines, timeline_moments_maps: [growing<[number, number]>([[1, 2]], [3, 4])] },
    });
    const locals = () => growing<EnigmaLocal>([{ name: "a", type: "f64", value: 1 }], { name: "b", type: "f64", value: 2 }, 2);
    for (const instance of written(change, locals, "")) {
      expect(instance.vmap).toEqual([["b", 1]]);
      expect(instance.timelines.timeline_moments_maps).toEqual([[[1, 2]]]);
      // The plain writer gets those at which the kernel's has looked before it.
      const names = instances === 1 ? ["a"] : ["a", "b"];
      expect(instance.classes[0].locals.map(({ name, raw }) => [name, raw?.length])).toEqual(names.map((name) => [name, 8]));
    }
  });

  test("the list itself", () => {
    const list = Array.from({ length: instances }, (_, i) => instanceOf(i + 1, []));
    const game = { ...gameOf([]), order: "kept" as const, active: growing(list, instanceOf(99, [])) };
    expect(readEnigma(writeEnigma(game)).active.map(({ id }) => id)).toEqual(Array.from({ length: instances }, (_, i) => i + 1));
  });
});

describe("classes that a getter changes while JSON is written", () => {
  const written = (change: (instance: ReturnType<typeof instanceOf>) => void) => {
    const instance = instanceOf(1, []);
    let changed = false;
    Object.defineProperty(instance.planar, "x", {
      enumerable: true,
      get() {
        if (!changed) change(instance);
        changed = true;
        return 0;
      },
    });
    return () => writeEnigma({ ...gameOf([instance]), backend: "json" });
  };

  test("one more is not in the save", () => {
    const bytes = written(({ classes }) => classes.push({ ...classes[0] }))();
    expect(readEnigma(bytes).active[0].classes).toHaveLength(1);
  });

  test("one less is refused", () => {
    expect(written(({ classes }) => classes.pop())).toThrow(expect.objectContaining({ code: "unwritable" }));
  });
});
