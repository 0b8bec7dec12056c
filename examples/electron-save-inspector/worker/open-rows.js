// The rows of a tree of which only some containers are open. Sizes are kept per open container, so that row 3,000,000 is found
// by going down a few levels, whatever the save's size.

class OpenContainer {
  constructor(contents, parent) {
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
    const contents = contentsOf(root);
    this.top = contents && new OpenContainer(contents, undefined);
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

  open(path) {
    if (path.length === 0) {
      const contents = this.contentsOf(this.root);
      this.top ??= contents && new OpenContainer(contents, undefined);
      return;
    }
    const ordinal = path.at(-1);
    const parent = this.#at(path.slice(0, -1));
    if (!parent || parent.open.has(ordinal)) return;
    const contents = this.contentsOf(parent.contents.value(ordinal));
    if (!contents) return;
    const made = new OpenContainer(contents, parent);
    parent.open.set(ordinal, made);
    parent.order.splice(position(parent.order, ordinal), 0, ordinal);
    this.#grow(parent, made.size);
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
    for (let length = 0; length < path.length; length++) this.open(path.slice(0, length));
  }

  /** Opens the containers directly inside of `path`; at most `most` of them. */
  openChildren(path, most) {
    this.open(path);
    const container = this.#at(path);
    for (let i = 0, opened = 0; container && i < container.contents.count && opened < most; i++) {
      this.open([...path, i]);
      if (container.open.has(i)) opened++;
    }
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

  /** `count` rows from `first` on: path, label and value of each, and how many rows have the same parent. */
  rows(first, count) {
    const found = [];
    if (first === 0 && count > 0)
      found.push({ path: [], label: "root", name: "", siblings: 1, value: this.root, open: this.top !== undefined });
    if (!this.top) return found;
    let skip = Math.max(0, first - 1);
    const stack = [{ container: this.top, ordinal: 0, next: 0 }];
    const path = [];
    while (found.length < count) {
      const frame = stack.at(-1);
      const { container } = frame;
      if (skip > 0) this.#skip(frame, skip, (left) => (skip = left));
      if (frame.ordinal >= container.contents.count) {
        stack.pop();
        path.pop();
        if (stack.length === 0) break;
        continue;
      }
      const ordinal = frame.ordinal++;
      const child = container.open.get(ordinal);
      path.push(ordinal);
      if (skip > 0) skip--;
      else
        found.push({
          path: path.slice(),
          label: container.contents.label,
          name: container.contents.name(ordinal),
          siblings: container.contents.count,
          value: container.contents.value(ordinal),
          open: child !== undefined,
        });
      if (child) {
        frame.next++;
        stack.push({ container: child, ordinal: 0, next: 0 });
      } else path.pop();
    }
    return found;
  }

  /** Passes whole children as long as they lie before the wanted row. */
  #skip(frame, skip, left) {
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
    left(skip);
  }
}
