// How this format reports: one error class, warnings gathered while the work goes on and handed over at its end.
import { TuskError, type TuskWarning } from "../errors.ts";

/** Throws an error with a category of formats/enigma.md §7 and the byte offset in the file. */
export function fail(code: string, message: string, offset: number): never {
  throw new TuskError("enigma", code, message, { offset });
}

/** Throws an error about a value that cannot be written, with its path in the game. */
export function refuse(code: string, message: string, path: string): never {
  throw new TuskError("enigma", code, message, { path });
}

/** V8 ends the process where an array that grows gets more elements than 112,813,858. */
const MOST_ELEMENTS = 112_000_000;

/** The count of elements, if an array can grow to hold them. What the platform has no room for becomes error `limit`. */
export function growable(count: number): number {
  if (count > MOST_ELEMENTS) throw RangeError();
  return count;
}

/** What `action` gives; undefined if it throws an error of the package. */
export function unlessRefused<T>(action: () => T): T | undefined {
  try {
    return action();
  } catch (error) {
    if (error instanceof TuskError) return undefined;
    throw error;
  }
}

/** A value that is not what was expected, for messages. */
export function describe(value: unknown): string {
  if (value === null || typeof value === "number" || typeof value === "boolean") return String(Object.is(value, -0) ? "-0" : value);
  if (typeof value === "string") return `the text ${JSON.stringify(value.length > 40 ? value.slice(0, 40) + "..." : value)}`;
  if (Array.isArray(value)) return "an array";
  return value === undefined ? "nothing" : typeof value === "object" ? "an object" : `a ${typeof value}`;
}

interface Tally {
  warning: TuskWarning;
  count: number;
}

/**
 * Warnings of one read or write. What a file has thousands of times (a defect of the engine's writer) is one warning with a count and the
 * first place; what concerns one variable or instance is a warning of its own. They are delivered when the work is done, so that a callback
 * never runs while a kernel is in use.
 */
export class Warnings {
  private readonly single: TuskWarning[] = [];
  private readonly tallies = new Map<string, Tally>();
  /** The tallies of an attempt that is not settled. */
  private readonly tried = new Map<string, Tally>();
  private current = this.tallies;
  private readonly max: number;
  private dropped = 0;

  constructor(max: number) {
    this.max = max;
  }

  add(code: string, message: string, place: { offset?: number; path?: string }): void {
    if (this.single.length >= this.max) this.dropped++;
    else this.single.push({ format: "enigma", code, message, ...place });
  }

  tally(code: string, message: string, place: Pick<TuskWarning, "offset" | "path">, times = 1): void {
    const seen = this.current.get(code);
    if (seen) seen.count += times;
    else this.current.set(code, { warning: { format: "enigma", code, message, ...place }, count: times });
  }

  /** What is tallied from here on counts only if the attempt is kept. */
  attempt(): void {
    this.current = this.tried;
  }

  settle(kept: boolean): void {
    this.current = this.tallies;
    if (this.tried.size === 0) return;
    if (kept) for (const [code, { warning, count }] of this.tried) this.tally(code, warning.message, warning, count);
    this.tried.clear();
  }

  /** A boolean byte other than 0 and 1. */
  oddBool(offset: number): void {
    this.tally("bool-byte", "a boolean byte is neither 0 nor 1 and will be written as 1", { offset });
  }

  deliver(onWarning: ((warning: TuskWarning) => void) | undefined): void {
    // An error may have ended an attempt.
    this.settle(true);
    if (!onWarning) return;
    for (const { warning, count } of this.tallies.values())
      onWarning(count === 1 ? warning : { ...warning, message: `${warning.message}; ${count} times, this is the first` });
    for (const warning of this.single) onWarning(warning);
    if (this.dropped > 0)
      onWarning({ format: "enigma", code: "more-warnings", message: `${this.dropped} more warnings are not listed (limits.maxWarnings)` });
  }
}
