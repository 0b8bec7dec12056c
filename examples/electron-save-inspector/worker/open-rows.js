// The rows of a tree of which only some containers are open. Sizes are kept per open container, so that row 3,000,000 is found
// by going down a few levels, whatever the save's size.

class OpenContainer {
  constructor(value, contents, parent) {
    this.value = value;
    this.contents = contents;
    this.parent = parent;
    /** Open children by ordinal, and the ordinals in order. */
    this.open = new Map();
    this.order = [];
    /** Rows below this one. */
    this.size = contents.count;
  }
}

/** Where `ordinal` stands, or would stand, among the ordinals. */
function position(order, ordinal) {
  let low = 0;
  let high = order.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (order[middle] < ordinal) low = middle + 1;
    else high = middle;
  }
  return low;
}

export class OpenRows {
  /** `contentsOf(value)` gives a container's children, undefined for a scalar. */
  constructor(contentsOf, root) {
    this.contentsOf = contentsOf;
    this.root = root;
    this.top = this.#opened(root, undefined);
  }

  /** A container that is open from now on; undefined for a scalar. */
  #opened(value, parent) {
    const contents = this.contentsOf(value);
    return contents && new OpenContainer(value, contents, parent);
  }

  /** All rows, with the root's own. */
  get total() {
    return 1 + (this.top?.size ?? 0);
  }

  #grow(container, rows) {
    for (let at = container; at; at = at.parent) at.size += rows;
  }

  /** The open container at `path`, undefined when it or one above it is closed. */
  #at(path) {
    let at = this.top;
    for (const ordinal of path) at = at?.open.get(ordinal);
    return at;
  }

  isOpen(path) {
    return this.#at(path) !== undefined;
  }

  /** Opens a child, whose rows those above do not count yet; undefined for a scalar. */
  #openChild(parent, ordinal) {
    const made = this.#opened(parent.contents.value(ordinal), parent);
    if (!made) return undefined;
    parent.open.set(ordinal, made);
    parent.order.splice(position(parent.order, ordinal), 0, ordinal);
    return made;
  }

  /** Opens the root and what lies in `count` steps of the path. */
  #openAlong(path, count) {
    this.top ??= this.#opened(this.root, undefined);
    let at = this.top;
    let made = 0;
    for (const ordinal of path.slice(0, count)) {
      let next = at?.open.get(ordinal);
      if (!next) {
        next = at && this.#openChild(at, ordinal);
        if (!next) break;
        made++;
      }
      at = next;
    }
    // Upwards: each has the rows of those below it.
    for (let above = at, rows = 0; above; above = above.parent) {
      above.size += rows;
      if (made-- > 0) rows += above.contents.count;
    }
  }

  open(path) {
    if (path.length === 0 || this.isOpen(path.slice(0, -1))) this.#openAlong(path, path.length);
  }

  close(path) {
    if (path.length === 0) {
      this.top = undefined;
      return;
    }
    const ordinal = path.at(-1);
    const parent = this.#at(path.slice(0, -1));
    const child = parent?.open.get(ordinal);
    if (!child) return;
    parent.open.delete(ordinal);
    parent.order.splice(position(parent.order, ordinal), 1);
    this.#grow(parent, -child.size);
  }

  /** Opens all containers above `path`. */
  reveal(path) {
    if (path.length > 0) this.#openAlong(path, path.length - 1);
  }

  /** Opens the containers directly inside of `path`, at most `most` of them; false where there are more. */
  openChildren(path, most) {
    this.open(path);
    const container = this.#at(path);
    if (!container) return true;
    const { contents, open } = container;
    let rows = 0;
    let i = 0;
    for (let opened = 0; i < contents.count && opened < most; i++) {
      const made = open.has(i) ? undefined : this.#openChild(container, i);
      rows += made?.size ?? 0;
      if (open.has(i)) opened++;
    }
    this.#grow(container, rows);
    while (i < contents.count && (open.has(i) || !this.contentsOf(contents.value(i)))) i++;
    return i === contents.count;
  }

  /** The row of `path`, whose ancestors are open. */
  rowOf(path) {
    let row = 0;
    let at = this.top;
    for (const ordinal of path) {
      if (!at) return -1;
      row += 1 + ordinal;
      for (const open of at.order) {
        if (open >= ordinal) break;
        row += at.open.get(open).size;
      }
      at = at.open.get(ordinal);
    }
    return row;
  }

  /**
   * `count` rows from `first` on: label, name and value of each, how many rows have the same parent, that one, the contents it stands in, those of the
   * ones that are open, and whether a value is one that it stands in. A path is given as `keep` steps of the one before it, then `rest`.
   */
  rows(first, count) {
    const found = [];
    if (first === 0 && count > 0)
      found.push({
        keep: 0,
        rest: [],
        label: "root",
        name: "",
        siblings: 1,
        value: this.root,
        contents: this.top?.contents,
        isInside: false,
      });
    if (!this.top) return found;
    let skip = Math.max(0, first - 1);
    const stack = [{ container: this.top, ordinal: 0, next: 0 }];
    const path = [];
    const above = [this.top.value];
    while (found.length < count) {
      const frame = stack.at(-1);
      const { container } = frame;
      if (skip > 0) skip = this.#skip(frame, skip);
      if (frame.ordinal >= container.contents.count) {
        stack.pop();
        path.pop();
        above.pop();
        if (stack.length === 0) break;
        continue;
      }
      const ordinal = frame.ordinal++;
      const child = container.open.get(ordinal);
      path.push(ordinal);
      if (skip > 0) skip--;
      else {
        const { contents } = container;
        const value = contents.value(ordinal);
        const isFirst = found.length === 0;
        found.push({
          keep: isFirst ? 0 : path.length - 1,
          rest: isFirst ? path.slice() : [ordinal],
          label: contents.label,
          name: contents.name(ordinal),
          siblings: contents.count,
          value,
          parent: container.value,
          around: contents,
          contents: child?.contents,
          isInside: typeof value === "object" && above.includes(value),
        });
      }
      if (child) {
        frame.next++;
        stack.push({ container: child, ordinal: 0, next: 0 });
        above.push(child.value);
      } else path.pop();
    }
    return found;
  }

  /** Passes whole children as long as they lie before the wanted row; how many rows are left to pass. */
  #skip(frame, skip) {
    const { container } = frame;
    while (skip > 0 && frame.ordinal < container.contents.count) {
      const open = frame.next < container.order.length ? container.order[frame.next] : container.contents.count;
      const closed = Math.min(skip, open - frame.ordinal);
      frame.ordinal += closed;
      skip -= closed;
      if (skip === 0 || frame.ordinal >= container.contents.count) break;
      const size = 1 + container.open.get(open).size;
      if (size > skip) break;
      frame.ordinal++;
      frame.next++;
      skip -= size;
    }
    return skip;
  }
}
