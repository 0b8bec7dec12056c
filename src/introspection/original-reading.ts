// Is what was written in original mode read as the same? What the original leaves ambiguous depends on the lines that follow
// (formats/introspection.md §3 "Reading original files"), so the text is read again.

import type { TuskError } from "../errors.ts";
import type { Given } from "../options.ts";
import type { IntrospectionDatabase } from "./definitions.ts";
import { childrenOf, type IntrospectionDocument, type IntrospectionNode, isBlock, labelOf, pathStep } from "./document.ts";
import type { WrittenDocument } from "./document-writer.ts";
import { fail } from "./failure.ts";
import { layoutOf } from "./layout.ts";
import { countBreaks } from "./lines.ts";
import type { IntrospectionLimits } from "./options.ts";
import { readObjects } from "./reader.ts";

/** What a reader has to find at a node, its path, and the line that it begins on, from 1. */
interface Found {
  readonly what: string;
  readonly path: string;
  readonly line: number;
  /** Could a reader end its label or string elsewhere? */
  readonly doubtful: boolean;
}

/** Error `not-original` for documents whose text, one after another, is read as others, or as none. */
export function checkReading(given: readonly WrittenDocument[], limits: Given<IntrospectionLimits> | undefined): void {
  // Nobody knows the definitions any more.
  const documents = given.filter(({ document, doubtful }) => !doubtful || !layoutOf(document)?.defined);
  if (!documents.some(({ doubtful }) => doubtful)) return;
  const definitions = documents.map(({ document }) => layoutOf(document)?.definitions).find(Boolean);
  let line = 1;
  const written = documents.flatMap(({ document, text }) => {
    const found = outline(document, line);
    line += countBreaks(text);
    return found;
  });
  const all = documents.map(({ text }) => text).join("");
  const wrong = (definitions: IntrospectionDatabase | undefined): Found | undefined => {
    try {
      const read = readObjects(all, { mode: "original", definitions, limits }, true, false).flatMap((document) => outline(document, 1));
      return written.find(({ what }, i) => what !== read[i]?.what);
    } catch (error) {
      const at = (error as TuskError).line ?? line;
      return written.filter((found) => found.doubtful && found.line <= at).at(-1) ?? written[0];
    }
  };
  const found = wrong(undefined);
  // A document that has been changed may fit its definitions no more.
  if (found && (!definitions || wrong(definitions)))
    fail("not-original", "the original has no text that would be read as this", { path: found.path });
}

/** The nodes of a document in the order of the text, without the values that do not matter to where others begin. */
function outline(document: IntrospectionDocument, line: number): Found[] {
  const all: Found[] = [];
  const open: [node: IntrospectionNode, label: unknown, path: string, depth: number][] = [[document, undefined, "", 0]];
  /** Blocks that are open behind the last node. */
  let blocks = 0;
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [node, label, path, depth] = next;
    line += blocks - depth;
    const value = node.type === "string" ? node.value : "";
    const breaks = countBreaks(value);
    const doubtful = breaks > 0 || (typeof label === "string" && label.includes(" :"));
    all.push({ what: JSON.stringify([depth, node.type, label, value]), path, line, doubtful });
    line += 1 + breaks;
    blocks = depth;
    if (!isBlock(node)) continue;
    line++;
    blocks++;
    const children = childrenOf(node);
    for (let i = children.length - 1; i >= 0; i--)
      open.push([children[i], labelOf(node, children[i]), path + pathStep(node, children[i], i), depth + 1]);
  }
  return all;
}
