// Search by name and by value through the whole save, in the order of the tree.
import { bytesTextParts } from "./formats/scalars.js";
import { LargeMap } from "./large-map.js";
import { pathOf, placeIn, ROOT } from "./places.js";
import { shareDone } from "./progress.js";

/** Found places that can be visited, more than anybody will; of the rest only the number is kept. A million take 60 MB in a few containers. */
const KEPT = 1_000_000;
/** Values looked at between two looks at the clock. */
const STEP = 256;

/** Names remembered with whether they match: a save has few, each many times. */
const REMEMBERED = 10_000;

/** What a space finds, too: the field of the search has one line, and makes spaces of the breaks in what is pasted. */
const BREAKS = /\r\n|[\r\n]/g;

function matcher(query, { names = true, values = true }) {
  const wanted = query.toLowerCase();
  // Most of what is searched for is in no bytes at all.
  const isOfBytes = values && /^[\da-f ]+$/.test(wanted);
  const hasSpaces = wanted.includes(" ");
  const isIn = (text) => (hasSpaces ? text.replace(BREAKS, " ") : text).toLowerCase().includes(wanted);
  const known = new Map();
  return {
    name(name) {
      if (!names) return false;
      let found = known.get(name);
      if (found === undefined) {
        found = isIn(name);
        if (known.size < REMEMBERED) known.set(name, found);
      }
      return found;
    },
    value: (text) => values && isIn(text),
    /** In parts, between which others have their turn. */
    *bytes(bytes) {
      if (!isOfBytes) return false;
      for (const text of bytesTextParts(bytes, wanted.length)) {
        if (text.includes(wanted)) return true;
        yield;
      }
      return false;
    },
  };
}

export class Search {
  count = 0;
  /** The places of what was found. */
  found = [];
  /** How much has been looked at, 0 to 1; estimated from the place in the upper levels. */
  progress = 0;
  done = false;

  constructor(view, root, query, options) {
    this.view = view;
    this.root = root;
    this.matches = matcher(query, options);
  }

  #add(place) {
    this.count++;
    if (this.found.length < KEPT) this.found.push(place);
  }

  /** The path of a found place; undefined where there is none of that number. */
  path(index) {
    const place = this.found[index];
    return place && pathOf(place);
  }

  *run() {
    const { view, matches } = this;
    const seen = new LargeMap();
    seen.set(this.root, true);
    const stack = [];
    const top = view.contents(this.root);
    if (top) stack.push({ contents: top, at: 0, place: ROOT });
    if (top ? this.#head(this.root) : matches.value(view.scalarText(this.root))) this.#add(ROOT);
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
      const inside = view.contents(value);
      const named = contents.label !== "index" && matches.name(contents.name(i));
      const bytes = inside ? undefined : view.bytes?.(value);
      const isFound = named || (inside ? this.#head(value) : bytes ? yield* matches.bytes(bytes) : matches.value(view.scalarText(value)));
      // What occurs again is searched where it occurs first.
      const isNew = inside && !seen.has(value);
      if (isFound || isNew) {
        const place = placeIn(frame.place, i);
        if (isFound) this.#add(place);
        if (isNew) {
          seen.set(value, true);
          stack.push({ contents: inside, at: 0, place });
        }
      }
      if (++steps % STEP === 0) {
        this.progress = Math.max(this.progress, shareDone(stack));
        yield;
      }
    }
    this.progress = 1;
    this.done = true;
  }

  /** Constructors are found by their names, instances by the ids that they have beside their members, which are values. */
  #head(value) {
    const title = this.view.title(value);
    if (title !== undefined && this.matches.name(title)) return true;
    const id = this.view.id?.(value);
    return id !== undefined && this.matches.value(id);
  }
}
