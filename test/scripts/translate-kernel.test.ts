// The JavaScript that is made of a kernel.
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { ROOT } from "../package/installed.ts";

const { asFactory, withoutCoercions } = (await import(join(ROOT, "scripts/translate-kernel.mjs"))) as Record<
  "asFactory" | "withoutCoercions",
  (source: string) => string
>;

/** As binaryen's wasm2js writes it of a memory of one page, without the functions that it does not need. */
const translation = (imported: string, body: string) => `
function asmFunc(imports) {
 var buffer = new ArrayBuffer(65536);
 var HEAP8 = new Int8Array(buffer);
 var HEAPF64 = new Float64Array(buffer);
${imported} function $0($0_1) {
  ${body}
 }
 return {
  "get": $0, 
  "memory": Object.create(Object.prototype, {
   "buffer": {
    "get": function () {
     return buffer;
    }
   }
  })
 };
}

var retasmFunc = asmFunc({});
`;

interface Instance {
  get(address: number): number;
  memory: { buffer: ArrayBuffer };
}
/** Two instances of it, the first with these bytes in its memory. */
async function instances(source: string, bytes: readonly number[]): Promise<Instance[]> {
  const { instantiateScalar } = (await import(`data:text/javascript,${encodeURIComponent(source)}`)) as { instantiateScalar(): Instance };
  const made = [instantiateScalar(), instantiateScalar()];
  new Uint8Array(made[0].memory.buffer).set(bytes);
  return made;
}

test("instances have a memory each; unaligned numbers are read by a view", async () => {
  const imported = " var view = imports.view;\n var fimport$0 = view.load_i32_16_u;\n";
  const [one, other] = await instances(asFactory(translation(imported, "return fimport$0(1, $0_1 | 0);")), [0, 0, 1, 2]);
  expect([one.get(1), one.get(0), other.get(1)]).toEqual([0x0201, 0x0100, 0]);
});

test("a kernel may be without any unaligned number", async () => {
  const [one, other] = await instances(asFactory(translation("", "return HEAPU8[$0_1 | 0];")), [0, 7]);
  expect([one.get(1), other.get(1)]).toEqual([7, 0]);
});

test("a translation that imports anything else is an error", () => {
  expect(() => asFactory(translation(" var env = imports.env;\n var fimport$0 = env.abort;\n", "fimport$0();"))).toThrow(
    "imports something else",
  );
});

test("coercions of what is an integer anyway are left out, but not beside a variable that may be unsigned, which is told", () => {
  const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
  try {
    expect(withoutCoercions("return HEAPU8[$0_1 | 0];")).toBe("return HEAPU8[$0_1];");
    expect(warn).not.toHaveBeenCalled();
    const unsigned = "$1 = HEAPU32[$0_1 >> 2];\nreturn HEAPU8[$1 | 0];";
    expect(withoutCoercions(unsigned)).toBe(unsigned);
    expect(warn).toHaveBeenCalledWith(expect.stringContaining("coercions are kept"));
  } finally {
    warn.mockRestore();
  }
});
