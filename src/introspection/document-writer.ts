// Document to text (formats/introspection.md §2, §3), with what was kept of the text it was read from.

import {
  type BlockNode,
  checkDocument,
  childrenOf,
  type IntrospectionDocument,
  type IntrospectionNode,
  isBlock,
  labelOf,
  pathStep,
} from "./document.ts";
import { fail, fitting } from "./failure.ts";
import { isIterable } from "./instances.ts";
import { layoutOf } from "./layout.ts";
import { type Mode, spellEntry, spellValue, withNewlines } from "./notation.ts";
import { checkOptions, countGrid, type IntrospectionWriteOptions, withDefaults } from "./options.ts";
import { checkReading } from "./original-reading.ts";
import { checkDepth } from "./place.ts";

interface Frame {
  node: BlockNode;
  children: IntrospectionNode[];
  /** Grid: the cells' numbers in the order they are written, if it is not column by column. */
  cells: number[] | undefined;
  /** How many children have begun. */
  next: number;
  /** The number of the last of them; -1 before the first. */
  number: number;
}

/** A document with its text. */
export interface WrittenDocument {
  readonly document: IntrospectionDocument;
  text: string;
  readonly mode: Mode;
  /** Original mode: is there a label or a string that a reader could end elsewhere, as the lines that follow are? */
  readonly doubtful: boolean;
}

/**
 * The text of a document. Options that are not given are those of the text it was read from, so that the same bytes come out.
 *
 * @throws TuskError with the path: `bad-document` (a node that is none; an object, structure or asset kind whose name is no identifier),
 * `not-original` (in original mode, for what the original has no text for, or none that would be read as the same), `depth-limit`, `size-limit`;
 * without a path `too-long`, `bad-option`, and `bad-document` for what is no document at all.
 */
export function writeIntrospectionDocument(document: IntrospectionDocument, options?: IntrospectionWriteOptions): string {
  return writeIntrospectionAll([document], options);
}

/** `first`: the first document of the text, which has one mode. */
function write(document: IntrospectionDocument, options: IntrospectionWriteOptions, first: WrittenDocument | undefined): WrittenDocument {
  const layout = layoutOf(checkDocument(document)) ?? {};
  // An instance from inside a document is none that was read: its line has a label, and is all that has a mode.
  const mode = options.mode ?? first?.mode ?? ((!layout.line?.includes(" : ") && layout.mode) || "superset");
  const floats = options.floats ?? layout.floats ?? "fixed";
  const newline = options.newline ?? layout.newline ?? "\n";
  const odd = new Set(options.newline ? [] : layout.lineEnds);
  const limits = withDefaults(options.limits);
  const counted = { emptyColumns: 0 };
  const frames: Frame[] = [];
  const place = {
    get path() {
      return frames.map(({ node, children, number }) => pathStep(node, children[number], number)).join("");
    },
  };
  let text = layout.byteOrderMark ? "\uFEFF" : "";
  let lines = 0;
  let doubtful = false;

  /** Writes a line behind the tabs of its depth, `spelled` where as it stood it would end in another line break. */
  function writeLine(line: string, spelled = line): void {
    const end = odd.has(lines++) ? (newline === "\n" ? "\r\n" : "\n") : newline;
    if (end === "\n" && line.endsWith("\r")) {
      line = spelled;
      if (line.endsWith("\r")) fail("not-original", "the original has no text for a line break here", place);
    }
    text += "\t".repeat(frames.length) + line + end;
  }

  /** Writes a node's line, `spelled` by the settings, and opens its block. `exact` spells it as the reader did. */
  function writeNode(node: IntrospectionNode, spelled: string, exact: () => string): void {
    const kept = layoutOf(node);
    // Floats that were spelled unusually stay so, unless the caller asks for a form.
    const keeps = kept?.line && (kept.mode ?? "superset") === mode && (node.type !== "float" || !options.floats);
    const line = withNewlines(spelled, newline);
    writeLine(keeps && withNewlines(exact(), newline) === kept.usual ? kept.line! : line, line);
    if (!isBlock(node)) return;
    checkDepth(frames.length, limits.maxDepth, place);
    writeLine("{");
    // A getter may add others.
    const children = childrenOf(node, place).slice();
    const isGrid = node.type === "grid";
    if (isGrid) countGrid(counted, node, limits, place);
    // JSON may have an order for others, too.
    const cells = isGrid && kept?.cells ? fitting(() => cellOrder(kept.cells!, children), place) : undefined;
    frames.push({ node, children, cells, next: 0, number: -1 });
  }

  writeNode(document, spellValue(document, floats, mode, place), () => spellValue(document, "exact", mode));
  while (frames.length > 0) {
    const frame = frames[frames.length - 1];
    const { node, children, cells } = frame;
    if (frame.next < children.length) {
      const next = frame.next++;
      const number = cells?.[next] ?? next;
      frame.number = number;
      const child = children[number];
      isBlock(child, place);
      const spelled = spellEntry(node, child, number, floats, mode, place);
      if (mode === "original") {
        if (/\p{Cs}/u.test(spelled)) fail("not-original", "the original has no text that would be read as this", place);
        doubtful ||= isDoubtful(node, child, spelled);
      }
      writeNode(child, spelled, () => spellEntry(node, child, number, "exact", mode));
    } else {
      frames.pop();
      if (frames.length > 0) writeLine("}");
      else text += "}";
    }
  }
  text +=
    (options.newline ?? options.finalNewline) === undefined && layout.end !== undefined
      ? layout.end
      : newline + (options.finalNewline ?? "\r\n");
  return { document, text, mode, doubtful };
}

/**
 * The texts of several documents one after another, as the tutorial appends them, all in the mode of the first if none is given. Errors as
 * {@link writeIntrospectionDocument}; paths begin in the document that is wrong, and do not say which that is.
 */
export function writeIntrospectionAll(documents: Iterable<IntrospectionDocument>, options: IntrospectionWriteOptions = {}): string {
  checkOptions(options);
  if (!isIterable(documents)) fail("bad-document", "expected a document");
  const all: WrittenDocument[] = [];
  for (const document of documents)
    fitting(() => {
      const written = write(document, options, all[0]);
      const last = all.at(-1);
      if (last) {
        // A document may have been the last where it was read, or the first: lines end between two, and a byte order mark comes before all.
        if (!last.text.endsWith("\n")) last.text += /\r?\n/.exec(last.text)![0];
        written.text = written.text.replace(/^\uFEFF/, "");
      }
      all.push(written);
    });
  return fitting(() => {
    // Strings may go on to the end of a file.
    checkReading(all, options.limits);
    // An empty text is none that could be read.
    return all.map(({ text }) => text).join("") || fail("bad-document", "expected a document");
  });
}

/** See {@link WrittenDocument.doubtful}. */
function isDoubtful(parent: BlockNode, child: IntrospectionNode, spelled: string): boolean {
  const label = labelOf(parent, child);
  return spelled.includes("\n") || (typeof label === "string" && spelled.indexOf(" : ") !== label.length);
}

/** The kept order of a grid's cells, if it still is one. */
function cellOrder(cells: number[], children: IntrospectionNode[]): number[] | undefined {
  const numbers = new Set(cells);
  return cells.length === children.length && children.every((_, number) => numbers.has(number)) ? cells : undefined;
}
