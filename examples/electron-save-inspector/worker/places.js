// Places in the tree. Those inside of a container share what lies above them: a million of them take no more room a million levels down.

/** The place of the save's own value. */
export const ROOT = { parent: undefined, ordinal: 0, depth: 0 };

export function placeIn(parent, ordinal) {
  return { parent, ordinal, depth: parent.depth + 1 };
}

/** The ordinals from one place down to another below it. */
function steps(from, to) {
  const path = [];
  for (let at = to; at !== from; at = at.parent) path.push(at.ordinal);
  return path.reverse();
}

/** The path of ordinals from the root on. */
export function pathOf(place) {
  return steps(ROOT, place);
}

/** The path of `place` as what it has behind that of `previous`: `keep` steps of it, then `rest`. */
export function pathBehind(previous, place) {
  let [a, b] = [previous, place];
  while (a.depth > b.depth) a = a.parent;
  while (b.depth > a.depth) b = b.parent;
  while (a !== b) {
    a = a.parent;
    b = b.parent;
  }
  return { keep: b.depth, rest: steps(b, place) };
}
