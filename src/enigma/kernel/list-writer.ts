// A list of instances by the kernel, tape by tape, and by the plain writer what is not regular.
import type { ByteSink } from "../binary/byte-sink.ts";
import type { ListWriter } from "../binary/game-writer.ts";
import { writeInstance } from "../binary/instance-writer.ts";
import type { WriteContext } from "../given.ts";
import type { EnigmaInstance } from "../model.ts";
import type { PathOf } from "../order.ts";
import { STATUS, WINDOW } from "./memory-map.ts";
import type { Session, SessionLease } from "./session.ts";
import { PUT_DONE, PUT_FULL, TapeWriter } from "./tape-writer.ts";

/** The plain writer alone. */
export const writeListPlainly: ListWriter = (sink, instances, context, pathOf) => {
  for (let i = 0, count = instances.length; i < count; i++) writeInstance(sink, instances[i]!, context, pathOf(i));
};

/** Fewer instances than this are written without waking the kernel: laying down their layouts would cost more than it saves. */
const LEAST_INSTANCES = 4;

/** A guess about what follows reserves no more than this. */
const MOST_EXPECTED = 2 ** 26;

/** Instances that are on the tape, and where on it each begins. */
class Pending {
  private readonly session: Session;
  private readonly tape: TapeWriter;
  private readonly sink: ByteSink;
  private readonly context: WriteContext;
  private readonly pathOf: PathOf;
  private instances: EnigmaInstance[] = [];
  private starts: number[] = [];
  /** Index in the list of the first of them. */
  private first = 0;

  constructor(session: Session, tape: TapeWriter, sink: ByteSink, context: WriteContext, pathOf: PathOf) {
    this.session = session;
    this.tape = tape;
    this.sink = sink;
    this.context = context;
    this.pathOf = pathOf;
  }

  get empty(): boolean {
    return this.instances.length === 0;
  }

  add(instance: EnigmaInstance, index: number, start: number): void {
    if (this.empty) this.first = index;
    this.instances.push(instance);
    this.starts.push(start);
  }

  /** Writes them all and clears the tape. `left`: instances that follow; they will be about as long, so there is room for them at once. */
  flush(left: number): void {
    const { kernel, u8, u32 } = this.session;
    const used = this.tape.used;
    const before = this.sink.at;
    let from = 0;
    for (let i = 0; i < this.instances.length; ) {
      const bytes = kernel.writeInstances(from, used);
      this.sink.raw(u8.subarray(WINDOW, WINDOW + bytes));
      const count = u32[STATUS / 4]!;
      from = u32[STATUS / 4 + 1]!;
      i += count;
      if (count === 0) {
        // Larger than the window.
        writeInstance(this.sink, this.instances[i]!, this.context, this.pathOf(this.first + i));
        i++;
        from = this.starts[i] ?? used;
      }
    }
    if (left > 0 && !this.empty)
      this.sink.expect(Math.min(MOST_EXPECTED, Math.ceil(((this.sink.at - before) / this.instances.length) * left * 1.02) + 4096));
    this.instances = [];
    this.starts = [];
    this.tape.clear();
  }
}

/** A writer that shares its layouts between the two lists of one save. */
export function kernelListWriter(lease: SessionLease): ListWriter {
  let tape: TapeWriter | undefined;
  return (sink, instances, context, pathOf) => {
    if (instances.length < LEAST_INSTANCES) {
      writeListPlainly(sink, instances, context, pathOf);
      return;
    }
    const { session } = lease;
    tape ??= new TapeWriter(session, context.sort, context.rawFits);
    const pending = new Pending(session, tape, sink, context, pathOf);
    const count = instances.length;
    for (let i = 0; i < count; i++) {
      const instance = instances[i]!;
      let start = tape.used;
      let outcome = tape.put(instance);
      if (outcome === PUT_FULL && !pending.empty) {
        pending.flush(count - i);
        start = 0;
        outcome = tape.put(instance);
      }
      if (outcome === PUT_DONE) pending.add(instance, i, start);
      else {
        pending.flush(0);
        writeInstance(sink, instance, context, pathOf(i));
      }
    }
    pending.flush(0);
  };
}
