// The platform's ways from text to bytes and back, for all formats. A byte order mark is a character like any other. Where a text would be longer
// than a string can be, most decoders throw; those of Chromium give an empty one.
export const encoder = /* @__PURE__ */ new TextEncoder();
export const utf8 = /* @__PURE__ */ new TextDecoder("utf-8", { ignoreBOM: true });
export const strictUtf8 = /* @__PURE__ */ new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
export const utf16 = /* @__PURE__ */ new TextDecoder("utf-16le", { ignoreBOM: true });

/** Has the text surrogates without their partners? UTF-8 can hold none. */
export function hasLoneSurrogate(text: string & { isWellFormed?: () => boolean }): boolean {
  // Not in Safari before 16.4 and Chrome before 111.
  return text.isWellFormed ? !text.isWellFormed() : /\p{Cs}/u.test(text);
}

/** The same bytes where a decoder takes them: those of browsers refuse shared memory, and memory that can be resized. */
export function decodable(bytes: Uint8Array): Uint8Array {
  const { buffer } = bytes;
  return buffer instanceof ArrayBuffer && !(buffer as { resizable?: boolean }).resizable ? bytes : new Uint8Array(bytes);
}

/** At the end of the stack anything fails, and says nothing of what it was asked. By the text: Firefox has an error of its own for it. */
export function isStackEnd(error: unknown): boolean {
  // V8 may end the process where a regular expression has to be compiled there.
  return `${error}`.includes("stack size") || `${error}`.includes("recurs");
}
