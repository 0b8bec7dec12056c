// Paths of containers in a graph that was written, for errors and warnings: looked for only when there is something to report. The graph is walked once more as the write has
// walked it, so that a container is found after as many others as the write has met, and what a write does not visit is not visited here.
import { step } from "../graph/path.ts";
import { isObject } from "./arguments.ts";
import * as CODE from "./codes.ts";
import type { Registered } from "./constructors.ts";
import { isScalar } from "./datatypes.ts";
import { exactEqual, gmlEqual } from "./equality.ts";
import { containerKind, includedMembers, leftOut, memberOf, registeredOf, writtenMembers } from "./members.ts";
import { ARRAY_LIMIT } from "./tags.ts";
import { IdentityTable } from "./write/identity-table.ts";
import type { WriteSettings } from "./write/settings.ts";

/** Members and elements between two stops. */
const STEPS = 1 << 12;
/** A graph may be another one than the write has met, one whose getters make new objects without end, say: so many more are looked at. */
const MORE = 1000;

/** How a container was reached. */
interface Link {
  /** Undefined for the root, like the key. */
  readonly parent: Link | undefined;
  readonly key: Key | undefined;
  /** Made when it is asked for, but for the root's. */
  path: string | undefined;
}

interface Frame {
  readonly container: object;
  readonly keys: readonly Key[];
  at: number;
  readonly link: Link;
}

/** Of a member or element. */
export type Key = string | number;

const NONE: readonly Key[] = [];

/** A write, as it is when there is something to report. */
export interface Written {
  readonly root: unknown;
  readonly settings: WriteSettings;
  /** `count`: how many it has met. */
  readonly containers: { readonly count: number };
  /** For `diffsOnly`: fresh instances by the names of their constructors. */
  readonly templates: Map<string, object>;
}

/** Which members of an instance a write leaves out, where it leaves out any. */
export function skipped(
  instance: object,
  registered: Registered,
  { settings, templates }: Written,
): ((name: string) => boolean) | undefined {
  return settings.diffsOnly ? leftOut(instance, registered, templates, settings.exactDiffs ? exactEqual : gmlEqual) : undefined;
}

/** The members or elements that a write stores, in its order, but for strict bools, where anything may stand; none of what cannot be stored. */
export function storedKeys(container: object, written: Written): readonly Key[] {
  try {
    const kind = containerKind(container);
    if (kind === "array") return [...Array(Math.min((container as unknown[]).length, ARRAY_LIMIT)).keys()];
    if (kind === "plain") return Object.keys(container);
    const registered = kind === "instance" && registeredOf(written.settings.registry, container);
    if (registered) {
      const members = writtenMembers(container, registered);
      // A field of datatype undefined has no bytes, and neither has the flag key that is false (code 0). Errors of a bool have its name.
      const stored = members.schema?.fields.flatMap(({ name, code }) => (code % CODE.undefined && code !== CODE.bool ? name : []));
      const skips = skipped(container, registered, written);
      return (stored ?? includedMembers(members, registered)).filter((name) => !skips?.(name));
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

function pathOf(link: Link): string {
  const unnamed: Link[] = [];
  let at = link;
  for (; at.path === undefined; at = at.parent!) unnamed.push(at);
  let { path } = at;
  for (const next of unnamed.reverse()) next.path = path += step(next.key!);
  return path;
}

/** The paths of `targets` as far as they are found, by the place where a write meets each first. Yields where others may run. */
export function* pathsOf(written: Written, targets: ReadonlySet<object>): Generator<void, Map<object, string>> {
  const found = new Map<object, string>();
  const seen = new IdentityTable();
  let count = 0;
  const stack: Frame[] = [];
  const visit = (value: unknown, path?: string, parent?: Link, key?: Key): void => {
    if (!isObject(value) || seen.get(value) !== undefined || isScalar(value)) return;
    seen.set(value, count++);
    const link = { parent, key, path };
    if (targets.has(value)) found.set(value, pathOf(link));
    stack.push({ container: value, keys: storedKeys(value, written), at: 0, link });
  };
  visit(written.root, "");
  for (let steps = 1; stack.length > 0 && found.size < targets.size && count <= written.containers.count + MORE; steps++) {
    const frame = stack[stack.length - 1];
    const { container, keys, link } = frame;
    if (frame.at === keys.length) stack.pop();
    else {
      const key = keys[frame.at++];
      visit(storedValue(container, key), undefined, link, key);
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
