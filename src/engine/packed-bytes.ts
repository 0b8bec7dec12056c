// Bytes as text of a source file. Base64 cuts bytes into pieces of six bits, in which a page's gzip finds nothing again: a kernel of 22.6 KB took
// 13.0 KB of a download. Here a byte is one letter, or a page letter and another one, so what repeats in the bytes repeats in the text: 9.7 KB, or 9.5 since the bytes that are most
// frequent are one letter.
// The letters are ASCII without quotes, backslash, backtick, `#`, `$`, `&` and `<`: the text survives every charset, minifier, template and page.
// A small module (assembly/unpack.ts) makes bytes of it, because a loop of JavaScript that no engine has compiled yet takes more than twice as long.
import { unpackWasm } from "./generated/unpack-wasm.ts";

/** Where the text stands in the memory of the unpacker, and then what it holds. */
const TEXT = 256;

interface Unpacker {
  readonly memory: WebAssembly.Memory;
  /** Turns the text of `length` letters at {@link TEXT} into bytes, returns how many. */
  unpack(length: number): number;
}

/** The bytes that `scripts/pack-bytes.mjs` has turned into `text`. Throws where WebAssembly is refused, which is what they are for. */
export function unpackBytes(text: string): Uint8Array<ArrayBuffer> {
  const module = new WebAssembly.Module(Uint8Array.from(atob(unpackWasm), (letter) => letter.charCodeAt(0)));
  const { memory, unpack } = new WebAssembly.Instance(module).exports as unknown as Unpacker;
  new TextEncoder().encodeInto(text, new Uint8Array(memory.buffer, TEXT));
  return new Uint8Array(memory.buffer, TEXT, unpack(text.length));
}
