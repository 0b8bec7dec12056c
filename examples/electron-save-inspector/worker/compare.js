// What differs between the open save and another one, by path and in the order of the tree. The other one is taken as the older: `added` is in
// the open save alone.
import { excerpt, excerptStart } from "./excerpt.js";
import { shareDone } from "./progress.js";

const KEPT = 20_000;
const STEP = 256;

const PLAIN_NAME = /^[\p{L}_$][\p{L}\p{N}_$]*$/u;

/** One step of a path: `.name`, `[3]`, `["any name"]`. */
export function stepText(label, name) {
  if (label === "index") return `[${name}]`;
  return PLAIN_NAME.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`;
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

  constructor(older, newer) {
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
  /** Kinds by path, for the marks of the tree; paths of containers with changes inside. */
  marks = new Map();
  progress = 0;
  done = false;
  #stack = [];
  /** Containers that were met, of either side, with the one on the other side. */
  #older = new Map();
  #newer = new Map();

  /** `mine` and `theirs`: view and root of either side. */
  constructor(mine, theirs) {
    this.mine = mine;
    this.theirs = theirs;
  }

  #show(side, value) {
    const { title, type, text } = side.view.look(value);
    return { type, text: title === undefined ? text : `${title} · ${text}` };
  }

  /** Both sides of a change: long texts from shortly before they differ; where both look the same, with what else a value has. */
  #both(left, right, notes) {
    const sides = [
      [this.theirs, left],
      [this.mine, right],
    ];
    const [before, after] = sides.map(([side, value]) => this.#show(side, value));
    const whole = sides.map(([{ view }, value]) => (view.contents(value) ? "" : view.scalarText(value)));
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
    if (this.differences.length >= KEPT) return;
    const path = this.#stack.map(({ at }) => at - 1);
    let text = "";
    for (let depth = 0; depth + 1 < path.length; depth++) {
      const { newer } = this.#stack[depth];
      text += stepText(newer.label, newer.name(path[depth]));
    }
    // What was removed has no place in the tree; its container has.
    path.length -= path.length > 0 ? 1 : 0;
    if (last !== undefined) {
      const { older, newer } = this.#stack.at(-1);
      const side = kind === "removed" ? older : newer;
      text += stepText(side.label, side.name(last));
      if (kind !== "removed") path.push(last);
    }
    this.differences.push({ kind, path, text: text || "(root)", ...sides() });
    this.#mark(kind, path);
  }

  #mark(kind, path) {
    if (kind !== "removed") this.marks.set(path.join(), kind);
    for (let length = kind === "removed" ? path.length : path.length - 1; length >= 0; length--) {
      const key = path.slice(0, length).join();
      if (this.marks.has(key)) break;
      this.marks.set(key, "inside");
    }
  }

  /** Have both what one function of the view says of them? */
  #agree(what, left, right) {
    return this.theirs.view[what]?.(left) === this.mine.view[what]?.(right);
  }

  /** Compares two values; containers are put on the stack. */
  #meet(last, left, right) {
    const { mine, theirs } = this;
    const a = theirs.view.contents(left);
    const b = mine.view.contents(right);
    const alike = this.#agree("kind", left, right) && this.#agree("own", left, right);
    if (!a || !b) {
      if (a || b || !alike || !this.#agree("scalarText", left, right)) this.#change(last, left, right);
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
      if (this.#agree("kind", left, right)) this.#stack.push(new Pair(a, b));
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
