// Paths of containers in a graph that was written, for errors and warnings: looked for only when there is something to report. The graph is walked once more as the write has
// walked it, so that a container is found after as many others as the write has met, and what a write does not visit is not visited here.
import { step } from "../graph/path.ts";
import { IdentityTable } from "./async/identity-table.ts";
import type { Registry } from "./constructors.ts";
import { isScalar } from "./datatypes.ts";
import { containerKind, includedMembers, memberOf, registeredOf, writtenMembers } from "./members.ts";

/** Members and elements between two stops. */
const STEPS = 1 << 12;
/** A graph may be another one than the write has met, one whose getters make new objects without end, say: so many more are looked at. */
const MORE = 1000;

/** How a container was reached. */
interface Link {
  readonly parent: Link | undefined;
  readonly key: string | number;
  /** Made when it is asked for. */
  path: string | undefined;
}

interface Frame {
  readonly container: object;
  /** Undefined for arrays. */
  readonly names: readonly string[] | undefined;
  at: number;
  readonly link: Link | undefined;
}

const NONE: readonly string[] = [];

/** Names of the members that a write stores, in its order; undefined for an array, none for what cannot be stored. */
export function storedNames(container: object, registry: Registry): readonly string[] | undefined {
  try {
    switch (containerKind(container)) {
      case "array":
        return undefined;
      case "plain":
        return Object.keys(container);
      case "instance": {
        const registered = registeredOf(registry, container);
        if (!registered) return NONE;
        const members = writtenMembers(container, registered);
        return members.schema?.fieldNames ?? includedMembers(members, registered);
      }
      default:
        return NONE;
    }
  } catch {
    // Nothing of it has been written.
    return NONE;
  }
}

/** A member or element; undefined where a getter throws. */
export function storedValue(container: object, key: string | number): unknown {
  try {
    return typeof key === "number" ? (container as unknown[])[key] : memberOf(container, key);
  } catch {
    return undefined;
  }
}

function pathOf(link: Link | undefined): string {
  const unnamed: Link[] = [];
  let at = link;
  for (; at !== undefined && at.path === undefined; at = at.parent) unnamed.push(at);
  let path = at?.path ?? "";
  for (let i = unnamed.length - 1; i >= 0; i--) {
    path += step(unnamed[i].key);
    unnamed[i].path = path;
  }
  return path;
}

/**
 * The paths of `targets` as far as they are found, by the place where a write meets each first. `met`: how many containers the write has met. Yields where others
 * may run.
 */
export function* pathsOf(
  root: unknown,
  registry: Registry,
  targets: ReadonlySet<object>,
  met: number,
): Generator<void, Map<object, string>> {
  const found = new Map<object, string>();
  const seen = new IdentityTable();
  let count = 0;
  const stack: Frame[] = [];
  const visit = (value: unknown, parent: Link | undefined, key: string | number | undefined): void => {
    if (typeof value !== "object" || value === null || seen.get(value) !== undefined || isScalar(value)) return;
    seen.set(value, count++);
    const link = key === undefined ? undefined : { parent, key, path: undefined };
    if (targets.has(value)) found.set(value, pathOf(link));
    stack.push({ container: value, names: storedNames(value, registry), at: 0, link });
  };
  visit(root, undefined, undefined);
  for (let steps = 1; stack.length > 0 && found.size < targets.size && count <= met + MORE; steps++) {
    const frame = stack[stack.length - 1];
    const { container, names, link } = frame;
    const i = frame.at++;
    if (i >= (names ?? (container as unknown[])).length) stack.pop();
    else {
      const key = names ? names[i] : i;
      visit(storedValue(container, key), link, key);
    }
    if (steps % STEPS === 0) yield;
  }
  return found;
}

/** Runs it without a pause. */
export function atOnce<T>(steps: Generator<void, T>): T {
  while (true) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}
