// tusk-codec/enigma: saves of ENIGMA's game_save_buffer, both backends.
// The engine first: src/engine/engines-first.ts has the reason.
import "./kernel/session.ts";

export { type ErrorPlace, type FormatName, TuskError, type TuskWarning } from "../errors.ts";
export type { Given } from "../options.ts";
export {
  type EnigmaArrays,
  type EnigmaBackground,
  type EnigmaClass,
  type EnigmaCollisions,
  type EnigmaFloat,
  type EnigmaGame,
  type EnigmaGraphics,
  type EnigmaInstance,
  type EnigmaLocal,
  type EnigmaPlanar,
  type EnigmaTable,
  type EnigmaText,
  type EnigmaTimelines,
  type EnigmaTransform,
  type EnigmaValue,
  type EnigmaVar,
  type EnigmaVariant,
  NanBits,
} from "./model.ts";
export type { EnigmaLimits, EnigmaReadOptions, EnigmaWriteOptions } from "./options.ts";
export { readEnigma } from "./read.ts";
export {
  type EnigmaClassRestoration,
  type EnigmaInstanceRestoration,
  type EnigmaKept,
  type EnigmaLost,
  type EnigmaRestoration,
  type EnigmaRetyped,
  restoreEnigma,
} from "./restore.ts";
export type { EnigmaObject, EnigmaSchema } from "./schema.ts";
export { writeEnigma } from "./write.ts";
