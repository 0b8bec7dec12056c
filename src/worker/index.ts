/**
 * `tusk-codec/worker`: the codecs beside the main thread. {@link createTuskWorker} starts a worker and calls it, {@link serveTusk} makes one of an own
 * module. `docs/async.md` says what a worker can take over and what it cannot.
 *
 * @module
 */
// In the order that src/engine/engines-first.ts has the reason for.
import "../engine/engines-first.ts";
import "./standard-methods.ts";

export type { Detection } from "../detection.ts";
// What its options and results are made of, so that a program that has no other entry can name them.
export type { DsGeneration, DsStructure, ReadDsOptions, WriteDsOptions } from "../ds/types.ts";
export type {
  ByteSink,
  ByteSource,
  Chunk,
  Progress,
  ReadAsyncOptions,
  ReadAtResult,
  SliceOptions,
  WriteAsyncOptions,
} from "../elephant/async/options.ts";
export type { Elephant, ElephantOptions, ReadOptions, WasmModule, WriteOptions } from "../elephant/codec.ts";
export type { ElephantConstructor } from "../elephant/constructors.ts";
export type { Limits } from "../elephant/limits.ts";
export type { ElephantSchema } from "../elephant/schema.ts";
export type { EnigmaGame } from "../enigma/model.ts";
export type { EnigmaReadOptions, EnigmaWriteOptions } from "../enigma/options.ts";
export { type ErrorPlace, type FormatName, TuskError, type TuskWarning } from "../errors.ts";
export type { Given } from "../options.ts";
export {
  type CallOptions,
  createTuskWorker,
  TuskWorker,
  type TuskWorkerOptions,
  type WorkerReadOptions,
  type WorkerWriteOptions,
} from "./client.ts";
export type { NodePort, Port, WebPort } from "./endpoint.ts";
export { type ServeOptions, type ServiceContext, type ServiceMethod, serveTusk } from "./serve.ts";
