// The codec: what `createElephant` returns.
import { type Kernel, kernelLater, loadKernel, loadKernelSync, wasmAllowed } from "../engine/kernel.ts";
import { TuskError, type TuskWarning } from "../errors.ts";
import type { Given } from "../options.ts";
import {
  CODEC,
  checkOffset,
  checkOptions,
  checkTarget,
  checkText,
  DUPLICATE,
  givenBytes,
  JSON_FORM,
  limitsOf,
  NONE,
  READ,
  refuse,
  SLICES,
  WRITE,
} from "./arguments.ts";
import type { ByteSink, ByteSource, Chunk, ReadAsyncOptions, ReadAtResult, WriteAsyncOptions } from "./async/options.ts";
import { chunksInSlices, joinInSlices, readInSlices, sinkInSlices } from "./async/run.ts";
import { Slicer } from "./async/slicer.ts";
import { openSource, type Source } from "./async/source.ts";
import { Turns } from "./async/turns.ts";
import { type ElephantConstructor, Registry } from "./constructors.ts";
import { type DuplicateOptions, Duplicator } from "./duplicate.ts";
import { fail } from "./errors.ts";
import { exportBytes, importBytes } from "./export-string.ts";
import { fromJson, type JsonSettings, toJson } from "./json.ts";
import { type ElephantExports, elephantKernel } from "./kernel.ts";
import type { Limits } from "./limits.ts";
import { Machine } from "./machine.ts";
import { SmallSaves } from "./read/small-saves.ts";
import { ReadHost, type ReadResult, type ReadSettings, readSave } from "./read.ts";
import type { Release, WritableRelease } from "./releases.ts";
import type { ElephantSchema } from "./schema.ts";
import { CallbackState } from "./state.ts";
import type { MachineSource } from "./write/byte-writer.ts";
import type { WriteSettings } from "./write/settings.ts";
import { GraphWriter } from "./write.ts";

/** A compiled `WebAssembly.Module`; TypeScript knows that name only where it is told of the DOM. */
export type WasmModule = typeof globalThis extends { WebAssembly: { Module: { prototype: infer Module } } } ? Module : object;

/** Options of {@link createElephant} and {@link createElephantSync}. */
export interface ElephantOptions {
  /** Constructors by their names in saves: a class, or a schema alone (for tools without the game's code). Default: none. */
  constructors?: Record<string, ElephantConstructor | ElephantSchema> | undefined;
  /**
   * What a save's constructor that is not registered becomes: an error (default; in files of 1.0.0 a plain struct), or a `StructInstance` that keeps its
   * name.
   */
  unknownConstructor?: "error" | "generic" | undefined;
  /**
   * Default `"auto"`: WebAssembly, or JavaScript where WebAssembly is refused; see {@link Elephant.engine}. Saves of up to 512 bytes are then read
   * (but for `scalars: "exact"`, `typedArrays` and what is rare in them, such as callbacks and old releases), and those with little text written,
   * without either, and {@link createElephantSync} loads the engine when it is first needed. Browsers report the refused try to the page's owner;
   * `"js"` never tries.
   */
  engine?: "auto" | "wasm" | "js" | undefined;
  /** The WebAssembly module, as bytes or compiled. Default: the inlined one. */
  wasm?: ArrayBuffer | ArrayBufferView | WasmModule | undefined;
  /** Those that are not given have their defaults. */
  limits?: Given<Limits> | undefined;
  /** Told by writes of what was stored differently than given, e.g. a function as undefined. Nothing else warns. */
  onWarning?: ((warning: TuskWarning) => void) | undefined;
  /**
   * May functions be made of text, which makes reading and writing faster? Default: where the page's policy allows it, which is found out by
   * trying, once, when a save is large enough to gain by it. Browsers report a try that is refused to the page's owner; `false` never tries.
   * Nothing needs it.
   */
  codeGeneration?: boolean | undefined;
}

/** Options of {@link Elephant.read}, {@link Elephant.readAt} and {@link Elephant.importString}. */
export interface ReadOptions {
  /** Where the save begins. Default 0. `readAt` has an argument for it, which counts instead. */
  offset?: number | undefined;
  /** Numeric arrays become typed arrays of their datatype. Default false: plain arrays. */
  typedArrays?: boolean | undefined;
  /**
   * `"exact"`: values that were stored through any in a datatype that a JavaScript value would not be stored in again (s32, f32, ...) become
   * `Scalar`s, so that the same bytes can be written. Not kept: bools stored as another byte than 0 or 1, what bits a NaN has, `text` (written as `string`),
   * an any inside of an any, and with `typedArrays` arrays of f16 where there is no `Float16Array`. Default `"plain"`.
   */
  scalars?: "plain" | "exact" | undefined;
}

/** Options of {@link Elephant.write}, {@link Elephant.writeInto} and {@link Elephant.exportString}. */
export interface WriteOptions {
  /**
   * Members of constructed structs that equal a fresh instance's are left out (formats/elephant.md §9); of a `StructInstance` without class, those that
   * its schema names and it lacks. Default false; not for 1.4.0 (`bad-option`).
   */
  diffsOnly?: boolean | undefined;
  /** Default `"1.5.1"`. */
  release?: WritableRelease | undefined;
  /** What counts as equal for `diffsOnly`: `"gml"` (default), GML's `==` with its epsilon, or `"exact"`: the same value of the same type. */
  diffEquality?: "gml" | "exact" | undefined;
}

/** Machines, or places for them, that a codec keeps for later calls. More are made where more calls are under way, and dropped after them. */
const KEPT_MACHINES = 4;
/**
 * A machine that has met more strict fields, a version counted as a third of one, might have no room for those of the next save: in the kernel's megabyte
 * a field takes 48 bytes and a version 16, and 10,000 versions of one field are to fit.
 */
const ENOUGH_FIELDS = 8_500;
/** Three times what a machine takes. Its memory grows with the depth of a save, and can only be given back with the machine. */
const MUCH_MEMORY = 30_000_000;

/** May saves be read that need no kernel? Where one was asked for, it reads everything. */
function readsSmall({ engine = "auto", wasm }: ElephantOptions): boolean {
  return engine === "auto" && wasm === undefined;
}

interface Parts extends MachineSource {
  /** Made by the first write: not every program writes. */
  writer: GraphWriter | undefined;
  /** Not to be used any more. */
  lost?: boolean;
}

/**
 * After an error in `parts`, which are lost until it is known to be another than what engines say (Firefox by a mere text) where the stack or memory has run
 * out, or the kernel has trapped: then anything may be half done, also in what tidies up, and even this may be too much for the stack. The package's own
 * errors, which have names of the data in them, say nothing of that.
 */
function failed(parts: Parts, error: unknown): unknown {
  const said = (error as Error | undefined)?.message ?? error;
  parts.lost = typeof said === "string" && !(error instanceof TuskError) && /stack|recurs|alloc|memory|unreach/.test(said);
  return error;
}

/** A codec for Elephant saves, made by {@link createElephant} or {@link createElephantSync}: keep it, it learns. Errors are {@link TuskError}s with an {@link ElephantErrorCode}. */
export class Elephant {
  private readonly kernel: Kernel<ElephantExports>;
  /** Of all operations. */
  private readonly settings: JsonSettings;
  private readonly codeGeneration: boolean;
  private duplicator: Duplicator | undefined = undefined;
  private readonly onWarning: ((warning: TuskWarning) => void) | undefined;
  /** Of writes without options: a small one would feel an object more. */
  private usual: WriteSettings | undefined = undefined;
  /** Reads saves for which a kernel is not worth its time. */
  private readonly small: SmallSaves | undefined;
  /** Machines that no call is using. */
  private readonly idle: Parts[] = [];
  /** Of calls in slices that nothing but the clock holds up. */
  private readonly turns = new Turns(KEPT_MACHINES);
  /** Of Blobs, which may be on a slow disk, and keep no others waiting. */
  private readonly ofBlobs = new Turns(KEPT_MACHINES);

  /** @internal Use {@link createElephant}. */
  constructor(kernel: Kernel<ElephantExports>, options: ElephantOptions) {
    this.kernel = kernel;
    const registry = new Registry(options.constructors);
    const limits = limitsOf(options.limits);
    this.settings = { registry, generic: options.unknownConstructor === "generic", limits, state: new CallbackState() };
    this.onWarning = options.onWarning;
    this.codeGeneration = options.codeGeneration !== false;
    if (readsSmall(options)) this.small = new SmallSaves(registry, limits, this.codeGeneration);
    try {
      // A module that was given may be any.
      if (options.wasm !== undefined) this.give(this.take());
    } catch (cause) {
      throw new TuskError("tusk", "engine", "the given WebAssembly module is not this release's", { cause });
    }
  }

  /** The engine in use. */
  get engine(): "wasm" | "js" {
    return this.kernel.engine;
  }

  /** Inside a callback: is this a read? Outside of all operations undefined. */
  get isDeserializing(): boolean | undefined {
    return this.settings.state.current?.isDeserializing;
  }

  /** Inside a callback: the schema version in use, 0 without schema. Outside undefined. */
  get schemaVersion(): number | undefined {
    return this.settings.state.current?.schemaVersion;
  }

  private take(): Parts {
    const idle = this.idle.pop();
    if (idle) return idle;
    const make = () => (parts.machine ??= new Machine(this.kernel, new ReadHost(), this.codeGeneration));
    const parts: Parts = { machine: undefined, make, writer: undefined };
    // Who asks for an engine gets it at once. For others it is asked which one it may be, which code-generation.ts wants to be known.
    if (this.small) wasmAllowed();
    else make();
    return parts;
  }

  private writerOf(parts: Parts): GraphWriter {
    return (parts.writer ??= new GraphWriter(parts, this.codeGeneration));
  }

  private give(parts: Parts): void {
    const { machine, lost } = parts;
    if (
      !lost &&
      this.idle.length < KEPT_MACHINES &&
      (!machine ||
        (machine.schemaNames + machine.programs.length / 3 < ENOUGH_FIELDS && machine.kernel.memory.buffer.byteLength < MUCH_MEMORY))
    )
      this.idle.push(parts);
  }

  private readSettings(options: ReadOptions): ReadSettings {
    checkOptions(options, READ);
    const { registry, generic, limits, state } = this.settings;
    return {
      registry,
      generic,
      limits,
      state,
      typedArrays: options.typedArrays === true,
      exact: options.scalars === "exact",
    };
  }

  private readResult(bytes: unknown, offset: number, options: ReadOptions): ReadResult {
    const settings = this.readSettings(options);
    const given = givenBytes(bytes);
    checkOffset(offset);
    const small = this.readSmall(given, offset, settings);
    if (small) return small;
    const parts = this.take();
    try {
      return readSave(parts.make(), settings, given, offset);
    } catch (error) {
      parts.lost = true;
      throw failed(parts, error);
    } finally {
      this.give(parts);
    }
  }

  /** What needs no kernel; undefined for everything else. */
  private readSmall(bytes: Uint8Array, offset: number, settings: ReadSettings): ReadResult | undefined {
    return settings.typedArrays || settings.exact ? undefined : this.small?.read(bytes, offset);
  }

  private writeSettings(options: WriteOptions): WriteSettings {
    if (options === NONE) return (this.usual ??= this.settingsOf(NONE));
    checkOptions(options, WRITE);
    if (options.diffsOnly && options.release === "1.4.0") refuse("diffsOnly came with release 1.5.0");
    return this.settingsOf(options);
  }

  /** Called before its turn comes, too: what is wrong with options is told at once. */
  private slicedSettings(options: WriteAsyncOptions): WriteSettings {
    checkOptions(options, SLICES);
    return this.writeSettings(options);
  }

  private settingsOf(options: WriteOptions): WriteSettings {
    const { registry, limits, state } = this.settings;
    return {
      registry,
      release: options.release ?? "1.5.1",
      diffsOnly: options.diffsOnly === true,
      exactDiffs: options.diffEquality === "exact",
      maxDepth: limits.maxDepth,
      state,
      onWarning: this.onWarning,
    };
  }

  /**
   * The save of `value`, exactly what Elephant writes. Throws a {@link TuskError} that names the path of what cannot be stored.
   *
   * The array has its buffer to itself, but a large save's buffer may be a little longer than the array: pass on the array, not its `buffer`.
   */
  write(value: unknown, options: WriteOptions = NONE): Uint8Array<ArrayBuffer> {
    const settings = this.writeSettings(options);
    const parts = this.take();
    try {
      return this.writerOf(parts).write(value, settings);
    } catch (error) {
      parts.lost = true;
      throw failed(parts, error);
    } finally {
      this.give(parts);
    }
  }

  /**
   * Writes into `target` at `offset` (default 0); returns the offset behind the footer. A write that fails leaves `target` as it was: error
   * `target-too-small`, or those of {@link write}.
   */
  writeInto(value: unknown, target: Uint8Array, offset = 0, options: WriteOptions = NONE): number {
    checkTarget(target);
    checkOffset(offset);
    const bytes = this.write(value, options);
    const end = offset + bytes.length;
    if (end > target.length) fail("target-too-small", `the save would end at ${end}, the target ends at ${target.length}`, offset);
    target.set(bytes, offset);
    return end;
  }

  /**
   * Reads a save of any release, 1.0.0 to 1.5.1. Returns the whole value or throws a {@link TuskError}, with the byte offset where the save is at fault.
   */
  read<T = unknown>(bytes: Chunk, options: ReadOptions = NONE): T {
    return this.readResult(bytes, options?.offset ?? 0, options).value as T;
  }

  /** Reads the save that begins at `offset`; `end` is the offset behind it, where the next one may begin. */
  readAt<T = unknown>(bytes: Chunk, offset: number, options: ReadOptions = NONE): { value: T; end: number; release: Release } {
    return this.readResult(bytes, offset, options) as { value: T; end: number; release: Release };
  }

  /**
   * {@link read} in slices, so that nothing else has to wait for it, from bytes that may still be arriving; streams are read as they come and
   * not gathered. Same value, limits, callbacks (which run in the slices) and errors (of a damaged save from a stream without `size` it may be another one).
   * The codec can be used meanwhile.
   *
   * Bytes that are given whole must not be changed before the promise settles: what is read then is either of them, or an error.
   */
  async readAsync<T = unknown>(source: ByteSource, options: ReadAsyncOptions = NONE): Promise<T> {
    return (await this.readAtAsync<T>(source, options?.offset ?? 0, options)).value;
  }

  /** {@link readAt} in slices. A stream is given up behind the save. */
  async readAtAsync<T = unknown>(source: ByteSource, offset: number, options: ReadAsyncOptions = NONE): Promise<ReadAtResult<T>> {
    const settings = this.readSettings(options);
    checkOptions(options, SLICES);
    checkOffset(offset);
    const opened = openSource(source, options.size);
    let reason: unknown;
    try {
      return (await this.readOpened(opened, offset, options, settings)) as ReadAtResult<T>;
    } catch (error) {
      reason = error;
      throw error;
    } finally {
      opened.close(reason);
    }
  }

  private async readOpened(source: Source, offset: number, options: ReadAsyncOptions, settings: ReadSettings): Promise<ReadResult> {
    const slicer = new Slicer(options);
    const { whole } = source;
    const small = whole && this.readSmall(whole, offset, settings);
    if (small) {
      options.onProgress?.({ done: small.end - offset, total: whole.length - offset });
      return small;
    }
    const read = async (): Promise<ReadResult> => {
      const parts = this.take();
      try {
        return await readInSlices(parts.make(), settings, source, offset, options, slicer);
      } catch (error) {
        parts.lost = true;
        throw failed(parts, error);
      } finally {
        this.give(parts);
      }
    };
    const turns = whole ? this.turns : source.alone && this.ofBlobs;
    return turns && !options.pause ? turns.take(slicer, read) : read();
  }

  /**
   * {@link write} in slices. The graph is not copied first: what other code changes before its turn comes is stored as it is then, and what
   * cannot be stored any more (an element that has become of another datatype, a struct that was an array) is an error. See docs/async.md.
   */
  async writeAsync(value: unknown, options: WriteAsyncOptions = NONE): Promise<Uint8Array<ArrayBuffer>> {
    const settings = this.slicedSettings(options);
    const write = () => joinInSlices(this.chunks(value, options, settings), options);
    return options.pause ? write() : this.turns.take(new Slicer(options), write);
  }

  /**
   * {@link writeAsync} chunk by chunk, made as they are asked for: for `Readable.from`, `ReadableStream.from`, `saveFile`. Whoever takes them
   * owns them. When it throws, what came before is not a save.
   */
  writeChunks(value: unknown, options: WriteAsyncOptions = NONE): AsyncGenerator<Uint8Array<ArrayBuffer>, void, undefined> {
    return this.chunks(value, options);
  }

  /** `checked`: of {@link writeAsync}, whose turn may come later, and which has no use for pieces of the size that the options ask for. */
  private async *chunks(
    value: unknown,
    options: WriteAsyncOptions,
    checked?: WriteSettings,
  ): AsyncGenerator<Uint8Array<ArrayBuffer>, void, undefined> {
    const settings = checked ?? this.slicedSettings(options);
    const slicer = new Slicer(options);
    const parts = this.take();
    try {
      // Not in the middle of a slice.
      parts.make();
      yield* chunksInSlices(this.writerOf(parts), settings, value, options, slicer, checked ? undefined : options.chunkBytes);
    } catch (error) {
      parts.lost = true;
      throw failed(parts, error);
    } finally {
      this.give(parts);
    }
  }

  /**
   * {@link writeAsync} into a stream or function, at the pace of that; returns how many bytes it was. The stream is closed behind the save,
   * and aborted (Node: destroyed) when the write fails.
   */
  async writeTo(sink: ByteSink, value: unknown, options: WriteAsyncOptions = NONE): Promise<number> {
    this.slicedSettings(options);
    return sinkInSlices(this.writeChunks(value, options), sink, options);
  }

  /** base64( zlib( save ) ), Elephant's export string. `diffsOnly` is honoured; Elephant's own function ignores it. */
  exportString(value: unknown, options: WriteOptions = NONE): string {
    return exportBytes(this.write(value, options));
  }

  /** Reads an export string. Further errors: `export-string`, `inflate-limit`. Offsets of errors in the save count in its inflated bytes. */
  importString<T = unknown>(text: string, options: ReadOptions = NONE): T {
    checkText(text);
    checkOptions(options, READ);
    checkOffset(options.offset ?? 0);
    return this.read<T>(importBytes(text, this.settings.limits.maxInflatedBytes), options);
  }

  /**
   * A deep copy that keeps sharing and cycles and obeys schemas and callbacks as `ElephantDuplicate` does. Functions and null become undefined, without a
   * warning. What only the bytes of a save cannot hold is copied as it is: text in a number field or with U+0000, an array that is too long.
   *
   * Errors, with the path of what cannot be copied: `datatype-not-recognised`, `not-an-array`, `not-a-struct`, `depth-limit`. Without a path:
   * `schema-key-invalid`, `forced-version-missing` and `exclude-not-an-array`, which name the class; `bad-option`, also for a class whose instances take no
   * members. A `RangeError` for more containers than a Map holds, unless they are a tree of plain data of at most 64 levels.
   */
  duplicate<T>(value: T, options: DuplicateOptions = NONE): T {
    checkOptions(options, DUPLICATE);
    // As in take().
    if (this.small) wasmAllowed();
    const duplicator = this.duplicator ?? new Duplicator(this.settings, this.codeGeneration);
    // A callback may make copies, too.
    this.duplicator = undefined;
    const made = duplicator.duplicate(value, options);
    // After an error anything may be half done: it is not used again.
    this.duplicator = duplicator;
    return made as T;
  }

  /**
   * Nested plain structs and arrays, as `ElephantToJSON` makes them; repeated containers become references. Functions and null become undefined, without a
   * warning; other values are unchanged, whether a save can hold them or not. `JSON.stringify` can take it, if there is no bigint (int64) in it, but loses
   * undefined, NaN, infinities and the sign of minus zero, and makes plain structs of `Scalar`s.
   *
   * Errors: `datatype-not-recognised`, `depth-limit`, `bad-option`, `schema-missing` (for a version above 127), and those of schemas (`schema-key-invalid`,
   * `forced-version-missing`, `exclude-not-an-array`), which name the class. A `RangeError` for more containers than a Map holds.
   */
  toJson(value: unknown, options: { diffsOnly?: boolean | undefined } = NONE): unknown {
    checkOptions(options, JSON_FORM);
    return toJson(value, this.settings, options.diffsOnly === true);
  }

  /**
   * The way back, also from the numeric references of release 1.3.0. Typed arrays are those of the JSON, not copied. Errors: `unknown-constructor`,
   * `json-version-missing`, `bad-reference`, `datatype-not-recognised`, `depth-limit`, `element-limit`, and `bad-option` for a class whose instances
   * take no members.
   */
  fromJson<T = unknown>(json: unknown): T {
    return fromJson(json, this.settings) as T;
  }
}

/**
 * Makes a codec. Compiles off the main thread where the platform does. Errors: `bad-option`, and `engine` where WebAssembly was asked for and cannot be had, or
 * `wasm` is not this release's module. Where JavaScript is the engine, as with `"auto"` where WebAssembly is refused or absent, `wasm` is not looked at.
 */
export async function createElephant(options: ElephantOptions = {}): Promise<Elephant> {
  checkOptions(options, CODEC);
  return new Elephant(await loadKernel<ElephantExports>(elephantKernel, options), options);
}

/** Makes a codec without waiting. Errors as of {@link createElephant}. */
export function createElephantSync(options: ElephantOptions = {}): Elephant {
  checkOptions(options, CODEC);
  const load = () => loadKernelSync<ElephantExports>(elephantKernel, options);
  return new Elephant(readsSmall(options) ? kernelLater(load) : load(), options);
}
