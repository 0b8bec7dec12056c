// Many names, and many strings, that are nearly those of others: what readers remember of the last ones is not taken for the next.
import { describe, expect, test } from "vitest";
import { createElephantSync, ENGINES, SCHEMA } from "./codec.ts";

describe.each(ENGINES)("engine %s", (engine) => {
  test("a dictionary with the names that everything inherits, and others as long", () => {
    const elephant = createElephantSync({ engine });
    const inherited = [...Object.getOwnPropertyNames(Object.prototype), "setter", "frozen"];
    const names = [...new Set(inherited.flatMap((name) => [name, `${name.slice(0, -1)}_`, `_${name.slice(1)}`]))];
    for (let i = 0; i < 20_000; i++) names.push(`flag_${i}`);
    const save = elephant.write(Object.fromEntries([...names, ""].map((name, i) => [name, i])));
    let called = 0;
    Object.defineProperty(Object.prototype, "setter", { set: () => called++, configurable: true });
    Object.defineProperty(Object.prototype, "frozen", { value: 1, writable: false, configurable: true });
    try {
      for (let read = 0; read < 3; read++) {
        const value = elephant.read<Record<string, number>>(save);
        expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
        expect(Object.keys(value)).toEqual([...names, ""]);
        for (const [i, name] of names.slice(0, 100).entries())
          expect(Object.getOwnPropertyDescriptor(value, name)).toEqual({ value: i, writable: true, enumerable: true, configurable: true });
      }
      expect(called).toBe(0);
    } finally {
      for (const name of ["setter", "frozen"]) Reflect.deleteProperty(Object.prototype, name);
    }
    expect(Object.keys(elephant.read<object>(save))).toHaveLength(names.length + 1);
  });

  test("strings that differ in one character, by turns, in structs that hold others", () => {
    class Held {
      static [SCHEMA] = { v1: { text: "string" } } as const;
      text = "";
    }
    class Holder {
      static [SCHEMA] = { v1: { name: "string", list: "array" } } as const;
      name = "";
      list: Held[] = [];
    }
    const elephant = createElephantSync({ engine, constructors: { Held, Holder } });
    const texts: string[] = [];
    for (const letter of ["a", "я", "森", "🐉"])
      for (let length = 0; length < 36; length++) {
        const text = letter.repeat(length);
        texts.push(text, text, `${text}b`, `b${text}`, `${text}ы`, text, `${text}\u0001`);
      }
    // More than there are hashes.
    for (let i = 0; i < 1296; i++) texts.push(`same${i.toString(36).padStart(2, "0")}`, `same_${i.toString(36).padStart(3, "0")}`);
    const held = (text: string) => Object.assign(new Held(), { text });
    const list = Array.from({ length: 4000 }, (_, i) => {
      const at = (i * 7) % texts.length;
      return Object.assign(new Holder(), { name: texts[at], list: texts.slice(at, at + (i % 9)).map(held) });
    });
    const save = elephant.write(list);
    for (let read = 0; read < 4; read++) {
      const again = elephant.read<Holder[]>(save);
      expect(again.map(({ name, list }) => [name, ...list.map(({ text }) => text)])).toEqual(
        list.map(({ name, list }) => [name, ...list.map(({ text }) => text)]),
      );
    }
  });
});
