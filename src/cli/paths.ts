// Paths as errors and trees print them: `.entities[3].name`, `["any name"]`.
import { CallError } from "./failure.ts";
import { isContainer, type Vocabulary } from "./notation/vocabulary.ts";

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

/** The value behind the steps, which lead through what the tree shows only; undefined when there is none. */
export function follow(root: unknown, steps: readonly (string | number)[], vocabulary: Vocabulary): { value: unknown } | undefined {
  let value = root;
  for (const key of steps) {
    // Enumerable: the length of an array is no member of the save.
    if (!isContainer(value, vocabulary) || !Object.prototype.propertyIsEnumerable.call(value, key)) return undefined;
    value = (value as Record<string | number, unknown>)[key];
  }
  return { value };
}
