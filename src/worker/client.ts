// The caller's side. Graphs of objects are made and walked on this thread, because they cannot be anywhere else when this thread is to
// have them: a structured clone of 150,000 objects stops it for longer than reading them does (bench/async-slices.mjs). So saves cross as
// bytes, and become objects here in slices; what else there is to do (checking, inflating, deflating, other formats) is done by the worker.
import { GLANCE } from "../detect.ts";
import type { Detection } from "../detection.ts";
import type { DsStructure, ReadDsOptions, WriteDsOptions } from "../ds/types.ts";
import { checkOffset, checkOptions, checkText, givenBytes, JSON_FORM, limitsOf, READ, SLICES } from "../elephant/arguments.ts";
import type { Chunk, Progress, ReadAtResult, SliceOptions } from "../elephant/async/options.ts";
import { createElephant, type Elephant, type ElephantOptions, type ReadOptions, type WriteOptions } from "../elephant/codec.ts";
import { type ElephantConstructor, SCHEMA } from "../elephant/constructors.ts";
import { bytesIn } from "../engine/given-bytes.ts";
import type { EnigmaGame } from "../enigma/model.ts";
import type { EnigmaReadOptions, EnigmaWriteOptions } from "../enigma/options.ts";
import { type FormatName, TuskError, type TuskWarning } from "../errors.ts";
import { throwIfAborted, whenAborted } from "../signals.ts";
import { cloneOf, isBlob, textToSend, toSend } from "./bytes.ts";
import { withoutLimits } from "./codec-limits.ts";
import { connect, type Endpoint, type Port } from "./endpoint.ts";
import { errorOf } from "./error-form.ts";
import { type Classes, marksOf, revive } from "./instances.ts";
import { type AnyMessage, SETUP, type Settings } from "./protocol.ts";
import { CALL, READ_HERE, WORKER } from "./rules.ts";
import { startWorker } from "./start.ts";

/** Options of {@link createTuskWorker}: those of the codec, which the worker gets as well, and where the worker comes from. */
export interface TuskWorkerOptions extends ElephantOptions {
  /**
   * The worker: a running one (web `Worker`, `Worker` of node:worker_threads, any `MessagePort`) or the script to start. Default: the package's
   * own script, `tusk-codec/worker-thread.js`. One of yours calls `serveTusk`.
   */
  worker?: Port | string | URL | undefined;
  /**
   * For the platform's `Worker` when it is started here, for instance `{ type: "module" }`, or Node's `resourceLimits`. Not in pages for the
   * package's own script, which bundlers find by how it is started.
   */
  workerOptions?: object | undefined;
}

/** Options of {@link TuskWorker.call}. */
export interface CallOptions {
  /** The promise rejects with the signal's reason at once; the worker is told. */
  signal?: AbortSignal | undefined;
  /** What the method reports. The shape is the method's; of the standard ones, `check` and `importString` report {@link Progress}, the others nothing. */
  // biome-ignore lint/suspicious/noExplicitAny: each method has reports of its own
  onProgress?: ((progress: any) => void) | undefined;
  /** What the method warns of. */
  onWarning?: ((warning: TuskWarning) => void) | undefined;
  /** Buffers and the like in the arguments that are moved to the worker instead of copied. Not for `detect`, `readDs` and `readEnigma`, which send a copy. */
  transfer?: readonly unknown[] | undefined;
}

/** Options of {@link TuskWorker.read} and its like. */
export interface WorkerReadOptions extends ReadOptions, SliceOptions {
  /**
   * The bytes are moved to the worker instead of copied; the array that was given is empty afterwards. Only when it covers its whole buffer:
   * a view of a part is copied, for the rest is not ours. Default false.
   */
  transfer?: boolean | undefined;
}

/** Options of {@link TuskWorker.write} and {@link TuskWorker.exportString}. */
export interface WorkerWriteOptions extends WriteOptions, SliceOptions {}

interface Pending {
  readonly resolve: (value: unknown) => void;
  readonly reject: (reason: unknown) => void;
  readonly options: CallOptions;
  /** Its signal does not matter any more. */
  readonly forget: (() => void) | undefined;
  /** Kept until then. */
  readonly caller: TuskWorker | undefined;
}

/** A codec with a worker beside it. Made by {@link createTuskWorker}. */
export class TuskWorker {
  /** The codec of this thread, with the same options. */
  readonly elephant: Elephant;
  /** Names of the worker's methods. `check` is the worker's part of {@link read}: it reads a save for its errors alone and gives the bytes back. */
  readonly methods: readonly string[];
  private readonly connection: Connection;

  /** @internal Use {@link createTuskWorker}. */
  constructor(elephant: Elephant, connection: Connection, methods: readonly string[]) {
    this.elephant = elephant;
    this.methods = methods;
    this.connection = connection;
  }

  /**
   * Reads a save. The worker reads it first, from beginning to end, so that a damaged or hostile one costs this thread nothing and is an error
   * before anything is made of it; then the value is made here, in slices, with this thread's classes and callbacks. Own saves that need no such care
   * are read faster by `elephant.readAsync`.
   */
  async read<T = unknown>(source: Chunk | Blob, options: WorkerReadOptions = {}): Promise<T> {
    return (await this.readAt<T>(source, options?.offset ?? 0, options)).value;
  }

  /** As {@link read}, for the save that begins at `offset`. */
  async readAt<T = unknown>(source: Chunk | Blob, offset: number, options: WorkerReadOptions = {}): Promise<ReadAtResult<T>> {
    checkOptions(options, [...READ_HERE, ...READ]);
    // One by one, as wherever options are passed on here: they may be inherited, which a spread loses.
    const { signal, sliceMs, onProgress, pause, typedArrays, scalars } = options;
    let total: number | undefined;
    // Both ways over the save are one work: each is half of it.
    const half = (from: 0 | 1) => (progress: Progress) => {
      total = progress.total ?? total;
      onProgress!({ done: Math.floor((from * (total ?? 0) + progress.done) / 2), total });
    };
    checkOffset(offset);
    const sent = await toSend(source, options);
    const checked = await this.call<{ bytes: Uint8Array<ArrayBuffer> }>("check", [sent, offset], {
      signal,
      onProgress: onProgress && half(0),
      transfer: isBlob(sent) ? [] : [sent.buffer],
    });
    return this.elephant.readAtAsync<T>(checked.bytes, offset, {
      signal,
      sliceMs,
      onProgress: onProgress && half(1),
      pause,
      typedArrays,
      scalars,
    });
  }

  /** The save of `value`, made here in slices: see `Elephant.writeAsync`. */
  write(value: unknown, options: WorkerWriteOptions = {}): Promise<Uint8Array<ArrayBuffer>> {
    return this.elephant.writeAsync(value, options);
  }

  /** An export string, deflated by the worker. */
  async exportString(value: unknown, options: WorkerWriteOptions = {}): Promise<string> {
    const save = await this.elephant.writeAsync(value, options);
    return this.call<string>("exportString", [save], { signal: options.signal, transfer: [save.buffer] });
  }

  /** Reads an export string, inflated and checked by the worker. */
  async importString<T = unknown>(text: string, options: Omit<WorkerReadOptions, "transfer"> = {}): Promise<T> {
    checkText(text);
    checkOptions(options, [...SLICES, ...READ]);
    const offset = options.offset ?? 0;
    checkOffset(offset);
    const sent = textToSend(text);
    const { bytes } = await this.call<{ bytes: Uint8Array<ArrayBuffer> }>("importString", [sent, offset], {
      signal: options.signal,
      transfer: [sent.buffer],
    });
    return this.elephant.readAsync<T>(bytes, options);
  }

  /**
   * The JSON form of a save ({@link Elephant.toJson}), made by the worker. What `diffsOnly` leaves out is what the worker's classes say; the package's own worker
   * has none, and leaves out what the save lacks. Progress is that of reading the result here.
   *
   * The form crosses as a save of its own. Offsets and paths of errors may be those of that save.
   */
  async toJson(
    save: Chunk,
    options: SliceOptions & { diffsOnly?: boolean | undefined; transfer?: boolean | undefined } = {},
  ): Promise<unknown> {
    checkOptions(options, [...READ_HERE, ...JSON_FORM]);
    const { signal, sliceMs, onProgress, pause } = options;
    const sent = (await toSend(givenBytes(save), options)) as Uint8Array;
    const json = await this.call<Uint8Array>("toJson", [sent, options.diffsOnly === true], { signal, transfer: [sent.buffer] });
    return withoutLimits(this.elephant).readAsync(json, { signal, sliceMs, onProgress, pause });
  }

  /** Which format is this? */
  async detect(input: Chunk | string, options: CallOptions = {}): Promise<Detection | undefined> {
    // All of the bytes: ENIGMA is told by its length and its end, too.
    return this.call("detect", [ownBytes(input)], moving(options));
  }

  /** `readDs` in the worker. */
  async readDs(input: string | Uint8Array, options: ReadDsOptions = {}, call: CallOptions = {}): Promise<DsStructure> {
    const text = typeof input === "string" ? textToSend(input) : undefined;
    return this.ask("ds", "readDs", text ?? ownBytes(input), options, moving(call, text && [text.buffer]));
  }

  /** `writeDs` in the worker. */
  writeDs(structure: DsStructure, options: WriteDsOptions = {}, call: CallOptions = {}): Promise<string> {
    return this.ask("ds", "writeDs", structure, options, call, "unsupported-value");
  }

  /** `readEnigma` in the worker; `onWarning` is one of either options. */
  async readEnigma(bytes: Chunk, options: EnigmaReadOptions = {}, call: CallOptions = {}): Promise<EnigmaGame> {
    return this.ask("enigma", "readEnigma", ownBytes(bytes), options, moving(call));
  }

  /** `writeEnigma` in the worker. */
  writeEnigma(game: EnigmaGame, options: EnigmaWriteOptions = {}, call: CallOptions = {}): Promise<Uint8Array<ArrayBuffer>> {
    return this.ask("enigma", "writeEnigma", game, options, call, "unwritable");
  }

  /**
   * A format's function in the worker. Listeners do not cross; what is no object, or no listener, is for the worker to refuse. `code`: what is wrong with
   * `first` when it cannot be sent.
   */
  private async ask<T>(
    format: FormatName,
    method: string,
    first: unknown,
    options: object,
    call: CallOptions,
    code = "bad-option",
  ): Promise<T> {
    checkOptions(call, CALL);
    let sent: Pick<EnigmaReadOptions, "onWarning"> = options;
    if (typeof sent?.onWarning === "function") {
      const { onWarning, ...rest } = sent;
      sent = rest;
      call = { ...moving(call, call.transfer), onWarning: call.onWarning ?? onWarning };
    }
    return this.call<T>(method, [first, sent], call).catch(unsendable(format, code, sent));
  }

  /**
   * Calls a method of the worker, one of its own (`serveTusk({ methods })`) or a standard one. Arguments and result cross by structured cloning;
   * instances of registered classes, `StructInstance`s, `Scalar`s and ENIGMA's `NanBits` are made anew on the other side. A view crosses with
   * its whole buffer, so parts are better sliced.
   */
  call<T = unknown>(method: string, args: readonly unknown[] = [], options: CallOptions = {}): Promise<T> {
    return this.connection.call(method, args, options, this) as Promise<T>;
  }

  /** Ends the worker. Calls that wait for it reject with code `worker`; what is done on this thread goes on. */
  terminate(): void {
    this.connection.terminate();
  }
}

/** The calls that are under way. */
class Connection {
  private readonly endpoint: Endpoint;
  private readonly classes: Classes;
  private readonly calls = new Map<number, Pending>();
  /** Another client may use the same port. */
  private readonly client = Math.floor(Math.random() * 2 ** 48);
  private last = this.client;
  private over: TuskError | undefined;

  constructor(port: Port, classes: Classes) {
    this.classes = classes;
    this.endpoint = connect(
      port,
      (data) => this.receive(data),
      (reason) => this.fail(reason),
      (id, error) => this.giveUp(id, error),
      false,
    );
  }

  call(method: string, args: readonly unknown[], options: CallOptions, caller?: TuskWorker): Promise<unknown> {
    return new Promise((resolve, reject) => {
      checkOptions(options, CALL);
      const { signal, transfer = [] } = options;
      if (![args, transfer].every(Array.isArray)) throw new TuskError("tusk", "bad-option", "arguments and transfer are arrays");
      if (this.over) throw this.over;
      throwIfAborted(signal);
      const id = ++this.last;
      const forget = signal ? whenAborted(signal, () => this.giveUp(id, signal.reason)) : undefined;
      // Before it is posted: a port of one's own may have the answer at once.
      this.calls.set(id, { resolve, reject, options, forget, caller });
      this.endpoint.hold(1);
      try {
        this.endpoint.post(id, { client: this.client, kind: "call", method, args, marks: marksOf(args, this.classes) }, transfer);
      } catch (error) {
        this.take(id);
        throw error;
      }
      // A getter of the arguments may have ended it: then the worker was told before it had the call.
      if (!this.calls.has(id)) this.cancel(id);
    });
  }

  /** The call is over: takes it out. */
  private take(id: number): Pending | undefined {
    const found = this.calls.get(id);
    if (found) {
      this.calls.delete(id);
      this.endpoint.hold(-1);
      found.forget?.();
    }
    return found;
  }

  private receive(data: AnyMessage): void {
    // It is of no call.
    if (data.kind === "end") this.fail("its service was ended");
    const { id } = data;
    const call = this.calls.get(id);
    // The reply to a call that was given up.
    if (!call) return;
    try {
      if (data.kind === "progress") call.options.onProgress?.(data.progress);
      else if (data.kind === "warning") call.options.onWarning?.(data.warning);
      else if (data.kind === "result") {
        revive(data.marks, this.classes);
        // Taken out behind it: what is no result is the call's error.
        call.resolve((data.value as [unknown])[0]);
        this.take(id);
      } else if (data.kind === "error") {
        call.reject(errorOf(data.error));
        this.take(id);
      }
    } catch (error) {
      // A listener or a constructor of the caller has thrown.
      this.giveUp(id, error);
    }
  }

  private giveUp(id: number, reason: unknown): void {
    const call = this.take(id);
    if (!call) return;
    call.reject(reason);
    // The setup has no caller, and is no method that could be stopped.
    if (call.caller) this.cancel(id);
  }

  private cancel(id: number): void {
    this.endpoint.tell(id, { kind: "cancel" });
  }

  private fail(reason: unknown): void {
    const cause = reason instanceof Error ? reason : new Error(String(reason));
    this.over ??= new TuskError("tusk", "worker", `the worker is gone: ${cause.message}`, { cause });
    // The other side is told, too: not every port tells it that this one is gone.
    for (const id of this.calls.keys()) this.giveUp(id, this.over);
  }

  /** Nobody calls any more. `quietly`: the worker's errors do not matter, either. */
  leave(quietly = true): void {
    this.endpoint.detach(quietly);
    this.endpoint.tell(this.client, { kind: "leave" });
  }

  /** `stops`: the worker, too. */
  terminate(stops = true): void {
    this.leave(stops);
    this.fail("it was terminated");
    if (stops) this.endpoint.stop();
  }
}

/** A client that is not kept leaves; a worker of the package's own script, which nobody else can reach, ends. Old browsers have no such registry. */
const dropped =
  typeof FinalizationRegistry === "function" ? /* @__PURE__ */ new FinalizationRegistry((leave: () => void) => leave()) : undefined;

/** What cannot even be sent (a function, a symbol) is what the writer would refuse: of the options, or of what is to be written. */
function unsendable(format: FormatName, code: string, options?: object): (error: unknown) => never {
  return (error) => {
    if ((error as Error | undefined)?.name !== "DataCloneError") throw error;
    throw new TuskError(format, cloneOf([options]) ? code : "bad-option", (error as Error).message, { cause: error });
  };
}

/** `call` with nothing else to move than `transfer`. */
function moving(call: CallOptions, transfer?: readonly unknown[]): CallOptions {
  checkOptions(call, CALL);
  const { signal, onProgress, onWarning } = call;
  return { signal, onProgress, onWarning, transfer };
}

/** A copy of bytes, which would cross with all of their buffer; of a text what `detect` looks at, the only one to take texts. What is neither may not even cross. */
function ownBytes(input: unknown): unknown {
  const bytes = bytesIn(input);
  return bytes ? new Uint8Array(bytes) : typeof input === "string" ? input.slice(0, GLANCE) : undefined;
}

/** What can be sent of the options: of a class its schema, if it has one. */
function settingsOf(options: TuskWorkerOptions): Settings {
  const { unknownConstructor, limits, engine, wasm, codeGeneration } = options;
  const constructors = Object.fromEntries(
    Object.entries(options.constructors ?? {}).map(([name, given]) => [
      name,
      typeof given === "function" ? (given as ElephantConstructor)[SCHEMA] || undefined : given,
    ]),
  );
  // Cloning leaves out what is inherited.
  return { constructors, unknownConstructor, limits: limitsOf(limits), engine, wasm, codeGeneration };
}

/**
 * Starts a worker, or takes the one that is given, and makes a codec of this thread beside it. Errors: `worker` (it cannot be started, it is
 * gone, what a call sends or gets nests too deeply to arrive), `bad-option`, and `engine` where WebAssembly was asked for and cannot be had. Calls also have `unknown-method`; errors of the worker's methods
 * arrive with class, code and place.
 *
 * In Node an idle worker does not keep the process alive.
 */
export async function createTuskWorker(options: TuskWorkerOptions = {}): Promise<TuskWorker> {
  checkOptions(options, WORKER);
  const { worker, workerOptions } = options;
  const port =
    worker === undefined || typeof worker === "string" || worker instanceof URL ? await startWorker(worker, workerOptions) : worker;
  const connection = new Connection(port, { ...options.constructors });
  try {
    const [{ methods }, elephant] = await Promise.all([
      // What cannot be sent of the settings (a function in a schema, say) can stand in none.
      connection.call(SETUP, [settingsOf(options)], {}).catch(unsendable("elephant", "bad-option")) as Promise<{ methods: string[] }>,
      createElephant(options),
    ]);
    const client = new TuskWorker(elephant, connection, methods);
    dropped?.register(client, () => (worker === undefined ? connection.terminate() : connection.leave()));
    return client;
  } catch (error) {
    // One that was given may have others to serve.
    connection.terminate(port !== worker);
    throw error;
  }
}
