// ... of every size and depth, in windows and pieces. The ways to get there are in nested-codecs.ts.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ENGINES, LONG_RUN, MODES } from "./codec.ts";
import { differences } from "./compare.ts";
import { codecsOf, countContainers, createElephantWriter, isSame, type Members, structuredGraph, taken } from "./nested-codecs.ts";

describe.each(MODES)("$engine, code generation $codeGeneration", (mode) => {
  const { large, check, Node, node, lesson, learned } = codecsOf(mode);

  describe("sizes", () => {
    large("chains by field and by array, deeper than an operation goes, and wide ones", () => {
      const chain = (depth: number, step: (inner: unknown, i: number) => Members): unknown => {
        let inner: unknown;
        for (let i = 0; i < depth; i++) inner = step(inner, i);
        return inner;
      };
      const leaves = (i: number) => Array.from({ length: 5 }, (_, k) => node(k, [i, k], `${k}`));
      const steps: ((inner: unknown, i: number) => Members)[] = [
        (inner, i) => node(i, [], inner),
        (inner, i) => node(i, [inner]),
        (inner, i) => node(i, [[[inner]]]),
        (inner, i) => node(i, leaves(i), inner),
        (inner, i) => node(i, [...leaves(i), inner, { a: i }, ...leaves(i)]),
        (inner, i) => node(i, [{ a: inner }, 1]),
        (inner, i) => (i % 2 ? node(i, [inner], leaves(i)) : node(i, leaves(i), [1, inner, "x"])),
      ];
      // In the suite each with one of the engines.
      for (const [i, step] of steps.entries())
        for (const [k, depth] of [127, 128, 129, 400].entries())
          if (LONG_RUN || (i + k) % ENGINES.length === ENGINES.indexOf(mode.engine))
            check({ Node }, [chain(depth, step), chain(3, step)], { reads: 2, may: true });
    });

    large("more than a window, a tape and a chunk of strings hold", () => {
      const big = (tag: (i: number) => string) =>
        Array.from({ length: 100 }, (_, i) =>
          node(
            i,
            Array.from({ length: 10 }, (_, k) =>
              node(k, [node(k, [i, k + 0.5, k], { text: tag(i * 10 + k), x: k }), [tag(k), tag(i)], [[i], [k]]], tag(i + k)),
            ),
            [tag(i), i, node(i)],
          ),
        );
      check(
        { Node },
        big((i) => `text ${i}`),
        { reads: 4 },
      );
      check(
        { Node },
        big((i) => `${i} `.repeat(1 + (i % 30))),
        { reads: 3 },
      );
      check(
        { Node },
        big((i) => "é→😀".repeat(i % 9)),
        { reads: 3 },
      );
      check(
        { Node },
        big(() => "the same"),
        { reads: 3 },
      );
    });

    large("the end of the window, of the tape and of the chunk of strings at every place", () => {
      const { codec, constructors, value } = learned();
      const alone = codec.write(value);
      const inner = { shared: 1 };
      const behind = [inner, value, inner];
      const writer = createElephantWriter(constructors);
      // The window: texts of 61 bytes with their terminators, then one to measure, which is cut shorter and shorter.
      const texts = [Array.from({ length: 4200 }, () => "w".repeat(60)), "w".repeat(262144 - 4200 * 61)] as const;
      const longest = writer.write([texts, ...behind]);
      const end = Buffer.from(longest).lastIndexOf("w".repeat(100)) + 100;
      // The suite ends it at one place in five.
      const stride = LONG_RUN ? 1 : 10;
      for (let step = ENGINES.indexOf(mode.engine) * 5; step < alone.length + 40; step += stride) {
        const save = Buffer.concat([longest.subarray(0, end - step), longest.subarray(end)]);
        const [[many, measured], ...others] = codec.read<[[string[], string], ...unknown[]]>(save);
        const found = differences(behind, others);
        if (found.length > 0) expect(found, `step ${step}`).toEqual([]);
        if (measured !== texts[1].slice(step) || many.some((text) => text !== texts[0][0])) expect.fail(`texts of step ${step}`);
        if (step < stride) expect(isSame(writer.write([[many, measured], ...others]), save)).toBe(true);
      }
      const fillings: [steps: number, filling: (step: number) => unknown][] = [
        // The tape: one slot each.
        [260, (step) => Array.from({ length: 16384 - step }, () => "t")],
        // Strings, each of its own.
        [70, (step) => Array.from({ length: 8192 - step }, (_, i) => `unique ${i}`)],
      ];
      for (const [steps, filling] of fillings) {
        for (let step = MODES.indexOf(mode) * 4; step < steps; step += 24) {
          const given = [filling(step), ...behind];
          const save = writer.write(given);
          const found = differences(given, codec.read(save));
          if (found.length > 0) expect(found, `step ${step} of ${steps}`).toEqual([]);
        }
      }
      expect(isSame(codec.write(codec.read(alone)), alone)).toBe(true);
    });

    large("more containers than can be referred to", () => {
      const first = node(1, [{ x: 1 }]);
      // 146 containers each.
      const value = Array.from({ length: 520 }, (_, i) =>
        node(
          i,
          [first, ...Array.from({ length: 62 }, (_, k) => (k % 3 ? node(k, [[k]]) : { k })), first.list],
          (first.list as unknown[])[0],
        ),
      );
      expect(countContainers(value)).toBeGreaterThan(70_000);
      check({ Node }, [first, lesson(), value], { reads: 1 });
    });

    test("shapes that are dropped between reads, because there are too many", () => {
      const { codec, value } = learned();
      const save = codec.write(value);
      const many = (from: number) => codec.write(Object.fromEntries(Array.from({ length: 9000 }, (_, i) => [`name ${from + i}`, i])));
      for (let i = 0; i < 3; i++) {
        codec.read(many(i * 9000));
        for (let k = 0; k < 2; k++) expect(differences(value, codec.read(save))).toEqual([]);
      }
    });

    test("pieces of any size", async () => {
      const { codec, value } = learned();
      const list = Array.from({ length: 6 }, () => structuredGraph(value));
      const small = codec.write(value);
      const save = codec.write([list, "filler ".repeat(20_000), list]);
      const expected = codec.read(save);
      async function* pieces(bytes: Uint8Array, sizes: readonly number[]) {
        for (let at = 0, i = 0; at < bytes.length; at += sizes[i++ % sizes.length]) yield bytes.slice(at, at + sizes[i % sizes.length]);
      }
      const before = taken.cuts;
      for (const size of [1, 7, 100])
        for (let i = 0; i < 3; i++) expect(differences(value, await codec.readAsync(pieces(small, [size])))).toEqual([]);
      for (const size of [100, 4096, 65536]) expect(differences(expected, await codec.readAsync(pieces(save, [size])))).toEqual([]);
      // The smallest windows: 64 bytes.
      for (let i = 0; i < 3; i++) expect(differences(value, await codec.readAsync(pieces(small, [50]), { sliceMs: 0 }))).toEqual([]);
      expect(taken.cuts > before).toBe(true);
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.integer({ min: 1, max: 900 }), { minLength: 1, maxLength: 30 }),
          fc.boolean(),
          async (sizes, finest) => {
            // By itself it would give the way up: most operations are cut off.
            codec.read(small);
            expect(differences(value, await codec.readAsync(pieces(small, sizes), finest ? { sliceMs: 0 } : undefined))).toEqual([]);
          },
        ),
        { numRuns: 25, seed: 17 },
      );
    });
  });
});
