// What went wrong, told to a person: the message, the place in the file, what to do about it.
import { TuskError } from "../errors.ts";
import { TextError } from "./notation/json-text.ts";
import { namedError } from "./platform-limits.ts";
import { columnsOf, visible, visibleMessage } from "./visible.ts";

/** Exit statuses. */
export const BAD_FILE = 1;
export const BAD_CALL = 2;

/** The call is bad: exit status 2. */
export class CallError extends Error {
  /** Lines of the file that it is about. */
  readonly window: string | undefined;

  constructor(message: string, window?: string) {
    super(message);
    this.window = window;
  }
}

/** A file or stream cannot be read or written: exit status 2, though the call is good. */
export class Inaccessible extends CallError {}

/** One that is read: of many, the others can still be. */
export class Unreadable extends Inaccessible {}

/** The file of `--schema` is none for a format; the message says why, not where. */
export class SchemaError extends CallError {}

/** What else is known of a bad file. */
export interface BadFileDetails {
  /** What offsets of the error count in. */
  readonly bytes?: Uint8Array;
  /** Were they unpacked from the file? */
  readonly unpacked?: boolean;
  readonly hint?: string | undefined;
}

/** The file is bad: exit status 1. */
export class BadFile extends Error {
  readonly file: string;
  readonly error: TuskError;
  readonly details: BadFileDetails;

  constructor(file: string, error: TuskError, details: BadFileDetails = {}) {
    super(error.message, { cause: error });
    this.file = file;
    this.error = error;
    this.details = details;
  }
}

/** What an error is in work on `file`, where nobody has told it yet: a text that is too long is the fault of the file. */
export function failureOf(file: string, thrown: unknown): unknown {
  const error = namedError(thrown);
  return error instanceof TuskError ? new BadFile(file, error) : error;
}

const ROW = 16;
/** Rows shown before and behind the one that matters. */
const AROUND = 2;

function hex(value: number, digits: number): string {
  return value.toString(16).padStart(digits, "0");
}

/** Some rows of a hex dump, the byte at `offset` marked. An offset behind the last byte is marked there, as the end of `what`. */
function hexWindow(bytes: Uint8Array, offset: number, what: string): string {
  const row = Math.floor(offset / ROW) * ROW;
  const lines: string[] = [];
  for (let at = Math.max(0, row - AROUND * ROW); at <= row + AROUND * ROW && (at < bytes.length || at === row); at += ROW) {
    const cells = Array.from({ length: ROW }, (_, i) => (at + i < bytes.length ? hex(bytes[at + i], 2) : "  "));
    const text = Array.from(bytes.subarray(at, at + ROW), (byte) => (byte >= 32 && byte < 127 ? String.fromCharCode(byte) : ".")).join("");
    lines.push(`  ${hex(at, 8)}  ${cells.join(" ")}  |${text}|`);
    if (at === row)
      lines.push(
        `            ${"   ".repeat(offset - row)}^^ ${offset < bytes.length ? `byte ${offset} (0x${hex(offset, 1)})` : `the ${what} ends here`}`,
      );
  }
  return lines.join("\n");
}

/** Characters that are shown of a line. */
const WIDTH = 120;

/** `text` in at most WIDTH characters, around the one at `index`; `before` is what is shown of it in front of that one. */
function cutAround(text: string, index: number): { shown: string; before: string } {
  const start = text.length <= WIDTH || index < WIDTH ? 0 : index - (WIDTH >> 1);
  const piece = (from: number, to: number) => visible(text.slice(from, to));
  const before = (start > 0 ? "…" : "") + piece(start, index);
  return { shown: before + piece(index, start + WIDTH) + (text.length > start + WIDTH ? "…" : ""), before };
}

/**
 * A line of a text with its neighbours, its character at `column` (from 1) marked. Only that line is decoded as a whole: where a column is, only
 * decoding tells.
 */
function lineWindow(bytes: Uint8Array, line: number, column?: number): string {
  const lineEnd = (start: number) => {
    const end = bytes.indexOf(0x0a, start);
    return end < 0 ? bytes.length : end;
  };
  const shown: string[] = [];
  let start = 0;
  for (let at = 1; at <= line + AROUND && start <= bytes.length; at++) {
    const end = lineEnd(start);
    if (at >= line - AROUND) {
      const marked = at === line && column !== undefined;
      // Neighbours are shown by their beginnings; no character takes more than four bytes.
      const found = bytes.subarray(start, marked ? end : Math.min(end, start + 4 * WIDTH + 4));
      const cut = cutAround(new TextDecoder().decode(found).replace(/\r$/, ""), marked ? column - 1 : 0);
      const lead = `${at === line ? ">" : " "} ${String(at).padStart(6)} | `;
      shown.push(lead + cut.shown);
      // Tabs are as wide as those above them.
      if (marked)
        shown.push(`${" ".repeat(lead.length)}${cut.before.replace(/[^\t]+/g, (piece) => " ".repeat(columnsOf(piece)))}^ column ${column}`);
    }
    start = end + 1;
  }
  return shown.join("\n");
}

/** The largest text that is searched for a line: a window is a service, not worth seconds. */
const LARGEST_TEXT = 1 << 28;

export function describeCallError(failure: CallError): string {
  return [`tusk: ${visibleMessage(failure.message)}`, failure.window, ""].filter((part) => part !== undefined).join("\n");
}

/** The place of an error in `bytes`, which are `what`; undefined where it has none. */
export function placeWindow(error: TuskError, bytes: Uint8Array, what: string): string | undefined {
  const { line, offset } = error;
  if (line !== undefined && bytes.length <= LARGEST_TEXT)
    return lineWindow(bytes, line, error instanceof TextError ? error.column : undefined);
  return offset !== undefined && offset <= bytes.length ? hexWindow(bytes, offset, what) : undefined;
}

export function describeBadFile(failure: BadFile): string {
  const { file, error } = failure;
  const { bytes, unpacked, hint } = failure.details;
  const parts = [`tusk: ${visibleMessage(`${file}: ${error.message}`)}`];
  const window = bytes && placeWindow(error, bytes, unpacked ? "save" : "file");
  if (window !== undefined) {
    if (unpacked) parts.push("the save inside, unpacked:");
    parts.push(window);
  }
  if (hint) parts.push(`hint: ${visibleMessage(hint)}`);
  return parts.join("\n") + "\n";
}
