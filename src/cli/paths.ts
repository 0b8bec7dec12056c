// Paths as errors and trees print them: `.entities[3].name`, `["any name"]`.
import { CallError } from "./failure.ts";

const STEP = /\.([\p{L}_$][\p{L}\p{N}_$]*)|\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\]/uy;

function unreadable(rest: string): CallError {
  return new CallError(`--path: cannot read ${JSON.stringify(rest)}; paths look like .entities[3]["a name"]`);
}

/** A name in quotes. The pattern lets any escape through; JSON knows a few only, and no controls. */
function quotedName(quoted: string, rest: string): string {
  try {
    return JSON.parse(quoted) as string;
  } catch {
    throw unreadable(rest);
  }
}

/** The steps of a path. The leading dot may be missing. */
export function parsePath(path: string): (string | number)[] {
  const text = path === "" || path[0] === "." || path[0] === "[" ? path : `.${path}`;
  const steps: (string | number)[] = [];
  STEP.lastIndex = 0;
  while (STEP.lastIndex < text.length) {
    const at = STEP.lastIndex;
    const found = STEP.exec(text);
    if (!found) throw unreadable(text.slice(at));
    steps.push(found[1] ?? (found[2] !== undefined ? Number(found[2]) : quotedName(found[3], text.slice(at))));
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
