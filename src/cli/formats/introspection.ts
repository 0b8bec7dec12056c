// Object introspection text: one object or several behind each other.
import { TuskError } from "../../errors.ts";
import { pathOf } from "../../graph/path.ts";
import { detectIntrospection } from "../../introspection/detect.ts";
import {
  type IntrospectionDocument,
  type IntrospectionJson,
  introspectionFromJson,
  introspectionToJson,
  readIntrospectionAll,
  writeIntrospectionAll,
} from "../../introspection/index.ts";
import { forEachContainer } from "../notation/graph-walk.ts";
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

/** Tells of floats that have lost digits. The mirror of a text that has some of more than five decimals says `floats`, and none is rounded. */
function tellRounded(value: unknown, onWarning: FormatSettings["onWarning"]): void {
  const isList = Array.isArray(value);
  const mirrors = (isList ? value : [value]) as IntrospectionJson[];
  let count = 0;
  let first: string | undefined;
  for (const [number, mirror] of mirrors.entries()) {
    if (mirror.layout?.floats === "exact") continue;
    forEachContainer(mirror, introspection.vocabulary, (node) => {
      const { type, value: float } = node as { type?: unknown; value?: unknown };
      if (type !== "float" || typeof float !== "number" || !Number.isFinite(float) || Number(float.toFixed(5)) === float) return;
      count++;
      first ??= (isList ? `[${number}]` : "") + pathOf(mirror, node);
    });
  }
  if (first === undefined) return;
  const rounded = `${countText(count, "float")} ${count === 1 ? "is" : "are"} rounded to five decimals`;
  const message = `${rounded}; "layout": {"floats": "exact"} in the object keeps all digits`;
  onWarning({ format: "introspection", code: "rounded", message, path: first });
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
  write({ value }, { onWarning }) {
    const text = writeMirrors(value);
    tellRounded(value, onWarning);
    return Buffer.from(text);
  },
  describe: (save) => countText(Array.isArray(save.value) ? save.value.length : 1, "object"),
  kindOf(container) {
    const { type, object } = container as { type?: unknown; object?: unknown };
    return type === "object" && typeof object === "string" ? { name: object } : undefined;
  },
};
