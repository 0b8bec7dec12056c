// What differs between the open save and another one, by path and in the order of the tree. The other one is taken as the older: `added` is in
// the open save alone.
import { bytesAround, excerpt, excerptStart, firstDifference } from "./excerpt.js";
import { firstText, shortened } from "./formats/scalars.js";
import { LargeMap } from "./large-map.js";
import { pathText } from "./path-text.js";
import { placeIn, ROOT } from "./places.js";
import { shareDone } from "./progress.js";

const KEPT = 20_000;
const STEP = 256;

/** How much is shown of either end of a long path. */
const LONGEST_PATH = 500;
/** How much is looked at of the text of bytes beside another value. */
const MOST_OF_BYTES = 1000;

/** What a place of the newer side is marked with, and the marks inside of it by ordinal. */
class Mark {
  kind = undefined;
  inside = undefined;

  at(ordinal) {
    this.inside ??= new Map();
    let mark = this.inside.get(ordinal);
    if (!mark) {
      mark = new Mark();
      this.inside.set(ordinal, mark);
    }
    return mark;
  }
}

/** The children of the older container, found by key. Keys may occur more than once; each child is taken once. */
class Keys {
  #ordinals = new Map();

  constructor(contents, from) {
    for (let i = contents.count - 1; i >= from; i--) {
      const key = contents.key(i);
      const known = this.#ordinals.get(key);
      if (known) known.push(i);
      else this.#ordinals.set(key, [i]);
    }
  }

  take(key) {
    return this.#ordinals.get(key)?.pop();
  }

  /** What nobody has taken. */
  left() {
    return [...this.#ordinals.values()].flat().sort((a, b) => a - b);
  }
}

/** Two containers on their way. Most pairs have the same keys in the same order, so the index of keys is made when that ends. */
class Pair {
  /** Newer children that have been looked at. */
  at = 0;
  keys = undefined;
  /** Ordinals of the older side that are in it alone. */
  gone = undefined;
  /** Made when something inside has changed. */
  mark = undefined;

  constructor(place, older, newer) {
    this.place = place;
    this.older = older;
    this.newer = newer;
    this.isList = newer.label === "index";
    this.contents = newer;
  }

  /** The older child that belongs to the newer one at `i`; undefined: none. */
  partnerOf(i) {
    const { older, newer, isList } = this;
    if (!this.keys) {
      if (i < older.count && (isList || older.key(i) === newer.key(i))) return i;
      if (isList) return undefined;
      this.keys = new Keys(older, i);
    }
    return this.keys.take(newer.key(i));
  }

  removed() {
    if (!this.gone) {
      const { older, newer, keys } = this;
      this.gone = keys ? keys.left() : Array.from({ length: Math.max(0, older.count - newer.count) }, (_, i) => newer.count + i);
      this.gone.reverse();
    }
    return this.gone.pop();
  }
}

export class Comparison {
  differences = [];
  count = 0;
  counts = { changed: 0, added: 0, removed: 0 };
  /** Of the root; for the tree. */
  #marks = new Mark();
  progress = 0;
  done = false;
  #stack = [];
  /** Containers that were met, of either side, with the one on the other side. */
  #older = new LargeMap();
  #newer = new LargeMap();

  /** `mine` and `theirs`: view and root of either side. */
  constructor(mine, theirs) {
    this.mine = mine;
    this.theirs = theirs;
  }

  #show(side, value) {
    const { title, type, text } = side.view.look(value);
    return { type, text: title === undefined ? text : `${shortened(title)} · ${text}` };
  }

  /** Both sides of a change: long texts from shortly before they differ; where both look the same, with what else a value has. */
  #both(left, right, notes) {
    const sides = [
      [this.theirs, left],
      [this.mine, right],
    ];
    const [before, after] = sides.map(([side, value]) => this.#show(side, value));
    const bytes = this.#bytes(left, right);
    const whole = bytes ? bytesAround(...bytes) : sides.map(([side, value]) => this.#text(side, value));
    const start = excerptStart(before.type, ...whole);
    if (start > 0) for (const [i, shown] of [before, after].entries()) shown.text = excerpt(shown.type, whole[i], start);
    if (before.type === after.type && before.text === after.text) {
      const own = sides.map(([side, value]) => side.view.own?.(value));
      for (const [i, shown] of [before, after].entries())
        shown.text = [shown.text, own[0] === own[1] ? undefined : own[i], notes[i]].filter((text) => text !== undefined).join(" · ");
    }
    return { before, after };
  }

  /** `notes`: of the older and the newer side. */
  #change(last, left, right, notes = []) {
    this.#add("changed", last, () => this.#both(left, right, notes));
  }

  /** `last`: the ordinal below the container on top of the stack; undefined: that container itself. */
  #add(kind, last, sides) {
    this.count++;
    this.counts[kind]++;
    // What lies around is marked for changes that are not kept, too: there are no more of these marks than containers.
    const around = this.#markAround();
    if (this.differences.length >= KEPT) return;
    const pair = this.#stack.at(-1);
    // What was removed has no place in the tree; its container has.
    const place = kind === "removed" ? pair.place : this.#place(last);
    this.differences.push({ kind, place, text: this.#pathText(kind, last), ...sides() });
    if (kind !== "removed") (last === undefined ? this.#marks : around.at(last)).kind = kind;
  }

  #place(last) {
    return last === undefined ? ROOT : placeIn(this.#stack.at(-1).place, last);
  }

  #pathText(kind, last) {
    if (last === undefined) return "(root)";
    const stack = this.#stack;
    const stepAt = (depth) => {
      const { older, newer, at } = stack[depth];
      const isLast = depth + 1 === stack.length;
      const side = isLast && kind === "removed" ? older : newer;
      return [side.label, side.name(isLast ? last : at - 1)];
    };
    return pathText(stack.length, stepAt, LONGEST_PATH).text;
  }

  /** Marks the containers on the way, from the last one that is marked on; the mark of the one on top. */
  #markAround() {
    const stack = this.#stack;
    let depth = stack.length;
    while (depth > 0 && !stack[depth - 1].mark) depth--;
    for (; depth < stack.length; depth++) {
      const mark = depth === 0 ? this.#marks : stack[depth - 1].mark.at(stack[depth].place.ordinal);
      mark.kind ??= "inside";
      stack[depth].mark = mark;
    }
    return stack.at(-1)?.mark;
  }

  /** The marks of rows that follow each other: kinds, and "inside" for containers with changes inside. */
  marksOf(rows) {
    const way = [this.#marks];
    return rows.map(({ keep, rest }) => {
      way.length = keep + 1;
      for (const ordinal of rest) way.push(way.at(-1)?.inside?.get(ordinal));
      return way.at(-1)?.kind;
    });
  }

  /** Have both what one function of the view says of them? */
  #agree(what, left, right) {
    return this.theirs.view[what]?.(left) === this.mine.view[what]?.(right);
  }

  /** The text of a scalar; of bytes the beginning does beside what is none. */
  #text({ view }, value) {
    if (view.contents(value)) return "";
    return view.bytes?.(value) ? firstText(view, value, MOST_OF_BYTES).full : view.scalarText(value);
  }

  /** Both sides, where they are bytes. */
  #bytes(left, right) {
    const older = this.theirs.view.bytes?.(left);
    const newer = older && this.mine.view.bytes?.(right);
    return newer && [older, newer];
  }

  /** Are two scalars of one kind the same? Of bytes that is known without their text. */
  #isSame(left, right) {
    const bytes = this.#bytes(left, right);
    if (!bytes) return this.#agree("scalarText", left, right);
    const [a, b] = bytes;
    return a.length === b.length && firstDifference(a, b) === a.length;
  }

  /** Compares two values; containers are put on the stack. */
  #meet(last, left, right) {
    const { mine, theirs } = this;
    const a = theirs.view.contents(left);
    const b = mine.view.contents(right);
    const alike = this.#agree("kind", left, right) && this.#agree("own", left, right);
    if (!a || !b) {
      if (a || b || !alike || !this.#isSame(left, right)) this.#change(last, left, right);
    } else if (this.#older.has(right) || this.#newer.has(left)) {
      // Shared, or in a circle: the same must be shared on the other side.
      if (this.#older.get(right) !== left)
        this.#change(
          last,
          left,
          right,
          [this.#newer.has(left), this.#older.has(right)].map((isMet) => (isMet ? "the same as in a place before" : undefined)),
        );
    } else {
      this.#older.set(right, left);
      this.#newer.set(left, right);
      if (!alike || !this.#agree("title", left, right)) this.#change(last, left, right);
      if (this.#agree("kind", left, right)) this.#stack.push(new Pair(this.#place(last), a, b));
    }
  }

  *run() {
    const { mine, theirs } = this;
    const stack = this.#stack;
    this.#meet(undefined, theirs.root, mine.root);
    for (let steps = 1; stack.length > 0; steps++) {
      const pair = stack.at(-1);
      if (pair.at < pair.newer.count) {
        const i = pair.at++;
        const right = pair.newer.value(i);
        const at = pair.partnerOf(i);
        if (at === undefined) this.#add("added", i, () => ({ after: this.#show(mine, right) }));
        else {
          const left = pair.older.value(at);
          // Most values are equal; they need no look.
          if (typeof left === "object" || !Object.is(left, right)) this.#meet(i, left, right);
        }
      } else {
        const gone = pair.removed();
        if (gone === undefined) stack.pop();
        else this.#add("removed", gone, () => ({ before: this.#show(theirs, pair.older.value(gone)) }));
      }
      if (steps % STEP === 0) {
        this.progress = Math.max(this.progress, shareDone(stack));
        yield;
      }
    }
    this.progress = 1;
    this.done = true;
  }
}
