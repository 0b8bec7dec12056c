// Options of a worker's two sides: what they may be (elephant/arguments.ts).
import { CODEC, FLAG, isFunction, isObject, isRecord, type Rules, SLICES } from "../elephant/arguments.ts";
import { holdsOptions } from "../options.ts";

/** Of a client's calls. */
export const CALL: Rules = [...SLICES, ["onWarning", isFunction]];
/** ... that read saves. */
export const READ_HERE: Rules = [...SLICES, ["transfer", FLAG]];
/** Of a client. */
export const WORKER: Rules = [...CODEC, ["workerOptions", isObject]];
/** Of the worker. */
export const SERVE: Rules = Object.entries({
  methods: (given) => isRecord(given) && Object.values(given).every(isFunction),
  constructors: isRecord,
  limits: holdsOptions,
});
