// What differs from another save: a list that leads to each place.
import { byId, countText, h, icon, oneLine, replaceContent, setText } from "./elements.js";
import { withPaths } from "./paths.js";
import { typeText } from "./row.js";
import { VirtualList } from "./virtual-list.js";

const SIGNS = { changed: "~", added: "+", removed: "−" };

/** What a change made of a value, or what it was: with its type where that has changed, for `5` may be a real and an int64. */
function sideText({ type, text }, other) {
  const name = typeText({ type });
  return oneLine(other && other.type !== type && name !== text ? `${name} ${text}` : text);
}

/** `2 changed`, `1 removed`. */
function countsOf({ counts }) {
  return Object.keys(SIGNS)
    .filter((kind) => counts[kind] > 0)
    .map((kind) => ({ kind, text: `${counts[kind].toLocaleString("en-US")} ${kind}` }));
}

const SAME = "No value differs.";

/** For those who are read to. */
function resultText(result) {
  return (
    countsOf(result)
      .map(({ text }) => text)
      .join(", ") || SAME
  );
}

export class Changes {
  #result;
  #list;
  /** The number of the change that is shown. */
  #selected = -1;
  /** That change itself. */
  #shown;
  /** Where none is selected: the number of the one that comes next. */
  #behind = 0;

  /** `onGo(path)`, `onLeave()`: to the tree, `onClose()`. */
  constructor(link, { onGo, onLeave, onClose }) {
    this.link = link;
    this.onGo = onGo;
    this.onLeave = onLeave;
    this.onClose = onClose;
    this.section = byId("changes");
  }

  /** The change that is shown, for whoever is in the list; undefined where an edit has taken it away, too. */
  get selected() {
    return this.#selected < 0 ? undefined : this.#shown;
  }

  get hasFocus() {
    return this.#list !== undefined && this.#list.scroller === document.activeElement;
  }

  get isOpen() {
    return this.#result !== undefined;
  }

  show(result) {
    this.#selected = -1;
    this.#behind = 0;
    this.#shown = undefined;
    this.#build(result);
    // The same again is said again.
    byId("compared").textContent = resultText(result);
  }

  /** The same comparison after an edit: it goes on from the change that was shown. */
  async renew(result) {
    const change = this.#shown;
    const old = this.#result;
    const { index, isThere } = change ? await this.#placeOf(change) : { index: 0, isThere: false };
    // It was ended, or another one has begun.
    if (this.#result !== old) return;
    const top = this.#list?.scroller.scrollTop ?? 0;
    this.#selected = isThere ? index : -1;
    this.#behind = index;
    this.#build(result);
    setText(byId("compared"), resultText(result));
    if (!this.#list) return;
    this.#list.scrollTo(top);
    if (change) this.#list.show(Math.min(index, result.kept - 1));
  }

  #placeOf({ kind, text, path }) {
    return this.link.call("differenceFrom", { change: { kind, text, path } });
  }

  #build(result) {
    this.#result = result;
    const { name, count, kept } = result;
    const parts = [
      h(
        "div",
        { class: "heading" },
        h("h2", {}, "Changes"),
        h("button", { type: "button", class: "icon", "aria-label": "End the comparison", onclick: () => this.onClose() }, icon("close")),
      ),
      h("p", { class: "since" }, "since ", h("strong", {}, name)),
    ];
    if (count === 0) parts.push(h("p", { class: "same" }, SAME));
    else {
      const chips = countsOf(result).map(({ kind, text }) => h("span", { class: "chip", "data-kind": kind }, text));
      parts.push(h("p", { class: "chips" }, ...chips));
    }
    const scroller = h("div", { class: "list", role: "listbox", tabindex: "0", "aria-label": "Changes" });
    if (count > 0) parts.push(scroller);
    if (count > kept) {
      const more = `the first ${countText(kept, "change")} of ${count.toLocaleString("en-US")}; the tree marks what the others lie in`;
      parts.push(h("p", { class: "more" }, more));
    }
    replaceContent(this.section, ...parts);
    this.section.hidden = false;
    this.section.classList.toggle("none", count === 0);
    this.#list = undefined;
    if (count === 0) return;
    this.#list = new VirtualList(scroller, {
      rowHeight: 46,
      load: async (first, wanted) => ({ total: kept, rows: withPaths(await this.link.call("differences", { first, count: wanted })) }),
      make: () => h("div", { class: "change", role: "option" }),
      draw: (element, change, index) => this.#draw(element, change, index),
      onRender: () => this.#mark(),
    });
    void this.#list.refresh(kept);
    scroller.addEventListener("click", (event) => {
      const element = event.target.closest(".change");
      if (element) this.#go(Number(element.dataset.index));
    });
    scroller.addEventListener("keydown", (event) => this.#key(event));
  }

  #key(event) {
    const { kept } = this.#result;
    const to = (index) => this.#go(Math.max(0, Math.min(kept - 1, index)));
    const action = {
      ArrowDown: () => to(this.#from(1) + 1),
      ArrowUp: () => to(this.#from(-1) - 1),
      PageDown: () => to(this.#from(1) + this.#list.page),
      PageUp: () => to(this.#from(-1) - this.#list.page),
      Home: () => to(0),
      End: () => to(kept - 1),
      Enter: () => {
        // Who is read to has heard of this one.
        if (this.#selected < 0) void to(this.#from(1) + 1);
        this.onLeave();
      },
      Escape: () => this.onClose(),
    }[event.key];
    if (!action || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    void action();
  }

  /** Where a step in one direction begins. */
  #from(direction) {
    if (this.#selected >= 0) return this.#selected;
    return direction > 0 ? this.#behind - 1 : this.#behind;
  }

  /** To the next change, or the previous one; from the last to the first. */
  step(direction) {
    if (!this.#list) return;
    const { kept } = this.#result;
    void this.#go((this.#from(direction) + direction + kept) % kept);
  }

  focus() {
    if (this.#list) this.#list.scroller.focus({ preventScroll: true });
    else this.onLeave();
  }

  #draw(element, change, index) {
    element.dataset.index = String(index);
    element.id = `change-${index}`;
    element.setAttribute("aria-selected", String(index === this.#selected));
    element.setAttribute("aria-posinset", String(index + 1));
    element.setAttribute("aria-setsize", String(this.#result?.kept ?? 0));
    if (!change) {
      element.replaceChildren();
      return;
    }
    element.dataset.kind = change.kind;
    const { before, after } = change;
    const sides = [
      before && h("del", {}, sideText(before, after)),
      before && after && h("i", {}, " → "),
      after && h("ins", {}, sideText(after, before)),
    ];
    element.replaceChildren(
      h("b", { role: "img", "aria-label": change.kind }, SIGNS[change.kind]),
      h("code", { title: oneLine(change.text) }, oneLine(change.text)),
      h("span", {}, ...sides),
    );
  }

  async #go(index) {
    this.#selected = index;
    const row = await this.#list.rowAt(index);
    if (!row || !this.#list) return;
    if (this.#selected === index) this.#shown = row;
    this.#list.redraw();
    this.onGo(row.path);
  }

  /** Where none is selected, the active one is where a step begins. */
  #mark() {
    this.#list?.setActive(this.#selected >= 0 ? this.#selected : Math.min(this.#behind, this.#result.kept - 1));
  }

  close() {
    this.#result = this.#list = undefined;
    byId("compared").textContent = "";
    this.section.hidden = true;
    this.section.replaceChildren();
  }
}
