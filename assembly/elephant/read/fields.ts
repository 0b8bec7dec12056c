// Fields of strict schema versions, which have no names (formats/elephant.md §8).
import { PROGRAM_FIELDS } from "../constructors";
import { NODE_SIZE } from "../memory";
import { ANY } from "../numbers";
import { BOX_TABLE, ERROR_MEMORY, STATUS_FLUSH, STATUS_INPUT } from "../ops";
import { NAME_ID, PARENT, SITE } from "../shapes";
import { Slots } from "../slots";
import { Strings } from "../strings";
import { Containers } from "./containers";
import { FLAGS, FRAME, Frames, HEADER, NODE, PAIRS, PENDING, PROGRAM, REMAINING } from "./frames";
import { Input } from "./input";
import { Scalars } from "./scalars";
import { Stops } from "./stops";
import { Structs } from "./structs";
import { Tags } from "./tags";

export class Fields {
  static read(): i32 {
    const skips = load<u32>(Frames.top, FLAGS) & PAIRS;
    const bitmap = <usize>load<u32>(Frames.top, HEADER);
    const count = load<u32>(<usize>load<u32>(Frames.top, PROGRAM), PROGRAM_FIELDS);
    let remaining = load<u32>(Frames.top, REMAINING);
    let field = <usize>load<u32>(Frames.top, NODE);
    let p = Input.cursor;
    let at = Frames.slot;
    const most = at + ((<usize>remaining) << (skips ? 4 : 3)) + FRAME * 2;
    if (most > Frames.end && !Frames.deepen(most)) return Stops.fail(ERROR_MEMORY, p);
    let pending = load<u32>(Frames.top, PENDING) != 0;
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
        store<u32>(Frames.top, 0, PENDING);
        Slots.table(at, field, Stops.longId);
      } else if (datatype == 0) {
        // The flag key with the value false is a field without bytes (formats/elephant.md §8).
        Slots.table(at, field, 0);
      } else {
        Input.cursor = start;
        p = Tags.read(p, datatype);
        if (p) {
          if (!Tags.holds()) p = Scalars.read(p, Tags.datatype, at, field, field + SITE, tagged);
          else if (Containers.headerFits(p, Tags.datatype)) {
            Frames.save(p, at, field + NODE_SIZE, remaining - 1);
            return Containers.open(p, Tags.datatype, tagged ? Tags.code : 0, field);
          } else {
            Stops.reason = STATUS_INPUT;
            p = 0;
          }
        }
        if (!p) {
          Frames.save(Input.cursor, slotAt, field, remaining);
          return Stops.reason;
        }
      }
      at += 8;
      remaining--;
      field += NODE_SIZE;
      if (remaining && Strings.full()) {
        Frames.save(p, at, field, remaining);
        return STATUS_FLUSH;
      }
    }
    Frames.save(p, at, field, 0);
    return Structs.close();
  }
}
