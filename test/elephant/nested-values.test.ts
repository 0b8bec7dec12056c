// Structs that hold others, read as they stand in the file: every value. The ways to get there are in nested-codecs.ts.
import { describe, expect, test } from "vitest";
import { file, text } from "./bytes.ts";
import { type ElephantConstructor, MODES, SCHEMA, StructInstance, VERSION_VERBOSE } from "./codec.ts";
import { differences } from "./compare.ts";
import { type Classes, classOf, codecsOf, type Fields, type Members, make, READS, STRINGS, way } from "./nested-codecs.ts";
import { createReference } from "./reference.ts";

describe.each(MODES)("$engine, code generation $codeGeneration", (mode) => {
  const { large, create, some, check, Node, node, lesson } = codecsOf(mode);

  describe("values", () => {
    test("a field that has held containers keeps its numbers", () => {
      // Made anew each time: what is shared would be references.
      const kinds = [() => 1, () => 0.5, () => [1], () => node(1, [], 1), () => ({})];
      for (const [first, second] of some(kinds.flatMap((first) => kinds.map((second) => [first, second] as const)))) {
        const value = Array.from({ length: 30 }, (_, i) => node(i, [node(i, [], second())], i & 1 ? first() : second()));
        check({ Node }, value, { reads: 2 });
      }
    });

    large("a tree by fields alone, of instances that take more room when read than in the file", () => {
      const fields: Fields = { left: "any", right: "any", name: "string" };
      for (let i = 0; i < 40; i++) fields[`flag${i}`] = "bool";
      const Tree = classOf(fields);
      let id = 0;
      const tree = (depth: number): Members => {
        const members: Members = {
          left: depth ? tree(depth - 1) : undefined,
          right: depth ? tree(depth - 1) : undefined,
          name: `name ${id++}`,
        };
        for (let i = 0; i < 40; i++) members[`flag${i}`] = (depth + i) % 3 === 0;
        return make(Tree, members);
      };
      check({ Tree }, tree(11), { reads: 2 });
    });

    test("fields of every datatype", () => {
      const edges: [datatype: string, values: unknown[]][] = [
        ["u8", [0, 255]],
        ["s8", [-128, 127]],
        ["u16", [0, 65535]],
        ["s16", [-32768, 32767]],
        ["u32", [0, 2 ** 31, 2 ** 32 - 1]],
        ["s32", [-(2 ** 31), 2 ** 31 - 1]],
        ["f16", [-0, 0.5, 65504, Number.NaN, -Infinity]],
        ["f32", [-0, 0.5, 2 ** 100, Number.NaN, Infinity]],
        ["f64", [-0, 0, 0.1, 2 ** 31, -(2 ** 31), 2 ** 53, Number.NaN, Infinity]],
        ["bool", [true, false]],
        ["string", STRINGS],
        ["text", STRINGS],
        ["u64", [0n, -1n, 2n ** 63n - 1n, -(2n ** 63n)]],
        ["undefined", [undefined]],
        ["any", [undefined, true, "text", 0, -0, 0.5, 2n ** 40n, Number.NaN, STRINGS[5]]],
      ];
      const fields = Object.fromEntries(edges.map(([datatype]) => [`a ${datatype}`, datatype]));
      const All = classOf({ ...fields, list: "array", struct: "struct", "z any": "any" });
      const all = (i: number, list: unknown[], struct: object, any: unknown) =>
        make(All, {
          ...Object.fromEntries(edges.map(([datatype, values]) => [`a ${datatype}`, values[i % values.length]])),
          list,
          struct,
          "z any": any,
        });
      check(
        { All },
        Array.from({ length: 60 }, (_, i) =>
          all(i, [all(i + 1, [], {}, i % 3 ? 1 : "x")], all(i + 2, [i], { i }, undefined), all(i + 3, [], {}, [i])),
        ),
      );
      // One kind of edge after the other, so that what has been learned is wrong again and again.
      const byEdge = edges.flatMap(([datatype, values]) =>
        values.flatMap((value) =>
          Array.from({ length: 14 }, (_, i) => make(All, { ...all(0, [all(i, [], {}, 0)], {}, 0), [`a ${datatype}`]: value })),
        ),
      );
      check({ All }, byEdge, { reads: 3 });
    });

    large("every half", () => {
      const names = Array.from({ length: 16 }, (_, i) => `half ${i}`);
      const Halves = classOf({ ...Object.fromEntries(names.map((name) => [name, "f16"])), list: "array" });
      const half = (bits: number): number => {
        const exponent = (bits >> 10) & 31;
        const size =
          exponent === 31
            ? bits & 1023
              ? Number.NaN
              : Infinity
            : exponent
              ? (1 + (bits & 1023) / 1024) * 2 ** (exponent - 15)
              : (bits & 1023) / 2 ** 24;
        return bits & 0x8000 ? -size : size;
      };
      const halves = (at: number, list: unknown[]) =>
        make(Halves, { ...Object.fromEntries(names.map((name, i) => [name, half(at * 16 + i)])), list });
      const value = Array.from({ length: 2048 }, (_, i) => halves(i * 2, [halves(i * 2 + 1, [])]));
      expect(differences(value, check({ Halves }, value, { reads: 3 }))).toEqual([]);
    });

    test("texts of any length and characters, what is no UTF-8, and surrogates in three bytes each", () => {
      const characters = ["a", "é", "д", "竜", "🐉", "\ufeff", "\u0080", "\uffff"];
      const lengths = [1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 33, 100, 5000];
      const well = characters.flatMap((character) =>
        lengths.flatMap((length) => [character.repeat(length), `${"a".repeat(length)}${character}`]),
      );
      const broken: [hex: string, read: string][] = [
        ["61eda0bdedb08962", "a🐉b"],
        ["eda0bd", "\ufffd\ufffd\ufffd"],
        ["edb089eda0bd", "\ufffd".repeat(6)],
        ["6161616161616161616161616161616161ff", `${"a".repeat(17)}\ufffd`],
        ["c3", "\ufffd"],
        ["61f09f9061", "a\ufffda"],
        ["c08061", "\ufffd\ufffda"],
        ["e3818261e381", "あa\ufffd"],
      ];
      const Texts = classOf({ text: "text", list: "array", any: "any", string: "string", struct: "struct" });
      const texts = (text: string, list: unknown[]) => make(Texts, { text, list, any: text, string: text, struct: { text } });
      const value = well.map((text, i) => texts(text, [texts(well.at(-i)!, [])]));
      check({ Texts }, value, { reads: 3 });

      // Written as ASCII of the same length, and then put in its place.
      const stand = (i: number) => String.fromCharCode(65 + i).repeat(broken[i][0].length / 2);
      const codec = create({ constructors: { Texts } });
      const save = Buffer.from(
        codec.write(Array.from({ length: 80 }, (_, i) => texts(stand(i % 8), [texts(stand(i % 8), [stand(i % 8)])]))),
      );
      broken.forEach(([hex], i) => {
        const bytes = Buffer.from(hex, "hex");
        for (let at = save.indexOf(`${stand(i)}\0`); at >= 0; at = save.indexOf(`${stand(i)}\0`, at)) save.set(bytes, at);
      });
      const expected = Array.from({ length: 80 }, (_, i) => texts(broken[i % 8][1], [texts(broken[i % 8][1], [broken[i % 8][1]])]));
      for (let i = 0; i < READS; i++) expect(differences(expected, codec.read(save))).toEqual([]);
    });

    test("arrays of every datatype", () => {
      const longer = (length: number, value: (i: number) => unknown) => Array.from({ length }, (_, i) => value(i));
      const lists: (() => unknown[])[] = [
        () => [],
        () => [0],
        () => [1, 2, 3],
        () => [1, -2, 3, 4, 5, 6, 7],
        () => [-0, 0, 1],
        () => [0.5, 1, 2],
        () => [Number.NaN, Infinity, 2 ** 31, -(2 ** 31)],
        () => [true, false, true],
        () => ["a", "", "b"],
        () => [...STRINGS],
        () => [1n, -1n],
        () => [undefined],
        () => [undefined, undefined, undefined],
        () => [undefined, 1],
        () => [[]],
        () => [[], [[]], [[[]], []]],
        () => [[1, 2], ["a"], [true], [undefined], [0.5], []],
        () => [{}, {}, {}],
        () => [{ a: 1 }, node(1), { b: [1] }, node(2, [node(3)])],
        () => [1, "a", true, undefined, 0.5, -0, 2n ** 50n, [], {}, node(1), [node(2)], Number.NaN, -(2 ** 31)],
        ...[64, 65, 1000].flatMap((length) => [
          () => longer(length, (i) => i),
          () => longer(length, (i) => i / 2),
          () => longer(length, (i) => `text ${i % 40}`),
          () => longer(length, (i) => (i % 2 ? i : `${i}`)),
          () => longer(length, (i) => [i]),
          () => longer(length, (i) => node(i, [i], `${i}`)),
          () => longer(length, (i) => ({ i })),
          () => longer(length, () => undefined),
        ]),
      ];
      check({ Node }, [
        ...lists.map((list, i) => node(i, list(), list())),
        lesson(),
        ...lists.map((list, i) => node(i, [list(), list()], node(i, list()))),
      ]);
      for (const list of some(lists.slice(0, 20)))
        check(
          { Node },
          longer(30, (i) => node(i, list(), node(i, list()))),
          { reads: 3 },
        );
    });

    test("plain structs inside", () => {
      const wide = (count: number, value: (i: number) => unknown) =>
        Object.fromEntries(Array.from({ length: count }, (_, i) => [`m${i}`, value(i)]));
      const proto = Object.defineProperty({}, "__proto__", { value: 1, enumerable: true, configurable: true, writable: true });
      let strange = 0;
      const structs: ((i: number) => object)[] = [
        () => ({}),
        (i) => ({ x: i, y: i / 2 }),
        (i) => ({ x: "text", y: i % 2 === 0, z: undefined, w: 5n }),
        (i) => ({ x: i % 2 ? i : "x" }),
        () => ({ ...proto, after: 2 }),
        () => proto,
        (i) => ({ [`never seen ${strange++}`]: i }),
        () => ({ "": 1, toString: "2", constructor: 3, hasOwnProperty: 4 }),
        (i) => wide(63, () => i),
        (i) => wide(64, () => `${i}`),
        (i) => wide(65, () => i),
        (i) => wide(200, (k) => (k % 3 ? i : "x")),
        () => ({ ["n".repeat(127)]: 1, ["n".repeat(128)]: 2, ["é".repeat(200)]: 3 }),
        (i) => ({ list: [i] }),
        (i) => ({ inner: { deeper: { i } } }),
        (i) => ({ before: 1, held: node(i, [node(i)]), after: 2 }),
        (i) => ({ list: [node(i, [{ a: [node(i)] }])] }),
      ];
      const Holder = classOf({ a: "struct", b: "any", c: "array" });
      const constructors = { Holder, Node };
      const holder = (struct: (i: number) => object, i: number) =>
        make(Holder, { a: struct(i), b: struct(i + 1), c: [struct(i), node(i, [struct(i)])] });
      check(constructors, [lesson(), Array.from({ length: 100 }, (_, i) => holder(structs[i % structs.length], i))]);
      for (const struct of some(structs))
        check(
          constructors,
          Array.from({ length: 25 }, (_, i) => holder(struct, i)),
          { reads: 3 },
        );
    });

    test("references: to parents, siblings, arrays, to itself, to plain structs that are done, and to one that is open", () => {
      const list: unknown[] = [];
      const graph = (i: number): unknown[] => {
        const shared = { shared: i };
        const array: unknown[] = [i, `${i}`];
        const parent = node(i, [], undefined);
        const first = node(i, [parent, shared], parent);
        const second = node(i, [first, parent.list, array], shared);
        const self = node(i);
        self.any = self;
        self.list = [self, first, { self, array }, [self.list, array]];
        array.push(array);
        (parent.list as unknown[]).push(first, second, self, array, { leaf: first, other: parent, same: shared }, parent.list);
        parent.any = [first, second, array, shared];
        return [parent, first, array];
      };
      for (let i = 0; i < 20; i++) list.push(...graph(i));
      check({ Node }, list);
      // A struct around instances that refer to it: open while they are read.
      const around: Members = { before: 1 };
      const inside: Members = { around, deep: [] };
      around.nodes = Array.from({ length: 20 }, (_, i) => node(i, [around, node(i, [i, inside], around)], { around, i }));
      around.inside = inside;
      around.after = 2;
      (inside.deep as unknown[]).push(node(1, [inside, around], inside));
      check({ Node }, [around, list[0]]);
    });

    test("several classes, verbose ones, skip lists, versions and odd names among each other", () => {
      const Strict = classOf({ list: "array", n: "u8" });
      const Other = classOf({ child: "any", list: "array", name: "string" }, { v2: { __proto__: null, list: "array", n: "f32" } as never });
      const Verbose = classOf({ list: "array", [VERSION_VERBOSE]: true });
      const Flagged = classOf({ [VERSION_VERBOSE]: false, list: "array", z: "any" });
      const None = class {} as unknown as ElephantConstructor;
      const Empty = classOf({});
      const Odd = classOf(
        Object.fromEntries(
          [
            ["__proto__", "any"],
            ["constructor", "array"],
            ["toString", "struct"],
            ["", "u8"],
            ["é", "any"],
          ].map(([n, t]) => [n, t]),
        ) as Fields,
      );
      const Wide = classOf(Object.fromEntries(Array.from({ length: 65 }, (_, i) => [`w${i}`, i % 9 ? "u8" : "any"])));
      const Widest = classOf(Object.fromEntries(Array.from({ length: 64 }, (_, i) => [`w${i}`, i % 9 ? "u8" : "any"])));
      const constructors = { Strict, Other, Verbose, Flagged, None, Empty, Odd, Wide, Widest };
      const many = (Class: ElephantConstructor, count: number, of: (i: number) => unknown) =>
        make(Class, Object.fromEntries(Array.from({ length: count }, (_, i) => [`w${i}`, i % 9 ? i : of(i)])));
      const one = (kind: number, depth: number): object => {
        const list = () => (depth ? Array.from({ length: 3 }, (_, i) => one((kind + i * 4 + depth) % 9, depth - 1)) : []);
        switch (kind) {
          case 0:
            return make(Strict, { list: list(), n: kind });
          case 1:
            return make(Other, { list: list(), n: 0.5 });
          case 2:
            return make(Verbose, { list: list() });
          case 3:
            return make(Flagged, { list: list(), z: list() });
          case 4:
            return make(None, { a: list(), b: "text" });
          case 5:
            return make(Empty, {});
          case 6:
            return make(Odd, { constructor: list(), toString: { a: 1 }, "": 1, é: list(), ["__proto__"]: depth ? one(0, depth - 1) : 1 });
          case 7:
            return many(Wide, 65, () => (depth ? one(kind, depth - 1) : 1));
          default:
            return many(Widest, 64, () => (depth ? one(0, depth - 1) : 1));
        }
      };
      const value = Array.from({ length: 18 }, (_, i) => one(i % 9, 2));
      check(constructors, value, { reads: 4 });
      check(constructors, value, { reads: 2, write: { diffsOnly: true } });
      check(constructors, value, { reads: 2, write: { release: "1.5.0" } });
      for (const kind of some([0, 1, 2, 3, 4, 5, 6, 7, 8]))
        check(constructors, [Array.from({ length: 20 }, () => one(0, 1)), Array.from({ length: 15 }, () => one(kind, 1))], { reads: 3 });
      // A codec that reads releases by turns.
      const codec = create({ constructors });
      const reference = createReference({ constructors });
      const saves = (["1.5.1", "1.4.0", "1.5.0"] as const).map((release) => codec.write(value, { release }));
      saves.push(codec.write(value, { diffsOnly: true }));
      for (let i = 0; i < 12; i++) {
        const save = saves[i % saves.length];
        expect(differences(reference.read(save), codec.read(save))).toEqual([]);
      }
    });

    test("skip lists of instances whose constructor has defaults", () => {
      class Item {
        static [SCHEMA] = { v1: { a: "u8", kids: "array", b: "any" } };
        a = 1;
        b: unknown = "b";
        kids: unknown[] = [];
      }
      const item = (i: number, depth: number): Item =>
        Object.assign(new Item(), { a: i % 2, b: i % 3 ? "b" : i, kids: depth ? [item(i + 1, depth - 1), item(i + 2, depth - 1)] : [] });
      const constructors = { Item } as unknown as Classes;
      const codec = create({ constructors });
      const full = codec.write(Array.from({ length: 10 }, (_, i) => item(i, 4)));
      const short = codec.write(
        Array.from({ length: 10 }, (_, i) => item(i, 4)),
        { diffsOnly: true },
      );
      const expected = createReference({ constructors }).read(full);
      for (let i = 0; i < READS; i++) expect(differences(expected, codec.read(i % 4 < 2 ? full : short))).toEqual([]);
    });

    test("skip lists of a few, at every place of a window's end", () => {
      class Twig {
        static [SCHEMA] = { v1: { kids: "array", x: "f64" } };
        kids: unknown = undefined;
        x = 0;
      }
      const constructors = { Twig } as unknown as Classes;
      const twig = (x: number, kids: unknown[] = []) => Object.assign(new Twig(), { x, kids });
      const codec = create({ constructors });
      const plain = codec.write(Array.from({ length: 60 }, () => twig(1, [twig(2), twig(3, [twig(4)])])));
      // Those whose x is what the constructor makes it have a list, all others none.
      // It is the last one, so that nothing before ends the way that is taken for them.
      const grown = Array.from({ length: 12 }, () => twig(1, [twig(2), twig(3), twig(0)]));
      way.always = true;
      for (let i = 0; i < READS; i++) codec.read(plain);
      // The first window has 32 KB.
      for (let pad = 32300; pad < 32400; pad++) {
        const value = ["p".repeat(pad), grown];
        const found = codec.read(codec.write(value, { diffsOnly: true }));
        if (differences(value, found).length > 0) expect(differences(value, found), `pad ${pad}`).toEqual([]);
      }
      way.always = false;
    });

    test("a schema without a class", () => {
      const constructors = { Node: { v1: { id: "f64", list: "array", any: "any", [VERSION_VERBOSE]: false } } } as unknown as Classes;
      const struct = (id: number, list: unknown[], any?: unknown): object => new StructInstance("Node", { id, list, any });
      check(
        constructors,
        Array.from({ length: 40 }, (_, i) => struct(i, [struct(i, [{ i }], i)], struct(i, []))),
      );
    });

    test("a flag key that is true is a byte when its version is read strictly", () => {
      const C = classOf({ [VERSION_VERBOSE]: true, list: "array" });
      const leaf = "FE FF 00 00 01 00 00 01 00 00";
      const save = file(
        `CD 01 00 CE FE FF 00 00 ${text("C")} 01 00 00 01 28 00 CE ${`FE FF 00 00 01 00 00 01 02 00 CE ${leaf} ${leaf}`.repeat(40)}`,
      );
      const fresh = create({ constructors: { C } }).read(save);
      const codec = create({ constructors: { C } });
      for (let i = 0; i < READS; i++) expect(differences(fresh, codec.read(save))).toEqual([]);
    });
  });
});
