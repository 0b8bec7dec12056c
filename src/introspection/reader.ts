// Text to document (formats/introspection.md §3). One pass over the lines with the open blocks on a stack of its own, so that neither
// depth nor size of the input can exhaust the host's.

import type { ErrorPlace } from "../errors.ts";
import { checkDocument } from "./bind.ts";
import { type IntrospectionDatabase, toDatabase, type VariableDefinition } from "./definitions.ts";
import {
  type BlockNode,
  childrenOf,
  type GridNode,
  type IntrospectionDocument,
  type IntrospectionEntry,
  type IntrospectionKey,
  type IntrospectionNode,
  type IntrospectionVariable,
  type ObjectNode,
  pathStep,
  type ScalarNode,
} from "./document.ts";
import { fail } from "./failure.ts";
import { type IntrospectionLayout, keepLayout } from "./layout.ts";
import { hasTabs, Lines } from "./lines.ts";
import { type Mode, readInteger, readLabel, readScalar, spellInteger, spellKey, spellScalar } from "./notation.ts";
import { type IntrospectionLimits, type IntrospectionReadOptions, withDefaults } from "./options.ts";
import { type Expected, isMissingValue, OriginalLines } from "./original-lines.ts";
import { instanceId, shapeAt, type ValueShape } from "./value-shape.ts";

/** A float that every setting writes as it stands: at most 15 significant digits survive the way through a double. */
const PLAIN_FLOAT = /^float = -?(?:0|[1-9][0-9]{0,9})\.[0-9]{5}$/;
const GRID_LABEL = /g(0|[1-9][0-9]*),(0|[1-9][0-9]*) : /y;

/**
 * Reads the text of one object.
 *
 * The result is the JSON mirror of the text; line ends and unusual spellings are remembered beside it, so that
 * {@link writeIntrospection} gives the same bytes again. Text behind the object is the error `trailing-text`, another object
 * too; see {@link readIntrospectionAll}.
 *
 * @throws TuskError with the line: `bad-header`, `missing-brace`, `unexpected-end`, `bad-indent`, `bad-entry`, `missing-value`,
 * `bad-value`, `bad-string`, `bad-escape`, `bad-key`, `bad-index`, `missing-cell`, `trailing-text`, `depth-limit`, `size-limit`;
 * without a line those of {@link bindIntrospection}, if `definitions` are given.
 */
export function readIntrospection(text: string, options: IntrospectionReadOptions = {}): IntrospectionDocument {
  return readObjects(text, options, false)[0];
}

/**
 * Reads a file that holds any number of objects one after another, at least one. Errors as {@link readIntrospection}.
 */
export function readIntrospectionAll(text: string, options: IntrospectionReadOptions = {}): IntrospectionDocument[] {
  return readObjects(text, options, true);
}

function readObjects(text: string, options: IntrospectionReadOptions, several: boolean): IntrospectionDocument[] {
  if (typeof text !== "string") fail("bad-header", "expected a string");
  const marked = text.startsWith("\uFEFF");
  const lines = new Lines(marked ? text.slice(1) : text);
  const database = options.definitions === undefined ? undefined : toDatabase(options.definitions);
  const original = options.mode === "original" ? new OriginalLines(lines) : undefined;
  const source: Source = { lines, original, database, limits: withDefaults(options.limits) };
  const documents: IntrospectionDocument[] = [];
  for (let next = 0; next < lines.count || documents.length === 0; ) {
    const reader = new ObjectReader(source, next);
    if (documents.length > 0 && (!several || !reader.hasHeader)) fail("trailing-text", "text behind the last brace", { line: next + 1 });
    const document = reader.read();
    const last = reader.index - 1;
    next = reader.index;
    while (next < lines.count && lines.isBlank(next)) next++;
    const layout = reader.layout;
    if (marked && documents.length === 0) layout.byteOrderMark = true;
    const tail = lines.raw.slice(last, next < lines.count ? next : undefined).join("\n") + (next < lines.count ? "\n" : "");
    const end = tail.slice(1);
    if (end !== (layout.newline ?? "\n") + "\r\n") layout.end = end;
    if (Object.keys(layout).length > 0) keepLayout(document, layout);
    documents.push(document);
  }
  if (database !== undefined) for (const document of documents) checkDocument(document, database, source.limits.maxDepth);
  return documents;
}

interface Source {
  lines: Lines;
  /** Present in original mode. */
  original: OriginalLines | undefined;
  database: IntrospectionDatabase | undefined;
  limits: IntrospectionLimits;
}

interface Frame {
  node: BlockNode;
  children: IntrospectionNode[];
  /** Index of the child being read. */
  index: number;
  /** Object in original mode: its definition, as long as the text follows it. */
  definition?: readonly VariableDefinition[];
  /** Grid: cell numbers in the order of the text, kept as soon as they are out of order. */
  cells?: Set<number>;
}

class ObjectReader {
  /** The line being read, from 0; behind the object when done. */
  index: number;
  readonly layout: IntrospectionLayout = {};
  readonly #lines: Lines;
  readonly #mode: Mode;
  readonly #original: OriginalLines | undefined;
  readonly #database: IntrospectionDatabase | undefined;
  readonly #limits: IntrospectionLimits;
  readonly #frames: Frame[] = [];
  readonly #place: ErrorPlace;
  /** Lines the writer writes for what was read so far; a string with line breaks counts as one. */
  #written = 0;

  constructor({ lines, original, database, limits }: Source, start: number) {
    this.index = start;
    this.#lines = lines;
    this.#original = original;
    this.#mode = original === undefined ? "superset" : "original";
    this.#database = database;
    this.#limits = limits;
    if (original !== undefined) this.layout.mode = "original";
    if (start < lines.count && lines.endsInCr(start)) this.layout.newline = "\r\n";
    const reader = this;
    this.#place = {
      get line() {
        return reader.index + 1;
      },
      get path() {
        return reader.#path();
      },
    };
  }

  /** The current line is the first of an object. */
  get hasHeader(): boolean {
    return this.#header() !== undefined;
  }

  #header(): ValueShape | undefined {
    if (this.index >= this.#lines.count) return undefined;
    const shape = shapeAt(this.#lines, this.index, this.#lines.at(this.index), 0, 0);
    return shape !== undefined && instanceId(shape.body) !== undefined ? shape : undefined;
  }

  read(): IntrospectionDocument {
    const header = this.#header() ?? fail("bad-header", "expected an object's name, = and its instance id", { line: this.index + 1 });
    const root = this.#openBlock({ ...header, block: "object" }) as ObjectNode;
    while (this.#frames.length > 0) {
      if (this.index >= this.#lines.count) fail("unexpected-end", "the text ends inside a block", this.#place);
      if (this.#lines.isBrace(this.index, this.#frames.length - 1, "}")) this.#closeBlock();
      else this.#readEntry();
    }
    return root;
  }

  /** Goes behind the line (or the string that ends on it) that was just read. */
  #advance(last = this.index): void {
    if (this.#lines.endsInCr(last) !== (this.layout.newline !== undefined)) (this.layout.lineEnds ??= []).push(this.#written);
    this.#written++;
    this.index = last + 1;
  }

  #path(): string {
    let path = "";
    for (let index = 1; index < this.#frames.length; index++) {
      const parent = this.#frames[index - 1];
      path += pathStep(parent.node, this.#frames[index].node, parent.index);
    }
    return path;
  }

  #readEntry(): void {
    const frame = this.#frames[this.#frames.length - 1];
    const depth = this.#frames.length;
    const line = this.#lines.at(this.index);
    if (!hasTabs(line, depth)) fail("bad-indent", `expected ${depth} tabs`, this.#place);
    const { label, end, cell } = this.#readLabel(frame, line, depth);
    const start = end + 3;
    if (isMissingValue(line, start)) fail("missing-value", "nothing stands behind the label", this.#place);
    const shape = shapeAt(this.#lines, this.index, line, start, depth);
    if (shape === undefined) fail("bad-value", 'expected a type or an object\'s name and " ="', this.#place);
    const labelText = line.slice(depth, end);
    let node: IntrospectionNode;
    if (shape.block !== undefined) {
      frame.index = cell ?? frame.children.length;
      node = this.#openBlock(shape);
    } else {
      if (shape.lacksBrace) {
        this.index++;
        this.#requireBrace(depth);
      }
      node = this.#readScalar(frame, shape, line, start, depth);
    }
    if (frame.node.type === "map") (node as IntrospectionEntry).key = label!;
    else if (label !== undefined) (node as IntrospectionVariable).name = label as string;
    if (label !== undefined && this.#mode === "superset" && spellKey(label) !== labelText) keepLayout(node, { label: labelText });
    if (frame.definition !== undefined) {
      const next = frame.definition[frame.children.length];
      if (next?.name !== label || next.types[0] !== node.type) frame.definition = undefined;
    }
    frame.children.push(node);
  }

  #requireBrace(depth: number): void {
    if (this.index >= this.#lines.count) fail("unexpected-end", "the text ends where a block must open", this.#place);
    if (!this.#lines.isBrace(this.index, depth, "{")) fail("missing-brace", "expected a line with an opening brace", this.#place);
  }

  /** The label, where its ` : ` begins, and in a grid the number of the cell. Elements of arrays, lists and grids have no label of their own. */
  #readLabel(frame: Frame, line: string, depth: number): { label?: IntrospectionKey; end: number; cell?: number } {
    const { node } = frame;
    if (node.type === "array" || node.type === "list") {
      const expected = `${node.type === "array" ? "a" : "l"}${frame.children.length} : `;
      if (!line.startsWith(expected, depth)) this.#failLabel(line, `expected the label ${expected.slice(0, -3)}`);
      return { end: depth + expected.length - 3 };
    }
    if (node.type === "grid") {
      GRID_LABEL.lastIndex = depth;
      const match = GRID_LABEL.exec(line) ?? this.#failLabel(line, "expected the label of a cell, gX,Y");
      const x = Number(match[1]);
      const y = Number(match[2]);
      const cell = x * node.height + y;
      if (x >= node.width || y >= node.height) fail("bad-index", "the cell lies outside the grid", this.#place);
      if (frame.cells === undefined && cell !== frame.children.length) frame.cells = new Set(frame.children.keys());
      if (frame.cells?.has(cell)) fail("bad-index", "the cell stands twice", this.#place);
      frame.cells?.add(cell);
      return { end: GRID_LABEL.lastIndex - 3, cell };
    }
    if (this.#original === undefined) return readLabel(line, depth, node.type === "map", this.#place);
    const end = this.#original.labelEnd(this.index, depth, node.type === "object", this.#place);
    return { label: line.slice(depth, end), end };
  }

  #failLabel(line: string, message: string): never {
    return line.includes(" : ") ? fail("bad-index", message, this.#place) : fail("bad-entry", 'expected an entry with " : "', this.#place);
  }

  #openBlock({ word, body, block }: ValueShape): BlockNode {
    const frames = this.#frames;
    const depth = frames.length;
    if (depth >= this.#limits.maxDepth) fail("depth-limit", `more than ${this.#limits.maxDepth} blocks inside each other`, this.#place);
    let node: BlockNode;
    let definition: readonly VariableDefinition[] | undefined;
    switch (block) {
      case "grid": {
        const [width, height] = body.split("x").map(Number);
        const limit = this.#limits.maxGridSide;
        if (width > limit || height > limit) fail("size-limit", `a grid wider or higher than ${limit}`, this.#place);
        node = { type: block, width, height, columns: [] };
        break;
      }
      case "custom":
        node = { type: block, structure: body, fields: [] };
        break;
      case "map":
        node = { type: block, entries: [] };
        break;
      case "array":
      case "list":
        node = { type: block, items: [] };
        break;
      default: {
        const id = readInteger(instanceId(body)!);
        node = { type: "object", object: word, id, variables: [] };
        if (spellInteger(id) !== body) keepLayout(node, { value: `${word} = ${body}` });
        if (this.#original !== undefined) definition = this.#database?.variables(word);
      }
    }
    this.#advance();
    this.#requireBrace(depth);
    this.#advance();
    frames.push({ node, children: block === "grid" ? [] : childrenOf(node), index: 0, definition });
    return node;
  }

  #closeBlock(): void {
    const frame = this.#frames[this.#frames.length - 1];
    if (frame.node.type === "grid") this.#closeGrid(frame, frame.node);
    // The line end behind the outermost brace belongs to the end of the text.
    if (this.#frames.length > 1) this.#advance();
    else this.index++;
    this.#frames.pop();
  }

  #closeGrid({ children, cells }: Frame, grid: GridNode): void {
    const { width, height } = grid;
    // Only now that all cells are there is it safe to make room for them.
    if (children.length !== width * height) fail("missing-cell", `${children.length} of ${width * height} cells are there`, this.#place);
    let ordered = children;
    if (cells !== undefined) {
      const order = [...cells];
      ordered = new Array(order.length);
      for (let index = 0; index < order.length; index++) ordered[order[index]] = children[index];
      keepLayout(grid, { cells: order });
    }
    for (let x = 0; x < width; x++) grid.columns.push(ordered.slice(x * height, (x + 1) * height));
  }

  #readScalar(frame: Frame, { word, body }: ValueShape, line: string, start: number, depth: number): ScalarNode {
    if (word === "string" && this.#original !== undefined && body.startsWith('"')) return this.#readOriginalString(frame, start, depth);
    const node =
      readScalar(word, body, this.#mode, this.#place) ??
      fail("bad-value", `unknown type ${word}, or no block on the next line`, this.#place);
    this.#advance();
    const text = line.slice(start);
    if (node.type === "float" && PLAIN_FLOAT.test(text)) return node;
    if (spellScalar(node, "exact", this.#mode) !== text) return keepText(node, text);
    if (node.type === "float" && spellScalar(node, "fixed", this.#mode) !== text) this.layout.floats = "exact";
    return node;
  }

  /** A string of the original, which may hold line breaks. Where lines end in LF, a CR before a break inside is the string's own. */
  #readOriginalString(frame: Frame, start: number, depth: number): ScalarNode {
    const { raw } = this.#lines;
    const first = this.index;
    const { definition } = frame;
    const follows = definition?.[frame.children.length]?.name === this.#lines.at(first).slice(depth, start - 3);
    const expected: Expected = follows ? (definition?.[frame.children.length + 1] ?? null) : undefined;
    const last = this.#original!.stringEnd(first, start, depth, expected);
    if (last < 0) fail("bad-string", "the string is never closed", this.#place);
    const closing = this.#lines.at(last);
    const text = last === first ? closing : [...raw.slice(first, last), closing].join("\n");
    const written = text.slice(start + 'string = "'.length, -1);
    const value = this.layout.newline === undefined ? written : written.replaceAll("\r\n", "\n");
    this.#advance(last);
    const node: ScalarNode = { type: "string", value };
    return value.replaceAll("\n", this.layout.newline ?? "\n") === written ? node : keepText(node, text.slice(start));
  }
}

function keepText(node: ScalarNode, value: string): ScalarNode {
  keepLayout(node, { value });
  return node;
}
