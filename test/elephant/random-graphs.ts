// Random worlds for the property tests: constructors with schemas of every sort, and graphs of their instances with sharing and cycles.

import fc from "fast-check";
import { characters } from "../characters.ts";
import { type ElephantConstructor, FORCE_VERSION, SCHEMA, Scalar, type ScalarDatatype, VERBOSE_EXCLUDE, VERSION_VERBOSE } from "./codec.ts";
import { type Classes, defineMember } from "./notation.ts";

/** Text that can be stored: no U+0000, no lone surrogates. Lengths reach over the widths of words and vectors. */
export const text = fc.oneof(
  { weight: 4, arbitrary: fc.string({ unit: "grapheme-ascii", maxLength: 24 }) },
  { weight: 2, arbitrary: fc.string({ unit: characters(1), maxLength: 20 }) },
  { weight: 1, arbitrary: fc.string({ unit: "grapheme", maxLength: 12 }).map((value) => value.replace(/[\0\p{Surrogate}]/gu, "")) },
  { weight: 1, arbitrary: fc.nat(130).map((length) => "long".repeat(length)) },
  { weight: 1, arbitrary: fc.constantFrom("", "\ufeff", "\uffff", "�", "é", "😀", "a".repeat(15), "b".repeat(16), "c".repeat(17)) },
);

/** Few names, so that shapes repeat, and odd ones. No integer-like names: JavaScript does not keep their order. */
export const memberName = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom("a", "b", "c", "name", "hp", "kids", "position", "x", "y") },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      "__proto__",
      "constructor",
      "toString",
      "length",
      "",
      "a.b",
      "[0]",
      "Ä",
      "名前",
      "😀",
      "-1",
      "01",
      "1e3",
      "v1",
      "__Elephant_X__",
    ),
  },
  { weight: 1, arbitrary: text.filter((name) => !isIntegerLike(name) && name.length < 40) },
);

function isIntegerLike(name: string): boolean {
  return /^(?:0|[1-9][0-9]*)$/.test(name);
}

const number = fc.oneof(
  fc.integer({ min: -5, max: 300 }),
  fc.integer(),
  fc.double(),
  fc.constantFrom(0, -0, 0.5, 1e-5, 2 ** 31, 2 ** 32, 2 ** 53, -(2 ** 31), Number.NaN, Infinity, -Infinity, 5e-324),
);
const int64 = fc.oneof(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), fc.bigInt({ min: -3n, max: 3n }));

/** Values of one datatype that come back exactly as they are. */
const BY_DATATYPE: Record<string, fc.Arbitrary<unknown>> = {
  u8: fc.integer({ min: 0, max: 255 }),
  s8: fc.integer({ min: -128, max: 127 }),
  u16: fc.integer({ min: 0, max: 65535 }),
  s16: fc.integer({ min: -32768, max: 32767 }),
  u32: fc.integer({ min: 0, max: 2 ** 32 - 1 }),
  s32: fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }),
  f16: fc.oneof(
    fc.integer({ min: -2048, max: 2048 }).map((value) => value / 8),
    fc.constantFrom(-0, 65504, 2 ** -24, Infinity, -Infinity),
  ),
  f32: fc.float(),
  f64: number,
  bool: fc.boolean(),
  string: text,
  text,
  u64: int64,
  undefined: fc.constant(undefined),
};

/** A number, or a `Scalar` that "exact" reading gives back. */
const scalar = fc.oneof(
  { weight: 6, arbitrary: number },
  { weight: 3, arbitrary: text },
  { weight: 2, arbitrary: fc.boolean() },
  { weight: 1, arbitrary: fc.constant(undefined) },
  { weight: 1, arbitrary: int64 },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom("u8", "s8", "u16", "s16", "u32", "s32", "f16", "f32")
      .chain((datatype) => BY_DATATYPE[datatype]!.map((value) => Scalar(datatype as ScalarDatatype, value as number))),
  },
);

/** What a container is made of: the plan is drawn first, the graph is built from it, so that members may point anywhere. */
type Item =
  | { kind: "scalar"; value: unknown }
  | { kind: "link"; to: number }
  | { kind: "row"; values: unknown[] }
  | { kind: "container"; plan: ContainerPlan };
type ContainerPlan =
  | { kind: "array"; items: Item[] }
  | { kind: "struct"; members: [string, Item][] }
  | { kind: "instance"; constructor: number; members: [string, Item][]; fields: Item[] };

const row = fc.oneof(
  fc.array(number, { maxLength: 40 }),
  fc.array(text, { maxLength: 12 }),
  fc.array(fc.boolean(), { maxLength: 30 }),
  fc.array(int64, { maxLength: 8 }),
  fc.array(
    BY_DATATYPE.s32!.map((value) => Scalar("s32" as ScalarDatatype, value as number)),
    { maxLength: 8 },
  ),
);

const { item, container } = fc.letrec<{ item: Item; container: ContainerPlan }>((tie) => ({
  item: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    { weight: 6, arbitrary: scalar.map((value) => ({ kind: "scalar" as const, value })) },
    { weight: 1, arbitrary: fc.nat(30).map((to) => ({ kind: "link" as const, to })) },
    { weight: 1, arbitrary: row.map((values) => ({ kind: "row" as const, values })) },
    { weight: 4, arbitrary: tie("container").map((plan) => ({ kind: "container" as const, plan })) },
  ),
  container: fc.oneof(
    { depthSize: "small" },
    fc.array(tie("item"), { maxLength: 6 }).map((items) => ({ kind: "array" as const, items })),
    // rows of one shape
    fc
      .tuple(
        fc.uniqueArray(memberName, { minLength: 1, maxLength: 4 }),
        fc.array(fc.array(tie("item"), { minLength: 4, maxLength: 4 }), { maxLength: 12 }),
      )
      .map(([names, rows]) => ({
        kind: "array" as const,
        items: rows.map((values) => ({
          kind: "container" as const,
          plan: { kind: "struct" as const, members: names.map((name, i) => [name, values[i]!] as [string, Item]) },
        })),
      })),
    fc.array(fc.tuple(memberName, tie("item")), { maxLength: 6 }).map((members) => ({ kind: "struct" as const, members })),
    fc
      .record({
        constructor: fc.nat(3),
        members: fc.array(fc.tuple(memberName, tie("item")), { maxLength: 4 }),
        fields: fc.array(tie("item"), { maxLength: 6 }),
      })
      .map((instance) => ({ kind: "instance" as const, ...instance })),
  ),
}));

interface ConstructorPlan {
  name: string;
  mode: "none" | "strict" | "verbose" | "forced" | "forced-zero" | "flag-false";
  version: number;
  fields: [name: string, datatype: string, filler: unknown][];
  exclude: string[] | undefined;
  /** Which of the fields the constructor sets, and to what. */
  defaults: boolean[];
}

const constructorPlan: fc.Arbitrary<ConstructorPlan> = fc.record({
  name: fc.oneof(
    fc.constantFrom("Hero", "Item", "Room", "Ding", "_x1"),
    fc.string({ unit: fc.constantFrom("a", "b", "C", "_", "9"), minLength: 1, maxLength: 20 }),
  ),
  mode: fc.constantFrom("none", "strict", "strict", "verbose", "forced", "forced-zero", "flag-false"),
  version: fc.integer({ min: 1, max: 127 }),
  fields: fc.uniqueArray(
    fc
      .tuple(memberName, fc.constantFrom(...Object.keys(BY_DATATYPE), "any", "any", "array", "struct"))
      .chain(([name, datatype]) =>
        (BY_DATATYPE[datatype] ?? scalar).map((filler) => [name, datatype, filler] as [string, string, unknown]),
      ),
    { selector: ([name]) => name, maxLength: 6 },
  ),
  exclude: fc.option(fc.array(memberName, { maxLength: 3 }), { nil: undefined, freq: 3 }),
  defaults: fc.array(fc.boolean(), { minLength: 6, maxLength: 6 }),
});

export interface World {
  classes: Classes;
  value: unknown;
}

export const world: fc.Arbitrary<World> = fc
  .record({
    constructors: fc.uniqueArray(constructorPlan, { selector: (plan) => plan.name, minLength: 1, maxLength: 4 }),
    root: fc.oneof(
      { weight: 20, arbitrary: container.map((plan) => ({ kind: "container" as const, plan })) },
      { weight: 1, arbitrary: item },
    ),
  })
  .map(({ constructors, root }) => build(constructors, root));

/** A graph without instances, for what needs no constructors. */
export const plainValue: fc.Arbitrary<unknown> = container.map((plan) => build([], { kind: "container", plan }).value);

function schemaOf(plan: ConstructorPlan): Record<string, unknown> | undefined {
  if (plan.mode === "none") return plan.exclude ? { [VERBOSE_EXCLUDE]: plan.exclude } : undefined;
  const schema: Record<string, unknown> = {};
  if (plan.exclude) schema[VERBOSE_EXCLUDE] = plan.exclude;
  if (plan.mode === "forced") schema[FORCE_VERSION] = plan.version;
  if (plan.mode === "forced-zero") schema[FORCE_VERSION] = 0;
  const version = {};
  if (plan.mode === "verbose") defineMember(version, VERSION_VERBOSE, true);
  for (const [name, datatype] of plan.fields) defineMember(version, name, datatype);
  if (plan.mode === "flag-false") defineMember(version, VERSION_VERBOSE, false);
  schema["v" + plan.version] = version;
  if (plan.mode === "forced" && plan.version < 127) schema.v127 = { other: "u8" };
  if (plan.mode !== "forced" && plan.version > 1) schema.v1 = { other: "u8" };
  return schema;
}

function build(constructors: ConstructorPlan[], root: Item): World {
  const classes: Classes = Object.create(null) as Classes;
  for (const plan of constructors) {
    const Class = {
      [plan.name]: class {
        constructor() {
          for (const [i, [name, datatype, filler]] of plan.fields.entries()) {
            if (plan.defaults[i]) defineMember(this, name, datatype === "array" ? [] : datatype === "struct" ? {} : filler);
          }
        }
      },
    }[plan.name]! as unknown as ElephantConstructor;
    const schema = schemaOf(plan);
    if (schema) (Class as unknown as Record<symbol, unknown>)[SCHEMA] = schema;
    classes[plan.name] = Class;
  }

  const made: object[] = [];
  const links: (() => void)[] = [];
  const place = (target: object, key: string | number, from: Item, wanted: "any" | "array" | "struct" = "any") => {
    const set = (value: unknown) => {
      if (typeof key === "number") (target as unknown[])[key] = value;
      else defineMember(target, key, value);
    };
    const fits = (value: unknown) =>
      wanted === "any" || (typeof value === "object" && value !== null && Array.isArray(value) === (wanted === "array"));
    const value = from.kind === "link" ? undefined : make(from);
    const fallback = wanted === "array" ? [] : wanted === "struct" ? {} : value;
    set(value !== undefined && made.includes(value as object) && fits(value) ? value : wanted === "any" ? value : fallback);
    if (from.kind === "link") {
      links.push(() => {
        const found = made[from.to % made.length];
        if (fits(found)) set(found);
      });
    }
  };
  const make = (from: Exclude<Item, { kind: "link" }>): unknown => {
    if (from.kind === "scalar") return from.value;
    if (from.kind === "row") {
      const values = [...from.values];
      made.push(values);
      return values;
    }
    const { plan } = from;
    if (plan.kind === "array") {
      const array: unknown[] = [];
      made.push(array);
      for (const [i, element] of plan.items.entries()) place(array, i, element);
      return array;
    }
    if (plan.kind === "struct" || constructors.length === 0) {
      const struct = {};
      made.push(struct);
      for (const [name, member] of plan.members) place(struct, name, member);
      return struct;
    }
    const of = constructors[plan.constructor % constructors.length]!;
    const instance = new classes[of.name]!() as object;
    made.push(instance);
    for (const [i, [name, datatype, filler]] of of.fields.entries()) {
      const field = plan.fields[i];
      // A member may stay at its default; those of datatype array and struct must hold one.
      if (datatype === "array" || datatype === "struct") place(instance, name, field ?? { kind: "scalar", value: undefined }, datatype);
      else if (datatype === "any" && field) place(instance, name, field);
      else if (!of.defaults[i] || field) defineMember(instance, name, filler);
    }
    const isStrict = of.mode === "strict" || of.mode === "forced" || of.mode === "flag-false";
    // Versions with a member list store nothing else.
    const others = isStrict || of.mode === "verbose" ? [] : plan.members;
    for (const [name, member] of others) {
      if (!of.fields.some(([field]) => field === name)) place(instance, name, member);
    }
    return instance;
  };
  const value = root.kind === "link" ? undefined : make(root);
  for (const link of links) link();
  return { classes, value };
}
