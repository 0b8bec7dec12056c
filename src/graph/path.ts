// Paths of values in a graph, for errors: `.entities[3].name`, the root is "". They are looked for only when there is an error to report.

/** One step: `.name`, or `[index]`. Names that are no identifiers are quoted, so that a path is readable. */
export function step(key: string | number): string {
  if (typeof key === "number") return `[${key}]`;
  return /^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`;
}

/** The path of the first occurrence of `target` in the graph of `root`, breadth first; undefined when it is not in there. */
export function pathOf(root: unknown, target: object): string | undefined {
  if (root === target) return "";
  if (typeof root !== "object" || root === null) return undefined;
  const seen = new Map<object, { parent: object; key: string | number } | undefined>([[root, undefined]]);
  for (const container of seen.keys()) {
    const keys: (string | number)[] = Array.isArray(container)
      ? Array.from(container.keys())
      : ArrayBuffer.isView(container)
        ? []
        : Object.keys(container);
    for (const key of keys) {
      let value: unknown;
      try {
        value = (container as Record<string | number, unknown>)[key];
      } catch {
        continue;
      }
      if (typeof value !== "object" || value === null || seen.has(value)) continue;
      seen.set(value, { parent: container, key });
      if (value === target) {
        let path = "";
        for (let at: object | undefined = value; at; ) {
          const link: { parent: object; key: string | number } | undefined = seen.get(at);
          if (!link) break;
          path = step(link.key) + path;
          at = link.parent;
        }
        return path;
      }
    }
  }
  return undefined;
}
