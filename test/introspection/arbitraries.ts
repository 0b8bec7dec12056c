// Random databases, instances and documents.

import fc from "fast-check";
import type {
  IntrospectionDefinitions,
  IntrospectionDocument,
  IntrospectionInstance,
  IntrospectionKey,
  IntrospectionNode,
} from "../../src/introspection/index.ts";

const awkward = fc.constantFrom(
  "",
  " ",
  "\t",
  '"',
  "\\",
  " : ",
  " :",
  "{",
  "}",
  "[",
  'e"',
  "#",
  "\n",
  "\r",
  "\r\n",
  "\u007f",
  "\ud800",
  "火",
  "__proto__",
  "a : int = 1",
  '\n\tb : string = "',
  '"\n\tb : int = 1\n\tc : string = "',
);
/** Text that tries to be mistaken for the format. */
export const text = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 8 }),
  fc.array(fc.oneof(awkward, fc.string({ maxLength: 3 })), { maxLength: 4 }).map((parts) => parts.join("")),
);
const identifier = fc.constantFrom("int", "string", "array", "object", "noone_", "_a", "b2", "X", "undefined", "__proto__", "constructor");
const real = fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.integer()).filter((value) => !Object.is(value, -0));
const special = fc.constantFrom("nan" as const, "inf" as const, "-inf" as const, "-0" as const);
const integer = fc
  .oneof(
    fc.integer(),
    fc.maxSafeInteger(),
    fc.bigInt({ min: 2n ** 53n + 1n, max: 2n ** 80n }).map(String),
    fc.bigInt({ min: -(2n ** 80n), max: -(2n ** 53n) - 1n }).map(String),
  )
  .map((value) => (Object.is(value, -0) ? 0 : value));
const key: fc.Arbitrary<IntrospectionKey> = fc.oneof(
  text,
  text,
  real,
  fc.boolean(),
  special.map((name) => ({ real: name })),
);

const scalar: fc.Arbitrary<IntrospectionNode> = fc.oneof(
  integer.map((value) => ({ type: "int" as const, value })),
  fc.oneof(real, special).map((value) => ({ type: "float" as const, value })),
  fc.boolean().map((value) => ({ type: "bool" as const, value })),
  text.map((value) => ({ type: "string" as const, value })),
  text.map((member) => ({ type: "enum" as const, member })),
  integer.map((index) => ({ type: "enum" as const, index })),
  fc.constant({ type: "undefined" as const }),
  fc.constant({ type: "object" as const, object: null }),
  fc.record({ type: fc.constant("asset" as const), kind: identifier, asset: fc.option(identifier) }),
);

/** Any document: every node type, awkward labels, mixed containers. */
export const document = fc.letrec<{ node: IntrospectionNode; object: IntrospectionDocument }>((tie) => {
  const labelled = fc.array(fc.tuple(text, tie("node")), { maxLength: 3 }).map((list) => list.map(([name, node]) => ({ name, ...node })));
  return {
    node: fc.oneof(
      { depthSize: "small", withCrossShrink: true },
      scalar,
      tie("object"),
      fc.record({ type: fc.constantFrom("array" as const, "list" as const), items: fc.array(tie("node"), { maxLength: 3 }) }),
      fc
        .array(fc.tuple(key, tie("node")), { maxLength: 3 })
        .map((list) => ({ type: "map" as const, entries: list.map(([label, node]) => ({ key: label, ...node })) })),
      fc.tuple(fc.nat(2), fc.nat(2)).chain(([width, height]) =>
        fc.record({
          type: fc.constant("grid" as const),
          width: fc.constant(width),
          height: fc.constant(height),
          columns: fc.array(fc.array(tie("node"), { minLength: height, maxLength: height }), { minLength: width, maxLength: width }),
        }),
      ),
      fc.record({ type: fc.constant("custom" as const), structure: identifier, fields: labelled }),
    ),
    object: fc.record({ type: fc.constant("object" as const), object: identifier, id: integer, variables: labelled }),
  };
}).object;

const members = ["Idle", "Chase", "two words"];
const containers = fc.array(fc.constantFrom("array", "list", "map"), { maxLength: 3 });

/** A value of the given types, as a game would hold it and as the original can write and read it back. */
function plainValue(
  types: readonly string[],
  objects: readonly string[],
  build: (object: string, depth: number) => fc.Arbitrary<unknown>,
  depth: number,
): fc.Arbitrary<unknown> {
  const [type, ...inner] = types;
  const element = () => plainValue(inner, objects, build, depth);
  switch (type) {
    case "int":
      return fc.integer();
    case "float":
      return fc.integer().map((value) => value / 32);
    case "bool":
      return fc.boolean();
    case "string":
      return fc.string({ unit: "grapheme", maxLength: 6 });
    case "enum":
      return fc.nat(members.length - 1);
    case "object":
      return fc.constantFrom(...objects).chain((object) => build(object, depth + 1));
    case "map":
      return fc
        .uniqueArray(fc.tuple(fc.stringMatching(/^[a-z][a-z =]{0,4}[a-z]$/), element()), { maxLength: 3, selector: ([name]) => name })
        .map((entries) => new Map(entries));
    default:
      return fc.array(element(), { maxLength: 3 });
  }
}

/** A database of the original's types and an instance that fits it. */
export const game: fc.Arbitrary<{ definitions: IntrospectionDefinitions; instance: IntrospectionInstance }> = fc
  .uniqueArray(fc.constantFrom("oPlayer", "oEnemy", "int", "constructor"), { minLength: 1, maxLength: 3 })
  .chain((objects) =>
    fc
      .tuple(
        ...objects.map(() =>
          fc.uniqueArray(
            fc.tuple(
              fc.constantFrom("_a", "_b", "x", "__proto__"),
              containers,
              fc.constantFrom("int", "float", "bool", "string", "enum", "object"),
            ),
            {
              maxLength: 3,
              selector: ([name]) => name,
            },
          ),
        ),
      )
      .chain((variables) => {
        const definitions: IntrospectionDefinitions = Object.fromEntries(
          objects.map((object, index) => [
            object,
            variables[index].map(([name, outer, leaf]) => ({
              name,
              types: [...outer, leaf],
              extra: leaf === "enum" ? members : undefined,
            })),
          ]),
        );
        let id = 100000;
        const build = (object: string, depth: number): fc.Arbitrary<IntrospectionInstance> => {
          const defined = definitions[object] as { name: string; types: string[] }[];
          // Two levels of nested objects are enough; below, containers of objects stay empty and plain references are not drawn.
          const values = defined.map(({ types }) =>
            depth > 1 && types.at(-1) === "object" ? undefined : plainValue(types, objects, build, depth),
          );
          if (values.includes(undefined)) return build(leafObject, depth);
          return fc
            .tuple(...(values as fc.Arbitrary<unknown>[]))
            .map((drawn) => ({ object, id: id++, variables: new Map(defined.map(({ name }, index) => [name, drawn[index]])) }));
        };
        const leafObject = "oLeaf";
        definitions[leafObject] = [];
        return build(objects[0], 0).map((instance) => ({ definitions, instance }));
      }),
  );
