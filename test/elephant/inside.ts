// Values that stand deep.

/** `value` inside so many arrays. */
export function inside(levels: number, value: unknown): unknown {
  let found = value;
  for (let i = 0; i < levels; i++) found = [found];
  return found;
}
