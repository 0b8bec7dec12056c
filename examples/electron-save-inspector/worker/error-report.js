// Errors as plain data: a TuskError would lose its code on the way to the page. With the bytes, or the lines, around the place.
import { beginning } from "./formats/scalars.js";

const BEFORE = 48;
const AFTER = 80;
const LINES = 4;
const LONGEST_LINE = 160;

function hexWindow(bytes, offset) {
  const start = Math.max(0, Math.min(offset, bytes.length) - BEFORE) & ~15;
  return { start, bytes: Array.from(bytes.subarray(start, Math.min(bytes.length, offset + AFTER))), at: offset, length: bytes.length };
}

/** The lines around a line; one without text is the end of the file. */
function lineWindow(bytes, line) {
  const lines = new TextDecoder().decode(bytes).split("\n");
  // Behind the last line end there is no line any more.
  if (lines.at(-1) === "") lines.pop();
  const first = Math.max(1, line - LINES);
  const shown = lines
    .slice(first - 1, line + LINES - 1)
    .map((text, i) => ({ number: first + i, text: text.length > LONGEST_LINE ? beginning(text, LONGEST_LINE) + "…" : text }));
  if (line > lines.length) shown.push({ number: line, text: undefined });
  return { line, lines: shown };
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
