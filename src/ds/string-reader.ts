// The strings of a window: the kernel collects their text, and one call of the decoder serves all of them (20 ns instead of 100 each).
import { utf8, utf16 } from "../engine/platform-text.ts";
import { ASCII, KIND_ASCII, KIND_CESU, KIND_RAW, KIND_REPEAT, STRINGS, TAKEN, UNITS } from "./layout.ts";
import type { Machine } from "./machine.ts";
import { cesuText } from "./text.ts";
import type { DsValue } from "./types.ts";

export class StringReader {
  private readonly machine: Machine;
  private ascii!: string;
  private units!: string;
  private asciiEnd!: number;
  private unitEnd!: number;
  private repeats!: boolean;
  /** The next word of the kernel's row of strings. */
  private at!: number;
  /** ASCII strings, if any of them is repeated. */
  private strings!: string[];

  constructor(machine: Machine) {
    this.machine = machine;
  }

  /** Takes the strings among the next `values` values from the address `at` on; gives the address up to which it did. */
  take(at: number, values: number, layout: number): number {
    const { kernel, source, u8, i32 } = this.machine;
    const end = kernel.takeStrings(at, source.end, values, layout);
    const asciiSize = i32[TAKEN >> 2];
    const unitSize = i32[(TAKEN >> 2) + 1] * 2;
    this.ascii = asciiSize > 0 ? utf8.decode(u8.subarray(ASCII, ASCII + asciiSize)) : "";
    this.units = unitSize > 0 ? utf16.decode(u8.subarray(UNITS, UNITS + unitSize)) : "";
    this.repeats = i32[(TAKEN >> 2) + 2] > 0;
    this.asciiEnd = 0;
    this.unitEnd = 0;
    this.at = STRINGS >> 2;
    this.strings = [];
    return end;
  }

  /** The next string, whose bytes are at `from`. */
  next(from: number, size: number, plainText: boolean): DsValue {
    const word = this.machine.i32[this.at++];
    const payload = word >>> 3;
    const kind = word & 7;
    if (kind === KIND_ASCII) {
      const text = this.ascii.substring(this.asciiEnd, payload);
      this.asciiEnd = payload;
      if (this.repeats) this.strings.push(text);
      return text;
    }
    if (kind === KIND_REPEAT) return this.strings[payload];
    if (kind === KIND_RAW) return { type: "bytes", bytes: this.machine.u8.slice(from, from + size) };
    const text = this.units.substring(this.unitEnd, payload);
    this.unitEnd = payload;
    return kind === KIND_CESU && !plainText ? cesuText(text) : text;
  }

  /** Lets go of the strings. */
  clear(): void {
    this.ascii = "";
    this.units = "";
    this.strings = [];
  }
}
