// The constructor of a struct, as people are told it.
import { StructInstance } from "../../elephant/constructors.ts";
import type { Kind } from "./format.ts";

export function elephantKind(container: object): Kind | undefined {
  if (!(container instanceof StructInstance)) return undefined;
  const version = StructInstance.versionOf(container);
  return {
    name: StructInstance.nameOf(container),
    note: version === 0 ? undefined : `v${version} ${StructInstance.verboseOf(container) ? "verbose" : "strict"}`,
  };
}
