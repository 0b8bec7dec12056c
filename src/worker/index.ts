/**
 * `tusk-codec/worker`: the codecs beside the main thread. {@link createTuskWorker} starts a worker and calls it, {@link serveTusk} makes one of an own
 * module. `docs/async.md` says what a worker can take over and what it cannot.
 *
 * @module
 */
import "../engine/engines-first.ts";

export { TuskError, type TuskWarning } from "../errors.ts";
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
