// Places where structs of many shapes, or of many classes, come by turns: whatever is remembered of the last ones, the bytes and values are those of the
// reference, also when the data becomes of another kind, and when a class stands where it was not before.
import { describe, expect, test } from "vitest";
import {
  createElephantSync,
  type ElephantSchema,
  LONG_RUN,
  MODES,
  POST_WRITE,
  PRE_WRITE,
  SCHEMA,
  StructInstance,
  VERBOSE_EXCLUDE,
  VERSION_VERBOSE,
} from "./codec.ts";
import { differences } from "./compare.ts";
import { expectError } from "./expect-error.ts";
import { createReference } from "./reference.ts";

type Members = Record<string, unknown>;

const FIELDS = { v1: { id: "u32", x: "f32", name: "string", tag: "any" } } satisfies ElephantSchema;
const EXCLUDING = { [VERBOSE_EXCLUDE]: ["cache"] } as ElephantSchema;
const SHORTER = { v1: { [VERSION_VERBOSE]: true, id: "u32", name: "string" } } as ElephantSchema;
/** Classes of the same members, with names and without; some that leave out members. */
const SCHEMAS = [undefined, undefined, undefined, FIELDS, FIELDS, FIELDS, EXCLUDING, SHORTER, undefined];

function classes(): Record<string, new () => object> {
  return Object.fromEntries(
    SCHEMAS.map((schema, i) => {
      const type = class {};
      if (schema) Object.assign(type, { [SCHEMA]: schema });
      return [`Kind${i}`, type];
    }),
  );
}

/** Numbers in no order that come again. */
const scattered = (i: number, below: number) => ((i * 2654435761) >>> 8) % below;

function members(i: number, optional: boolean): Members {
  const all: Members = { id: i, x: i / 2, name: `n${i % 7}`, cache: i % 2 === 0, tag: [1, "a", undefined, [i], { i }][i % 5] };
  // Those that schemas ask for are there.
  if (optional) for (const [k, name] of Object.keys(all).entries()) if (k > 2 && scattered(i + k * 7919, 3) === 0) delete all[name];
  return { ...all };
}

describe.each(MODES)("$engine, code generation $codeGeneration", (mode) => {
  test.each([false, true])("instances of classes by turns, optional members %s", (optional) => {
    const constructors = classes();
    const types = Object.values(constructors);
    const elephant = createElephantSync({ ...mode, constructors });
    const reference = createReference({ constructors });
    const shared = Object.assign(new types[0](), { id: 7 });
    const list = (count: number, kinds: number) =>
      Array.from({ length: count }, (_, i) =>
        i % 97 === 96 ? shared : Object.assign(new types[scattered(i, kinds)](), members(i, optional)),
      );
    // Few kinds, all of them, one alone, and all once more.
    for (const kinds of [3, types.length, 1, types.length]) {
      const value = { list: list(700, kinds), one: Object.assign(new types[kinds - 1](), members(3, optional)) };
      const save = elephant.write(value);
      expect(save).toEqual(reference.write(value));
      const again = elephant.read<typeof value>(save);
      expect(differences(reference.read(save), again)).toEqual([]);
      expect(again.list.map((item) => types.indexOf(item.constructor as never))).toEqual(
        value.list.map((item) => types.indexOf(item.constructor as never)),
      );
      expect(elephant.write(elephant.duplicate(value))).toEqual(save);
    }
  });

  test("stand-ins of constructors by turns, some of them with a schema", () => {
    const constructors = classes();
    const types = Object.values(constructors);
    const reference = createReference({ constructors });
    const schemas = { Kind3: FIELDS, Kind4: FIELDS, Kind5: FIELDS };
    const tool = createElephantSync({ ...mode, constructors: schemas, unknownConstructor: "generic" });
    for (const kinds of [types.length, 2, types.length]) {
      const value = Array.from({ length: 700 }, (_, i) => {
        const kind = scattered(i, kinds);
        return Object.assign(new types[kind](), members(i, kinds > 2));
      });
      const save = reference.write(value);
      const again = tool.read<StructInstance[]>(save);
      expect(again.map((item) => StructInstance.nameOf(item))).toEqual(
        value.map((item) => `Kind${types.indexOf(item.constructor as never)}`),
      );
      expect(tool.write(again)).toEqual(save);
      expect(tool.write(tool.duplicate(again))).toEqual(save);
    }
  });

  test("plain structs of many shapes at one place, then of one", () => {
    const elephant = createElephantSync({ ...mode });
    const reference = createReference();
    for (const shapes of [32, 2, 1, 32]) {
      const value = Array.from({ length: 900 }, (_, i) => {
        const bits = scattered(i, shapes);
        return Object.fromEntries(["a", "b", "c", "d", "e"].filter((_, k) => (bits >> k) & 1).map((name) => [name, i]));
      });
      const save = elephant.write(value);
      expect(save).toEqual(reference.write(value));
      expect(differences(value, elephant.read(save))).toEqual([]);
    }
  });

  test("structs with numbers for names, some of them without one, or with others, or in another order", () => {
    class Kind {}
    const constructors = { Kind };
    const elephant = createElephantSync({ ...mode, constructors });
    const reference = createReference({ constructors });
    const names = ["5", "10", "4294967294", "4294967295", "1.5", "-1", "01", "a"];
    const others = [names, names.slice(1), names.slice(0, -1), [...names, "b"], [...names].reverse(), ["6", ...names.slice(1)]];
    for (const odd of [0, 7, 3]) {
      const value = Array.from({ length: 600 }, (_, i) => {
        const own = others[odd > 0 && i % odd === 0 ? scattered(i, others.length) : 0];
        const struct = Object.fromEntries(own.map((name, k) => [name, i + k]));
        return i % 5 === 0 ? Object.assign(new Kind(), struct) : struct;
      });
      const save = elephant.write(value);
      expect(save).toEqual(reference.write(value));
      expect(differences(value, elephant.read(save))).toEqual([]);
    }
  });

  test("more shapes than are kept, some of them twice, and maps of many members", async () => {
    const constructors = classes();
    const types = Object.values(constructors);
    const elephant = createElephantSync({ ...mode, constructors });
    const reference = createReference({ constructors });
    /** Which of 30 members there are, told by the bits of a number. */
    const some = (i: number, salt: number): Members =>
      Object.fromEntries(
        Array.from({ length: 30 }, (_, k) => k)
          .filter((k) => scattered(i * 31 + k + salt, 5) > 0)
          .map((k) => [`member${k}`, k % 4 === 0 ? `text ${i}` : k % 4 === 1 ? { i, k } : k % 4 === 2 ? [i, k] : i / k]),
      );
    const map = (length: number, of: (i: number) => unknown) => Object.fromEntries(Array.from({ length }, (_, i) => [`key${i}`, of(i)]));
    const nested = (depth: number): Members => ({ ...some(depth, 1), [`next${depth}`]: depth > 0 ? nested(depth - 1) : undefined });
    for (let round = 0; round < 3; round++) {
      const value = {
        plain: Array.from({ length: 400 }, (_, i) => some(i % 350, round)),
        instances: Array.from({ length: 200 }, (_, i) => Object.assign(new types[i % 3](), some(i % 150, round))),
        // More than are compared one by one, told apart by what their hash leaves out.
        same: Array.from({ length: 60 }, (_, i) => ({ [`${String.fromCharCode(97 + (i % 20))}_the_same_end`]: i, b: 1 })),
        map: map(300, (i) => [i, { i }, `${i}`, Object.assign(new types[0](), { i }), [i]][i % 5]),
        middle: map(100, (i) => (i % 2 ? { i } : [{ i }])),
        nested: nested(150),
        "": { "": 1 },
      };
      const save = elephant.write(value);
      expect(save).toEqual(reference.write(value));
      expect(differences(reference.read(save), elephant.read(save))).toEqual([]);
      expect(await elephant.writeAsync(value, { sliceMs: 0.05 })).toEqual(save);
      expect(elephant.write(value, { diffsOnly: true })).toEqual(reference.write(value, { diffsOnly: true }));
    }
  });

  test("containers among other values, in long lists and short ones", async () => {
    const constructors = classes();
    const types = Object.values(constructors);
    const elephant = createElephantSync({ ...mode, constructors });
    const reference = createReference({ constructors });
    const shared = { shared: true };
    const item = (i: number): unknown =>
      [
        undefined,
        { id: i, n: i % 9 },
        i / 4,
        shared,
        `text ${i}`,
        [i, { id: i, slots: [undefined, { id: i, n: 1 }] }],
        Object.assign(new types[i % types.length](), members(i, false)),
        i % 5 === 0 ? "long ".repeat(300) : true,
        BigInt(i),
        [],
      ][scattered(i, 10)];
    const value = {
      long: Array.from({ length: 9000 }, (_, i) => item(i)),
      short: Array.from({ length: 600 }, (_, i) => Array.from({ length: i % 30 }, (_, k) => item(i * 30 + k))),
      within: Array.from({ length: 600 }, (_, i) => ({ id: i, slots: Array.from({ length: i % 20 }, (_, k) => item(i + k)) })),
      empty: Array.from({ length: 3000 }, (_, i) => (i % 1000 === 0 ? {} : undefined)),
      last: [...Array.from({ length: 40 }, () => undefined), { end: 1 }],
    };
    const save = reference.write(value);
    expect(elephant.write(value)).toEqual(save);
    const expected = reference.read(save);
    for (let read = 0; read < 3; read++) expect(differences(expected, elephant.read(save))).toEqual([]);
    async function* pieces() {
      for (let at = 0; at < save.length; at += 997) yield save.subarray(at, at + 997);
    }
    expect(differences(expected, await elephant.readAsync(pieces()))).toEqual([]);
    for (const scalars of ["exact", "plain"] as const) expect(elephant.write(elephant.readAt(save, 0, { scalars }).value)).toEqual(save);
    // Shorter and shorter, in the suite by a tenth each time.
    for (let cut = save.length - 1; cut > 0; cut = Math.floor(cut * (LONG_RUN ? 0.97 : 0.9)) - 1)
      expectError(() => elephant.read(save.subarray(0, cut)), "truncated");
  });

  test.each([undefined, FIELDS])(
    "a class gets callbacks between two writes, loses them, and its instances hold each other; schema %o",
    (schema) => {
      class Made {
        id = 0;
        x = 0;
        name = "";
        tag: unknown = undefined;
      }
      if (schema) Object.assign(Made, { [SCHEMA]: schema });
      const constructors = { Made };
      const elephant = createElephantSync({ ...mode, constructors });
      const made = (id: number, tag?: unknown) => Object.assign(new Made(), { id, x: id / 2, name: `n${id}`, tag });
      const value = () => {
        const shared = made(1000);
        return Array.from({ length: 60 }, (_, i) =>
          made(i, i % 7 === 0 ? shared : [made(i + 100, made(i + 200)), { made: made(i + 300) }]),
        );
      };
      let calls: string[] = [];
      const methods: Record<symbol, (this: Made) => void> = {
        [PRE_WRITE]() {
          calls.push(`before ${this.id}`);
          this.x += 1;
          // A member more, one less, and what others hold by turns.
          if (this.id % 5 === 0) Object.assign(this, { extra: this.id });
          if (this.id % 11 === 0) this.tag = 1;
          if (this.id % 13 === 0) Reflect.deleteProperty(this, "name");
          if (schema) this.name ??= "";
        },
        [POST_WRITE]() {
          calls.push(`after ${this.id}`);
          this.x -= 1;
        },
      };
      for (const keys of [[], [PRE_WRITE], [POST_WRITE], [PRE_WRITE, POST_WRITE], []]) {
        for (const key of [PRE_WRITE, POST_WRITE]) {
          Reflect.deleteProperty(Made.prototype, key);
          if (keys.includes(key)) Object.defineProperty(Made.prototype, key, { value: methods[key], configurable: true });
        }
        for (let write = 0; write < 3; write++) {
          calls = [];
          const expected = createReference({ constructors }).write(value());
          const expectedCalls = calls;
          calls = [];
          expect(elephant.write(value())).toEqual(expected);
          expect(calls).toEqual(expectedCalls);
          expect(calls.length > 0).toBe(keys.length > 0);
        }
      }
    },
  );

  test("instances of classes within each other", () => {
    const constructors = classes();
    const types = Object.values(constructors);
    const elephant = createElephantSync({ ...mode, constructors });
    const reference = createReference({ constructors });
    const holder = (i: number, depth: number): object =>
      Object.assign(new types[scattered(i, types.length)](), {
        id: i,
        x: i,
        name: "holder",
        tag: depth > 0 ? [holder(i * 3 + 1, depth - 1), holder(i * 5 + 2, depth - 1), { plain: holder(i + 9, 0) }] : undefined,
      });
    for (let i = 0; i < 4; i++) {
      const value = holder(i, 7);
      const save = elephant.write(value);
      expect(save).toEqual(reference.write(value));
      expect(differences(reference.read(save), elephant.read(save))).toEqual([]);
    }
  });
});
