// What is said of arguments that mean nothing.

import { runInNewContext } from "node:vm";
import { describe, expect, test, vi } from "vitest";
import { detect } from "../../src/detect.ts";
import { createElephantSync } from "../../src/elephant/index.ts";
import { NanBits, readEnigma, restoreEnigma, TuskError, type TuskWarning, writeEnigma } from "../../src/enigma/index.ts";
import { withMemberOfAll } from "../member-of-all.ts";
import { gameOf, instanceOf, schemaFor } from "./samples.ts";

const game = gameOf([instanceOf(100_001, [{ name: "hp", type: "f64", value: 5 }])]);
const save = writeEnigma(game);
const schema = schemaFor({ hp: "f64" });

function expectError(operation: () => unknown, code: string, path?: string): void {
  let thrown: unknown;
  try {
    operation();
  } catch (error) {
    thrown = error;
  }
  expect(thrown).toBeInstanceOf(TuskError);
  expect(thrown).toMatchObject({ format: "enigma", code, ...(path !== undefined && { path }) });
}

const optionsOfBoth = [
  null,
  5,
  [],
  new Uint8Array(8),
  new ArrayBuffer(8),
  new Map(),
  { engine: "foo" },
  { onWarning: 5 },
  { limits: 5 },
  { limits: new Map() },
  { limits: { maxbytes: 10 } },
  { limits: { maxBytes: Number.NaN } },
  { limits: Object.create({ maxBytes: Number.NaN }) },
  Promise.resolve({}),
];

test.each([...optionsOfBoth, { backend: "xml" }, { checksum: "no" }, { unknownObject: "skip" }])("reading with the options %j", (options) =>
  expectError(() => readEnigma(save, options as never), "bad-option"),
);

test.each([...optionsOfBoth, { damaged: "x" }, { backend: "auto" }])("writing with the options %j", (options) =>
  expectError(() => writeEnigma(game, options as never), "bad-option"),
);

test("an enumerable member of all objects is no option", () => {
  expect(withMemberOfAll(() => writeEnigma(readEnigma(save, { schema }), {}))).toEqual(save);
});

test("limits that are not given are the default ones", () => {
  expect(readEnigma(save, { schema, limits: { maxBytes: undefined } }).active).toHaveLength(1);
  expectError(() => readEnigma(save, { limits: { maxBytes: 10 } }), "limit");
});

test("a save may have as many bytes as the limit says", () => {
  expect(readEnigma(save, { schema, limits: { maxBytes: save.length } }).active).toHaveLength(1);
  expectError(() => readEnigma(save, { schema, limits: { maxBytes: save.length - 1 } }), "limit");
});

test("bytes are a Uint8Array, an ArrayBuffer or a view", () => {
  for (const given of [Promise.resolve(save), undefined, null, "text", 1e9, {}, [1, 2]])
    expectError(() => readEnigma(given as never), "bad-option");
  for (const given of [save.buffer, new DataView(save.buffer)]) expect(readEnigma(given, { schema })).toEqual(readEnigma(save, { schema }));
});

test("bytes whose memory has been given away are none", () => {
  for (const view of [Uint8Array.from(save), new DataView(save.slice().buffer)]) {
    structuredClone(view.buffer, { transfer: [view.buffer] });
    expect(() => readEnigma(view as never)).toThrow("a save is a Uint8Array, an ArrayBuffer or a view that was not given away");
    expect(() => readEnigma(view.buffer as never)).toThrow("that was not given away");
    expectError(() => readEnigma(view as never), "bad-option");
    expect(detect(view)).toBeUndefined();
    expect(() => createElephantSync().read(view as never)).toThrow(expect.objectContaining({ format: "elephant", code: "bad-option" }));
  }
});

test("restoring a game that lacks a part", () => {
  for (const part of [
    { active: [null] },
    { active: new Array(2 ** 32 - 1) },
    { inactive: new Array(1) },
    { active: [{ ...game.active[0], classes: null }] },
    { inactive: [{ ...game.active[0], classes: [{}] }] },
  ])
    expectError(() => restoreEnigma({ ...game, ...part } as never, schema), "bad-option");
});

test("restoring a game for which the platform has no room", () => {
  const active = [
    {
      ...game.active[0],
      get classes() {
        throw new RangeError("Map maximum size exceeded");
      },
    },
  ];
  expectError(() => restoreEnigma({ ...game, active } as never, schema), "limit");
});

test.each([
  5,
  "text",
  {},
  [],
  { objects: 5 },
  { objects: [null] },
  { objects: [{ index: 0, locals: [] }] },
  { objects: [{ name: "obj", locals: [] }] },
  { objects: [{ name: "obj", index: "0", locals: [] }] },
  { objects: [{ name: "obj", index: 0 }] },
  { objects: [{ name: "obj", index: 0, locals: [null] }] },
  { objects: [{ name: "obj", index: 0, locals: [{ name: "hp" }] }] },
  { objects: [{ name: "obj", index: 0, locals: [{ name: "hp", type: 5 }] }] },
])("the schema %j is none", (wrong) => {
  expectError(() => readEnigma(save, { schema: wrong as never }), "schema");
  expectError(() => restoreEnigma(game, wrong as never), "schema");
});

test("what is no game is not written, nor restored", () => {
  for (const none of [null, undefined, 5, {}, { active: [] }])
    expectError(() => restoreEnigma(none as never, { objects: [] }), "bad-option");
  expectError(() => writeEnigma(null as never), "unwritable", "");
  expectError(() => writeEnigma({ backend: "binary", active: [], inactive: [] } as never), "unwritable", ".backgrounds");
});

describe.each(["binary", "json"] as const)("instances that are not in the order of the %s backend", (backend) => {
  test.each(["active", "inactive"] as const)("have their own places in errors and warnings: %s", (list) => {
    // Fewer than the kernel takes, more, and more than are on one tape.
    for (const count of [2, 8, 3000]) {
      for (const wrong of [0, 1, count - 1]) {
        const instances = Array.from({ length: count }, (_, i) => instanceOf(9000 - i, [{ name: "v", type: "i32", value: i }] as never));
        const place = `.${list}[${wrong}].classes[0].v`;
        const given = { ...game, backend, active: [], inactive: [], [list]: instances };
        instances[wrong] = instanceOf(9000 - wrong, [{ name: "v", type: "i32", value: "text" }] as never);
        for (const engine of ["wasm", "js"] as const) expectError(() => writeEnigma(given as never, { engine }), "unwritable", place);

        instances[wrong] = instanceOf(9000 - wrong, [{ name: "v", type: "i32", raw: new Uint8Array([49]), damaged: true }] as never);
        const warnings: TuskWarning[] = [];
        writeEnigma(given as never, { damaged: "recovered", onWarning: (warning) => warnings.push(warning) });
        expect(warnings).toMatchObject([{ code: "damaged-local", path: place }]);
      }
    }
  });

  const place = backend === "json" ? ".classes" : "";
  test.each([undefined, null])("may have %s among them, which is refused where it stands", (odd) => {
    for (const at of [0, 1, 2, 3]) {
      const active: unknown[] = [instanceOf(3, []), instanceOf(1, []), instanceOf(2, [])];
      active.splice(at, 0, odd);
      expectError(() => writeEnigma({ ...game, active } as never, { backend }), "unwritable", `.active[${at}]${place}`);
    }
    const holes = [instanceOf(3, []), instanceOf(1, [])];
    holes[5] = instanceOf(2, []);
    expectError(() => writeEnigma({ ...game, active: holes } as never, { backend }), "unwritable", `.active[2]${place}`);
  });

  test("are left as they are", () => {
    const instances = [instanceOf(3, []), instanceOf(1, []), instanceOf(2, [])];
    const given = { ...game, active: instances };
    expect(readEnigma(writeEnigma(given, { backend })).active.map(({ id }) => id)).toEqual([1, 2, 3]);
    expect(instances.map(({ id }) => id)).toEqual([3, 1, 2]);
  });
});

describe.each(["binary", "json"] as const)("writing with the %s backend refuses", (backend) => {
  const local = { name: "v", type: "var", value: 1 };
  const arrays = (sparse: unknown) => {
    const array1d = { max: 9, dense: [], sparse };
    return { name: "v", type: "var", value: { value: 0, array1d, array2d: { max: 0, dense: [], sparse: [] } } };
  };
  const instance = (locals: unknown, more: object = {}) => ({ ...instanceOf(1, locals as never), ...more });
  // Once alone, and once as many as the kernel takes.
  const refuses = (wrong: unknown, path?: string) => {
    for (const active of [[wrong], Array.from({ length: 8 }, () => wrong)]) {
      const operation = () => writeEnigma({ ...game, active } as never, { backend });
      expectError(operation, "unwritable", path && `.active[0].${path}`);
    }
  };

  test.each([
    [{ vmap: [[5, 1]] }, "vmap[0][0]"],
    [
      {
        vmap: [
          ["a", 1],
          [{}, 1],
        ],
      },
      "vmap[1][0]",
    ],
    [{ vmap: [[null, 1]] }, "vmap[0][0]"],
    [{ vmap: [["\ud800", 1]] }, "vmap[0][0]"],
    [{ vmap: [5] }, "vmap[0]"],
    [{ vmap: [["a", null]] }, "vmap.a"],
  ])("an instance with %j", (more, path?: string) => refuses(instance([local], more), path));

  test.each([
    [[[5]], "[0][0]"],
    [
      [
        [[1, 2]],
        [
          [3, 4],
          [1.5, 2],
        ],
      ],
      "[1][1][0]",
    ],
    [
      [
        [
          [1, 2],
          [3, "4"],
        ],
      ],
      "[0][1][1]",
    ],
  ])("the timelines %j", (maps, path) => {
    const timelines = { ...game.active[0]!.timelines, timeline_moments_maps: maps };
    refuses(instance([local], { timelines }), `timelines.timeline_moments_maps${path}`);
  });

  test.each([
    [null],
    [5],
    [{ ...local, name: {} }],
    [{ ...local, name: 5 }],
    [{ ...local, name: undefined }],
    [{ ...local, name: null }],
    [{ ...local, name: "a\udc00" }, "classes[0].a\udc00"],
    [{ ...local, type: "string" }, "classes[0].v"],
    [{ ...local, type: "vector<string>", value: [{}] }, "classes[0].v[0]"],
    [arrays([["x", 1]]), "classes[0].v.array1d.sparse[0][0]"],
    [arrays([[-1, 1]]), "classes[0].v.array1d.sparse[0][0]"],
    [arrays([[1.5, 1]]), "classes[0].v.array1d.sparse[0][0]"],
    [arrays([null]), "classes[0].v.array1d.sparse[0][0]"],
    [arrays([7]), "classes[0].v.array1d.sparse[0][0]"],
  ])("the local %j", (wrong, path?: string) => refuses(instance([wrong]), path));

  test("raw bytes that are none, and what is no instance", () => {
    const raw = [{ name: "v", raw: "text" }];
    expectError(() => writeEnigma({ ...game, backend, active: [instance(raw)] } as never), "unwritable", ".active[0].classes[0].v");
    for (const wrong of [null, 5, undefined]) refuses(wrong);
  });

  test("a background without its parts", () => {
    const texture = { width: 0, height: 0, bgra: new Uint8Array() };
    const bounds = { x: 0, y: 0, h: 0, w: 0 };
    const sizes = { width: 0, height: 0, tileWidth: 0, tileHeight: 0, hOffset: 0, vOffset: 0, hSep: 0, vSep: 0 };
    const background = { ...sizes, texture, bounds, isTileset: false };
    const write = (wrong: unknown) => writeEnigma({ ...game, backgrounds: [wrong] } as never, { backend });
    expect(write(background).length).toBeGreaterThan(0);
    for (const wrong of [null, { ...background, bounds: null }, { ...background, texture: null }])
      expectError(() => write(wrong), "unwritable");
    for (const wrong of [
      { ...texture, width: 1, height: 2 },
      { ...texture, bgra: [] },
    ])
      expectError(() => write({ ...background, texture: wrong }), "unwritable", ".backgrounds[0].texture.bgra");
  });
});

test("a prefix is a Uint8Array", () => {
  for (const prefix of [new ArrayBuffer(2), new ArrayBuffer(3), "ab", 5, [1]])
    expectError(() => writeEnigma({ ...game, prefix } as never, { backend: "json" }), "unwritable", ".prefix");
});

test.each(["binary", "json"] as const)("%s: bytes of another realm are bytes, those of the platform's encoder, too", (backend) => {
  const far = (bytes: Uint8Array) => runInNewContext("Uint8Array.from(bytes)", { bytes }) as Uint8Array;
  const name = Uint8Array.of(0x68, 0xff);
  const read = readEnigma(writeEnigma(game, { backend }));
  const withTexts = (of: (bytes: Uint8Array) => Uint8Array) => ({
    ...read,
    prefix: backend === "json" ? of(Uint8Array.of(1, 2)) : undefined,
    active: read.active.map((instance) => ({
      ...instance,
      classes: instance.classes.map((block) => ({
        ...block,
        locals: block.locals.map((found) => ("raw" in found ? { ...found, raw: of(found.raw as Uint8Array) } : found)),
      })),
      vmap: [
        [of(name), of(name)],
        ["ghost", 77],
      ],
    })),
  });
  const bytes = writeEnigma(withTexts((given) => given) as never, { backend });
  expect(writeEnigma(withTexts(far) as never, { backend })).toEqual(bytes);
  // As in a sandbox that has the platform's encoder and arrays of its own.
  const encode = vi.spyOn(TextEncoder.prototype, "encode");
  encode.mockImplementation((text) => far(Buffer.from(text ?? "")) as Uint8Array<ArrayBuffer>);
  try {
    expect(writeEnigma(withTexts(far) as never, { backend })).toEqual(bytes);
  } finally {
    encode.mockRestore();
  }
});

test("errors of getters pass as they are", () => {
  const error = new RangeError("mine");
  const broken = {
    ...game,
    get active(): never {
      throw error;
    },
  };
  expect(() => writeEnigma(broken)).toThrow(error);
});

test("the bits of a NaN are hexadecimal digits of a float", () => {
  for (const bits of ["", "7ff8", "7FF8000000000001", undefined]) expectError(() => new NanBits(bits as never), "bad-option");
});

test("what was read of a Buffer is the game's own, whatever becomes of the Buffer", () => {
  for (const backend of ["binary", "json"] as const) {
    const buffer = Buffer.from(writeEnigma(game, { backend }));
    const read = readEnigma(buffer);
    const same = readEnigma(Uint8Array.from(buffer));
    buffer.fill(0);
    expect(read).toEqual(same);
    expect((read.active[0].classes[0].locals[0] as { raw: Uint8Array }).raw.constructor).toBe(Uint8Array);
  }
});

test("objects and variables that are there twice, or not at all, are no schema", () => {
  const a = { index: 0, name: "a", parent: null, locals: [] };
  const local = { name: "v", type: "f64" };
  for (const objects of [
    [a, { ...a, index: 1 }],
    [a, { ...a, name: "b" }],
    [{ ...a, parent: "b" }],
    [{ ...a, locals: [local, { ...local, type: "i32" }] }],
  ])
    expectError(() => readEnigma(save, { schema: { objects } }), "schema");
});

test("objects that are their own ancestors are no schema", () => {
  const a = { index: 0, name: "a", parent: "b", locals: [] };
  const b = { index: 1, name: "b", parent: "a", locals: [] };
  for (const objects of [[a, b], [{ ...a, parent: "a" }]]) expectError(() => readEnigma(save, { schema: { objects } }), "schema");
});

test("objects may have a hundred thousand ancestors", () => {
  const objects = Array.from({ length: 100_000 }, (_, index) => ({
    index,
    name: `object ${index}`,
    parent: index > 0 ? `object ${index - 1}` : null,
    locals: [],
  }));
  expect(readEnigma(save, { schema: { objects } }).active.length).toBe(readEnigma(save).active.length);
  // The same, children first.
  expect(readEnigma(save, { schema: { objects: objects.toReversed() } }).active.length).toBe(readEnigma(save).active.length);
});

test.each(["planar", "timelines", "graphics", "transform", "collisions"] as const)("every field of %s has its type", (tier) => {
  const good = instanceOf(1, [{ name: "v", type: "var", value: 1 }]);
  for (const [field, value] of Object.entries(good[tier]).filter(([, value]) => !Array.isArray(value))) {
    const isInteger = /index|blend/.test(field) && field !== "image_index";
    // One by itself, and as many as the kernel takes.
    for (const wrong of [typeof value === "boolean" ? 1 : true, null, 1n, Symbol("wrong"), ...(isInteger ? [2 ** 31, 1.5] : [])])
      for (const backend of ["binary", "json"] as const)
        for (const length of [1, 8]) {
          const instance = { ...good, [tier]: { ...good[tier], [field]: wrong } };
          expectError(
            () => writeEnigma(gameOf(Array.from({ length }, () => instance)), { backend }),
            "unwritable",
            `.active[0].${tier}.${field}`,
          );
        }
  }
});

test("a text longer than a string can be stays bytes, also where decoders make nothing of it", () => {
  const long = "x".repeat(1000);
  const save = writeEnigma({ ...gameOf([instanceOf(1)]), backend: "binary", active: [{ ...instanceOf(1), vmap: [["k", long]] }] });
  vi.spyOn(TextDecoder.prototype, "decode").mockReturnValue("");
  const { active } = readEnigma(save);
  vi.restoreAllMocks();
  expect(active[0].vmap).toEqual([["k", new TextEncoder().encode(long)]]);
  expect(readEnigma(save).active[0].vmap).toEqual([["k", long]]);
});
