// What a codec keeps of a large save, so that the engine does not forget its classes: instances of its own, nothing of the program's.
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, test } from "vitest";
import { createElephantSync, ENGINES, POST_READ, PRE_READ } from "./codec.ts";

/** Bun has another engine, whose collector is not asked here. */
const V8 = !("bun" in process.versions);
if (V8) setFlagsFromString("--expose-gc");
const collect = V8 ? (runInNewContext("gc") as () => void) : () => {};

/** Enough for a save to count as large. */
const MANY = 3000;

describe.each(ENGINES)("engine %s", (engine) => {
  test.runIf(V8)("nothing of what was read stays alive", async () => {
    class Part {
      id = 0;
      name = "";
      whole: object | undefined = undefined;
      list: unknown[] = [];
    }
    const codec = createElephantSync({ engine, constructors: { Part } });
    const root: { parts: Part[] } = { parts: [] };
    for (let i = 0; i < MANY; i++) root.parts.push(Object.assign(new Part(), { id: i, name: `part ${i}`, whole: root, list: [root, i] }));
    const bytes = codec.write(root);
    const read = () => {
      const result = codec.read<typeof root>(bytes);
      expect(result.parts).toHaveLength(MANY);
      return [new WeakRef(result), ...result.parts.map((part) => new WeakRef(part))];
    };
    const seen = read();
    // References are strong until the job is over in which they were made.
    await new Promise((resolve) => setTimeout(resolve));
    collect();
    expect(seen.filter((reference) => reference.deref() !== undefined)).toEqual([]);
  });

  test("the class is called once more for a large save, and not for a small one or with callbacks", () => {
    let made = 0;
    class Plain {
      n = 0;
      constructor() {
        made++;
      }
    }
    class Called {
      n = 0;
      constructor() {
        made++;
      }
      [PRE_READ]() {}
      [POST_READ]() {}
    }
    const codec = createElephantSync({ engine, constructors: { Plain, Called } });
    const counted = (type: typeof Plain, count: number) => {
      const bytes = codec.write(Array.from({ length: count }, () => new type()));
      made = 0;
      expect(codec.read(bytes)).toHaveLength(count);
      return made;
    };
    expect(counted(Plain, 10)).toBe(10);
    expect(counted(Plain, MANY)).toBe(MANY + 1);
    expect(counted(Called, MANY)).toBe(MANY);
  });

  test("classes are found wherever they begin, and whatever stands between their instances", () => {
    let made = 0;
    class Late {
      n = 0;
      constructor() {
        made++;
      }
    }
    const codec = createElephantSync({ engine, constructors: { Late } });
    for (let between = 0; between < 10; between++) {
      const groups = Array.from({ length: 500 }, () => [new Late(), ...Array.from({ length: between }, () => [])]);
      const bytes = codec.write([Array.from({ length: MANY }, () => []), groups]);
      made = 0;
      codec.read(bytes);
      expect(made, `${between} between`).toBe(501);
    }
  });

  test("setters and members that cannot be written are left alone", () => {
    const told: unknown[] = [];
    class Guarded {
      set loud(value: unknown) {
        told.push(value);
      }
      constructor() {
        Object.defineProperty(this, "fixed", { value: 1, enumerable: false });
      }
    }
    const codec = createElephantSync({ engine, constructors: { Guarded } });
    const instances = Array.from({ length: MANY }, (_, i) => {
      const instance = new Guarded();
      Object.defineProperty(instance, "loud", { value: i, writable: true, enumerable: true, configurable: true });
      return instance;
    });
    const read = codec.read<Guarded[]>(codec.write(instances));
    expect(read).toHaveLength(MANY);
    expect(Object.getOwnPropertyDescriptor(read[7], "loud")?.value).toBe(7);
    expect(told).toEqual([]);
  });

  test("a constructor that refuses after the last instance, or returns a proxy that does, takes nothing from the result", () => {
    let left = MANY;
    class Few {
      n = 0;
      constructor() {
        if (left-- === 0) throw new Error("no more");
      }
    }
    const few = createElephantSync({ engine, constructors: { Few } });
    const bytes = few.write(Array.from({ length: MANY }, () => Object.assign(Object.create(Few.prototype), { n: 5 })));
    left = MANY;
    expect(few.read(bytes)).toHaveLength(MANY);

    let asked = false;
    class Shy {
      n = 0;
      constructor() {
        // biome-ignore lint/correctness/noConstructorReturn: what a program might do
        return new Proxy(this, {
          ownKeys(target) {
            asked = true;
            throw new Error(`leave ${String(target)} alone`);
          },
        });
      }
    }
    const shy = createElephantSync({ engine, constructors: { Shy } });
    const list = Array.from({ length: MANY }, () => Object.assign(Object.create(Shy.prototype), { n: 6 }));
    expect(shy.read<Shy[]>(shy.write(list)).every(({ n }) => n === 6)).toBe(true);
    expect(asked).toBe(true);
  });
});
