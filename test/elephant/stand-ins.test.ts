// Instances without their classes (`unknownConstructor: "generic"`): one class stands in for all of them, so what a place in the graph has learned of one
// constructor may not be used for another. Whatever a codec has learned, the bytes are those of one that learns nothing.
import { describe, expect, test } from "vitest";
import type { ElephantSchemaVersion } from "../../src/elephant/index.ts";
import {
  createElephantSync,
  type ElephantConstructor,
  type ElephantSchema,
  ENGINES,
  FORCE_VERSION,
  SCHEMA,
  StructInstance,
  VERBOSE_EXCLUDE,
  VERSION_VERBOSE,
} from "./codec.ts";
import { expectError } from "./expect-error.ts";

/** Deterministic, so that a failure can be repeated. */
function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    return (state >>> 8) % below;
  };
}

/** A class whose instances have the members of {@link schema}. */
function classWith(schema: ElephantSchema): ElephantConstructor & (new () => { next: unknown }) {
  return class {
    x = 0;
    label = "";
    next: unknown;
    static [SCHEMA] = schema;
  };
}

function schema(version: number, x: "f64" | "s32", verbose: boolean): ElephantSchema {
  return { [`v${version}`]: { [VERSION_VERBOSE]: verbose, label: "string", next: "any", x } satisfies ElephantSchemaVersion };
}

describe.each(ENGINES)("engine %s", (engine) => {
  const generic = { engine, unknownConstructor: "generic" } as const;

  test("the flag key stays a member in copies and in JSON", () => {
    const tools = createElephantSync(generic);
    const C = classWith({ v2: { [VERSION_VERBOSE]: true, x: "any" } });
    const save = createElephantSync({ engine, constructors: { C } }).write(new C());
    const value = tools.read(save);
    for (const again of [value, tools.duplicate(value), tools.fromJson(tools.toJson(value))]) expect(tools.write(again)).toEqual(save);
  });

  test("there is no fresh one that JSON could leave members out by", () => {
    const given = new StructInstance("Ant", { x: undefined, label: "a" });
    expect(createElephantSync(generic).toJson(given, { diffsOnly: true })).toStrictEqual({
      __Elephant_Constructor__: "Ant",
      __Elephant_Schema_Version__: 0,
      x: undefined,
      label: "a",
    });
  });

  test("many constructors and forms at the same places, sharing included", () => {
    const below = random(3);
    const warm = createElephantSync(generic);
    for (let round = 0; round < 30; round++) {
      const shared: unknown[] = [];
      const one = (depth: number): unknown => {
        if (shared.length > 0 && below(12) === 0) return shared[below(shared.length)];
        const members = [
          { x: below(9), label: "a" },
          { label: "b", x: 0.5 },
          { x: below(2) ? 1 : "1", label: "c", next: undefined },
        ][below(3)];
        const made =
          below(6) === 0
            ? { ...members }
            : new StructInstance(
                ["Ant", "Bee", `Cow${below(40)}`][below(3)],
                depth < 4 && below(2) ? { ...members, next: one(depth + 1) } : members,
              );
        shared.push(made);
        return made;
      };
      const value = { first: one(0), list: Array.from({ length: 120 }, () => one(0)) };
      const plain = createElephantSync({ ...generic, codeGeneration: false });
      expect(warm.write(value)).toEqual(plain.write(value));
    }
  });

  test("saves of other versions are written again as they were read", () => {
    const warm = createElephantSync(generic);
    const saves = [1, 3, 127].map((version) => {
      const [Ant, Bee, Cow] = [0, 0, 0].map(() => classWith(schema(version, "f64", true)));
      const below = random(version);
      const made = Array.from({ length: 60 }, (_, i) =>
        Object.assign(new [Ant, Bee, Cow][below(3)](), { x: i / 2, label: `n${i % 7}`, next: i % 5 ? undefined : [i] }),
      );
      (made[50] as { next: unknown }).next = made[3];
      return createElephantSync({ engine, constructors: { Ant, Bee, Cow } }).write(made);
    });
    for (let round = 0; round < 12; round++) for (const save of saves) expect(warm.write(warm.read(save))).toEqual(save);
  });

  test("beside instances of their class, which have no schema: each in its own version", () => {
    class Ant {
      label = "";
      x = 0;
    }
    const members = { label: "", x: 0 };
    const stored = (version: number) => {
      const schema = {
        [`v${version}`]: { [VERSION_VERBOSE]: true, ...{ label: "string", x: "f64" } },
        [VERBOSE_EXCLUDE]: [VERSION_VERBOSE],
      };
      const writer = createElephantSync({ engine, constructors: { Ant: schema as ElephantSchema } });
      return createElephantSync(generic).read<object[]>(writer.write(Array.from({ length: 40 }, () => new StructInstance("Ant", members))));
    };
    const instances = Array.from({ length: 40 }, () => new Ant());
    for (const all of [
      [stored(3), instances],
      [instances, stored(3)],
      [stored(3), stored(4), instances, stored(3)],
    ]) {
      const value = all.flat();
      const warm = createElephantSync({ engine, constructors: { Ant } });
      const plain = createElephantSync({ engine, constructors: { Ant }, codeGeneration: false });
      const wanted = plain.write(value);
      for (let round = 0; round < 3; round++) expect(warm.write(value)).toEqual(wanted);
      const versions = createElephantSync(generic).read<StructInstance[]>(wanted).map(StructInstance.versionOf);
      expect(versions).toEqual(value.map((given) => (given instanceof StructInstance ? StructInstance.versionOf(given) : 0)));
    }
  });

  test("with schemas alone, each by its own", () => {
    const schemas = { Ant: schema(2, "f64", false), Bee: schema(2, "s32", false), Cow: schema(5, "f64", false) };
    const [Ant, Bee, Cow] = Object.values(schemas).map(classWith);
    const value = Array.from({ length: 90 }, (_, i) =>
      Object.assign(new [Ant, Bee, Cow][(i * 7) % 3](), { x: i, label: `n${i}`, next: i % 4 ? i : `${i}` }),
    );
    const save = createElephantSync({ engine, constructors: { Ant, Bee, Cow } }).write(value);
    const warm = createElephantSync({ engine, constructors: schemas });
    for (let round = 0; round < 12; round++) expect(warm.write(warm.read(save))).toEqual(save);
  });

  test("with schemas alone: by the newest version, or by the forced one", () => {
    const v1 = { name: "string", bag: "array" } as const;
    class Hero {
      name = "Ada";
      bag = ["torch"];
      static [SCHEMA] = { v1 };
    }
    const save = createElephantSync({ engine, constructors: { Hero } }).write([new Hero()]);
    const rewritten = (Hero: ElephantSchema) => {
      const tool = createElephantSync({ engine, constructors: { Hero } });
      const [before] = tool.read<StructInstance[]>(save, { scalars: "exact" });
      expect(StructInstance.versionOf(before!)).toBe(1);
      const bytes = tool.write([before]);
      return { bytes, after: tool.read<StructInstance[]>(bytes)[0]! };
    };
    const newest = rewritten({ v1, v2: { name: "string" } });
    expect(StructInstance.versionOf(newest.after)).toBe(2);
    expect({ ...newest.after }).toEqual({ name: "Ada" });
    for (const schema of [{ v1 }, { v1, v2: { name: "string" }, [FORCE_VERSION]: 1 } as const])
      expect(rewritten(schema).bytes).toEqual(save);
  });

  test("one behind a proxy is refused by its code", () => {
    const codec = createElephantSync(generic);
    const proxy = new Proxy(new StructInstance("Hero", { hp: 80 }), {});
    for (const call of [() => codec.write([proxy]), () => codec.duplicate([proxy]), () => codec.toJson([proxy])])
      expect(expectError(call)).toMatchObject({ code: "bad-option", message: expect.stringContaining("no StructInstance") });
    for (const none of [proxy, Object.create(StructInstance.prototype), {}, 5, undefined, null])
      expect(expectError(() => StructInstance.nameOf(none as never)).code).toBe("bad-option");
  });

  test("what cannot be written without its schema is refused, however many were written before", () => {
    const Ant = schema(1, "f64", false);
    const Class = classWith(Ant);
    const strict = createElephantSync({ engine, constructors: { Ant: Class } }).write([new Class()]);
    const [stored] = createElephantSync({ engine, constructors: { Ant } }).read<StructInstance[]>(strict);
    const warm = createElephantSync(generic);
    const others = Array.from({ length: 60 }, () => new StructInstance("Ant", { label: "", next: undefined, x: 0 }));
    warm.write(others);
    warm.write(others);
    const again = createElephantSync(generic);
    const fresh = expectError(() => again.write([...others, stored]));
    expect(expectError(() => warm.write([...others, stored])).code).toBe(fresh.code);
    expect(fresh.code).toBe("schema-missing");
  });
});
