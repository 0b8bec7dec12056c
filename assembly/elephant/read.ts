// Reading: bytes of the input window to the op stream. A state machine over an explicit stack of open containers; it stops when its window,
// tape or string chunk is full and goes on with the next call. Every step is done whole or not at all: what lies behind the window's
// end is zeros, so a step may run into it, and is then undone by not moving the cursor. Rules: formats/elephant.md.

import { Constructors, PROGRAM_FIELDS, PROGRAM_HEAD, PROGRAM_SHAPE } from "./constructors";
import {
  CODES,
  CONTAINERS_PER_ROW,
  cut,
  HAS_ARRAYS,
  HAS_TAGGED_NUMBERS,
  FLAGS as LAYOUT_FLAGS,
  Layouts,
  LEVELS,
  NESTS,
  NESTS_ENOUGH,
  rowEnd,
} from "./layouts";
import {
  NESTED,
  NESTED_BYTES,
  NESTED_COUNT,
  NESTED_CURSOR,
  NESTED_DATATYPE,
  NESTED_DEPTH,
  NESTED_FRAME,
  NESTED_FRAMES,
  NESTED_INDEX,
  NESTED_LEVELS,
  NESTED_LIMIT,
  NESTED_MARK,
  NESTED_NUMBER,
  NESTED_UNMARKED,
  NODE_SIZE,
  NODES,
  OPEN_STRUCTS,
  reach,
  STACK,
  TABLE_HELD,
  TABLE_LOCAL,
  TAPE,
  TAPE_SOFT,
  WINDOW,
  WINDOW_SIZE,
} from "./memory";
import { ANY, ARRAY_CODE, BOOL, blockEnd, F64, Numbers, STRING, STRUCT_CODE, TEXT, U8, U64, UNDEFINED } from "./numbers";
import {
  ARRAY,
  ARRAY_F64,
  ARRAY_I32,
  ARRAY_NUMBERS,
  ARRAY_TABLE,
  ARRAY_TYPED,
  ARRAY_UNDEFINED,
  BOX_CHILD,
  BOX_REFERENCE,
  BOX_TABLE,
  CLOSE_ARRAY,
  CLOSE_INSTANCE,
  CLOSE_INSTANCE_PAIRS,
  ELEMENTS,
  ELEMENTS_F64,
  ELEMENTS_I32,
  ELEMENTS_KINDS,
  ERROR_BAD_REFERENCE,
  ERROR_BAD_SKIP_INDEX,
  ERROR_DEPTH,
  ERROR_ELEMENTS,
  ERROR_MEMORY,
  ERROR_STRICT_VERSION_ZERO,
  ERROR_UNKNOWN_DATATYPE,
  EXISTING,
  HOLD,
  KIND_CHILD,
  KIND_REFERENCE,
  KIND_TABLE,
  LAYOUT,
  MATERIALISE,
  OPEN_ARRAY,
  OPEN_INSTANCE,
  ROOT_SCALAR,
  STATUS_CONSTRUCTOR,
  STATUS_DONE,
  STATUS_ERROR,
  STATUS_FLUSH,
  STATUS_INPUT,
  STATUS_LONG_STRING,
  STATUS_NESTED,
  STATUS_SCHEMA,
  STRUCT,
  STRUCT_PAIRS,
  TO_ARRAY,
} from "./ops";
import { LENGTH, NAME_ID, NEXT, OTHER, PARENT, Shapes, SITE } from "./shapes";
import { Slots } from "./slots";
import { Strings, stringId } from "./strings";
import { Text } from "./text";

// ---- frames of the stack ----
const FRAME: usize = 80;
const KIND: usize = 0;
const REMAINING: usize = 4;
/** Trie node reached (structs), field (strict), nothing else. */
const NODE: usize = 8;
const NUMBER: usize = 12;
/** Where this frame's next value slot goes, saved while a child is open. */
const SLOT: usize = 16;
const BELOW: usize = 20;
/** Index in the child list at which it is delivered, and where its own children begin. */
const INDEX: usize = 24;
const FLAGS: usize = 28;
/** Registered constructor. */
const CONSTRUCTOR: usize = 32;
const VERSION: usize = 36;
/** Operation on the tape that may still grow, valid while GENERATION is the tape's. */
const HEADER: usize = 40;
const GENERATION: usize = 44;
/** A string that JavaScript decoded is ready: as the value, or as the name. */
const PENDING: usize = 48;
const DATATYPE: usize = 52;
/** In its place, for structs: {@link balance} when they began. */
const BALANCE: usize = 52;
/** Two u16 string counters of an array. */
const COUNTERS: usize = 56;
const PROGRAM: usize = 60;
/** Slots before this one hold nothing of the current chunk; 0: not looked at yet. */
const HELD: usize = 64;
/** The slot of structs that begin alike (layouts.ts), for those that may be left to JavaScript. */
const MARK: usize = 68;
/** What the containers below claim. */
const OWED: usize = 72;

const PLAIN: u32 = 1;
const VERBOSE: u32 = 2;
const STRICT: u32 = 3;
const NUMBERS: u32 = 4;
const VALUES: u32 = 5;
const CONTAINERS: u32 = 6;
const ROOT: u32 = 7;
const NAMING: u32 = 8;
const VERSIONING: u32 = 9;
const SKIPPING: u32 = 10;
const COUNTING: u32 = 11;

const PAIRS: u32 = 4;

/** What a mark begins with once it is JavaScript's ({@link NESTS}), which adds what it has read, and takes away what took longer. */
const WORTH_A_TRY: u32 = 512 + <u32>NESTS_ENOUGH;

/** Longer names are handed to JavaScript, so that a step without its string fits a window. */
const LONGEST_NAME: u32 = 1 << 15;

/** Arrays of arrays that JavaScript reads: fewer are not worth the call. */
const MANY: u32 = 12;

/** Structs with more members, though they hold others, are read here: names and text take less time than in JavaScript. */
const MOST_NAMES: u32 = 6;

/** Bytes from which on an array of numbers is left in the input: copying them into the window and the tape costs more than it saves. */
const NUMBERS_LEFT: usize = 2048;
/** The same for bools, which take eight times as much of the tape. */
const BOOLS_LEFT: u32 = 128;

/** Values of an array that are sorted by kind: at least, and at most at once (an array that has gaps of 1024 becomes a hash table). */
const FEWEST_BY_KIND: u32 = 64;
const MOST_BY_KIND: u32 = 1000;

/** Not a status: go on with the frame on top. */
const ON: i32 = -1;

// ---- settings of a call ----
let codes: u32 = CODES;
let layout: u32 = 151;
let typedArrays: bool = false;
let exactScalars: bool = false;
/** Is the whole input there, so that JavaScript can read large arrays of numbers from it? */
let leaveNumbers: bool = false;
/** Does this release write what layouts are made of? */
let layouts: bool = false;
/** ... and what JavaScript may read (src/elephant/nested.ts)? */
let nests: bool = false;
let maxDepth: u32 = 0;
let maxNodes: f64 = 0;
let maxEmpty: f64 = 0;
let inputEnd: f64 = 0;

// ---- state ----
let cursor: usize = WINDOW;
let limit: usize = WINDOW;
let base: f64 = 0;
let full: bool = false;
let frame: usize = STACK;
let slot: usize = STACK;
let tape: usize = TAPE;
let depth: u32 = 0;
let number: u32 = 0;
let children: u32 = 0;
let nodeCount: f64 = 0;
let emptyCount: f64 = 0;
/** Bytes that the containers below the top one still claim at the least; what is left of the input has to have them. */
let owed: f64 = 0;
/** Operations for containers that hold others and for rows of layouts, twice, less the containers, so that it grows where operations hold one each. */
let balance: i32 = 0;
let generation: u32 = 0;
let stackEnd: usize = STACK;
/** The operation that the next row or element may join, and the end of it on the tape. */
let joinable: usize = 0;
let joinEnd: usize = 0;
/** Did the last struct join the row before as one of the same layout? */
let layoutJoined: bool = false;
let errorCode: i32 = 0;
let errorAt: usize = 0;
let longId: u32 = 0;
/** Why a step ended early, where what it returns says only that it did. */
let stop: i32 = 0;
/** What {@link Reader.tag} has found: the last code, and its datatype. */
let tagCode: u32 = 0;
let tagDatatype: u32 = 0;
let held: u32 = 0;
/** The field of the container that is left to JavaScript. */
let nestedSite: usize = 0;
/** What a status needs to say. */
let detail: u32 = 0;
let detail2: u32 = 0;

export class Reader {
  static begin(release: u32, firstCode: u32, flags: u32, depthLimit: u32, nodeLimit: f64, emptyLimit: f64, end: f64): void {
    if (Strings.namesFull() || Shapes.full() || Layouts.full()) {
      Strings.forgetNames();
      Shapes.forget();
      Layouts.forget();
    }
    Layouts.begin();
    layouts = release >= 150 && firstCode == CODES;
    nests = layouts && (flags & 3) == 0;
    Strings.forgetValues();
    Strings.flush();
    layout = release;
    codes = firstCode;
    typedArrays = (flags & 1) != 0;
    exactScalars = (flags & 2) != 0;
    leaveNumbers = (flags & 4) != 0;
    maxDepth = depthLimit;
    maxNodes = nodeLimit;
    maxEmpty = emptyLimit;
    inputEnd = end;
    tape = TAPE;
    joinable = 0;
    generation++;
    depth = 0;
    number = 0;
    children = 0;
    held = 0;
    nodeCount = 0;
    emptyCount = 0;
    owed = 0;
    errorCode = 0;
    // A call that failed left structs open.
    if (frame != STACK) memory.fill(OPEN_STRUCTS, 0, 65536 * 4);
    Constructors.begin();
    store<i32>(NESTED_UNMARKED, WORTH_A_TRY, NESTS);
    frame = STACK;
    stackEnd = (<usize>memory.size()) << 16;
    memory.fill(frame, 0, FRAME);
    store<u32>(frame, ROOT, KIND);
    store<u32>(frame, 1, REMAINING);
    slot = STACK + FRAME;
  }

  /** `at` is the offset of the window's first byte in the input; `whole`: the window is as full as it gets. */
  static window(bytes: usize, at: f64, whole: bool): void {
    memory.fill(WINDOW + bytes, 0, 64);
    cursor = WINDOW;
    limit = WINDOW + bytes;
    base = at;
    full = whole;
  }

  /** Between two steps: makes what is on the tape ready to be taken although nothing is full. False: a string is still awaited. */
  static flush(): bool {
    if (load<u32>(frame, PENDING)) return false;
    Reader.hold();
    return true;
  }

  static flushed(): void {
    tape = TAPE;
    joinable = 0;
    generation++;
    Strings.flush();
  }

  /** Moves the cursor over bytes that JavaScript has looked at. */
  static skip(bytes: usize): void {
    cursor += bytes;
  }

  static tapeEnd(): usize {
    return tape;
  }

  static position(): f64 {
    return base + <f64>(cursor - WINDOW);
  }

  static numbered(): u32 {
    return number;
  }

  static error(): i32 {
    return errorCode;
  }

  static errorPosition(): f64 {
    return base + <f64>(errorAt - WINDOW);
  }

  static detail(second: bool): u32 {
    return second ? detail2 : detail;
  }

  /** The constructor of the frame on top is known now: its registered id. */
  static constructorIs(index: u32, id: u32, skip: usize): void {
    cursor += skip;
    Constructors.is(index, id);
    store<u32>(frame, id, CONSTRUCTOR);
    store<u32>(frame, VERSIONING, KIND);
  }

  static run(): i32 {
    // A string that JavaScript has found may end far behind the window, even behind the end of memory.
    if (cursor > limit) return STATUS_INPUT;
    let status = ON;
    while (status == ON) {
      if ((tape >= TAPE_SOFT || Strings.full()) && !load<u32>(frame, PENDING)) {
        Reader.hold();
        return STATUS_FLUSH;
      }
      const kind = load<u32>(frame, KIND);
      if (kind <= VERBOSE) status = load<u32>(frame, FLAGS) & PAIRS ? Reader.pairs() : Reader.members();
      else if (kind == STRICT) status = Reader.fields();
      else if (kind == CONTAINERS) status = Reader.containers();
      else if (kind == VALUES) status = Reader.values();
      else if (kind == NUMBERS) status = Reader.numbers();
      else if (kind == ROOT) status = Reader.root();
      else status = Reader.beginning(kind);
    }
    if (status == STATUS_FLUSH || status == STATUS_NESTED) Reader.hold();
    return status;
  }

  /**
   * Table entries of a chunk are gone after it. Those that the slots of open structs refer to are moved to entries that stay. A frame
   * below one that has been looked at and has not changed has not changed either, so each slot is looked at once.
   */
  private static hold(): void {
    const header = tape;
    tape += 8;
    let at = frame;
    let end = slot;
    let count: u32 = 0;
    while (at) {
      let from = <usize>load<u32>(at, HELD);
      if (from == end) break;
      if (!from)
        from =
          load<u32>(at, KIND) == NAMING || !(load<u32>(at, FLAGS) & PAIRS) || !load<u32>(at, HEADER)
            ? at + FRAME
            : <usize>load<u32>(at, GENERATION);
      for (; from < end; from += 8) {
        if (load<u32>(from, 4) != BOX_TABLE) continue;
        const index = load<u32>(from);
        if (index < TABLE_LOCAL || index >= TABLE_HELD) continue;
        store<u32>(tape, index);
        store<u32>(tape, TABLE_HELD + held * 2, 4);
        tape += 8;
        store<u32>(from, TABLE_HELD + held * 2);
        held++;
        count++;
      }
      store<u32>(at, <u32>end, HELD);
      at = <usize>load<u32>(at, BELOW);
      end = at ? <usize>load<u32>(at, SLOT) : 0;
    }
    if (count) {
      store<u32>(header, HOLD | (count << 8));
      store<u32>(header, 0, 4);
    } else tape = header;
  }

  // ---- stops ----

  private static fail(code: i32, at: usize): i32 {
    errorCode = code;
    errorAt = at;
    return STATUS_ERROR;
  }

  /** A string does not end inside the window. */
  private static longString(from: usize, what: u32): i32 {
    // Only when the window cannot show more: it begins here and is full.
    if (cursor != WINDOW || !full) return STATUS_INPUT;
    return Reader.handOver(from, what);
  }

  /** JavaScript is to decode the string at `from`. */
  private static handOver(from: usize, what: u32): i32 {
    longId = Strings.reserved();
    store<u32>(frame, what, PENDING);
    cursor = from;
    detail = longId;
    return STATUS_LONG_STRING;
  }

  /** A run of "any" codes has reached the window's end: does it fill the whole window? One that ends with the input is truncated. */
  private static endless(): bool {
    return cursor == WINDOW && limit == WINDOW + WINDOW_SIZE;
  }

  // ---- the tape ----

  private static emit(operation: u32, flags: u32, argument: u32, word: u32): void {
    store<u32>(tape, operation | (flags << 6) | (argument << 8));
    store<u32>(tape, word, 4);
  }

  private static emit2(operation: u32, flags: u32, argument: u32, word: u32, low: u32, high: u32): void {
    Reader.emit(operation, flags, argument, word);
    store<u32>(tape, low, 8);
    store<u32>(tape, high, 12);
    tape += 16;
  }

  /** Room for one more value of the array on top. */
  private static element(): usize {
    if (joinable != frame || joinEnd != tape) {
      Reader.emit2(ELEMENTS, 0, 0, 0, 0, 0);
      store<u32>(frame, <u32>(tape - 16), HEADER);
      joinable = frame;
    }
    const at = tape;
    const header = <usize>load<u32>(frame, HEADER);
    store<u32>(header, load<u32>(header, 12) + 1, 12);
    tape += 8;
    joinEnd = tape;
    return at;
  }

  // ---- datatype codes ----

  /** The datatype of a code byte, ANY to UNDEFINED for the movable four; 0 when unknown; 100 for a constructor code of 1.0.0. */
  private static datatype(code: u32): u32 {
    if (code <= TEXT) return code;
    const moved = code - codes;
    if (moved < 4) return ANY + moved;
    return layout == 100 && code >= 32 ? 100 : 0;
  }

  /**
   * The datatype of the value at `p`, in a place of `datatype`: behind codes "any" there are others. Returns the address behind them, or 0 with
   * {@link stop} set.
   */
  private static tag(p: usize, datatype: u32): usize {
    tagCode = datatype;
    while (datatype == ANY) {
      if (p >= limit) {
        // A run of them that fills the window: one of them is as good as all.
        stop = Reader.endless() ? Reader.fail(ERROR_UNKNOWN_DATATYPE, p - 1) : STATUS_INPUT;
        return 0;
      }
      tagCode = load<u8>(p);
      datatype = Reader.datatype(tagCode);
      p++;
    }
    tagDatatype = datatype;
    return p;
  }

  /** Does a container begin behind what {@link tag} has read? */
  private static holds(): bool {
    return tagDatatype >= ARRAY_CODE && tagDatatype != UNDEFINED;
  }

  // ---- members of plain and verbose structs ----

  private static members(): i32 {
    let p = cursor;
    let at = slot;
    let node = <usize>load<u32>(frame, NODE);
    let remaining = load<u32>(frame, REMAINING);
    const end = limit;
    if (load<u32>(frame, PENDING)) {
      if (load<u32>(frame, PENDING) == 2) return Reader.toPairs(node, remaining);
      store<u32>(frame, 0, PENDING);
      Slots.table(at, node, longId);
      at += 8;
      remaining--;
    }
    // All members may be there, so there has to be room for all of them (not for more than there are bytes), and for the frame of a child.
    if (
      at + ((<usize>remaining) << 3) + FRAME * 2 > stackEnd &&
      !Reader.deepen(at + ((<usize>min(<f64>remaining, inputEnd - Reader.position())) << 3))
    )
      return Reader.fail(ERROR_MEMORY, p);
    while (remaining) {
      const start = p;
      let child = <usize>load<u32>(node, NEXT);
      if (!Shapes.follows(child, p)) {
        child = <usize>load<u32>(node, OTHER);
        if (Shapes.follows(child, p)) Shapes.expect(node, child);
        else {
          Reader.save(start, at, node, remaining);
          child = Reader.newName(node, remaining);
          if (!child) return stop;
        }
      }
      p += load<u32>(child, LENGTH);

      const code = <u32>load<u8>(p);
      p++;
      if (code == F64) {
        const value = load<f64>(p, 0, 1);
        p += 8;
        if (p > end) {
          Reader.save(start, at, node, remaining);
          return STATUS_INPUT;
        }
        Slots.numeric(at, child, value);
      } else if (code == STRING || code == TEXT) {
        const next = Strings.read(p, end, child + SITE);
        if (!next) {
          if (start == WINDOW && full && p <= end) {
            Reader.save(start, at, child, remaining);
            return Reader.longString(p, 1);
          }
          Reader.save(start, at, node, remaining);
          return STATUS_INPUT;
        }
        p = next;
        Shapes.note(child, KIND_TABLE);
        Slots.box(at, BOX_TABLE, stringId);
        if (Strings.full()) {
          Reader.save(p, at + 8, child, remaining - 1);
          return remaining == 1 ? Reader.closeStruct() : STATUS_FLUSH;
        }
      } else if (code == BOOL) {
        const value = <u32>load<u8>(p);
        p++;
        if (p > end) {
          Reader.save(start, at, node, remaining);
          return STATUS_INPUT;
        }
        Shapes.note(child, KIND_TABLE);
        Slots.box(at, BOX_TABLE, value == 1 ? 2 : 1);
      } else {
        Reader.save(start, at, node, remaining);
        const next = Reader.rareMember(p - 1, at, child, remaining);
        if (!next) return stop;
        p = next;
      }
      at += 8;
      node = child;
      remaining--;
    }
    Reader.save(p, at, node, 0);
    return Reader.closeStruct();
  }

  /** A name that was not expected, at the cursor: its node, or 0 with {@link stop} set. */
  private static newName(node: usize, remaining: u32): usize {
    const p = cursor;
    const zero = Text.end(p);
    const length = <u32>(zero - p);
    if (zero >= limit) {
      stop = STATUS_INPUT;
      if (cursor == WINDOW && full) {
        Reader.widen(node, remaining);
        stop = Reader.longString(p, 2);
      }
      return 0;
    }
    // A new name is a string of the chunk: thousands of them in one struct fill it, whatever their values are.
    if (Strings.full()) {
      stop = STATUS_FLUSH;
      return 0;
    }
    const child = length < LONGEST_NAME ? Shapes.child(node, p, length) : 0;
    if (!child) stop = Reader.toPairs(node, remaining);
    return child;
  }

  /** A member of a rarer datatype, whose code is at `p`; returns the address behind it, or 0 with {@link stop} set. The frame has been saved. */
  private static rareMember(p: usize, at: usize, child: usize, remaining: u32): usize {
    p = Reader.tag(p, ANY);
    if (!p) return 0;
    if (Reader.holds()) {
      stop = STATUS_INPUT;
      if (!Reader.headerFits(p, tagDatatype)) return 0;
      Reader.save(p, at, child, remaining - 1);
      stop = Reader.open(p, tagDatatype, tagCode, child);
      return 0;
    }
    const next = Reader.simple(p, tagDatatype, at, child, child + SITE, true);
    if (!next) {
      // Its text will be the member's value.
      if (stop == STATUS_LONG_STRING) store<u32>(frame, <u32>child, NODE);
      return 0;
    }
    if (Strings.full()) {
      Reader.save(next, at + 8, child, remaining - 1);
      stop = remaining == 1 ? Reader.closeStruct() : STATUS_FLUSH;
      return 0;
    }
    return next;
  }

  /** Makes the stack reach `top` and a frame more. */
  private static deepen(top: usize): bool {
    if (!reach(top + (1 << 16))) return false;
    stackEnd = (<usize>memory.size()) << 16;
    return true;
  }

  @inline
  private static save(p: usize, at: usize, node: usize, remaining: u32): void {
    cursor = p;
    slot = at;
    store<u32>(frame, <u32>node, NODE);
    store<u32>(frame, remaining, REMAINING);
  }

  /**
   * A string or scalar, other than the commonest, into the slot `at`; returns the address behind it or 0 with {@link stop} set.
   * `site`: node of the field, or 0 for elements. `counters`: those of strings at its place. `tagged`: it was stored through any.
   */
  private static simple(p: usize, datatype: u32, at: usize, site: usize, counters: usize, tagged: bool): usize {
    stop = STATUS_INPUT;
    let index: u32 = 0;
    let next = p;
    if (datatype >= U8 && datatype <= F64) {
      next = p + Numbers.size(datatype);
      if (next > limit) return 0;
      const value = Numbers.read(p, datatype);
      if (exactScalars && tagged && datatype != F64) {
        if (site) Shapes.mark(site, KIND_TABLE);
        Slots.box(at, BOX_TABLE, Strings.scalar(datatype, value));
      } else if (site) Slots.number(at, site, value);
      else Slots.loose(at, value);
      return next;
    }
    if (datatype == STRING || datatype == TEXT) {
      next = Strings.next(p, limit, counters);
      if (!next) {
        if (p <= limit) stop = Reader.longString(p, 1);
        return 0;
      }
      index = stringId;
    } else if (datatype == UNDEFINED) {
      // no bytes
    } else if (datatype == BOOL) {
      next = p + 1;
      if (next > limit) return 0;
      index = load<u8>(p) == 1 ? 2 : 1;
    } else if (datatype == U64) {
      next = p + 8;
      if (next > limit) return 0;
      index = Strings.wide(p);
    } else {
      stop = Reader.fail(ERROR_UNKNOWN_DATATYPE, p - 1);
      return 0;
    }
    if (site) Shapes.mark(site, KIND_TABLE);
    Slots.box(at, BOX_TABLE, index);
    return next;
  }

  // ---- members by name, where the trie cannot hold them ----

  /** Turns the slots of the frame on top into (name, value) pairs, in place. */
  private static widen(node: usize, remaining: u32): void {
    const first = frame + FRAME;
    const count = (slot - first) >> 3;
    if (slot + (count << 3) + FRAME * 4 > stackEnd) Reader.deepen(slot + (count << 3));
    for (let i = <i32>count - 1; i >= 0; i--) {
      const from = first + ((<usize>i) << 3);
      const to = first + ((<usize>i) << 4);
      const low = load<u32>(from);
      const high = load<u32>(from, 4);
      Slots.box(to + 8, high, low);
      Slots.box(to, BOX_TABLE, load<u32>(node, NAME_ID));
      node = <usize>load<u32>(node, PARENT);
    }
    slot = first + (count << 4);
    const before = <usize>load<u32>(frame, HELD);
    if (before) store<u32>(frame, <u32>(first + ((before - first) << 1)), HELD);
    store<u32>(frame, load<u32>(frame, FLAGS) | PAIRS, FLAGS);
    store<u32>(frame, remaining, REMAINING);
    store<u32>(frame, 0, COUNTERS);
  }

  private static toPairs(node: usize, remaining: u32): i32 {
    Reader.widen(node, remaining);
    return ON;
  }

  /** As {@link members} for one member at a time; the value's slot is the second of the pair. */
  private static pairs(): i32 {
    while (load<u32>(frame, REMAINING)) {
      if ((tape >= TAPE_SOFT || Strings.full()) && !load<u32>(frame, PENDING)) return STATUS_FLUSH;
      if (slot + FRAME * 4 > stackEnd && !Reader.deepen(slot)) return Reader.fail(ERROR_MEMORY, cursor);
      const start = cursor;
      let p = start;
      const pending = load<u32>(frame, PENDING);
      if (pending == 0) {
        const zero = Text.end(p);
        const length = <u32>(zero - p);
        if (zero >= limit) return Reader.longString(start, 2);
        if (length >= LONGEST_NAME) return Reader.handOver(start, 2);
        const entry = Strings.name(p, length);
        if (entry) Slots.box(slot, BOX_TABLE, load<u32>(entry, 12));
        else Slots.box(slot, BOX_TABLE, Strings.plain(p, length));
        p = zero + 1;
      } else if (pending == 2) {
        Slots.box(slot, BOX_TABLE, longId);
      } else {
        store<u32>(frame, 0, PENDING);
        Slots.box(slot + 8, BOX_TABLE, longId);
        slot += 16;
        store<u32>(frame, load<u32>(frame, REMAINING) - 1, REMAINING);
        continue;
      }
      const status = Reader.pairValue(p);
      if (status != ON) return status;
      if (load<u32>(frame, KIND) > VERBOSE || !(load<u32>(frame, FLAGS) & PAIRS)) return ON;
    }
    return Reader.closeStruct();
  }

  private static pairValue(p: usize): i32 {
    p = Reader.tag(p, ANY);
    if (!p) return stop;
    if (Reader.holds()) {
      if (!Reader.headerFits(p, tagDatatype)) return STATUS_INPUT;
      store<u32>(frame, 0, PENDING);
      store<u32>(frame, load<u32>(frame, REMAINING) - 1, REMAINING);
      cursor = p;
      slot += 8;
      return Reader.open(p, tagDatatype, tagCode, 0);
    }
    // The name of this pair is kept in its slot while JavaScript finds a long text.
    p = Reader.simple(p, tagDatatype, slot + 8, 0, frame + COUNTERS, true);
    if (!p) return stop;
    store<u32>(frame, 0, PENDING);
    cursor = p;
    slot += 16;
    store<u32>(frame, load<u32>(frame, REMAINING) - 1, REMAINING);
    return ON;
  }

  // ---- fields of strict schema versions ----

  private static fields(): i32 {
    const skips = load<u32>(frame, FLAGS) & PAIRS;
    const bitmap = <usize>load<u32>(frame, HEADER);
    const count = load<u32>(<usize>load<u32>(frame, PROGRAM), PROGRAM_FIELDS);
    let remaining = load<u32>(frame, REMAINING);
    let field = <usize>load<u32>(frame, NODE);
    let p = cursor;
    let at = slot;
    const most = at + ((<usize>remaining) << (skips ? 4 : 3)) + FRAME * 2;
    if (most > stackEnd && !Reader.deepen(most)) return Reader.fail(ERROR_MEMORY, p);
    let pending = load<u32>(frame, PENDING) != 0;
    while (remaining) {
      const start = p;
      const slotAt = at;
      if (skips) {
        const position = count - remaining;
        if ((load<u8>(bitmap + (position >> 3)) >> (position & 7)) & 1) {
          remaining--;
          field += NODE_SIZE;
          continue;
        }
        Slots.box(at, BOX_TABLE, load<u32>(field, NAME_ID));
        at += 8;
      }
      const datatype = load<u32>(field, PARENT);
      const tagged = datatype == ANY;
      if (pending) {
        pending = false;
        store<u32>(frame, 0, PENDING);
        Slots.table(at, field, longId);
      } else if (datatype == 0) {
        // The flag key with the value false is a field without bytes (formats/elephant.md §8).
        Slots.table(at, field, 0);
      } else {
        cursor = start;
        p = Reader.tag(p, datatype);
        if (p) {
          if (!Reader.holds()) p = Reader.simple(p, tagDatatype, at, field, field + SITE, tagged);
          else if (Reader.headerFits(p, tagDatatype)) {
            Reader.save(p, at, field + NODE_SIZE, remaining - 1);
            return Reader.open(p, tagDatatype, tagged ? tagCode : 0, field);
          } else {
            stop = STATUS_INPUT;
            p = 0;
          }
        }
        if (!p) {
          Reader.save(cursor, slotAt, field, remaining);
          return stop;
        }
      }
      at += 8;
      remaining--;
      field += NODE_SIZE;
      if (remaining && Strings.full()) {
        Reader.save(p, at, field, remaining);
        return STATUS_FLUSH;
      }
    }
    Reader.save(p, at, field, 0);
    return Reader.closeStruct();
  }

  // ---- elements ----

  /** Arrays of any, string, bool, u64 and, where exact datatypes are asked for, of numbers. */
  private static values(): i32 {
    const common = load<u32>(frame, DATATYPE);
    const own = frame;
    let status = ON;
    while (status == ON && frame == own) {
      if (load<u32>(frame, PENDING)) {
        store<u32>(frame, 0, PENDING);
        store<u32>(frame, load<u32>(frame, REMAINING) - 1, REMAINING);
        Slots.box(Reader.element(), BOX_TABLE, longId);
      }
      if (common == ANY) while (load<u32>(frame, REMAINING) >= FEWEST_BY_KIND && tape < TAPE_SOFT && Reader.valuesByKind()) {}
      if (common == ANY || common == STRING) Reader.commonValues(common);
      if (!load<u32>(frame, REMAINING)) return Reader.closeArray();
      if (tape >= TAPE_SOFT || Strings.full()) return STATUS_FLUSH;
      status = Reader.anyValue(common);
    }
    return status;
  }

  /** Elements of the commonest datatypes in a row, as many as there are. */
  private static commonValues(common: u32): void {
    let remaining = load<u32>(frame, REMAINING);
    let p = cursor;
    const end = limit;
    const joins = joinable == frame && joinEnd == tape;
    const first = joins ? tape : tape + 16;
    const site = frame + COUNTERS;
    let out = first;
    while (remaining && out < TAPE_SOFT && !Strings.full()) {
      const code = common == STRING ? <u32>STRING : p < end ? <u32>load<u8>(p) : 0;
      const at = common == STRING ? p : p + 1;
      if (code == STRING || code == TEXT) {
        const next = at < end ? Strings.read(at, end, site) : 0;
        if (!next) break;
        Slots.box(out, BOX_TABLE, stringId);
        p = next;
      } else if (code == F64) {
        if (at + 8 > end) break;
        Slots.loose(out, load<f64>(at, 0, 1));
        p = at + 8;
      } else if (code == BOOL) {
        if (at >= end) break;
        Slots.box(out, BOX_TABLE, load<u8>(at) == 1 ? 2 : 1);
        p = at + 1;
      } else if (code == codes + (UNDEFINED - ANY)) {
        Slots.box(out, BOX_TABLE, 0);
        p = at;
      } else break;
      out += 8;
      remaining--;
    }
    if (out == first) return;
    if (!joins) {
      store<u32>(frame, <u32>tape, HEADER);
      joinable = frame;
      Reader.emit2(ELEMENTS, 0, 0, 0, 0, 0);
    }
    const header = <usize>load<u32>(frame, HEADER);
    store<u32>(header, load<u32>(header, 12) + <u32>((out - first) >> 3), 12);
    tape = out;
    joinEnd = out;
    cursor = p;
    store<u32>(frame, remaining, REMAINING);
  }

  /**
   * As {@link commonValues} for long arrays of any, whose values come in no order: sorted by kind, so that JavaScript need not look at each to know what
   * it is, which costs more than the value (bench/, mixed). False when none could be read.
   */
  private static valuesByKind(): bool {
    const remaining = load<u32>(frame, REMAINING);
    const most: u32 = remaining < MOST_BY_KIND ? remaining : MOST_BY_KIND;
    const end = limit;
    const site = frame + COUNTERS;
    const undefined_ = codes + (UNDEFINED - ANY);
    // Gathered apart, then moved together.
    const entries = tape + 16;
    const wholes = entries + <usize>MOST_BY_KIND * 8;
    const doubles = wholes + <usize>MOST_BY_KIND * 8;
    const places = doubles + <usize>MOST_BY_KIND * 8;
    let entry = entries;
    let whole = wholes;
    let double = doubles;
    let place = places;
    let p = cursor;
    let count: u32 = 0;
    while (count < most && p < end && !Strings.full()) {
      const code = <u32>load<u8>(p);
      if (code == F64) {
        if (p + 9 > end) break;
        const value = load<f64>(p, 1, 1);
        const isWhole = <usize>Slots.isWhole(value);
        store<i32>(whole, <i32>value);
        store<u32>(whole, count, 4);
        whole += isWhole << 3;
        store<f64>(double, value);
        store<u32>(place, count);
        double += (1 - isWhole) << 3;
        place += (1 - isWhole) << 2;
        p += 9;
      } else {
        let index: u32 = 0;
        if (code == STRING || code == TEXT) {
          const next = p + 1 < end ? Strings.read(p + 1, end, site) : 0;
          if (!next) break;
          index = stringId;
          p = next;
        } else if (code == BOOL) {
          if (p + 2 > end) break;
          index = load<u8>(p, 1) == 1 ? 2 : 1;
          p += 2;
        } else if (code == undefined_) p++;
        else break;
        store<u32>(entry, index);
        store<u32>(entry, count, 4);
        entry += 8;
      }
      count++;
    }
    if (!count) return false;
    const wholeBytes = whole - wholes;
    const doubleBytes = double - doubles;
    Reader.emit(ELEMENTS_KINDS, 0, count, <u32>((entry - entries) >> 3));
    store<u32>(tape, <u32>(wholeBytes >> 3), 8);
    store<u32>(tape, <u32>(doubleBytes >> 3), 12);
    memory.copy(entry, wholes, wholeBytes);
    memory.copy(entry + wholeBytes, doubles, doubleBytes);
    memory.copy(entry + wholeBytes + doubleBytes, places, place - places);
    tape = (entry + wholeBytes + doubleBytes + (place - places) + 7) & ~7;
    cursor = p;
    store<u32>(frame, remaining - count, REMAINING);
    return true;
  }

  /** One element, whatever it is. */
  private static anyValue(common: u32): i32 {
    const remaining = load<u32>(frame, REMAINING);
    let p = Reader.tag(cursor, common);
    if (!p) return stop;
    if (Reader.holds()) {
      if (!Reader.headerFits(p, tagDatatype)) return STATUS_INPUT;
      store<u32>(frame, remaining - 1, REMAINING);
      cursor = p;
      return Reader.open(p, tagDatatype, tagCode, 0);
    }
    const value = tape + 16;
    p = Reader.simple(p, tagDatatype, value, 0, frame + COUNTERS, true);
    if (!p) return stop;
    const low = load<u32>(value);
    const high = load<u32>(value, 4);
    Slots.box(Reader.element(), high, low);
    cursor = p;
    store<u32>(frame, remaining - 1, REMAINING);
    return ON;
  }

  /** Homogeneous arrays of numbers: blocks of doubles, or of int32 where all of a block are whole. */
  private static numbers(): i32 {
    const datatype = load<u32>(frame, DATATYPE);
    const size = Numbers.size(datatype);
    let remaining = load<u32>(frame, REMAINING);
    while (remaining) {
      if (tape >= TAPE_SOFT) return STATUS_FLUSH;
      const there = <u32>(limit - cursor) / size;
      if (there == 0) return STATUS_INPUT;
      let count = remaining < there ? remaining : there;
      if (count > 8192) count = 8192;
      const header = tape;
      tape += 16;
      const operation = Numbers.block(cursor, datatype, count, tape) ? ELEMENTS_I32 : ELEMENTS_F64;
      const end = blockEnd;
      tape = header;
      Reader.emit2(operation, 0, 0, 0, 0, count);
      tape = end;
      cursor += <usize>count * size;
      remaining -= count;
      store<u32>(frame, remaining, REMAINING);
    }
    return Reader.closeArray();
  }

  /** Arrays whose elements are all arrays or all structs: untagged containers. */
  private static containers(): i32 {
    const own = frame;
    const datatype = load<u32>(own, DATATYPE);
    const code = load<u32>(own, VERSION);
    let status = ON;
    while (status == ON && frame == own && tape < TAPE_SOFT && !Strings.full()) {
      const remaining = load<u32>(own, REMAINING);
      if (!remaining) return Reader.closeArray();
      if (!Reader.headerFits(cursor, datatype)) return STATUS_INPUT;
      store<u32>(own, remaining - 1, REMAINING);
      layoutJoined = false;
      status = Reader.open(cursor, datatype, code, 0);
      // Two of one layout in a row: there may be more.
      if (layoutJoined) Reader.layoutRows(own);
    }
    return status;
  }

  /** As many structs that fit the layout of the last one as follow in the array on top. */
  private static layoutRows(own: usize): void {
    const header = joinable;
    const row = (<usize>(load<u32>(header) >> 8)) << 4;
    const containers = load<u32>(row, CONTAINERS_PER_ROW);
    const remaining = load<u32>(own, REMAINING);
    const allowed = (maxNodes - nodeCount) / <f64>containers;
    const most = allowed < <f64>remaining ? <u32>allowed : remaining;
    let count: u32 = 0;
    let p = cursor;
    let out = tape;
    let first = number;
    while (count < most && out < TAPE_SOFT && !Strings.full()) {
      const next = Layouts.match(row, p, limit, out, first);
      if (!next) break;
      p = next;
      out = rowEnd;
      first += containers;
      count++;
    }
    if (!count) return;
    store<u32>(header, load<u32>(header, 12) + count, 12);
    store<u32>(own, remaining - count, REMAINING);
    tape = out;
    joinEnd = out;
    cursor = p;
    number = first;
    balance -= containers * count;
    nodeCount += <f64>containers * <f64>count;
  }

  private static root(): i32 {
    if (!load<u32>(frame, REMAINING)) return STATUS_DONE;
    let p = cursor;
    const at = tape + 8;
    // Looked at first: files without footer end right behind it.
    if (load<u32>(frame, PENDING)) {
      Slots.box(at, BOX_TABLE, longId);
      Reader.emit(ROOT_SCALAR, 0, 0, 0);
      tape += 16;
      store<u32>(frame, 0, REMAINING);
      return STATUS_DONE;
    }
    p = Reader.tag(p, ANY);
    if (!p) return stop;
    if (Reader.holds()) {
      if (!Reader.headerFits(p, tagDatatype)) return STATUS_INPUT;
      store<u32>(frame, 0, REMAINING);
      cursor = p;
      return Reader.open(p, tagDatatype, tagCode, 0);
    }
    p = Reader.simple(p, tagDatatype, at, 0, frame + COUNTERS, true);
    if (!p) return stop;
    Reader.emit(ROOT_SCALAR, 0, 0, 0);
    tape += 16;
    cursor = p;
    store<u32>(frame, 0, REMAINING);
    return STATUS_DONE;
  }

  // ---- opening containers ----

  /** Is the fixed part of a container's beginning inside the window? */
  private static headerFits(p: usize, datatype: u32): bool {
    if (datatype == 100) return p <= limit;
    if (p + 2 > limit) return false;
    const word = <u32>load<u16>(p, 0, 1);
    if (datatype == ARRAY_CODE) return word == 0 || p + (word == 0xffff && layout > 100 ? 4 : 3) <= limit;
    return word < 0xfffe || layout == 100 || p + 4 <= limit;
  }

  /**
   * A container begins at `p` (its length word). `code`: the code byte it came with, which is its constructor in 1.0.0.
   * `site`: node of the field it stands in, or 0.
   */
  private static open(p: usize, datatype: u32, code: u32, site: usize): i32 {
    const inArray = load<u32>(frame, KIND) >= NUMBERS && load<u32>(frame, KIND) <= CONTAINERS;
    const word = <u32>load<u16>(p, 0, 1);
    let found: usize = NESTED_UNMARKED;
    if (datatype != 100) {
      if (word == 0xffff && layout > 100) return Reader.reference(<u32>load<u16>(p, 2, 1), p, inArray, site);
      // Points, matrices, rows of a grid.
      if (
        datatype == ARRAY_CODE &&
        nests &&
        load<u32>(frame, KIND) == CONTAINERS &&
        load<u32>(frame, REMAINING) >= MANY &&
        load<i32>(found, NESTS) >= NESTS_ENOUGH
      ) {
        const code = <u32>load<u8>(p, 2);
        if (code == F64 || code == CODES + (ARRAY_CODE - ANY)) return Reader.nested(found, p, datatype, true, site);
      }
      if (datatype == STRUCT_CODE && layouts && word != 0) {
        found = Layouts.slot(p);
        if (Reader.layoutRow(found, p, inArray, site)) return ON;
        // Members with names, which strict instances have not.
        const names = word < 0xfffe ? word : load<u8>(p, 4) < 128 ? 0 : <u32>load<u16>(p, 5, 1);
        if (nests && load<i32>(found, NESTS) >= NESTS_ENOUGH && Layouts.none(found) && names <= MOST_NAMES)
          return Reader.nested(found, p, datatype, inArray, site);
      }
    }
    return Reader.openAt(p, datatype, code, inArray, site, found);
  }

  /** The container at `p`, of which nothing but its kind is known. `found`: the slot of a struct that may have a layout. */
  private static openAt(p: usize, datatype: u32, code: u32, inArray: bool, site: usize, found: usize): i32 {
    const word = <u32>load<u16>(p, 0, 1);
    nodeCount += 1;
    if (nodeCount > maxNodes) return Reader.fail(ERROR_ELEMENTS, p);
    if (depth >= maxDepth) return Reader.fail(ERROR_DEPTH, p);
    if (datatype == 100) return Reader.openNamed(code, inArray, site);
    if (datatype == ARRAY_CODE) return Reader.openArray(p + 2, word, inArray, site);
    if (word == 0xfffe && layout > 100) {
      const index = <u32>load<u16>(p, 2, 1);
      cursor = p + 4;
      const known = Constructors.known(index);
      // The commonest beginning in one step: a strict version without skip list.
      const version = <u32>load<u8>(p, 4);
      if (known && layout >= 150 && p + 7 <= limit && version < 128 && load<u16>(p, 5, 1) == 0) {
        const program = Constructors.program(known - 1, version);
        if (program) {
          if (!Reader.push(STRICT, inArray, site)) return STATUS_ERROR;
          store<u32>(frame, known - 1, CONSTRUCTOR);
          store<u32>(frame, version, VERSION);
          store<u32>(frame, <u32>found, MARK);
          Reader.openInstance(program, version);
          cursor = p + 7;
          return ON;
        }
      }
      const status = Reader.openNamed(index, inArray, site);
      if (status == ON) store<u32>(frame, <u32>found, MARK);
      return status;
    }
    cursor = p + 2;
    // Empty structs in a row.
    if (word == 0 && inArray && Reader.joins(STRUCT, 0, true, number, 1)) {
      store<u32>(joinable, load<u32>(joinable, 12) + 1, 12);
      number++;
      return ON;
    }
    if (!Reader.push(PLAIN, inArray, site)) return STATUS_ERROR;
    if (word == 0) return Reader.closeStruct();
    store<u32>(frame, word, REMAINING);
    store<u32>(frame, <u32>found, MARK);
    if (number <= 65536) store<u32>(OPEN_STRUCTS + ((<usize>number - 1) << 2), <u32>frame);
    return ON;
  }

  /** Reads the struct at `p` as a row of the layout that structs of its beginning have; false when it does not fit. */
  private static layoutRow(found: usize, p: usize, inArray: bool, site: usize): bool {
    const row = Layouts.at(found, p, limit);
    if (!row) return false;
    const flags = load<u32>(row, LAYOUT_FLAGS);
    if ((typedArrays && flags & HAS_ARRAYS) || (exactScalars && flags & HAS_TAGGED_NUMBERS)) return false;
    const containers = load<u32>(row, CONTAINERS_PER_ROW);
    if (nodeCount + <f64>containers > maxNodes || depth + load<u32>(row, LEVELS) > maxDepth) return false;
    const joins = Reader.joins(LAYOUT, <u32>row >> 4, inArray, number, containers);
    const header = joinable;
    const next = Layouts.fits(row) ? Layouts.match(row, p, limit, joins ? tape : tape + 16, number) : 0;
    if (!next) {
      if (!cut) Layouts.missed(found, p, limit);
      return false;
    }
    const index = Reader.deliver(inArray, site);
    layoutJoined = joins;
    balance -= containers;
    if (joins) store<u32>(header, load<u32>(header, 12) + 1, 12);
    else {
      balance += 2;
      joinable = tape;
      Reader.emit2(LAYOUT, inArray ? TO_ARRAY : 0, <u32>row >> 4, number, index, 1);
    }
    tape = rowEnd;
    joinEnd = rowEnd;
    number += containers;
    nodeCount += <f64>containers;
    cursor = next;
    return true;
  }

  /**
   * Leaves the container at `p`, and those that follow in its array, to JavaScript, with all that they hold (src/elephant/nested.ts). What it has to know is put at
   * NESTED; what came of it stands there when {@link nestedRead} goes on.
   */
  private static nested(found: usize, p: usize, datatype: u32, inArray: bool, site: usize): i32 {
    cursor = p;
    nestedSite = site;
    const deepest = maxDepth - depth;
    const list = inArray && load<u32>(frame, KIND) == CONTAINERS;
    // What nothing around it claims, and no more than there may be containers: none has less than two bytes.
    const unclaimed = min(
      min(inputEnd - Reader.position() - owed - (list ? 0 : Reader.claim(frame)), (maxNodes - nodeCount) * 2),
      268435456,
    );
    store<u32>(NESTED, <u32>p, NESTED_CURSOR);
    store<u32>(NESTED, <u32>limit, NESTED_LIMIT);
    // This one has been taken off its list already.
    store<u32>(NESTED, list ? load<u32>(frame, REMAINING) + 1 : 1, NESTED_COUNT);
    store<u32>(NESTED, number, NESTED_NUMBER);
    store<u32>(NESTED, deepest < NESTED_LEVELS ? deepest : NESTED_LEVELS, NESTED_DEPTH);
    store<u32>(NESTED, <u32>max(unclaimed, 0), NESTED_BYTES);
    store<i32>(NESTED, inArray ? -1 : <i32>children, NESTED_INDEX);
    store<u32>(NESTED, <u32>found, NESTED_MARK);
    store<u32>(NESTED, datatype, NESTED_DATATYPE);
    return STATUS_NESTED;
  }

  /** JavaScript has read some of them; those that it could not finish are open. */
  static nestedRead(): i32 {
    const count = load<u32>(NESTED, NESTED_COUNT);
    const inArray = load<i32>(NESTED, NESTED_INDEX) < 0;
    cursor = <usize>load<u32>(NESTED, NESTED_CURSOR);
    if (!count) return Reader.openAt(cursor, load<u32>(NESTED, NESTED_DATATYPE), 0, inArray, nestedSite, load<u32>(NESTED, NESTED_MARK));
    const last = load<u32>(NESTED, NESTED_NUMBER);
    nodeCount += <f64>(last - number);
    // A call takes as long as some operations: where calls read little, the struct around them is better left to JavaScript itself.
    balance += 12 - (last - number);
    Reader.deliver(inArray, nestedSite);
    store<u32>(frame, load<u32>(frame, REMAINING) + 1 - count, REMAINING);
    // Frames like those that the general steps make. What has been read of them is where it belongs.
    const open = NESTED + NESTED_FRAMES + <usize>load<u32>(NESTED, NESTED_DEPTH) * NESTED_FRAME;
    for (let from = NESTED + NESTED_FRAMES; from < open; from += NESTED_FRAME) {
      const kind = load<u32>(from);
      number = load<u32>(from, 12);
      // Plain structs are there already, like instances.
      if (!Reader.push(kind > UNDEFINED ? STRICT : kind == ANY ? VALUES : kind ? CONTAINERS : VERBOSE, true, 0)) return STATUS_ERROR;
      store<u32>(frame, load<u32>(from, 4), REMAINING);
      if (kind > UNDEFINED) {
        // The fields that have their values are like skipped ones: those to come go by names.
        store<u32>(frame, kind, PROGRAM);
        store<u32>(frame, load<u32>(from, 8), NODE);
        if (!Reader.skipList(load<u32>(<usize>kind, PROGRAM_FIELDS))) return Reader.fail(ERROR_MEMORY, cursor);
      } else if (kind) {
        store<u32>(frame, kind, DATATYPE);
        store<u32>(frame, kind, VERSION);
        store<u32>(frame, generation - 1, GENERATION);
      }
    }
    number = last;
    return ON;
  }

  /** A bitmap of fields to skip in front of the slots of the frame on top; false when there is no memory. */
  private static skipList(fields: u32): bool {
    const bytes = (<usize>(fields + 63) >> 3) & ~7;
    if (slot + bytes + FRAME * 2 > stackEnd && !Reader.deepen(slot + bytes)) return false;
    memory.fill(slot, 0, bytes);
    store<u32>(frame, <u32>slot, HEADER);
    // It may have been looked at before the bitmap was there, which holds no values.
    store<u32>(frame, 0, HELD);
    store<u32>(frame, load<u32>(frame, FLAGS) | PAIRS, FLAGS);
    slot += bytes;
    store<u32>(frame, <u32>slot, GENERATION);
    return true;
  }

  /** Puts the container that begins now into its parent; returns its index in the child list. */
  private static deliver(inArray: bool, site: usize): u32 {
    if (inArray) return children;
    if (site) Shapes.mark(site, KIND_CHILD);
    Slots.box(slot, BOX_CHILD, children);
    slot += 8;
    return children++;
  }

  /** The least that the members or elements of a frame that are still to come can take. */
  private static claim(at: usize): f64 {
    const kind = load<u32>(at, KIND);
    if (kind == VALUES || (kind == CONTAINERS && load<u32>(at, DATATYPE) == 100)) return <f64>load<u32>(at, REMAINING);
    return kind <= VERBOSE || kind == CONTAINERS ? <f64>load<u32>(at, REMAINING) * 2 : 0;
  }

  /** Is it possible that `length` things of at least `bytes` bytes each follow? */
  @inline
  private static plausible(length: u32, bytes: u32): bool {
    return Reader.position() + owed + Reader.claim(frame) + <f64>length * <f64>bytes <= inputEnd;
  }

  /** A new frame on top, with the next number. */
  private static push(kind: u32, inArray: bool, site: usize): bool {
    const index = Reader.deliver(inArray, site);
    const top = (slot + 15) & ~15;
    if (top + FRAME * 3 > stackEnd && !Reader.deepen(top)) {
      Reader.fail(ERROR_MEMORY, cursor);
      return false;
    }
    store<u32>(frame, <u32>slot, SLOT);
    store<f64>(top, owed, OWED);
    owed += Reader.claim(frame);
    store<u32>(top, kind, KIND);
    store<u32>(top, 0, REMAINING);
    store<u32>(top, <u32>NODES, NODE);
    store<u32>(top, number, NUMBER);
    store<u32>(top, <u32>frame, BELOW);
    store<u32>(top, index, INDEX);
    store<u32>(top, inArray ? TO_ARRAY : 0, FLAGS);
    store<u32>(top, 0, HEADER);
    store<u32>(top, 0, PENDING);
    store<u32>(top, 0, COUNTERS);
    store<u32>(top, 0, HELD);
    store<u32>(top, 0, MARK);
    if (kind != VALUES && kind != NUMBERS) balance++;
    store<i32>(top, balance, BALANCE);
    frame = top;
    slot = top + FRAME;
    number++;
    depth++;
    return true;
  }

  @inline
  private static pop(): void {
    const inArray = load<u32>(frame, FLAGS) & TO_ARRAY;
    children = load<u32>(frame, INDEX) + (inArray ? 0 : 1);
    owed = load<f64>(frame, OWED);
    frame = <usize>load<u32>(frame, BELOW);
    slot = <usize>load<u32>(frame, SLOT);
    depth--;
  }

  private static reference(target: u32, p: usize, inArray: bool, site: usize): i32 {
    if (target >= number) return Reader.fail(ERROR_BAD_REFERENCE, p);
    const at = OPEN_STRUCTS + ((<usize>target) << 2);
    const open = <usize>load<u32>(at);
    if (open) {
      Reader.emit(MATERIALISE, 0, 0, target);
      tape += 8;
      store<u32>(open, load<u32>(open, FLAGS) | EXISTING, FLAGS);
      store<u32>(at, 0);
    }
    cursor = p + 4;
    if (inArray) {
      Slots.box(Reader.element(), BOX_REFERENCE, target);
      return ON;
    }
    if (load<u32>(frame, KIND) == ROOT) return Reader.fail(ERROR_BAD_REFERENCE, p);
    if (site) Shapes.mark(site, KIND_REFERENCE);
    Slots.box(slot, BOX_REFERENCE, target);
    slot += 8;
    return ON;
  }

  /** An instance of the constructor `index` of this file begins with what has to be known of it. */
  private static openNamed(index: u32, inArray: bool, site: usize): i32 {
    const known = Constructors.known(index);
    if (!Reader.push(known ? VERSIONING : NAMING, inArray, site)) return STATUS_ERROR;
    store<u32>(frame, known ? known - 1 : index, CONSTRUCTOR);
    return ON;
  }

  /** An array that stays in the input, from the cursor on up to `end`. */
  private static leaveArray(operation: u32, datatype: u32, length: u32, end: usize, inArray: bool, site: usize): i32 {
    const index = Reader.deliver(inArray, site);
    Reader.emit2(operation, inArray ? TO_ARRAY : 0, length, number++, index, datatype);
    store<f64>(tape, Reader.position());
    tape += 8;
    cursor = end;
    return cursor > limit ? STATUS_INPUT : ON;
  }

  private static openArray(p: usize, length: u32, inArray: bool, site: usize): i32 {
    cursor = p;
    if (length == 0) {
      const index = Reader.deliver(inArray, site);
      Reader.emit2(ARRAY_UNDEFINED, inArray ? TO_ARRAY : 0, 0, number++, index, 0);
      return ON;
    }
    const code = <u32>load<u8>(p);
    const datatype = Reader.datatype(code);
    p++;
    if (datatype == 0) return Reader.fail(ERROR_UNKNOWN_DATATYPE, p - 1);
    cursor = p;
    if (datatype == UNDEFINED) {
      emptyCount += <f64>length;
      if (emptyCount > maxEmpty) return Reader.fail(ERROR_ELEMENTS, p);
      const index = Reader.deliver(inArray, site);
      Reader.emit2(ARRAY_UNDEFINED, inArray ? TO_ARRAY : 0, length, number++, index, 0);
      return ON;
    }
    if ((datatype <= F64 && (typedArrays || !exactScalars || datatype == F64)) || (datatype == U64 && typedArrays)) {
      const size = Numbers.size(datatype);
      const bytes = <usize>length * size;
      // More elements than bytes are left: nothing is made for them.
      if (Reader.position() + <f64>bytes > inputEnd) return Reader.fail(0, p);
      if (typedArrays || (leaveNumbers && bytes >= NUMBERS_LEFT && datatype != U64)) {
        return Reader.leaveArray(typedArrays ? ARRAY_TYPED : ARRAY_NUMBERS, datatype, length, p + bytes, inArray, site);
      }
      if (p + bytes <= limit && length <= 8192) {
        const index = Reader.deliver(inArray, site);
        const header = tape;
        tape += 16;
        const operation = Numbers.block(p, datatype, length, tape) ? ARRAY_I32 : ARRAY_F64;
        const end = blockEnd;
        tape = header;
        Reader.emit2(operation, inArray ? TO_ARRAY : 0, length, number++, index, 0);
        tape = end;
        cursor = p + bytes;
        return ON;
      }
      if (!Reader.push(NUMBERS, inArray, site)) return STATUS_ERROR;
      store<u32>(frame, datatype, DATATYPE);
      Reader.beginArray(length, 0);
      return ON;
    }
    const hold = datatype == ARRAY_CODE || datatype == STRUCT_CODE || datatype == 100;
    // Instances of 1.0.0 without fields are a version byte each; other containers have a length word.
    if (!Reader.plausible(length, hold && datatype != 100 ? 2 : 1)) return Reader.fail(0, p);
    if (datatype == BOOL && leaveNumbers && length >= BOOLS_LEFT)
      return Reader.leaveArray(ARRAY_NUMBERS, datatype, length, p + length, inArray, site);
    if (!Reader.push(hold ? CONTAINERS : VALUES, inArray, site)) return STATUS_ERROR;
    store<u32>(frame, datatype == TEXT ? STRING : datatype, DATATYPE);
    store<u32>(frame, code, VERSION);
    Reader.beginArray(length, 1);
    return ON;
  }

  private static beginArray(length: u32, joins: u32): void {
    store<u32>(frame, length, REMAINING);
    store<u32>(frame, <u32>tape, HEADER);
    store<u32>(frame, generation, GENERATION);
    store<u32>(frame, <u32>tape, PROGRAM);
    const flags = load<u32>(frame, FLAGS) & TO_ARRAY;
    Reader.emit2(OPEN_ARRAY, flags, length, load<u32>(frame, NUMBER), load<u32>(frame, INDEX), 0);
    if (joins) {
      joinable = frame;
      joinEnd = tape;
    }
  }

  private static closeArray(): i32 {
    const opening = <usize>load<u32>(frame, PROGRAM);
    // All of its values follow its opening on this tape: one operation.
    if (
      load<u32>(frame, GENERATION) == generation &&
      load<u32>(frame, KIND) == VALUES &&
      load<u32>(opening, 12) == load<u32>(opening) >> 8 &&
      joinable == frame &&
      joinEnd == tape &&
      load<u32>(frame, HEADER) == <u32>opening
    ) {
      const common = load<u32>(frame, DATATYPE);
      const operation = common == STRING || common == BOOL || common == U64 ? ARRAY_TABLE : ARRAY;
      store<u32>(opening, (load<u32>(opening) & ~63) | operation);
    } else {
      Reader.emit(CLOSE_ARRAY, 0, 0, 0);
      tape += 8;
    }
    joinable = 0;
    Reader.pop();
    return ON;
  }

  // ---- beginning of constructed structs ----

  private static beginning(kind: u32): i32 {
    const p = cursor;
    if (kind == NAMING) {
      detail = load<u32>(frame, CONSTRUCTOR);
      return STATUS_CONSTRUCTOR;
    }
    if (kind == VERSIONING) {
      if (p >= limit) return STATUS_INPUT;
      const byte = <u32>load<u8>(p);
      const verbose = layout >= 130 ? byte >> 7 != 0 : byte == 0;
      const version = layout >= 130 ? byte & 127 : byte;
      const id = load<u32>(frame, CONSTRUCTOR);
      store<u32>(frame, version, VERSION);
      if (!verbose) {
        if (version == 0) return Reader.fail(ERROR_STRICT_VERSION_ZERO, p);
        const program = Constructors.program(id, version);
        if (!program) {
          detail = id;
          detail2 = version;
          return STATUS_SCHEMA;
        }
        Reader.openInstance(program, byte);
      } else Reader.openInstance(0, byte);
      cursor = p + 1;
      store<u32>(frame, verbose ? COUNTING : layout >= 150 ? SKIPPING : STRICT, KIND);
      return ON;
    }
    if (p + 2 > limit) return STATUS_INPUT;
    const word = <u32>load<u16>(p, 0, 1);
    if (kind == COUNTING) {
      cursor = p + 2;
      store<u32>(frame, word, REMAINING);
      store<u32>(frame, VERBOSE, KIND);
      return ON;
    }
    // The skip list (formats/elephant.md §9): any order, repetitions allowed; a bitmap in front of the frame's slots.
    cursor = p + 2;
    if (word == 0) {
      store<u32>(frame, STRICT, KIND);
      return ON;
    }
    const fields = load<u32>(frame, REMAINING);
    if (word > fields) return Reader.fail(ERROR_BAD_SKIP_INDEX, p);
    if (!load<u32>(frame, HEADER) && !Reader.skipList(fields)) return Reader.fail(ERROR_MEMORY, p);
    const bit = load<u32>(frame, HEADER) + ((word - 1) >> 3);
    store<u8>(bit, load<u8>(bit) | <u8>((<u32>1) << ((word - 1) & 7)));
    return ON;
  }

  /** The instance of the frame on top is made; `program`: the fields of its strict version. */
  private static openInstance(program: usize, byte: u32): void {
    if (program) {
      store<u32>(frame, <u32>program, PROGRAM);
      store<u32>(frame, load<u32>(program, PROGRAM_FIELDS), REMAINING);
      store<u32>(frame, <u32>(program + PROGRAM_HEAD), NODE);
    }
    const flags = load<u32>(frame, FLAGS) & TO_ARRAY;
    Reader.emit2(OPEN_INSTANCE, flags, load<u32>(frame, CONSTRUCTOR), load<u32>(frame, NUMBER), load<u32>(frame, INDEX), byte);
  }

  /** The struct on top ends: was what it holds more than operations for it? */
  private static noteBalance(): void {
    const mark = <usize>load<u32>(frame, MARK);
    const more = balance - load<i32>(frame, BALANCE);
    if (!more || !mark) return;
    const nests = load<i32>(mark, NESTS);
    // Instances count 8 and 27 times: what the general steps take for them is more.
    const kind = load<i32>(frame, KIND);
    const next = nests + (more > 0 ? kind * kind * kind : -1);
    // From there on JavaScript keeps the account; far below are those that it has given up.
    if (nests >= NESTS_ENOUGH || next < -NESTS_ENOUGH) return;
    store<i32>(mark, next >= NESTS_ENOUGH ? WORTH_A_TRY : next, NESTS);
  }

  // ---- closing structs ----

  /**
   * May a row, whose containers have numbers from `own` on, join the one before on the tape, whose rows have `containers` each? Where nothing stands between
   * them and the numbers go on, they are neighbours in one array, or members of one struct, whose places among the children go on, too.
   */
  private static joins(operation: u32, argument: u32, inArray: bool, own: u32, containers: u32): bool {
    const header = joinable;
    if (joinEnd != tape || header < TAPE || header >= STACK) return false;
    return (
      load<u32>(header) == (operation | ((inArray ? TO_ARRAY : 0) << 6) | (argument << 8)) &&
      load<u32>(header, 4) + load<u32>(header, 12) * containers == own
    );
  }

  /** Emits one struct's slots as a row of its shape, joining the row before where that has the same shape. */
  @inline
  private static row(shape: u32, own: u32, inArray: bool, index: u32, existing: u32, from: usize, count: usize): void {
    if (!existing && Reader.joins(STRUCT, shape, inArray, own, 1)) store<u32>(joinable, load<u32>(joinable, 12) + 1, 12);
    else {
      joinable = existing ? 0 : tape;
      Reader.emit2(STRUCT, (inArray ? TO_ARRAY : 0) | existing, shape, own, index, 1);
    }
    Reader.putSlots(from, count);
    joinEnd = tape;
  }

  /** Puts `bytes` of value slots on the tape; may write up to 8 bytes behind them. A loop, because a struct's are fewer than a call of `memory.copy` is worth. */
  @inline
  private static putSlots(from: usize, bytes: usize): void {
    let q = tape;
    const end = q + bytes;
    if (ASC_FEATURE_SIMD) {
      for (; q < end; q += 16, from += 16) v128.store(q, v128.load(from, 0, 1), 0, 1);
    } else {
      for (; q < end; q += 8, from += 8) {
        store<u32>(q, load<u32>(from));
        store<u32>(q, load<u32>(from, 4), 4);
      }
    }
    tape = end;
  }

  private static closeStruct(): i32 {
    const kind = load<u32>(frame, KIND);
    const flags = load<u32>(frame, FLAGS);
    const inArray = (flags & TO_ARRAY) != 0;
    const existing = flags & EXISTING;
    const index = load<u32>(frame, INDEX);
    const own = load<u32>(frame, NUMBER);
    const pairs = flags & PAIRS;
    const first = pairs && kind == STRICT ? <usize>load<u32>(frame, GENERATION) : frame + FRAME;
    const bytes = slot - first;
    Reader.noteBalance();
    if (pairs) {
      joinable = 0;
      Reader.emit2(kind == PLAIN ? STRUCT_PAIRS : CLOSE_INSTANCE_PAIRS, (flags & TO_ARRAY) | existing, 0, own, index, <u32>(bytes >> 4));
      memory.copy(tape, first, bytes);
      tape += bytes;
    } else {
      const shape =
        kind == STRICT
          ? load<u32>(<usize>load<u32>(frame, PROGRAM), PROGRAM_SHAPE)
          : ((load<u32>(frame, NODE) - <u32>NODES) / <u32>NODE_SIZE) << 1;
      if (kind == PLAIN) Reader.row(shape, own, inArray, index, existing, first, bytes);
      else {
        joinable = 0;
        Reader.emit2(CLOSE_INSTANCE, flags & TO_ARRAY, shape, own, index, 1);
        Reader.putSlots(first, bytes);
      }
    }
    if (kind == PLAIN && own < 65536) store<u32>(OPEN_STRUCTS + ((<usize>own) << 2), 0);
    Reader.pop();
    return ON;
  }
}
