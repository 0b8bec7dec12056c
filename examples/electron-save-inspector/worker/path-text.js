// Paths as people read them. Of a long one both ends are shown.
import { beginning, shortened } from "./formats/scalars.js";

const PLAIN_NAME = /^[\p{L}_$][\p{L}\p{N}_$]*$/u;

/** One step of a path: `.name`, `[3]`, `["any name"]`. */
function stepText(label, name) {
  if (label === "index") return `[${name}]`;
  return PLAIN_NAME.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`;
}

/** The text of `count` steps, `{ text, isWhole }`; `stepAt(i)` gives label and name of one. No end, and no name, is much longer than `most`. */
export function pathText(count, stepAt, most) {
  let isWhole = true;
  const text = (i) => {
    const [label, name] = stepAt(i);
    if (name.length <= most) return stepText(label, name);
    isWhole = false;
    return stepText(label, `${beginning(name, most)}…`);
  };
  let [from, to] = [0, count];
  let [head, tail] = ["", ""];
  while (from < to && head.length < most) head += text(from++);
  while (from < to && tail.length < most) tail = text(--to) + tail;
  return from < to ? { text: `${head} … ${tail}`, isWhole: false } : { text: head + tail, isWhole };
}

/** How many steps of a long path have room above the tree: those at the root, and the last ones. */
const FIRST = 2;
const LAST = 5;

/** Steps that one can go to, `{ name, depth }`: of a long path the first and the last ones. */
export function shownSteps(count, stepAt) {
  const depths = Array.from({ length: Math.min(count, FIRST + LAST + 1) }, (_, i) => i + 1);
  if (count > depths.length) {
    depths.length = FIRST;
    for (let depth = count - LAST + 1; depth <= count; depth++) depths.push(depth);
  }
  return depths.map((depth) => {
    const [label, name] = stepAt(depth - 1);
    return { name: label === "index" ? `[${name}]` : shortened(name), depth };
  });
}
