// A list of any length of which only the rows in sight exist. Rows come from somewhere else and later, so they are asked for in windows, one
// request at a time.
import { same } from "./paths.js";

/** Rows above and below the ones in sight. */
const OVERSCAN = 24;
/** Browsers lay out no element above some 33 million pixels; beyond this the scroll bar's steps stand for several rows each. */
const TALLEST = 12_000_000;
/** Rows that are asked for at once. A very tall window shows more. */
const MOST_ROWS = 400;

export class VirtualList {
  total = 0;
  #rows = new Map();
  #elements = new Map();
  #spare = [];
  #version = 0;
  #loading = false;
  #again = false;
  #waiting = [];
  #frame = 0;
  /** Where one has scrolled to and how tall the view is, while neither has changed: to ask for them behind a change lays the page out. */
  #view;
  /** Where the first row of all would have lain when the rows were drawn last. */
  #drawnOrigin = 0;
  /** The active row and its element. */
  #active;

  /** `load(first, count)`: `{ total, rows }`; `draw(element, row, index)`; row undefined: not there yet; `onRender()`: other rows exist. */
  constructor(scroller, { rowHeight, load, make, draw, onRender }) {
    this.scroller = scroller;
    this.rowHeight = rowHeight;
    this.load = load;
    this.make = make;
    this.draw = draw;
    this.onRender = onRender;
    this.canvas = document.createElement("div");
    this.canvas.className = "canvas";
    this.canvas.setAttribute("role", "presentation");
    scroller.append(this.canvas);
    const moved = () => {
      this.#view = undefined;
      this.#schedule();
    };
    scroller.addEventListener("scroll", moved, { passive: true });
    new ResizeObserver(moved).observe(scroller);
  }

  get #height() {
    return Math.min(this.total * this.rowHeight, TALLEST);
  }

  /** Asks for the view anew: what else stands in the window may have changed it a moment ago. */
  #look() {
    const { scrollTop, clientHeight } = this.scroller;
    this.#view = { scrollTop, clientHeight };
    return this.#view;
  }

  #known() {
    return this.#view ?? this.#look();
  }

  /** Rows that fit. */
  get page() {
    return Math.max(1, Math.floor(this.#known().clientHeight / this.rowHeight));
  }

  /** The first row in sight, with its fraction. */
  get #top() {
    const { scrollTop, clientHeight } = this.#known();
    if (!this.isScaled) return scrollTop / this.rowHeight;
    const most = this.#height - clientHeight;
    return most <= 0 ? 0 : (scrollTop / most) * (this.total - clientHeight / this.rowHeight);
  }

  /** Is the list taller than the canvas? Rows then lie about where one has scrolled to. */
  get isScaled() {
    return this.total * this.rowHeight > TALLEST;
  }

  /** Where the first row of all would lie on the canvas. */
  get #origin() {
    return this.isScaled ? this.#known().scrollTop - this.#top * this.rowHeight : 0;
  }

  /** Where a row lies on the canvas, in sight or not. */
  topOf(index, origin = this.#origin) {
    return Math.round(origin + index * this.rowHeight);
  }

  row(index) {
    return this.#rows.get(index);
  }

  /**
   * Tells assistive technology which row is the active one; one that is out of sight has no element that could be named. Another one has another
   * element: where that stays the same, nobody is told that the focus has moved.
   */
  setActive(index) {
    const before = this.#active;
    let element = this.#elements.get(index);
    let row = this.#rows.get(index);
    if (element && element === before?.element) {
      row ??= before.row;
      if (before.row && row !== before.row && !same(row.path, before.row.path)) element = this.#exchange(index);
    }
    this.#active = element && { element, row };
    if (element) this.scroller.setAttribute("aria-activedescendant", element.id);
    else this.scroller.removeAttribute("aria-activedescendant");
  }

  /** Draws a row in a new element in place of the one that it has. */
  #exchange(index) {
    const old = this.#elements.get(index);
    const element = this.make();
    element.drawn = old.drawn;
    this.draw(element, old.drawn, index);
    element.style.transform = this.#shift(index, this.#drawnOrigin);
    old.replaceWith(element);
    this.#elements.set(index, element);
    // It has the same id.
    this.scroller.removeAttribute("aria-activedescendant");
    return element;
  }

  #shift(index, origin) {
    return `translateY(${this.topOf(index, origin)}px)`;
  }

  /** Other rows altogether: none of those that are shown is there any more. */
  begin(total) {
    this.#rows.clear();
    this.#version++;
    this.#resize(0);
    this.#render();
    this.#resize(total);
    this.scrollTo(0);
    return this.#fetch();
  }

  /** Everything may have changed; what is shown stays until the new rows are there. */
  refresh(total = this.total) {
    this.#version++;
    this.#resize(total);
    return this.#fetch();
  }

  #resize(total) {
    if (total === this.total) return;
    const top = this.#top;
    const wasScaled = this.isScaled;
    this.total = total;
    this.canvas.style.height = `${this.#height}px`;
    this.#view = undefined;
    // What one has scrolled to stands for another row now.
    if (wasScaled || this.isScaled) this.#scrollToRow(top);
  }

  /** Makes a row the first in sight, as far as there are rows to fill the view. */
  #scrollToRow(wanted) {
    const { clientHeight } = this.#known();
    const fits = clientHeight / this.rowHeight;
    const row = Math.max(0, Math.min(wanted, this.total - fits));
    this.scrollTo(this.isScaled ? (row / (this.total - fits)) * (this.#height - clientHeight) : Math.round(row * this.rowHeight));
  }

  /** Draws the rows anew that are there. */
  redraw() {
    this.#render(true);
  }

  scrollTo(top) {
    this.scroller.scrollTop = top;
    // Before rows are drawn, which would have to be laid out for it.
    this.#look();
  }

  /** Brings a row into sight; `centre`: into the middle if it was not. */
  show(index, centre = false) {
    const { clientHeight } = this.#look();
    const top = this.#top;
    const fits = clientHeight / this.rowHeight;
    if (index >= top && index + 1 <= top + fits) return;
    const last = index + 1 - fits;
    // Where hardly more than one row fits, the middle is no place for its beginning.
    this.#scrollToRow(centre ? Math.max(index - fits / 2, last) : index < top ? index : last);
    this.#render();
  }

  /** The row at `index`, when it has come. */
  async rowAt(index) {
    this.show(index);
    while (!this.#rows.has(index) && index < this.total) {
      const [first, last] = this.#range(OVERSCAN);
      // Somebody has scrolled on, and only what is in sight is fetched.
      if (index < first || index >= last) return (await this.load(index, 1)).rows[0];
      await this.#fetch();
    }
    return this.#rows.get(index);
  }

  #schedule() {
    if (this.#frame) return;
    this.#frame = requestAnimationFrame(() => {
      this.#frame = 0;
      this.#render();
    });
  }

  #range(overscan) {
    const top = Math.floor(this.#top);
    const first = Math.max(0, top - overscan);
    const last = Math.min(this.total, top + this.page + 2 + overscan);
    return [first, last];
  }

  #render(all = false) {
    const [first, last] = this.#range(4);
    // In their order, so that a row takes the place of one that goes out of sight where it can: nothing is styled anew that only moves.
    const gone = [...this.#elements.keys()].filter((index) => index < first || index >= last).sort((a, b) => a - b);
    const free = [];
    for (const index of gone) {
      const element = this.#elements.get(index);
      this.#elements.delete(index);
      // The active one becomes no other row's.
      if (element === this.#active?.element) element.remove();
      else free.push(element);
    }
    const origin = this.#origin;
    const hasMoved = origin !== this.#drawnOrigin;
    this.#drawnOrigin = origin;
    let missing = false;
    let previous;
    for (let index = first; index < last; index++) {
      const row = this.#rows.get(index);
      let element = this.#elements.get(index);
      const fresh = !element;
      if (!element) {
        element = free.shift() ?? this.#spare.pop() ?? this.make();
        element.drawn = undefined;
        this.#elements.set(index, element);
        // In their order, which is that in which they are read out.
        const next = previous ? previous.nextElementSibling : this.canvas.firstElementChild;
        if (next !== element) this.canvas.insertBefore(element, next);
      }
      previous = element;
      if (fresh || hasMoved) element.style.transform = this.#shift(index, origin);
      if (!row) missing = true;
      if (all || fresh || element.drawn !== row) {
        element.drawn = row;
        this.draw(element, row, index);
      }
    }
    for (const element of free) {
      element.remove();
      this.#spare.push(element);
    }
    this.onRender();
    if (missing) void this.#fetch();
  }

  /** One request at a time; whoever asks meanwhile waits for the next. */
  #fetch() {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
      if (this.#loading) this.#again = true;
      else void this.#run();
    });
  }

  async #inParts(first, count) {
    const { total, rows } = await this.load(first, Math.min(count, MOST_ROWS));
    while (rows.length < count) {
      const part = await this.load(first + rows.length, Math.min(count - rows.length, MOST_ROWS));
      // There are fewer by now.
      if (part.rows.length === 0) break;
      rows.push(...part.rows);
    }
    return { total, rows };
  }

  async #run() {
    this.#loading = true;
    do {
      this.#again = false;
      const waiting = this.#waiting.splice(0);
      const version = this.#version;
      const [first, last] = this.#range(OVERSCAN);
      try {
        const { total, rows } = await this.#inParts(first, last - first);
        if (version === this.#version) {
          if (version !== this.loaded || this.#rows.size > 4000) this.#rows.clear();
          this.loaded = version;
          if (total !== undefined && total !== this.total) this.#resize(total);
          for (let i = 0; i < rows.length; i++) this.#rows.set(first + i, rows[i]);
          this.#render();
        } else this.#again = true;
        for (const { resolve } of waiting) resolve();
      } catch (error) {
        for (const { reject } of waiting) reject(error);
      }
    } while (this.#again || this.#waiting.length > 0);
    this.#loading = false;
  }
}
