// The search: asks while one types, walks through what was found.
import { byId, enable, setProgress } from "./elements.js";

const PAUSE = 160;

export class SearchBar {
  #timer = 0;
  #state;
  /** Which of the found places was gone to last. */
  #at = -1;
  /** Its path. */
  #path;
  /** An edit has taken it away: the place with its number is the one behind it. */
  #isGone = false;
  /** The end of a search after an edit. */
  #renewal;
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
      // Keys of an input method choose among its characters.
      if (event.isComposing) return;
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
          ? `${Math.min(this.#at + 1, count).toLocaleString("en-US")} of ${shown}`
          : shown;
    for (const id of ["do-next", "do-previous"]) {
      const button = byId(id);
      // Whoever is on one stays there until it is known that nothing is found any more.
      const isAwaited = state?.done === false && button === document.activeElement;
      enable(button, count > 0 || isAwaited, () => this.field.focus());
    }
    const bar = byId("search-progress");
    bar.hidden = !state || state.done;
    setProgress(bar, state?.progress ?? 0);
  }

  async #begin() {
    clearTimeout(this.#timer);
    const query = this.field.value;
    this.#at = -1;
    this.#path = undefined;
    this.#isGone = this.#jumped = false;
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
    if (this.#state?.query === undefined || this.#state.query !== this.field.value) return;
    // Nobody waits any more for a first place.
    if (this.#state.done) this.#jumped = true;
    const renewal = this.#renew().finally(() => {
      if (this.#renewal === renewal) this.#renewal = undefined;
    });
    this.#renewal = renewal;
  }

  /** The places have other numbers now. */
  async #renew() {
    if (!(await this.#ask()) || !this.#path) return;
    const path = this.#path;
    const index = await this.link.call("foundFrom", { path });
    const found = await this.link.call("found", { index });
    if (!this.#state || this.#path !== path) return;
    this.#at = index;
    this.#isGone = String(found.path) !== String(path);
    this.#show(this.#state);
  }

  /** True when the search has come to its end, and is not wanted for something else. */
  async #ask() {
    const state = await this.link.call("search", { query: this.field.value, options: this.#options });
    if (state) this.onProgress(state);
    return state !== undefined && this.#state === state;
  }

  get #options() {
    const where = this.where.value;
    return { names: where !== "values", values: where !== "names" };
  }

  /** The worker tells how far it is. */
  onProgress(state) {
    // A late word of the search before is none of this one.
    const { names, values } = this.#options;
    const isAsked = state.query === this.field.value && state.options.names === names && state.options.values === values;
    if (!this.#state || !isAsked) return;
    this.#show(state);
    if (!this.#jumped && state.kept > 0) {
      this.#jumped = true;
      void this.#goFrom(this.tree.selected);
    }
  }

  /** To the first place at or behind `path`, or to the one before it. */
  async #goFrom(path, direction = 1) {
    const index = await this.link.call("foundFrom", { path });
    // Escape was faster.
    if (!this.#state?.kept) return;
    const { kept } = this.#state;
    await this.#go((Math.min(index, kept) + (direction > 0 ? 0 : kept - 1)) % kept);
  }

  async #go(index) {
    // Set before anything is waited for: the next step begins from here.
    this.#at = index;
    this.#isGone = false;
    this.#show(this.#state);
    const { path } = await this.link.call("found", { index });
    if (!path || !this.#state || this.#at !== index) return;
    this.#path = path;
    await this.tree.go(path);
  }

  async step(direction) {
    if (this.#timer && this.field.value !== (this.#state?.query ?? "")) {
      await this.#begin();
      return;
    }
    while (this.#renewal) await this.#renewal;
    const { kept } = this.#state ?? { kept: 0 };
    if (kept === 0) return;
    // What an edit has made the first ones: nothing was gone to.
    if (this.#at < 0) {
      await this.#goFrom(this.tree.selected, direction);
      return;
    }
    const from = this.#isGone && direction > 0 ? this.#at - 1 : this.#at;
    await this.#go((from + direction + kept) % kept);
  }
}
