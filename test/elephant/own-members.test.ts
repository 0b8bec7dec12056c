// Instances that are stored, and copied, with all members that they have themselves: those of classes without schema or without a version, except for what
// is excluded. Functions are made for those that are alike; what they do has to be what is done without them, whoever comes next.
import { describe, expect, test } from "vitest";
import {
  createElephantSync,
  type ElephantConstructor,
  type ElephantOptions,
  type ElephantSchema,
  FORCE_VERSION,
  POST_WRITE,
  PRE_WRITE,
  SCHEMA,
  StructInstance,
  VERBOSE_EXCLUDE,
  VERSION_VERBOSE,
} from "./codec.ts";
import { differences } from "./compare.ts";
import { createReference } from "./reference.ts";

type Members = Record<string, unknown>;
type Schema = Record<string, unknown>;

/** A class with this schema, and what else it has. */
function classOf(schema: Schema | undefined, inherited: Members = {}): ElephantConstructor {
  class Made {}
  if (schema) Object.assign(Made, { [SCHEMA]: schema });
  Object.assign(Made.prototype, inherited);
  return Made as unknown as ElephantConstructor;
}

const make = (Class: ElephantConstructor, members: Members): object => Object.assign(new Class() as object, members);

/** Enough for functions to be made, then what differs from all of them: other names, another order, fewer, more, none. */
function many(Class: ElephantConstructor): object[] {
  const usual = (i: number): Members => ({ name: `n${i}`, cache: [i], x: i / 2, held: { i } });
  return [
    ...Array.from({ length: 80 }, (_, i) => make(Class, usual(i))),
    make(Class, { name: "fewer", cache: [], x: 1 }),
    make(Class, { x: 1, name: "another order", cache: [], held: {} }),
    make(Class, { ...usual(1), more: true }),
    make(Class, { name: "others", cash: [], x: 1, held: {} }),
    make(Class, {}),
    make(Class, { name: make(Class, usual(2)), cache: make(Class, usual(3)), x: () => 1, held: undefined }),
    make(Class, { ...usual(4), constructor: "data", toString: 5 }),
    ...Array.from({ length: 10 }, (_, i) => make(Class, usual(i))),
  ];
}

const names = (value: unknown): string[][] => (value as object[]).map((instance) => Object.keys(instance));

const KINDS: [kind: string, schema: Schema | undefined, inherited?: Members][] = [
  ["without schema", undefined],
  ["with an empty schema", {}],
  ["with a list of names that are excluded", { [VERBOSE_EXCLUDE]: ["cache", "nobody's"] }],
  [
    "with an excluded name, and versions of which none is written",
    { [VERBOSE_EXCLUDE]: ["held"], [FORCE_VERSION]: 0, v1: { name: "string" } },
  ],
  ["with a list of anything", { [VERBOSE_EXCLUDE]: [Symbol("x"), Object.create(null), 7, "cache", undefined] }],
  ["that inherit a member", undefined, { held: "inherited" }],
  ["that inherit a member, with one excluded", { [VERBOSE_EXCLUDE]: ["x"] }, { cache: 1 }],
];

describe.each(KINDS)("classes %s", (_, schema, inherited) => {
  const Made = classOf(schema, inherited);
  const constructors = { Made };

  test("are written as the reference codec does", () => {
    const elephant = createElephantSync({ constructors });
    const value = many(Made);
    const expected = createReference({ constructors }).write(value);
    for (let i = 0; i < 4; i++) expect(elephant.write(value)).toEqual(expected);
    // Whoever comes first.
    expect(createElephantSync({ constructors }).write(value.toReversed())).toEqual(
      createReference({ constructors }).write(value.toReversed()),
    );
  });

  test("are copied as without functions", () => {
    const value = many(Made);
    const elephant = createElephantSync({ constructors });
    const plain = createElephantSync({ constructors, codeGeneration: false });
    for (const options of [{}, { forceVerbose: true }, { allMembers: true }, {}]) {
      const expected = plain.duplicate(value, options);
      const copy = elephant.duplicate(value, options);
      expect(differences(expected, copy)).toEqual([]);
      expect(names(copy)).toEqual(names(expected));
      expect(copy.every((instance) => Object.getPrototypeOf(instance) === Made.prototype)).toBe(true);
    }
  });

  test("without the class are written as without functions", () => {
    const tools: ElephantOptions = { constructors: schema ? { Made: schema as ElephantSchema } : {}, unknownConstructor: "generic" };
    const value = createElephantSync(tools).read<object[]>(createElephantSync({ constructors }).write(many(Made)));
    expect(value[0]).toBeInstanceOf(StructInstance);
    const elephant = createElephantSync(tools);
    const expected = createElephantSync({ ...tools, codeGeneration: false }).write(value);
    for (let i = 0; i < 4; i++) expect(elephant.write(value)).toEqual(expected);
    expect(names(elephant.duplicate(value))).toEqual(names(createElephantSync({ ...tools, codeGeneration: false }).duplicate(value)));
  });
});

describe("what changes between two calls", () => {
  const usual = (Class: ElephantConstructor, names: string[]) =>
    Array.from({ length: 60 }, (_, i) => make(Class, Object.fromEntries(names.map((name) => [name, i]))));

  test("the list of names that are excluded", () => {
    const excluded = ["b"];
    const Made = classOf({ [VERBOSE_EXCLUDE]: excluded });
    const constructors = { Made };
    const elephant = createElephantSync({ constructors });
    const [ab, ac] = [usual(Made, ["a", "b"]), usual(Made, ["a", "c"])];
    const check = (value: object[], kept: string[][]): void => {
      const fresh = createElephantSync({ constructors, codeGeneration: false });
      expect(elephant.write(value)).toEqual(fresh.write(value));
      expect(names(elephant.duplicate(value))).toEqual(kept);
    };
    check(
      ab,
      ab.map(() => ["a"]),
    );
    excluded[0] = "c";
    // One of those whose members are the same without what is excluded now, before others.
    const value = [ac[0], ...ab];
    check(value, [["a"], ...ab.map(() => ["a", "b"])]);
    excluded.length = 0;
    check(value, [["a", "c"], ...ab.map(() => ["a", "b"])]);
  });

  test.each<[before: string[], after: string[]]>([
    [["a", "b"], ["a,b"]],
    [["a,b"], ["a", "b"]],
    [[""], []],
    [["a", "b"], ["a\0b"]],
    [["a"], ["b"]],
  ])("the list of names that are excluded, from %j to %j", (before, after) => {
    const schema: Schema = { [VERBOSE_EXCLUDE]: before };
    const Made = classOf(schema);
    const constructors = { Made };
    const elephant = createElephantSync({ constructors });
    const value = usual(Made, ["a", "b", "a,b", ""]);
    const save = elephant.write(value);
    elephant.duplicate(value);
    schema[VERBOSE_EXCLUDE] = after;
    const fresh = createElephantSync({ constructors, codeGeneration: false });
    expect(elephant.write(value)).toEqual(fresh.write(value));
    expect(names(elephant.duplicate(value))).toEqual(names(fresh.duplicate(value)));
    schema[VERBOSE_EXCLUDE] = before;
    expect(elephant.write(value)).toEqual(save);
  });

  test.each([PRE_WRITE, POST_WRITE])("the list of names that are excluded, by a callback (%s)", (callback) => {
    const schema: Schema = {};
    const [Made, Calling] = [classOf(schema), classOf({})];
    Calling.prototype[callback] = () => {
      schema[VERBOSE_EXCLUDE] = ["b"];
    };
    const constructors = { Made, Calling };
    const value = [...usual(Made, ["a", "b"]), make(Calling, {}), ...usual(Made, ["a", "b"])];
    const outcome = (codeGeneration: boolean): unknown[] => {
      const elephant = createElephantSync({ constructors, codeGeneration });
      return Array.from({ length: 3 }, () => {
        schema[VERBOSE_EXCLUDE] = ["a"];
        const save = elephant.write(value);
        schema[VERBOSE_EXCLUDE] = ["a"];
        return [save, names(elephant.duplicate(value))];
      });
    };
    expect(outcome(true)).toEqual(outcome(false));
  });

  test.each<[what: string, change: (Made: ElephantConstructor, made: { member?: PropertyDescriptor }) => void]>([
    ["a setter for a member", (Made) => Object.defineProperty(Made.prototype, "a", { set() {}, configurable: true })],
    ["constructors that make a member read-only", (_, made) => (made.member = { value: 9, configurable: true, enumerable: true })],
    ["constructors that make an accessor", (_, made) => (made.member = { get: () => 5, set() {}, configurable: true, enumerable: true })],
  ])("%s", (_, change) => {
    for (const schema of [{}, { v1: { a: "f64", b: "f64" } }]) {
      const made: { member?: PropertyDescriptor } = {};
      class Made {
        static [SCHEMA] = schema as ElephantSchema;
        constructor() {
          if (made.member) Object.defineProperty(this, "a", made.member);
        }
      }
      const value = Array.from({ length: 60 }, (_, i) => Object.assign(Object.create(Made.prototype) as object, { a: i, b: 1 }));
      const elephant = createElephantSync({ constructors: { Made } });
      elephant.duplicate(value);
      change(Made, made);
      const copies = elephant.duplicate(value).map((copy) => Object.getOwnPropertyDescriptors(copy));
      expect(copies).toEqual(value.map((instance) => Object.getOwnPropertyDescriptors(instance)));
    }
  });

  test("a function that has a class's prototype is no instance of it", () => {
    const Made = classOf({});
    const elephant = createElephantSync({ constructors: { Made } });
    const odd = Object.setPrototypeOf(() => 1, Made.prototype as object) as object;
    expect(elephant.duplicate([...usual(Made, ["a"]), Object.assign(odd, { a: 1 })]).at(-1)).toBeUndefined();
  });

  test("an accessor of another class under the name of a member", () => {
    const members = (version: object) => classOf({ v1: version });
    for (const Made of [members({ name: "any" }), members({ name: "any", [VERSION_VERBOSE]: true }), classOf(undefined)]) {
      const Other = classOf(undefined);
      Object.defineProperty(Other.prototype, "name", {
        get: () => expect.fail("is not stored, and not called"),
        configurable: true,
      });
      const elephant = createElephantSync({ constructors: { Made, Other } });
      const value = [...usual(Made, ["name"]), make(Other, { open: true })];
      for (let i = 0; i < 3; i++) expect(names(elephant.read(elephant.write(value))).at(-1)).toEqual(["open"]);
    }
  });

  test.each(["1.4.0", "1.5.1"] as const)("an accessor of a class under the name that another class has as data: %s", (release) => {
    const usual = (Class: ElephantConstructor, length: number) => Array.from({ length }, (_, i) => make(Class, { x: i, y: 2 }));
    const [A, B, Data] = [classOf(undefined), classOf(undefined), classOf(undefined)];
    Object.defineProperty(B.prototype, "x", { get: () => expect.fail("is hidden by the member, and not called"), configurable: true });
    const value = [...usual(A, 20), ...usual(Data, 1), ...usual(A, 5)];
    const save = createElephantSync({ constructors: { A, B: Data } }).write(value, { release });
    const elephant = createElephantSync({ constructors: { A, B } });
    for (let i = 0; i < 3; i++) {
      const other = elephant.read<object[]>(save)[20];
      expect(Object.getOwnPropertyDescriptor(other, "x")?.value).toBe(0);
      expect(Object.keys(other)).toEqual(["x", "y"]);
    }
  });

  test("proxies that make what they do not have, or refuse it, are asked for nothing else", () => {
    const making = (target: Members): Members =>
      new Proxy(target, { get: (members, key: string) => (key in members ? members[key] : (members[key] = 0)) });
    const refusing = (target: Members): Members =>
      new Proxy(target, { get: (members, key: string) => (key in members ? members[key] : expect.fail(`is asked for ${key}`)) });
    const Made = classOf(undefined);
    const Fields = classOf({ v1: { a: "f64" } });
    for (const around of [making, refusing])
      for (const begin of [() => ({}), () => new Made() as object, () => new Fields() as object]) {
        const given = Array.from({ length: 20 }, (_, a) => Object.assign(begin(), { a }) as Members);
        const elephant = createElephantSync({ constructors: { Made, Fields } });
        const plain = elephant.write(given);
        const value = given.map(around);
        for (let i = 0; i < 3; i++) expect(elephant.write(value)).toEqual(plain);
        expect(names(given)).toEqual(given.map(() => ["a"]));
      }
  });

  test.each([true, false])(
    "an accessor that the constructor defines is hidden by the member, and not called (functions: %s)",
    (codeGeneration) => {
      for (const schema of [undefined, { v1: { x: "any", y: "any" } }]) {
        class Made {
          constructor() {
            Object.defineProperty(this, "x", { get: () => expect.fail("is not called"), configurable: true, enumerable: true });
          }
          static [SCHEMA] = schema as ElephantSchema;
        }
        const elephant = createElephantSync({ constructors: { Made }, codeGeneration });
        const tools = createElephantSync({ constructors: schema ? { Made: schema as ElephantSchema } : {}, unknownConstructor: "generic" });
        const save = tools.write(Array.from({ length: 50 }, (_, i) => new StructInstance("Made", { x: i, y: 2 })));
        for (let i = 0; i < 3; i++)
          expect(
            elephant
              .read<Members[]>(save)
              .map(({ x, y }) => [x, y])
              .at(-1),
          ).toEqual([49, 2]);
      }
    },
  );

  test("what instances inherit", () => {
    const Made = classOf(undefined);
    const elephant = createElephantSync({ constructors: { Made } });
    const value = [...usual(Made, ["a", "b"]), ...usual(Made, ["a"])];
    const save = elephant.write(value);
    const kept = names(elephant.duplicate(value));
    Made.prototype.b = 1;
    expect(elephant.write(value)).toEqual(save);
    expect(names(elephant.duplicate(value))).toEqual(kept);
    delete Made.prototype.b;
    expect(elephant.write(value)).toEqual(save);
    expect(names(elephant.duplicate(value))).toEqual(kept);
  });

  test("a callback that comes and goes", () => {
    const Made = classOf({});
    const elephant = createElephantSync({ constructors: { Made } });
    const value = usual(Made, ["a", "b"]);
    const save = elephant.write(value);
    let calls = 0;
    Made.prototype[PRE_WRITE] = function (this: Members) {
      calls++;
      this.a = 0;
    };
    const changed = value.map((instance) => ({ ...instance, a: 0 }));
    expect(names(elephant.duplicate(value))).toEqual(names(value));
    expect(calls).toBe(60);
    expect(elephant.read<object[]>(elephant.write(value)).map((instance) => ({ ...instance }))).toEqual(changed);
    delete Made.prototype[PRE_WRITE];
    for (const [i, instance] of value.entries()) Object.assign(instance, { a: i });
    expect(elephant.write(value)).toEqual(save);
  });

  test("a callback that a getter brings between two places of an instance", () => {
    const Made = classOf({});
    const elephant = createElephantSync({ constructors: { Made } });
    const instance = usual(Made, ["a", "b"])[0];
    let calls = 0;
    const value = {
      get first() {
        delete Made.prototype[PRE_WRITE];
        return instance;
      },
      number: 1,
      get second() {
        Made.prototype[PRE_WRITE] = () => calls++;
        return instance;
      },
      list: [instance],
    };
    for (let i = 0; i < 3; i++) {
      const read = elephant.read<{ first: unknown; second: unknown; list: unknown[] }>(elephant.write(value));
      expect([read.second === read.first, read.list[0] === read.first]).toEqual([true, true]);
    }
    expect(calls).toBe(0);
    delete Made.prototype[PRE_WRITE];
  });

  test("two classes whose names and exclusions read alike", () => {
    const constructors = { "A,b": classOf({}), A: classOf({ [VERBOSE_EXCLUDE]: ["b"] }) };
    const value = [...usual(constructors["A,b"], ["a"]), ...usual(constructors.A, ["a"]), ...usual(constructors["A,b"], ["a"])];
    const elephant = createElephantSync({ constructors });
    for (let i = 0; i < 3; i++) expect(elephant.write(value)).toEqual(createReference({ constructors }).write(value));
  });
});
