// Paths come as what each has behind the one before it: `keep` steps of that, then `rest`. One of a million steps is made when somebody needs it.

function pathAt(list, index) {
  const path = [];
  let end = list[index].keep + list[index].rest.length;
  for (let i = index; end > 0; i--) {
    const { keep, rest } = list[i];
    for (let step = end - 1; step >= keep; step--) path.push(rest[step - keep]);
    end = Math.min(end, keep);
  }
  return path.reverse();
}

/** Gives each item of the list its `depth` and its `path`. */
export function withPaths(list) {
  for (const [index, item] of list.entries()) {
    item.depth = item.keep + item.rest.length;
    Object.defineProperty(item, "path", { get: () => pathAt(list, index) });
  }
  return list;
}

export const same = (a, b) => a.length === b.length && a.every((step, i) => step === b[i]);

/** Does an item of such a list stand at `path`? */
export function isAt(item, path) {
  return item.depth === path.length && item.rest.at(-1) === path.at(-1) && same(item.path, path);
}
