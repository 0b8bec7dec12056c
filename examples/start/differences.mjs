// What a change did to the bytes of a save.

/** Where two saves differ: `{ offset, length }` for each run of bytes; the same length is needed. */
export function differingRuns(before, after) {
  const runs = [];
  for (let at = 0; at < before.length; at++) {
    if (before[at] === after[at]) continue;
    const offset = at;
    while (at < before.length && before[at] !== after[at]) at++;
    runs.push({ offset, length: at - offset });
  }
  return runs;
}
