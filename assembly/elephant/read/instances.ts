// The beginning of constructed structs: constructor, version, skip list (formats/elephant.md §8, §9).
import { Constructors, PROGRAM_FIELDS, PROGRAM_HEAD } from "../constructors";
import {
  ERROR_BAD_SKIP_INDEX,
  ERROR_MEMORY,
  OPEN_INSTANCE,
  STATUS_CONSTRUCTOR,
  STATUS_ERROR,
  STATUS_INPUT,
  STATUS_SCHEMA,
  TO_ARRAY,
} from "../ops";
import {
  CONSTRUCTOR,
  COUNTING,
  FLAGS,
  FRAME,
  Frames,
  GENERATION,
  HEADER,
  HELD,
  INDEX,
  KIND,
  NAMING,
  NODE,
  NUMBER,
  PAIRS,
  PROGRAM,
  REMAINING,
  SKIPPING,
  STRICT,
  VERBOSE,
  VERSION,
  VERSIONING,
} from "./frames";
import { Input } from "./input";
import { Settings } from "./settings";
import { ON, Stops } from "./stops";
import { Tape } from "./tape";

export class Instances {
  /** A bitmap of fields to skip in front of the slots of the frame on top; false when there is no memory. */
  static skipList(fields: u32): bool {
    const bytes = (<usize>(fields + 63) >> 3) & ~7;
    if (Frames.slot + bytes + FRAME * 2 > Frames.end && !Frames.deepen(Frames.slot + bytes)) return false;
    memory.fill(Frames.slot, 0, bytes);
    store<u32>(Frames.top, <u32>Frames.slot, HEADER);
    // It may have been looked at before the bitmap was there, which holds no values.
    store<u32>(Frames.top, 0, HELD);
    store<u32>(Frames.top, load<u32>(Frames.top, FLAGS) | PAIRS, FLAGS);
    Frames.slot += bytes;
    store<u32>(Frames.top, <u32>Frames.slot, GENERATION);
    return true;
  }

  /** An instance of the constructor `index` of this file begins with what has to be known of it. */
  static open(index: u32, inArray: bool, site: usize): i32 {
    const known = Constructors.known(index);
    if (!Frames.push(known ? VERSIONING : NAMING, inArray, site)) return STATUS_ERROR;
    store<u32>(Frames.top, known ? known - 1 : index, CONSTRUCTOR);
    return ON;
  }

  /** The next step of a frame of KIND NAMING to COUNTING. */
  static begin(kind: u32): i32 {
    const p = Input.cursor;
    if (kind == NAMING) {
      Stops.detail = load<u32>(Frames.top, CONSTRUCTOR);
      return STATUS_CONSTRUCTOR;
    }
    if (kind == VERSIONING) {
      if (p >= Input.limit) return STATUS_INPUT;
      const byte = <u32>load<u8>(p);
      const verbose = Settings.release >= 130 ? byte >> 7 != 0 : byte == 0;
      const version = Settings.release >= 130 ? byte & 127 : byte;
      const id = load<u32>(Frames.top, CONSTRUCTOR);
      store<u32>(Frames.top, version, VERSION);
      if (!verbose) {
        const program = Constructors.program(id, version);
        if (!program) {
          Stops.detail = id;
          Stops.detail2 = version;
          return STATUS_SCHEMA;
        }
        Instances.made(program, byte);
      } else Instances.made(0, byte);
      Input.cursor = p + 1;
      store<u32>(Frames.top, verbose ? COUNTING : Settings.release >= 150 ? SKIPPING : STRICT, KIND);
      return ON;
    }
    if (p + 2 > Input.limit) return STATUS_INPUT;
    const word = <u32>load<u16>(p, 0, 1);
    if (kind == COUNTING) {
      Input.cursor = p + 2;
      store<u32>(Frames.top, word, REMAINING);
      store<u32>(Frames.top, VERBOSE, KIND);
      return ON;
    }
    // The skip list (formats/elephant.md §9): any order, repetitions allowed; a bitmap in front of the frame's slots.
    Input.cursor = p + 2;
    if (word == 0) {
      store<u32>(Frames.top, STRICT, KIND);
      return ON;
    }
    const fields = load<u32>(Frames.top, REMAINING);
    if (word > fields) return Stops.fail(ERROR_BAD_SKIP_INDEX, p);
    if (!load<u32>(Frames.top, HEADER) && !Instances.skipList(fields)) return Stops.fail(ERROR_MEMORY, p);
    const bit = load<u32>(Frames.top, HEADER) + ((word - 1) >> 3);
    store<u8>(bit, load<u8>(bit) | <u8>((<u32>1) << ((word - 1) & 7)));
    return ON;
  }

  /** The instance of the frame on top is made; `program`: the fields of its strict version. */
  static made(program: usize, byte: u32): void {
    if (program) {
      store<u32>(Frames.top, <u32>program, PROGRAM);
      store<u32>(Frames.top, load<u32>(program, PROGRAM_FIELDS), REMAINING);
      store<u32>(Frames.top, <u32>(program + PROGRAM_HEAD), NODE);
    }
    const flags = load<u32>(Frames.top, FLAGS) & TO_ARRAY;
    Tape.emit2(OPEN_INSTANCE, flags, load<u32>(Frames.top, CONSTRUCTOR), load<u32>(Frames.top, NUMBER), load<u32>(Frames.top, INDEX), byte);
  }
}
