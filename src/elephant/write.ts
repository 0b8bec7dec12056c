// Writing one value: walks the graph with an explicit stack and emits the op stream, in the order of the bytes; the kernel expands it.
//
// Sharing. Elephant writes a container that occurs again as a reference. Looking up every container in a Map costs as much as all the rest
// of a write, so the first attempt does without: the kernel hashes each container's first values, and only containers whose hash has come before are
// compared by identity. If one really is shared (or the graph is very deep, or user code runs during the write, so that contents may change),
// the write begins anew with a Map. Most saves are trees and never need it; a codec remembers what its last graph was like.
import { TuskError, type TuskWarning } from "../errors.ts";
import * as op from "../graph/ops.ts";
import { pathOf, step } from "../graph/path.ts";
import { encodeText, type StringFault, StringEncoder, stringFault } from "../graph/string-encoder.ts";
import { type ElephantCallback, POST_WRITE, PRE_WRITE, Registered, type Registry, StructInstance } from "./constructors.ts";
import { CODE, isScalar, type Scalar } from "./datatypes.ts";
import { type ElephantErrorCode, elephantError } from "./errors.ts";
import { gmlEqual, exactEqual } from "./equality.ts";
import type { Machine } from "./machine.ts";
import { Output } from "./output.ts";
import { FOOTER, MAGIC, VERSION_WORDS, type WritableRelease } from "./releases.ts";
import { type SchemaVersion, withoutExcluded } from "./schema.ts";
import type { CallbackState } from "./state.ts";
import { InstanceShape, PlainShape, type Shape, ShapeTable } from "./write-shapes.ts";
import { bytesOf, datatypeOf, elementSize } from "./typed-arrays.ts";

export interface WriteSettings {
  readonly registry: Registry;
  readonly release: WritableRelease;
  readonly diffsOnly: boolean;
  readonly exactDiffs: boolean;
  readonly maxDepth: number;
  readonly state: CallbackState;
  readonly onWarning: ((warning: TuskWarning) => void) | undefined;
}

/** Elements of an array from here on are too many: the length word has other meanings (formats/elephant.md §5). */
const ARRAY_LIMIT = 65535;
const STRUCT_LIMIT = 65534;
const INSTANCE_LIMIT = 65536;

/** Tape slots after which the kernel is called: 128 KB stay in the cache. */
const TAPE_SLOTS = 1 << 14;
const TEXT_BYTES = 1 << 16;
const WIDE_VALUES = 8192;
/** Longer strings are appended by the shim, so that the text of any one struct fits the blob. */
const LONGEST_TEXT = 1000;
/** Typed arrays of more bytes are appended from where they are. */
const INLINE_BYTES = 2048;
/** Depth at which the first attempt gives up: a cycle has no end, and only a Map finds it. */
const FIRST_DEPTH = 1000;

/** The first attempt cannot go on. */
const AGAIN = Symbol("write again, with a table of all containers");

/** A value that cannot be stored; becomes a TuskError with the path. */
class Problem {
  readonly code: ElephantErrorCode;
  readonly message: string;
  readonly holder: object | undefined;
  readonly key: string | number | undefined;
  constructor(code: ElephantErrorCode, message: string, holder?: object, key?: string | number) {
    this.code = code;
    this.message = message;
    this.holder = holder;
    this.key = key;
  }
}

const FAULTS: Record<StringFault, string> = {
  "nul-in-string": "a string with U+0000 cannot be stored: strings end at the first zero byte",
  "lone-surrogate": "a string with a lone surrogate has no UTF-8 form",
};

const LOWEST_INTEGER = -(2n ** 63n);
/** Unsigned values are taken as their two's complement. */
const HIGHEST_INTEGER = 2n ** 64n - 1n;

const objectPrototype = Object.prototype;

/** How far a container has been written. */
interface Frame {
  readonly container: object;
  /** Writes members from `at` on; returns the next one after a child was met ({@link GraphWriter.child}), or -1 at the end. */
  readonly writer: { write(container: never, at: number, writer: GraphWriter): number };
  /** Prediction: shapes of the children by the member they stand in. */
  readonly sites: (Shape | undefined)[];
  /** Called when all is written. */
  readonly done: (() => void) | undefined;
}

export class GraphWriter {
  readonly machine: Machine;
  readonly shapes: ShapeTable;
  private readonly output = new Output();
  private readonly encoder = new StringEncoder();
  private settings!: WriteSettings;

  // ---- the tape, public for the generated writers ----
  f64!: Float64Array;
  u32!: Uint32Array;
  /** Next free slot. */
  top = 0;
  /** The container that a writer has just met. */
  child: object = objectPrototype;
  private readonly first: number;
  private textTop = 0;
  private wideTop = 0;
  private external: { readonly text?: string; readonly bytes?: Uint8Array }[] = [];

  // ---- sharing ----
  private tracking = false;
  private sharing = false;
  private numbers = new Map<object, number>();
  private containers: object[] = [];
  private suspects = new Set<object>();

  private readonly constructorIndex = new Map<string, number>();
  private readonly templates = new Map<string, object>();
  private readonly strangers = new Map<string, Registered>();
  private root: unknown;
  private current: object | undefined;

  // ---- the stack ----
  private readonly stack: Frame[] = [];
  private readonly next: number[] = [];

  constructor(machine: Machine, codeGeneration: boolean) {
    this.machine = machine;
    this.first = machine.tape >> 3;
    this.shapes = new ShapeTable(machine, codeGeneration);
  }

  /** The complete save. */
  write(value: unknown, settings: WriteSettings): Uint8Array<ArrayBuffer> {
    this.settings = settings;
    this.root = value;
    this.shapes.begin(settings.release);
    this.tracking = this.sharing || settings.diffsOnly;
    try {
      if (!this.tracking) {
        try {
          const bytes = this.attempt(value);
          return bytes;
        } catch (signal) {
          if (signal !== AGAIN) throw signal;
        }
        this.tracking = true;
      }
      return this.attempt(value);
    } catch (error) {
      if (error instanceof Problem) throw this.located(error);
      // What is wrong with a schema is found out without knowing for which value.
      if (error instanceof TuskError && error.format === "elephant" && error.path === undefined && this.current && !this.calling)
        throw elephantError(error.code as ElephantErrorCode, error.reason, { path: pathOf(this.root, this.current) });
      throw error;
    } finally {
      this.sharing = this.tracking && this.sharing;
      this.end();
    }
  }

  private end(): void {
    this.stack.length = 0;
    this.next.length = 0;
    this.containers = [];
    if (this.numbers.size > 0) this.numbers = new Map();
    if (this.suspects.size > 0) this.suspects = new Set();
    this.constructorIndex.clear();
    this.templates.clear();
    this.strangers.clear();
    this.external = [];
    this.root = undefined;
    this.current = undefined;
    this.child = objectPrototype;
  }

  private attempt(value: unknown): Uint8Array<ArrayBuffer> {
    const { machine, settings } = this;
    this.stack.length = 0;
    this.next.length = 0;
    this.met = false;
    this.calling = false;
    this.shared = false;
    this.current = undefined;
    this.warnings.length = 0;
    this.numbers.clear();
    this.suspects.clear();
    this.containers.length = 0;
    this.constructorIndex.clear();
    this.output.begin();
    machine.kernel.writeBegin(204, this.tracking ? 0 : 1);
    this.attach();
    this.startTape();
    this.bytes(headerOf(settings.release));
    this.value(value);
    this.flush();
    this.drain();
    if (!this.tracking) this.compareCandidates();
    else this.sharing = this.shared;
    const bytes = this.output.take(footer);
    for (const warning of this.warnings) settings.onWarning!(warning);
    return bytes;
  }

  /** Did this attempt meet a container twice? */
  private shared = false;

  private attach(): void {
    const { views } = this.machine;
    views.refresh();
    this.f64 = views.f64;
    this.u32 = views.u32;
    this.encoder.attach(views.u8);
  }

  private startTape(): void {
    this.top = this.first;
    this.textTop = this.machine.ascii;
    this.wideTop = 0;
    this.external.length = 0;
  }

  /** Is it time to have the tape expanded? */
  full(): boolean {
    return this.top - this.first >= TAPE_SLOTS || this.textTop - this.machine.ascii >= TEXT_BYTES || this.wideTop >= WIDE_VALUES;
  }

  /** Room for what begins now. */
  private room(): void {
    if (this.full()) this.flush();
  }

  /** Has the kernel expand the tape. */
  flush(): void {
    const { kernel } = this.machine;
    kernel.writeTape(this.top << 3);
    while (true) {
      const status = kernel.writeStep();
      if (status === op.STATUS_TAPE) break;
      this.drain();
      if (status === op.STATUS_EXTERNAL) {
        const { text, bytes } = this.external[kernel.writeExternal()];
        this.output.append(bytes ?? encodeText(text!));
      }
      if (!this.tracking) this.compareCandidates();
    }
    if (!this.tracking) this.compareCandidates();
    this.attach();
    this.startTape();
  }

  private drain(): void {
    const { machine } = this;
    machine.views.refresh();
    const end = machine.kernel.writeOutputEnd() >>> 0;
    if (end > machine.window) this.output.append(machine.views.u8.subarray(machine.window, end));
    machine.kernel.writeDrained();
  }

  /** Containers with the hash of an earlier one: is one of them the same object? */
  private compareCandidates(): void {
    const { kernel, views, records } = this.machine;
    const count = kernel.writeCandidates();
    if (count === 0) return;
    views.refresh();
    const { containers, suspects } = this;
    for (let i = records >> 2, stop = i + count * 2; i < stop; i += 2) {
      const earlier = views.u32[i + 1];
      if (earlier !== 0xffffffff) suspects.add(containers[earlier]);
      const own = containers[views.u32[i]];
      if (suspects.has(own)) {
        this.sharing = true;
        throw AGAIN;
      }
      suspects.add(own);
    }
    kernel.writeChecked();
  }

  // ---- errors ----

  private located(problem: Problem): Error {
    const { holder } = problem;
    let path = holder ? pathOf(this.root, holder) : "";
    if (path !== undefined && problem.key !== undefined) path += step(problem.key);
    return elephantError(problem.code, problem.message, { path });
  }

  /** Throws; `value` is looked for among the members of the container under way. */
  refuse(code: ElephantErrorCode, message: string, value: unknown): never {
    const holder = this.current;
    if (!holder) throw new Problem(code, message);
    if (Array.isArray(holder)) throw new Problem(code, message, holder, holder.findIndex((element) => Object.is(element, value)));
    throw new Problem(
      code,
      message,
      holder,
      Object.keys(holder).find((name) => Object.is((holder as Record<string, unknown>)[name], value)),
    );
  }

  private warnFunction(value: unknown): void {
    if (!this.settings.onWarning) return;
    const holder = this.current;
    let path = holder ? pathOf(this.root, holder) : "";
    if (holder && path !== undefined) {
      const key = Array.isArray(holder) ? holder.indexOf(value) : Object.keys(holder).find((name) => (holder as Record<string, unknown>)[name] === value);
      if (key !== undefined) path += step(key);
    }
    this.warnings.push({ format: "elephant", code: "function-stored-as-undefined", message: "a function is stored as undefined", path });
  }

  /** Told when the write has succeeded, so that an attempt that begins anew tells nothing twice. */
  private readonly warnings: TuskWarning[] = [];

  // ---- slots ----

  private box(at: number, tag: number, payload: number): void {
    this.u32[at * 2] = payload;
    this.u32[at * 2 + 1] = tag;
  }

  string(text: string, at: number): void {
    if (text.length > LONGEST_TEXT) {
      const fault = stringFault(text);
      if (fault) this.refuse(fault, FAULTS[fault], text);
      this.box(at, op.BOX_EXTERNAL, this.external.push({ text }) - 1);
      return;
    }
    const written = this.encoder.write(text, this.textTop);
    if (written < 0) this.refuse(this.encoder.fault!, FAULTS[this.encoder.fault!], text);
    const i = at * 2;
    this.u32[i] = this.textTop - this.machine.ascii;
    this.u32[i + 1] = op.BOX_STRING | written;
    this.textTop += written;
  }

  private wide(value: bigint): number {
    if (value < LOWEST_INTEGER || value > HIGHEST_INTEGER) this.refuse("datatype-not-recognised", `${value} does not fit 64 bits`, value);
    const at = (this.machine.wide >> 2) + this.wideTop * 2;
    this.u32[at] = Number(BigInt.asUintN(32, value));
    this.u32[at + 1] = Number(BigInt.asUintN(32, value >> 32n));
    return this.wideTop++;
  }

  /** Any value but a number or a string; true when it is a container, which is then {@link child}. */
  put(value: unknown, at: number): boolean {
    switch (typeof value) {
      case "number":
        this.f64[at] = value === value ? value : Number.NaN;
        return false;
      case "string":
        this.string(value, at);
        return false;
      case "boolean":
        this.box(at, op.BOX_TABLE, value ? 2 : 1);
        return false;
      case "function":
        this.warnFunction(value);
        this.box(at, op.BOX_TABLE, 0);
        return false;
      case "undefined":
        this.box(at, op.BOX_TABLE, 0);
        return false;
      case "bigint":
        this.box(at, op.BOX_WIDE, this.wide(value));
        return false;
      case "object":
        if (value === null) {
          this.box(at, op.BOX_TABLE, 0);
          return false;
        }
        if (isScalar(value)) {
          this.scalar(value, at);
          return false;
        }
        this.child = value;
        this.box(at, Array.isArray(value) || datatypeOf(value) !== 0 ? op.BOX_ARRAY : op.BOX_STRUCT, 0);
        return true;
      default:
        return this.refuse("datatype-not-recognised", `a ${typeof value} cannot be stored`, value);
    }
  }

  private scalar(scalar: Scalar, at: number): void {
    const { datatype, value } = scalar;
    if (typeof value !== "number" || datatype === "f64") {
      this.put(value, at);
      return;
    }
    const index = this.wideTop++;
    this.f64[(this.machine.wide >> 3) + index] = value;
    this.box(at, op.BOX_SCALAR | CODE[datatype], index);
  }

  /** A value for a strict field of datatype `code`; true when it is a container. */
  field(value: unknown, code: number, at: number): boolean {
    if (code === CODE.any) return this.put(value, at);
    const given = isScalar(value) ? value.value : value;
    switch (code) {
      case CODE.string:
      case CODE.text:
        if (typeof given !== "string") return this.unfit("a string", given, value);
        this.string(given, at);
        return false;
      case CODE.bool:
        // GML: a number above 0.5 is true.
        if (typeof given !== "boolean" && typeof given !== "number" && typeof given !== "bigint") return this.unfit("a bool", given, value);
        this.box(at, op.BOX_TABLE, (typeof given === "boolean" ? given : given > 0.5) ? 2 : 1);
        return false;
      case CODE.u64:
        if (typeof given === "bigint") this.box(at, op.BOX_WIDE, this.wide(given));
        else if ((typeof given === "number" && Number.isFinite(given)) || typeof given === "boolean")
          this.box(at, op.BOX_WIDE, this.wide(BigInt(Math.trunc(Number(given)))));
        else return this.unfit("an integer", given, value);
        return false;
      case CODE.array:
      case CODE.struct:
        this.box(at, code === CODE.array ? op.BOX_ARRAY : op.BOX_STRUCT, 0);
        return this.container(value, code);
      case CODE.undefined:
      case 0:
        this.box(at, op.BOX_TABLE, 0);
        return false;
    }
    if (typeof given === "number") this.f64[at] = given === given ? given : Number.NaN;
    else if (typeof given === "boolean") this.f64[at] = given ? 1 : 0;
    else if (typeof given === "bigint" && code <= CODE.s32) this.box(at, op.BOX_WIDE, this.wide(given));
    else if (typeof given === "bigint") this.f64[at] = Number(given);
    else return this.unfit("a number", given, value);
    return false;
  }

  /** A child where only an array or only a struct may stand. */
  private container(value: unknown, code: number): true {
    const isObject = typeof value === "object" && value !== null;
    if (code === CODE.array) {
      if (!isObject || !(Array.isArray(value) || datatypeOf(value) !== 0)) this.refuse("not-an-array", "only an array can be stored here", value);
    } else if (!isObject || Array.isArray(value) || datatypeOf(value) !== 0 || isScalar(value)) this.refuse("not-a-struct", "only a struct can be stored here", value);
    this.child = value as object;
    return true;
  }

  private unfit(wanted: string, given: unknown, value: unknown): never {
    const found = given === null ? "null" : typeof given;
    return this.refuse("datatype-not-recognised", `the schema asks for ${wanted}, the member is ${found}`, value);
  }

  /** Raw bytes of the format. */
  private bytes(bytes: Uint8Array): void {
    this.u32[this.top * 2] = op.WRITE_BYTES;
    this.u32[this.top * 2 + 1] = bytes.length;
    this.top++;
    this.copyBytes(bytes);
  }

  private copyBytes(bytes: Uint8Array): void {
    this.machine.views.u8.set(bytes, this.top << 3);
    this.top += (bytes.length + 7) >> 3;
  }

  /** One value by itself: its tag if `code` is any, its bytes. */
  single(value: unknown, code: number): boolean {
    this.room();
    const at = this.top;
    this.u32[at * 2] = op.WRITE_ELEMENTS | (code << 8);
    this.u32[at * 2 + 1] = 1;
    this.top += 2;
    return this.field(value, code, at + 1);
  }

  // ---- the walk ----

  private value(value: unknown): void {
    if (!this.single(value, CODE.any)) return;
    const { stack, next } = this;
    this.met = true;
    while (this.met || stack.length > 0) {
      const last = stack.length - 1;
      this.room();
      if (this.met) {
        this.met = false;
        if (last < 0) this.open(this.child, undefined, 0);
        else this.open(this.child, stack[last].sites, Array.isArray(stack[last].container) ? 0 : next[last]);
        continue;
      }
      const frame = stack[last];
      this.current = frame.container;
      const at = frame.writer.write(frame.container as never, next[last], this);
      if (at < 0) {
        stack.length = last;
        next.length = last;
        frame.done?.();
        continue;
      }
      next[last] = at;
      this.met = true;
    }
  }

  /** {@link child} is to be opened next. */
  private met = false;

  private push(frame: Frame, at: number): void {
    this.stack.push(frame);
    this.next.push(at);
    this.met = true;
    if (!this.tracking && this.stack.length > FIRST_DEPTH) throw AGAIN;
  }

  /** A container that occurs here: a reference, or its beginning and as much as comes before its first child. */
  private open(container: object, sites: (Shape | undefined)[] | undefined, site: number): void {
    if (this.tracking) {
      const number = this.numbers.get(container);
      if (number !== undefined) {
        this.shared = true;
        if (number > 65535) {
          const last = this.stack.length - 1;
          const holder = this.stack[last].container;
          const key = Array.isArray(holder) ? this.next[last] - 1 : Object.keys(holder).find((name) => memberOf(holder, name) === container);
          throw new Problem("reference-index-overflow", `a reference to container ${number} does not fit 16 bits; only the first 65,536 may occur again`, holder, key);
        }
        this.u32[this.top * 2] = op.WRITE_REFERENCE;
        this.u32[this.top * 2 + 1] = number;
        this.top++;
        return;
      }
      this.numbers.set(container, this.numbers.size);
    } else this.containers.push(container);

    if (this.stack.length >= this.settings.maxDepth) throw elephantError("depth-limit", `the value nests deeper than limits.maxDepth (${this.settings.maxDepth})`);
    const outer = this.current;
    this.current = container;
    if (Array.isArray(container)) {
      this.openArray(container);
      return;
    }
    const prototype = Object.getPrototypeOf(container);
    if (prototype === objectPrototype || prototype === null) {
      let shape = sites?.[site];
      if (!(shape instanceof PlainShape) || !shape.fits(container as Record<string, unknown>)) {
        const names = Object.keys(container);
        if (names.length >= STRUCT_LIMIT) throw new Problem("struct-too-large", `a struct of ${names.length} members; at most 65,533 can be stored`, container);
        shape = this.shapes.plain(names, (name) => this.refuseName(name, container));
        if (sites) sites[site] = shape;
      }
      this.run(container, shape as PlainShape, undefined);
      return;
    }
    const datatype = datatypeOf(container);
    if (datatype !== 0) {
      this.typedArray(container, datatype);
      return;
    }
    const registered = prototype === StructInstance.prototype ? this.stranger(container as StructInstance) : this.settings.registry.ofPrototype(prototype);
    if (!registered) {
      this.current = outer;
      const name = (container.constructor as { name?: unknown } | undefined)?.name;
      throw new Problem("datatype-not-recognised", `an instance of ${typeof name === "string" && name ? name : "a class"}, which is not registered, cannot be stored`, container);
    }
    this.openInstance(container, registered, sites, site);
  }

  private refuseName(name: string, holder: object): never {
    const fault = stringFault(name)!;
    throw new Problem(fault, FAULTS[fault], holder, name);
  }

  /** Writes from the first member on; what has children goes on the stack. */
  private run(container: object, shape: Shape, done: (() => void) | undefined): void {
    const at = shape.write(container as never, -1, this);
    if (at < 0) {
      done?.();
      return;
    }
    this.push({ container, writer: shape, sites: shape.sites, done }, at);
  }

  // ---- arrays ----

  private openArray(array: readonly unknown[]): void {
    const { length } = array;
    if (length >= ARRAY_LIMIT) throw new Problem("array-too-long", `an array of ${length} elements; at most 65,534 can be stored`, array as object);
    if (length > 0 && typeof array[0] === "number" && this.doubles(array)) return;
    const code = length === 0 ? 0 : this.commonDatatype(array);
    if (code === CODE.undefined) for (const value of array) if (typeof value === "function") this.warnFunction(value);
    // Elements of datatype undefined take no bytes.
    const writer = arrayWriter(code, code === CODE.undefined ? 0 : length);
    this.u32[this.top * 2] = op.WRITE_ARRAY | (code << 8);
    this.u32[this.top * 2 + 1] = length;
    const header = this.top++;
    const at = writer.elements(array, 0, this, header, 16);
    if (at < 0) return;
    this.push({ container: array as object, writer, sites: [], done: undefined }, at);
  }

  /** An array of numbers alone, in one operation; false (and nothing emitted) when it is not one. */
  private doubles(array: readonly unknown[]): boolean {
    const { f64, top } = this;
    const { length } = array;
    let at = top + 1;
    for (let i = 0; i < length; i++) {
      const value = array[i];
      if (typeof value !== "number") return false;
      f64[at++] = value === value ? value : Number.NaN;
    }
    this.u32[top * 2] = op.WRITE_DOUBLES;
    this.u32[top * 2 + 1] = length;
    this.top = at;
    return true;
  }

  /** The code that all elements have by formats/elephant.md §3.1, or any. */
  private commonDatatype(array: readonly unknown[]): number {
    let common = 0;
    for (let i = 0; i < array.length; i++) {
      const code = this.codeOf(array[i], array, i);
      if (common === 0) common = code;
      else if (code !== common) common = CODE.any;
    }
    return common;
  }

  codeOf(value: unknown, holder: readonly unknown[], index: number): number {
    switch (typeof value) {
      case "number":
        return CODE.f64;
      case "string":
        return CODE.string;
      case "boolean":
        return CODE.bool;
      case "undefined":
        return CODE.undefined;
      case "function":
        return CODE.undefined;
      case "bigint":
        return CODE.u64;
      case "object":
        if (value === null) return CODE.undefined;
        if (Array.isArray(value)) return CODE.array;
        if (isScalar(value)) return value.datatype === "text" ? CODE.string : CODE[value.datatype];
        return datatypeOf(value) !== 0 ? CODE.array : CODE.struct;
      default:
        throw new Problem("datatype-not-recognised", `a ${typeof value} cannot be stored`, holder as object, index);
    }
  }

  /** Emits elements [from, ...) up to the first container; returns the next index or -1. Called by {@link ArrayWriter}. */
  elements(array: readonly unknown[], from: number, length: number, code: number, header: number): number {
    const containers = code === CODE.array || code === CODE.struct;
    if (containers) {
      if (from >= length) return -1;
      // No slots: the children alone stand for the elements.
      this.container(array[from], code);
      return from + 1;
    }
    let { u32 } = this;
    let start = from;
    let first = header >= 0;
    if (!first) {
      header = this.top++;
      u32[header * 2] = op.WRITE_ELEMENTS | (code << 8);
    }
    let i = from;
    const close = (): void => {
      if (first) this.u32[header * 2 + 1] |= (i - start) << 16;
      else this.u32[header * 2 + 1] = i - start;
    };
    while (i < length) {
      const value = array[i];
      if (i - start >= 8 && this.full()) {
        close();
        this.flush();
        u32 = this.u32;
        header = this.top++;
        u32[header * 2] = op.WRITE_ELEMENTS | (code << 8);
        first = false;
        start = i;
      }
      if (code !== CODE.any && this.codeOf(value, array, i) !== code)
        throw new Problem("datatype-not-recognised", "an element changed its datatype while the array was written", array as object, i);
      const at = this.top++;
      if (code === CODE.any ? this.put(value, at) : this.field(value, code, at)) {
        i++;
        close();
        return i;
      }
      i++;
    }
    close();
    return -1;
  }

  private typedArray(array: object, datatype: number): void {
    const bytes = bytesOf(array);
    const length = bytes.length / elementSize(datatype);
    if (length >= ARRAY_LIMIT) throw new Problem("array-too-long", `an array of ${length} elements; at most 65,534 can be stored`, array);
    if (length === 0) {
      this.u32[this.top * 2] = op.WRITE_ARRAY;
      this.u32[this.top * 2 + 1] = 0;
      this.top++;
      return;
    }
    const inline = bytes.length <= INLINE_BYTES;
    this.u32[this.top * 2] = op.WRITE_TYPED | (datatype << 8);
    this.u32[this.top * 2 + 1] = length | (inline ? 1 << 16 : 0);
    this.top++;
    if (inline) this.copyBytes(bytes);
    else {
      this.u32[this.top * 2] = this.external.push({ bytes }) - 1;
      this.top++;
    }
  }

  // ---- constructed structs ----

  /** A stand-in's constructor: the registered one of its name, or none. */
  private stranger(instance: StructInstance): Registered {
    const name = StructInstance.nameOf(instance);
    const known = this.settings.registry.named(name) ?? this.strangers.get(name);
    if (known) return known;
    const made = new Registered(-1, name, undefined);
    this.strangers.set(name, made);
    return made;
  }

  private openInstance(instance: object, registered: Registered, sites: (Shape | undefined)[] | undefined, site: number): void {
    const { settings } = this;
    const preWrite = registered.callback(PRE_WRITE);
    const postWrite = registered.callback(POST_WRITE);
    // User code may change what was hashed, and a first attempt that fails would have called it for nothing.
    if (!this.tracking && (preWrite || postWrite)) throw AGAIN;
    const index = this.constructorIndex.get(registered.name);
    const stored = instance instanceof StructInstance && !registered.schema;
    const version = stored ? StructInstance.versionOf(instance) : registered.currentVersion();
    const schema = version > 0 && !stored ? registered.version(version)! : undefined;
    if (stored && !StructInstance.verboseOf(instance))
      throw new Problem("schema-missing", `"${registered.name}" was read by schema version ${version}; without its schema it cannot be written the same way`, instance);
    const isVerbose = !schema || schema.verbose;

    // The template is made before any callback runs (formats/elephant.md §10).
    const template = settings.diffsOnly ? this.template(registered) : undefined;
    // In verbose mode the list of members is taken before pre-write.
    const names = isVerbose ? this.verboseNames(instance, registered, schema, stored) : undefined;
    if (names && names.length >= INSTANCE_LIMIT) throw new Problem("struct-too-large", `a constructed struct of ${names.length} members; at most 65,535 can be stored`, instance);
    const isNew = index === undefined;
    if (isNew) this.constructorIndex.set(registered.name, this.constructorIndex.size);
    const number = index ?? this.constructorIndex.size - 1;
    if (preWrite) this.call(preWrite, instance, version);
    const done = postWrite ? () => this.call(postWrite, instance, version) : undefined;

    let shape: Shape;
    if (template) shape = this.differences(instance, template, registered, schema, names, version);
    else {
      const given = sites?.[site];
      if (given instanceof InstanceShape && given.of(registered.name, version, names)) shape = given;
      else {
        shape = names
          ? this.shapes.verbose(registered.name, version, names, (name) => this.refuseName(name, instance))
          : this.shapes.strict(registered, schema!);
        if (sites) sites[site] = shape;
      }
    }
    this.current = instance;
    this.beginInstance(registered.name, number, isNew);
    this.run(instance, shape, done);
  }

  /** User code is running: its errors are its own. */
  private calling = false;

  private call(callback: ElephantCallback, instance: object, version: number): void {
    this.calling = true;
    this.settings.state.call(callback, instance, version, false);
    this.calling = false;
  }

  private nameBytes: Uint8Array | undefined;
  private instanceIndex = 0;

  /** Notes what {@link instanceHeader} is to emit in front of the members. */
  private beginInstance(name: string, index: number, isNew: boolean): void {
    this.instanceIndex = index;
    this.nameBytes = undefined;
    if (!isNew) return;
    const fault = stringFault(name);
    if (fault) throw new Problem(fault, FAULTS[fault]);
    const bytes = encodeText(name);
    this.nameBytes = new Uint8Array(bytes.length + 1);
    this.nameBytes.set(bytes);
  }

  /** The constructor's index, and its name the first time. Called by the shapes after their operation's first slot. */
  instanceHeader(): void {
    const { nameBytes } = this;
    this.box(this.top++, nameBytes ? nameBytes.length : 0, this.instanceIndex);
    if (nameBytes) this.copyBytes(nameBytes);
  }

  /** The same as raw bytes, followed by what comes before the members. Only a Map knows containers that are written so. */
  looseInstance(beginning: Uint8Array): void {
    if (!this.tracking) throw AGAIN;
    const { nameBytes, instanceIndex } = this;
    const bytes = new Uint8Array(4 + (nameBytes?.length ?? 0) + beginning.length);
    bytes.set([0xfe, 0xff, instanceIndex & 255, instanceIndex >> 8]);
    if (nameBytes) bytes.set(nameBytes, 4);
    bytes.set(beginning, bytes.length - beginning.length);
    this.bytes(bytes);
  }

  private verboseNames(instance: object, registered: Registered, schema: SchemaVersion | undefined, stored: boolean): readonly string[] {
    const names = schema ? schema.members : Object.keys(instance);
    return stored ? names : withoutExcluded(names, registered.excluded());
  }

  // ---- diffsOnly ----

  /** A fresh instance to compare with, one for each constructor and call. Undefined for a stand-in without class. */
  private template(registered: Registered): object | undefined {
    if (!registered.type) return undefined;
    let made = this.templates.get(registered.name);
    if (!made) {
      made = registered.construct();
      this.templates.set(registered.name, made);
    }
    return made;
  }

  /** The shape that leaves out what equals the template (formats/elephant.md §9). */
  private differences(instance: object, template: object, registered: Registered, schema: SchemaVersion | undefined, names: readonly string[] | undefined, version: number): Shape {
    const equal = this.settings.exactDiffs ? exactEqual : gmlEqual;
    const same = (name: string): boolean => equal(memberOf(instance, name), memberOf(template, name));
    if (names) {
      const kept = names.filter((name) => !same(name));
      return this.shapes.some(version, kept, (name) => this.refuseName(name, instance));
    }
    const skipped: number[] = [];
    const fields = schema!.fields.filter((field, i) => {
      if (!same(field.name)) return true;
      skipped.push(i + 1);
      return false;
    });
    return this.shapes.partial(version, fields, skipped);
  }
}

/** An own or inherited member as GML would see it: what every object inherits does not count. */
export function memberOf(instance: object, name: string): unknown {
  if (name in objectPrototype && !Object.hasOwn(instance, name)) return undefined;
  return (instance as Record<string, unknown>)[name];
}

/** Writes the elements of an array; `write` is what the stack calls. */
class ArrayWriter {
  private readonly code: number;
  private readonly length: number;
  constructor(code: number, length: number) {
    this.code = code;
    this.length = length;
  }

  write(array: readonly unknown[], at: number, writer: GraphWriter): number {
    if (at >= this.length) return -1;
    return writer.elements(array, at, this.length, this.code, -1);
  }

  elements(array: readonly unknown[], at: number, writer: GraphWriter, header: number, _shift: number): number {
    return writer.elements(array, at, this.length, this.code, header);
  }
}

function arrayWriter(code: number, length: number): ArrayWriter {
  return new ArrayWriter(code, length);
}

const headers = new Map<WritableRelease, Uint8Array>();

function headerOf(release: WritableRelease): Uint8Array {
  let header = headers.get(release);
  if (!header) {
    header = new Uint8Array(8);
    new DataView(header.buffer).setUint32(0, MAGIC, true);
    new DataView(header.buffer).setUint32(4, VERSION_WORDS[release], true);
    headers.set(release, header);
  }
  return header;
}

const footer = new Uint8Array(4);
new DataView(footer.buffer).setUint32(0, FOOTER, true);
