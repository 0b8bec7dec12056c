// What the kernel learns while a save is read or written: the objects that occur, and the symbol tables of their classes. The
// form in memory is described in assembly/enigma/layouts.ts. Everything has a cap: a hostile save only stops the learning.
import type { ClassBlock } from "../binary/class-block.ts";
import type { EnigmaText } from "../model.ts";
import { bytesOf } from "../text.ts";
import type { ScalarType } from "../value-type.ts";
import { LAYOUTS, LAYOUTS_END, MOST_OBJECTS } from "./memory-map.ts";
import {
  MAX_LEVELS,
  OBJECT_USED,
  OP_BOOL,
  OP_F32,
  OP_F64,
  OP_I8,
  OP_I16,
  OP_I32,
  OP_I64,
  OP_REGION,
  OP_STRING,
  OP_U8,
  OP_U16,
  OP_U32,
  OP_U64,
  OP_VAR,
  OP_VARIANT,
} from "./opcodes.ts";
import type { Session } from "./session.ts";

/** How the kernel handles each scalar type; containers are regions. */
const OPERATIONS: Readonly<Record<ScalarType, number>> = {
  i8: OP_I8,
  u8: OP_U8,
  i16: OP_I16,
  u16: OP_U16,
  i32: OP_I32,
  u32: OP_U32,
  i64: OP_I64,
  u64: OP_U64,
  f32: OP_F32,
  f64: OP_F64,
  bool: OP_BOOL,
  char: OP_U8,
  string: OP_STRING,
  variant: OP_VARIANT,
  var: OP_VAR,
};

function operationOf(type: string | undefined): number {
  return type !== undefined && Object.hasOwn(OPERATIONS, type) ? OPERATIONS[type as ScalarType] : OP_REGION;
}

/** A symbol table and the types of its values. */
export interface Layout {
  readonly class: string | undefined;
  /** Names in the order of the symbol table; every class block of this layout shares it. */
  readonly table: readonly EnigmaText[];
  /** Names, types, operations in data order. */
  readonly names: readonly EnigmaText[];
  readonly types: readonly (string | undefined)[];
  readonly operations: readonly number[];
  /** Address in the kernel's memory. */
  readonly address: number;
}

/** Different tables for one class of one object: the kernel tries them in turn. */
const MAX_TABLES = 8;
/** A class with a larger table is read by the shim. */
const MAX_TABLE_BYTES = 16384;
const HEADER_BYTES = 16;

export class Layouts {
  readonly list: Layout[] = [];
  private readonly session: Session;
  private readonly slots = new Map<number, Layout[]>();
  private objects = 0;
  private used = LAYOUTS;

  constructor(session: Session) {
    this.session = session;
    session.kernel.resetObjects();
  }

  /** Lays down a layout; undefined if there is no room for it. `order[i]` is the symbol of the i-th value. */
  add(
    owner: string | undefined,
    table: readonly EnigmaText[],
    order: readonly number[],
    types: readonly (string | undefined)[],
  ): Layout | undefined {
    const texts = table.map((name) => bytesOf(name, ""));
    const tableBytes = texts.reduce((sum, text) => sum + 16 + text.length, 0);
    const padded = (tableBytes + 15) & ~15;
    const address = this.used;
    const template = (address + HEADER_BYTES + 8 * table.length + 15) & ~15;
    if (tableBytes > MAX_TABLE_BYTES || template + 2 * padded > LAYOUTS_END) return undefined;
    this.used = template + 2 * padded;
    const { u8, u32, view } = this.session;
    u8.fill(0, address, this.used);
    const operations = types.map(operationOf);
    u32[address >>> 2] = table.length;
    u32[(address >>> 2) + 1] = tableBytes;
    u32[(address >>> 2) + 3] = this.list.length;
    const steps = (address + HEADER_BYTES) >>> 2;
    for (let i = 0; i < order.length; i++) u32[steps + i] = operations[i]! | (order[i]! << 8);
    let at = 0;
    for (let i = 0; i < texts.length; i++) {
      const text = texts[i]!;
      view.setUint32(template + at + 4, text.length);
      u8.set(text, template + at + 8);
      u8.fill(0xff, template + padded + at, template + padded + at + 8 + text.length);
      at += 8 + text.length;
      u32[steps + table.length + i] = at;
      at += 8;
    }
    const layout: Layout = { class: owner, table, names: order.map((symbol) => table[symbol]!), types, operations, address };
    this.list.push(layout);
    return layout;
  }

  /**
   * Makes an object known to the kernel with the blocks its classes have. `levels`: how many classes the schema gives it, 0 if it
   * says nothing.
   */
  learn(
    objectIndex: number,
    levels: number,
    blocks: readonly (ClassBlock | null)[],
    typesOf: (level: number) => { class?: string | undefined; types: (string | undefined)[] },
  ): void {
    const { kernel, u32 } = this.session;
    const record = kernel.objectRecord(objectIndex) >>> 2;
    if (!(u32[record + 1]! & OBJECT_USED)) {
      if (this.objects === MOST_OBJECTS) return;
      this.objects++;
      u32[record] = objectIndex;
      u32[record + 1] = (OBJECT_USED | levels) >>> 0;
    }
    for (let level = 0; level < blocks.length && level < MAX_LEVELS; level++) {
      const block = blocks[level];
      if (!block || block.bounds[0] !== block.data) continue;
      const slot = record + 2 + level;
      let known = this.slots.get(slot);
      if (!known) this.slots.set(slot, (known = []));
      if (known.length === MAX_TABLES || known.some(({ table }) => sameNames(table, block.names))) continue;
      const owner = typesOf(level);
      const layout = this.add(owner.class, block.names, block.order, owner.types);
      if (!layout) return;
      u32[(layout.address >>> 2) + 2] = u32[slot]!;
      u32[slot] = layout.address;
      known.push(layout);
    }
  }
}

/** Names that are bytes are never the same here: their tables are learned anew until the cap, which costs room only. */
export function sameNames(a: readonly EnigmaText[], b: readonly EnigmaText[]): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}
