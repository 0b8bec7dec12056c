// A layout is made from the bytes of an example.
import { Constructors, PROGRAM_FIELDS, PROGRAM_HEAD } from "../constructors";
import { LAYOUT_SCRATCH, LAYOUTS, LAYOUTS_SIZE, NODE_SIZE } from "../memory";
import { ANY, ARRAY_CODE, BOOL, F64, Numbers, STRING, STRUCT_CODE, TEXT, U8, U64, UNDEFINED } from "../numbers";
import {
  LAYOUT_ANY,
  LAYOUT_ARRAY,
  LAYOUT_FIXED,
  LAYOUT_HELD,
  LAYOUT_INSTANCE,
  LAYOUT_NOTHING,
  LAYOUT_ROWS,
  LAYOUT_STRUCT,
  LAYOUT_TABLE,
  LAYOUT_VARIED,
} from "../ops";
import { NAME_ID, PARENT } from "../shapes";
import { Strings } from "../strings";
import { Text } from "../text";
import { Rows, STRUCTS } from "./rows";
import { Varied } from "./varied";
import {
  AGAIN,
  BODY,
  CHECKED,
  CODE,
  CODES,
  CONSTRUCTOR,
  CONTAINERS_PER_ROW,
  COUNT,
  EACH,
  ELEMENT,
  ELEMENTS,
  END,
  FLAGS,
  HAS_ARRAYS,
  HAS_INSTANCES,
  HAS_TAGGED_NUMBERS,
  HEAD,
  HELD,
  INDEX,
  INSIDE,
  LEVEL,
  LEVELS,
  NODE_COUNT,
  PLACE,
  ROOM,
  ROWS,
  SLOTS,
  SLOTS_PER_ROW,
  TAG,
  TAGGED,
  TEMPLATES,
  TYPE,
  VARIED,
  VERSION,
  WORDS,
  WORTH,
  WORTH_A_TRY,
} from "./words";

/** Levels of one layout. */
const DEEPEST: u32 = 8;
/** Longer names are not what comes again and again. */
const LONGEST_NAME: u32 = 128;
/** Members by which one tells that a struct is like another one, and bytes of their names and texts. */
const MOST_LIKE: u32 = 8;
const LONGEST_LIKE: usize = 32;
/** Nodes, instructions and bytes of templates: larger structs have no layout. */
const MAX_NODES: u32 = 96;
const MAX_CODE: u32 = 256;
const MAX_TEXT: u32 = 8192;

/**
 * Nanoseconds that JavaScript takes less for values of which a layout says only where they stand (values of any kind, structs with layouts of their own), and
 * more for others, as measured (docs/performance.md). Rows for which it takes so much less are left to it.
 */
const BY_ANY: i32 = 16;
const BY_HELD: i32 = 20;
const FOR_TEXT: i32 = 10;
const FOR_NUMBER: i32 = 3;
const FOR_INSTANCE: i32 = 6;
const FOR_ARRAY: i32 = 40;
const LEAST_GAIN: i32 = 8;

/** Where they are put together. */
const S_NODES: usize = LAYOUT_SCRATCH;
const S_CODE: usize = S_NODES + <usize>MAX_NODES * NODE_SIZE;
const S_TEXT: usize = S_CODE + <usize>MAX_CODE * 16;
/** Where the structs around begin, by level. */
const S_AROUND: usize = S_TEXT + <usize>MAX_TEXT * 2;

export class LayoutMaker {
  /** Behind the last layout. */
  static top: usize = LAYOUTS;
  /** Counts reads: in which a layout's constructors were last found to be those of the file. */
  static reads: u32 = 0;

  // ---- of the layout that is being made ----
  /** Behind the window of its example. */
  private static limit: usize = 0;
  /** Numbers of its nodes and instructions, and bytes of its templates, so far. */
  private static nodes: u32 = 0;
  private static code: u32 = 0;
  private static text: u32 = 0;
  /** Bytes of the segment that has no instruction yet. */
  private static segmentLength: u32 = 0;
  /** Its first value of fixed length. */
  private static segmentValue: usize = 0;
  private static containers: u32 = 0;
  private static levels: u32 = 0;
  private static flags: u32 = 0;
  /** Values of a row that have a slot. */
  private static slots: u32 = 0;
  /** Nanoseconds that JavaScript would take less for such a struct, and for what the example holds. */
  private static gain: i32 = 0;
  /** The layout that this one is to replace: members whose datatype differs become ones of any datatype. 0 where that one knows nothing. */
  private static earlier: usize = 0;
  /** Its node that comes next. */
  private static before: usize = 0;

  /** A layout for structs like the one at `p`; `replaced`: one for those that it fits, too, or 0. Returns 0 when there is none. */
  static make(p: usize, end: usize, replaced: usize): usize {
    LayoutMaker.nodes = 0;
    LayoutMaker.code = 0;
    LayoutMaker.text = 0;
    LayoutMaker.segmentLength = 0;
    LayoutMaker.segmentValue = 0;
    LayoutMaker.containers = 0;
    LayoutMaker.levels = 0;
    LayoutMaker.flags = 0;
    LayoutMaker.slots = 0;
    LayoutMaker.gain = 0;
    LayoutMaker.earlier = replaced;
    LayoutMaker.before = replaced + HEAD;
    LayoutMaker.limit = end;
    Rows.known = 0xffffffff;
    memory.fill(S_NODES, 0, <usize>MAX_NODES * NODE_SIZE);
    memory.fill(S_TEXT, 0, <usize>MAX_TEXT * 2);
    const root = LayoutMaker.node(0, STRUCT_CODE);
    if (!LayoutMaker.struct(p, root, 1)) return 0;
    if (replaced && LayoutMaker.before != <usize>load<u32>(replaced, CODE)) return 0;
    LayoutMaker.emit(END, root);
    const templates = HEAD + <usize>LayoutMaker.nodes * NODE_SIZE + ((<usize>LayoutMaker.code) << 4);
    const bytes = templates + ((<usize>LayoutMaker.text) << 1);
    if (LayoutMaker.top + bytes > LAYOUTS + LAYOUTS_SIZE) return 0;
    const layout = LayoutMaker.top;
    LayoutMaker.top += bytes;
    const codeAt = layout + HEAD + <usize>LayoutMaker.nodes * NODE_SIZE;
    memory.fill(layout, 0, HEAD);
    store<u32>(layout, <u32>(layout + templates), TEMPLATES);
    store<u32>(layout, <u32>codeAt, CODE);
    store<u32>(layout, LayoutMaker.nodes, NODE_COUNT);
    store<u32>(layout, LayoutMaker.containers, CONTAINERS_PER_ROW);
    store<u32>(layout, LayoutMaker.levels, LEVELS);
    store<u32>(layout, LayoutMaker.flags, FLAGS);
    store<u32>(layout, LayoutMaker.slots, SLOTS_PER_ROW);
    store<u32>(layout, LayoutMaker.reads, CHECKED);
    if (LayoutMaker.gain > LEAST_GAIN) store<i32>(layout, WORTH_A_TRY, WORTH);
    memory.copy(layout + HEAD, S_NODES, <usize>LayoutMaker.nodes * NODE_SIZE);
    memory.copy(codeAt, S_CODE, (<usize>LayoutMaker.code) << 4);
    memory.copy(layout + templates, S_TEXT, (<usize>LayoutMaker.text) << 1);
    // Addresses instead of offsets.
    for (let at = codeAt; at < layout + templates; at += 16) store<u32>(at, <u32>(layout + HEAD) + load<u32>(at, 8), 8);
    return layout;
  }

  private static node(name: u32, tag: u32): usize {
    const node = S_NODES + <usize>LayoutMaker.nodes * NODE_SIZE;
    LayoutMaker.nodes++;
    LayoutMaker.before += NODE_SIZE;
    store<u32>(node, name, NAME_ID);
    store<u32>(node, tag, TAG);
    return node;
  }

  /** An instruction for a node, and with it the end of the segment before that. */
  private static emit(instruction: u32, node: usize): void {
    const at = S_CODE + ((<usize>LayoutMaker.code) << 4);
    const blocks = (LayoutMaker.segmentLength + 15) >> 4;
    LayoutMaker.code++;
    store<u32>(at, instruction);
    store<u32>(at, LayoutMaker.segmentLength, 4);
    store<u32>(at, <u32>(node - S_NODES), 8);
    store<u32>(at, blocks << 5, 12);
    if (LayoutMaker.segmentValue) {
      store<u16>(at, <u16>(blocks << 4), 14);
      store<u32>(LayoutMaker.segmentValue, blocks << 1, ROOM);
    }
    LayoutMaker.text += blocks << 4;
    LayoutMaker.segmentLength = 0;
    LayoutMaker.segmentValue = 0;
  }

  /** An instruction that fills the slot of a node. */
  private static value(instruction: u32, type: u32, node: usize): void {
    store<u32>(node, type, TYPE);
    LayoutMaker.slots++;
    LayoutMaker.emit(instruction, node);
  }

  /** `count` bytes of the template; `fixed`: they are always the same. Returns the address behind them, 0 when there is no more room. */
  private static put(p: usize, count: u32, fixed: bool): usize {
    if (p + count > LayoutMaker.limit) return 0;
    if (LayoutMaker.text + LayoutMaker.segmentLength + count + 16 > MAX_TEXT) return 0;
    if (fixed) {
      for (let i: u32 = 0; i < count; i++) {
        const at = LayoutMaker.at(LayoutMaker.text + LayoutMaker.segmentLength + i);
        store<u8>(at, load<u8>(p + i));
        store<u8>(at, 255, 16);
      }
    }
    LayoutMaker.segmentLength += count;
    return p + count;
  }

  /** Room for one more member and its instructions, and for the strings that reading it adds to the chunk. */
  private static room(): bool {
    return LayoutMaker.nodes < MAX_NODES && LayoutMaker.code + 8 < MAX_CODE && !Strings.full();
  }

  /** A struct at its count; all functions that follow return the address behind what they have taken, or 0. */
  private static struct(p: usize, node: usize, level: u32): usize {
    const count = <u32>load<u16>(p, 0, 1);
    if (count == 0xffff || level > DEEPEST) return 0;
    LayoutMaker.containers++;
    if (level > LayoutMaker.levels) LayoutMaker.levels = level;
    store<u32>(S_AROUND + ((<usize>level) << 2), <u32>p);
    if (count == 0xfffe) return LayoutMaker.instance(p, node, level);
    store<u32>(node, LAYOUT_STRUCT, TYPE);
    store<u32>(node, count, COUNT);
    p = LayoutMaker.like(node) ? LayoutMaker.put(p, 2, true) : 0;
    return p ? LayoutMaker.members(p, count, level) : 0;
  }

  /** Is the struct of the earlier layout that stands where this one does of the same class and version, with as many members? */
  private static like(node: usize): bool {
    if (!LayoutMaker.earlier) return true;
    const before = LayoutMaker.before - NODE_SIZE;
    return (
      load<u32>(before, TYPE) == load<u32>(node, TYPE) &&
      load<u32>(before, COUNT) == load<u32>(node, COUNT) &&
      load<u32>(before, CONSTRUCTOR) == load<u32>(node, CONSTRUCTOR) &&
      load<u32>(before, VERSION) == load<u32>(node, VERSION)
    );
  }

  private static instance(p: usize, node: usize, level: u32): usize {
    const index = <u32>load<u16>(p, 2, 1);
    const known = Constructors.known(index);
    if (!known) return 0;
    const byte = <u32>load<u8>(p, 4);
    const word = <u32>load<u16>(p, 5, 1);
    LayoutMaker.flags |= HAS_INSTANCES;
    LayoutMaker.gain -= FOR_INSTANCE;
    store<u32>(node, LAYOUT_INSTANCE, TYPE);
    store<u32>(node, known - 1, CONSTRUCTOR);
    store<u32>(node, byte, VERSION);
    store<u32>(node, index, INDEX);
    p = LayoutMaker.put(p, 7, true);
    if (!p) return 0;
    if (byte >= 128) {
      store<u32>(node, word, COUNT);
      return LayoutMaker.like(node) ? LayoutMaker.members(p, word, level) : 0;
    }
    // The word is the skip list's end.
    const program = word == 0 ? Constructors.program(known - 1, byte) : 0;
    if (!program) return 0;
    const fields = load<u32>(program, PROGRAM_FIELDS);
    store<u32>(node, fields, COUNT);
    if (!LayoutMaker.like(node)) return 0;
    let field = program + PROGRAM_HEAD;
    for (let i: u32 = 0; i < fields; i++, field += NODE_SIZE) {
      if (!LayoutMaker.room()) return 0;
      const datatype = load<u32>(field, PARENT);
      const name = load<u32>(field, NAME_ID);
      if (datatype == ANY) p = LayoutMaker.member(p, name, level);
      else p = LayoutMaker.payload(p, datatype, LayoutMaker.node(name, datatype), level, false);
      if (!p) return 0;
    }
    return p;
  }

  private static members(p: usize, count: u32, level: u32): usize {
    for (let i: u32 = 0; i < count; i++) {
      if (!LayoutMaker.room()) return 0;
      const stop = Text.end(p);
      if (stop >= LayoutMaker.limit) return 0;
      const length = <u32>(stop - p);
      const entry = length < LONGEST_NAME ? Strings.name(p, length) : 0;
      if (!entry) return 0;
      p = LayoutMaker.put(p, length + 1, true);
      if (p) p = LayoutMaker.member(p, load<u32>(entry, 12), level);
      if (!p) return 0;
    }
    return p;
  }

  /** A value with its code before it. */
  private static member(p: usize, name: u32, level: u32): usize {
    if (p >= LayoutMaker.limit) return 0;
    const tag = <u32>load<u8>(p);
    const before = LayoutMaker.before;
    const node = LayoutMaker.node(name, tag);
    const datatype = Rows.datatype(tag);
    const refers = (datatype == STRUCT_CODE || datatype == ARRAY_CODE) && load<u16>(p, 1, 1) == 0xffff;
    const earlier = LayoutMaker.earlier;
    if (earlier) {
      if (before >= <usize>load<u32>(earlier, CODE) || load<u32>(before, NAME_ID) != name) return 0;
      const type = load<u32>(before, TYPE);
      if (refers || type == LAYOUT_ANY || type == LAYOUT_HELD || load<u32>(before, TAG) != tag) {
        if (type == LAYOUT_ROWS || type == LAYOUT_VARIED || (!refers && (type == LAYOUT_ARRAY || datatype == ARRAY_CODE))) return 0;
        return type <= LAYOUT_INSTANCE || type == LAYOUT_HELD || (datatype == STRUCT_CODE && !refers)
          ? LayoutMaker.held(p, node, level, before)
          : LayoutMaker.any(p, node);
      }
    }
    if (refers) return LayoutMaker.any(p, node);
    const nodes = LayoutMaker.nodes;
    const code = LayoutMaker.code;
    const text = LayoutMaker.text;
    const length = LayoutMaker.segmentLength;
    const value = LayoutMaker.segmentValue;
    const containers = LayoutMaker.containers;
    const slots = LayoutMaker.slots;
    const gain = LayoutMaker.gain;
    let next = LayoutMaker.put(p, 1, true);
    if (next) next = LayoutMaker.payload(next, datatype, node, level, true);
    if (next || !earlier || datatype != STRUCT_CODE) return next;
    // A struct of another form than the earlier one's.
    LayoutMaker.drop(nodes, code, text, length);
    LayoutMaker.segmentValue = value;
    LayoutMaker.containers = containers;
    LayoutMaker.slots = slots;
    LayoutMaker.gain = gain;
    LayoutMaker.earlier = earlier;
    return LayoutMaker.held(p, node, level, before);
  }

  /** A member that is a struct with a layout of its own or any other value, which was the node `before` in the earlier layout. */
  private static held(p: usize, node: usize, level: u32, before: usize): usize {
    LayoutMaker.value(HELD, LAYOUT_HELD, node);
    LayoutMaker.gain += BY_HELD;
    LayoutMaker.flags |= HAS_TAGGED_NUMBERS;
    store<u32>(node, level, LEVEL);
    LayoutMaker.before = LayoutMaker.behind(before);
    return Varied.holds(p) ? LayoutMaker.skip(p + 1, level) : LayoutMaker.simple(p, node);
  }

  /** The node behind all those that belong to this one. */
  private static behind(node: usize): usize {
    const type = load<u32>(node, TYPE);
    let next = node + NODE_SIZE;
    if (type == LAYOUT_ROWS) next += <usize>load<u32>(node, INSIDE) * NODE_SIZE;
    else if (type <= LAYOUT_INSTANCE) for (let i = load<u32>(node, COUNT); i > 0; i--) next = LayoutMaker.behind(next);
    return next;
  }

  /** A member of any datatype. */
  private static any(p: usize, node: usize): usize {
    LayoutMaker.value(TAGGED, LAYOUT_ANY, node);
    LayoutMaker.gain += BY_ANY;
    LayoutMaker.flags |= HAS_TAGGED_NUMBERS;
    return LayoutMaker.simple(p, node);
  }

  /** The end of a value with its code before it that is no container; what it becomes is given to nobody. */
  private static simple(p: usize, node: usize): usize {
    return Rows.tagged(p, LayoutMaker.limit, S_TEXT - 8, node);
  }

  private static payload(p: usize, datatype: u32, node: usize, level: u32, tagged: bool): usize {
    if ((datatype >= U8 && datatype <= BOOL) || datatype == U64) {
      if (tagged && datatype < F64) LayoutMaker.flags |= HAS_TAGGED_NUMBERS;
      const size = Numbers.size(datatype);
      LayoutMaker.gain -= FOR_NUMBER;
      const next = LayoutMaker.put(p, size, false);
      store<u32>(node, LAYOUT_FIXED, TYPE);
      store<u32>(node, LayoutMaker.segmentLength - size, PLACE);
      if (!LayoutMaker.segmentValue) LayoutMaker.segmentValue = node;
      return next;
    }
    if (datatype == STRING || datatype == TEXT) {
      LayoutMaker.value(WORDS, LAYOUT_TABLE, node);
      LayoutMaker.gain -= FOR_TEXT;
      const stop = Text.end(p);
      return stop < LayoutMaker.limit ? stop + 1 : 0;
    }
    if (datatype == UNDEFINED || (datatype == 0 && !tagged)) {
      store<u32>(node, LAYOUT_NOTHING, TYPE);
      return p;
    }
    if (datatype == STRUCT_CODE) return LayoutMaker.struct(p, node, level + 1);
    if (datatype == ARRAY_CODE) return LayoutMaker.array(p, node, level + 1);
    return 0;
  }

  private static array(p: usize, node: usize, level: u32): usize {
    if (level > LayoutMaker.levels) LayoutMaker.levels = level;
    store<u32>(S_AROUND + ((<usize>level) << 2), 0);
    LayoutMaker.containers++;
    LayoutMaker.gain -= FOR_ARRAY;
    if (p + 3 > LayoutMaker.limit) return 0;
    const length = <u32>load<u16>(p, 0, 1);
    const element = <u32>load<u8>(p, 2);
    // What an earlier example has had.
    const earlier = LayoutMaker.earlier ? LayoutMaker.before - NODE_SIZE : 0;
    const type = earlier ? load<u32>(earlier, TYPE) : LAYOUT_ARRAY;
    if (length && element == STRUCTS) return LayoutMaker.rows(p, length, node, level, earlier);
    if (type == LAYOUT_ROWS || (length && type == LAYOUT_VARIED)) return 0;
    // Their elements may be of any datatype.
    LayoutMaker.flags |= HAS_ARRAYS | HAS_TAGGED_NUMBERS;
    LayoutMaker.value(ELEMENTS, LAYOUT_ARRAY, node);
    if (type == LAYOUT_VARIED) LayoutMaker.varied(node, level);
    if (length == 0) return p + 2;
    if (length == 0xffff || (element != F64 && element != STRING && element != BOOL && element != CODES)) return 0;
    p += 3;
    if (element == F64) p += (<usize>length) << 3;
    else if (element == BOOL) p += <usize>length;
    else if (element == CODES) {
      if (length > MAX_NODES) return 0;
      for (let i: u32 = 0; i < length; i++) {
        p = LayoutMaker.simple(p, node);
        if (!p) return 0;
      }
    } else for (let i: u32 = 0; i < length && p < LayoutMaker.limit; i++) p = Text.end(p) + 1;
    return p > LayoutMaker.limit ? 0 : p;
  }

  /**
   * An array of structs at its length: all like one of them, the first one, or the one that did not fit where an earlier layout has tried; there it is the node `earlier`. Where that one
   * is of another form, each has a layout of its own. Structs that hold their like, in whatever depth, have no layout.
   */
  private static rows(p: usize, length: u32, node: usize, level: u32, earlier: usize): usize {
    if (length == 0xffff) return 0;
    p += 3;
    for (let i: u32 = 1; i < level; i++) {
      const around = <usize>load<u32>(S_AROUND + ((<usize>i) << 2));
      if (around && LayoutMaker.repeats(around, p)) return 0;
    }
    LayoutMaker.value(ROWS, LAYOUT_ROWS, node);
    const type = earlier ? load<u32>(earlier, TYPE) : 0;
    const layout = LayoutMaker.earlier;
    const containers = LayoutMaker.containers;
    const slots = LayoutMaker.slots;
    if (type == LAYOUT_VARIED || !LayoutMaker.alike(p, node, level, type == LAYOUT_ROWS ? earlier : 0)) {
      if (!type) return 0;
      LayoutMaker.varied(node, level);
    }
    LayoutMaker.containers = containers;
    LayoutMaker.slots = slots;
    LayoutMaker.earlier = layout;
    if (type) LayoutMaker.before = LayoutMaker.behind(earlier);
    for (let i: u32 = 0; i < length && p; i++) p = LayoutMaker.skip(p, level);
    return p;
  }

  /**
   * Does the struct at `p` begin like the one at `around`, which holds it? It does if it is of the same class, or has as many members, and the same names up to the
   * first one that is a container, or long, in either, or the eighth.
   */
  private static repeats(around: usize, p: usize): bool {
    const count = <u32>load<u16>(p, 0, 1);
    if (count != <u32>load<u16>(around, 0, 1)) return false;
    if (count == 0xfffe) return ((load<u32>(p, 2, 1) ^ load<u32>(around, 2, 1)) & 0xffffff) == 0;
    p += 2;
    around += 2;
    for (let i: u32 = 0; i < count && i < MOST_LIKE; i++) {
      const behind = LayoutMaker.behindText(p);
      const length = <u32>(behind - p);
      const same = LayoutMaker.behindText(around);
      if (!behind || !same) break;
      if (length != <u32>(same - around) || !Text.sameLong(p, around, length)) return false;
      around = LayoutMaker.behindSimple(same);
      p = LayoutMaker.behindSimple(behind);
      if (!around || !p) break;
    }
    return true;
  }

  /** The end of a value with its code at `p`; 0 where it is none that is simple and short, or not there. */
  private static behindSimple(p: usize): usize {
    if (p >= LayoutMaker.limit) return 0;
    const datatype = Rows.datatype(load<u8>(p));
    p++;
    if (datatype == UNDEFINED) return p;
    if (datatype == STRING || datatype == TEXT) return LayoutMaker.behindText(p);
    return datatype == 0 || datatype > U64 ? 0 : p + Numbers.size(datatype);
  }

  /** The address behind a text and its terminator; 0 where it is longer than what is worth the time: it may be asked for again and again. */
  private static behindText(p: usize): usize {
    for (let i: usize = 0; i <= LONGEST_LIKE && p + i < LayoutMaker.limit; i++) if (!load<u8>(p + i)) return p + i + 1;
    return 0;
  }

  /** The array whose instruction came last holds structs that have layouts of their own. */
  private static varied(node: usize, level: u32): void {
    store<u32>(S_CODE + ((<usize>LayoutMaker.code - 1) << 4), VARIED);
    store<u32>(node, LAYOUT_VARIED, TYPE);
    store<u32>(node, level, LEVEL);
  }

  /** The code for structs like the one at `p`, or like the one that did not fit. */
  private static alike(p: usize, node: usize, level: u32, earlier: usize): bool {
    const failed = earlier ? <usize>load<u32>(earlier, ELEMENT) : 0;
    if (!earlier) LayoutMaker.earlier = 0;
    const containers = LayoutMaker.containers;
    const slots = LayoutMaker.slots;
    const nodes = LayoutMaker.nodes;
    const code = LayoutMaker.code;
    const text = LayoutMaker.text;
    if (!LayoutMaker.row(failed > p && failed < LayoutMaker.limit ? failed : p, level)) {
      LayoutMaker.drop(nodes, code, text, 0);
      return false;
    }
    LayoutMaker.emit(AGAIN, node);
    store<u32>(node, LayoutMaker.nodes - nodes, INSIDE);
    store<u32>(node, LayoutMaker.containers - containers, EACH);
    store<u32>(node, LayoutMaker.slots - slots, SLOTS);
    store<u32>(node, ((LayoutMaker.code - code) << 4) | ((LayoutMaker.text - text) << 17), BODY);
    return true;
  }

  private static row(p: usize, level: u32): usize {
    return LayoutMaker.room() ? LayoutMaker.struct(p, LayoutMaker.node(0, STRUCT_CODE), level + 1) : 0;
  }

  /** The end of a struct between two segments; what it becomes is given to nobody. */
  private static skip(p: usize, level: u32): usize {
    const nodes = LayoutMaker.nodes;
    const code = LayoutMaker.code;
    const text = LayoutMaker.text;
    const containers = LayoutMaker.containers;
    const slots = LayoutMaker.slots;
    const earlier = LayoutMaker.earlier;
    const before = LayoutMaker.before;
    LayoutMaker.earlier = 0;
    p = LayoutMaker.row(p, level);
    LayoutMaker.drop(nodes, code, text, 0);
    LayoutMaker.containers = containers;
    LayoutMaker.slots = slots;
    LayoutMaker.earlier = earlier;
    LayoutMaker.before = before;
    return p;
  }

  /** Takes back what has been made since there were so many nodes and instructions, and so much text, and bytes of the segment behind that. */
  private static drop(nodes: u32, code: u32, text: u32, length: u32): void {
    memory.fill(S_NODES + <usize>nodes * NODE_SIZE, 0, <usize>(LayoutMaker.nodes - nodes) * NODE_SIZE);
    for (let k = text + length; k < LayoutMaker.text + LayoutMaker.segmentLength; k++) {
      const at = LayoutMaker.at(k);
      store<u8>(at, 0);
      store<u8>(at, 0, 16);
    }
    LayoutMaker.nodes = nodes;
    LayoutMaker.code = code;
    LayoutMaker.text = text;
    LayoutMaker.segmentLength = length;
    LayoutMaker.segmentValue = 0;
  }

  /** The template's byte `k`; its mask is 16 bytes behind it. */
  @inline
  private static at(k: u32): usize {
    return S_TEXT + <usize>(((k >> 4) << 5) + (k & 15));
  }
}
