// Classes from one write to the next: what a codec has learned of one is asked for again where its first instance comes, and only what may have changed.
import { describe, expect, test } from "vitest";
import {
  createElephantSync,
  type ElephantConstructor,
  type ElephantSchema,
  ENGINES,
  FORCE_VERSION,
  PRE_WRITE,
  SCHEMA,
  StructInstance,
  VERBOSE_EXCLUDE,
  VERSION_VERBOSE,
} from "./codec.ts";

/** More than a shape has before a function is made for it. */
const MANY = 20;

class Hero {
  name = "Ada";
  hp = 80;
  friend: unknown;
  static [SCHEMA] = { v1: { name: "string", hp: "u16", friend: "any" } } satisfies ElephantSchema;
}

/** A class of its own for each test, without a schema. */
function newItem() {
  return class Item {
    kind = "sword";
    n = 3;
  };
}

type Constructors = Record<string, ElephantConstructor | ElephantSchema>;

function codecsFor(engine: "wasm" | "js", constructors: Constructors) {
  const options = { engine, constructors, unknownConstructor: "generic" } as const;
  const warm = createElephantSync(options);
  return {
    warm,
    /** That the codec writes as one does that has learned nothing. */
    expectAlike(value: unknown, write = {}): Uint8Array {
      const bytes = warm.write(value, write);
      expect(bytes).toEqual(createElephantSync(options).write(value, write));
      return bytes;
    },
  };
}

describe.each(ENGINES)("engine %s", (engine) => {
  test("first and later instances of several classes, in another order each time", () => {
    const Item = newItem();
    class Empty {}
    const { expectAlike } = codecsFor(engine, { Hero, Item, Empty, Known: { v1: { x: "f64" } } });
    const makers = [
      () => new Hero(),
      () => new Item(),
      () => new Empty(),
      () => new StructInstance("Unknown", { x: 1 }),
      () => new StructInstance("Known", { x: 2 }),
      () => [1, "text", new Item()],
    ];
    for (let i = 0; i < 200; i++) {
      const parts = makers.map((_, k) => makers[(i * (k + 1) + (i >> 3)) % makers.length]());
      expectAlike({ parts, again: parts[0], first: Object.assign(new Hero(), { friend: parts[i % parts.length] }) });
    }
  });

  test.each(["", "Г", "n".repeat(24), "n".repeat(25), "долго".repeat(400)])("a class of the name %j", (name) => {
    const Item = newItem();
    const { expectAlike } = codecsFor(engine, { [name]: Item, Hero });
    for (let i = 0; i < MANY; i++) expectAlike([new Item(), Object.assign(new Hero(), { friend: new Item() })]);
  });

  test("a callback that a class gets later", () => {
    const Item = newItem();
    const { expectAlike, warm } = codecsFor(engine, { Item });
    for (let i = 0; i < MANY; i++) warm.write([new Item(), new Item()]);
    let calls = 0;
    Object.assign(Item.prototype, {
      [PRE_WRITE](this: { n: number }) {
        calls++;
        this.n = 9;
      },
    });
    expect(warm.read(warm.write([new Item(), new Item()]))).toMatchObject([{ n: 9 }, { n: 9 }]);
    expect(calls).toBe(2);
    Reflect.deleteProperty(Item.prototype, PRE_WRITE);
    expectAlike([new Item(), new Item()]);
    expect(calls).toBe(2);
  });

  test("what is excluded, and then is not", () => {
    const Item: ReturnType<typeof newItem> & { [SCHEMA]?: ElephantSchema } = newItem();
    const { expectAlike } = codecsFor(engine, { Item });
    for (const excluded of [undefined, ["kind"], undefined, ["n"], [], undefined, ["kind"]]) {
      if (excluded) Item[SCHEMA] = { [VERBOSE_EXCLUDE]: excluded };
      else delete Item[SCHEMA];
      for (let i = 0; i < MANY; i++) {
        const text = new TextDecoder("latin1").decode(expectAlike([new Item(), new Item()]));
        expect(["kind", "n"].filter((name) => !text.includes(`${name}\0`))).toEqual(excluded ?? []);
      }
    }
  });

  test("members that its prototype gets later", () => {
    const Item = newItem();
    const { expectAlike } = codecsFor(engine, { Item });
    const value = () => [new Item(), Object.assign(new Item(), { shiny: false }), new Item()];
    for (let i = 0; i < MANY; i++) expectAlike(value());
    Object.assign(Item.prototype, { shiny: true });
    for (let i = 0; i < MANY; i++) expectAlike(value());
    Reflect.deleteProperty(Item.prototype, "shiny");
    expectAlike(value());
  });

  test("a schema that is taken away", () => {
    const Item: ReturnType<typeof newItem> & { [SCHEMA]?: ElephantSchema } = newItem();
    Item[SCHEMA] = { v1: { n: "u8" } };
    const Named: ReturnType<typeof newItem> & { [SCHEMA]?: ElephantSchema } = newItem();
    Named[SCHEMA] = { v1: { n: "u8", [VERSION_VERBOSE]: true } };
    const { warm } = codecsFor(engine, { Item, Named });
    const before = warm.write([new Item(), new Named()]);
    for (let i = 0; i < MANY; i++) expect(warm.write([new Item(), new Named()])).toEqual(before);
    delete Item[SCHEMA];
    delete Named[SCHEMA];
    const seldom = createElephantSync({ engine, constructors: { Item, Named } });
    const value = [Object.assign(new Item(), { more: 1 }), Object.assign(new Named(), { more: 1 })];
    const parts = [{ kind: "sword", n: 3, more: 1 }];
    for (const codec of [warm, seldom]) expect(codec.read(codec.write(value))).toMatchObject([parts[0], parts[0]]);
  });

  test("a class whose instances are stand-ins, of any version", () => {
    class Foo extends StructInstance {
      constructor() {
        super("Foo");
      }
    }
    const { warm, expectAlike } = codecsFor(engine, { Foo });
    const older = createElephantSync({ engine, constructors: { Foo: { v3: { x: "f64", [VERSION_VERBOSE]: true } } } });
    const generic = createElephantSync({ engine, unknownConstructor: "generic" });
    const copy = warm.duplicate(generic.read<StructInstance>(older.write(new StructInstance("Foo", { x: 1 }))));
    delete copy[VERSION_VERBOSE];
    expect([StructInstance.versionOf(copy), Object.keys(copy)]).toEqual([3, ["x"]]);
    const plain = () => Object.assign(new Foo(), { x: 1 });
    for (let i = 0; i < MANY; i++) expectAlike([plain(), plain()]);
    expectAlike([copy, plain()]);
    expectAlike([plain(), copy]);
    expectAlike([plain(), plain(), copy]);
  });

  test("a struct that gets its class while it is written", () => {
    const Item = newItem();
    const given = { kind: "a", n: 1 };
    class Giver {
      [PRE_WRITE]() {
        Object.setPrototypeOf(given, Item.prototype);
      }
    }
    const { expectAlike, warm } = codecsFor(engine, { Item, Giver });
    for (let i = 0; i < MANY; i++) expectAlike([new Item(), new Item()]);
    const bytes = warm.write([given, new Giver(), given, new Item()]);
    Object.setPrototypeOf(given, Object.prototype);
    expect(bytes).toEqual(createElephantSync({ engine, constructors: { Item, Giver } }).write([given, new Giver(), given, new Item()]));
    expect(warm.read(bytes)).toMatchObject([{ kind: "a" }, {}, { kind: "a" }, { kind: "sword" }]);
  });

  test("differences and other releases in between", () => {
    const Item = newItem();
    const { expectAlike } = codecsFor(engine, { Hero, Item });
    const value = () => [new Hero(), new Item(), Object.assign(new Hero(), { hp: 1 }), Object.assign(new Item(), { n: 1 })];
    for (const write of [{ diffsOnly: true }, { release: "1.5.0" }, { release: "1.4.0" }, { diffsOnly: true }]) {
      for (let i = 0; i < MANY; i++) expectAlike(value());
      expectAlike(value(), write);
    }
  });

  test("in slices", async () => {
    const Item = newItem();
    const { warm } = codecsFor(engine, { Hero, Item });
    const value = Array.from({ length: 3000 }, (_, i) => (i % 3 ? new Hero() : Object.assign(new Item(), { n: i, owner: new Hero() })));
    const bytes = warm.write(value);
    let slices = 0;
    const pause = async () => void slices++;
    for (let i = 0; i < 3; i++) expect(await warm.writeAsync(value, { sliceMs: 0, pause })).toEqual(bytes);
    expect(slices).toBeGreaterThan(10);
  });

  test("of a class with a schema it is asked once in a write that it is still there", () => {
    let asked = 0;
    class Asked {
      x = 1;
      static get [SCHEMA](): ElephantSchema {
        asked++;
        return { v1: { x: "f64" } };
      }
    }
    const { warm } = codecsFor(engine, { Asked });
    const value = [new Asked(), new Asked(), new Asked()];
    for (let i = 0; i < MANY; i++) warm.write(value);
    const before = asked;
    for (let i = 0; i < MANY; i++) warm.write(value);
    expect(asked - before).toBe(MANY);
  });

  test("which version is forced is asked once, at the first instance", () => {
    class C {
      a = 1;
      b = 2;
      static [SCHEMA]: Record<string, unknown> = { [FORCE_VERSION]: 1, v1: { a: "u8" }, v2: { b: "u8" } };
    }
    const create = () => createElephantSync({ engine, constructors: { C } as never });
    const codec = create();
    const first = codec.write(new C());
    C[SCHEMA][FORCE_VERSION] = 2;
    expect(codec.write(new C())).toEqual(first);
    expect(create().write(new C())).not.toEqual(first);
  });
});
