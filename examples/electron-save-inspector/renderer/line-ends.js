// A text field knows line feeds alone (HTML: the API value of a textarea); texts of a save have the line ends of the system they were made on.

const LINE_END = /\r\n|\r|\n/g;

/** `text` as a field gives it back. */
export function fieldText(text) {
  return text.replace(LINE_END, "\n");
}

/** How many characters at the beginning are the same, or with `back` at the end, at most `most`. */
function common(a, b, most, back = false) {
  let count = 0;
  while (count < most && (back ? a.at(-1 - count) === b.at(-1 - count) : a[count] === b[count])) count++;
  return count;
}

/** The line end that a text has most of; those that occur as often: the first. */
function usual(ends) {
  const counts = new Map();
  for (const end of ends) counts.set(end, (counts.get(end) ?? 0) + 1);
  return [...counts].reduce((most, found) => (found[1] > most[1] ? found : most), ["\n", 0])[0];
}

/** `typed`, what `before` was changed to in a field, with the line ends of `before`: those outside of the change stay, new ones are like the others. */
export function withLineEnds(typed, before) {
  const ends = before.match(LINE_END) ?? [];
  if (ends.every((end) => end === "\n")) return typed;
  const shown = fieldText(before);
  const most = Math.min(typed.length, shown.length);
  const head = common(typed, shown, most);
  const tail = common(typed, shown, most - head, true);
  const added = usual(ends);
  // Counted from either side: behind the change the last line end of the one is that of the other.
  const shift = ends.length - (typed.match(/\n/g)?.length ?? 0);
  let i = 0;
  const endAt = (at) => {
    const ordinal = i++;
    if (at < head) return ends[ordinal];
    return at >= typed.length - tail ? ends[ordinal + shift] : added;
  };
  let last;
  return typed.replace(/\n/g, (_, at) => {
    const end = endAt(at);
    // Side by side "\r" and "\n" would be one.
    last = end === "\n" && last === "\r" && typed[at - 1] === "\n" ? "\r\n" : end;
    return last;
  });
}
