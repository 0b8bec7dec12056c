// What a page's policy refuses is reported to the page's owner, so permissions are asked for once, late, and not where the answer is known.
import { readFileSync } from "node:fs";
import { beforeEach, describe, expect, test, vi } from "vitest";

const REAL_FUNCTION = globalThis.Function;
const REAL_MODULE = WebAssembly.Module;
const REAL_COMPILE = WebAssembly.compile;

/** A realm as a policy makes it; counts what would be reported. */
function policy(allows: { wasm: boolean; text: boolean }): { wasm: number; text: number } {
  const asked = { wasm: 0, text: 0 };
  const text = (make: () => object) => {
    asked.text++;
    if (!allows.text) throw new EvalError("refused");
    return make();
  };
  globalThis.Function = new Proxy(REAL_FUNCTION, {
    construct: (target, args) => text(() => Reflect.construct(target, args)),
    apply: (target, self, args) => text(() => Reflect.apply(target, self, args)),
  });
  if (!allows.wasm) {
    const refuse = () => {
      asked.wasm++;
      throw new WebAssembly.CompileError("refused");
    };
    WebAssembly.Module = new Proxy(REAL_MODULE, { construct: refuse });
    WebAssembly.compile = async () => refuse();
  }
  return asked;
}

/** The package as a new realm has it: with nothing asked yet. */
async function fresh() {
  vi.resetModules();
  return import("../../src/index.ts");
}

const large = { rows: Array.from({ length: 2000 }, (_, i) => ({ id: i, name: `row ${i}` })) };

beforeEach(() => {
  return () => {
    globalThis.Function = REAL_FUNCTION;
    WebAssembly.Module = REAL_MODULE;
    WebAssembly.compile = REAL_COMPILE;
  };
});

test.each([
  ["RangeError", "Maximum call stack size exceeded"],
  ["InternalError", "too much recursion"],
])("the end of the stack, where text cannot be made a function, is no policy: %s", async (name, message) => {
  vi.resetModules();
  const { codeGenerationAllowed } = await import("../../src/graph/code-generation.ts");
  globalThis.Function = new Proxy(REAL_FUNCTION, {
    construct() {
      throw Object.assign(new Error(message), { name });
    },
  });
  expect(codeGenerationAllowed()).toBe(false);
  globalThis.Function = REAL_FUNCTION;
  expect(codeGenerationAllowed()).toBe(true);
});

test("the end of the stack, where a module cannot be compiled, is no policy, and makes no bytes of texts", async () => {
  const tusk = await fresh();
  const reached = () => {
    throw new RangeError("Maximum call stack size exceeded");
  };
  /** Lets modules of up to so many bytes be compiled; one of 8 is what is asked first. */
  const upTo = (most: number) => {
    WebAssembly.Module = new Proxy(REAL_MODULE, {
      construct: (Target, args) => (args[0].length > most ? reached() : Reflect.construct(Target, args)),
    });
  };
  const list = { kind: "list" as const, items: ["x".repeat(10_000)] };
  upTo(0);
  expect(tusk.createElephantSync().engine).toBe("js");
  upTo(8);
  const elephant = tusk.createElephantSync();
  expect(() => elephant.engine).toThrow("Maximum call stack size exceeded");
  expect(() => tusk.writeDs(list)).toThrow("Maximum call stack size exceeded");
  WebAssembly.Module = REAL_MODULE;
  expect(elephant.engine).toBe("wasm");
  const text = tusk.writeDs(list);
  const decode = vi.spyOn(TextDecoder.prototype, "decode").mockImplementation(reached);
  expect(() => tusk.readDs(text)).toThrow("Maximum call stack size exceeded");
  expect(() => tusk.writeDs(list)).toThrow("Maximum call stack size exceeded");
  decode.mockRestore();
  expect(tusk.readDs(text)).toMatchObject(list);
});

describe("a page that refuses both", () => {
  test("is asked for WebAssembly once by all formats together, and never for code generation", async () => {
    const tusk = await fresh();
    const asked = policy({ wasm: false, text: false });
    const elephant = await tusk.createElephant();
    expect(elephant.engine).toBe("js");
    expect(elephant.read(elephant.write(large))).toEqual(large);
    expect(tusk.createElephantSync().engine).toBe("js");
    const list = { kind: "list" as const, items: [1, "two"] };
    expect(tusk.readDs(tusk.writeDs(list))).toMatchObject(list);
    expect(asked).toEqual({ wasm: 1, text: 0 });
  });

  test.each(["write", "duplicate"] as const)("is asked for WebAssembly first, where a codec does nothing but %s", async (operation) => {
    const tusk = await fresh();
    const asked = policy({ wasm: false, text: false });
    class Row {
      id = 0;
    }
    const rows = Array.from({ length: 500 }, (_, id) => Object.assign(new Row(), { id }));
    const elephant = tusk.createElephantSync({ constructors: { Row } });
    elephant[operation](operation === "write" ? large : rows);
    expect(asked).toEqual({ wasm: 1, text: 0 });
  });

  test("is asked for nothing with engine js and without code generation", async () => {
    const tusk = await fresh();
    const asked = policy({ wasm: false, text: false });
    const elephant = await tusk.createElephant({ engine: "js", codeGeneration: false });
    expect(elephant.read(elephant.write(large))).toEqual(large);
    expect(asked).toEqual({ wasm: 0, text: 0 });
  });
});

test("a page that refuses WebAssembly says so to every function of ds strings that is to use it", async () => {
  const tusk = await fresh();
  const text = tusk.writeDs({ kind: "list", items: [1] });
  policy({ wasm: false, text: false });
  const again = await fresh();
  const outer = { kind: "list" as const, items: [text] };
  for (const call of [again.readDs.bind(null, text), again.writeDs.bind(null, outer), again.openNested.bind(null, outer)])
    expect(() => call({ engine: "wasm" })).toThrow(expect.objectContaining({ format: "tusk", code: "engine" }));
  expect(again.openNested(outer).items[0]).toMatchObject({ kind: "list", items: [1] });
});

describe("a page that refuses code generation alone", () => {
  test("is asked once, and only by a save that would gain by it", async () => {
    const tusk = await fresh();
    const asked = policy({ wasm: true, text: false });
    const elephant = await tusk.createElephant();
    expect(elephant.engine).toBe("wasm");
    expect(elephant.read(elephant.write({ a: 1, b: [{ c: 2 }] }))).toEqual({ a: 1, b: [{ c: 2 }] });
    expect(asked.text).toBe(0);
    expect(elephant.read(elephant.write(large))).toEqual(large);
    expect((await tusk.createElephant()).read(elephant.write(large))).toEqual(large);
    expect(asked.text).toBe(1);
  });

  test("is not asked with codeGeneration: false", async () => {
    const tusk = await fresh();
    const asked = policy({ wasm: true, text: false });
    const elephant = await tusk.createElephant({ codeGeneration: false });
    expect(elephant.read(elephant.write(large))).toEqual(large);
    expect(asked.text).toBe(0);
  });
});

test("a page that allows both has functions made for it", async () => {
  const tusk = await fresh();
  const asked = policy({ wasm: true, text: true });
  const elephant = await tusk.createElephant();
  expect(elephant.read(elephant.write(large))).toEqual(large);
  expect(asked.text).toBeGreaterThan(1);
});

test("a module that is given is compiled off the main thread, also where the inlined one is compiled already", async () => {
  const tusk = await fresh();
  const wasm = readFileSync("dist/tusk.wasm");
  await tusk.createElephant();
  let compiled = 0;
  WebAssembly.compile = (bytes) => {
    compiled++;
    return REAL_COMPILE(bytes);
  };
  WebAssembly.Module = new Proxy(REAL_MODULE, {
    construct: () => {
      throw new Error("on the main thread");
    },
  });
  const elephant = await tusk.createElephant({ wasm });
  expect(elephant.engine).toBe("wasm");
  expect(elephant.read(elephant.write(large))).toEqual(large);
  expect(compiled).toBe(1);
});
