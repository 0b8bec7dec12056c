// Paths of containers in a graph that was written, for errors and warnings: looked for only when there is something to report. The graph is walked once more as the write has
// walked it, so that a container is found after as many others as the write has met, and what a write does not visit is not visited here.
import { step } from "../graph/path.ts";
import { isObject } from "./arguments.ts";
import * as CODE from "./codes.ts";
import type { Registry } from "./constructors.ts";
import { isScalar } from "./datatypes.ts";
import { containerKind, includedMembers, memberOf, registeredOf, writtenMembers } from "./members.ts";
import { ARRAY_LIMIT } from "./tags.ts";
import { IdentityTable } from "./write/identity-table.ts";

/** Members and elements between two stops. */
const STEPS = 1 << 12;
/** A graph may be another one than the write has met, one whose getters make new objects without end, say: so many more are looked at. */
const MORE = 1000;

/** How a container was reached. */
interface Link {
  readonly parent: Link | undefined;
  readonly key: Key;
  /** Made when it is asked for. */
  path: string | undefined;
}

interface Frame {
  readonly container: object;
  readonly keys: readonly Key[];
  at: number;
  readonly link: Link | undefined;
}

/** Of a member or element. */
export type Key = string | number;

const NONE: readonly Key[] = [];

/** The members or elements that a write stores, in its order, but for strict bools, where anything may stand; none of what cannot be stored. */
export function storedKeys(container: object, registry: Registry): readonly Key[] {
  try {
    const kind = containerKind(container);
    if (kind === "array") return [...Array(Math.min((container as unknown[]).length, ARRAY_LIMIT)).keys()];
    if (kind === "plain") return Object.keys(container);
    const registered = kind === "instance" && registeredOf(registry, container);
    if (registered) {
      const members = writtenMembers(container, registered);
      // A field of datatype undefined has no bytes, and neither has the flag key that is false (code 0). Errors of a bool have its name.
      const stored = members.schema?.fields.flatMap(({ name, code }) => (code % CODE.undefined && code !== CODE.bool ? name : NONE));
      return stored ?? includedMembers(members, registered);
    }
  } catch {
    // Nothing of it has been written.
  }
  return NONE;
}

/** A member or element; undefined where a getter throws. */
export function storedValue(container: object, key: Key): unknown {
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
  const visit = (value: unknown, parent?: Link, key?: Key): void => {
    if (!isObject(value) || seen.get(value) !== undefined || isScalar(value)) return;
    seen.set(value, count++);
    const link = key === undefined ? undefined : { parent, key, path: undefined };
    if (targets.has(value)) found.set(value, pathOf(link));
    stack.push({ container: value, keys: storedKeys(value, registry), at: 0, link });
  };
  visit(root);
  for (let steps = 1; stack.length > 0 && found.size < targets.size && count <= met + MORE; steps++) {
    const frame = stack[stack.length - 1];
    const { container, keys, link } = frame;
    if (frame.at === keys.length) stack.pop();
    else {
      const key = keys[frame.at++];
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
