/**
 * The strings of GameMaker's `ds_map_write`, `ds_list_write`, `ds_grid_write`, `ds_stack_write`, `ds_queue_write` and
 * `ds_priority_write`: all generations, every value, byte for byte. `docs/ds.md` has the rules and examples.
 *
 * @module
 */
// The engine first: src/engine/engines-first.ts has the reason.
import "./machine.ts";

export { type ErrorPlace, type FormatName, TuskError } from "../errors.ts";
export type { Given } from "../options.ts";
export { dsFromArray, dsFromMap, dsFromRows, dsToArray, dsToMap, dsToRows, upgradeDs } from "./convert.ts";
export { openNested } from "./nested.ts";
export { type DsOfKind, readDs } from "./read.ts";
export {
  DS_NESTED_LIST,
  DS_NESTED_MAP,
  DS_STRUCT,
  type DsBool,
  type DsBytes,
  type DsEngineOptions,
  type DsGeneration,
  type DsGrid,
  type DsInt32,
  type DsKind,
  type DsLimits,
  type DsList,
  type DsMap,
  type DsMark,
  type DsNaN,
  type DsPointer,
  type DsPriority,
  type DsQueue,
  type DsRows,
  type DsStructure,
  type DsText,
  type DsValue,
  type ReadDsOptions,
  type WriteDsOptions,
} from "./types.ts";
export { writeDs, writeDsBytes } from "./write.ts";
