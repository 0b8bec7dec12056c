// Arrays begin and end (formats/elephant.md §5).
import { ARRAY_CODE, BOOL, blockEnd, CONSTRUCTED, F64, MOST_NUMBERS, Numbers, STRING, TEXT, U64, UNDEFINED } from "../numbers";
import {
  ARRAY,
  ARRAY_F64,
  ARRAY_I32,
  ARRAY_NUMBERS,
  ARRAY_TABLE,
  ARRAY_TYPED,
  ARRAY_UNDEFINED,
  CLOSE_ARRAY,
  ERROR_ELEMENTS,
  ERROR_UNKNOWN_DATATYPE,
  OPEN_ARRAY,
  STATUS_ERROR,
  STATUS_FLUSH,
  STATUS_INPUT,
  TO_ARRAY,
} from "../ops";
import {
  CONTAINERS,
  DATATYPE,
  FLAGS,
  Frames,
  GENERATION,
  HEADER,
  INDEX,
  NUMBER,
  NUMBERS,
  PROGRAM,
  REMAINING,
  VALUES,
  VERSION,
} from "./frames";
import { Input } from "./input";
import { Settings } from "./settings";
import { ON, Stops } from "./stops";
import { Tags } from "./tags";
import { Tape } from "./tape";

/** Bytes from which on an array of numbers is left in the input: copying them into the window and the tape costs more than the jump over them. */
const NUMBERS_LEFT: usize = 8192;
/** The same for bools, which take eight times as much of the tape. */
const BOOLS_LEFT: u32 = 128;

/** Elements without bytes that are made before JavaScript looks at its clock: some two milliseconds, where a window could hold forty million. */
const EMPTY_AT_ONCE: u32 = 1 << 18;

export class Arrays {
  /** An operation that makes a whole array; its elements are to follow. */
  private static whole(operation: u32, length: u32, inArray: bool, site: usize, datatype: u32): void {
    const index = Frames.deliver(inArray, site);
    Tape.emit2(operation, inArray ? TO_ARRAY : 0, length, Frames.number++, index, datatype);
  }

  /** An array that stays in the input, from the cursor on up to `end`. */
  private static leave(operation: u32, datatype: u32, length: u32, end: usize, inArray: bool, site: usize): i32 {
    Arrays.whole(operation, length, inArray, site, datatype);
    store<f64>(Tape.end, Input.position());
    Tape.end += 8;
    Input.cursor = end;
    return Input.cursor > Input.limit ? STATUS_INPUT : ON;
  }

  static open(p: usize, length: u32, inArray: bool, site: usize): i32 {
    Input.cursor = p;
    if (length == 0) {
      Arrays.whole(ARRAY_UNDEFINED, 0, inArray, site, 0);
      return ON;
    }
    const code = <u32>load<u8>(p);
    const datatype = Tags.of(code);
    p++;
    if (datatype == 0) return Stops.fail(ERROR_UNKNOWN_DATATYPE, p - 1);
    Input.cursor = p;
    if (datatype == UNDEFINED) {
      Frames.emptyElements += <f64>length;
      if (Frames.emptyElements > Settings.maxEmpty) return Stops.fail(ERROR_ELEMENTS, p);
      Arrays.whole(ARRAY_UNDEFINED, length, inArray, site, 0);
      Frames.unmade += length;
      if (Frames.unmade < EMPTY_AT_ONCE) return ON;
      Frames.unmade = 0;
      return STATUS_FLUSH;
    }
    const numeric = datatype <= F64 || datatype == U64;
    const bytes = <usize>length * Numbers.size(datatype);
    const hold = datatype >= ARRAY_CODE;
    // More elements than bytes are left: nothing is made for them. For numbers their own bytes are asked for, whatever is made of them.
    // Instances of 1.0.0 without fields are a version byte each; other containers have a length word.
    if (
      numeric
        ? Input.position() + <f64>bytes > Settings.inputEnd
        : !Frames.plausible(p, <f64>length * (hold && datatype != CONSTRUCTED ? 2 : 1))
    )
      return Stops.fail(0, p);
    if (numeric && (Settings.typedArrays || (datatype != U64 && (!Settings.exactScalars || datatype == F64)))) {
      if (Settings.typedArrays || (Settings.leaveNumbers && bytes >= NUMBERS_LEFT && datatype != U64)) {
        return Arrays.leave(Settings.typedArrays ? ARRAY_TYPED : ARRAY_NUMBERS, datatype, length, p + bytes, inArray, site);
      }
      if (p + bytes <= Input.limit && length <= MOST_NUMBERS) {
        Arrays.whole(Numbers.block(p, datatype, length, Tape.end + 16) ? ARRAY_I32 : ARRAY_F64, length, inArray, site, 0);
        Tape.end = blockEnd;
        Input.cursor = p + bytes;
        return ON;
      }
      if (!Frames.push(NUMBERS, inArray, site)) return STATUS_ERROR;
      store<u32>(Frames.top, datatype, DATATYPE);
      Arrays.begin(length, 0);
      return ON;
    }
    if (datatype == BOOL && Settings.leaveNumbers && length >= BOOLS_LEFT)
      return Arrays.leave(ARRAY_NUMBERS, datatype, length, p + length, inArray, site);
    if (!Frames.push(hold ? CONTAINERS : VALUES, inArray, site)) return STATUS_ERROR;
    store<u32>(Frames.top, datatype == TEXT ? STRING : datatype, DATATYPE);
    store<u32>(Frames.top, code, VERSION);
    Arrays.begin(length, 1);
    return ON;
  }

  private static begin(length: u32, joins: u32): void {
    store<u32>(Frames.top, length, REMAINING);
    store<u32>(Frames.top, <u32>Tape.end, HEADER);
    store<u32>(Frames.top, Tape.generation, GENERATION);
    store<u32>(Frames.top, <u32>Tape.end, PROGRAM);
    const flags = load<u32>(Frames.top, FLAGS) & TO_ARRAY;
    Tape.emit2(OPEN_ARRAY, flags, length, load<u32>(Frames.top, NUMBER), load<u32>(Frames.top, INDEX), 0);
    if (joins) {
      Tape.joinable = Frames.top;
      Tape.joinEnd = Tape.end;
    }
  }

  static close(): i32 {
    const opening = <usize>load<u32>(Frames.top, PROGRAM);
    // All of its values follow its opening on this tape: one operation.
    if (
      load<u32>(Frames.top, GENERATION) == Tape.generation &&
      load<u32>(opening, 12) == load<u32>(opening) >> 8 &&
      Tape.joinable == Frames.top &&
      Tape.joinEnd == Tape.end &&
      load<u32>(Frames.top, HEADER) == <u32>opening
    ) {
      const common = load<u32>(Frames.top, DATATYPE);
      const operation = common == STRING || common == BOOL || common == U64 ? ARRAY_TABLE : ARRAY;
      store<u32>(opening, (load<u32>(opening) & ~63) | operation);
    } else {
      Tape.emit(CLOSE_ARRAY, 0, 0, 0);
      Tape.end += 8;
    }
    Tape.joinable = 0;
    Frames.pop();
    return ON;
  }
}
