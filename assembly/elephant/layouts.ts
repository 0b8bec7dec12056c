// Layouts: structs that come again and again in the same form, as programs. A layout is made from the bytes of an example: all that stays
// the same from one struct to the next (member counts, names, datatype codes, also those of structs inside) becomes a template with a
// mask, and is verified sixteen bytes at a time; what changes is read by a list of instructions into one row of slots. Values of fixed length
// stand among those bytes, which are copied into the row: JavaScript reads them there. A struct that does not
// fit is parsed by the reader's general steps, member by member, so a layout never decides what is valid.
//
// Layout: a head, then its nodes (as of shapes.ts; one for each member and for the root, in order), its code (16 bytes each) and its templates
// in the same order (16 bytes of text and 16 of mask by turns).
import { Constructors, PROGRAM_FIELDS, PROGRAM_HEAD } from "./constructors";
import { LAYOUT_SCRATCH, LAYOUT_SLOTS, LAYOUT_SLOTS_COUNT, LAYOUTS, LAYOUTS_SIZE, NODE_SIZE, OPEN_STRUCTS } from "./memory";
import { ANY, ARRAY_CODE, BOOL, blockEnd, F64, Numbers, STRING, STRUCT_CODE, TEXT, U8, U64, UNDEFINED } from "./numbers";
import {
  BOX_REFERENCE,
  BOX_TABLE,
  KIND_REFERENCE,
  LAYOUT_ANY,
  LAYOUT_ARRAY,
  LAYOUT_FIXED,
  LAYOUT_INSTANCE,
  LAYOUT_NOTHING,
  LAYOUT_STRUCT,
  LAYOUT_TABLE,
} from "./ops";
import { NAME_ID, PARENT, Shapes, SITE } from "./shapes";
import { Slots } from "./slots";
import { Strings, stringId } from "./strings";
import { Text } from "./text";

// ---- head of a layout ----
const CODE: usize = 0;
const NODE_COUNT: usize = 4;
/** Containers with numbers in one row. */
export const CONTAINERS_PER_ROW: usize = 8;
export const LEVELS: usize = 12;
export const FLAGS: usize = 16;
const HITS: usize = 20;
const MISSES: usize = 24;
/** The call in which its constructors were found to be those of the file. */
const CHECKED: usize = 28;
const TEMPLATES: usize = 32;
const HEAD: usize = 48;

/** Arrays that `typedArrays` asks to leave in the input. */
export const HAS_ARRAYS: u32 = 1;
/** Numbers that `scalars: "exact"` wants with their datatypes. */
export const HAS_TAGGED_NUMBERS: u32 = 2;
const HAS_INSTANCES: u32 = 4;

// ---- nodes, where shapes.ts does not name the word ----
const TYPE: usize = 0;
const TAG: usize = 4;
const COUNT: usize = 8;
const CONSTRUCTOR: usize = 16;
const VERSION: usize = 20;
const INDEX: usize = 32;
/** Of values of fixed length: where they stand in their segment; of the first one in it, how many slots that takes. */
const PLACE: usize = 8;
const ROOM: usize = 16;

// ---- instructions ----
// Each begins with a segment: constant bytes and values of fixed length, all of which is copied to the row if it has any of those. An instruction and
// three words: the segment's length, the node, bytes of the template with its masks and (upper half) those that the row takes.
const END: u32 = 0;
const WORDS: u32 = 1;
const ELEMENTS: u32 = 2;
const TAGGED: u32 = 3;

// ---- slots of the table that finds them: layout or DEAD, structs seen, layouts made, how its structs nest ----
const SEEN: usize = 4;
const MADE: usize = 8;
/**
 * Structs of this beginning whose containers took more than an operation for two of them, less the others (read.ts). From NESTS_ENOUGH on JavaScript reads them, and
 * counts what they are worth there (src/elephant/nested.ts), as long as it is not below that. Not earlier: the first structs take more operations until their layouts are
 * made, and JavaScript that has not been compiled yet takes ten times as long.
 */
export const NESTS: usize = 12;
export const NESTS_ENOUGH: i32 = 256;
const SLOT_SIZE: u32 = 16;
const DEAD: usize = 1;

/** Structs of one beginning before a layout is made, and how many layouts are tried. */
const PATIENCE: u32 = 8;
const ATTEMPTS: u32 = 8;
/** Misses after which a layout that is wrong two times of three is given up. */
const ENOUGH: u32 = 256;
const DEEPEST: u32 = 5;
const LONGEST_NAME: u32 = 128;

const MAX_NODES: u32 = 96;
const MAX_CODE: u32 = 256;
const MAX_TEXT: u32 = 8192;
/** Strings of one row; the records of a chunk have room for so many behind their soft end, and for those of one member of an example. */
const MAX_STRINGS: u32 = 300;

const S_NODES: usize = LAYOUT_SCRATCH;
const S_CODE: usize = S_NODES + <usize>MAX_NODES * NODE_SIZE;
const S_TEXT: usize = S_CODE + <usize>MAX_CODE * 16;

/** The first code of what layouts are made of, "any". */
export const CODES: u32 = 204;

let top: usize = LAYOUTS;
let call: u32 = 0;
let limit: usize = 0;
/** Number of the row's first container. */
let first: u32 = 0;

// ---- the layout that is being made ----
let nodes: u32 = 0;
let code: u32 = 0;
let text: u32 = 0;
let segmentLength: u32 = 0;
/** Its first value of fixed length. */
let segmentValue: usize = 0;
let containers: u32 = 0;
let levels: u32 = 0;
let flags: u32 = 0;
/** The layout that this one is to replace: members whose datatype differs become ones of any datatype. */
let earlier: usize = 0;

/** Behind the last slot of the row that was matched. */
export let rowEnd: usize = 0;
/** {@link Layouts.match}: was the last struct that did not match cut off by the window's end? */
export let cut: bool = false;

export class Layouts {
  static begin(): void {
    call++;
  }

  static full(): bool {
    return top > LAYOUTS + LAYOUTS_SIZE - (LAYOUTS_SIZE >> 2);
  }

  static forget(): void {
    memory.fill(LAYOUT_SLOTS, 0, <usize>LAYOUT_SLOTS_COUNT * SLOT_SIZE);
    top = LAYOUTS;
  }

  /** The table's slot for structs that begin like the one at `p`: by its count and first name, or its constructor and version. */
  @inline
  static slot(p: usize): usize {
    const word = <u32>load<u16>(p, 0, 1);
    let key = <u32>load<u32>(p, 2, 1);
    if (word == 0xfffe) key &= 0xffffff;
    else {
      // Up to the first zero.
      const zeros = (key - 0x01010101) & ~key & 0x80808080;
      if (zeros) key &= (zeros & -zeros) - 1;
    }
    const hash = (key ^ (word * 0x9e3779b1)) * 0x85ebca6b;
    return LAYOUT_SLOTS + <usize>((hash >> 22) & (LAYOUT_SLOTS_COUNT - 1)) * SLOT_SIZE;
  }

  /** The layout to try for the struct at `p`, or 0. Makes one when enough structs of that beginning have come by. */
  @inline
  static at(slot: usize, p: usize, end: usize): usize {
    const layout = <usize>load<u32>(slot);
    return layout > DEAD ? layout : layout == DEAD ? 0 : Layouts.warm(slot, p, end);
  }

  /** Has no layout been found for structs of this beginning? */
  @inline
  static none(slot: usize): bool {
    return load<u32>(slot) <= <u32>DEAD && load<u32>(slot, MADE) > 1;
  }

  private static warm(slot: usize, p: usize, end: usize): usize {
    const seen = load<u32>(slot, SEEN) + 1;
    store<u32>(slot, seen, SEEN);
    // The 8th, the 16th, the 32nd, ... are tried.
    if (seen < PATIENCE || seen & (seen - 1)) return 0;
    if (load<u32>(slot, MADE) >= ATTEMPTS) {
      store<u32>(slot, <u32>DEAD);
      return 0;
    }
    store<u32>(slot, load<u32>(slot, MADE) + 1, MADE);
    return Layouts.make(slot, p, end, 0);
  }

  /** Are the constructors of the layout's instances those of this file? */
  @inline
  static fits(layout: usize): bool {
    return !(load<u32>(layout, FLAGS) & HAS_INSTANCES) || load<u32>(layout, CHECKED) == call || Layouts.check(layout);
  }

  private static check(layout: usize): bool {
    let node = layout + HEAD;
    for (let i = load<u32>(layout, NODE_COUNT); i > 0; i--, node += NODE_SIZE) {
      if (load<u32>(node, TYPE) == LAYOUT_INSTANCE && Constructors.known(load<u32>(node, INDEX)) != load<u32>(node, CONSTRUCTOR) + 1) {
        cut = false;
        return false;
      }
    }
    store<u32>(layout, call, CHECKED);
    return true;
  }

  /** The struct at `p` did not fit the layout of its slot, though it was all there. */
  static missed(slot: usize, p: usize, end: usize): void {
    const layout = <usize>load<u32>(slot);
    const misses = load<u32>(layout, MISSES) + 1;
    store<u32>(layout, misses, MISSES);
    const hits = load<u32>(layout, HITS);
    if (misses < PATIENCE || misses * 8 < hits) return;
    if (load<u32>(slot, MADE) < ATTEMPTS) {
      store<u32>(slot, load<u32>(slot, MADE) + 1, MADE);
      if (Layouts.make(slot, p, end, layout)) return;
    }
    // No layout fits this one. What the old one is worth shows in its hits.
    if (misses < ENOUGH) return;
    if (load<i32>(slot, NESTS) >= NESTS_ENOUGH || misses > hits * 2) store<u32>(slot, <u32>DEAD);
    store<u32>(layout, 0, MISSES);
    store<u32>(layout, 0, HITS);
  }

  // ---- matching ----

  /** Reads the struct at `p`, which has the number `number`, into a row of slots at `out`; returns the address behind it, or 0. */
  static match(layout: usize, p: usize, end: usize, out: usize, number: u32): usize {
    first = number;
    let at = <usize>load<u32>(layout, CODE) - 16;
    let template = <usize>load<u32>(layout, TEMPLATES);
    let strings: u32 = 0;
    cut = true;
    while (true) {
      at += 16;
      const length = <usize>load<u32>(at, 4);
      if (p + length > end) return 0;
      const word = <usize>load<u32>(at, 12);
      const next = template + (word & 0xffff);
      if (!Layouts.same(p, template, next, out)) {
        cut = false;
        return 0;
      }
      template = next;
      p += length;
      out += word >> 16;
      const node = <usize>load<u32>(at, 8);
      switch (load<u32>(at)) {
        case WORDS: {
          p = Strings.read(p, end, node + SITE);
          if (!p) return 0;
          Slots.box(out, BOX_TABLE, stringId);
          break;
        }
        case ELEMENTS: {
          if (p + 3 > end) return 0;
          const length = <u32>load<u16>(p, 0, 1);
          const element = <u32>load<u8>(p, 2);
          Slots.box(out, 0, length);
          out += 8;
          if (length == 0) p += 2;
          else if (length == 0xffff) {
            cut = false;
            return 0;
          } else if (element == F64) {
            p += 3;
            if ((<usize>length) << 3 > end - p) return 0;
            store<u32>(out - 8, Numbers.block(p, F64, length, out) ? 1 : 2, 4);
            out = blockEnd;
            p += (<usize>length) << 3;
          } else if (element == STRING || element == CODES) {
            p += 3;
            strings += length;
            if (strings > MAX_STRINGS) {
              cut = false;
              return 0;
            }
            store<u32>(out - 8, element == STRING ? 3 : 4, 4);
            for (let i: u32 = 0; i < length; i++, out += 8) {
              if (element == CODES) p = Layouts.tagged(p, end, out, node);
              else if (p < end) {
                p = Strings.next(p, end, node + SITE);
                Slots.box(out, BOX_TABLE, stringId);
              } else return 0;
              if (!p) return 0;
            }
          } else {
            cut = false;
            return 0;
          }
          continue;
        }
        case TAGGED: {
          p = Layouts.tagged(p, end, out, node);
          if (!p) return 0;
          break;
        }
        default: {
          rowEnd = out;
          store<u32>(layout, load<u32>(layout, HITS) + 1, HITS);
          return p;
        }
      }
      out += 8;
    }
  }

  /** Do the bytes at `p` equal the template up to `end`, where its masks say so? They are copied to `out`, in blocks of 16. */
  @inline
  private static same(p: usize, template: usize, end: usize, out: usize): bool {
    if (ASC_FEATURE_SIMD) {
      let differing = i32x4.splat(0);
      for (; template < end; template += 32, p += 16, out += 16) {
        const block = v128.load(p, 0, 1);
        v128.store(out, block);
        differing = v128.or(differing, v128.and(v128.xor(block, v128.load(template)), v128.load(template, 16)));
      }
      return !v128.any_true(differing);
    } else {
      for (; template < end; template += 32, p += 16, out += 16) {
        let differing: u32 = 0;
        for (let i: usize = 0; i < 16; i += 4) {
          const word = load<u32>(p + i, 0, 1);
          store<u32>(out + i, word);
          differing |= (word ^ load<u32>(template + i)) & load<u32>(template + i, 16);
        }
        if (differing) return false;
      }
      return true;
    }
  }

  /** A value with its code before it, whatever simple datatype it has; the address behind it, or 0. */
  private static tagged(p: usize, end: usize, out: usize, node: usize): usize {
    if (p >= end) return 0;
    const datatype = Layouts.datatype(load<u8>(p));
    p++;
    if (datatype == STRING || datatype == TEXT) {
      if (p >= end) return 0;
      const next = Strings.next(p, end, node + SITE);
      if (next) {
        Slots.table(out, node, stringId);
      }
      return next;
    }
    if (datatype == UNDEFINED) {
      Slots.table(out, node, 0);
      return p;
    }
    if (datatype == BOOL) {
      if (p >= end) return 0;
      Slots.table(out, node, load<u8>(p) == 1 ? 2 : 1);
      return p + 1;
    }
    if (datatype == STRUCT_CODE || datatype == ARRAY_CODE) return Layouts.reference(p, end, out, node);
    if (datatype == 0 || datatype > F64) {
      cut = false;
      return 0;
    }
    const next = p + Numbers.size(datatype);
    if (next > end) return 0;
    Slots.number(out, node, Numbers.read(p, datatype));
    return next;
  }

  /** A reference to a container that was there before this row, and is whole or an instance or an array. */
  private static reference(p: usize, end: usize, out: usize, node: usize): usize {
    if (p + 4 > end) return 0;
    const target = <u32>load<u16>(p, 2, 1);
    if (load<u16>(p, 0, 1) != 0xffff || target >= first || load<u32>(OPEN_STRUCTS + ((<usize>target) << 2))) {
      cut = false;
      return 0;
    }
    Shapes.mark(node, KIND_REFERENCE);
    Slots.box(out, BOX_REFERENCE, target);
    return p + 4;
  }

  /** The datatype of a code byte, as {@link Reader} has it, in the releases that have layouts. */
  @inline
  static datatype(byte: u32): u32 {
    if (byte <= TEXT) return byte;
    return byte - CODES < 4 ? ANY + (byte - CODES) : 0;
  }

  // ---- making ----

  /** A layout for structs like the one at `p`; 0 when there is none. */
  private static make(slot: usize, p: usize, end: usize, replaced: usize): usize {
    nodes = 0;
    code = 0;
    text = 0;
    segmentLength = 0;
    segmentValue = 0;
    containers = 0;
    levels = 0;
    flags = 0;
    earlier = replaced;
    limit = end;
    first = 0xffffffff;
    memory.fill(S_NODES, 0, <usize>MAX_NODES * NODE_SIZE);
    memory.fill(S_TEXT, 0, <usize>MAX_TEXT * 2);
    const root = Layouts.node(0, STRUCT_CODE);
    if (!Layouts.struct(p, root, 1)) return 0;
    Layouts.emit(END, root);
    const templates = HEAD + <usize>nodes * NODE_SIZE + ((<usize>code) << 4);
    const bytes = templates + ((<usize>text) << 1);
    if (top + bytes > LAYOUTS + LAYOUTS_SIZE) return 0;
    const layout = top;
    top += bytes;
    const codeAt = layout + HEAD + <usize>nodes * NODE_SIZE;
    memory.fill(layout, 0, HEAD);
    store<u32>(layout, <u32>(layout + templates), TEMPLATES);
    store<u32>(layout, <u32>codeAt, CODE);
    store<u32>(layout, nodes, NODE_COUNT);
    store<u32>(layout, containers, CONTAINERS_PER_ROW);
    store<u32>(layout, levels, LEVELS);
    store<u32>(layout, flags, FLAGS);
    store<u32>(layout, call, CHECKED);
    memory.copy(layout + HEAD, S_NODES, <usize>nodes * NODE_SIZE);
    memory.copy(codeAt, S_CODE, (<usize>code) << 4);
    memory.copy(layout + templates, S_TEXT, (<usize>text) << 1);
    // Addresses instead of offsets.
    for (let at = codeAt; at < layout + templates; at += 16) store<u32>(at, <u32>(layout + HEAD) + load<u32>(at, 8), 8);
    store<u32>(slot, <u32>layout);
    return layout;
  }

  private static node(name: u32, tag: u32): usize {
    const node = S_NODES + <usize>nodes * NODE_SIZE;
    nodes++;
    store<u32>(node, name, NAME_ID);
    store<u32>(node, tag, TAG);
    return node;
  }

  /** An instruction for a node, and with it the end of the segment before that. */
  private static emit(instruction: u32, node: usize): void {
    const at = S_CODE + ((<usize>code) << 4);
    const blocks = (segmentLength + 15) >> 4;
    code++;
    store<u32>(at, instruction);
    store<u32>(at, segmentLength, 4);
    store<u32>(at, <u32>(node - S_NODES), 8);
    store<u32>(at, blocks << 5, 12);
    if (segmentValue) {
      store<u16>(at, <u16>(blocks << 4), 14);
      store<u32>(segmentValue, blocks << 1, ROOM);
    }
    text += blocks << 4;
    segmentLength = 0;
    segmentValue = 0;
  }

  /** An instruction that fills the slot of a node. */
  private static value(instruction: u32, type: u32, node: usize): void {
    store<u32>(node, type, TYPE);
    Layouts.emit(instruction, node);
  }

  /** `count` bytes of the template; `fixed`: they are always the same. Returns the address behind them, 0 when there is no more room. */
  private static put(p: usize, count: u32, fixed: bool): usize {
    if (p + count > limit) return 0;
    if (text + segmentLength + count + 16 > MAX_TEXT) return 0;
    if (fixed) {
      for (let i: u32 = 0; i < count; i++) {
        const k = text + segmentLength + i;
        const at = S_TEXT + <usize>(((k >> 4) << 5) + (k & 15));
        store<u8>(at, load<u8>(p + i));
        store<u8>(at, 255, 16);
      }
    }
    segmentLength += count;
    return p + count;
  }

  /** Room for one more member and its instructions, and for the strings that reading it adds to the chunk. */
  private static room(): bool {
    return nodes < MAX_NODES && code + 8 < MAX_CODE && !Strings.full();
  }

  /** A struct at its count; all functions that follow return the address behind what they have taken, or 0. */
  private static struct(p: usize, node: usize, level: u32): usize {
    const count = <u32>load<u16>(p, 0, 1);
    if (count == 0xffff || level > DEEPEST) return 0;
    containers++;
    if (level > levels) levels = level;
    if (count == 0xfffe) return Layouts.instance(p, node, level);
    store<u32>(node, LAYOUT_STRUCT, TYPE);
    store<u32>(node, count, COUNT);
    p = Layouts.put(p, 2, true);
    return p ? Layouts.members(p, count, level) : 0;
  }

  private static instance(p: usize, node: usize, level: u32): usize {
    const index = <u32>load<u16>(p, 2, 1);
    const known = Constructors.known(index);
    if (!known) return 0;
    const byte = <u32>load<u8>(p, 4);
    const word = <u32>load<u16>(p, 5, 1);
    flags |= HAS_INSTANCES;
    store<u32>(node, LAYOUT_INSTANCE, TYPE);
    store<u32>(node, known - 1, CONSTRUCTOR);
    store<u32>(node, byte, VERSION);
    store<u32>(node, index, INDEX);
    p = Layouts.put(p, 7, true);
    if (!p) return 0;
    if (byte >= 128) {
      store<u32>(node, word, COUNT);
      return Layouts.members(p, word, level);
    }
    // The word is the skip list's end.
    const program = word == 0 ? Constructors.program(known - 1, byte) : 0;
    if (!program) return 0;
    const fields = load<u32>(program, PROGRAM_FIELDS);
    store<u32>(node, fields, COUNT);
    let field = program + PROGRAM_HEAD;
    for (let i: u32 = 0; i < fields; i++, field += NODE_SIZE) {
      if (!Layouts.room()) return 0;
      const datatype = load<u32>(field, PARENT);
      const name = load<u32>(field, NAME_ID);
      if (datatype == ANY) p = Layouts.member(p, name, level);
      else p = Layouts.payload(p, datatype, Layouts.node(name, datatype), level, false);
      if (!p) return 0;
    }
    return p;
  }

  private static members(p: usize, count: u32, level: u32): usize {
    for (let i: u32 = 0; i < count; i++) {
      if (!Layouts.room()) return 0;
      const stop = Text.end(p);
      if (stop >= limit) return 0;
      const length = <u32>(stop - p);
      const entry = length < LONGEST_NAME ? Strings.name(p, length) : 0;
      if (!entry) return 0;
      p = Layouts.put(p, length + 1, true);
      if (p) p = Layouts.member(p, load<u32>(entry, 12), level);
      if (!p) return 0;
    }
    return p;
  }

  /** A value with its code before it. */
  private static member(p: usize, name: u32, level: u32): usize {
    if (p >= limit) return 0;
    const tag = <u32>load<u8>(p);
    const node = Layouts.node(name, tag);
    if (earlier) {
      const before = earlier + HEAD + (node - S_NODES);
      if (nodes > load<u32>(earlier, NODE_COUNT) || load<u32>(before, NAME_ID) != name) earlier = 0;
      else if (load<u32>(before, TYPE) == LAYOUT_ANY || load<u32>(before, TAG) != tag) return Layouts.any(p, node);
    }
    const datatype = Layouts.datatype(tag);
    if ((datatype == STRUCT_CODE || datatype == ARRAY_CODE) && load<u16>(p, 1, 1) == 0xffff) return Layouts.any(p, node);
    p = Layouts.put(p, 1, true);
    return p ? Layouts.payload(p, datatype, node, level, true) : 0;
  }

  /** A member of any datatype. */
  private static any(p: usize, node: usize): usize {
    Layouts.value(TAGGED, LAYOUT_ANY, node);
    flags |= HAS_TAGGED_NUMBERS;
    // Only its end is asked for; the slot is given to nobody.
    return Layouts.tagged(p, limit, S_TEXT - 8, node);
  }

  private static payload(p: usize, datatype: u32, node: usize, level: u32, tagged: bool): usize {
    if ((datatype >= U8 && datatype <= BOOL) || datatype == U64) {
      if (tagged && datatype < F64) flags |= HAS_TAGGED_NUMBERS;
      const size = Numbers.size(datatype);
      const next = Layouts.put(p, size, false);
      store<u32>(node, LAYOUT_FIXED, TYPE);
      store<u32>(node, segmentLength - size, PLACE);
      if (!segmentValue) segmentValue = node;
      return next;
    }
    if (datatype == STRING || datatype == TEXT) {
      Layouts.value(WORDS, LAYOUT_TABLE, node);
      const stop = Text.end(p);
      return stop < limit ? stop + 1 : 0;
    }
    if (datatype == UNDEFINED || (datatype == 0 && !tagged)) {
      store<u32>(node, LAYOUT_NOTHING, TYPE);
      return p;
    }
    if (datatype == STRUCT_CODE) return Layouts.struct(p, node, level + 1);
    if (datatype == ARRAY_CODE) return Layouts.array(p, node, level + 1);
    return 0;
  }

  private static array(p: usize, node: usize, level: u32): usize {
    if (level > levels) levels = level;
    containers++;
    // Their elements may be of any datatype.
    flags |= HAS_ARRAYS | HAS_TAGGED_NUMBERS;
    Layouts.value(ELEMENTS, LAYOUT_ARRAY, node);
    if (p + 3 > limit) return 0;
    const length = <u32>load<u16>(p, 0, 1);
    if (length == 0) return p + 2;
    const element = <u32>load<u8>(p, 2);
    if (length == 0xffff || (element != F64 && element != STRING && element != CODES)) return 0;
    p += 3;
    if (element == F64) p += (<usize>length) << 3;
    else if (element == CODES) {
      if (length > MAX_NODES) return 0;
      // Only its end is asked for; the slots are given to nobody.
      for (let i: u32 = 0; i < length; i++) {
        p = Layouts.tagged(p, limit, S_TEXT - 8, node);
        if (!p) return 0;
      }
    } else for (let i: u32 = 0; i < length && p < limit; i++) p = Text.end(p) + 1;
    return p > limit ? 0 : p;
  }
}
