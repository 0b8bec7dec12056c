import type { ListWriter } from "../binary/game-writer.ts";
import { writeInstance } from "../binary/instance-writer.ts";
import type { SessionLease } from "./session.ts";

/** The plain writer alone. */
export const writeListPlainly: ListWriter = (sink, instances, context, list) => {
  for (let i = 0; i < instances.length; i++) writeInstance(sink, instances[i]!, context, `.${list}[${i}]`);
};

export function kernelListWriter(_lease: SessionLease): ListWriter {
  return writeListPlainly;
}
