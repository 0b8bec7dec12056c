// Bytes -> the value of a JSON text, or an error with its line and column.
import { TuskError } from "../../errors.ts";
import { firstNonUtf8 } from "../utf8.ts";

/** An error at a place in a text. */
export class TextError extends TuskError {
  /** In UTF-16 units, from 1. */
  readonly column: number;

  constructor(message: string, text: string, position: number, cause?: unknown) {
    let line = 1;
    let start = 0;
    for (let at = text.indexOf("\n"); at >= 0 && at < position; at = text.indexOf("\n", start)) {
      start = at + 1;
      line++;
    }
    super("tusk", "notation", message, cause === undefined ? { line } : { line, cause });
    this.column = position - start + 1;
  }
}

/** Characters that V8 shows on both sides of the place. */
const AROUND = 10;
/** Shorter texts it shows wholly, and the place is not told. */
const SHOWN_WHOLLY = 2 * AROUND + 1;

/** Where JSON.parse stopped. V8 tells either the position, or ten characters on both sides of it. */
function errorPosition(message: string, text: string): number | undefined {
  if (message === "Unexpected end of JSON input") return text.length;
  const told = / (?:in|after) JSON at position (\d+)(?: \(line \d+ column \d+\))?$/.exec(message);
  if (told) return Number(told[1]);
  if (text.length < SHOWN_WHOLLY) return paddedPosition(text);
  const shown = /, (\.\.\.)?"([\s\S]*)"(?:\.\.\.)? is not valid JSON$/.exec(message);
  if (!shown) return undefined;
  const [, before, around] = shown;
  if (!before) return around.length - AROUND;
  const at = text.indexOf(around);
  return at < 0 || text.indexOf(around, at + 1) >= 0 ? undefined : at + AROUND;
}

function paddedPosition(text: string): number | undefined {
  const longer = text.padEnd(SHOWN_WHOLLY + AROUND);
  try {
    JSON.parse(longer);
  } catch (error) {
    return errorPosition((error as Error).message, longer);
  }
  return undefined;
}

/** The message without the place, which is told better. */
function bareMessage(message: string): string {
  return message.replace(
    /(?: in JSON at position [\s\S]*|(?<= after JSON) at position [\s\S]*|, (?:\.\.\.)?"[\s\S]*" ?(?:\.\.\.)? is not valid JSON)$/,
    "",
  );
}

function decodedText(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (cause) {
    // The decoder also fails where the text is longer than a string may be.
    const offset = firstNonUtf8(bytes);
    if (offset === bytes.length)
      throw new TuskError("tusk", "notation", "the JSON has more characters than a string can hold here, 512 million", { cause });
    throw new TuskError("tusk", "notation", "the JSON cannot be read: it is not UTF-8", { offset, cause });
  }
}

/** Errors: `notation`; a {@link TextError} where the place is known, with an offset where the bytes are no text. */
export function parseJsonText(bytes: Uint8Array): { text: string; value: unknown } {
  const text = decodedText(bytes);
  try {
    return { text, value: JSON.parse(text) };
  } catch (cause) {
    const { message } = cause as Error;
    const position = errorPosition(message, text);
    if (position === undefined) throw new TuskError("tusk", "notation", `this is not JSON: ${message}`, { cause });
    throw new TextError(`this is not JSON: ${bareMessage(message)}`, text, position, cause);
  }
}
