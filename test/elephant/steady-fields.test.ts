// Engines compile for objects of one form, and drop what they have compiled when an object has got a field more. So what reads and writes has all its fields when
// the first call begins with the value: else a second large save takes as long as the first.
import { afterEach, expect, test } from "vitest";
import { Machine } from "../../src/elephant/machine.ts";
import { GraphWriter } from "../../src/elephant/write.ts";
import { createElephantSync, ENGINES, SCHEMA, Scalar, VERSION_VERBOSE } from "./codec.ts";

class Strict {
  name = "";
  hp = 0;
  static [SCHEMA] = { v1: { name: "string", hp: "u16" } } as const;
}
class Verbose {
  name = "";
  items: unknown[] = [];
  static [SCHEMA] = { v2: { [VERSION_VERBOSE]: true } } as const;
}
class Loose {
  at: unknown = undefined;
}
const constructors = { Strict, Verbose, Loose };

type Fields = Map<object, { path: string; fields: string[] }>;

/** Their own fields, by object, of all that belongs to one, a writer's machine aside. */
function fieldsOf(root: object): Fields {
  const found: Fields = new Map();
  const open: [path: string, part: object][] = [[root.constructor.name, root]];
  for (const [path, part] of open) {
    if (
      found.has(part) ||
      (part instanceof Machine && part !== root) ||
      ArrayBuffer.isView(part) ||
      part instanceof Map ||
      part instanceof Set
    )
      continue;
    // What has been read and learned is in lists.
    if (Array.isArray(part)) continue;
    found.set(part, { path, fields: Object.keys(part) });
    for (const [name, value] of Object.entries(part))
      if (typeof value === "object" && value !== null) open.push([`${path}.${name}`, value]);
  }
  return found;
}

/** Of the objects that have a method: their fields when it was first called. */
const first = new Map<object, Fields>();
const { any } = GraphWriter.prototype;
const { take } = Machine.prototype;
GraphWriter.prototype.any = function (...given) {
  if (!first.has(this)) first.set(this, fieldsOf(this));
  return any.apply(this, given);
};
Machine.prototype.take = function () {
  if (!first.has(this)) first.set(this, fieldsOf(this));
  take.call(this);
};
afterEach(() => first.clear());

test.each(ENGINES)("engine %s: no field comes later", (engine) => {
  const shared = { x: 0.5, text: "longer than what a loop copies, and not ASCII: äöü 剣" };
  const one = (i: number) => ({
    i,
    ...{ [`name${i % 700}`]: i },
    shared: i % 3 ? shared : Scalar("u64", BigInt(i)),
    half: Scalar("f16", 0.5),
    kinds: [i, "a", true, undefined],
    grid: [Uint8Array.of(i), [i, i / 2]],
    held: Object.assign(new Verbose(), { items: [Object.assign(new Loose(), { at: [i] }), Object.assign(new Strict(), { name: `${i}` })] }),
  });
  const large = { all: Array.from({ length: 6000 }, (_, i) => one(i)), numbers: new Float64Array(60_000) };
  const codec = createElephantSync({ engine, constructors });
  for (let i = 0; i < 4; i++) {
    const save = codec.write(large);
    codec.read(save);
    codec.read(save, { scalars: "exact", typedArrays: true });
  }

  expect([...first.keys()].map((part) => part.constructor)).toEqual([GraphWriter, Machine]);
  for (const [part, before] of first) {
    const after = fieldsOf(part);
    expect(before.size).toBeGreaterThan(8);
    for (const [each, { path, fields }] of before) if (after.has(each)) expect(after.get(each)!.fields, path).toEqual(fields);
  }
});
