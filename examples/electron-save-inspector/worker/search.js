// Search by name and by value through the whole save, in the order of the tree.

/** Found places that can be visited; more are counted. */
const KEPT = 20_000;
/** Values looked at between two looks at the clock. */
const STEP = 256;

export function matcher(query, { names = true, values = true }) {
  const wanted = query.toLowerCase();
  return {
    name: (name) => names && name.toLowerCase().includes(wanted),
    value: (text) => values && text.toLowerCase().includes(wanted),
  };
}

export class Search {
  count = 0;
  /** Paths of what was found. */
  found = [];
  /** How much has been looked at, 0 to 1; estimated from the place in the upper levels. */
  progress = 0;
  done = false;

  constructor(view, root, query, options) {
    this.view = view;
    this.root = root;
    this.matches = matcher(query, options);
  }

  #add(path) {
    this.count++;
    if (this.found.length < KEPT) this.found.push(path);
  }

  *run() {
    const { view, matches } = this;
    const seen = new Set();
    const stack = [];
    const enter = (value) => {
      const contents = view.contents(value);
      // What occurs again is searched where it occurs first.
      if (!contents || seen.has(value)) return false;
      seen.add(value);
      stack.push({ contents, at: 0 });
      return true;
    };
    if (!enter(this.root) && matches.value(view.scalarText(this.root))) this.#add([]);
    let steps = 0;
    while (stack.length > 0) {
      const frame = stack.at(-1);
      if (frame.at >= frame.contents.count) {
        stack.pop();
        continue;
      }
      const i = frame.at++;
      const { contents } = frame;
      const value = contents.value(i);
      const named = (contents.label !== "index" && matches.name(contents.name(i))) || false;
      const isContainer = view.contents(value) !== undefined;
      if (named || (isContainer ? this.#title(value) : matches.value(view.scalarText(value)))) this.#add(stack.map(({ at }) => at - 1));
      if (isContainer) enter(value);
      if (++steps % STEP === 0) {
        this.#estimate(stack);
        yield;
      }
    }
    this.progress = 1;
    this.done = true;
  }

  /** Constructors are found by their names. */
  #title(value) {
    const { title } = this.view.look(value);
    return title !== undefined && this.matches.name(title);
  }

  #estimate(stack) {
    let share = 1;
    let progress = 0;
    for (let depth = 0; depth < Math.min(stack.length, 4); depth++) {
      const { contents, at } = stack[depth];
      share /= contents.count;
      progress += share * Math.max(0, at - (depth + 1 < stack.length ? 1 : 0));
    }
    this.progress = Math.max(this.progress, Math.min(1, progress));
  }
}
