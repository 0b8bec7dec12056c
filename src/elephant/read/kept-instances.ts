// Engines forget what the instances of a class look like when a collection finds none of them left, and drop all code that was compiled for them: the
// next save of a program that lets go of the last one before it reads took twice as long. So each machine keeps an instance of its own for every
// class that it has met in a large save, which holds no more than the constructor has put there, and numbers.
import { needsDefinition } from "../../graph/members.ts";
import type { ElephantConstructor } from "../constructors.ts";

/** Smaller saves are read by code that is not worth it. */
const LARGE = 1024;

/** An instance like `example`, as far as engines tell instances apart: the same members in the same order, whole numbers or doubles. */
function likeness(type: ElephantConstructor, example: Record<string, unknown>): object {
  const made = new type() as Record<string, unknown>;
  for (const name of Object.keys(example)) {
    if (needsDefinition(made, name)) continue;
    const value = example[name];
    if (typeof value === "number") made[name] = value;
    else if (!Object.hasOwn(made, name)) made[name] = undefined;
  }
  return made;
}

/**
 * Renews what is kept after a read of `containers`, by number: what numbers a member holds may have changed, and with it what the engine knows. `plans`:
 * of all that the read may have made instances of, the classes that can be called without more ado.
 */
export function keepInstances(
  kept: Map<ElephantConstructor, object>,
  containers: readonly unknown[],
  plans: readonly { readonly simple: ElephantConstructor | undefined }[],
): void {
  const left = new Map<unknown, ElephantConstructor>();
  if (containers[LARGE])
    plans.forEach(({ simple }) => {
      if (simple) left.set(simple.prototype, simple);
    });
  try {
    // The further, the fewer; at no distance that stays, as structs that are made alike have.
    for (let i = 0; left.size && containers[i]; i += 1 + (i >> 7)) {
      const container = containers[i] as Record<string, unknown>;
      const prototype = Object.getPrototypeOf(container);
      const type = left.get(prototype);
      if (!type) continue;
      left.delete(prototype);
      kept.set(type, likeness(type, container));
    }
  } catch {
    // A constructor, or a proxy that it returns, may refuse what is asked here: reading does without, then.
  }
}
