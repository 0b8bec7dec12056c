// Lists and values that a getter changes while they are written: the save can be read, and holds as many as its counts say.
import { describe, expect, test } from "vitest";
import { type EnigmaBackground, type EnigmaLocal, type EnigmaValue, readEnigma, writeEnigma } from "../../src/enigma/index.ts";
import type { TuskError } from "../../src/errors.ts";
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

describe.each(["binary", "json"] as const)("what a getter gives otherwise when it is asked again (%s)", (backend) => {
  /** A getter of `first`, which gives `other` each second time, or from the time `from` on. */
  const turning = <T>(first: T, other: T, from?: number) => {
    let asked = 0;
    return { get: () => (from === undefined ? (asked++ % 2 === 0 ? first : other) : asked++ < from ? first : other), enumerable: true };
  };

  test("an index: no other than the one that was looked at", () => {
    const cell = Object.defineProperty([0, 5], 0, turning<unknown>(3, '0":{},"x'));
    const value = { value: 1, array1d: table([], [cell]), array2d: empty } as unknown as EnigmaValue;
    const bytes = writeEnigma(gameOf([instanceOf(1, [{ name: "a", type: "var", value }])]), { backend });
    expect(readEnigma(bytes, { schema: schemaFor({ a: "var" }) }).active[0].classes[0].locals[0].value).toMatchObject({
      array1d: { sparse: [[3, 5]] },
    });
  });

  test("the size of a texture", () => {
    const texture = Object.defineProperty({ width: 1, height: 1, bgra: new Uint8Array(4) }, "width", turning(1, 2));
    const background: EnigmaBackground = {
      texture,
      width: 1,
      height: 1,
      bounds: { x: 0, y: 0, h: 1, w: 1 },
      isTileset: false,
      tileWidth: 0,
      tileHeight: 0,
      hOffset: 0,
      vOffset: 0,
      hSep: 0,
      vSep: 0,
    };
    const bytes = writeEnigma({ ...gameOf([]), backgrounds: [background] }, { backend });
    expect(readEnigma(bytes).backgrounds[0].texture).toEqual({ width: 1, height: 1, bgra: new Uint8Array(4) });
  });

  test("the name of a variable: one of them, or refused", () => {
    const outcomes = Array.from({ length: 10 }, (_, from) => {
      const local = Object.defineProperty({ name: "", type: "i32", value: 7 }, "name", turning("b", "c", from));
      const game = gameOf([instanceOf(1, [{ name: "a", type: "i32", value: 8 }, local])]);
      try {
        return readEnigma(writeEnigma(game, { backend }), { schema: schemaFor({ a: "i32", b: "i32", c: "i32" }) }).active[0].classes[0]
          .locals;
      } catch (error) {
        return (error as TuskError).code;
      }
    });
    for (const outcome of outcomes)
      if (outcome !== "unwritable")
        expect(outcome).toMatchObject([
          { name: "a", value: 8 },
          { name: expect.stringMatching(/[bc]/), value: 7 },
        ]);
    expect(outcomes.includes("unwritable")).toBe(backend === "binary");
  });

  test("the name of a variable that another one has, too: both variables, or refused", () => {
    const turns = Array.from({ length: 8 }, (_, from) => [turning("b", "a", from), turning("a", "b", from)]).flat();
    const onlyAt = (turn: number) => {
      let asked = 0;
      return { get: () => (asked++ === turn ? "a" : "b"), enumerable: true };
    };
    const given = [...turns, ...Array.from({ length: 8 }, (_, turn) => onlyAt(turn))];
    const codes = given.map((name) => {
      // What lies in the writer's buffer since.
      writeEnigma({ ...gameOf([]), backend: "json", prefix: new Uint8Array(2000).fill(0x77) });
      const local = Object.defineProperty({ name: "", type: "i32", value: 7 }, "name", name);
      const game = gameOf([instanceOf(1, [{ name: "a", type: "i32", value: 8 }, local])]);
      try {
        const bytes = writeEnigma(game, { backend });
        expect(Buffer.from(bytes).includes("wwwwwwww")).toBe(false);
        const values = readEnigma(bytes, { schema: schemaFor({ a: "i32", b: "i32" }) }).active[0].classes[0].locals.map(
          ({ value }) => value,
        );
        expect(values.sort()).toEqual([7, 8]);
        return "written";
      } catch (error) {
        const { code } = error as TuskError;
        if (code === undefined) throw error;
        return code;
      }
    });
    expect(new Set(codes)).toEqual(new Set(["written", "unwritable"]));
  });

  test("a pair of another iterator has two numbers", () => {
    class Pair extends Array<number> {
      override *[Symbol.iterator]() {
        yield* [1, 2, 3, 4] as const;
        return undefined;
      }
    }
    const instance = instanceOf(1);
    instance.timelines.timeline_moments_maps = [[Pair.from([5, 6]) as never]];
    expect(readEnigma(writeEnigma(gameOf([instance]), { backend })).active[0].timelines.timeline_moments_maps).toEqual([[[1, 2]]]);
  });
});

test.each([1, 6])("the last variable is taken from one of %i instances", (instances) => {
  const locals: EnigmaLocal[] = [{ name: "b", type: "i32", value: 7 }];
  Object.defineProperty(locals[0], "name", {
    get() {
      locals.length = 0;
      return "b";
    },
  });
  const all = Array.from({ length: instances }, (_, i) => instanceOf(i + 1, i === 0 ? locals : [{ name: "a", type: "i32", value: i }]));
  const read = readEnigma(writeEnigma(gameOf(all))).active;
  expect(read.map(({ classes }) => classes[0].locals.length)).toEqual(all.map((_, i) => (i > 0 || instances === 1 ? 1 : 0)));
});

describe("what a getter gives otherwise when it is asked again, in instances that the kernel writes", () => {
  const gameWith = (instances: number, locals: (index: number) => EnigmaLocal[]) =>
    gameOf(Array.from({ length: instances }, (_, i) => instanceOf(i + 1, locals(i))));
  const written = (before: EnigmaLocal, locals: (index: number) => EnigmaLocal[]) => {
    // What lies in the kernel's memory since, behind the others, too.
    writeEnigma(gameWith(5, () => [before]));
    const bytes = writeEnigma(gameWith(4, locals));
    expect(Buffer.from(bytes).includes("wwww")).toBe(false);
    return bytes;
  };

  test.each([1, 2, 3, 4, 5, 7])("raw bytes of another length, every %i times", (turns) => {
    let asked = 0;
    const local = {
      name: "a",
      get raw() {
        return new Uint8Array(++asked % turns === 0 ? 5000 : 1);
      },
    };
    const { active } = readEnigma(written({ name: "z", raw: new Uint8Array(5000).fill(0x77) }, () => [local]));
    expect(active).toHaveLength(4);
    for (const { classes } of active) {
      const { raw } = classes[0].locals[0];
      expect(raw).toEqual(new Uint8Array(raw!.length === 1 ? 1 : 5000));
    }
  });

  test("one more variable in the last: it is there or not", () => {
    const found = new Set<string>();
    for (let turn = 1; turn < 20; turn++) {
      let asked = 0;
      const locals: EnigmaLocal[] = [{ name: "a", type: "i32", value: 7 }];
      const [first] = locals;
      Object.defineProperty(locals, 0, {
        get() {
          if (++asked === turn) locals.push({ name: "b", type: "i32", value: 8 });
          return first;
        },
      });
      const bytes = written({ name: "z", type: "i32", value: 0x77777777 }, (i) =>
        i < 3 ? [{ name: "c", type: "i32", value: i }] : locals,
      );
      const { active } = readEnigma(bytes, { schema: schemaFor({ a: "i32", b: "i32", c: "i32" }) });
      expect(active).toHaveLength(4);
      found.add(active[3].classes[0].locals.map(({ name, value }) => `${name} ${value}`).join());
    }
    expect(found).toEqual(new Set(["a 7", "a 7,b 8"]));
  });
});
