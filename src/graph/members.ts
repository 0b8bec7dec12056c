// Members as data. A name from a file may be anything, `__proto__` included; it becomes an own member of the object and never
// reaches a setter or a prototype.

/** Defines an own, ordinary member whatever the prototype has under that name. */
export function defineMember(target: object, name: string, value: unknown): void {
  Object.defineProperty(target, name, { value, writable: true, enumerable: true, configurable: true });
}

/** Would `target[name] = value` do anything else than make an own member? Accessors and read-only members up the chain would. */
export function needsDefinition(prototype: object | null, name: string): boolean {
  if (name === "__proto__") return true;
  for (let at = prototype; at !== null; at = Object.getPrototypeOf(at)) {
    const found = Object.getOwnPropertyDescriptor(at, name);
    if (found) return found.writable !== true;
  }
  return false;
}

/**
 * A member whose value can be had from instances like this one, which has no members yet, without running anything. Made functions load it before
 * they ask for an object's prototype: the engine then knows what the object is, and answers without a call.
 */
export function memberToLoad(example: object, names: readonly string[]): string | undefined {
  const found = names.find((name) => !needsDefinition(example, name));
  if (found === undefined) return undefined;
  try {
    Reflect.get(example, found);
    return found;
  } catch {
    // A constructor may return a proxy that throws for what it does not have.
    return undefined;
  }
}

/** The text that gives `target`, with this prototype, a member; `D` is {@link defineMember}. */
export function givingText(prototype: object | null, target: string, name: string, value: string): string {
  const key = JSON.stringify(name);
  return needsDefinition(prototype, name) ? `D(${target},${key},${value})` : `${target}[${key}]=${value}`;
}

/** Sets a member of a plain object, or an element. What everything inherits may be a setter, or frozen. */
export function setMember(target: Record<string | number, unknown>, name: string | number, value: unknown): void {
  if (name in Object.prototype) defineMember(target, name as string, value);
  else target[name] = value;
}

/**
 * Tells of names, while nothing else runs, whether everything inherits a member of that name. `in` makes the engine look each string up among the names it knows, by a
 * call, before the assignment does that once more; few names are as long as one of these and begin like one.
 */
export function inheritance(): (name: string) => boolean {
  const inherited = Object.getOwnPropertyNames(Object.prototype);
  let lengths = 0;
  let beginnings = 0;
  for (const name of inherited) {
    lengths |= 1 << name.length;
    beginnings |= 1 << name.charCodeAt(0);
  }
  return (name) => ((lengths >>> name.length) & (beginnings >>> name.charCodeAt(0)) & 1) === 1 && inherited.includes(name);
}
