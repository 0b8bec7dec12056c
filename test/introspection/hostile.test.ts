// Broken and hostile texts: a value or a TuskError, in bounded time, whatever comes.

import { readdirSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { bindBlock } from "../../src/introspection/bind.ts";
import { IntrospectionDatabase } from "../../src/introspection/definitions.ts";
import { describeInstance } from "../../src/introspection/describe.ts";
import type { ItemsNode } from "../../src/introspection/document.ts";
import {
  bindIntrospection,
  getIntrospectionValue,
  type IntrospectionMode,
  introspectionFromJson,
  introspectionToJson,
  readIntrospection,
  readIntrospectionAll,
  writeIntrospection,
  writeIntrospectionAll,
  writeIntrospectionDocument,
} from "../../src/introspection/index.ts";
import { Lines } from "../../src/introspection/lines.ts";
import { withDefaults } from "../../src/introspection/options.ts";
import { writeOriginal } from "../../src/introspection/original-writer.ts";
import { Place } from "../../src/introspection/place.ts";
import { run } from "../../src/introspection/trampoline.ts";
import { LONG_RUN } from "../long-run.ts";
import { errorOf } from "./error-code.ts";

// Errors by the hundred thousand: their stacks are not looked at, and writing them down takes much of the time.
const { stackTraceLimit } = Error;
beforeAll(() => {
  Error.stackTraceLimit = 0;
});
afterAll(() => {
  Error.stackTraceLimit = stackTraceLimit;
});

const folder = new URL("../vectors/introspection/cases/", import.meta.url);
const small = readdirSync(folder)
  .filter((name) => name.endsWith(".txt"))
  .map((name) => readFileSync(new URL(name, folder), "utf8"))
  .filter((text) => text.length < 700);
/** The suite flips every fifth bit, which are others for each character; the long run all of them. */
const STEP = LONG_RUN ? 1 : 5;
/** It cuts at every fourth place inside of lines, of each text at others, and at each around the ends of lines. */
const CUTS = LONG_RUN ? 1 : 4;
const modes: IntrospectionMode[] = ["superset", "original"];

/** Reads in both modes; what reads is written again byte for byte. Anything but a TuskError is thrown on. Returns how many were read. */
function survive(text: string): number {
  let read = 0;
  for (const mode of modes) {
    errorOf(() => {
      const document = readIntrospection(text, { mode });
      read++;
      // An assertion per text would take most of the time.
      if (writeIntrospectionDocument(document) !== text) expect.unreachable(`not written again: ${JSON.stringify(text)}`);
    });
  }
  return read;
}

describe("damaged vectors", () => {
  it("every prefix", () => {
    let read = 0;
    for (const [number, text] of small.entries()) {
      for (let end = 0; end < text.length; end++) {
        const atLineEnd = text.slice(Math.max(end - 1, 0), end + 1).includes("\n");
        if (atLineEnd || (end + number) % CUTS === 0) read += survive(text.slice(0, end));
      }
    }
    expect(read).toBeGreaterThan(small.length);
  });
  it("flips of one bit", () => {
    let read = 0;
    for (const text of small.filter(({ length }) => length < 250)) {
      for (let index = 0; index < text.length; index++) {
        for (let bit = index % STEP; bit < 8; bit += STEP) {
          read += survive(text.slice(0, index) + String.fromCharCode(text.charCodeAt(index) ^ (1 << bit)) + text.slice(index + 1));
        }
      }
    }
    expect(read).toBeGreaterThan(1000 / STEP);
  }, 30_000);
  it("random edits", () => {
    const piece = fc.constantFrom("\n", "\t", "}", "{", "\r", '"', " : ", " = ", "e", "#", "[", "\\", "int", "array =", "g0,0");
    fc.assert(
      fc.property(fc.constantFrom(...small), fc.array(fc.tuple(fc.nat(), piece, fc.nat(3)), { maxLength: 4 }), (text, edits) => {
        let edited = text;
        for (const [at, put, drop] of edits) {
          const index = at % (edited.length + 1);
          edited = edited.slice(0, index) + put + edited.slice(index + drop);
        }
        survive(edited);
      }),
      { numRuns: LONG_RUN ? 10_000 : 1500 },
    );
  });
});

const nested = (depth: number) => {
  const lines = ["o = 1", "{"];
  for (let level = 1; level <= depth; level++)
    lines.push(`${"\t".repeat(level)}${level === 1 ? "v" : "l0"} : list =`, `${"\t".repeat(level)}{`);
  for (let level = depth; level >= 0; level--) lines.push(`${"\t".repeat(level)}}`);
  return `${lines.join("\n")}\n\r\n`;
};

describe("limits", () => {
  it("511 blocks inside the outermost are read, bound and written by default, one more is depth-limit", () => {
    const text = nested(511);
    const document = readIntrospection(text);
    expect(writeIntrospectionDocument(document)).toBe(text);
    const types = Array<string>(511).fill("list");
    expect(bindIntrospection(document, { o: [{ name: "v", types }] }).variables.v).toBeInstanceOf(Array);
    expect(errorOf(() => readIntrospection(nested(512)))).toBe("depth-limit line 1025");
  });
  it("depth never meets the host's stack", () => {
    const limits = { maxDepth: 4000 };
    const text = nested(3500);
    const document = readIntrospection(text, { limits });
    expect(writeIntrospectionDocument(document, { limits })).toBe(text);
    expect(errorOf(() => introspectionFromJson(introspectionToJson(document, limits), limits))).toBe("no error");
    bindIntrospection(document, { o: [{ name: "v", types: Array<string>(3500).fill("list") }] }, { limits });
  });
  it("a grid's size alone makes no room", () => {
    expect(errorOf(() => readIntrospection("o = 1\n{\n\tg : grid = 4000000000x0\n\t{\n\t}\n}\n"))).toBe("size-limit line 3");
    expect(errorOf(() => readIntrospection("o = 1\n{\n\tg : grid = 1000000x1000000\n\t{\n\t}\n}\n"))).toBe("missing-cell line 5");
    // Nor where nothing bounds it.
    const limits = { maxGridSide: Number.POSITIVE_INFINITY };
    for (const width of ["4294967296", "134000001", "9".repeat(400)])
      expect(errorOf(() => readIntrospection(`o = 1\n{\n\tg : grid = ${width}x0\n\t{\n\t}\n}\n`, { limits }))).toBe("size-limit line 3");
  });
  it("nor do many grids: the columns of all without height have one limit", () => {
    const grid = (name: string, size: string) => `\t${name} : grid = ${size}\n\t{\n\t}\n`;
    const object = (...grids: string[]) => `o = 1\n{\n${grids.join("")}}\n`;
    const limits = { maxGridSide: 10 };
    const read = (text: string) => errorOf(() => readIntrospectionAll(text, { limits }));
    expect(read(object(grid("a", "5x0"), grid("b", "0x10"), grid("c", "5x0")))).toBe("no error");
    expect(read(object(grid("a", "5x0"), grid("b", "6x0")))).toBe("size-limit line 6");
    expect(read(object(grid("a", "5x0")) + object(grid("a", "6x0")))).toBe("size-limit line 9");
  });
});

describe("time grows with the size only", () => {
  // Each text is hostile to one search; quadratic work on 400 KB would take minutes.
  const repeat = (piece: string) => piece.repeat(Math.ceil(400_000 / piece.length));
  /** At each level a string with something else behind it than the definition says, so the rest is searched for its end. */
  const levels = Array.from({ length: 500 }, (_, depth) =>
    [`${depth > 0 ? "x : " : ""}o = 1`, "{", '\ta : string = "x"', "\tx : int = 1"].map((line) => "\t".repeat(depth) + line).join("\n"),
  );
  it.each([
    ["digits", `o = 1\n{\n\tv : int = ${repeat("9")}\n}\n`],
    ["fraction", `o = 1\n{\n\tv : float = 1.${repeat("9")}x\n}\n`],
    ["separators", `o = 1\n{\n\t${repeat("a : ")}\n}\n`],
    ["types", `o = 1\n{\n\t${repeat("a : int = ")}\n}\n`],
    ["open strings", `o = 1\n{\n\tm : map =\n\t{\n\t\t${repeat('a : string = "')}\n\t}\n}\n`],
    ["objects", `o = 1\n{\n\t${repeat("a : o = 1")}\n}\n`],
    ["one word", `o = 1\n{\n\tv : ${repeat("a")} = 5\n}\n`],
    ["escapes", `o = 1\n{\n\tv : string = e"${repeat("\\n")}"\n}\n`],
    ["quoted label", `o = 1\n{\n\t"${repeat("\\\\")}" : int = 1\n}\n`],
    ["lines of open strings", `o = 1\n{\n${repeat('\ta : string = "x\n')}}\n`],
    ["lines of broken strings", `o = 1\n{\n${repeat('\ta : string = "x"\nz\n')}}\n`],
    ["levels of broken strings", `${levels.join("\n")}\n${repeat('"\n').repeat(3)}`],
    ["blank lines", `o = 1\n{\n}\n${repeat("\r\n")}`],
    ["objects in a row", repeat('o = 1\n{\n\ta : string = "x"\n}\n\r\n')],
  ])("%s", (_, text) => {
    const definitions = {
      o: [
        { name: "a", types: ["string"] },
        { name: "b", types: ["string"] },
      ],
    };
    const start = performance.now();
    for (const mode of modes) {
      errorOf(() => readIntrospectionAll(text, { mode }));
      errorOf(() => readIntrospectionAll(text, { mode, definitions }));
    }
    expect(performance.now() - start).toBeLessThan(5000);
  });
  it("not with the tabs before a line, asked for again at each of its separators", () => {
    const isBrace = vi.spyOn(Lines.prototype, "isBrace");
    const tabs = "\t".repeat(100);
    errorOf(() => readIntrospection(`o = 1\n{\n\ts : string = "a\n"\n${tabs}${" : a = ".repeat(100)}\n${tabs}{\n`, { mode: "original" }));
    expect(isBrace.mock.calls.filter(([, depth]) => depth === 100).length).toBeLessThan(5);
    isBrace.mockRestore();
  });
  it("nor with numbers that V8, which has no seed for them, finds at one place of a Map", () => {
    const keys: string[] = [];
    const { add } = Set.prototype;
    const { set } = Map.prototype;
    Set.prototype.add = function (value) {
      keys.push(typeof value);
      return add.call(this, value);
    };
    Map.prototype.set = function (key, value) {
      keys.push(typeof key);
      return set.call(this, key, value);
    };
    try {
      const text =
        "o = 1\n{\n\tg : grid = 2x2\n\t{\n\t\tg1,0 : int = 1\n\t\tg0,0 : int = 1\n\t\tg0,1 : int = 1\n\t\tg1,1 : int = 1\n\t}\n" +
        "\tm : map =\n\t{\n\t\t[1.23e45] : int = 1\n\t}\n}\n";
      readIntrospection(text, {
        definitions: {
          o: [
            ["g", ["grid", "int"]],
            ["m", ["map", "int"]],
          ],
        },
      });
    } finally {
      Set.prototype.add = add;
      Map.prototype.set = set;
    }
    expect(new Set(keys)).toEqual(new Set(["string"]));
  });
  it("not with the depth and the kinds of objects of which a string is searched for its end", () => {
    const tabs = (depth: number) => "\t".repeat(depth);
    const kinds = Array.from({ length: 20 }, (_, kind) => `o${kind}`);
    const definitions = Object.fromEntries(kinds.map((kind) => [kind, [["v", ["string"]] as const, [`w${kind}`, ["string"]] as const]]));
    const levels = Array.from({ length: 100 }, (_, index) => {
      const [outside, inside] = [tabs(index + 1), tabs(index + 2)];
      const objects = kinds.map(
        (kind) => `${outside}a : ${kind} = 5\n${outside}{\n${inside}v : string = "x"\n${inside}z : int = 1\n${outside}}\n`,
      );
      return `${objects.join("")}${outside}n : q = 5\n${outside}{\n`;
    });
    const closing = Array.from({ length: 101 }, (_, index) => `${tabs(100 - index)}}\n`);
    const text = `r = 1\n{\n${levels.join("")}${`${tabs(101)}s : string = "x"\n`.repeat(10_000)}${closing.join("")}`;
    const start = performance.now();
    expect(errorOf(() => readIntrospection(text, { mode: "original", definitions }))).toBe("undefined-object at ");
    expect(performance.now() - start).toBeLessThan(5000);
  });
});

describe("what is longer than the engine's longest string", () => {
  it("is too-long for the writers, whose text it would be", () => {
    const definitions = { o: [{ name: "v", types: ["list", "string"] }] } as never;
    const instance = { object: "o", id: 1, variables: { v: Array<string>(9).fill("x".repeat(2 ** 28)) } };
    expect(errorOf(() => writeIntrospection(definitions, instance, { mode: "original" }))).toBe("too-long");
    // What stands around a string may leave no room for it. Bun's strings are longer.
    const longest = { object: "o", id: 1, variables: { v: "x".repeat(2 ** 29 - 30) } };
    if (!("bun" in process.versions))
      expect(errorOf(() => writeIntrospection({ o: [{ name: "v", types: ["string"] }] }, longest, { mode: "original" }))).toBe("too-long");
    let list: object = { type: "list", items: [] };
    // The tabs alone are too many.
    for (let depth = 0; depth < 40_000; depth++) list = { type: "list", items: [list] };
    const document = { type: "object", object: "o", id: 1, variables: [{ name: "v", ...list }] } as never;
    const limits = { maxDepth: 50_000 };
    for (const call of [
      () => writeIntrospection(null, document, { limits }),
      () => writeIntrospectionDocument(document, { limits }),
      () => writeIntrospectionAll([document], { limits }),
      () => introspectionToJson(document, limits),
      () => introspectionFromJson(document, limits),
    ])
      expect(errorOf(call)).toBe("too-long");
  });
  it("nor are few instances that stand for many", () => {
    const shared = (levels: number) => {
      let instance: object = { object: "o", id: 0, variables: { a: null, b: null } };
      for (let id = 1; id < levels; id++) instance = { object: "o", id, variables: { a: instance, b: instance } };
      return instance;
    };
    const variables = ["a", "b"].map((name) => ({ name, types: ["object"] }));
    const limits = { ...withDefaults(), visited: 4_000_000 - 1022 };
    const context = () => ({ database: new IntrospectionDatabase({ o: variables } as never), limits: { ...limits } });
    for (const write of [
      (levels: number) => describeInstance(shared(levels) as never, context()),
      (levels: number) => writeOriginal(shared(levels) as never, context()),
    ]) {
      expect(errorOf(() => write(9))).toBe("no error");
      expect(errorOf(() => write(10))).toBe("too-long at .b.b.b.b.b.b.b.b.b");
    }
  });
  it("nor are few lists that are bound", () => {
    const bind = (levels: number) => () => {
      let list: ItemsNode = { type: "list", items: [] };
      for (let level = 1; level < levels; level++) list = { type: "list", items: [list, list] };
      run(bindBlock(list, undefined, { database: undefined, limits: { ...withDefaults(), visited: 4_000_000 - 1022 } }, new Place()));
    };
    expect(errorOf(bind(9))).toBe("no error");
    expect(errorOf(bind(10))).toBe("too-long at [1][1][1][1][1][1][1][1][1]");
  });
  it("is no reason to hide what a structure throws", () => {
    const definitions = { o: [{ name: "v", types: ["custom"], extra: { structure: "s" } }] } as never;
    const s = { toFields: () => [].constructor(-1), fromFields: () => null } as never;
    const write = () => writeIntrospection(definitions, { object: "o", id: 1, variables: { v: 5 } }, { structures: { s } });
    expect(write).toThrow(RangeError);
  });
  it("nor what the iterable of documents throws, or an object that the original writes", () => {
    const wrong = new RangeError("mine");
    const fail = () => {
      throw wrong;
    };
    const thrownBy = (call: () => unknown): unknown => {
      try {
        return call();
      } catch (error) {
        return error;
      }
    };
    const document = readIntrospection("o = 1\n{\n}\n");
    function* documents() {
      yield document;
      fail();
    }
    expect(thrownBy(() => writeIntrospectionAll(documents()))).toBe(wrong);
    const write = (v: unknown, types: string[]) =>
      writeIntrospection({ o: [{ name: "v", types }] }, { object: "o", id: 1, variables: { v } }, { mode: "original" });
    expect(thrownBy(() => write(Object.defineProperty({}, "k", { get: fail, enumerable: true }), ["map", "int"]))).toBe(wrong);
    expect(thrownBy(() => write(Object.defineProperty([0], 0, { get: fail }), ["list", "int"]))).toBe(wrong);
  });
  it("nor what members of a document throw", () => {
    const wrong = new RangeError("mine");
    const document = {
      type: "object",
      object: "o",
      id: 1,
      get variables() {
        throw wrong;
      },
    } as never;
    for (const call of [writeIntrospectionDocument, introspectionToJson, introspectionFromJson])
      expect(() => call(document)).toThrow(wrong);
  });
  it("nor is an int of very many digits a plain value: size-limit", () => {
    const definitions = { o: [{ name: "v", types: ["list", "int"] }] };
    const text = (digits: number) => `o = 1\n{\n\tv : list =\n\t{\n\t\tl0 : int = ${"9".repeat(digits)}\n\t}\n}\n`;
    expect(readIntrospection(text(100_000), { definitions })).toEqual(readIntrospection(text(100_000)));
    const long = readIntrospection(text(100_001));
    expect(writeIntrospectionDocument(long)).toBe(text(100_001));
    for (const call of [
      () => readIntrospection(text(100_001), { definitions }),
      () => bindIntrospection(long, definitions),
      () => getIntrospectionValue(long, ["v", 0]),
    ])
      expect(errorOf(call)).toBe("size-limit at .v[0]");
  });
});

describe("what an engine cannot hold", () => {
  it("more lines than an array has elements: size-limit, in the line", () => {
    expect(new Lines("a\nb\n\n", 3).count).toBe(2);
    expect(errorOf(() => new Lines("a\nb\n\n\n", 3))).toBe("size-limit line 4");
    expect(errorOf(() => new Lines("abcdef", 3))).toBe("no error");
  });
  it("more matches than V8 keeps of one replacement: long texts are quoted and read in pieces, at whatever place these end", () => {
    const { replace } = String.prototype;
    let most = 0;
    String.prototype.replace = function (this: string, pattern: never, by: unknown) {
      let matches = 0;
      const counted = (...match: never[]) => {
        matches++;
        return (by as (...match: never[]) => string)(...match);
      };
      const result = replace.call(this, pattern, (typeof by === "function" ? counted : by) as never);
      most = Math.max(most, matches);
      return result;
    } as typeof replace;
    try {
      for (const piece of ["\n", "\\", '"', "\x01", "\ud800", "\u{1f600}\n", "u", "\\u0001"])
        for (const before of ["", "a", "\\", "\n1"]) {
          const value = `${before}${piece.repeat(10_000)}\u0007`;
          const document = { type: "object", object: "o", id: 1, variables: [{ name: "s", type: "string", value }] } as const;
          const text = writeIntrospectionDocument(document as never);
          expect(getIntrospectionValue(readIntrospection(text), ["s"]) === value).toBe(true);
        }
      for (const end of ["\\", "\\u", "\\u004", "\\x", '\\\\"'])
        expect(errorOf(() => readIntrospection(`o = 1\n{\n\ts : string = e"${"\\n".repeat(6000)}${end}"\n}\n`))).toBe("bad-escape line 3");
    } finally {
      String.prototype.replace = replace;
    }
    expect(most).toBeLessThan(9000);
  });
  it("more entries than a Set or a Map has: size-limit, with the place", () => {
    const grid = "o = 1\n{\n\tg : grid = 1x2\n\t{\n\t\tg0,1 : int = 1\n\t\tg0,0 : int = 1\n\t}\n}\n";
    const map = "o = 1\n{\n\tm : map =\n\t{\n\t\ta : int = 1\n\t\tb : int = 2\n\t}\n}\n";
    const string = 'o = 1\n{\n\ts : string = "a\nb"\n}\n';
    const [document, bound] = [readIntrospection(grid), readIntrospection(map)];
    /** As if no more than one fitted. */
    const full = (call: () => unknown) => {
      const { add } = Set.prototype;
      const { set } = Map.prototype;
      Set.prototype.add = function (value) {
        if (this.size > 0) throw new RangeError("Set maximum size exceeded");
        return add.call(this, value);
      };
      Map.prototype.set = function (key, value) {
        if (this.size > 0) throw new RangeError("Map maximum size exceeded");
        return set.call(this, key, value);
      };
      try {
        return errorOf(call);
      } finally {
        Set.prototype.add = add;
        Map.prototype.set = set;
      }
    };
    expect(full(() => readIntrospection(grid))).toBe("size-limit line 6");
    expect(full(() => writeIntrospectionDocument(document))).toBe("size-limit at .g");
    expect(full(() => bindIntrospection(bound, { o: [["m", ["map", "int"]]] }))).toBe('size-limit at .m["b"]');
    // Only what is bound has Maps.
    expect(full(() => readIntrospection(map, { definitions: { o: [["m", ["map", "int"]]] } }))).toBe("no error");
    expect(full(() => readIntrospection(string, { mode: "original" }))).toBe("size-limit line 3");
  });
});

describe("depth of what a program gives", () => {
  const limits = { maxDepth: 3 };
  const definitions = { o: [{ name: "v", types: Array.from({ length: 5 }, () => "list") }] } as never;
  const listIn = (depth: number): object => ({ type: "list", items: depth > 1 ? [listIn(depth - 1)] : [] });
  const listsOf = (depth: number): unknown[] => (depth > 1 ? [listsOf(depth - 1)] : []);

  it("is bounded in binding", () => {
    const bind = (depth: number) => () =>
      bindIntrospection({ type: "object", object: "o", id: 1, variables: [{ name: "v", ...listIn(depth) }] } as never, definitions, {
        limits,
      });
    expect(bind(2)).not.toThrow();
    expect(bind(3)).toThrow(expect.objectContaining({ code: "depth-limit", path: ".v[0][0]" }));
  });

  it.each(modes)("is bounded in writing: %s", (mode) => {
    const write = (depth: number) => () =>
      writeIntrospection(definitions, { object: "o", id: 1, variables: { v: listsOf(depth) } }, { mode, limits });
    expect(write(2)).not.toThrow();
    expect(write(3)).toThrow(expect.objectContaining({ code: "depth-limit" }));
  });
});

describe("arrays of a program", () => {
  const most = 2 ** 32 - 1;
  const holes = (): never => new Array(most) as never;

  it("of billions of holes are refused at the first", () => {
    const write = (types: string[], value: unknown) => () =>
      writeIntrospection({ o: [["v", types]] }, { object: "o", id: 1, variables: { v: value } });
    const grid = { name: "g", type: "grid", width: most, height: 0, columns: holes() };
    const document = { type: "object", object: "o", id: 1, variables: [grid] } as never;
    expect(errorOf(() => new IntrospectionDatabase({ o: holes() }).variables("o"))).toBe("bad-definition");
    expect(errorOf(write(["map", "int"], { kind: "map", entries: holes() }))).toBe("type-mismatch at .v");
    expect(errorOf(write(["grid", "int"], { width: most, height: 0, columns: holes() }))).toBe("type-mismatch at .v");
    expect(errorOf(() => writeIntrospectionDocument(document))).toBe("bad-document at .g");
  });

  it("have holes for types, which are none", () => {
    for (const types of [new Array(1), ["list", ...new Array(1)], holes()])
      expect(errorOf(() => new IntrospectionDatabase({ o: [["v", types]] }).variables("o"))).toBe("bad-definition");
  });

  it("are bound as they are when they are reached, though a getter adds to them", () => {
    for (const [type, member, key, value] of [
      ["list", "items", "list", [0]],
      ["map", "entries", "map", new Map([["k0", 0]])],
      ["custom", "fields", "custom", ["k0"]],
    ] as const) {
      const elements: object[] = [];
      const add = () => {
        const number = elements.length;
        // Not for ever, so that the test ends.
        if (number > 100) throw new Error("asked for more than there were");
        const node = {
          key: `k${number}`,
          name: `k${number}`,
          value: 0,
          get type() {
            add();
            return "int";
          },
        };
        elements.push(node);
      };
      add();
      const structures = { S: { fromFields: (fields: { name: string }[]) => fields.map(({ name }) => name), toFields: () => [] } };
      const variable = { name: "v", type, structure: "S", [member]: elements };
      const document = { type: "object", object: "o", id: 1, variables: [variable] } as never;
      const types = type === "custom" ? [key] : [key, "int"];
      const definitions = { o: [{ name: "v", types, extra: { structure: "S" } }] };
      expect(bindIntrospection(document, definitions, { structures }).variables).toEqual({ v: value });
    }
  });
});
