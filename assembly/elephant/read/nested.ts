// Containers that are left to JavaScript with all that they hold (src/elephant/read/nested.ts).
import { PROGRAM_FIELDS } from "../constructors";
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
} from "../memory";
import { ANY, UNDEFINED } from "../numbers";
import { ERROR_MEMORY, STATUS_ERROR, STATUS_NESTED } from "../ops";
import { CONTAINERS, DATATYPE, Frames, GENERATION, KIND, NODE, PROGRAM, REMAINING, STRICT, VALUES, VERBOSE, VERSION } from "./frames";
import { Input } from "./input";
import { Instances } from "./instances";
import { Settings } from "./settings";
import { ON, Stops } from "./stops";
import { Tape } from "./tape";

export class Nested {
  /** The field of the container that is left to JavaScript. */
  static site: usize = 0;

  /**
   * Leaves the container at `p` (the value, with its tag, where `datatype` is any), and those that follow in its array, to JavaScript, with all that they
   * hold (src/elephant/read/nested.ts). What it has to know is put at NESTED; what came of it stands there when {@link Nested.take} goes on.
   */
  static leave(found: usize, p: usize, datatype: u32, inArray: bool, site: usize): i32 {
    Input.cursor = p;
    Nested.site = site;
    const deepest = Settings.maxDepth - Frames.depth;
    const list = inArray && (load<u32>(Frames.top, KIND) == CONTAINERS || datatype == ANY);
    // What nothing around it claims, and no more than there may be containers: none has less than two bytes.
    const unclaimed = min(
      min(
        Settings.inputEnd - Input.position() - Frames.owed - (list ? 0 : Frames.claim(Frames.top)),
        (Settings.maxNodes - Frames.containers) * 2,
      ),
      268435456,
    );
    store<u32>(NESTED, <u32>p, NESTED_CURSOR);
    store<u32>(NESTED, <u32>Input.limit, NESTED_LIMIT);
    // This one has been taken off its list already.
    store<u32>(NESTED, list ? load<u32>(Frames.top, REMAINING) + 1 : 1, NESTED_COUNT);
    store<u32>(NESTED, Frames.number, NESTED_NUMBER);
    store<u32>(NESTED, deepest < NESTED_LEVELS ? deepest : NESTED_LEVELS, NESTED_DEPTH);
    store<u32>(NESTED, <u32>max(unclaimed, 0), NESTED_BYTES);
    store<i32>(NESTED, inArray ? -1 : <i32>Frames.children, NESTED_INDEX);
    store<u32>(NESTED, <u32>found, NESTED_MARK);
    store<u32>(NESTED, datatype, NESTED_DATATYPE);
    return STATUS_NESTED;
  }

  /** JavaScript has read `count` of them; those that it could not finish are open. */
  static take(count: u32, inArray: bool): i32 {
    const last = load<u32>(NESTED, NESTED_NUMBER);
    Frames.containers += <f64>(last - Frames.number);
    // A call takes as long as some operations: where calls read little, the struct around them is better left to JavaScript itself.
    Frames.balance += 12 - (last - Frames.number);
    Frames.deliver(inArray, Nested.site);
    store<u32>(Frames.top, load<u32>(Frames.top, REMAINING) + 1 - count, REMAINING);
    // Frames like those that the general steps make. What has been read of them is where it belongs.
    const open = NESTED + NESTED_FRAMES + <usize>load<u32>(NESTED, NESTED_DEPTH) * NESTED_FRAME;
    for (let from = NESTED + NESTED_FRAMES; from < open; from += NESTED_FRAME) {
      const kind = load<u32>(from);
      Frames.number = load<u32>(from, 12);
      // Plain structs are there already, like instances.
      if (!Frames.push(kind > UNDEFINED ? STRICT : kind == ANY ? VALUES : kind ? CONTAINERS : VERBOSE, true, 0)) {
        // All of them are forgotten.
        Frames.number = last;
        return STATUS_ERROR;
      }
      store<u32>(Frames.top, load<u32>(from, 4), REMAINING);
      if (kind > UNDEFINED) {
        // The fields that have their values are like skipped ones: those to come go by names.
        store<u32>(Frames.top, kind, PROGRAM);
        store<u32>(Frames.top, load<u32>(from, 8), NODE);
        if (!Instances.skipList(load<u32>(<usize>kind, PROGRAM_FIELDS))) {
          Frames.number = last;
          return Stops.fail(ERROR_MEMORY, Input.cursor);
        }
      } else if (kind) {
        store<u32>(Frames.top, kind, DATATYPE);
        store<u32>(Frames.top, kind, VERSION);
        store<u32>(Frames.top, Tape.generation - 1, GENERATION);
      }
    }
    Frames.number = last;
    return ON;
  }
}
