// The walk of a write through a graph. Containers are written inside one another by ordinary calls, to a limited depth. What is deeper is put
// off: every function on the way back out notes what is left of its container (`suspend`), and the loop in `walk` goes on from there with a host
// stack that is free again. So nesting has no bound but the limit. A write in slices pauses in the same way: nothing is entered any more until
// all have come back.
import { TuskError } from "../../errors.ts";
import { empty } from "../../graph/elements.ts";
import { step } from "../../graph/path.ts";
import { REFERABLE } from "../../graph/referable.ts";
import { bare } from "../equality.ts";
import { type ElephantErrorCode, elephantError, nestsDeeper } from "../errors.ts";
import { FunctionNotes } from "../function-notes.ts";
import { pathsOf, storedKeys, storedValue } from "../path-search.ts";
import { ByteWriter } from "./byte-writer.ts";
import { Containers } from "./containers.ts";
import { Problem } from "./problem.ts";
import type { WriteSettings } from "./settings.ts";
import { type Resumable, type Site, SUSPENDED } from "./sites.ts";

/** Levels that are written by calls within calls. */
const NESTING = 64;
/** Bytes of output after which {@link Containers.check} is asked, and times so many until the next time: the end asks again for what was there then, and most saves are shorter. */
const FIRST_CHECK = 1 << 18;
const CHECK_FACTOR = 16;

/** Bytes that stand for a container that has come before, in the place of its length word: 0xffff and its number. */
export const REFERENCE_SIZE = 4;

/** A container that is not whole yet. */
interface Frame {
  readonly container: object;
  readonly writer: Resumable;
  /** The member or element that comes next. */
  readonly at: number;
  done: (() => void) | undefined;
}

export abstract class GraphWalk extends ByteWriter {
  readonly containers = new Containers();
  settings!: WriteSettings;

  // ---- the walk ----
  /** Level of the container whose members or elements are being written + 1. */
  protected depth!: number;
  /** The level that is not entered from here: the limit, or too far from the loop. Below 0: nothing is entered, there is to be a pause. */
  protected bound = 0;
  private readonly stack: Frame[] = [];
  /** What is left of the containers that a put-off child stands in, the innermost first. */
  private readonly left: Frame[] = [];
  private putOff: object | undefined;
  private putOffSite: Site | undefined;
  /** Bytes of output at which the containers are to be checked. */
  private checkAt!: number;

  // ---- for errors and warnings ----
  root: unknown;
  /** For `diffsOnly`: fresh instances by the names of their constructors. */
  readonly templates = new Map<string, object>();
  /** The container whose members or elements are being written. */
  current: object | undefined;
  /**
   * The struct that is open, and the one around it, with the numbers that they got when they began: what refers to its parent or owner is found by
   * comparing it with {@link owner}. Behind a pause, and behind what was put off, neither is known: then it is like any that has come before.
   */
  protected inner: object | undefined;
  protected innerNumber = 0;
  protected owner: object | undefined;
  protected ownerNumber = 0;
  /** The container that a reference was written to last, and its number. */
  protected referred: object | undefined;
  protected referredTo = 0;
  protected readonly functions = new FunctionNotes();
  /** A schema is looked at for {@link current}: errors are not of other code. */
  resolving!: boolean;

  /** Writes a container that was put off. */
  protected abstract enter(container: object, p: number, site: Site): number;

  // ---- errors and warnings ----

  /** An error as the caller is to get it. Yields where others may run. */
  protected *explained(error: unknown): Generator<void, unknown> {
    if (error instanceof Problem) {
      const { code, message, holder, key } = error;
      const path = holder ? yield* this.pathOf(holder) : "";
      return elephantError(code, message, { path: path !== undefined && key !== undefined ? path + step(key) : path });
    }
    // What is wrong with a schema is found out without knowing for which value.
    if (this.resolving && error instanceof TuskError && this.current)
      return elephantError(error.code as ElephantErrorCode, error.reason, { path: yield* this.pathOf(this.current) });
    return error;
  }

  private *pathOf(container: object): Generator<void, string | undefined> {
    return (yield* pathsOf(this, new Set([container]))).get(container);
  }

  /** Which of the members and elements that are stored of the container under way a value is, or is in a Scalar. */
  private keyOf(value: unknown): string | number | undefined {
    const { current } = this;
    return current && storedKeys(current, this).find((key) => Object.is(bare(storedValue(current, key)), bare(value)));
  }

  refuse(code: ElephantErrorCode, message: string, value: unknown, key?: string): never {
    throw new Problem(code, message, this.current, key ?? this.keyOf(value));
  }

  protected noteFunction(value: unknown): void {
    if (this.settings.onWarning) this.functions.note(this.current, value);
  }

  // ---- the walk ----

  /** Goes on behind the root's first calls until all is written, or until there is to be a pause: SUSPENDED. */
  protected walk(begun: number): number {
    let p = begun;
    while (true) {
      if (p === SUSPENDED) {
        // What the calls have left comes onto the stack.
        const { left, stack } = this;
        while (left.length > 0) stack.push(left.pop()!);
        if (this.pausing) return SUSPENDED;
        if (this.putOff) {
          p = this.enterPutOff(this.putOff);
          continue;
        }
        p = this.position;
      }
      const frame = this.stack.pop();
      if (!frame) return p;
      const { container, writer, at, done } = frame;
      this.level(this.stack.length + 1);
      this.current = container;
      p = writer.resume(container as never, at, p, this as never);
      if (done) this.whenWhole(p, done);
    }
  }

  /** The loop writes members or elements of a container at level `depth` - 1. */
  protected level(depth: number): void {
    this.depth = depth;
    this.bound = this.pausing ? -1 : Math.min(depth + NESTING, this.settings.maxDepth);
  }

  private enterPutOff(child: object): number {
    const { stack } = this;
    this.level(stack.length);
    this.putOff = undefined;
    this.current = stack[stack.length - 1].container;
    return this.enter(child, this.position, this.putOffSite!);
  }

  /** Notes that the rest of `container`, from `at` on, waits for a child of it, or for a pause. */
  suspend(container: object, writer: Resumable, at: number): typeof SUSPENDED {
    this.left.push({ container, writer, at, done: undefined });
    return SUSPENDED;
  }

  override flush(p: number): number {
    const start = super.flush(p);
    if (this.whole.length >= this.checkAt) {
      this.checkAt = this.whole.length * CHECK_FACTOR;
      this.containers.check();
    }
    return start;
  }

  protected override pause(): void {
    super.pause();
    this.bound = -1;
  }

  /** Calls `done` when the container is whole whose function has returned `p`. */
  protected whenWhole(p: number, done: () => void): void {
    if (p === SUSPENDED) this.left[this.left.length - 1].done = done;
    else done();
  }

  /** A container that must not be entered from here: it is put off, or the graph is too deep. */
  protected tooDeep(container: object, p: number, site: Site): number {
    this.containers.listAll();
    if (this.depth < this.settings.maxDepth) {
      this.putOff = container;
      this.putOffSite = site;
      this.position = p;
      return SUSPENDED;
    }
    const known = this.containers.numberOf(container);
    if (known >= 0) return this.reference(known, p, container);
    this.refuse("depth-limit", nestsDeeper(this.settings.maxDepth), container);
  }

  /** A container seen before, in the place of its length word. */
  reference(number: number, p: number, container: object): number {
    if (number >= REFERABLE)
      this.refuse("reference-index-overflow", `only the first 65,536 containers may occur again, not number ${number}`, container);
    this.dv.setUint16(p, 0xffff, true);
    this.dv.setUint16(p + 2, number, true);
    this.referred = container;
    this.referredTo = number;
    return p + REFERENCE_SIZE;
  }

  /** Forgets the graph, whether its write has succeeded or not; in the constructor, all that a graph takes is made. */
  protected end(): void {
    this.resolving = false;
    this.depth = 0;
    this.checkAt = FIRST_CHECK;
    empty(this.stack);
    empty(this.left);
    this.putOff = this.putOffSite = this.root = this.current = this.inner = this.referred = this.owner = undefined;
    this.functions.clear();
    this.containers.clear();
    if (this.templates.size > 0) this.templates.clear();
  }
}
