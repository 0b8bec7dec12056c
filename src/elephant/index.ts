// `tusk-codec/elephant`: the public face of the Elephant codec.
// In the order that src/engine/engines-first.ts has the reason for.
import "./kernel.ts";
import "./machine.ts";
import "./export-string.ts";
import "./read/small-saves.ts";
import "./async/run.ts";

export { type ErrorPlace, type FormatName, TuskError, type TuskWarning } from "../errors.ts";
export type { Given } from "../options.ts";
export type {
  ByteSink,
  ByteSource,
  Chunk,
  Progress,
  ReadAsyncOptions,
  ReadAtResult,
  SliceOptions,
  WritableLike,
  WriteAsyncOptions,
} from "./async/options.ts";
export {
  createElephant,
  createElephantSync,
  Elephant,
  type ElephantOptions,
  type ReadOptions,
  type WasmModule,
  type WriteOptions,
} from "./codec.ts";
export {
  type CallbackContext,
  type CallbackName,
  type ElephantCallback,
  type ElephantConstructor,
  POST_READ,
  POST_WRITE,
  PRE_READ,
  PRE_WRITE,
  SCHEMA,
  StructInstance,
} from "./constructors.ts";
export { type Datatype, isScalar, Scalar, type ScalarDatatype, type ScalarValueOf } from "./datatypes.ts";
export type { DuplicateOptions } from "./duplicate.ts";
export type { ElephantErrorCode } from "./errors.ts";
export { DEFAULT_LIMITS, type Limits } from "./limits.ts";
export type { Release, WritableRelease } from "./releases.ts";
export { type ElephantSchema, type ElephantSchemaVersion, FORCE_VERSION, VERBOSE_EXCLUDE, VERSION_VERBOSE } from "./schema.ts";
