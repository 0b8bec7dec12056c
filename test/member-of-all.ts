/** What `action` gives where all objects have an enumerable member, as old libraries give them one. */
export function withMemberOfAll<T>(action: () => T): T {
  Object.defineProperty(Object.prototype, "extend", { value: () => {}, enumerable: true, configurable: true });
  try {
    return action();
  } finally {
    Reflect.deleteProperty(Object.prototype, "extend");
  }
}
