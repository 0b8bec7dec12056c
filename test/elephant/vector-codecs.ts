// Codecs for the golden vectors.
import { type Elephant, type ElephantOptions, LONG_RUN } from "./codec.ts";
import { buildClasses, type Classes, type ConstructorNotation, type TraceEntry } from "./notation.ts";

export type CreateCodec = (options: ElephantOptions) => Elephant;

/** Constructors of a vector, and a codec that knows them. */
interface Side {
  readonly classes: Classes;
  readonly codec: Elephant;
}

/** Each codec has memory of its own. Vectors with the same constructors stand near each other. */
const MOST_CODECS = 4;

/**
 * Those that know the same constructors, or none, have one, the way a program uses it: making its memory takes longer than reading a small file, and
 * what an earlier file has left in it must not show. In the long run every vector with constructors begins with a new one.
 */
export class CodecPool {
  /** The callbacks that were made. */
  readonly trace: TraceEntry[] = [];
  private readonly create: CreateCodec;
  private readonly known = new Map<string, Side>();

  constructor(create: CreateCodec) {
    this.create = create;
  }

  side(constructors: Record<string, ConstructorNotation> = {}): Side {
    const key = JSON.stringify(constructors);
    let side = this.known.get(key);
    if (!side) {
      const classes = buildClasses(constructors, this.trace);
      side = { classes, codec: this.create(key === "{}" ? {} : { constructors: classes }) };
    }
    // The last of them stay, and the one without any.
    this.known.delete(key);
    if (key === "{}" || !LONG_RUN) this.known.set(key, side);
    for (const old of this.known.keys()) if (old !== "{}" && this.known.size > MOST_CODECS) this.known.delete(old);
    return side;
  }
}
