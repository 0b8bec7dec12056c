// How much of a tree has been looked at, estimated from the place in its upper levels.

const LEVELS = 4;

/** 0 to 1. `stack`: `{ contents, at }` of the containers on the way, `at` children of which have been begun. */
export function shareDone(stack) {
  let share = 1;
  let done = 0;
  for (let depth = 0; depth < Math.min(stack.length, LEVELS); depth++) {
    const { contents, at } = stack[depth];
    share /= contents.count;
    done += share * Math.max(0, at - (depth + 1 < stack.length ? 1 : 0));
  }
  return Math.min(1, done);
}
