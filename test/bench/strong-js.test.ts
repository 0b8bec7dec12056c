// What Elephant's golden vectors (npm run bench:check) have none of: structs with so many members that the strong codec reads them in a loop.
import { expect, test } from "vitest";
import { benchModule } from "./modules.ts";

const { ElephantError } = await benchModule("codecs/elephant-format");
const { createStrongJs } = await benchModule("codecs/strong-js");
const { firstDifference } = await benchModule("deep-equal");

/** So often that a function is made for the shape. */
const OFTEN = 60;
const many = (n: number, member: (k: number) => [string, unknown]) => Object.fromEntries(Array.from({ length: n }, (_, k) => member(k)));
const often = (struct: (i: number) => object) => Array.from({ length: OFTEN }, (_, i) => struct(i));

const shared = { a: 1 };
const kinds = (i: number, k: number) =>
  [i, `${k}`, "", "три", "abc", `a long string ${i}`, i % 2 === 0, undefined, [i, "x"], shared][k % 10];

test.each<[string, () => object]>([
  ["64 members", () => often((i) => many(64, (k) => [`m${k}`, kinds(i, k)]))],
  ["65 members", () => often((i) => many(65, (k) => [`m${k}`, kinds(i, k)]))],
  ["160 members", () => often((i) => many(160, (k) => [`a longer name ${k}`, kinds(i, k)]))],
  ["161 members", () => often((i) => many(161, (k) => [`m${k}`, kinds(i, k)]))],
  ["numbers and __proto__ as names", () => often((i) => many(70, (k) => [k === 9 ? "__proto__" : `${k * 2}`, kinds(i, k)]))],
  ["another first name", () => often((i) => many(70, (k) => [k === 0 && i % 3 === 0 ? "other" : `m${k}`, k]))],
  ["another name in the middle", () => often((i) => many(70, (k) => [k === 40 && i % 3 === 0 ? "other" : `m${k}`, k]))],
  ["another last name", () => often((i) => many(70, (k) => [k === 69 && i % 3 === 0 ? "other" : `m${k}`, k]))],
  ["short strings that change", () => often((i) => many(70, (k) => [`m${k}`, ["", "a", "ab", "abc", "abcd", "é", "→"][(i + k * i) % 7]]))],
  ["other kinds of values", () => often((i) => many(70, (k) => [`m${k}`, kinds(k, i)]))],
  ["structs of one shape in one another", () => often((i) => many(70, (k) => [`m${k}`, k === 30 ? many(70, (j) => [`m${j}`, i + j]) : k]))],
])("wide structs come back as they were: %s", (_, make) => {
  const value = make();
  const codec = createStrongJs();
  const bytes = codec.encode(value);
  for (let i = 0; i < 3; i++) expect(firstDifference(value, codec.decode(bytes))).toBeNull();
});

test("a wide struct that holds itself comes back, and a deep one", () => {
  const codec = createStrongJs();
  const list = often((i) => many(70, (k) => [`m${k}`, i + k])) as { m3: unknown }[];
  list[50].m3 = list[50];
  const again = codec.decode(codec.encode(list)) as typeof list;
  expect(again[50].m3).toBe(again[50]);
  let deep: object = {};
  for (let i = 0; i < 5_000; i++) deep = many(70, (k) => [`m${k}`, k === 35 ? deep : 0]);
  expect(firstDifference(deep, codec.decode(codec.encode(deep)))).toBeNull();
});

test("a wide struct that is cut off is refused at every byte, and the codec reads on as before", () => {
  const codec = createStrongJs();
  const structs = often((i) => many(70, (k) => [`m${k}`, kinds(i, k)]));
  codec.decode(codec.encode(structs));
  const value = structs.slice(0, 2);
  const bytes = codec.encode(value);
  for (let end = 0; end < bytes.length; end++) expect(() => codec.decode(bytes.slice(0, end)), `${end} bytes`).toThrow(ElephantError);
  expect(firstDifference(value, codec.decode(bytes))).toBeNull();
});
