// Functions that a write has stored as undefined, and where they stood: found out for all of them together, in one walk through the graph, when the write has succeeded.
import type { TuskWarning } from "../errors.ts";
import { empty } from "../graph/elements.ts";
import { step } from "../graph/path.ts";
import { type Key, pathsOf, storedKeys, storedValue, type Written } from "./path-search.ts";

interface Note {
  /** Undefined for the root. */
  readonly holder: object | undefined;
  readonly value: unknown;
}

export class FunctionNotes {
  private readonly notes: Note[] = [];

  note(holder: object | undefined, value: unknown): void {
    this.notes.push({ holder, value });
  }

  get any(): boolean {
    return this.notes.length > 0;
  }

  clear(): void {
    empty(this.notes);
  }

  /** A warning for each, in the order of the write. Yields where others may run. */
  *warnings(written: Written): Generator<void, TuskWarning[]> {
    const { notes } = this;
    const warnings: TuskWarning[] = [];
    const keys = new Map<object, Map<unknown, Key[]>>();
    for (const { holder } of notes) if (holder) keys.set(holder, NONE);
    const paths = yield* pathsOf(written, new Set(keys.keys()));
    for (const { holder, value } of notes) {
      let path = holder ? paths.get(holder) : "";
      if (holder && path !== undefined) {
        let own = keys.get(holder)!;
        if (own === NONE) {
          own = keysOfFunctions(holder, written);
          keys.set(holder, own);
          yield;
        }
        const left = own.get(value);
        if (left) path += step(left.length > 1 ? left.pop()! : left[0]);
      }
      warnings.push({ format: "elephant", code: "function-stored-as-undefined", message: "a function is stored as undefined", path });
    }
    return warnings;
  }
}

const NONE: Map<unknown, Key[]> = new Map();

/** The members or elements of a container that hold a function, the last first. */
function keysOfFunctions(container: object, written: Written): Map<unknown, Key[]> {
  const found = new Map<unknown, Key[]>();
  for (const key of storedKeys(container, written).slice().reverse()) {
    const value = storedValue(container, key);
    if (typeof value !== "function") continue;
    const keys = found.get(value);
    if (keys) keys.push(key);
    else found.set(value, [key]);
  }
  return found;
}
