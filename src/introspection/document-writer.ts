// Document to text (formats/introspection.md §2, §3), with what was kept of the text it was read from.

import type { ErrorPlace } from "../errors.ts";
import {
  type BlockNode,
  childrenOf,
  type IntrospectionDocument,
  type IntrospectionEntry,
  type IntrospectionNode,
  type IntrospectionVariable,
  isBlock,
  pathStep,
} from "./document.ts";
import { fail } from "./failure.ts";
import { type IntrospectionLayout, layoutOf } from "./layout.ts";
import {
  type Floats,
  type Mode,
  NAME,
  readInteger,
  readLabel,
  readScalar,
  spellInteger,
  spellKey,
  spellLabel,
  spellScalar,
} from "./notation.ts";
import { type IntrospectionWriteOptions, withDefaults } from "./options.ts";
import { instanceId } from "./value-shape.ts";

interface Frame {
  node: BlockNode;
  children: IntrospectionNode[];
  /** Grid: the cells' numbers in the order they are written, if it is not column by column. */
  cells: number[] | undefined;
  index: number;
}

/**
 * The text of a document. Options that are not given are those of the text it was read from, so that the same bytes come out.
 *
 * @throws TuskError with the path: `bad-document` (a node that is none, a name that is no identifier), `not-original` (in original mode,
 * for what the original has no text for), `depth-limit`.
 */
export function writeIntrospectionDocument(document: IntrospectionDocument, options: IntrospectionWriteOptions = {}): string {
  return new DocumentWriter(document, options).write();
}

/** The texts of several documents one after another, as the tutorial appends them. Errors as {@link writeIntrospectionDocument}. */
export function writeIntrospectionAll(documents: Iterable<IntrospectionDocument>, options: IntrospectionWriteOptions = {}): string {
  let text = "";
  for (const document of documents) text += writeIntrospectionDocument(document, options);
  return text;
}

class DocumentWriter {
  readonly #document: IntrospectionDocument;
  readonly #layout: IntrospectionLayout;
  readonly #mode: Mode;
  readonly #floats: Floats;
  /** Floats that were spelled unusually stay so, unless the caller asks for a form. */
  readonly #keepFloats: boolean;
  readonly #newline: string;
  readonly #end: string;
  /** Lines that end the other way. */
  readonly #odd: ReadonlySet<number> | undefined;
  readonly #maxDepth: number;
  readonly #frames: Frame[] = [];
  readonly #place: ErrorPlace;
  #text = "";
  #lines = 0;

  constructor(document: IntrospectionDocument, options: IntrospectionWriteOptions) {
    const layout = layoutOf(document) ?? {};
    this.#document = document;
    this.#layout = layout;
    this.#mode = options.mode ?? layout.mode ?? "superset";
    this.#floats = options.floats ?? layout.floats ?? "fixed";
    this.#keepFloats = options.floats === undefined;
    this.#newline = options.newline ?? layout.newline ?? "\n";
    const end = options.newline === undefined ? layout.end : undefined;
    this.#end = options.finalNewline !== undefined ? this.#newline + options.finalNewline : (end ?? this.#newline + "\r\n");
    if (options.newline === undefined && layout.lineEnds !== undefined) this.#odd = new Set(layout.lineEnds);
    this.#maxDepth = withDefaults(options.limits).maxDepth;
    const frames = this.#frames;
    this.#place = {
      get path() {
        return frames
          .map(({ node, children, index, cells }) => pathStep(node, children[cells?.[index] ?? index], cells?.[index] ?? index))
          .join("");
      },
    };
  }

  write(): string {
    const document = this.#document;
    if (document?.type !== "object" || document.object === null) fail("bad-document", "a document is an object's node");
    const frames = this.#frames;
    if (this.#layout.byteOrderMark) this.#text = "\uFEFF";
    this.#openBlock(document, "");
    while (frames.length > 0) {
      const frame = frames[frames.length - 1];
      const { children, cells, index } = frame;
      if (index < children.length) {
        const number = cells === undefined ? index : cells[index];
        const child = children[number];
        if (typeof child !== "object" || child === null) fail("bad-document", "a node is missing", this.#place);
        this.#writeEntry(frame, child, number);
      } else {
        frames.pop();
        const closing = "\t".repeat(frames.length) + "}";
        if (frames.length > 0) {
          this.#line(closing);
          frames[frames.length - 1].index++;
        } else this.#text += closing + this.#end;
      }
    }
    return this.#text;
  }

  #line(text: string): void {
    const odd = this.#odd?.has(this.#lines++);
    this.#text += text + (odd ? (this.#newline === "\n" ? "\r\n" : "\n") : this.#newline);
  }

  #writeEntry(frame: Frame, child: IntrospectionNode, number: number): void {
    const start = `${"\t".repeat(this.#frames.length)}${this.#label(frame.node, child, number)} : `;
    if (isBlock(child)) this.#openBlock(child, start);
    else {
      this.#line(start + this.#scalar(child));
      frame.index++;
    }
  }

  #label(parent: BlockNode, child: IntrospectionNode, number: number): string {
    switch (parent.type) {
      case "array":
        return `a${number}`;
      case "list":
        return `l${number}`;
      case "grid":
        return `g${Math.floor(number / parent.height)},${number % parent.height}`;
      default: {
        const label = parent.type === "map" ? (child as IntrospectionEntry).key : (child as IntrospectionVariable).name;
        if (this.#mode === "original") {
          if (typeof label === "string") return label;
          return fail("not-original", "the original has no text for a key that is no string", this.#place);
        }
        const kept = layoutOf(child)?.label;
        const spelled =
          (parent.type === "map" ? spellKey(label) : typeof label === "string" ? spellLabel(label) : undefined) ??
          fail("bad-document", "a label is no string or key", this.#place);
        return kept !== undefined && reads(() => spellKey(readLabel(kept + " : ", 0, parent.type === "map", {}).label)) === spelled
          ? kept
          : spelled;
      }
    }
  }

  #scalar(node: Exclude<IntrospectionNode, BlockNode>): string {
    const mode = this.#mode;
    const newline = this.#newline;
    const kept = layoutOf(node)?.value;
    if (kept !== undefined && mode === (this.#layout.mode ?? "superset") && (node.type !== "float" || this.#keepFloats)) {
      const end = kept.indexOf(" = ");
      const body = kept.slice(end + 3);
      const same = reads(() => {
        const read = readScalar(kept.slice(0, end), body, mode, {});
        // A string of the original with mixed line breaks was read with its CR dropped where lines end in CR LF.
        if (read?.type === "string" && mode === "original")
          read.value = newline === "\n" ? read.value : read.value.replaceAll("\r\n", "\n");
        return read && spellScalar(read, "exact", mode);
      });
      if (same === spellScalar(node, "exact", mode, this.#place)) return kept;
    }
    const text = spellScalar(node, this.#floats, mode, this.#place);
    return mode === "original" && newline === "\r\n" && node.type === "string" ? text.replaceAll("\n", newline) : text;
  }

  #openBlock(node: BlockNode, start: string): void {
    const depth = this.#frames.length;
    if (depth >= this.#maxDepth) fail("depth-limit", `more than ${this.#maxDepth} blocks inside each other`, this.#place);
    let head: string = node.type;
    let cells: number[] | undefined;
    switch (node.type) {
      case "object": {
        const id = spellInteger(node.id);
        if (id === undefined || typeof node.object !== "string" || !NAME.test(node.object))
          fail("bad-document", "an object needs a name and an id", this.#place);
        head = `${node.object} = ${id}`;
        const kept = layoutOf(node)?.value;
        const keptId = kept?.startsWith(node.object + " = ") ? instanceId(kept.slice(node.object.length + 3)) : undefined;
        if (keptId !== undefined && String(readInteger(keptId)) === id) head = kept!;
        break;
      }
      case "grid": {
        const { width, height, columns } = node;
        if (
          !Array.isArray(columns) ||
          columns.length !== width ||
          columns.some((column) => !Array.isArray(column) || column.length !== height)
        ) {
          fail("bad-document", "a grid's columns do not have its size", this.#place);
        }
        head = `grid = ${width}x${height}`;
        cells = layoutOf(node)?.cells;
        if (
          cells?.length !== width * height ||
          new Set(cells).size !== cells.length ||
          cells.some((cell) => !(cell >= 0 && cell < width * height))
        ) {
          cells = undefined;
        }
        break;
      }
      case "custom":
        if (typeof node.structure !== "string" || !NAME.test(node.structure)) fail("bad-document", "a structure needs a name", this.#place);
        head = `custom = ${node.structure}`;
        break;
      default:
        head = `${node.type} =`;
    }
    const children = childrenOf(node);
    if (!Array.isArray(children)) fail("bad-document", `no elements in the node ${node.type}`, this.#place);
    this.#line(start + head);
    this.#line("\t".repeat(depth) + "{");
    this.#frames.push({ node, children, cells, index: 0 });
  }
}

/** What a kept spelling reads as; undefined if it cannot be read (a layout may come from outside). */
function reads(read: () => string | undefined): string | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
