// Paths as errors and trees print them: `.entities[3].name`, `["any name"]`.
import { CallError } from "./failure.ts";

const STEP = /\.([\p{L}_$][\p{L}\p{N}_$]*)|\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\]/uy;

/** The steps of a path. The leading dot may be missing. */
export function parsePath(path: string): (string | number)[] {
  const text = path === "" || path[0] === "." || path[0] === "[" ? path : `.${path}`;
  const steps: (string | number)[] = [];
  STEP.lastIndex = 0;
  while (STEP.lastIndex < text.length) {
    const at = STEP.lastIndex;
    const found = STEP.exec(text);
    if (!found) throw new CallError(`--path: cannot read ${JSON.stringify(text.slice(at))}; paths look like .entities[3]["a name"]`);
    steps.push(found[1] ?? (found[2] !== undefined ? Number(found[2]) : (JSON.parse(found[3]) as string)));
  }
  return steps;
}

/** The value behind the steps; undefined when there is none. */
export function follow(root: unknown, steps: readonly (string | number)[]): { value: unknown } | undefined {
  let value = root;
  for (const key of steps) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<string | number, unknown>)[key];
  }
  return { value };
}
