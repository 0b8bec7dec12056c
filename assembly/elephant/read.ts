// Reading: bytes of the input window to the op stream. A state machine over an explicit stack of open containers; it stops when its window,
// tape or string chunk is full and goes on with the next call. Every step is done whole or not at all: what lies behind the window's
// end is zeros, so a step may run into it, and is then undone by not moving the cursor. Rules: formats/elephant.md.

import { Constructors } from "./constructors";
import { Layouts } from "./layouts";
import { CODES, NESTS, WORTH_A_TRY } from "./layouts/words";
import {
  NESTED,
  NESTED_COUNT,
  NESTED_CURSOR,
  NESTED_DATATYPE,
  NESTED_INDEX,
  NESTED_MARK,
  NESTED_UNMARKED,
  OPEN_STRUCTS,
  STACK,
  TABLE_HELD,
  TAPE,
  TAPE_SOFT,
} from "./memory";
import { ANY } from "./numbers";
import { BOX_TABLE, ROOT_SCALAR, STATUS_DONE, STATUS_FLUSH, STATUS_INPUT, STATUS_NESTED } from "./ops";
import { Containers } from "./read/containers";
import { Elements } from "./read/elements";
import { Fields } from "./read/fields";
import {
  CONSTRUCTOR,
  CONTAINERS,
  COUNTERS,
  FLAGS,
  FRAME,
  Frames,
  KIND,
  NUMBERS,
  PAIRS,
  PENDING,
  REMAINING,
  ROOT,
  STRICT,
  VALUES,
  VERBOSE,
  VERSIONING,
} from "./read/frames";
import { Input } from "./read/input";
import { Instances } from "./read/instances";
import { Members } from "./read/members";
import { Nested } from "./read/nested";
import { Pairs } from "./read/pairs";
import { Scalars } from "./read/scalars";
import { Settings } from "./read/settings";
import { ON, Stops } from "./read/stops";
import { Tags } from "./read/tags";
import { Tape } from "./read/tape";
import { Shapes } from "./shapes";
import { Slots } from "./slots";
import { Strings } from "./strings";

export class Reader {
  /** A read begins; `flags`: 1 typed arrays, 2 exact scalars, 4 the whole input is there. */
  static begin(release: u32, firstCode: u32, flags: u32, depthLimit: u32, nodeLimit: f64, emptyLimit: f64, end: f64): void {
    if (Strings.namesFull() || Shapes.full() || Layouts.full()) {
      Strings.forgetNames();
      Shapes.forget();
      Layouts.forget();
    }
    Layouts.begin();
    Settings.layouts = release >= 150 && firstCode == CODES;
    Settings.nests = Settings.layouts && (flags & 3) == 0;
    Strings.forgetValues();
    Strings.flush();
    Settings.release = release;
    Settings.codes = firstCode;
    Settings.typedArrays = (flags & 1) != 0;
    Settings.exactScalars = (flags & 2) != 0;
    Settings.leaveNumbers = (flags & 4) != 0;
    Settings.maxDepth = depthLimit;
    Settings.maxNodes = nodeLimit;
    Settings.maxEmpty = emptyLimit;
    Settings.inputEnd = end;
    Tape.end = TAPE;
    Tape.joinable = 0;
    Tape.generation++;
    Frames.depth = 0;
    Frames.number = 0;
    Frames.children = 0;
    Frames.held = TABLE_HELD;
    Frames.containers = 0;
    Frames.emptyElements = 0;
    Frames.unmade = 0;
    Frames.owed = 0;
    // A call that failed left structs open.
    if (Frames.top != STACK) memory.fill(OPEN_STRUCTS, 0, 65536 * 4);
    Constructors.begin();
    store<i32>(NESTED_UNMARKED, WORTH_A_TRY, NESTS);
    Frames.top = STACK;
    Frames.end = (<usize>memory.size()) << 16;
    memory.fill(Frames.top, 0, FRAME);
    store<u32>(Frames.top, ROOT, KIND);
    store<u32>(Frames.top, 1, REMAINING);
    Frames.slot = STACK + FRAME;
  }

  /** Between two steps: makes what is on the tape ready to be taken although nothing is full. False: a string is still awaited. */
  static flush(): bool {
    if (load<u32>(Frames.top, PENDING)) return false;
    Frames.hold();
    return true;
  }

  static flushed(): void {
    Tape.end = TAPE;
    Tape.joinable = 0;
    Tape.generation++;
    Strings.flush();
  }

  /** The constructor of the frame on top is known now: its registered id. */
  static constructorIs(index: u32, id: u32, skip: usize): void {
    Input.cursor += skip;
    Constructors.is(index, id);
    store<u32>(Frames.top, id, CONSTRUCTOR);
    store<u32>(Frames.top, VERSIONING, KIND);
  }

  /** JavaScript has read what was left to it ({@link Nested.leave}), or nothing of it. */
  static nestedRead(): i32 {
    const count = load<u32>(NESTED, NESTED_COUNT);
    const inArray = load<i32>(NESTED, NESTED_INDEX) < 0;
    Input.cursor = <usize>load<u32>(NESTED, NESTED_CURSOR);
    if (count) return Nested.take(count, inArray);
    const datatype = load<u32>(NESTED, NESTED_DATATYPE);
    // Behind its tag, of which it is known that a container follows.
    const p = Tags.read(Input.cursor, datatype);
    return Containers.isReference(p)
      ? Containers.reference(p, inArray, Nested.site)
      : Containers.openAt(p, Tags.datatype, 0, inArray, Nested.site, load<u32>(NESTED, NESTED_MARK));
  }

  /** Reads until something stops it: a STATUS of ops.ts. */
  static run(): i32 {
    // A string that JavaScript has found may end far behind the window, even behind the end of memory.
    if (Input.cursor > Input.limit) return STATUS_INPUT;
    let status = ON;
    while (status == ON) {
      if ((Tape.end >= TAPE_SOFT || Strings.full()) && !load<u32>(Frames.top, PENDING)) {
        Frames.hold();
        return STATUS_FLUSH;
      }
      const kind = load<u32>(Frames.top, KIND);
      if (kind <= VERBOSE) status = load<u32>(Frames.top, FLAGS) & PAIRS ? Pairs.read() : Members.read();
      else if (kind == STRICT) status = Fields.read();
      else if (kind == CONTAINERS) status = Elements.containers();
      else if (kind == VALUES) status = Elements.values();
      else if (kind == NUMBERS) status = Elements.numbers();
      else if (kind == ROOT) status = Reader.root();
      else status = Instances.begin(kind);
    }
    if (status == STATUS_FLUSH || status == STATUS_NESTED) Frames.hold();
    return status;
  }

  private static root(): i32 {
    if (!load<u32>(Frames.top, REMAINING)) return STATUS_DONE;
    let p = Input.cursor;
    const at = Tape.end + 8;
    // Looked at first: files without footer end right behind it.
    if (load<u32>(Frames.top, PENDING)) {
      Slots.box(at, BOX_TABLE, Stops.longId);
      Tape.emit(ROOT_SCALAR, 0, 0, 0);
      Tape.end += 16;
      store<u32>(Frames.top, 0, REMAINING);
      return STATUS_DONE;
    }
    p = Tags.read(p, ANY);
    if (!p) return Stops.reason;
    if (Tags.holds()) {
      if (!Containers.headerFits(p, Tags.datatype)) return STATUS_INPUT;
      store<u32>(Frames.top, 0, REMAINING);
      Input.cursor = p;
      return Containers.open(p, Tags.datatype, Tags.code, 0);
    }
    p = Scalars.read(p, Tags.datatype, at, 0, Frames.top + COUNTERS, true);
    if (!p) return Stops.reason;
    Tape.emit(ROOT_SCALAR, 0, 0, 0);
    Tape.end += 16;
    Input.cursor = p;
    store<u32>(Frames.top, 0, REMAINING);
    return STATUS_DONE;
  }
}
