// The stack of open containers: a frame for each, behind it the slots of its values.

import { NODES, reach, STACK, TABLE_KEPT, TABLE_KINDS, TABLE_LOCAL } from "../memory";
import { CONSTRUCTED } from "../numbers";
import { BOX_CHILD, BOX_TABLE, ELEMENTS, ERROR_MEMORY, HOLD, KIND_CHILD, TO_ARRAY } from "../ops";
import { Shapes } from "../shapes";
import { Slots } from "../slots";
import { Input } from "./input";
import { Settings } from "./settings";
import { Stops } from "./stops";
import { Tape } from "./tape";

export const FRAME: usize = 80;

// ---- what is in a frame, by offset ----
export const KIND: usize = 0;
export const REMAINING: usize = 4;
/** Trie node reached (structs), field (strict), nothing else. */
export const NODE: usize = 8;
export const NUMBER: usize = 12;
/** Where this frame's next value slot goes, saved while a child is open. */
const SLOT: usize = 16;
const BELOW: usize = 20;
/** Index in the child list at which it is delivered, and where its own children begin. */
export const INDEX: usize = 24;
export const FLAGS: usize = 28;
/** Registered constructor; while its name is read (NAMING) that of the file. */
export const CONSTRUCTOR: usize = 32;
/** Version of an instance; the elements' code byte of an array. */
export const VERSION: usize = 36;
/** Of an array the operation on the tape that may still grow; of an instance with a strict schema its skip list, 0 where none is. */
export const HEADER: usize = 40;
/** Of an array the tape on which PROGRAM is; of an instance with a skip list where its slots begin. */
export const GENERATION: usize = 44;
/** A string that JavaScript decodes is the next value (1) or the next name (2). */
export const PENDING: usize = 48;
export const DATATYPE: usize = 52;
/** In its place, for structs: {@link Frames.balance} when they began. */
export const BALANCE: usize = 52;
/** Two u16 string counters of an array. */
export const COUNTERS: usize = 56;
/** Of an instance its schema's program; of an array its OPEN_ARRAY on the tape. */
export const PROGRAM: usize = 60;
/** Slots before this one hold nothing of the current chunk; 0: not looked at yet. */
export const HELD: usize = 64;
/** The slot of structs that begin alike (layouts.ts), for those that may be left to JavaScript. */
export const MARK: usize = 68;
/** What the containers below claim. */
const OWED: usize = 72;

// ---- KIND: what is read next ----
export const PLAIN: u32 = 1;
export const VERBOSE: u32 = 2;
export const STRICT: u32 = 3;
export const NUMBERS: u32 = 4;
export const VALUES: u32 = 5;
export const CONTAINERS: u32 = 6;
export const ROOT: u32 = 7;
export const NAMING: u32 = 8;
export const VERSIONING: u32 = 9;
export const SKIPPING: u32 = 10;
export const COUNTING: u32 = 11;

/** In FLAGS, beside TO_ARRAY and EXISTING (ops.ts): its slots are pairs of name and value. */
export const PAIRS: u32 = 4;

/** What a container in an operation of its own counts in {@link Frames.balance}, and how many bytes count as much as a container by a layout. */
const OPENED: i32 = 8;
const BYTES: f64 = 32;

export class Frames {
  /** The frame of the container whose members or elements are being read. */
  static top: usize = STACK;
  /** Where its next value goes. */
  static slot: usize = STACK;
  static depth: u32 = 0;
  /** Elephant's number of the next container (formats/elephant.md §7). */
  static number: u32 = 0;
  /** Length of the list of children that wait for their parents. */
  static children: u32 = 0;
  /** Containers so far, and elements of arrays of undefined, for the limits. */
  static containers: f64 = 0;
  static emptyElements: f64 = 0;
  /** Those of them that are on the tape. */
  static unmade: u32 = 0;
  /** Bytes that the containers below the top one still claim at the least; what is left of the input has to have them. */
  static owed: f64 = 0;
  /**
   * Containers that have operations of their own ({@link OPENED}), arrays of numbers aside, and rows of layouts, twice, less all containers in those: it grows where JavaScript would be
   * faster. The bytes come on top ({@link Frames.account}), which the kernel reads faster, whatever they are.
   */
  static balance: i32 = 0;
  /** Behind the memory that there is. */
  static end: usize = STACK;
  /** The next table entry that stays. */
  static held: u32 = 0;

  /**
   * Table entries of a chunk are gone after it. Those that the slots of open structs refer to are moved to entries that stay. A frame
   * below one that has been looked at and has not changed has not changed either, so each slot is looked at once.
   */
  static hold(): void {
    const header = Tape.end;
    Tape.end += 8;
    let at = Frames.top;
    let end = Frames.slot;
    let count: u32 = 0;
    while (at) {
      let from = <usize>load<u32>(at, HELD);
      if (from == end) break;
      if (!from) from = load<u32>(at, FLAGS) & PAIRS && load<u32>(at, HEADER) ? <usize>load<u32>(at, GENERATION) : at + FRAME;
      for (; from < end; from += 8) {
        if (load<u32>(from, 4) != BOX_TABLE) continue;
        const index = load<u32>(from);
        if (index < TABLE_LOCAL || index >= TABLE_KEPT) continue;
        store<u32>(Tape.end, index);
        store<u32>(Tape.end, Frames.held, 4);
        Tape.end += 8;
        store<u32>(from, Frames.held);
        Frames.held += TABLE_KINDS;
        count++;
      }
      store<u32>(at, <u32>end, HELD);
      at = <usize>load<u32>(at, BELOW);
      end = at ? <usize>load<u32>(at, SLOT) : 0;
    }
    if (count) {
      store<u32>(header, HOLD | (count << 8));
      store<u32>(header, 0, 4);
    } else Tape.end = header;
  }

  /** Room for one more value of the array on top. */
  static element(): usize {
    if (Tape.joinable != Frames.top || Tape.joinEnd != Tape.end) {
      Tape.emit2(ELEMENTS, 0, 0, 0, 0, 0);
      store<u32>(Frames.top, <u32>(Tape.end - 16), HEADER);
      Tape.joinable = Frames.top;
    }
    const at = Tape.end;
    const header = <usize>load<u32>(Frames.top, HEADER);
    store<u32>(header, load<u32>(header, 12) + 1, 12);
    Tape.end += 8;
    Tape.joinEnd = Tape.end;
    return at;
  }

  /** Makes the stack reach `top` and a frame more. Memory ends a megabyte below 4 GB (asconfig.json), so no address that is asked for wraps. */
  static deepen(top: usize): bool {
    if (!reach(top + (1 << 16))) return false;
    Frames.end = (<usize>memory.size()) << 16;
    return true;
  }

  /** What a step has come to: cursor, next slot, node reached and members that remain. */
  @inline
  static save(p: usize, at: usize, node: usize, remaining: u32): void {
    Input.cursor = p;
    Frames.slot = at;
    store<u32>(Frames.top, <u32>node, NODE);
    store<u32>(Frames.top, remaining, REMAINING);
  }

  /** Puts the container that begins now into its parent; returns its index in the child list. */
  static deliver(inArray: bool, site: usize): u32 {
    if (inArray) return Frames.children;
    if (site) Shapes.mark(site, KIND_CHILD);
    Slots.box(Frames.slot, BOX_CHILD, Frames.children);
    Frames.slot += 8;
    return Frames.children++;
  }

  /** The least that the members or elements of a frame that are still to come can take. */
  static claim(at: usize): f64 {
    const kind = load<u32>(at, KIND);
    if (kind == VALUES || (kind == CONTAINERS && load<u32>(at, DATATYPE) == CONSTRUCTED)) return <f64>load<u32>(at, REMAINING);
    return kind <= VERBOSE || kind == CONTAINERS ? <f64>load<u32>(at, REMAINING) * 2 : 0;
  }

  /** Is it possible that so many bytes more than what is still to come follow behind `at`? */
  static plausible(at: usize, more: f64): bool {
    return Input.offset(at) + Frames.owed + Frames.claim(Frames.top) + more <= Settings.inputEnd;
  }

  /** A new frame on top, with the next number. */
  static push(kind: u32, inArray: bool, site: usize): bool {
    const index = Frames.deliver(inArray, site);
    const top = (Frames.slot + 15) & ~15;
    if (top + FRAME * 3 > Frames.end && !Frames.deepen(top)) {
      Stops.fail(ERROR_MEMORY, Input.cursor);
      return false;
    }
    store<u32>(Frames.top, <u32>Frames.slot, SLOT);
    store<f64>(top, Frames.owed, OWED);
    Frames.owed += Frames.claim(Frames.top);
    store<u32>(top, kind, KIND);
    store<u32>(top, 0, REMAINING);
    store<u32>(top, <u32>NODES, NODE);
    store<u32>(top, Frames.number, NUMBER);
    store<u32>(top, <u32>Frames.top, BELOW);
    store<u32>(top, index, INDEX);
    store<u32>(top, inArray ? TO_ARRAY : 0, FLAGS);
    store<u32>(top, 0, HEADER);
    store<u32>(top, 0, PENDING);
    store<u32>(top, 0, COUNTERS);
    store<u32>(top, 0, HELD);
    store<u32>(top, 0, MARK);
    if (kind != NUMBERS) Frames.balance += OPENED;
    store<i32>(top, Frames.account(), BALANCE);
    Frames.top = top;
    Frames.slot = top + FRAME;
    Frames.number++;
    Frames.depth++;
    return true;
  }

  /** {@link Frames.balance} so far, with the bytes. */
  @inline
  static account(): i32 {
    return Frames.balance - <i32>min(Input.position() / BYTES, 2147483647);
  }

  /** The container on top is whole. */
  @inline
  static pop(): void {
    const inArray = load<u32>(Frames.top, FLAGS) & TO_ARRAY;
    Frames.children = load<u32>(Frames.top, INDEX) + (inArray ? 0 : 1);
    Frames.owed = load<f64>(Frames.top, OWED);
    Frames.top = <usize>load<u32>(Frames.top, BELOW);
    Frames.slot = <usize>load<u32>(Frames.top, SLOT);
    Frames.depth--;
  }
}
