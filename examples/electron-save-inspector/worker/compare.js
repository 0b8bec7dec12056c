// What differs between the open save and another one, by path. The other one is taken as the older: `added` is in the open save alone.

const KEPT = 20_000;
const STEP = 256;

/** One step of a path: `.name`, `[3]`, `["any name"]`. */
export function stepText(label, name) {
  if (label === "index") return `[${name}]`;
  return /^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`;
}

/** The ordinals of the other side's children by their names. */
function ordinals(contents) {
  const map = new Map();
  for (let i = contents.count - 1; i >= 0; i--) map.set(contents.name(i), i);
  return map;
}

export class Comparison {
  differences = [];
  count = 0;
  counts = { changed: 0, added: 0, removed: 0 };
  /** Kinds by path, for the marks of the tree; paths of containers with changes inside. */
  marks = new Map();
  done = false;

  /** `mine` and `theirs`: view and root of either side. */
  constructor(mine, theirs) {
    this.mine = mine;
    this.theirs = theirs;
  }

  #add(kind, path, text, before, after) {
    this.count++;
    this.counts[kind]++;
    if (this.differences.length >= KEPT) return;
    this.differences.push({ kind, path, text: text || "(root)", before, after });
    if (kind !== "removed") this.marks.set(path.join(), kind);
    for (let length = kind === "removed" ? path.length : path.length - 1; length >= 0; length--) {
      const key = path.slice(0, length).join();
      if (this.marks.has(key)) break;
      this.marks.set(key, "inside");
    }
  }

  #show(side, value) {
    const { title, type, text } = side.view.look(value);
    return { type, text: title === undefined ? text : `${title} · ${text}` };
  }

  *run() {
    const { mine, theirs } = this;
    const partner = new Map();
    const open = [{ path: [], text: "", left: theirs.root, right: mine.root }];
    let steps = 0;
    while (open.length > 0) {
      const { path, text, left, right } = open.pop();
      const a = theirs.view.contents(left);
      const b = mine.view.contents(right);
      const shown = () => [this.#show(theirs, left), this.#show(mine, right)];
      const lookA = theirs.view.look(left);
      const lookB = mine.view.look(right);
      if (!a || !b) {
        const same = !a && !b && lookA.type === lookB.type && theirs.view.scalarText(left) === mine.view.scalarText(right);
        if (!same) this.#add("changed", path, text, ...shown());
      } else if (!partner.has(right)) {
        partner.set(right, left);
        if (lookA.type !== lookB.type || lookA.title !== lookB.title) this.#add("changed", path, text, ...shown());
        if (lookA.type === lookB.type) yield* this.#children(path, text, a, b, open);
      } else if (partner.get(right) !== left) this.#add("changed", path, text, ...shown());
      if (++steps % STEP === 0) yield;
    }
    this.done = true;
  }

  *#children(path, text, a, b, open) {
    const { mine, theirs } = this;
    const known = b.label === "index" ? undefined : ordinals(a);
    const children = [];
    let inBoth = 0;
    for (let i = 0; i < b.count; i++) {
      const name = b.name(i);
      const step = text + stepText(b.label, name);
      const at = known ? known.get(name) : i < a.count ? i : undefined;
      if (at === undefined) {
        this.#add("added", [...path, i], step, undefined, this.#show(mine, b.value(i)));
      } else {
        inBoth++;
        const left = a.value(at);
        const right = b.value(i);
        // Most values are equal; they need no look.
        if (typeof left !== "object" && Object.is(left, right)) continue;
        children.push({ path: [...path, i], text: step, left, right });
      }
      if (i % STEP === STEP - 1) yield;
    }
    if (inBoth < a.count) {
      const here = known && ordinals(b);
      for (let i = known ? 0 : b.count; i < a.count; i++) {
        const name = a.name(i);
        if (!here?.has(name)) this.#add("removed", path, text + stepText(a.label, name), this.#show(theirs, a.value(i)), undefined);
        if (i % STEP === STEP - 1) yield;
      }
    }
    for (let i = children.length - 1; i >= 0; i--) open.push(children[i]);
  }
}
