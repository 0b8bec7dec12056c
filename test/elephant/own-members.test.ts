// Instances that are stored, and copied, with all members that they have themselves: those of classes without schema or without a version, except for what
// is excluded. Functions are made for those that are alike; what they do has to be what is done without them, whoever comes next.
import { describe, expect, test } from "vitest";
import {
  createElephantSync,
  type ElephantConstructor,
  type ElephantOptions,
  type ElephantSchema,
  FORCE_VERSION,
  PRE_WRITE,
  SCHEMA,
  StructInstance,
  VERBOSE_EXCLUDE,
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

  test("two classes whose names and exclusions read alike", () => {
    const constructors = { "A,b": classOf({}), A: classOf({ [VERBOSE_EXCLUDE]: ["b"] }) };
    const value = [...usual(constructors["A,b"], ["a"]), ...usual(constructors.A, ["a"]), ...usual(constructors["A,b"], ["a"])];
    const elephant = createElephantSync({ constructors });
    for (let i = 0; i < 3; i++) expect(elephant.write(value)).toEqual(createReference({ constructors }).write(value));
  });
});
