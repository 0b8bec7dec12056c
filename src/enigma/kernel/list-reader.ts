// A list of instances by the kernel, window by window, and by the plain reader what the kernel leaves: the first instance of each object, from
// which it learns, and every defect and error.
import type { ListReader } from "../binary/game-reader.ts";
import { type CarefulInstance, type ReadContext, readInstance } from "../binary/instance-reader.ts";
import type { EnigmaInstance } from "../model.ts";
import { Layouts } from "./layouts.ts";
import { STATUS, WINDOW, WINDOW_BYTES } from "./memory-map.ts";
import { STOP_DONE, STOP_INPUT, STOP_ROOM } from "./opcodes.ts";
import type { SessionLease } from "./session.ts";
import { TapeReader } from "./tape-reader.ts";

/** The plain reader alone. */
export const readListPlainly: ListReader = (context, count, list) => {
  const instances: EnigmaInstance[] = [];
  while (instances.length < count) instances.push(readInstance(context, `.${list}[${instances.length}]`).instance);
  return instances;
};

function learn(layouts: Layouts, { instance, blocks, chain }: CarefulInstance): void {
  if (chain && chain.length !== blocks.length) return;
  layouts.learn(instance.objectIndex, chain?.length ?? 0, blocks, (level) => {
    const { class: owner, locals } = instance.classes[level]!;
    return { class: owner, types: locals.map(({ type }) => type) };
  });
}

/** A reader that shares what it learns between the two lists of one save. */
export function kernelListReader(lease: SessionLease): ListReader {
  let layouts: Layouts | undefined;
  return (context, count, list) => {
    // One instance has nothing to learn from; such a save does not wake the kernel.
    if (count < 2) return readListPlainly(context, count, list);
    return readWindows(lease, (layouts ??= new Layouts(lease.session)), context, count, list);
  };
}

function readWindows(
  lease: SessionLease,
  layouts: Layouts,
  context: ReadContext,
  count: number,
  list: "active" | "inactive",
): EnigmaInstance[] {
  const { session } = lease;
  const { kernel, u8, u32 } = session;
  const { payload } = context;
  const tape = new TapeReader(session, context, layouts);
  const instances: EnigmaInstance[] = [];
  while (instances.length < count) {
    const start = payload.at;
    const length = Math.min(WINDOW_BYTES, payload.end - start);
    const shift = start - WINDOW;
    u8.set(payload.bytes.subarray(start, start + length), WINDOW);
    let from = WINDOW;
    while (instances.length < count) {
      const parsed = kernel.parseInstances(from, WINDOW + length, count - instances.length);
      const next = u32[STATUS / 4 + 1]!;
      const lostCounts = u32[STATUS / 4 + 4]!;
      if (lostCounts > 0)
        context.warnings.tally(
          "vmap-count-zero",
          "the entries of a variable map follow a count of zero",
          { offset: u32[STATUS / 4 + 5]! + shift },
          lostCounts,
        );
      tape.take(parsed, instances, list, shift);
      const stop = u32[STATUS / 4]!;
      payload.at = next + shift;
      if (stop === STOP_DONE) break;
      // The window ends inside an instance that is not its first: the next window begins there.
      if (stop === STOP_INPUT && next > WINDOW && start + length < payload.end) break;
      // The tape or a blob is full: it is empty now.
      if (stop === STOP_ROOM && parsed > 0) {
        from = next;
        continue;
      }
      const careful = readInstance(context, `.${list}[${instances.length}]`);
      instances.push(careful.instance);
      if (instances.length < count) learn(layouts, careful);
      from = payload.at - shift;
      if (from >= WINDOW + length) break;
    }
  }
  return instances;
}
