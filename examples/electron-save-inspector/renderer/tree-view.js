// The tree: what is selected, and how keys and clicks move about in it. Rows come from the worker.
import { countText } from "./elements.js";
import { isAt, same, withPaths } from "./paths.js";
import { drawRow, makeRow } from "./row.js";
import { VirtualList } from "./virtual-list.js";

export const ROW_HEIGHT = 26;
/** Keys that wait for the ones before them; more are dropped, so that a key that is held does not go on after it is let go. */
const MOST_KEYS = 12;
/** Letters typed within this time are one beginning of a name. */
const TYPING = 800;

export class TreeView {
  selected = [];
  /** The selected row's index. */
  index = 0;
  query = "";
  searchIn = "both";
  rootName = "";
  #typed = "";
  #typedAt = Number.NEGATIVE_INFINITY;
  #journey = 0;
  #keys = Promise.resolve();
  #waitingKeys = 0;

  /** `onSelect(path)`, `onEdit(row, index)`, `onToggle(row)` are called for the selected row, `onRefused(reason)` where something is not done. */
  constructor(element, link, { onSelect, onEdit, onToggle, onRefused }) {
    this.element = element;
    this.link = link;
    this.onSelect = onSelect;
    this.onEdit = onEdit;
    this.onToggle = onToggle;
    this.onRefused = onRefused;
    this.list = new VirtualList(element, {
      rowHeight: ROW_HEIGHT,
      load: async (first, count) => {
        const { total, rows } = await link.call("rows", { first, count });
        return { total, rows: withPaths(rows) };
      },
      make: makeRow,
      draw: (row, data, index) => drawRow(row, data, index, this),
      onRender: () => this.#mark(),
    });
    // The head of the columns has no scroll bar.
    const align = () => element.parentElement.style.setProperty("--gutter", `${element.offsetWidth - element.clientWidth}px`);
    new ResizeObserver(align).observe(this.list.canvas);
    element.addEventListener("keydown", (event) => this.#key(event));
    element.addEventListener("click", (event) => this.#click(event));
    element.addEventListener("dblclick", (event) => this.#doubleClick(event));
  }

  isSelected(path) {
    return same(path, this.selected);
  }

  isSelectedRow(row) {
    return isAt(row, this.selected);
  }

  searches(what) {
    return this.query !== "" && (this.searchIn === "both" || this.searchIn === what);
  }

  /** Shows a save that has just been opened. */
  async begin(name, total) {
    this.rootName = name;
    this.selected = [];
    this.index = 0;
    this.query = "";
    // Whoever is on the way somewhere has come too late.
    this.#journey++;
    await this.list.begin(total);
    this.#mark();
    this.onSelect(this.selected);
  }

  search(query, searchIn) {
    this.query = query.toLowerCase();
    this.searchIn = searchIn;
    this.list.redraw();
  }

  /** Selects the value at `path`, opening what lies above it. */
  async go(path) {
    const journey = ++this.#journey;
    const { row, total } = await this.link.call("reveal", { path });
    if (total !== this.list.total) await this.list.refresh(total);
    // Somebody wants to go elsewhere by now; where they are there already, their row may have moved meanwhile.
    if (journey !== this.#journey) {
      if (this.list.row(this.index)) await this.#follow();
      return;
    }
    this.list.show(row, true);
    this.#take(row, path);
  }

  async #select(index) {
    this.#journey++;
    this.index = index;
    const wanted = (await this.list.rowAt(index))?.path;
    // Whoever was faster has it.
    if (wanted && this.index === index) this.#take(index, wanted);
  }

  /** Selects the row of `path`, which is in sight. */
  #take(index, path) {
    this.#journey++;
    this.index = index;
    this.selected = path;
    this.list.redraw();
    this.#mark();
    this.onSelect(path);
  }

  #mark() {
    this.list?.setActive(this.index);
  }

  /** The selected row, brought into sight, and where it is. */
  async current() {
    const { index } = this;
    return { row: await this.list.rowAt(index), index };
  }

  async toggle(index, open) {
    const row = await this.list.rowAt(index);
    if (!row || row.count === undefined || row.count === 0 || row.open === (open ?? !row.open)) return;
    const { total } = await this.link.call("setOpen", { path: row.path, open: !row.open });
    // What was selected inside of a container that closes has no row any more.
    const inside = row.open && this.selected.length > row.path.length && same(this.selected.slice(0, row.path.length), row.path);
    await this.list.refresh(total);
    if (inside) {
      this.list.show(index);
      this.#take(index, row.path);
    } else await this.#follow();
    this.onSelect(this.selected);
  }

  /** Finds the selected row again after rows have come or gone above it. */
  async #follow() {
    const journey = this.#journey;
    const { row } = await this.link.call("reveal", { path: this.selected });
    // Another one is selected by now.
    if (journey !== this.#journey) return;
    this.index = row;
    this.#mark();
    this.list.redraw();
  }

  /** Values have changed. */
  async refresh() {
    await this.list.refresh();
    this.list.redraw();
  }

  #indexOf(event) {
    const element = event.target.closest?.(".row");
    return element ? Number(element.id.slice(4)) : undefined;
  }

  #click(event) {
    const index = this.#indexOf(event);
    if (index === undefined) return;
    void this.#select(index);
    if (event.target.closest(".twisty")) void this.toggle(index);
    else if (event.target.closest(".pen")) void this.#edit(index);
  }

  #doubleClick(event) {
    const index = this.#indexOf(event);
    if (index === undefined || event.target.closest(".twisty")) return;
    if (this.list.row(index)?.count === undefined) void this.#edit(index);
    else void this.toggle(index);
  }

  async #edit(index) {
    const row = await this.list.rowAt(index);
    if (row?.refusal) this.onRefused(row.refusal);
    else if (row && row.count === undefined) await this.onEdit(row, index);
  }

  #key(event) {
    // The editor lies inside of the tree.
    if (event.target !== this.element) return;
    // Characters by AltGr, which Windows takes for Ctrl and Alt, are typed as others are.
    const isTyped = event.key.length === 1 && event.getModifierState("AltGraph");
    if (!isTyped && (event.ctrlKey || event.metaKey || event.altKey)) return;
    const action = this.#actions[event.key];
    if (action) {
      event.preventDefault();
      this.#afterOthers(() => {
        // Behind it another name begins; a space may belong to one.
        if (event.key !== " ") this.#typedAt = Number.NEGATIVE_INFINITY;
        return action();
      });
    } else if (event.key.length === 1 && event.key !== " ") {
      event.preventDefault();
      this.#afterOthers(() => this.#type(event.key));
    }
  }

  /** Each key acts on what the one before it has led to; those behind one that has led out of the tree are nobody's. */
  #afterOthers(action) {
    if (this.#waitingKeys >= MOST_KEYS) return;
    this.#waitingKeys++;
    this.#keys = this.#keys
      .then(() => (document.activeElement === this.element ? action() : undefined))
      // One that fails does not end those behind it.
      .catch(reportError)
      .finally(() => this.#waitingKeys--);
  }

  #move(index) {
    const wanted = Math.max(0, Math.min(this.list.total - 1, index));
    return wanted === this.index ? undefined : this.#select(wanted);
  }

  #actions = {
    ArrowDown: () => this.#move(this.index + 1),
    ArrowUp: () => this.#move(this.index - 1),
    PageDown: () => this.#move(this.index + this.list.page),
    PageUp: () => this.#move(this.index - this.list.page),
    Home: () => this.#move(0),
    End: () => this.#move(this.list.total - 1),
    ArrowRight: async () => {
      const { row, index } = await this.current();
      if (row?.count > 0) await (row.open ? this.#move(index + 1) : this.toggle(index, true));
    },
    ArrowLeft: async () => {
      const { row, index } = await this.current();
      if (row?.open && row.count > 0) await this.toggle(index, false);
      else if (row && row.path.length > 0) await this.go(row.path.slice(0, -1));
    },
    "*": async () => {
      this.list.show(this.index);
      const { total, only } = await this.link.call("openChildren", { path: this.selected });
      if (only !== undefined) this.onRefused(`only the first ${countText(only, "container")} in it are opened`);
      await this.list.refresh(total);
      this.onSelect(this.selected);
    },
    Enter: () => this.#enter(),
    F2: () => this.#enter(),
    " ": async () => {
      // Inside of a name.
      if (performance.now() - this.#typedAt < TYPING) return this.#type(" ");
      const { row, index } = await this.current();
      if (row?.count !== undefined) return this.toggle(index);
      // Keys behind it do not wait until it is done.
      if (row?.type === "bool" && !row.refusal) this.onToggle(row);
      return undefined;
    },
  };

  async #enter() {
    const { row, index } = await this.current();
    if (row) await (row.count !== undefined ? this.toggle(index) : this.#edit(index));
  }

  async #type(letter) {
    const now = performance.now();
    this.#typed = now - this.#typedAt < TYPING ? this.#typed + letter : letter;
    this.#typedAt = now;
    const typed = this.#typed;
    const find = (prefix) => this.link.call("typeAhead", { path: this.selected, prefix });
    // One letter again and again goes from name to name, unless there are names that begin so.
    const isRepeated = typed.length > 1 && typed === letter.repeat(typed.length);
    const found = (await find(typed)) ?? (isRepeated ? await find(letter) : undefined);
    if (found) await this.go(found.path);
  }
}
