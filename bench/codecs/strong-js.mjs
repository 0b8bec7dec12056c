// A strong pure JavaScript codec for Elephant 1.5.1: the opponent that the WebAssembly codec is measured against.
//
// It is as fast as we know how to make it without WebAssembly, and it gives the same guarantees: exact bytes and values, sharing
// and cycles kept, checks for U+0000, lone surrogates, lengths and reference numbers, any depth. It writes one release,
// reads that and 1.5.0, and knows no callbacks.
import { resolveConstructor } from "./elephant-format.mjs";
import { createDecoder } from "./strong-js/decoder.mjs";
import { createEncoder } from "./strong-js/encoder.mjs";

/**
 * @param {{ constructors?: Record<string, { class: Function, schema?: object }>, identity?: boolean, typedArrays?: boolean }} options
 *   identity: keep sharing and cycles (default true); typedArrays: numeric arrays are read as typed arrays (default false)
 * @returns {{ encode(value: unknown): Uint8Array, decode(bytes: Uint8Array): unknown }}
 */
export function createStrongJs(options = {}) {
  const constructors = new Map(
    Object.entries(options.constructors ?? {}).map(([name, definition]) => [name, resolveConstructor(name, definition)]),
  );
  const { decode } = createDecoder(constructors, options);
  const { encode } = createEncoder(constructors, options);
  return { encode, decode };
}
