// Strict instances that hold others: trees, scenes, lists of lists. How many there are inside one varies, so no layout fits them, and an
// operation for each that opens and each that closes would cost more than what they hold. They are put on the tape as they stand in the file,
// fields in order, each container as a box with its contents behind it; JavaScript reads them by functions that call one another. Plain structs
// belong to it where they hold no containers themselves.
//
// What does not belong here, or is not there yet, ends the operation wherever it stands: at the last container that began, a box says so, and the
// containers that are open become frames of the reader's stack. So nothing here decides what is valid, as in layouts.ts.
import { Constructors, PROGRAM_FIELDS, PROGRAM_HEAD, PROGRAM_HITS, PROGRAM_MISSES, PROGRAM_NESTS, PROGRAM_SHAPE } from "./constructors";
import { Layouts } from "./layouts";
import { NESTED, NESTED_FRAME, NODE_SIZE, NODES, OPEN_STRUCTS, TAPE_SOFT } from "./memory";
import { ANY, ARRAY_CODE, BOOL, blockEnd, F64, Numbers, STRING, STRUCT_CODE, TEXT, UNDEFINED } from "./numbers";
import {
  BOX_CUT,
  BOX_ELEMENTS,
  BOX_INSTANCE,
  BOX_REFERENCE,
  BOX_STRUCT,
  BOX_TABLE,
  KIND_CHILD,
  KIND_NUMBER,
  KIND_REFERENCE,
  KIND_TABLE,
} from "./ops";
import { KINDS, LENGTH, NEXT, OTHER, PARENT, Shapes, SITE } from "./shapes";
import { Slots } from "./slots";
import { Strings, stringId } from "./strings";
import { Text } from "./text";

// ---- frames: containers that are open ----
/** Program of an instance, or the code of an array's elements, which is below {@link CODES_END}. */
export const NESTED_KIND: usize = 0;
/** Fields or elements still to come, the one that is being read among them. */
export const NESTED_REMAINING: usize = 4;
/** That field of an instance; of an array, the field that it is in. */
export const NESTED_FIELD: usize = 8;
export const NESTED_NUMBER: usize = 12;

export const CODES_END: u32 = 32;

// ---- what is known of a program ----
const UNKNOWN: u32 = 0;
const NESTS: u32 = 1;
const DEAD: u32 = 2;

/** Versions with more fields are read by the general steps: what stands between two containers has to fit behind the tape's soft end. */
const MOST_FIELDS: u32 = 64;
/** Longer arrays are frames of the reader, which looks at what their length may claim. */
const LONGEST: u32 = 64;
const LONGEST_NAME: usize = 128;
/** Containers that had to become frames after which a program is given up, if they are more than a quarter of all. */
const ENOUGH: u32 = 64;

// ---- where it has ended ----
export let nestedCursor: usize = 0;
export let nestedTape: usize = 0;
export let nestedNumber: u32 = 0;
/** The newest open container, {@link NESTED} if there is none; those around it are before it, the first one behind {@link NESTED}. */
export let nestedTop: usize = NESTED;

// ---- of the last plain struct ----
let structEnd: usize = 0;
let structMisfit: bool = false;

export class Nested {
  /** An instance of `program` holds containers in an array, or an instance in a field that may hold anything. */
  static found(program: usize): void {
    if (load<u32>(program, PROGRAM_NESTS) == UNKNOWN && load<u32>(program, PROGRAM_FIELDS) <= MOST_FIELDS)
      store<u32>(program, NESTS, PROGRAM_NESTS);
  }

  /** Is this a program whose instances are worth trying? */
  @inline
  static nests(program: usize): bool {
    return load<u32>(program, PROGRAM_NESTS) == NESTS;
  }

  /** The program of the strict instance without skip list at `p`, seven bytes of which are there; or 0. */
  @inline
  static program(p: usize): usize {
    const version = <u32>load<u8>(p, 4);
    if (load<u16>(p, 0, 1) != 0xfffe || version >= 128 || load<u16>(p, 5, 1) != 0) return 0;
    const known = Constructors.known(<u32>load<u16>(p, 2, 1));
    return known ? Constructors.program(known - 1, version) : 0;
  }

  /**
   * Reads up to `most` structs, the first of which has the number `first` and the program `entry`, and puts them at `out`; returns how many there are
   * on the tape, the last of them perhaps cut off. `levels`: how deep they may go, `nodes`: how many containers there may be,
   * `last`: where the bytes end that nothing around them claims.
   */
  static read(entry: usize, p: usize, end: usize, out: usize, most: u32, first: u32, levels: u32, nodes: u32, last: usize): u32 {
    let top: usize = NESTED;
    const highest = top + <usize>levels * NESTED_FRAME;
    let number = first;
    const lastNumber = first + nodes;
    // Before it no open array can claim what is not there, however deep it is.
    const safe = <isize>last - ((<isize>most) << 1) - 3 - ((<isize>LONGEST) << 1);
    // The container on top: what is asked for is like an array of structs.
    let kind: u32 = STRUCT_CODE;
    let remaining = most;
    let field: usize = 0;
    store<u32>(top, kind, NESTED_KIND);
    // Where a container began last; the frames from the lowest to `markTop` are as they were there.
    let markP = p;
    let markOut = out;
    let markTop = top;
    let markNumber = number;
    let misfit = false;
    let whole = false;
    // Instances of one version begin alike.
    let beginning: u64 = 0;
    let program: usize = 0;
    while (true) {
      if (!remaining) {
        if (top == NESTED) {
          whole = true;
          break;
        }
        // Back to the container around it.
        top -= NESTED_FRAME;
        kind = load<u32>(top, NESTED_KIND);
        remaining = load<u32>(top, NESTED_REMAINING) - 1;
        field = <usize>load<u32>(top, NESTED_FIELD);
        if (kind >= CODES_END) field += NODE_SIZE;
        continue;
      }
      const member = kind >= CODES_END;
      let datatype: u32;
      let at = p;
      if (member) {
        datatype = load<u32>(field, PARENT);
        if (datatype - 1 < TEXT) {
          if (datatype == F64 && load<u32>(field, KINDS) - KIND_NUMBER < 2) {
            // One that has had fractions is not asked again.
            if (p + 8 > end) break;
            const value = load<f64>(p, 0, 1);
            store<f64>(out, value == value ? value : f64.NaN);
            p += 8;
          } else {
            const next = Nested.scalar(at, end, datatype, out, field, true);
            if (!next) break;
            p = next;
          }
          out += 8;
          field += NODE_SIZE;
          remaining--;
          continue;
        }
        if (datatype == 0) {
          // The flag key with the value false: no bytes, no slot.
          field += NODE_SIZE;
          remaining--;
          continue;
        }
        if (datatype == ANY) {
          if (p >= end) break;
          datatype = Layouts.datatype(load<u8>(p));
          at = p + 1;
        }
      } else {
        markP = p;
        markOut = out;
        markTop = top;
        markNumber = number;
        store<u32>(top, remaining, NESTED_REMAINING);
        store<u32>(top, <u32>field, NESTED_FIELD);
        if (out >= TAPE_SOFT || Strings.full()) break;
        datatype = kind;
        if (datatype == ANY) {
          if (p >= end) break;
          datatype = Layouts.datatype(load<u8>(p));
          at = p + 1;
        }
      }
      if (datatype != STRUCT_CODE && datatype != ARRAY_CODE) {
        if (datatype == ANY || datatype == 0) {
          misfit = true;
          break;
        }
        const next = Nested.scalar(at, end, datatype, out, field, member);
        if (!next) break;
        p = next;
        out += 8;
        if (member) field += NODE_SIZE;
        remaining--;
        continue;
      }
      // A container, or a reference to one. What ends with the input in less than seven bytes is left to the general steps.
      if (at + 7 > end) break;
      const word = <u32>load<u16>(at, 0, 1);
      if (word == 0xffff) {
        const target = <u32>load<u16>(at, 2, 1);
        if (target >= number || load<u32>(OPEN_STRUCTS + ((<usize>target) << 2))) {
          misfit = true;
          break;
        }
        if (member) {
          Shapes.note(field, KIND_REFERENCE);
          field += NODE_SIZE;
        }
        Slots.box(out, BOX_REFERENCE, target);
        out += 8;
        p = at + 4;
        remaining--;
        continue;
      }
      if (member) {
        Shapes.note(field, KIND_CHILD);
        markP = p;
        markOut = out;
        markTop = top;
        markNumber = number;
        store<u32>(top, remaining, NESTED_REMAINING);
        store<u32>(top, <u32>field, NESTED_FIELD);
      }
      // Fields alone may lead from one container to the next, through more than the tape holds.
      if (number == lastNumber || top == highest || out >= TAPE_SOFT) break;
      if (datatype == STRUCT_CODE) {
        if (word < 0xfffe) {
          const next = Nested.struct(at, end, out, number);
          if (!next) {
            misfit = structMisfit;
            break;
          }
          p = next;
          out = structEnd;
          number++;
          remaining--;
          if (member) field += NODE_SIZE;
          continue;
        }
        const start = load<u64>(at, 0, 1) << 8;
        if (start != beginning) {
          program = Nested.program(at);
          if (!program || load<u32>(program, PROGRAM_FIELDS) > MOST_FIELDS) {
            misfit = true;
            break;
          }
          beginning = start;
        }
        Slots.box(out, BOX_INSTANCE, load<u32>(program, PROGRAM_SHAPE));
        out += 8;
        p = at + 7;
        top += NESTED_FRAME;
        kind = <u32>program;
        remaining = load<u32>(program, PROGRAM_FIELDS);
        field = program + PROGRAM_HEAD;
        store<u32>(top, kind, NESTED_KIND);
        store<u32>(top, number++, NESTED_NUMBER);
        continue;
      }
      const code = Layouts.datatype(load<u8>(at, 2));
      if (word == 0) {
        Slots.box(out, BOX_ELEMENTS, 0);
        out += 8;
        p = at + 2;
      } else if (word > LONGEST) break;
      else if (code >= STRING && <isize>(at + ((top - NESTED) << 3)) > safe && Nested.claimed(at + 3, code, word, top) > last) break;
      else if (code >= ANY && code <= STRUCT_CODE) {
        Slots.box(out, BOX_ELEMENTS + 4, word);
        out += 8;
        p = at + 3;
        top += NESTED_FRAME;
        kind = code;
        remaining = word;
        store<u32>(top, kind, NESTED_KIND);
        store<u32>(top, number++, NESTED_NUMBER);
        continue;
      } else if (code == STRING) {
        if (Strings.full()) break;
        p = at + 3;
        Slots.box(out, BOX_ELEMENTS + 3, word);
        out += 8;
        let left = word;
        for (; left > 0; left--, out += 8) {
          const next = p < end ? Strings.next(p, end, field + SITE) : 0;
          if (!next) break;
          Slots.box(out, BOX_TABLE, stringId);
          p = next;
        }
        if (left) break;
      } else if (code - 1 < F64) {
        const bytes = <usize>word * Numbers.size(code);
        if (at + 3 + bytes > end) break;
        Slots.box(out, BOX_ELEMENTS + (Numbers.block(at + 3, code, word, out + 8) ? 1 : 2), word);
        out = blockEnd;
        p = at + 3 + bytes;
      } else {
        misfit = true;
        break;
      }
      number++;
      remaining--;
      if (member) field += NODE_SIZE;
    }
    const hits = load<u32>(entry, PROGRAM_HITS) + markNumber - first;
    store<u32>(entry, hits, PROGRAM_HITS);
    if (!whole) {
      const misses = load<u32>(entry, PROGRAM_MISSES) + <u32>(markTop - NESTED) / <u32>NESTED_FRAME + <u32>misfit;
      store<u32>(entry, misses, PROGRAM_MISSES);
      if (misses >= ENOUGH && misses * 4 > hits) store<u32>(entry, DEAD, PROGRAM_NESTS);
    }
    nestedTop = NESTED;
    if (whole) {
      nestedCursor = p;
      nestedTape = out;
      nestedNumber = number;
      return most;
    }
    nestedCursor = markP;
    nestedTape = markOut;
    nestedNumber = markNumber;
    const done = most - load<u32>(NESTED, NESTED_REMAINING);
    if (markTop == NESTED) return done;
    // In the middle: the containers that are open go on by themselves.
    Slots.box(markOut, BOX_CUT, 0);
    nestedTape = markOut + 8;
    nestedTop = markTop;
    return done + 1;
  }

  /** The least address at which all may end that is open up to `top`, with an array of `length` elements at `p`; as the reader's frames claim it. */
  private static claimed(p: usize, code: u32, length: u32, top: usize): usize {
    let claims = code == ARRAY_CODE || code == STRUCT_CODE ? length << 1 : length;
    for (let at: usize = NESTED; at <= top; at += NESTED_FRAME) {
      const kind = load<u32>(at, NESTED_KIND);
      if (kind < CODES_END) claims += (load<u32>(at, NESTED_REMAINING) - 1) << (kind == ANY ? 0 : 1);
    }
    return p + claims;
  }

  /** The plain struct at `p`, which has the number `own`, as a box and a row of its shape at `out`; the address behind it, or 0. */
  private static struct(p: usize, end: usize, out: usize, own: u32): usize {
    structMisfit = false;
    const count = <u32>load<u16>(p, 0, 1);
    const header = out;
    let node: usize = NODES;
    p += 2;
    out += 8;
    structMisfit = count > MOST_FIELDS;
    if (structMisfit) return 0;
    for (let left = count; left > 0; left--, out += 8) {
      let child = <usize>load<u32>(node, NEXT);
      if (!Shapes.follows(child, p)) {
        child = <usize>load<u32>(node, OTHER);
        if (Shapes.follows(child, p)) Shapes.expect(node, child);
        else {
          const stop = Text.end(p);
          // Not all there, or its text would not fit this chunk.
          if (stop >= end || Strings.full()) return 0;
          child = stop - p < LONGEST_NAME ? Shapes.child(node, p, <u32>(stop - p)) : 0;
          structMisfit = !child;
          if (structMisfit) return 0;
        }
      }
      node = child;
      p += load<u32>(child, LENGTH);
      if (p >= end) return 0;
      const datatype = Layouts.datatype(load<u8>(p));
      p++;
      if (datatype == STRUCT_CODE || datatype == ARRAY_CODE) {
        if (p + 4 > end) return 0;
        const target = <u32>load<u16>(p, 2, 1);
        structMisfit = load<u16>(p, 0, 1) != 0xffff || target >= own || load<u32>(OPEN_STRUCTS + ((<usize>target) << 2)) != 0;
        if (structMisfit) return 0;
        Shapes.note(child, KIND_REFERENCE);
        Slots.box(out, BOX_REFERENCE, target);
        p += 4;
        continue;
      }
      structMisfit = datatype == 0 || datatype == ANY;
      if (structMisfit) return 0;
      p = Nested.scalar(p, end, datatype, out, child, true);
      if (!p) return 0;
    }
    Slots.box(header, BOX_STRUCT, (<u32>(node - NODES) / <u32>NODE_SIZE) << 1);
    structEnd = out;
    return p;
  }

  /** A scalar at `p` into the slot `out`; `member`: it is the value of `field`, not an element of it. The address behind it, or 0. */
  private static scalar(p: usize, end: usize, datatype: u32, out: usize, field: usize, member: bool): usize {
    let index: u32 = 0;
    let next = p;
    if (datatype <= F64) {
      next = p + (datatype == F64 ? 8 : Numbers.size(datatype));
      if (next > end) return 0;
      const value = Numbers.read(p, datatype);
      if (member) Slots.numeric(out, field, value);
      else Slots.loose(out, value);
      return next;
    }
    if (datatype == STRING || datatype == TEXT) {
      if (p >= end || Strings.full()) return 0;
      next = Strings.next(p, end, field + SITE);
      if (!next) return 0;
      index = stringId;
    } else if (datatype == BOOL) {
      if (p >= end) return 0;
      index = load<u8>(p) == 1 ? 2 : 1;
      next = p + 1;
    } else if (datatype != UNDEFINED) {
      if (p + 8 > end || Strings.full()) return 0;
      index = Strings.wide(load<u64>(p, 0, 1));
      next = p + 8;
    }
    if (member) Shapes.note(field, KIND_TABLE);
    Slots.box(out, BOX_TABLE, index);
    return next;
  }
}
