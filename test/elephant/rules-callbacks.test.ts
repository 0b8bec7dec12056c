// Callbacks and the state they see: formats/elephant.md §10, and what the interface adds (state per call, callbacks may use the codec).

import { describe, expect, test } from "vitest";
import { bytes, file, hex, rootOf, text } from "./bytes.ts";
import {
  type CallbackContext,
  createElephantSync,
  type Elephant,
  type ElephantOptions,
  ENGINES,
  POST_READ,
  POST_WRITE,
  PRE_READ,
  PRE_WRITE,
  SCHEMA,
  TuskError,
  VERBOSE_EXCLUDE,
} from "./codec.ts";
import { differences } from "./compare.ts";
import { expectError, failure } from "./expect-error.ts";
import { inside } from "./inside.ts";

type Call = [callback: string, label: unknown, schemaVersion: number, isDeserializing: boolean];

describe.each(ENGINES)("engine %s", (engine) => {
  const create = (options: ElephantOptions = {}) => createElephantSync({ ...options, engine });

  /** A tree of nodes that notes every callback. */
  function tracedNodes() {
    const calls: Call[] = [];
    class Node {
      label: unknown = "new";
      kids: unknown = undefined;
      static [SCHEMA]: Record<string, unknown> = { v3: { label: "string", kids: "any" } };
      [PRE_WRITE](context: CallbackContext) {
        calls.push(["preWrite", this.label, context.schemaVersion, context.isDeserializing]);
      }
      [POST_WRITE](context: CallbackContext) {
        calls.push(["postWrite", this.label, context.schemaVersion, context.isDeserializing]);
      }
      [PRE_READ](context: CallbackContext) {
        calls.push(["preRead", this.label, context.schemaVersion, context.isDeserializing]);
      }
      [POST_READ](context: CallbackContext) {
        calls.push(["postRead", this.label, context.schemaVersion, context.isDeserializing]);
      }
    }
    const node = (label: string, ...kids: unknown[]) => Object.assign(new Node(), { label, kids });
    return { calls, node, elephant: create({ constructors: { Node } as never }) };
  }

  test("writing: children between the two callbacks of their parent, repeated occurrences call nothing", () => {
    const { calls, node, elephant } = tracedNodes();
    const shared = node("s");
    elephant.write(node("r", node("a", shared), shared));
    expect(calls.map(([callback, label]) => `${callback} ${String(label)}`)).toStrictEqual([
      "preWrite r",
      "preWrite a",
      "preWrite s",
      "postWrite s",
      "postWrite a",
      "postWrite r",
    ]);
    expect(calls.every(([, , schemaVersion, isDeserializing]) => schemaVersion === 3 && isDeserializing === false)).toBe(true);
  });

  test("reading: pre-reads on fresh instances on the way, post-reads after the whole graph in the order of creation", () => {
    const { calls, node, elephant } = tracedNodes();
    const save = elephant.write(node("r", node("a", node("b")), node("c")));
    calls.length = 0;
    elephant.read(save);
    expect(calls).toStrictEqual([
      ...Array.from({ length: 4 }, () => ["preRead", "new", 3, true]),
      ["postRead", "r", 3, true],
      ["postRead", "a", 3, true],
      ["postRead", "b", 3, true],
      ["postRead", "c", 3, true],
    ]);
  });

  test.each([
    ["1.3.0 and older: right after the members, children first", "00030100", "10", "11", ["child", "root"]],
    ["1.4.0, development branch: after the graph, parents first", "00040100", "10", "11", ["root", "child"]],
    ["1.4.0: after the graph, parents first", "00040100", "CE", "CF", ["root", "child"]],
  ])("post-read of %s", (_, version, struct, undefinedCode, order) => {
    const { calls, elephant } = tracedNodes();
    // kids come before label: ascending names
    const root = `${struct} FE FF 00 00 ${text("Node")} 03 ${struct} FE FF 00 00 03 ${undefinedCode} ${text("child")} ${text("root")}`;
    elephant.read(bytes(`50454c45 ${version} ${root} 544e4148`));
    expect(calls.filter(([callback]) => callback === "postRead").map(([, label]) => label)).toStrictEqual(order);
  });

  test("no post-read runs if the footer is wrong", () => {
    const { calls, node, elephant } = tracedNodes();
    const save = elephant.write(node("r"));
    save[save.length - 1] = 0;
    calls.length = 0;
    expectError(() => elephant.read(save), "footer");
    expect(calls.map(([callback]) => callback)).toStrictEqual(["preRead"]);
  });

  test("duplicate: is-deserializing is false for pre-read and true for post-read", () => {
    const { calls, node, elephant } = tracedNodes();
    elephant.duplicate(node("r", node("a")));
    expect(calls).toStrictEqual([
      ["preWrite", "r", 3, false],
      ["preRead", "new", 3, false],
      ["preWrite", "a", 3, false],
      ["preRead", "new", 3, false],
      ["postWrite", "a", 3, false],
      ["postWrite", "r", 3, false],
      ["postRead", "r", 3, true],
      ["postRead", "a", 3, true],
    ]);
  });

  test("to and from JSON run the callbacks of writing and reading", () => {
    const { calls, node, elephant } = tracedNodes();
    const json = elephant.toJson(node("r"));
    elephant.fromJson(json);
    expect(calls).toStrictEqual([
      ["preWrite", "r", 3, false],
      ["postWrite", "r", 3, false],
      ["preRead", "new", 3, true],
      ["postRead", "r", 3, true],
    ]);
  });

  test("values that pre-write changes are stored, members it adds are not stored in verbose mode", () => {
    class C {
      [member: string]: unknown;
      [PRE_WRITE]() {
        this.a = true;
        this.late = true;
      }
    }
    const value = new C();
    value.a = false;
    expect(rootOf(create({ constructors: { C } as never }).write(value))).toBe(hex(`CE FE FF 00 00 ${text("C")} 80 01 00 61 00 0A 01`));
    expect(value.late).toBe(true);
  });

  test("a member that pre-write deletes is stored as undefined, because the list was taken before", () => {
    class C {
      a: unknown = 1;
      [PRE_WRITE]() {
        delete this.a;
      }
    }
    expect(rootOf(create({ constructors: { C } as never }).write(new C()))).toBe(hex(`CE FE FF 00 00 ${text("C")} 80 01 00 61 00 CF`));
  });

  test("the exclude list is looked up behind pre-write", () => {
    class C {
      a: unknown = true;
      b: unknown = true;
      static [SCHEMA] = { [VERBOSE_EXCLUDE]: [] as unknown };
      [PRE_WRITE]() {
        C[SCHEMA][VERBOSE_EXCLUDE] = C[SCHEMA][VERBOSE_EXCLUDE] ? ["b"] : "b";
      }
    }
    const elephant = create({ constructors: { C } as never });
    const stored = hex(`CE FE FF 00 00 ${text("C")} 80 01 00 61 00 0A 01`);
    const exclude = (list: unknown) => {
      C[SCHEMA][VERBOSE_EXCLUDE] = list;
    };
    for (const before of [[], ["a", "b"]]) {
      exclude(before);
      expect(rootOf(elephant.write(new C()))).toBe(stored);
      exclude(before);
      expect(Object.keys(elephant.toJson(new C()) as object)).toStrictEqual([
        "__Elephant_Constructor__",
        "__Elephant_Schema_Version__",
        "a",
      ]);
      exclude(before);
      const original = Object.assign(new C(), { a: 1, b: 2 });
      expect(elephant.duplicate(original)).toStrictEqual(Object.assign(new C(), { a: 1, b: true }));
    }
    exclude(undefined);
    expect(failure(() => elephant.write([new C()]))).toMatchObject({ code: "exclude-not-an-array", path: "[0]" });
    exclude(undefined);
    expectError(() => elephant.toJson(new C()), "exclude-not-an-array");
    exclude(undefined);
    expectError(() => elephant.duplicate(new C()), "exclude-not-an-array");
  });

  test("many instances, and the exclude list changes between them", () => {
    class C {
      [member: string]: unknown;
      a = 1;
      static [SCHEMA] = { [VERBOSE_EXCLUDE]: [] as string[] };
    }
    class Changing {
      excluded: string[] = [];
      [PRE_WRITE]() {
        C[SCHEMA][VERBOSE_EXCLUDE] = this.excluded;
      }
    }
    const elephant = create({ constructors: { C, Changing } as never });
    const one = () => new C();
    const two = () => Object.assign(new C(), { b: 2 });
    const three = () => Object.assign(new C(), { b: 2, c: 3 });
    const change = (...excluded: string[]) => Object.assign(new Changing(), { excluded });
    const many = (make: () => object) => Array.from({ length: 100 }, make);
    const kinds = [many(one), many(two), many(three)];
    const graph = [
      ...kinds.flat(),
      change("b"),
      ...[one, two, three].flatMap(many),
      change("b", "c"),
      ...[two, three, one].flatMap(many),
      change(),
      ...[one, three, two].flatMap(many),
    ];
    C[SCHEMA][VERBOSE_EXCLUDE] = [];
    const read = elephant.read<object[]>(elephant.write(graph));
    let excluded: readonly string[] = [];
    graph.forEach((given, i) => {
      if (given instanceof Changing) ({ excluded } = given);
      else
        expect(Object.keys(read[i]), `${i}`).toStrictEqual(Object.keys(given).filter((name) => name === "a" || !excluded.includes(name)));
    });
  });

  test("post-write runs after the members were stored", () => {
    class C {
      a = true;
      [POST_WRITE]() {
        this.a = false;
      }
    }
    const value = new C();
    const save = create({ constructors: { C } as never }).write(value);
    expect(rootOf(save)).toBe(hex(`CE FE FF 00 00 ${text("C")} 80 01 00 61 00 0A 01`));
    expect(value.a).toBe(false);
  });

  test("in pre-read the structs around have no members yet, not even those that come before", () => {
    const seen: string[][] = [];
    const open: object[] = [];
    class C {
      [PRE_READ]() {
        seen.push(...open.map((one) => Object.keys(one)));
        open.push(this);
      }
    }
    const elephant = create({ constructors: { C } });
    const inner = Object.assign(new C(), { x: 1 });
    const outer = Object.assign(new C(), { before: 1, inner, later: 2 });
    expect(elephant.read(elephant.write(outer))).toStrictEqual(outer);
    expect(seen).toEqual([[]]);
  });

  test("post-read sees complete cycles", () => {
    class Parent {
      name = "";
      child: unknown;
    }
    class Child {
      parent: Parent | undefined;
      seen = "";
      [POST_READ]() {
        this.seen = this.parent!.name;
      }
    }
    const elephant = create({ constructors: { Parent, Child } as never });
    const parent = new Parent();
    const child = Object.assign(new Child(), { parent });
    Object.assign(parent, { child, name: "after the child" });
    expect(elephant.read<{ child: Child }>(elephant.write(parent)).child.seen).toBe("after the child");
  });

  test("pre-read sets what the file does not have; what it has wins", () => {
    class C {
      static [SCHEMA]: Record<string, unknown> = { v1: { a: "u8", b: "u8" } };
      a = 1;
      b = 2;
      c: unknown;
      [PRE_READ]() {
        Object.assign(this, { a: 50, b: 60, c: 70 });
      }
    }
    // b (position 2) is skipped
    expect({ ...create({ constructors: { C } as never }).read<C>(file(`CE FE FF 00 00 ${text("C")} 01 02 00 00 00 09`)) }).toStrictEqual({
      a: 9,
      b: 60,
      c: 70,
    });
  });

  describe("state", () => {
    test("the codec's state is that of the callback inside and undefined outside", () => {
      const seen: unknown[] = [];
      const note = (context: CallbackContext) => {
        seen.push([elephant.isDeserializing, elephant.schemaVersion]);
        expect([elephant.isDeserializing, elephant.schemaVersion]).toStrictEqual([context.isDeserializing, context.schemaVersion]);
      };
      const callbacks = { [PRE_WRITE]: note, [POST_WRITE]: note, [PRE_READ]: note, [POST_READ]: note };
      class Inner {}
      class Root {
        static [SCHEMA]: Record<string, unknown> = { v2: { inner: "any" } };
        inner: unknown;
      }
      Object.assign(Inner.prototype, callbacks);
      Object.assign(Root.prototype, callbacks);
      const elephant: Elephant = create({ constructors: { Root, Inner } as never });
      expect([elephant.isDeserializing, elephant.schemaVersion]).toStrictEqual([undefined, undefined]);
      const save = elephant.write(Object.assign(new Root(), { inner: new Inner() }));
      expect(seen).toStrictEqual([
        [false, 2],
        [false, 0],
        [false, 0],
        [false, 2],
      ]);
      expect([elephant.isDeserializing, elephant.schemaVersion]).toStrictEqual([undefined, undefined]);
      seen.length = 0;
      elephant.read(save);
      expect(seen).toStrictEqual([
        [true, 2],
        [true, 0],
        [true, 2],
        [true, 0],
      ]);
      expect([elephant.isDeserializing, elephant.schemaVersion]).toStrictEqual([undefined, undefined]);
    });

    test.each(["write", "read", "duplicate", "toJson", "fromJson"] as const)(
      "an error in a callback of %s leaves nothing behind",
      (operation) => {
        let fails = false;
        const boom = new Error("from the game");
        const callback = () => {
          if (fails) throw boom;
        };
        class C {
          a = [1, "x"];
        }
        Object.assign(C.prototype, { [PRE_WRITE]: callback, [POST_READ]: callback });
        const elephant = create({ constructors: { C } as never });
        const save = elephant.write([new C()]);
        const json = elephant.toJson([new C()]);
        const run = () =>
          operation === "read" ? elephant.read(save) : operation === "fromJson" ? elephant.fromJson(json) : elephant[operation]([new C()]);
        fails = true;
        expect(failure(run)).toBe(boom);
        expect([elephant.isDeserializing, elephant.schemaVersion]).toStrictEqual([undefined, undefined]);
        fails = false;
        expect(elephant.write([new C()])).toStrictEqual(save);
        expect(elephant.read(save)).toStrictEqual([new C()]);
      },
    );

    test("an error of the codec itself leaves nothing behind", () => {
      const { node, elephant } = tracedNodes();
      const save = elephant.write(node("r", node("a")));
      expectError(() => elephant.write(node("r", node("a\0"))), "nul-in-string");
      expectError(() => elephant.read(save.subarray(0, save.length - 6)), "truncated");
      expect([elephant.isDeserializing, elephant.schemaVersion]).toStrictEqual([undefined, undefined]);
      expect(elephant.write(node("r", node("a")))).toStrictEqual(save);
    });
  });

  describe("callbacks may use the codec", () => {
    const other = { names: ["x", "y"], list: [[1], [2]], self: undefined as unknown };
    other.self = other;

    test("a write inside a pre-write does not disturb the outer write", () => {
      let inner: Uint8Array | undefined;
      class C {
        kids: unknown[] = [];
        label = "";
        [PRE_WRITE](context: CallbackContext) {
          const before = [elephant.isDeserializing, elephant.schemaVersion];
          inner = elephant.write(other);
          elephant.read(inner);
          expect(elephant.exportString({ a: this.label })).toBeTypeOf("string");
          expect(elephant.duplicate(other)).not.toBe(other);
          expect([elephant.isDeserializing, elephant.schemaVersion]).toStrictEqual(before);
          expect(before).toStrictEqual([context.isDeserializing, context.schemaVersion]);
        }
      }
      class Quiet {
        kids: unknown[] = [];
        label = "";
      }
      const graph = (Class: typeof Quiet) => {
        const shared = Object.assign(new Class(), { label: "shared" });
        return Object.assign(new Class(), { kids: [shared, Object.assign(new Class(), { kids: [shared] }), shared], label: "root" });
      };
      const elephant = create({ constructors: { C } as never });
      const quiet = create({ constructors: { C: Quiet } as never });
      expect(elephant.write(graph(C as never))).toStrictEqual(quiet.write(graph(Quiet)));
      expect(inner).toStrictEqual(quiet.write(other));
    });

    test("a read inside a pre-read and a post-read does not disturb the outer read", () => {
      const otherSave = (create() as Elephant).write(other);
      class C {
        kids: unknown[] = [];
        label = "";
        [PRE_READ]() {
          elephant.read(otherSave);
          elephant.write(other);
        }
        [POST_READ]() {
          elephant.read(otherSave);
          elephant.write([this.label]);
        }
      }
      const elephant = create({ constructors: { C } as never });
      const shared = Object.assign(new C(), { label: "shared" });
      const root = Object.assign(new C(), { kids: [shared, "text", shared, [1.5, 2.5]], label: "root" });
      const save = elephant.write(root);
      for (let i = 0; i < 15; i++) {
        const read = elephant.read<C>(save);
        expect(read).toStrictEqual(root);
        expect(read.kids[0]).toBe(read.kids[2]);
      }
    });

    test("an error of an inner operation, caught, does not disturb the outer one", () => {
      class C {
        a = 1;
        kid: unknown;
        [PRE_WRITE]() {
          expectError(() => elephant.write(["\0"]), "nul-in-string");
          expectError(() => elephant.read(new Uint8Array(3)), "truncated");
        }
        [PRE_READ]() {
          expectError(() => elephant.read(new Uint8Array(3)), "truncated");
        }
      }
      const elephant = create({ constructors: { C } as never });
      const value = Object.assign(new C(), { kid: new C() });
      expect(elephant.read(elephant.write([value, value, "end"]))).toStrictEqual([value, value, "end"]);
    });

    test("a constructor may use the codec too", () => {
      const template = create().write({ hp: 10 });
      class C {
        stats: unknown = elephant0.read(template);
        name = "";
      }
      const elephant0 = create();
      const elephant = create({ constructors: { C } as never });
      const value = Object.assign(new C(), { name: "n" });
      const save = elephant.write([value, value], { diffsOnly: true });
      const read = elephant.read<C[]>(save);
      expect(read).toStrictEqual([value, value]);
      expect(read[0]).toBe(read[1]);
    });
  });

  test("callbacks are inherited", () => {
    const calls: string[] = [];
    class Base {
      [PRE_WRITE]() {
        calls.push("pre-write");
      }
      [POST_WRITE]() {
        calls.push("post-write");
      }
      [PRE_READ]() {
        calls.push("pre-read");
      }
      [POST_READ]() {
        calls.push("post-read");
      }
    }
    class Derived extends Base {}
    const elephant = create({ constructors: { Derived } as never });
    const save = elephant.write([new Derived(), new Derived()]);
    expect(calls).toEqual(["pre-write", "post-write", "pre-write", "post-write"]);
    calls.length = 0;
    elephant.read(save);
    expect(calls).toEqual(["pre-read", "pre-read", "post-read", "post-read"]);
  });

  test("a pre-write that changes the type of a later element makes no file that misreads", () => {
    // §5: the codes are determined before the first element is written. The file must say what it holds, or the write must fail.
    class C {
      row: unknown[] | undefined;
      [PRE_WRITE]() {
        if (this.row) this.row[1] = "changed";
      }
    }
    const elephant = create({ constructors: { C } as never });
    const first = new C();
    const row: unknown[] = [first, new C()];
    first.row = row;
    const error = failure(() => {
      const read = elephant.read<unknown[]>(elephant.write(row));
      expect(read[0]).toBeInstanceOf(C);
      expect(read).toHaveLength(2);
    });
    if (error !== undefined) expect(error).toHaveProperty("format", "elephant");
  });

  test("JSON has a list as long as it was when its turn came, whatever callbacks make of it", () => {
    let change = (_: unknown[]) => {};
    let list: unknown[] = [];
    class Eager {
      n = 1;
      [PRE_WRITE]() {
        change(list);
      }
      [PRE_READ]() {
        change(list);
      }
    }
    const elephant = create({ constructors: { Eager } as never });
    const json = { __Elephant_Constructor__: "Eager", __Elephant_Schema_Version__: 0, n: 1 };
    const given = (first: unknown, others: unknown[]) => {
      list = [first, ...others];
      return { list, behind: 3 };
    };
    for (const [way, element] of [[elephant.toJson, new Eager()] as const, [elephant.fromJson, json] as const]) {
      // With an end, should the list have none.
      change = () => list.length < 100 && list.push({ ...element });
      const copyOf = element === json ? expect.any(Eager) : json;
      expect(way.call(elephant, given(element, [2]))).toStrictEqual({ list: [copyOf, 2], behind: 3 });
      let calls = 0;
      change = () => {
        list.length = 0;
        // As above: whoever asks for what is not there for the tenth time gets no answer.
        list = Object.setPrototypeOf(
          list,
          new Proxy(Array.prototype, { get: (_, name) => (++calls > 10 ? expect.fail() : Reflect.get([], name)) }),
        );
      };
      expect(way.call(elephant, given(element, [2, 4]))).toStrictEqual({ list: [copyOf, undefined, undefined], behind: 3 });
    }
  });

  describe("bytes that a constructor gives away while they are read", () => {
    let giveAway = () => {};
    class Thief {
      id = 0;
      constructor() {
        giveAway();
      }
    }
    class Later extends Thief {}
    const elephant = create({ constructors: { Thief, Later } as never });
    const behind: [title: string, value: unknown][] = [
      ["a long array of numbers", Array.from({ length: 9000 }, (_, i) => i + 0.5)],
      ["a long array of whole numbers", Array.from({ length: 9000 }, (_, i) => i)],
      ["a typed array", new Float32Array(9000)],
      ["a long text", "x".repeat(100_000)],
      ["the name of a constructor", Array.from({ length: 2000 }, () => new Thief()).concat(new Later())],
      ["many instances", Array.from({ length: 5000 }, () => new Thief())],
    ];
    const Resizable = ArrayBuffer as unknown as new (size: number, options: object) => ArrayBuffer & { resize(size: number): void };

    test.each(behind)("in front of %s", async (_, value) => {
      const good = elephant.write([new Thief(), value, "the end"]);
      const front = 1000;
      const whole = [{}, { typedArrays: true }].map((options) => ({ options, expected: elephant.read(good, options) }));
      for (const left of [undefined, 0, 40, 2000, front + 2000, front + good.length - 3])
        for (const nth of [1, 700])
          for (const { options, expected } of whole) {
            const outcomes: unknown[] = [];
            for (const read of [elephant.read.bind(elephant), elephant.readAsync.bind(elephant)]) {
              const buffer = new Resizable(front + good.length, { maxByteLength: 1_000_000 });
              // One that is not as long as its memory, whatever that is.
              const bytes = new Uint8Array(buffer, front, good.length);
              bytes.set(good);
              let made = 0;
              giveAway = () => {
                if (++made !== nth) return;
                if (left === undefined) structuredClone(buffer, { transfer: [buffer] });
                else buffer.resize(left);
              };
              try {
                outcomes.push(await read(bytes, options));
              } catch (error) {
                outcomes.push((error as { code?: string }).code ?? error);
              }
              giveAway = () => {};
            }
            for (const outcome of outcomes) if (typeof outcome !== "object") expect(outcome).toBe("truncated");
            for (const outcome of outcomes) if (typeof outcome === "object") expect(differences(expected, outcome)).toEqual([]);
          }
    });
  });

  test("what constructors and getters throw is their own, also where it is an error of this kind", () => {
    const own = new TuskError("elephant", "mine", "my own");
    let fails = false;
    const fail = () => {
      if (fails) throw own;
      return 1;
    };
    class Defaults {
      value = fail();
    }
    class Lazy {
      static [SCHEMA] = { v1: { lazy: "any" } } as const;
      get lazy() {
        return fail();
      }
    }
    const elephant = create({ constructors: { Defaults, Lazy } as never });
    const graph = { defaults: new Defaults(), lazy: new Lazy() };
    fails = true;
    expect(failure(() => elephant.write(graph, { diffsOnly: true }))).toBe(own);
    expect(failure(() => elephant.write([1, [graph.lazy, graph.lazy]]))).toBe(own);
  });

  test("what a pre-write throws is its own, too", () => {
    const own = new TuskError("elephant", "mine", "my own");
    class C {
      [PRE_WRITE]() {
        throw own;
      }
    }
    const elephant = create({ constructors: { C } });
    for (const graph of [new C(), { a: [new C()] }]) expect(failure(() => elephant.write(graph))).toBe(own);
  });

  test("a post-read is called in its own read alone, and never of one that has failed", () => {
    let called = 0;
    class C {
      x = 1;
      [POST_READ]() {
        called++;
      }
    }
    const elephant = create({ constructors: { C } });
    const save = elephant.write([new C(), new C()]);
    for (const calls of [2, 4]) {
      expectError(() => elephant.read(save.subarray(0, -1)));
      elephant.read(save);
      elephant.read(elephant.write([1]));
      expect(called).toBe(calls);
    }
  });

  test("a post-read that takes itself from its class is not called any more", () => {
    let calls = 0;
    class Once {
      id = 1;
    }
    const prototype = Once.prototype as unknown as Record<symbol, unknown>;
    const elephant = create({ constructors: { Once } as never });
    const list = [new Once(), new Once()];
    for (const make of [
      () => elephant.read(elephant.write(list)),
      () => elephant.duplicate(list),
      () => elephant.fromJson(elephant.toJson(list)),
    ]) {
      prototype[POST_READ] = () => {
        calls++;
        delete prototype[POST_READ];
      };
      calls = 0;
      expect(make()).toStrictEqual(list);
      expect(calls).toBe(1);
    }
  });

  test("the template is made before the members are listed, for JSON as for a save", () => {
    let act = () => {};
    class C {
      constructor() {
        act();
      }
    }
    const elephant = create({ constructors: { C } as never });
    for (const way of ["write", "toJson"] as const) {
      const instance = new C() as { late?: number };
      act = () => {
        instance.late = 5;
      };
      const made = elephant[way](instance, { diffsOnly: true });
      act = () => {};
      expect(way === "write" ? elephant.read(made as Uint8Array) : made).toHaveProperty("late", 5);
    }
  });

  test("post-write waits for all that is put off of an instance", () => {
    const order: string[] = [];
    class Pair {
      [POST_WRITE]() {
        order.push(this.name);
      }
      constructor(
        readonly name = "",
        readonly left: unknown = 0,
        readonly right: unknown = 0,
      ) {}
    }
    const codec = createElephantSync({ engine, constructors: { Pair } });
    codec.write(new Pair("outer", inside(70, new Pair("left")), inside(70, new Pair("right"))));
    expect(order).toEqual(["left", "right", "outer"]);
  });
});

describe("callbacks and what they change", () => {
  test("what is no function is no callback", () => {
    class C {
      a = 1;
    }
    for (const key of [PRE_WRITE, POST_WRITE, PRE_READ, POST_READ]) Object.assign(C.prototype, { [key]: 5 });
    const codec = createElephantSync({ constructors: { C } });
    expect(codec.read(codec.write(new C()))).toStrictEqual(new C());
    expect(codec.duplicate(new C())).toStrictEqual(new C());
  });

  test("a callback copies while a codec copies that has copied before", () => {
    class C {
      kids: unknown[] = [];
      [PRE_WRITE]() {
        codec.duplicate([{ b: 1 }, [2]]);
      }
    }
    const codec = createElephantSync({ constructors: { C } });
    const shared = { s: 1 };
    const graph = [shared, Object.assign(new C(), { kids: [shared] }), shared];
    for (let i = 0; i < 3; i++) {
      const copy = codec.duplicate(graph);
      expect(copy).toStrictEqual(graph);
      expect(copy[2]).toBe(copy[0]);
      expect((copy[1] as C).kids[0]).toBe(copy[0]);
    }
  });

  test("a copy that has failed leaves no callbacks to the next", () => {
    let called = 0;
    class C {
      kids: unknown[] = [];
      [POST_READ]() {
        called++;
      }
    }
    const codec = createElephantSync({ constructors: { C } });
    expectError(() => codec.duplicate([new C(), Symbol()]), "datatype-not-recognised");
    codec.duplicate([1, { a: 2 }]);
    expect(called).toBe(0);
  });

  test("what post-write changes at a class is seen by the rest of a copy", () => {
    let called = 0;
    class Kid {
      a = 1;
    }
    class C {
      kids: unknown[] = [];
      [POST_WRITE]() {
        Object.assign(Kid.prototype, { [PRE_READ]: () => void called++ });
      }
    }
    const kids = (count: number) => Array.from({ length: count }, () => new Kid());
    createElephantSync({ constructors: { C, Kid } }).duplicate([kids(40), Object.assign(new C(), { kids: kids(2) }), kids(3)]);
    expect(called).toBe(3);
  });

  test.each([
    ["pre-write", PRE_WRITE],
    ["pre-read", PRE_READ],
  ] as const)("what %s changes at a class is seen by what the instance holds, too", (_, name) => {
    let called = 0;
    class Kid {
      a = 1;
    }
    class C {
      kids: unknown[] = [];
    }
    Object.assign(C.prototype, { [name]: () => Object.assign(Kid.prototype, { [PRE_READ]: () => void called++ }) });
    const kids = (count: number) => Array.from({ length: count }, () => new Kid());
    createElephantSync({ constructors: { C, Kid } }).duplicate([kids(40), Object.assign(new C(), { kids: kids(2) }), kids(3)]);
    expect(called).toBe(5);
  });
});
