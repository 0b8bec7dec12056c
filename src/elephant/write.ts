// Writing one value: walks the graph with an explicit stack and emits the op stream, in the order of the bytes; the kernel expands it.
//
// Sharing. Elephant writes a container that occurs again as a reference. Looking up every container in a Map costs as much as all the rest
// of a write, so the first attempt does without: the kernel hashes each container's first values, and only containers whose hash has
// come before are compared by identity. If one really is shared (or the graph is very deep, or user code runs during the write, so that
// contents may change), the write begins anew with a Map. Most saves are trees and never need it; a codec remembers what its last
// graph was like.
import { TuskError, type TuskWarning } from "../errors.ts";
import * as op from "../graph/ops.ts";
import { pathOf, step } from "../graph/path.ts";
import { stringFault } from "../graph/string-encoder.ts";
import { IdentityTable } from "./async/identity-table.ts";
import { type Registry, StructInstance } from "./constructors.ts";
import { CODE, isScalar } from "./datatypes.ts";
import { type ElephantErrorCode, elephantError } from "./errors.ts";
import type { Machine } from "./machine.ts";
import { memberOf } from "./members.ts";
import { Output, type OutputSink } from "./output.ts";
import { FOOTER, MAGIC, VERSION_WORDS, type WritableRelease } from "./releases.ts";
import { SlotWriter } from "./slot-writer.ts";
import type { CallbackState } from "./state.ts";
import { bytesOf, datatypeOf, elementSize } from "./typed-arrays.ts";
import { InstanceWriter } from "./write-instances.ts";
import { AGAIN, FAULTS, Problem } from "./write-problem.ts";
import { InstanceShape, PlainShape, type Shape, ShapeTable } from "./write-shapes.ts";

export interface WriteSettings {
  readonly registry: Registry;
  readonly release: WritableRelease;
  readonly diffsOnly: boolean;
  readonly exactDiffs: boolean;
  readonly maxDepth: number;
  readonly state: CallbackState;
  readonly onWarning: ((warning: TuskWarning) => void) | undefined;
}

/** Arrays of so many elements cannot be stored: the length word has other meanings from here on (formats/elephant.md §5). */
const ARRAY_LIMIT = 65535;
const STRUCT_LIMIT = 65534;
/** Elements that stay together: at least as many as the kernel hashes (assembly/elephant/write.ts). */
const TOGETHER = 8;
/** Typed arrays of more bytes are appended from where they are. */
const INLINE_BYTES = 2048;
/** Depth at which the first attempt gives up: a cycle has no end, and only a Map finds it. */
const FIRST_DEPTH = 1000;
/** Children that are written inside their parents' writers; deeper ones wait for the loop, so that no host stack overflows. */
const NESTING = 12;

/** From here on a Set is faster than comparing one by one. */
const LARGE_GROUP = 24;

const objectPrototype = Object.prototype;

/** Writes a container from member or element `at` on: -1 when it is whole, else something deeper has to be written first. */
interface ContainerWriter {
  readonly sites: (Shape | undefined)[];
  write(container: never, at: number, writer: GraphWriter): number;
}

export class GraphWriter extends SlotWriter {
  readonly shapes: ShapeTable;
  settings!: WriteSettings;
  private output: OutputSink;
  private readonly instances: InstanceWriter;

  // ---- sharing ----
  /** Are all containers in {@link numbers}? */
  tracking = false;
  /** Did the last write meet a container twice? Then the next one begins with the table. */
  private sharing = false;
  private shared = false;
  private numbers = new Map<object, number>();
  /** The same in slices. */
  private identities: IdentityTable | undefined;
  private containers: object[] = [];
  /** Containers whose hash came before, by the number of the first one that had it. */
  private suspects = new Map<number, object[] | Set<object>>();

  // ---- the stack: containers that are not whole yet ----
  private depth = 0;
  private readonly open: object[] = [];
  private readonly writers: ContainerWriter[] = [];
  private readonly places: number[] = [];
  private readonly done: ((() => void) | undefined)[] = [];
  /** Counts attempts, over all writes. */
  private attempts = 0;
  /** {@link child} belongs to the top of the stack and is to be opened by the loop. */
  private met = false;
  private nesting = 0;
  /** What {@link nesting} may reach: {@link NESTING}, or -1 when everything has to come back to the loop, for a pause. */
  private deepest = NESTING;
  /** In slices: is this one over? */
  private due: (() => boolean) | undefined;

  // ---- for errors and warnings ----
  private root: unknown;
  private current: object | undefined;
  /** Told when the write has succeeded, so that an attempt that begins anew tells nothing twice. */
  private readonly warnings: TuskWarning[] = [];
  /** User code is running: its errors are its own. */
  calling = false;

  private readonly whole = new Output();

  constructor(machine: Machine, codeGeneration: boolean) {
    super(machine);
    this.output = this.whole;
    this.shapes = new ShapeTable(machine, codeGeneration);
    this.instances = new InstanceWriter(this);
  }

  /** The complete save. */
  write(value: unknown, settings: WriteSettings): Uint8Array<ArrayBuffer> {
    this.settings = settings;
    this.root = value;
    this.shapes.begin(settings.release);
    this.tracking = this.sharing || settings.diffsOnly;
    try {
      try {
        return this.attempt(value);
      } catch (signal) {
        if (signal !== AGAIN) throw signal;
      }
      this.tracking = true;
      return this.attempt(value);
    } catch (error) {
      throw this.explained(error);
    } finally {
      this.end();
    }
  }

  /**
   * The complete save into `output`, in slices: returns to its caller whenever `due` says so. Other code runs in between and may change the
   * graph, so containers are known by identity from the beginning.
   */
  *writeSlices(value: unknown, settings: WriteSettings, output: OutputSink, due: () => boolean): Generator<void, void> {
    this.settings = settings;
    this.root = value;
    this.shapes.begin(settings.release);
    this.tracking = true;
    this.identities = new IdentityTable();
    this.slice(true);
    this.due = due;
    this.output = output;
    try {
      this.start();
      let more = this.begun(value);
      while (more) {
        // Nothing may wait on the tape: bytes of typed arrays are taken when it is expanded.
        this.flush();
        yield;
        this.deepest = NESTING;
        this.shapes.lookAround();
        more = this.walk();
      }
      this.expand();
      this.drain();
      output.append(footer);
      for (const warning of this.warnings) settings.onWarning!(warning);
    } catch (error) {
      throw this.explained(error);
    } finally {
      this.end();
      this.output = this.whole;
      this.due = undefined;
      this.identities = undefined;
      this.slice(false);
    }
  }

  /** An error as the caller is to get it. */
  private explained(error: unknown): unknown {
    if (error instanceof Problem) return this.located(error);
    // What is wrong with a schema is found out without knowing for which value.
    if (error instanceof TuskError && error.format === "elephant" && error.path === undefined && this.current && !this.calling)
      return elephantError(error.code as ElephantErrorCode, error.reason, { path: pathOf(this.root, this.current) });
    return error;
  }

  private end(): void {
    this.begin();
    this.open.length = 0;
    this.done.length = 0;
    this.root = undefined;
    this.child = objectPrototype;
  }

  /** Forgets an attempt. */
  private begin(): void {
    this.depth = 0;
    this.nesting = 0;
    this.deepest = NESTING;
    this.met = false;
    this.calling = false;
    this.shared = false;
    this.current = undefined;
    this.warnings.length = 0;
    if (this.containers.length > 0) this.containers = [];
    if (this.numbers.size > 0) this.numbers = new Map();
    if (this.suspects.size > 0) this.suspects = new Map();
    this.instances.begin();
  }

  private attempt(value: unknown): Uint8Array<ArrayBuffer> {
    this.whole.begin();
    this.start();
    this.begun(value);
    this.expand();
    this.drain();
    if (!this.tracking) this.compareCandidates();
    else this.sharing = this.shared;
    const bytes = this.whole.take(footer);
    for (const warning of this.warnings) this.settings.onWarning!(warning);
    return bytes;
  }

  private start(): void {
    this.begin();
    this.attempts++;
    if (!this.machine.kernel.writeBegin(204, this.tracking ? 0 : 1)) throw AGAIN;
    this.attach();
    this.startTape();
    this.bytes(headerOf(this.settings.release));
  }

  // ---- the kernel ----

  /** Has the kernel expand the tape, and begins a new one. */
  flush(): void {
    this.expand();
    this.attach();
    this.startTape();
    if (this.due?.()) this.deepest = -1;
  }

  /**
   * Asked by long containers between two elements: is there to be a pause? Then `writer` is called again from `place` on, and has to
   * return that.
   */
  pause(container: object, writer: ContainerWriter, place: number): boolean {
    if (this.deepest >= 0) return false;
    if (this.depth > 0 && this.open[this.depth - 1] === container) this.places[this.depth - 1] = place;
    else this.push(container, writer, place, undefined);
    return true;
  }

  private room(): void {
    if (this.full()) this.flush();
  }

  private expand(): void {
    const { kernel } = this.machine;
    kernel.writeTape(this.top << 3);
    while (true) {
      const status = kernel.writeStep();
      if (status === op.STATUS_TAPE) break;
      this.drain();
      if (status === op.STATUS_EXTERNAL) {
        const { text, bytes } = this.external[kernel.writeExternal()];
        if (bytes) this.output.append(bytes);
        else this.output.appendText(text!);
      }
      if (!this.tracking) this.compareCandidates();
    }
    if (!this.tracking) this.compareCandidates();
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
    const { u32 } = views;
    const { containers, suspects } = this;
    for (let i = records >> 2, stop = i + count * 2; i < stop; i += 2) {
      const own = containers[u32[i]];
      // Number of the first container with that hash; all that have it are in one group.
      const first = u32[i + 1];
      const group = suspects.get(first);
      let seen: boolean;
      if (group === undefined) {
        seen = containers[first] === own;
        suspects.set(first, first < containers.length ? [containers[first], own] : new Set([own]));
      } else if (Array.isArray(group)) {
        seen = group.includes(own);
        if (group.length < LARGE_GROUP) group.push(own);
        else suspects.set(first, new Set(group).add(own));
      } else {
        seen = group.has(own);
        group.add(own);
      }
      if (seen) {
        this.sharing = true;
        throw AGAIN;
      }
    }
    kernel.writeChecked();
  }

  // ---- errors and warnings ----

  private located(problem: Problem): Error {
    const { holder } = problem;
    let path = holder ? pathOf(this.root, holder) : "";
    if (path !== undefined && problem.key !== undefined) path += step(problem.key);
    return elephantError(problem.code, problem.message, { path });
  }

  /** Which member or element of the container under way a value is. */
  private keyOf(value: unknown): string | number | undefined {
    const holder = this.current;
    if (holder === undefined) return undefined;
    if (Array.isArray(holder)) return holder.findIndex((element) => Object.is(element, value));
    return Object.keys(holder).find((name) => Object.is((holder as Record<string, unknown>)[name], value));
  }

  refuse(code: ElephantErrorCode, message: string, value: unknown): never {
    throw new Problem(code, message, this.current, this.keyOf(value));
  }

  refuseName(name: string, holder: object): never {
    const fault = stringFault(name)!;
    throw new Problem(fault, FAULTS[fault], holder, name);
  }

  protected noteFunction(value: unknown): void {
    if (!this.settings.onWarning) return;
    let path = this.current ? pathOf(this.root, this.current) : "";
    const key = this.keyOf(value);
    if (key !== undefined && path !== undefined) path += step(key);
    this.warnings.push({ format: "elephant", code: "function-stored-as-undefined", message: "a function is stored as undefined", path });
  }

  // ---- the walk ----

  /** One value by itself: its tag if `code` is any, its bytes. True when it is a container. */
  single(value: unknown, code: number): boolean {
    this.room();
    const at = this.top;
    this.u32[at * 2] = op.WRITE_ELEMENTS | (code << 8);
    this.u32[at * 2 + 1] = 1;
    this.top += 2;
    return this.field(value, code, at + 1);
  }

  /** Writes the root, up to a pause; is there more? */
  private begun(value: unknown): boolean {
    this.met = this.single(value, CODE.any);
    return this.walk();
  }

  /** Writes what is left of the graph, up to a pause; is there more? */
  private walk(): boolean {
    while (this.met || this.depth > 0) {
      if (this.deepest < 0) return true;
      this.room();
      const top = this.depth - 1;
      if (this.met) {
        this.met = false;
        this.enter(this.child, top);
        continue;
      }
      this.current = this.open[top];
      if (this.writers[top].write(this.open[top] as never, this.places[top], this) < 0) {
        this.depth = top;
        this.done[top]?.();
      }
    }
    return false;
  }

  /** Puts a container on the stack; its writer goes on at `place`. */
  private push(container: object, writer: ContainerWriter, place: number, done: (() => void) | undefined): void {
    const { depth } = this;
    this.open[depth] = container;
    this.writers[depth] = writer;
    this.places[depth] = place;
    this.done[depth] = done;
    this.depth = depth + 1;
    if (depth >= FIRST_DEPTH && !this.tracking) throw AGAIN;
  }

  /**
   * A writer has met {@link child} in `container` and wants to go on at `place`. False: the child is written; true: it has to wait, and
   * the writer will be called again.
   */
  nested(container: object, writer: ContainerWriter, place: number): boolean {
    const before = this.depth;
    // The container is on the stack already when its writer was called from the loop or had a child before.
    if (before > 0 && this.open[before - 1] === container) this.places[before - 1] = place;
    else this.push(container, writer, place, undefined);
    const top = this.depth - 1;
    if (this.nesting >= this.deepest) {
      this.met = true;
      return true;
    }
    this.room();
    this.nesting++;
    const whole = this.enter(this.child, top);
    this.nesting--;
    if (!whole) return true;
    this.current = container;
    // What was put here is taken away again.
    this.depth = before;
    // The rest of the container may be 160 long texts, and so may that of each one around it.
    this.room();
    return false;
  }

  /** A container that occurs in the one at `top` of the stack: a reference, or itself. True when it is whole. */
  private enter(container: object, top: number): boolean {
    if (this.tracking) {
      const number = this.identities ? this.identities.number(container) : this.numbers.get(container);
      if (number !== undefined) {
        this.reference(number, container, top);
        return true;
      }
      if (!this.identities) this.numbers.set(container, this.numbers.size);
    } else {
      // A container directly inside itself would look like its own parent.
      if (top >= 0 && this.open[top] === container) {
        this.sharing = true;
        throw AGAIN;
      }
      this.containers.push(container);
    }
    if (this.depth >= this.settings.maxDepth)
      throw elephantError("depth-limit", `the value nests deeper than limits.maxDepth (${this.settings.maxDepth})`);

    const outer = this.current;
    this.current = container;
    if (Array.isArray(container)) return this.array(container);
    const prototype = Object.getPrototypeOf(container);
    const sites = top >= 0 ? this.writers[top].sites : undefined;
    const site = top >= 0 && !Array.isArray(this.open[top]) ? this.places[top] : 0;
    if (prototype === objectPrototype || prototype === null) {
      let shape = sites?.[site];
      if (!(shape instanceof PlainShape) || !shape.fits(container as Record<string, unknown>)) {
        const names = Object.keys(container);
        if (names.length >= STRUCT_LIMIT)
          throw new Problem("struct-too-large", `a struct of ${names.length} members; at most 65,533 can be stored`, container);
        shape = this.shapes.plain(names, (name) => this.refuseName(name, container));
        if (sites) sites[site] = shape;
      }
      return shape.write(container as never, -1, this) < 0;
    }
    const expected = sites?.[site];
    if (expected instanceof InstanceShape && expected.attempt === this.attempts && expected.prototype === prototype) {
      this.instances.index = expected.index;
      this.instances.nameBytes = undefined;
      return expected.write(container as never, -1, this) < 0;
    }
    const datatype = datatypeOf(container);
    if (datatype !== 0) {
      this.typedArray(container, datatype);
      return true;
    }
    const registered =
      prototype === StructInstance.prototype
        ? this.instances.standIn(container as StructInstance)
        : this.settings.registry.ofPrototype(prototype);
    if (!registered) {
      this.current = outer;
      const name = (container.constructor as { name?: unknown } | undefined)?.name;
      throw new Problem(
        "datatype-not-recognised",
        `an instance of ${typeof name === "string" && name ? name : "a class"}, which is not registered, cannot be stored`,
        container,
      );
    }
    const { shape, done } = this.instances.enter(container, registered, sites, site);
    this.current = container;
    if (!done && shape instanceof InstanceShape && shape.strict && registered.simpleToWrite) {
      shape.attempt = this.attempts;
      shape.index = this.instances.index;
    }
    if (!done) return shape.write(container as never, -1, this) < 0;
    this.push(container, shape, 0, done);
    if (shape.write(container as never, -1, this) >= 0) return false;
    this.depth--;
    done();
    return true;
  }

  private reference(number: number, container: object, top: number): void {
    this.shared = true;
    if (number > 65535) {
      const holder = this.open[top];
      const key = Array.isArray(holder) ? this.places[top] - 1 : Object.keys(holder).find((name) => memberOf(holder, name) === container);
      throw new Problem(
        "reference-index-overflow",
        `a reference to container ${number} does not fit 16 bits; only the first 65,536 may occur again`,
        holder,
        key,
      );
    }
    this.u32[this.top * 2] = op.WRITE_REFERENCE;
    this.u32[this.top * 2 + 1] = number;
    this.top++;
  }

  // ---- arrays ----

  private array(array: readonly unknown[]): boolean {
    const { length } = array;
    const { top } = this;
    if (length === 0) {
      this.u32[top * 2] = op.WRITE_ARRAY;
      this.u32[top * 2 + 1] = 0;
      this.top = top + 1;
      return true;
    }
    if (length >= ARRAY_LIMIT)
      throw new Problem("array-too-long", `an array of ${length} elements; at most 65,534 can be stored`, array as object);
    if (typeof array[0] === "number" && this.doubles(array)) return true;
    const code = this.commonDatatype(array);
    this.u32[top * 2] = op.WRITE_ARRAY | (code << 8);
    this.u32[top * 2 + 1] = length;
    this.top = top + 1;
    if (code === CODE.undefined) {
      // No element takes bytes.
      for (const value of array) if (typeof value === "function") this.noteFunction(value);
      return true;
    }
    if (code === CODE.array || code === CODE.struct) return new ContainersWriter(code, length).write(array, 0, this) < 0;
    const writer = new ElementsWriter(code, length);
    return writer.from(array, 0, this, top) < 0;
  }

  /** An array of numbers alone, in one operation; false (and nothing emitted) when it is not one. */
  private doubles(array: readonly unknown[]): boolean {
    const { f64, top } = this;
    const { length } = array;
    let at = top + 1;
    for (let i = 0; i < length; i++) {
      const value = array[i];
      if (typeof value !== "number") return false;
      f64[at++] = Number.isNaN(value) ? Number.NaN : value;
    }
    this.u32[top * 2] = op.WRITE_DOUBLES;
    this.u32[top * 2 + 1] = length;
    this.top = at;
    return true;
  }

  /** The code that all elements have by formats/elephant.md §3.1, or any. */
  private commonDatatype(array: readonly unknown[]): number {
    const common = this.codeOf(array[0], array, 0);
    let mixed = false;
    for (let i = 1; i < array.length; i++) if (this.codeOf(array[i], array, i) !== common) mixed = true;
    return mixed ? CODE.any : common;
  }

  /** The code that a value would be stored in. */
  codeOf(value: unknown, holder: readonly unknown[], index: number): number {
    switch (typeof value) {
      case "number":
        return CODE.f64;
      case "string":
        return CODE.string;
      case "boolean":
        return CODE.bool;
      case "undefined":
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

  /** An element that has to be a container, which is then {@link child}. */
  element(value: unknown, code: number): void {
    this.container(value, code);
  }

  private bytesOf(array: object): Uint8Array {
    try {
      return bytesOf(array);
    } catch {
      throw new Problem("datatype-not-recognised", "the memory of this array has been given away", array);
    }
  }

  private typedArray(array: object, datatype: number): void {
    const bytes = this.bytesOf(array);
    const length = bytes.length / elementSize(datatype);
    if (length >= ARRAY_LIMIT) throw new Problem("array-too-long", `an array of ${length} elements; at most 65,534 can be stored`, array);
    const { top } = this;
    this.top = top + 1;
    if (length === 0) {
      this.u32[top * 2] = op.WRITE_ARRAY;
      this.u32[top * 2 + 1] = 0;
      return;
    }
    const inline = bytes.length <= INLINE_BYTES;
    this.u32[top * 2] = op.WRITE_TYPED | (datatype << 8);
    this.u32[top * 2 + 1] = length | (inline ? 1 << 16 : 0);
    if (inline) this.copyBytes(bytes);
    else {
      this.u32[this.top * 2] = this.append({ bytes }, bytes.length);
      this.top++;
    }
  }

  // ---- constructed structs: what stands before their members ----

  /** The constructor's index, and its name the first time: in the slots behind an operation's first. */
  instanceHeader(): void {
    const { nameBytes, index } = this.instances;
    this.box(this.top++, nameBytes ? nameBytes.length : 0, index);
    if (nameBytes) this.copyBytes(nameBytes);
  }

  /** The same as raw bytes, followed by what comes before the members. Only a Map knows containers that are written so. */
  looseInstance(beginning: Uint8Array): void {
    if (!this.tracking) throw AGAIN;
    const { nameBytes, index } = this.instances;
    this.bytes(Uint8Array.of(0xfe, 0xff, index & 255, index >> 8));
    if (nameBytes) this.longBytes(nameBytes);
    this.bytes(beginning);
  }

  /** Text of any length with its terminator, on the tape or beside it. */
  private longBytes(text: Uint8Array): void {
    if (text.length <= INLINE_BYTES) {
      this.bytes(text);
      return;
    }
    this.u32[this.top * 2] = op.WRITE_ELEMENTS | (CODE.string << 8);
    this.u32[this.top * 2 + 1] = 1;
    // The kernel adds the terminator.
    this.box(this.top + 1, op.BOX_EXTERNAL, this.append({ bytes: text.subarray(0, -1) }, text.length));
    this.top += 2;
  }
}

/** Arrays whose elements are all arrays or all structs: the children alone stand for the elements. */
class ContainersWriter implements ContainerWriter {
  readonly sites: (Shape | undefined)[] = [];
  private readonly code: number;
  private readonly length: number;

  constructor(code: number, length: number) {
    this.code = code;
    this.length = length;
  }

  write(array: readonly unknown[], at: number, writer: GraphWriter): number {
    const { code, length } = this;
    while (at < length) {
      writer.element(array[at++], code);
      if (writer.nested(array as object, this, at)) return at;
    }
    return -1;
  }
}

/** Arrays of scalars, or of anything. */
class ElementsWriter implements ContainerWriter {
  readonly sites: (Shape | undefined)[] = [];
  private readonly code: number;
  private readonly length: number;

  constructor(code: number, length: number) {
    this.code = code;
    this.length = length;
  }

  write(array: readonly unknown[], at: number, writer: GraphWriter): number {
    return this.from(array, at, writer, -1);
  }

  /** `first`: the slot of the array's own operation, which the first elements join. */
  from(array: readonly unknown[], at: number, writer: GraphWriter, first: number): number {
    const { code, length } = this;
    let header = first;
    let start = at;
    while (at < length) {
      if (header < 0) {
        header = writer.top++;
        writer.u32[header * 2] = op.WRITE_ELEMENTS | (code << 8);
        start = at;
      }
      const value = array[at];
      // A callback may have changed it since the array began; the file would not match its tags (formats/elephant.md §5).
      if (code !== CODE.any && writer.codeOf(value, array, at) !== code)
        throw new Problem("datatype-not-recognised", "an element changed its datatype while the array was written", array as object, at);
      at++;
      const slot = writer.top++;
      const isContainer = code === CODE.any ? writer.put(value, slot) : writer.field(value, code, slot);
      if (isContainer || (at - start >= TOGETHER && writer.full())) {
        this.close(writer, header, at - start, header === first);
        header = -1;
        // After a flush another operation may stand in the same slot.
        first = -1;
        if (!isContainer) {
          writer.flush();
          if (writer.pause(array as object, this, at)) return at;
        } else if (writer.nested(array as object, this, at)) return at;
      }
    }
    if (header >= 0) this.close(writer, header, at - start, header === first);
    return -1;
  }

  private close(writer: GraphWriter, header: number, count: number, first: boolean): void {
    if (first) writer.u32[header * 2 + 1] |= count << 16;
    else writer.u32[header * 2 + 1] = count;
  }
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
