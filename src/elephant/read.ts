// Reading one save: feeds the kernel's window, hands its op stream to the builder, and answers what the kernel asks.
import { copyOfBytes } from "../engine/uncleared.ts";
import type { ErrorPlace, TuskError } from "../errors.ts";
import type { BuilderHost } from "../graph/builder.ts";
import { empty } from "../graph/elements.ts";
import * as op from "../graph/ops.ts";
import { utf8Text } from "../graph/text.ts";
import {
  type ElephantCallback,
  type ElephantConstructor,
  MOST_CONSTRUCTORS,
  POST_READ,
  PRE_READ,
  Registered,
  type Registry,
  StructInstance,
  setStoredAs,
} from "./constructors.ts";
import { elephantError, endsOf, fail, nestsDeeper, textFrom } from "./errors.ts";
import type { Limits } from "./limits.ts";
import type { Machine } from "./machine.ts";
import { assignMember, takesAll } from "./members.ts";
import { Input } from "./read/input.ts";
import { keepInstances } from "./read/kept-instances.ts";
import { checkFooter, type Header, type Release, ROOT, readHeader } from "./releases.ts";
import type { CallbackState } from "./state.ts";
import { elementSize, plainNumbers, toTypedArray } from "./typed-arrays.ts";

export interface ReadSettings {
  readonly registry: Registry;
  readonly generic: boolean;
  readonly limits: Limits;
  readonly state: CallbackState;
  readonly typedArrays: boolean;
  readonly exact: boolean;
}

export interface ReadResult {
  readonly value: unknown;
  /** Offset behind the save. */
  readonly end: number;
  readonly release: Release;
}

/** What a GML name looks like; 1.0.0 files without their names are told by it. */
const IDENTIFIER = /^[\p{L}_][\p{L}\p{N}_@$.]*$/u;

function namesMissing(place: ErrorPlace): TuskError {
  return elephantError("unreadable", "only the first file of a game session has the names of its constructors", place);
}

interface InstancePlan {
  readonly registered: Registered;
  readonly preRead: ElephantCallback | undefined;
  readonly postRead: ElephantCallback | undefined;
  /** The class, when making an instance is all there is to do. */
  readonly simple: ElephantConstructor | undefined;
}

/** The objects of one read: instances, their callbacks, arrays that stay in the input. */
export class ReadHost implements BuilderHost {
  settings!: ReadSettings;
  input!: Input;
  /** {@link Header.layout}: the release as a number, not the layout of a struct. */
  layout = 0;
  /** Constructors of this file that the registry does not have. */
  readonly strangers: Registered[] = [];
  /** From 1.4.0 on post-read callbacks wait for the whole graph, in the order of creation. */
  readonly waiting: { registered: Registered; instance: object; version: number }[] = [];
  /** Versions of the open instances whose post-read runs when they close (up to 1.3.0). */
  private readonly opened: { registered: Registered; version: number }[] = [];
  /** Has any class a post-read callback? Found out at the first instance. */
  private late = false;
  /** By the constructor's id, of what this read has met. */
  plans: InstancePlan[] = [];
  readonly assign = assignMember;
  readonly takesAll = takesAll;

  begin(settings: ReadSettings, input: Input, layout: number): void {
    this.settings = settings;
    this.input = input;
    this.layout = layout;
  }

  end(): void {
    this.plans = [];
    empty(this.strangers);
    empty(this.waiting);
    empty(this.opened);
  }

  registered(id: number): Registered {
    const { all } = this.settings.registry;
    return all[id] ?? this.strangers[id - all.length];
  }

  open(id: number, byte: number): object {
    const plan = this.plans[id] ?? this.plan(id);
    if (plan.simple) return new plan.simple();
    const { registered, preRead, postRead } = plan;
    const modern = this.layout >= 130;
    const version = modern ? byte & 127 : byte;
    // 1.0.0 itself reads constructors it does not know as plain structs (formats/elephant.md §12.1).
    if (this.layout === 100 && !this.settings.generic && registered.id >= this.settings.registry.all.length) {
      if (this.late) this.opened.push({ registered, version });
      return {};
    }
    const instance = registered.construct();
    if (instance instanceof StructInstance && !registered.type) setStoredAs(instance, version, modern ? byte >= 128 : byte === 0);
    this.settings.state.call(preRead, instance, version, true);
    if (this.late) {
      if (this.layout < 140) this.opened.push({ registered, version });
      else if (postRead) this.waiting.push({ registered, instance, version });
    }
    return instance;
  }

  classOf(id: number): ElephantConstructor | undefined {
    return (this.plans[id] ?? this.plan(id)).simple;
  }

  /** What a constructor asks for in this read. */
  private plan(id: number): InstancePlan {
    // Not before there is an instance: there may be thousands of classes.
    if (this.plans.length === 0) this.late = this.settings.registry.all.some((given) => given.callback(POST_READ));
    const registered = this.registered(id);
    const preRead = registered.callback(PRE_READ);
    const postRead = registered.callback(POST_READ);
    const simple = preRead || postRead || (this.late && this.layout < 140) ? undefined : registered.type;
    return (this.plans[id] = { registered, preRead, postRead, simple });
  }

  close(instance: object): void {
    if (this.layout >= 140 || !this.late) return;
    const { registered, version } = this.opened.pop()!;
    this.settings.state.call(registered.callback(POST_READ), instance, version, true);
  }

  /** The graph is whole and the footer right: the calls that have waited, from `at` on, at most `count`. Returns where to go on. */
  finish(at = 0, count = Number.POSITIVE_INFINITY): number {
    const stop = Math.min(at + count, this.waiting.length);
    for (; at < stop; at++) {
      const { registered, instance, version } = this.waiting[at];
      this.settings.state.call(registered.callback(POST_READ), instance, version, true);
    }
    return at;
  }

  typedArray(datatype: number, length: number, offset: number): unknown {
    const { bytes, base } = this.input.check();
    return toTypedArray(datatype, copyOfBytes(bytes, offset - base, length * elementSize(datatype)));
  }

  numbers(datatype: number, length: number, offset: number): unknown[] {
    const { bytes, base } = this.input.check();
    return plainNumbers(datatype, length, bytes, offset - base);
  }
}

/** Bytes of the first window behind a jump; each that follows has four times as many. */
const SMALLEST_WINDOW = 512;
/** Bytes of saves whose texts are dropped when they have been read. */
const LARGE = 2_000_000;
/** A quarter of the first window: what comes next may be numbers, which stay where they are. */
const QUARTER_WINDOW = 8192;

/** Reads the save that begins at `offset`. Either the whole value or an error. */
export function readSave(machine: Machine, settings: ReadSettings, bytes: Uint8Array, offset: number): ReadResult {
  const header = readHeader(bytes, offset);
  const reading = new Reading(machine, settings, new Input(bytes), header);
  try {
    reading.begin(bytes.length, true);
    let end = reading.run(offset + ROOT);
    const value = machine.builder.children[0];
    if (header.footer) {
      checkFooter(bytes, end);
      end += 4;
    }
    machine.host.finish();
    reading.keep();
    return { value, end, release: header.release };
  } finally {
    reading.end();
    machine.lastRead = reading;
  }
}

/** One read. async/read.ts goes the same way in slices, over bytes that arrive one after the other. */
export class Reading {
  protected readonly machine: Machine;
  protected readonly host: ReadHost;
  protected readonly settings: ReadSettings;
  protected input: Input;
  protected readonly header: Header;
  /** Where the window ends, as an input offset. */
  protected to = 0;
  /** Has it succeeded? */
  private kept = false;
  /** Bytes of the window. */
  protected size = QUARTER_WINDOW;

  constructor(machine: Machine, settings: ReadSettings, input: Input, header: Header) {
    this.machine = machine;
    this.host = machine.host;
    this.settings = settings;
    this.input = input;
    this.header = header;
  }

  /** `end`: length of the input, infinity where it is not known; `there`: all of it is at hand till the read ends. */
  begin(end: number, there = false): void {
    const { machine, settings, header } = this;
    const { limits } = settings;
    machine.kernel.readBegin(
      header.layout,
      header.firstCode,
      (settings.typedArrays ? 1 : 0) | (settings.exact ? 2 : 0) | (there ? 4 : 0),
      Math.min(limits.maxDepth, 0xffffffff),
      limits.maxNodes,
      limits.maxEmptyElements,
      end,
    );
    machine.begin();
    // The shortest container is an empty array of two bytes.
    machine.builder.begin(end / 2);
    this.host.begin(settings, this.input, header.layout);
  }

  /** It has succeeded. */
  keep(): void {
    const { kept, builder } = this.machine;
    keepInstances(kept, builder.references, this.host.plans);
    this.kept = true;
  }

  /** Whether it succeeded or not. */
  end(): void {
    const { machine } = this;
    const { builder, kernel, tableKept } = machine;
    if (!this.kept) machine.abandon();
    builder.end(kernel.containers(), kernel.position() > LARGE ? tableKept : 0);
    this.host.end();
    // An empty one: as with machine.lastRead, one has to be left.
    this.host.input = this.input = new Input();
  }

  /** Copies the input from `at` on into the window. */
  private feed(at: number): void {
    const { bytes } = this.input;
    // Behind an array that stayed in the input there may be another one.
    this.size = at > this.to ? SMALLEST_WINDOW : Math.min(this.size * 4, this.machine.windowSize);
    const piece = bytes.subarray(at, at + this.size);
    this.show(piece, at, at + piece.length === bytes.length);
  }

  /** Copies these bytes, which begin at `at`, into the window. `last`: the input ends with them. */
  protected show(bytes: Uint8Array, at: number, last: boolean): void {
    const { machine } = this;
    machine.views.refresh();
    machine.views.u8.set(bytes, machine.window);
    this.to = at + bytes.length;
    machine.kernel.readWindow(bytes.length, at, last || bytes.length === machine.windowSize ? 1 : 0);
  }

  /** Parses the root value at `at`; returns the offset behind it. */
  run(at: number): number {
    const { machine, input } = this;
    const { bytes } = input;
    const { kernel } = machine;
    this.to = at;
    this.feed(at);
    while (true) {
      const status = kernel.readStep();
      input.check();
      switch (status) {
        case op.STATUS_INPUT:
          if (this.to >= bytes.length) throw this.truncated();
          this.feed(kernel.position());
          break;
        case op.STATUS_DONE:
          machine.take();
          return kernel.position();
        case op.STATUS_LONG_STRING: {
          const start = kernel.position();
          const end = this.stringEnd(start);
          machine.builder.enter(kernel.detail(0) >>> 0, this.text(start, end));
          kernel.readSkip(end + 1 - start);
          break;
        }
        default:
          this.answer(status);
      }
    }
  }

  /** Does what the kernel stopped for; throws when that is an error. */
  protected answer(status: number): void {
    const { machine } = this;
    const { kernel } = machine;
    switch (status) {
      case op.STATUS_FLUSH:
        machine.take();
        kernel.readFlushed();
        break;
      case op.STATUS_NESTED:
        if (!machine.takeNested()) throw this.failed();
        break;
      case op.STATUS_CONSTRUCTOR: {
        const start = kernel.position();
        const end = this.stringEnd(start);
        kernel.readConstructor(kernel.detail(0), this.resolve(this.text(start, end), start), end + 1 - start);
        break;
      }
      case op.STATUS_SCHEMA:
        this.schema(kernel.detail(0), kernel.detail(1));
        break;
      default:
        throw this.failed();
    }
  }

  private stringEnd(start: number): number {
    const { bytes, base } = this.input;
    const end = bytes.indexOf(0, start - base);
    if (end < 0) throw this.truncated();
    return base + end;
  }

  protected truncated(offset = this.input.end): TuskError {
    return elephantError("truncated", "the data ends in the middle of a value", { offset });
  }

  private text(start: number, end: number): string {
    return textFrom(() => utf8Text(this.input.part(start, end - start)), { offset: start });
  }

  /** The id of a constructor by its name in the file. */
  private resolve(name: string, offset: number): number {
    const { registry, generic } = this.settings;
    const found = registry.named(name);
    if (found) return found.id;
    if (this.header.layout === 100) {
      if (!IDENTIFIER.test(name)) throw namesMissing({ offset });
    } else if (!generic) {
      fail("unknown-constructor", `no constructor "${endsOf(name)}" is registered`, offset);
    }
    const { strangers } = this.host;
    const id = registry.all.length + strangers.length;
    if (id >= MOST_CONSTRUCTORS) fail("element-limit", "more than 65,534 constructors", offset);
    strangers.push(new Registered(id, name));
    return id;
  }

  /** The kernel needs the fields of a strict version. */
  private schema(id: number, version: number): void {
    const registered = this.host.registered(id);
    const offset = this.machine.kernel.position();
    if (!registered.schema)
      fail("schema-missing", `a "${endsOf(registered.name)}" was stored by schema version ${version}, but has no schema`, offset);
    const found = version > 0 && registered.version(version);
    if (!found) fail("schema-version-missing", `the schema of "${registered.name}" has no version ${version}`, offset);
    if (this.machine.program(registered, version, found.fields)) return;
    this.machine.take();
    // Those of earlier reads are in the way: the next one gets another machine.
    this.machine.schemaNames = 1e9;
    fail("element-limit", "too many fields in strict schemas", offset);
  }

  private failed(): TuskError {
    const { kernel } = this.machine;
    const place = { offset: kernel.position() };
    const { limits } = this.settings;
    switch (kernel.detail(0)) {
      case op.ERROR_UNKNOWN_DATATYPE: {
        const cause = elephantError("unknown-datatype", `${this.input.bytes[place.offset - this.input.base]} is no datatype code`, place);
        // A file of 1.0.0 that lacks its constructors' names goes wrong sooner or later (formats/elephant.md §12.1).
        return this.header.layout === 100 && this.host.strangers.length > 0 ? namesMissing({ ...place, cause }) : cause;
      }
      case op.ERROR_BAD_REFERENCE:
        return elephantError("bad-reference", "a reference to a container that has not been read yet", place);
      case op.ERROR_BAD_SKIP_INDEX:
        return elephantError("bad-skip-index", "the skip list names a field that is not in the schema", place);
      case op.ERROR_DEPTH:
        return elephantError("depth-limit", nestsDeeper(limits.maxDepth), place);
      case op.ERROR_ELEMENTS:
        return elephantError(
          "element-limit",
          `more containers than limits.maxNodes (${limits.maxNodes}) or more empty elements than limits.maxEmptyElements (${limits.maxEmptyElements})`,
          place,
        );
      case op.ERROR_MEMORY:
        return elephantError("depth-limit", "no memory for the open containers", place);
      default:
        return this.truncated();
    }
  }
}
