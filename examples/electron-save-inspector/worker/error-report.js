// Errors as plain data: a TuskError would lose its code on the way to the page. With the bytes, or the lines, around the place.
import { beginning } from "./formats/scalars.js";

const BEFORE = 48;
const AFTER = 80;
const LINES = 4;
const LONGEST_LINE = 160;
const LF = 0x0a;

function hexWindow(bytes, offset) {
  const start = Math.max(0, Math.min(offset, bytes.length) - BEFORE) & ~15;
  return { start, bytes: Array.from(bytes.subarray(start, Math.min(bytes.length, offset + AFTER))), at: offset, length: bytes.length };
}

/** The line that begins at `start`, as far as it is shown. A character in UTF-8 has no more than four bytes. */
function lineText(bytes, start, end) {
  const shown = bytes.subarray(start, Math.min(end, start + 4 * (LONGEST_LINE + 1)));
  const text = new TextDecoder("utf-8", { ignoreBOM: start > 0 }).decode(shown);
  return text.length > LONGEST_LINE ? `${beginning(text, LONGEST_LINE)}…` : text;
}

/** The lines around a line; one without text is the end of the file. The others are only counted: there may be more than an array has room for. */
function lineWindow(bytes, line) {
  const first = Math.max(1, line - LINES);
  let number = 1;
  let start = 0;
  for (; number < first && start < bytes.length; start++) if (bytes[start] === LF) number++;
  const lines = [];
  // Behind the last line end there is no line any more.
  for (; start < bytes.length && number < line + LINES; number++) {
    const found = bytes.indexOf(LF, start);
    const end = found < 0 ? bytes.length : found;
    lines.push({ number, text: lineText(bytes, start, end) });
    start = end + 1;
  }
  if (number <= line) lines.push({ number: line, text: undefined });
  return { line, lines };
}

/** Bytes that the offset of an error counts in, where they are not the file's. */
const unpacked = new WeakMap();

/** The error is about what a file packs: what is shown with it are bytes of that. */
export function isAbout(error, bytes) {
  unpacked.set(error, bytes);
}

/** `file`: the one that the error is about, if it is about one. */
export function errorReport(error, file) {
  const report = { name: error.name, message: error.reason ?? error.message, code: error.code, format: error.format, path: error.path };
  const packed = unpacked.get(error);
  if (packed) report.message += " (in the save that the text packs)";
  const bytes = file && (packed ?? file);
  if (error.offset !== undefined) report.offset = error.offset;
  if (error.line !== undefined) report.line = error.line;
  if (bytes && error.line !== undefined) report.text = lineWindow(bytes, error.line);
  else if (bytes?.length > 0 && error.offset !== undefined) report.hex = hexWindow(bytes, error.offset);
  return report;
}
