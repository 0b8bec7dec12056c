// Is what was written in original mode read as the same? What the original leaves ambiguous depends on the lines that follow
// (formats/introspection.md §3 "Reading original files"), so the text is read again.

import type { TuskError } from "../errors.ts";
import { childrenOf, type IntrospectionDocument, type IntrospectionNode, isBlock, labelOf, pathStep } from "./document.ts";
import { fail } from "./failure.ts";
import type { IntrospectionLimits } from "./options.ts";
import { readIntrospection } from "./reader.ts";

/** What a reader has to find at a node, its path, and the line that it begins on, from 1. */
interface Found {
  readonly what: string;
  readonly path: string;
  readonly line: number;
}

/** Error `not-original` for a document whose text is read as another one, or as none. */
export function checkReading(text: string, document: IntrospectionDocument, limits: IntrospectionLimits): void {
  const written = outline(document);
  let wrong: Found | undefined;
  try {
    const read = outline(readIntrospection(text, { mode: "original", limits }));
    wrong = written.find(({ what }, i) => what !== read[i]?.what);
  } catch (error) {
    const { line } = error as TuskError;
    wrong = written.findLast((found) => line === undefined || found.line <= line);
  }
  if (wrong) fail("not-original", "the original has no text that would be read as this", { path: wrong.path });
}

/** The nodes of a document in the order of the text, without the values that do not matter to where others begin. */
function outline(document: IntrospectionDocument): Found[] {
  const all: Found[] = [];
  const open: [node: IntrospectionNode, label: unknown, path: string, depth: number][] = [[document, undefined, "", 0]];
  let line = 1;
  /** Blocks that are open behind the last node. */
  let blocks = 0;
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [node, label, path, depth] = next;
    line += blocks - depth;
    const value = node.type === "string" ? node.value : "";
    all.push({ what: JSON.stringify([depth, node.type, label, value]), path, line });
    line += value.split("\n").length;
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
