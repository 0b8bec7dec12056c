// Places in the graph and what was found there; what the functions that write containers have to agree on.
import type { GraphWriter } from "../write.ts";

export type Members = Record<string, unknown>;

/** What the functions that write containers return in place of a position: the container is not of that shape. */
export const MISS = -1;
/** ... the writer has put what is left of it on its stack, to be written later. */
export const SUSPENDED = -2;

/** Members that go into a struct's key (container-keys.ts). */
export const KEYED = 2;

/** Goes on with a container from member or element `at` on. */
export interface Resumable {
  resume(container: never, at: number, p: number, writer: GraphWriter): number;
}

/** How structs of one shape are written. */
export interface Shape extends Resumable {
  /**
   * Writes a struct or a reference to it; returns the position behind it, {@link MISS} or {@link SUSPENDED}. `numbered`: it is known by identity already, and
   * has not come before.
   */
  write: (struct: Members, p: number, writer: GraphWriter, numbered?: boolean) => number;
}

/** Shapes that a site remembers besides the last one. */
const OTHERS = 3;
/** What a struct of none of them counts for, where one of the others counts against it; beyond that much they are not worth trying. */
const STRANGE = 4;
const TOO_STRANGE = 64;
/** Arrays in arrays, so many of them, have places of their own; a codec keeps its places, and a value may nest a million levels deep. */
const LEVELS = 64;

/** A place in the graph: what was found there last. */
export class Site {
  shape: Shape | undefined = undefined;
  /** So many structs more are looked for among those that references were written to. */
  repeats = 0;
  /** What was found there before, the latest first. */
  private others: Shape[] | undefined = undefined;
  private inner: Site | undefined = undefined;
  /** How far the others have been tried in vain; beyond {@link TOO_STRANGE} only the last shape is tried before shapes are looked up. */
  private vain = 0;
  /** Arrays around it. */
  private readonly level: number;

  constructor(level = 0) {
    this.level = level;
  }

  /** The place of an array's elements, all taken together. */
  get elements(): Site {
    return (this.inner ??= this.level < LEVELS ? new Site(this.level + 1) : this);
  }

  /** A struct of this shape was found. */
  learn(shape: Shape): void {
    if (this.shape === shape) return;
    if (this.shape && this.vain <= TOO_STRANGE)
      this.others = [this.shape, ...(this.others ?? []).filter((other) => other !== shape)].slice(0, OTHERS);
    this.shape = shape;
  }

  /** As {@link Shape.write}, by the shapes that were found before the last one. */
  tryOthers(struct: Members, p: number, writer: GraphWriter): number {
    const { others } = this;
    if (others === undefined) return MISS;
    for (let i = 0; i < others.length; i++) {
      const shape = others[i];
      const end = shape.write(struct, p, writer);
      if (end === MISS) continue;
      others[i] = this.shape!;
      this.shape = shape;
      if (this.vain > 0) this.vain--;
      return end;
    }
    if (others.length === OTHERS) this.vain += STRANGE;
    if (this.vain > TOO_STRANGE) this.others = undefined;
    return MISS;
  }
}
