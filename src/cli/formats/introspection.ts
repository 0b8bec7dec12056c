// Object introspection text: one object or several behind each other.
import { TuskError } from "../../errors.ts";
import { detectIntrospection } from "../../introspection/detect.ts";
import {
  type IntrospectionDocument,
  introspectionFromJson,
  introspectionToJson,
  readIntrospectionAll,
  writeIntrospectionAll,
} from "../../introspection/index.ts";
import { countText } from "../shown-text.ts";
import { firstNonUtf8 } from "../utf8.ts";
import type { FormatSettings, SaveFormat } from "./format.ts";
import { looksLikeSuperset } from "./introspection-dialect.ts";
import { introspectionLoss, introspectionMembers } from "./introspection-members.ts";
import { beginningText } from "./text-file.ts";

/**
 * The superset reads nearly everything; what it does not may be text of the original, where quotes and brackets stand for themselves. A damaged
 * text of the superset can be read so, too, which is told where it has a form that only the superset writes.
 */
function readText(text: string, onWarning: FormatSettings["onWarning"]): unknown[] {
  try {
    return readIntrospectionAll(text).map((document) => introspectionToJson(document));
  } catch (error) {
    const mirrors = readOriginal(text);
    if (!mirrors || !(error instanceof TuskError)) throw error;
    if (looksLikeSuperset(mirrors)) {
      const { code, line } = error;
      const message = `read as text of the original program; as superset text: ${code}${line === undefined ? "" : ` in line ${line}`}`;
      onWarning({ format: "introspection", code: "original-text", message });
    }
    return mirrors;
  }
}

/** Undefined for what is no such text. */
function readOriginal(text: string): unknown[] | undefined {
  try {
    return readIntrospectionAll(text, { mode: "original" }).map((document) => introspectionToJson(document));
  } catch {
    return undefined;
  }
}

/** The text of one mirror, or of a list of them. Paths of errors begin with the number in the list. */
function writeMirrors(value: unknown): string {
  const isList = Array.isArray(value);
  const mirrors: unknown[] = isList ? value : [value];
  let number = 0;
  // One after the other, so that it is known which one an error is about.
  function* documents(): Generator<IntrospectionDocument> {
    for (; number < mirrors.length; number++) yield introspectionFromJson(mirrors[number]);
  }
  try {
    return writeIntrospectionAll(documents());
  } catch (error) {
    // A text that is too long is that of them all.
    if (!isList || number === mirrors.length || !(error instanceof TuskError) || error.code === "too-long") throw error;
    const { format, code, reason, path = "", cause } = error;
    throw new TuskError(format, code, reason, { path: `[${number}]${path}`, cause });
  }
}

export const introspection: SaveFormat = {
  name: "introspection",
  title: "object introspection text",
  binary: false,
  family: "introspection",
  headNames: [],
  /** The JSON mirror of the format is plain data. */
  vocabulary: { membersOf: introspectionMembers, lossOf: introspectionLoss },
  detect: (bytes) => detectIntrospection(beginningText(bytes)) !== undefined,
  read(bytes, { onWarning }) {
    let text: string;
    try {
      text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    } catch (cause) {
      // The decoder also fails where the text is longer than a string may be.
      const offset = firstNonUtf8(bytes);
      if (offset === bytes.length)
        throw new TuskError("introspection", "too-long", `the text of ${bytes.length} bytes is longer than a string may be here`, {
          cause,
        });
      throw new TuskError("introspection", "encoding", "the text is not UTF-8", { offset, cause });
    }
    return { value: readText(text, onWarning), head: {} };
  },
  write: ({ value }) => Buffer.from(writeMirrors(value)),
  describe: (save) => countText(Array.isArray(save.value) ? save.value.length : 1, "object"),
  kindOf(container) {
    const { type, object } = container as { type?: unknown; object?: unknown };
    return type === "object" && typeof object === "string" ? { name: object } : undefined;
  },
};
