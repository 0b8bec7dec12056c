// Export strings: base64( zlib( save ) ) (formats/elephant.md §13.1). The platform's zlib where there is one without importing anything (Node), pako elsewhere;
// the same limit and the same checks for both.
import { deflate, Inflate } from "pako";
import { fail, textFrom } from "./errors.ts";

interface NodeZlib {
  deflateSync(bytes: Uint8Array): Uint8Array;
  inflateSync(
    bytes: Uint8Array,
    options: { maxOutputLength: number; info: true },
  ): { buffer: Uint8Array; engine: { bytesWritten: number } };
}
interface BuiltinModules {
  getBuiltinModule?(name: string): unknown;
}

/** Asked for when it is needed: that the package is imported has no effect on anything. */
function platformZlib(): NodeZlib | undefined {
  return (globalThis as { process?: BuiltinModules }).process?.getBuiltinModule?.("node:zlib") as NodeZlib | undefined;
}

interface NodeBuffer {
  from(text: string, encoding: "base64"): Uint8Array;
  from(buffer: ArrayBufferLike, offset: number, length: number): { toString(encoding: "base64"): string };
}
const platformBuffer = (globalThis as unknown as { Buffer?: NodeBuffer }).Buffer;

function toBase64(bytes: Uint8Array): string {
  if (platformBuffer) return platformBuffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64");
  let binary = "";
  for (let i = 0; i < bytes.length; i += 0x8000) binary += String.fromCharCode(...bytes.subarray(i, i + 0x8000));
  return btoa(binary);
}

function fromBase64(text: string): Uint8Array {
  const wrong = /[^A-Za-z0-9+/=]/.exec(text);
  const padding = text.indexOf("=");
  const end = padding < 0 ? text.length : padding;
  if (wrong) fail("export-string", `an export string is base64; character ${wrong.index} is not`, wrong.index);
  if (text.length % 4 !== 0 || !/^={0,2}$/.test(text.slice(end)))
    fail("export-string", "the base64 text's length or padding is wrong", end);
  if (platformBuffer) return platformBuffer.from(text, "base64");
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

export function exportBytes(save: Uint8Array): string {
  const packed = (platformZlib()?.deflateSync ?? deflate)(save);
  return textFrom(() => toBase64(packed));
}

/** The save inside an export string. Errors: `export-string` (not base64, not a whole zlib stream, bytes behind it), `inflate-limit`. */
export function importBytes(text: string, limit: number): Uint8Array {
  const packed = fromBase64(text);
  if (packed.length < 6) fail("export-string", "the zlib stream is not whole", packed.length);
  const zlib = platformZlib();
  return zlib ? inflateByPlatform(zlib, packed, limit) : inflateByPako(packed, limit);
}

function tooLarge(limit: number): never {
  fail("inflate-limit", `the export string inflates to more than limits.maxInflatedBytes (${limit})`, limit);
}

function checkEnd(used: number, length: number): void {
  if (used !== length) fail("export-string", `${length - used} bytes follow the zlib stream`, used);
}

function inflateByPlatform(zlib: NodeZlib, packed: Uint8Array, allowed: number): Uint8Array {
  // Node refuses limits above what a buffer can hold, which depends on its version.
  const limit = Math.min(allowed, 0x7fffffff);
  let result: { buffer: Uint8Array; engine: { bytesWritten: number } };
  try {
    result = zlib.inflateSync(packed, { maxOutputLength: Math.max(1, limit), info: true });
  } catch (cause) {
    if ((cause as { code?: string }).code === "ERR_BUFFER_TOO_LARGE") tooLarge(limit);
    // It does not say where the stream is damaged, and refuses limits above what a buffer can hold, which may be less; the other one does neither.
    return inflateByPako(packed, limit);
  }
  const { buffer } = result;
  if (buffer.length > limit) tooLarge(limit);
  checkEnd(result.engine.bytesWritten, packed.length);
  return new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.length);
}

/** Input is given in pieces, so that a stream that grows a thousandfold is stopped in time. */
const PIECE = 1 << 12;

export function inflateByPako(packed: Uint8Array, limit: number): Uint8Array {
  const inflate = new Inflate({ windowBits: 15 });
  const engine = inflate as unknown as { ended: boolean; err: number; msg: string; result: Uint8Array };
  const { strm } = inflate as unknown as { strm: { avail_in: number; total_out: number } };
  let at = 0;
  while (at < packed.length && !engine.ended) {
    const piece = packed.subarray(at, at + PIECE);
    at += piece.length;
    inflate.push(piece, false);
    if (strm.total_out > limit) tooLarge(limit);
    if (engine.err) fail("export-string", `the zlib stream is damaged: ${engine.msg}`, at - strm.avail_in);
  }
  if (!engine.ended) fail("export-string", "the zlib stream is not whole", packed.length);
  checkEnd(at - strm.avail_in, packed.length);
  return engine.result;
}
