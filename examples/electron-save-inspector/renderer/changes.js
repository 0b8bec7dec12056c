// What differs from another save: a list that leads to each place.
import { byId, countText, h, icon } from "./elements.js";
import { VirtualList } from "./virtual-list.js";

const SIGNS = { changed: "~", added: "+", removed: "−" };

export class Changes {
  #result;
  #list;
  #selected = -1;

  /** `onGo(path)`, `onClose()`. */
  constructor(link, { onGo, onClose }) {
    this.link = link;
    this.onGo = onGo;
    this.onClose = onClose;
    this.section = byId("changes");
  }

  get isOpen() {
    return this.#result !== undefined;
  }

  show(result) {
    this.#result = result;
    this.#selected = -1;
    const { name, count, counts, kept } = result;
    const parts = [
      h(
        "h2",
        {},
        "Changes",
        h("button", { type: "button", class: "icon", "aria-label": "End the comparison", onclick: () => this.onClose() }, icon("close")),
      ),
      h("p", { class: "since" }, "since ", h("strong", {}, name)),
    ];
    if (count === 0) parts.push(h("p", { class: "same" }, "No value differs."));
    else {
      const chips = Object.keys(SIGNS)
        .filter((kind) => counts[kind] > 0)
        .map((kind) => h("span", { class: "chip", "data-kind": kind }, `${counts[kind].toLocaleString("en-US")} ${kind}`));
      parts.push(h("p", { class: "chips" }, ...chips));
    }
    const scroller = h("div", { class: "list", role: "listbox", tabindex: "0", "aria-label": "Changes" });
    if (count > 0) parts.push(scroller);
    if (count > kept) parts.push(h("p", { class: "more" }, `the first ${countText(kept, "change")} of ${count.toLocaleString("en-US")}`));
    this.section.replaceChildren(...parts);
    this.section.hidden = false;
    if (count === 0) return;
    this.#list = new VirtualList(scroller, {
      rowHeight: 46,
      load: async (first, wanted) => ({ total: kept, rows: await this.link.call("differences", { first, count: wanted }) }),
      make: () => h("div", { class: "change", role: "option" }),
      draw: (element, change, index) => this.#draw(element, change, index),
    });
    void this.#list.refresh(kept);
    scroller.addEventListener("click", (event) => {
      const element = event.target.closest(".change");
      if (element) this.#go(Number(element.dataset.index));
    });
    scroller.addEventListener("keydown", (event) => {
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      if (step === undefined) return;
      event.preventDefault();
      this.#go(Math.max(0, Math.min(kept - 1, this.#selected + step)));
    });
  }

  #draw(element, change, index) {
    element.dataset.index = String(index);
    element.setAttribute("aria-selected", String(index === this.#selected));
    if (!change) {
      element.replaceChildren();
      return;
    }
    element.dataset.kind = change.kind;
    const { before, after } = change;
    const sides = [before && h("del", {}, before.text), before && after && h("i", {}, " → "), after && h("ins", {}, after.text)];
    element.replaceChildren(
      h("b", { "aria-label": change.kind }, SIGNS[change.kind]),
      h("code", { title: change.text }, change.text),
      h("span", {}, ...sides),
    );
  }

  async #go(index) {
    this.#selected = index;
    const row = await this.#list.rowAt(index);
    this.#list.redraw();
    if (row) this.onGo(row.path);
  }

  close() {
    this.#result = undefined;
    this.section.hidden = true;
    this.section.replaceChildren();
  }
}
