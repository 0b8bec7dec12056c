// Text to document (formats/introspection.md §3). One pass over the lines with the open blocks on a stack of its own, so that neither
// depth nor size of the input can exhaust the host's.

import type { ErrorPlace } from "../errors.ts";
import { bindValue } from "./bind.ts";
import { givenDatabase, type IntrospectionDatabase, type VariableDefinition } from "./definitions.ts";
import {
  type BlockNode,
  cellAt,
  childrenOf,
  columnsOf,
  type GridNode,
  type IntrospectionDocument,
  type IntrospectionEntry,
  type IntrospectionKey,
  type IntrospectionNode,
  type IntrospectionVariable,
  type ItemsNode,
  MEMBER_OF,
  type ObjectNode,
} from "./document.ts";
import { fail, fitting } from "./failure.ts";
import { type IntrospectionLayout, keepLayout } from "./layout.ts";
import { hasTabs, Lines } from "./lines.ts";
import { type Mode, readInteger, readLabel, readScalar, spellEntry, spellValue, withNewlines } from "./notation.ts";
import { checkOptions, countGrid, type IntrospectionLimits, type IntrospectionReadOptions, withDefaults } from "./options.ts";
import { isMissingValue, type OriginalLines, originalLines } from "./original-lines.ts";
import { checkDepth } from "./place.ts";
import { instanceId, shapeAt, type ValueShape } from "./value-shape.ts";

/**
 * Lines that are written as they stand by every setting, so that nothing needs to be kept; a float of at most 15 significant digits
 * survives the way through a double. Only lines that do not match are spelled again to compare.
 */
const USUAL =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the rule is about control characters
  /^[A-Za-z0-9_,]+ : (?:float = -?(?:0|[1-9]\d{0,9})\.\d{5}|bool = (?:True|False)|string = "[^\0-\x08\n-\x1f\ud800-\udfff]*"|(?:array|list|map) =|enum = [A-Za-z_]\w*|(?!float )[A-Za-z_]\w* = (?:0|-?[1-9]\d{0,14}))$/;
const GRID_LABEL = /g(0|[1-9]\d*),(0|[1-9]\d*) : /y;

/**
 * Reads the text of one object.
 *
 * The result is the JSON mirror of the text; line ends and unusual spellings are remembered beside it, so that
 * {@link writeIntrospection} gives the same bytes again. Text behind the object is the error `trailing-text`, another object
 * too; see {@link readIntrospectionAll}.
 *
 * @throws TuskError with the line: `bad-header`, `missing-brace`, `unexpected-end`, `bad-indent`, `bad-entry`, `missing-value`,
 * `bad-value`, `bad-string`, `bad-escape`, `bad-key`, `bad-index`, `missing-cell`, `trailing-text`, `depth-limit`, `size-limit`;
 * without a line `bad-option`, and those of {@link bindIntrospection}, if `definitions` are given.
 */
export function readIntrospection(text: string, options: IntrospectionReadOptions = {}): IntrospectionDocument {
  return readObjects(text, options, false)[0];
}

/**
 * Reads a file that holds any number of objects one after another, at least one. Errors as {@link readIntrospection}; the paths of those that
 * `definitions` lead to begin in the object that is wrong, and do not say which that is.
 */
export function readIntrospectionAll(text: string, options: IntrospectionReadOptions = {}): IntrospectionDocument[] {
  return readObjects(text, options, true);
}

/** `checks`: are the documents checked against the definitions? */
export function readObjects(text: string, options: IntrospectionReadOptions, several: boolean, checks = true): IntrospectionDocument[] {
  checkOptions(options);
  if (typeof text !== "string") fail("bad-option", "the text is a string");
  const marked = text.startsWith("\uFEFF");
  const lines = new Lines(marked ? text.slice(1) : text);
  const database = givenDatabase(options);
  const original = options.mode === "original" ? originalLines(lines) : undefined;
  const source: Source = { lines, original, database, limits: withDefaults(options.limits), emptyColumns: 0 };
  const documents: IntrospectionDocument[] = [];
  const { raw } = lines;
  let next = 0;
  do {
    const reader = new ObjectReader(source, next);
    if (documents.length > 0 && (!several || reader.header === undefined)) fail("trailing-text", "text behind the brace", reader);
    const document = fitting(() => reader.read(), reader);
    const last = reader.index - 1;
    next = reader.index;
    while (next < raw.length && lines.isBlank(next)) next++;
    const { layout } = reader;
    const tail = raw.slice(last, next).join("\n") + (next < raw.length ? "\n" : "");
    const end = tail.slice(1);
    if (end !== (layout.newline ?? "\n") + "\r\n") layout.end = end;
    if (Object.keys(layout).length > 0) keepLayout(document, layout);
    documents.push(document);
  } while (next < raw.length);
  if (marked) keepLayout(documents[0], { byteOrderMark: true });
  if (checks && database !== undefined)
    for (const document of documents) bindValue(document, undefined, database, { ...source, staysNode: true });
  return documents;
}

interface Source {
  lines: Lines;
  /** Present in original mode. */
  original: OriginalLines | undefined;
  database: IntrospectionDatabase | undefined;
  limits: IntrospectionLimits;
  /** Of all grids without height so far. */
  emptyColumns: number;
}

interface Frame {
  node: BlockNode;
  children: IntrospectionNode[];
  /** Object in original mode: its definition, as long as the text follows it. */
  definition?: readonly VariableDefinition[] | undefined;
  /**
   * Grid: cell numbers in the order of the text, kept as soon as they are out of order. By label, since V8 hashes numbers without a seed, so that they can
   * be made to collide.
   */
  cells?: Map<string, number>;
}

class ObjectReader {
  /** The line being read, from 0; behind the object when done. */
  index: number;
  readonly layout: IntrospectionLayout = {};
  private readonly source: Source;
  private readonly lines: Lines;
  private readonly mode: Mode;
  private readonly frames: Frame[] = [];
  /** Lines the writer writes for what was read so far; a string with line breaks counts as one. */
  private written = 0;

  constructor(source: Source, start: number) {
    const { lines, original } = source;
    this.index = start;
    this.source = source;
    this.lines = lines;
    this.mode = original ? "original" : "superset";
    if (original) {
      this.layout.mode = this.mode;
      this.layout.definitions = source.database;
    }
    if (lines.endsInCr(start)) this.layout.newline = "\r\n";
  }

  /** Errors take the reader for their place. */
  get line(): number {
    return this.index + 1;
  }

  /** The first line of an object, if the current line is one. */
  get header(): ValueShape | undefined {
    const shape = shapeAt(this.lines, this.index, this.lines.at(this.index), 0, 0);
    return shape && instanceId(shape.body) ? shape : undefined;
  }

  read(): IntrospectionDocument {
    const header = this.header ?? fail("bad-header", "expected an object's name and instance id", this);
    const line = this.lines.at(this.index);
    const root = this.openBlock({ ...header, block: "object" }) as ObjectNode;
    this.keepLine(root, line, spellValue(root, "exact", this.mode));
    while (this.frames.length > 0) {
      if (this.index >= this.lines.count) fail("unexpected-end", "the text ends inside a block", this);
      if (this.lines.isBrace(this.index, this.frames.length - 1, "}")) this.closeBlock();
      else this.readEntry();
    }
    return root;
  }

  /** Goes behind the line (or the string that ends on it) that was just read. */
  private advance(last = this.index): void {
    if (this.lines.endsInCr(last) !== (this.layout.newline !== undefined)) (this.layout.lineEnds ??= []).push(this.written);
    this.written++;
    this.index = last + 1;
  }

  private keepLine(node: IntrospectionNode, line: string, usual: string): void {
    if (line !== usual) keepLayout(node, { line, usual, mode: this.mode });
  }

  private readEntry(): void {
    const frame = this.frames[this.frames.length - 1];
    const { node: parent, children } = frame;
    const depth = this.frames.length;
    const { index } = this;
    const line = this.lines.at(index);
    if (!hasTabs(line, depth)) fail("bad-indent", `expected ${depth} tabs`, this);
    const { label, end, cell = children.length } = this.readLabel(frame, line, depth);
    const start = end + 3;
    if (isMissingValue(line, start)) fail("missing-value", "no value behind the label", this);
    const shape = shapeAt(this.lines, index, line, start, depth);
    let text = line;
    let node: IntrospectionNode;
    if (shape?.block) node = this.openBlock(shape);
    else if (shape?.lacksBrace) {
      this.index++;
      this.requireBrace(depth);
      return;
    } else if (shape?.word === "string" && this.mode === "original" && shape.body.startsWith('"')) {
      text = this.readOriginalString(frame, line, start);
      const value = text.slice(start + 'string = "'.length, -1);
      // Where lines end in CR LF, those inside a string do too.
      node = { type: "string", value: this.layout.newline === undefined ? value : value.replaceAll("\r\n", "\n") };
    } else {
      node = (shape && readScalar(shape.word, shape.body, this.mode, this)) ?? fail("bad-value", "no type, value or block", this);
      this.advance();
    }
    if (parent.type === "map") (node as IntrospectionEntry).key = label!;
    else if (label !== undefined) (node as IntrospectionVariable).name = label as string;
    const { definition } = frame;
    if (definition !== undefined) {
      const next = definition[children.length];
      if (next?.name !== label || next.types[0] !== node.type) frame.definition = undefined;
    }
    children.push(node);
    text = text.slice(depth);
    if (!USUAL.test(text)) this.keepUnusual(parent, node, cell, text);
  }

  private keepUnusual(parent: BlockNode, node: IntrospectionNode, number: number, text: string): void {
    const exact = spellEntry(parent, node, number, "exact", this.mode);
    this.keepLine(node, text, withNewlines(exact, this.layout.newline));
    // A float that five decimals do not hold, however it is spelled: where the document is edited, no digits may go.
    if (node.type === "float" && spellEntry(parent, node, number, "fixed", this.mode) !== exact) this.layout.floats = "exact";
  }

  private requireBrace(depth: number): void {
    if (this.index >= this.lines.count) fail("unexpected-end", "the text ends inside a block", this);
    if (!this.lines.isBrace(this.index, depth, "{")) fail("missing-brace", "expected an opening brace", this);
  }

  /** The label, where its ` : ` begins, and in a grid the number of the cell. Elements of arrays, lists and grids have no label of their own. */
  private readLabel(frame: Frame, line: string, depth: number): { label?: IntrospectionKey; end: number; cell?: number } {
    const { node, children } = frame;
    const { original } = this.source;
    switch (node.type) {
      case "array":
      case "list": {
        const expected = node.type[0] + children.length;
        const end = depth + expected.length;
        if (!line.startsWith(expected + " : ", depth)) failLabel(line, `expected the label ${expected}`, this);
        return { end };
      }
      case "grid": {
        GRID_LABEL.lastIndex = depth;
        const match = GRID_LABEL.exec(line) ?? failLabel(line, "expected a cell's label, gX,Y", this);
        const [label, column, row] = match;
        const x = Number(column);
        const y = Number(row);
        const cell = x * node.height + y;
        if (cell !== children.length)
          frame.cells ??= children.reduce(
            (cells, _, number) => cells.set(`g${cellAt(number, node.height)} : `, number),
            new Map<string, number>(),
          );
        if (x >= node.width || y >= node.height || frame.cells?.has(label)) failLabel(line, "no such cell, or twice", this);
        frame.cells?.set(label, cell);
        return { end: depth + label.length - 3, cell };
      }
      default: {
        if (original === undefined) return readLabel(line, depth, node.type === "map", this);
        const end = original.labelEnd(this.index, depth, node.type === "object", this);
        return { label: line.slice(depth, end), end };
      }
    }
  }

  private openBlock({ word, body, block }: ValueShape): BlockNode {
    const { limits, database, original } = this.source;
    const depth = this.frames.length;
    checkDepth(depth, limits.maxDepth, this);
    let node: BlockNode;
    let definition: readonly VariableDefinition[] | undefined;
    switch (block) {
      case "grid": {
        const [width, height] = body.split("x").map(Number);
        countGrid(this.source, { width, height }, limits, this);
        node = { type: block, width, height, columns: [] };
        break;
      }
      case "custom":
        node = { type: block, structure: body, fields: [] };
        break;
      case "object":
        node = { type: block, object: word, id: readInteger(instanceId(body)!), variables: [] };
        if (original !== undefined) definition = database?.variables(word);
        break;
      default:
        node = { type: block, [MEMBER_OF[block!]]: [] } as unknown as ItemsNode;
    }
    this.advance();
    this.requireBrace(depth);
    this.advance();
    this.frames.push({ node, children: block === "grid" ? [] : childrenOf(node), definition });
    return node;
  }

  private closeBlock(): void {
    const frame = this.frames.pop()!;
    if (frame.node.type === "grid") closeGrid(frame, frame.node, this);
    // The line end behind the outermost brace belongs to the end of the text.
    if (this.frames.length > 0) this.advance();
    else this.index++;
  }

  /**
   * The line of a string of the original, with the further lines if it holds line breaks. Where lines end in LF, a CR before a break
   * inside is the string's own.
   */
  private readOriginalString({ definition, children }: Frame, line: string, start: number): string {
    const first = this.index;
    const depth = this.frames.length;
    const follows = definition?.[children.length]?.name === line.slice(depth, start - 3);
    const expected = follows ? (definition?.[children.length + 1] ?? null) : undefined;
    const last = this.source.original!.stringEnd(first, start, depth, expected);
    if (last < 0) fail("bad-string", "the string is never closed", this);
    this.advance(last);
    return [...this.lines.raw.slice(first, last), this.lines.at(last)].join("\n");
  }
}

function failLabel(line: string, message: string, place: ErrorPlace): never {
  return line.includes(" : ") ? fail("bad-index", message, place) : fail("bad-entry", 'expected an entry with " : "', place);
}

function closeGrid({ children, cells }: Frame, grid: GridNode, place: ErrorPlace): void {
  const { width, height } = grid;
  // Only now that all cells are there is it safe to make room for them.
  if (children.length !== width * height) fail("missing-cell", `${children.length} of ${width * height} cells are there`, place);
  const ordered = children.slice();
  if (cells !== undefined) {
    const order = [...cells.values()];
    for (let index = 0; index < order.length; index++) ordered[order[index]] = children[index];
    keepLayout(grid, { cells: order });
  }
  grid.columns = columnsOf(ordered, width, height);
}
