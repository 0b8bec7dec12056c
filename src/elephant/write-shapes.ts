// How structs of one shape are written. Shapes that come often get a template in the kernel (their names and tags as constant bytes) and a
// function made of text that stores their values as slots; the others are written as names and values.
//
// A writer stops behind each container that it meets and goes on after that has been written, so members are read in the order of the
// bytes, as Elephant reads them: what a callback changes in time is stored.
import { codeGenerationAllowed } from "../graph/code-generation.ts";
import * as op from "../graph/ops.ts";
import { encodeText, stringFault } from "../graph/string-encoder.ts";
import type { Registered } from "./constructors.ts";
import { CODE } from "./datatypes.ts";
import type { Machine } from "./machine.ts";
import { memberOf } from "./members.ts";
import type { WritableRelease } from "./releases.ts";
import type { SchemaVersion, StrictField } from "./schema.ts";
import type { GraphWriter } from "./write.ts";

/** Structs of a shape before it gets a template and a function. */
const HOT = 8;
/** More members are always written as names and values, in pieces. */
const LONGEST = 160;
/** Longer names are strings like any other. */
const LONGEST_NAME = 1000;
/** Shapes kept between writes; beyond, all are dropped. */
const SHAPES_LIMIT = 20_000;

type Members = Record<string, unknown>;
/** Writes members from `at` on (-1: the beginning as well); -1 when all are written, else a child has to come first. */
type Write = (this: Shape, container: Members, at: number, writer: GraphWriter) => number;

export interface Shape {
  /** Shapes that children had last, by the member behind which writing goes on. */
  readonly sites: (Shape | undefined)[];
  write: Write;
}

/** Plain structs with the same names in the same order. */
export class PlainShape implements Shape {
  readonly names: readonly string[];
  readonly sites: (Shape | undefined)[] = [];
  write: Write;
  private seen = 0;
  private readonly table: ShapeTable;

  constructor(names: readonly string[], table: ShapeTable) {
    this.names = names;
    this.table = table;
    this.write = this.writePairs;
  }

  /** Has this struct exactly these members? Its prototype is the plain one or none, so everything enumerable is its own. */
  fits(struct: Members): boolean {
    const { names } = this;
    let i = 0;
    if (this.table.inheritsNothing) {
      for (const name in struct) if (name !== names[i++]) return false;
    } else {
      for (const name of Object.keys(struct)) if (name !== names[i++]) return false;
    }
    return i === names.length;
  }

  private writePairs(struct: Members, at: number, writer: GraphWriter): number {
    if (at < 0 && ++this.seen > HOT && this.names.length <= LONGEST) {
      const template = this.table.template(op.TEMPLATE_PLAIN, 0, this.names, undefined);
      if (template > 0) {
        this.write = this.table.compile(template, this.names, undefined, false);
        return this.write(struct, at, writer);
      }
    }
    return writePairs(struct, this.names, at, writer, true, this);
  }
}

/** Names and values by turns, in pieces. */
function writePairs(struct: Members, names: readonly string[], at: number, writer: GraphWriter, plain: boolean, shape: Shape): number {
  const { length } = names;
  let header = writer.top++;
  if (at < 0) {
    at = 0;
    writer.u32[header * 2] = (plain ? op.WRITE_STRUCT_PAIRS : op.WRITE_PAIRS) | (plain ? length << 8 : 0);
  } else {
    if (at === length) {
      writer.top--;
      return -1;
    }
    writer.u32[header * 2] = op.WRITE_PAIRS;
  }
  let from = at;
  while (at < length) {
    if (at - from >= 8 && writer.full()) {
      writer.u32[header * 2 + 1] = (at - from) * 2;
      writer.flush();
      if (writer.pause(struct, shape, at)) return at;
      header = writer.top++;
      writer.u32[header * 2] = op.WRITE_PAIRS;
      from = at;
    }
    const name = names[at++];
    writer.string(name, writer.top++);
    if (writer.put(plain ? struct[name] : memberOf(struct, name), writer.top++)) {
      writer.u32[header * 2 + 1] = (at - from) * 2;
      if (writer.nested(struct, shape, at)) return at;
      header = writer.top++;
      writer.u32[header * 2] = op.WRITE_PAIRS;
      from = at;
    }
  }
  writer.u32[header * 2 + 1] = (at - from) * 2;
  return -1;
}

/** Constructed structs of one constructor and version: all with the same members. */
export class InstanceShape implements Shape {
  readonly sites: (Shape | undefined)[] = [];
  readonly write: Write;
  /** The attempt in which {@link index} is its constructor's, when an instance needs nothing but its fields written; else 0. */
  attempt = 0;
  index = 0;
  readonly prototype: object;
  private readonly registered: Registered;
  private readonly version: number;
  private readonly names: readonly string[] | undefined;

  constructor(registered: Registered, version: number, names: readonly string[] | undefined, write: Write) {
    this.registered = registered;
    this.prototype = registered.prototype;
    this.version = version;
    this.names = names;
    this.write = write;
  }

  get strict(): boolean {
    return this.names === undefined;
  }

  /** Is this the shape of an instance of that constructor, written in that version with those members (none: strictly)? */
  of(registered: Registered, version: number, names: readonly string[] | undefined): boolean {
    if (this.registered !== registered || this.version !== version) return false;
    const mine = this.names;
    if (mine === names) return true;
    if (!mine || !names || mine.length !== names.length) return false;
    for (let i = 0; i < mine.length; i++) if (mine[i] !== names[i]) return false;
    return true;
  }
}

/** An instance of which only some members are written; made for that one. */
class PartialShape implements Shape {
  readonly sites: (Shape | undefined)[] = [];
  readonly write: Write;

  constructor(write: Write) {
    this.write = write;
  }
}

interface TrieNode {
  readonly children: Map<string, TrieNode>;
  shape: PlainShape | InstanceShape | undefined;
}

function node(): TrieNode {
  return { children: new Map(), shape: undefined };
}

function u16(...words: number[]): Uint8Array {
  const bytes = new Uint8Array(words.length * 2);
  words.forEach((word, i) => {
    bytes[i * 2] = word & 255;
    bytes[i * 2 + 1] = word >> 8;
  });
  return bytes;
}

export class ShapeTable {
  inheritsNothing = true;
  private readonly machine: Machine;
  private readonly codeGeneration: boolean;
  private plainRoot = node();
  private readonly verboseRoots = new Map<string, TrieNode>();
  private readonly strictShapes = new Map<Registered, Map<number, InstanceShape>>();
  private nodes = 0;
  private templateTop: number;
  /** From 1.5.0 on strict structs have a skip list. */
  private skips = true;

  constructor(machine: Machine, codeGeneration: boolean) {
    this.machine = machine;
    this.codeGeneration = codeGeneration;
    this.templateTop = machine.templates;
  }

  begin(release: WritableRelease): void {
    const skips = release !== "1.4.0";
    if (skips !== this.skips || this.nodes > SHAPES_LIMIT || this.templateTop > this.machine.templates + this.machine.templatesSize - 65536)
      this.forget();
    this.skips = skips;
    this.lookAround();
  }

  /** Other code has run: what may have changed? */
  lookAround(): void {
    this.inheritsNothing = true;
    for (const _ in Object.prototype) this.inheritsNothing = false;
  }

  private forget(): void {
    this.plainRoot = node();
    this.verboseRoots.clear();
    this.strictShapes.clear();
    this.nodes = 0;
    this.templateTop = this.machine.templates;
  }

  private find(root: TrieNode, names: readonly string[]): TrieNode {
    let at = root;
    for (const name of names) {
      let next = at.children.get(name);
      if (!next) {
        next = node();
        at.children.set(name, next);
        this.nodes++;
      }
      at = next;
    }
    return at;
  }

  /** The shape of plain structs with these names. `refuse` is called for a name that cannot be stored. */
  plain(names: readonly string[], refuse: (name: string) => never): PlainShape {
    // A struct as wide as this is a map of its own; its names would only fill the trie.
    if (names.length > LONGEST || this.nodes > SHAPES_LIMIT) {
      check(names, refuse);
      return new PlainShape(names, this);
    }
    const at = this.find(this.plainRoot, names);
    if (!at.shape) {
      check(names, refuse);
      at.shape = new PlainShape(names, this);
    }
    return at.shape as PlainShape;
  }

  /** Constructed structs that are stored with their names. */
  verbose(registered: Registered, version: number, names: readonly string[], refuse: (name: string) => never): Shape {
    const key = `${version}:${registered.name}`;
    let root = this.verboseRoots.get(key);
    if (!root) {
      root = node();
      this.verboseRoots.set(key, root);
    }
    const wide = names.length > LONGEST || this.nodes > SHAPES_LIMIT;
    const at = wide ? node() : this.find(root, names);
    if (at.shape) return at.shape;
    check(names, refuse);
    const template = wide ? 0 : this.template(op.TEMPLATE_VERBOSE, 0x80 | version, names, undefined);
    const write = template > 0 ? this.compile(template, names, undefined, true) : looseVerbose(0x80 | version, names);
    at.shape = new InstanceShape(registered, version, names, write);
    return at.shape;
  }

  /** Constructed structs that are stored by a strict schema version. */
  strict(registered: Registered, schema: SchemaVersion): Shape {
    let versions = this.strictShapes.get(registered);
    if (!versions) {
      versions = new Map();
      this.strictShapes.set(registered, versions);
    }
    let shape = versions.get(schema.version);
    if (!shape) {
      const names = schema.fields.map((field) => field.name);
      const template = this.template(op.TEMPLATE_STRICT, schema.version, names, schema.fields);
      const write =
        template > 0 ? this.compile(template, names, schema.fields, true) : looseStrict(schema.version, schema.fields, [], this.skips);
      shape = new InstanceShape(registered, schema.version, undefined, write);
      versions.set(schema.version, shape);
    }
    return shape;
  }

  /** One struct of which some fields are left out. */
  partial(version: number, fields: readonly StrictField[], skipped: readonly number[]): Shape {
    return new PartialShape(looseStrict(version, fields, skipped, this.skips));
  }

  /** One struct with some of its members. */
  some(version: number, names: readonly string[], refuse: (name: string) => never): Shape {
    check(names, refuse);
    return new PartialShape(looseVerbose(0x80 | version, names));
  }

  /** Writes a template into linear memory (assembly/elephant/write.ts); returns its address, or 0 when it is not to be had. */
  template(kind: number, version: number, names: readonly string[], fields: readonly StrictField[] | undefined): number {
    const texts = fields ? [] : names.map(encodeText);
    let size = 16 + ((names.length * 4 + 15) & ~15);
    for (let i = 0; i < names.length; i++) size += 16 + (fields ? 0 : (texts[i].length + 16) & ~15);
    const { machine } = this;
    if (texts.some((text) => text.length > LONGEST_NAME) || this.templateTop + size > machine.templates + machine.templatesSize) return 0;
    machine.views.refresh();
    const { u8, u32 } = machine.views;
    const start = this.templateTop;
    this.templateTop += size;
    u8.fill(0, start, start + size);
    u32[start >> 2] = names.length;
    u32[(start >> 2) + 1] = kind;
    u32[(start >> 2) + 2] = version;
    u32[(start >> 2) + 3] = this.skips ? 1 : 0;
    let at = start + 16 + ((names.length * 4 + 15) & ~15);
    for (let i = 0; i < names.length; i++) {
      u32[(start >> 2) + 4 + i] = at;
      u32[(at >> 2) + 1] = fields ? fields[i].code : CODE.any;
      at += 16;
      if (fields) continue;
      u32[(at - 16) >> 2] = texts[i].length + 1;
      u8.set(texts[i], at);
      at += (texts[i].length + 16) & ~15;
    }
    return start;
  }

  /** The function that writes by a template. `fields`: strict; `instance`: with a constructor's beginning. */
  compile(template: number, names: readonly string[], fields: readonly StrictField[] | undefined, instance: boolean): Write {
    const head = ((template >> 3) << 8) | (instance ? op.WRITE_INSTANCE : op.WRITE_STRUCT);
    const more = ((template >> 3) << 8) | op.WRITE_MEMBERS;
    if (!this.codeGeneration || names.length > LONGEST || !codeGenerationAllowed()) return byTemplate(head, more, names, fields, instance);
    const cases = names.map((name, i) => {
      const member = name in Object.prototype ? `M(o,${JSON.stringify(name)})` : `o[${JSON.stringify(name)}]`;
      const stop = `{U[2*h+1]=f|${i + 1}-f<<16;w.top=s;if(w.nested(o,this,${i + 1}))return ${i + 1};F=w.f64;U=w.u32;h=w.top;s=h+1;U[2*h]=${more};f=${i + 1}}`;
      const code = fields ? fields[i].code : CODE.any;
      let store: string;
      if (code === CODE.any)
        store = `if(typeof v==="number")F[s++]=v===v?v:NaN;else if(typeof v==="string")w.string(v,s++);else if(w.put(v,s++))${stop}`;
      else if (code >= CODE.u8 && code <= CODE.f64) store = `if(typeof v==="number")F[s++]=v===v?v:NaN;else w.field(v,${code},s++)`;
      else if (code === CODE.string || code === CODE.text) store = `if(typeof v==="string")w.string(v,s++);else w.field(v,${code},s++)`;
      else if (code === CODE.array || code === CODE.struct) store = `if(w.field(v,${code},s++))${stop}`;
      else store = `w.field(v,${code},s++)`;
      return `case ${i}:v=${member};${store}`;
    });
    const begin = instance ? "w.top=s;w.instanceHeader();s=w.top;" : "";
    const body = `let F=w.f64,U=w.u32,h=w.top,s=h+1,f=at,v;
if(at<0){U[2*h]=${head};f=0;${begin}}
else{if(at===${names.length})return -1;U[2*h]=${more}}
switch(f){${cases.join("\n")}}
if(f<${names.length}||at<0&&f===0){U[2*h+1]=f|${names.length}-f<<16;w.top=s}return -1`;
    return new Function("M", `return function(o,at,w){${body}}`)(memberOf) as Write;
  }
}

function check(names: readonly string[], refuse: (name: string) => never): void {
  for (const name of names) if (stringFault(name)) refuse(name);
}

/** The loop that stands in for a generated function. */
function byTemplate(
  head: number,
  more: number,
  names: readonly string[],
  fields: readonly StrictField[] | undefined,
  instance: boolean,
): Write {
  return function byTemplate(this: Shape, struct, at, writer) {
    let header = writer.top++;
    let { u32 } = writer;
    let from = at;
    if (at < 0) {
      u32[header * 2] = head;
      at = 0;
      from = 0;
      if (instance) writer.instanceHeader();
    } else {
      if (at === names.length) {
        writer.top = header;
        return -1;
      }
      u32[header * 2] = more;
    }
    while (at < names.length) {
      const value = memberOf(struct, names[at]);
      const code = fields ? fields[at].code : CODE.any;
      at++;
      if (writer.field(value, code, writer.top++)) {
        u32[header * 2 + 1] = from | ((at - from) << 16);
        if (writer.nested(struct, this, at)) return at;
        header = writer.top++;
        u32 = writer.u32;
        u32[header * 2] = more;
        from = at;
      }
    }
    u32[header * 2 + 1] = from | ((at - from) << 16);
    return -1;
  };
}

/** A constructed struct as raw bytes, names and values: for members that vary from one instance to the next. */
function looseVerbose(byte: number, names: readonly string[]): Write {
  return function looseVerbose(this: Shape, instance, at, writer) {
    if (at < 0) writer.looseInstance(Uint8Array.of(byte, names.length & 255, names.length >> 8));
    return writePairs(instance, names, Math.max(at, 0), writer, false, this);
  };
}

function looseStrict(version: number, fields: readonly StrictField[], skipped: readonly number[], skips: boolean): Write {
  return function looseStrict(this: Shape, instance, at, writer) {
    if (at < 0) {
      const list = skips ? u16(...skipped, 0) : new Uint8Array(0);
      const beginning = new Uint8Array(1 + list.length);
      beginning[0] = version;
      beginning.set(list, 1);
      writer.looseInstance(beginning);
      at = 0;
    }
    while (at < fields.length) {
      if (writer.pause(instance, this, at)) return at;
      const { name, code } = fields[at++];
      if (writer.single(memberOf(instance, name), code) && writer.nested(instance, this, at)) return at;
    }
    return -1;
  };
}
