// Reading in slices, from bytes that may still be arriving: the same kernel, builder and rules as read.ts, with a pause wherever time is up
// and a wait wherever bytes are missing. Smaller windows than the kernel's make finer steps.
import type { TuskError } from "../../errors.ts";
import * as op from "../../graph/ops.ts";
import { elephantError } from "../errors.ts";
import type { Machine } from "../machine.ts";
import type { Input } from "../read/input.ts";
import { Reading, type ReadResult, type ReadSettings } from "../read.ts";
import { checkFooter, type Header, ROOT, readHeader } from "../releases.ts";
import type { Slicer } from "./slicer.ts";
import { cut, TextPieces } from "./text-pieces.ts";

/** Why the steps of a read stop: bytes are missing, or it is time to let others run. */
export const MORE = 1;
const PAUSE = 2;
export type Stop = typeof MORE | typeof PAUSE;

/** The first window: a cold engine takes some milliseconds for it. */
const FIRST_WINDOW = 1 << 11;
const SMALLEST_WINDOW = 64;
/** Bytes of a long text that are decoded at once. */
const TEXT_PIECE = 1 << 18;
/** Callbacks between two looks at the clock. */
const CALLBACKS = 16;
/** Elements for which room is made in advance when the length of the input is not known. */
const RESERVE = 8;

/** How far a read is: input offset. */
export interface Place {
  offset: number;
}

export function* readSlices(
  machine: Machine,
  settings: ReadSettings,
  input: Input,
  offset: number,
  slicer: Slicer,
  place: Place,
): Generator<Stop, ReadResult> {
  while (input.end < offset + 9 && !input.ended) {
    if (!input.take()) yield MORE;
    input.drop(offset);
  }
  const header = readHeader(input.bytes, offset, input.base);
  const reading = new SlicedReading(machine, settings, input, header, slicer, place);
  try {
    reading.begin(input.size ?? Number.POSITIVE_INFINITY);
    const end = yield* reading.slices();
    const value = machine.builder.children[0];
    for (let called = 0; called < machine.host.waiting.length; ) {
      called = machine.host.finish(called, CALLBACKS);
      if (slicer.due()) yield PAUSE;
    }
    reading.keep();
    return { value, end, release: header.release };
  } finally {
    machine.builder.reserve = 65536;
    reading.end();
  }
}

class SlicedReading extends Reading {
  private readonly slicer: Slicer;
  private readonly place: Place;
  /** Where the window begins, as an input offset. */
  private from = 0;

  constructor(machine: Machine, settings: ReadSettings, input: Input, header: Header, slicer: Slicer, place: Place) {
    super(machine, settings, input, header);
    this.slicer = slicer;
    this.place = place;
    this.size = FIRST_WINDOW;
    if (input.size === undefined) machine.builder.reserve = RESERVE;
  }

  /** Parses the root value and checks the footer; returns the offset behind it. */
  *slices(): Generator<Stop, number> {
    const { machine, input, slicer } = this;
    const { kernel } = machine;
    yield* this.window(this.place.offset + ROOT);
    let begun = slicer.spent();
    while (true) {
      const status = kernel.readStep();
      input.check();
      switch (status) {
        case op.STATUS_INPUT: {
          const position = kernel.position();
          // A typed array may reach far behind the window; it is copied when its operation is taken.
          yield* this.reach(position);
          if (input.ended && (position > input.end || this.to >= input.end)) throw this.truncated();
          if (kernel.readFlush()) {
            machine.take();
            kernel.readFlushed();
            input.drop(position);
          }
          this.adapt(slicer.spent() - begun, position);
          yield* this.rest(position);
          yield* this.window(position);
          begun = slicer.spent();
          continue;
        }
        case op.STATUS_DONE: {
          machine.take();
          let end = kernel.position();
          if (this.header.footer) {
            yield* this.reach(end + 4);
            checkFooter(input.bytes, end, input.base);
            end += 4;
          }
          this.place.offset = end;
          return end;
        }
        case op.STATUS_LONG_STRING:
          yield* this.longText(kernel.position(), kernel.detail(0) >>> 0);
          break;
        default:
          if (status === op.STATUS_CONSTRUCTOR) yield* this.textEnd(kernel.position());
          this.answer(status);
      }
      if (slicer.due()) {
        yield* this.rest(kernel.position());
        begun = slicer.spent();
      }
    }
  }

  /** All before `position` is read. Lets others run when it is time. */
  private *rest(position: number): Generator<Stop, void> {
    this.place.offset = position;
    if (!this.slicer.due()) return;
    yield PAUSE;
    this.input.check();
  }

  /**
   * Waits until the bytes before `offset` are at hand, or the source has ended. A source that is quiet may stay open behind the save: then any
   * bytes behind `enough` will do.
   */
  private *reach(offset: number, enough = offset): Generator<Stop, void> {
    const { input, place } = this;
    while (input.end < offset && !input.ended && !(input.late && input.end > enough)) {
      if (input.take()) continue;
      // Before the first window the kernel stands where the read before this one has ended.
      if (this.to > 0) place.offset = Math.max(place.offset, Math.min(this.machine.kernel.position(), input.end));
      yield MORE;
    }
    input.check();
  }

  /** The input from `at` on into the kernel's window. */
  private *window(at: number): Generator<Stop, void> {
    // Where the cursor has jumped to, all may be whole already: an empty window will do, once.
    yield* this.reach(at + this.size, Math.max(at - 1, this.to));
    const { input } = this;
    const bytes = input.part(at, this.size);
    this.from = at;
    this.show(bytes, at, input.ended && at + bytes.length === input.end);
  }

  /** Where all of it ends is known for some sources before they have come there. */
  protected override truncated(): TuskError {
    const { ended, end, size } = this.input;
    return super.truncated(ended ? end : size);
  }

  /** The next window: twice the size when nothing fitted into this one, else what takes a fraction of a slice. */
  private adapt(ms: number, position: number): void {
    if (position === this.from || ms * 12 < this.slicer.ms) this.size = Math.min(this.size * 2, this.machine.windowSize);
    else if (ms * 3 > this.slicer.ms) this.size = Math.max(this.size >> 1, SMALLEST_WINDOW);
  }

  /** Waits until the zero byte of the name at `offset` is at hand, if it comes at all. Error `element-limit`: all of it is kept till then. */
  private *textEnd(offset: number, from = offset): Generator<Stop, void> {
    const { input } = this;
    while (!input.ended && input.bytes.indexOf(0, from - input.base) < 0) {
      from = input.end;
      // Bytes: no string of ASCII is longer, and no constructor has such a name.
      if (from - offset > 2 ** 29) throw elephantError("element-limit", "a text too long for a string", { offset });
      yield* this.reach(from + 1);
    }
  }

  /** A text that is longer than the window, into entry `index` of the table. */
  private *longText(start: number, index: number): Generator<Stop, void> {
    const { machine, input } = this;
    const pieces = new TextPieces(start);
    let from = start;
    let seen = start;
    while (true) {
      yield* this.reach(from + TEXT_PIECE, seen);
      const piece = input.part(from, TEXT_PIECE);
      const end = piece.indexOf(0);
      if (end >= 0) {
        machine.builder.enter(index, pieces.add(piece.subarray(0, end), false));
        machine.kernel.readSkip(from + end + 1 - start);
        return;
      }
      seen = from + piece.length;
      if (input.ended && seen >= input.end) throw this.truncated();
      const length = cut(piece, piece.length);
      pieces.add(piece.subarray(0, length), true);
      from += length;
      // The tape has been taken, typed arrays and all: no window has shown where this text ends, and the last one began with it.
      input.drop(from);
      yield* this.rest(from);
    }
  }
}
