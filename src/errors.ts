// Errors and warnings, the same for every format. Errors are part of the interface: code, place, what was expected, what was found.

/** Names of the formats, as they appear in errors and in {@link TuskWarning}. */
export type FormatName = "elephant" | "ds" | "enigma" | "introspection" | "tusk";

/** Where something went wrong; whichever applies to the format is present. */
export interface ErrorPlace {
  /**
   * Byte offset into the input; of ds strings in characters. That of `export-string` counts in the text if that is not base64, else in the zlib
   * stream.
   */
  offset?: number | undefined;
  /** Line of a text format, from 1. */
  line?: number | undefined;
  /** Path of the value in the graph, e.g. `.entities[3].name`; the root is `""`. */
  path?: string | undefined;
  cause?: unknown;
}

/**
 * The one error class of the package. `code` is a category name of the format's specification (`truncated`, `header`,
 * `unknown-constructor`, ...), or one of those that the format's page of the documentation adds (`bad-option`, ...), and is stable; the message is for people and may change.
 */
export class TuskError extends Error {
  /** What is wrong, e.g. `"truncated"`. */
  readonly code: string;
  /** The format that it is wrong in; `"tusk"` for what concerns them all (`engine`), files and workers. */
  readonly format: FormatName;
  /**
   * Byte offset into the input; of ds strings in characters. That of `export-string` counts in the text if that is not base64, else in the zlib
   * stream.
   */
  readonly offset?: number;
  /** Line of a text format, from 1. */
  readonly line?: number;
  /** Path of the value in the graph, e.g. `.entities[3].name`; the root is `""`. */
  readonly path?: string;
  /** The message without code and place. */
  readonly reason: string;

  constructor(format: FormatName, code: string, message: string, place: ErrorPlace = {}) {
    const { offset, line, path } = place;
    const where = [
      offset !== undefined && `at ${format === "ds" ? "character" : "byte"} ${offset}`,
      line !== undefined && `in line ${line}`,
      path !== undefined && `at ${path || "the root value"}`,
    ]
      .filter(Boolean)
      .join(", ");
    // Of the place it takes the cause, if there is one.
    super(`${message}${where && ` (${where})`} [${format}: ${code}]`, place);
    this.format = format;
    this.code = code;
    this.reason = message;
    if (offset !== undefined) this.offset = offset;
    if (line !== undefined) this.line = line;
    // Safari and Bun give every error the line of the program that made it.
    else delete (this as { line?: number }).line;
    if (path !== undefined) this.path = path;
  }

  /** Always `"TuskError"`. */
  override get name(): string {
    return "TuskError";
  }
}

/** Something the caller may want to know although the operation went on. */
export interface TuskWarning {
  format: FormatName;
  /** What it is about, e.g. `"function-stored-as-undefined"`. */
  code: string;
  /** For people, and may change. */
  message: string;
  /** Byte offset into the input. */
  offset?: number | undefined;
  /** Line of a text format, from 1. */
  line?: number | undefined;
  /** Path of the value in the graph; the root is `""`. */
  path?: string | undefined;
}
