// Strings and scalars in any place, other than the commonest.
import { BOOL, F64, Numbers, STRING, TEXT, U8, U64, UNDEFINED } from "../numbers";
import { BOX_TABLE, ERROR_UNKNOWN_DATATYPE, KIND_TABLE, STATUS_INPUT } from "../ops";
import { Shapes } from "../shapes";
import { Slots } from "../slots";
import { Strings, stringId } from "../strings";
import { Input } from "./input";
import { LongStrings } from "./long-strings";
import { Settings } from "./settings";
import { Stops } from "./stops";

export class Scalars {
  /**
   * A string or scalar, other than the commonest, into the slot `at`; returns the address behind it or 0 with {@link Stops.reason} set.
   * `site`: node of the field, or 0 for elements. `counters`: those of strings at its place. `tagged`: it was stored through any.
   */
  static read(p: usize, datatype: u32, at: usize, site: usize, counters: usize, tagged: bool): usize {
    Stops.reason = STATUS_INPUT;
    let index: u32 = 0;
    let next = p;
    if (datatype >= U8 && datatype <= F64) {
      next = p + Numbers.size(datatype);
      if (next > Input.limit) return 0;
      const value = Numbers.read(p, datatype);
      if (Settings.exactScalars && tagged && datatype != F64) {
        if (site) Shapes.mark(site, KIND_TABLE);
        Slots.box(at, BOX_TABLE, Strings.scalar(datatype, value));
      } else if (site) Slots.number(at, site, value);
      else Slots.loose(at, value);
      return next;
    }
    if (datatype == STRING || datatype == TEXT) {
      next = Strings.next(p, Input.limit, counters);
      if (!next) {
        if (p <= Input.limit) Stops.reason = LongStrings.find(p, 1);
        return 0;
      }
      index = stringId;
    } else if (datatype == UNDEFINED) {
      // no bytes
    } else if (datatype == BOOL) {
      next = p + 1;
      if (next > Input.limit) return 0;
      index = load<u8>(p) == 1 ? 2 : 1;
    } else if (datatype == U64) {
      next = p + 8;
      if (next > Input.limit) return 0;
      index = Strings.wide(p);
    } else {
      Stops.reason = Stops.fail(ERROR_UNKNOWN_DATATYPE, p - 1);
      return 0;
    }
    if (site) Shapes.mark(site, KIND_TABLE);
    Slots.box(at, BOX_TABLE, index);
    return next;
  }
}
