// The search: asks while one types, walks through what was found.
import { byId } from "./elements.js";

const PAUSE = 160;

export class SearchBar {
  #timer = 0;
  #state;
  /** Which of the found places is selected. */
  #at = -1;
  #jumped = false;

  constructor(link, tree) {
    this.link = link;
    this.tree = tree;
    this.field = byId("query");
    this.where = byId("search-in");
    this.hits = byId("hits");
    this.field.addEventListener("input", () => {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.#begin(), PAUSE);
    });
    this.where.addEventListener("change", () => this.#begin());
    this.field.addEventListener("keydown", (event) => {
      if (event.key === "Enter") {
        event.preventDefault();
        void this.step(event.shiftKey ? -1 : 1);
      } else if (event.key === "Escape") {
        event.stopPropagation();
        this.clear();
        tree.element.focus();
      } else if (event.key === "ArrowDown") {
        event.preventDefault();
        tree.element.focus();
      }
    });
    byId("do-previous").addEventListener("click", () => this.step(-1));
    byId("do-next").addEventListener("click", () => this.step(1));
  }

  focus() {
    this.field.focus();
    this.field.select();
  }

  enable(on) {
    this.field.disabled = this.where.disabled = !on;
    this.clear();
  }

  clear() {
    clearTimeout(this.#timer);
    this.field.value = "";
    if (this.#state) void this.link.call("search", { query: "" });
    this.#show(undefined);
    this.tree.search("", "both");
  }

  #show(state) {
    this.#state = state;
    const count = state?.count ?? 0;
    const shown = count.toLocaleString("en-US");
    this.hits.textContent = !state
      ? ""
      : count === 0
        ? state.done
          ? "none"
          : "…"
        : this.#at >= 0
          ? `${(this.#at + 1).toLocaleString("en-US")} of ${shown}`
          : shown;
    byId("do-next").disabled = byId("do-previous").disabled = count === 0;
    const bar = byId("search-progress");
    bar.hidden = !state || state.done;
    bar.style.setProperty("--progress", String(state?.progress ?? 0));
  }

  async #begin() {
    clearTimeout(this.#timer);
    const query = this.field.value;
    this.#at = -1;
    this.#jumped = false;
    this.tree.search(query, this.where.value);
    if (query === "") {
      this.clear();
      return;
    }
    this.#show({ query, count: 0, kept: 0, progress: 0, done: false });
    await this.#ask();
  }

  /** Values have changed: what is found now, without going anywhere. */
  again() {
    if (this.#state?.query !== undefined && this.#state.query === this.field.value) void this.#ask();
  }

  async #ask() {
    const query = this.field.value;
    const where = this.where.value;
    const options = { names: where !== "values", values: where !== "names" };
    const state = await this.link.call("search", { query, options });
    if (state) this.onProgress(state);
  }

  /** The worker tells how far it is. */
  onProgress(state) {
    if (!this.#state || state.query !== this.field.value) return;
    if (this.#at >= state.kept && state.done) this.#at = state.kept - 1;
    this.#show(state);
    if (!this.#jumped && state.kept > 0) {
      this.#jumped = true;
      void this.#goFrom(this.tree.selected);
    }
  }

  /** To the first place at or behind `path`. */
  async #goFrom(path) {
    const index = await this.link.call("foundFrom", { path });
    // Escape was faster.
    if (this.#state) await this.#go(index < this.#state.kept ? index : 0);
  }

  async #go(index) {
    // Set before anything is waited for: the next step begins from here.
    this.#at = index;
    this.#show(this.#state);
    const { path } = await this.link.call("found", { index });
    if (path && this.#at === index) await this.tree.go(path);
  }

  async step(direction) {
    if (this.#timer && this.field.value !== (this.#state?.query ?? "")) {
      await this.#begin();
      return;
    }
    const { kept } = this.#state ?? { kept: 0 };
    if (kept === 0) return;
    await this.#go((this.#at + direction + kept) % kept);
  }
}
