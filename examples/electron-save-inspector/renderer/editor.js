// Editing a value in its row. Enter keeps, and so does whoever goes elsewhere; Escape leaves. What the type cannot hold stays in the field with
// a word about it.
import { MEANINGS } from "./details.js";
import { h, nameText } from "./elements.js";
import { fieldText, withLineEnds } from "./line-ends.js";
import { ROW_HEIGHT } from "./tree-view.js";

/** What a field takes, where more is to be said than what its type holds. */
const HINTS = {
  number: "a number: 12, -0.5, 1e6, NaN",
  float: "a number: 12, -0.5, 1e6, nan",
  int: "a whole number of 64 bits",
  string: "text; Shift+Enter for a new line",
  enum: "the name of a member, or # and a number",
  asset: "the name of an asset, or noone",
};

const TALLEST = 240;
/** Between the editor and the edge of the tree. */
const MARGIN = 6;

function valueName({ label, name }) {
  return label === "root" ? "the value" : nameText(name);
}

/** Chromium lays a field with `dir="auto"` out by the square of its length: for a text of 1 MB that is 12 s, and as much for each key. */
const LONGEST_AUTO = 4000;
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** The `dir` of a field: a short text goes by its paragraphs, a long one by its first letter. */
function directionOf(text) {
  if (text.length <= LONGEST_AUTO) return "auto";
  return RIGHT_TO_LEFT.test(/\p{L}/u.exec(text)?.[0] ?? "") ? "rtl" : "ltr";
}

export class Editor {
  /** What is being edited: `{ row, index, field, box, hint, before, keeping }`. */
  #open;
  /** Edits that are on their way to the worker. */
  #sent = 0;
  #wasChanged = false;

  /**
   * `commit(path, text)` resolves with undefined, or with what is wrong; without `text` it is what a bool is not; `onGivenUp(reason)`: an edit was
   * left that could not be kept; `onChanged()`: {@link isChanged} is another now.
   */
  constructor(tree, { commit, onGivenUp, onChanged }) {
    this.tree = tree;
    this.commit = commit;
    this.onGivenUp = onGivenUp;
    this.onChanged = onChanged;
    // Rows of a scaled list move on the canvas, and all rows below an editor that stands in the window.
    tree.element.addEventListener("scroll", () => {
      if (this.#open && (tree.list.isScaled || this.#isOfWindow)) this.#place();
    });
    new ResizeObserver(() => {
      if (this.#open) this.#place();
    }).observe(tree.element);
  }

  /** Has something been typed that the save does not hold yet? */
  get isChanged() {
    return this.#sent > 0 || this.isTyped;
  }

  get isOpen() {
    return this.#open !== undefined;
  }

  /** Has something been typed in the field that is open? */
  get isTyped() {
    const edit = this.#open;
    return edit !== undefined && edit.field.value !== fieldText(edit.before);
  }

  /** Is what was typed on its way to the worker, and still shown? */
  get isKeeping() {
    return this.#open?.keeping !== undefined;
  }

  #tell() {
    const { isChanged } = this;
    if (isChanged === this.#wasChanged) return;
    this.#wasChanged = isChanged;
    this.onChanged();
  }

  open(row, index, text) {
    // One that has lost the focus with the window, or behind an error, is still open.
    void this.leave();
    this.close();
    this.tree.list.show(index);
    const multiline = row.type === "string" || row.type === "text";
    const field = h("textarea", {
      rows: "1",
      spellcheck: "false",
      dir: directionOf(text),
      "aria-label": `${valueName(row)}, ${row.type}`,
      "aria-describedby": "editor-hint",
      autocomplete: "off",
    });
    field.value = text;
    const hint = h(
      "span",
      { id: "editor-hint", class: "hint", role: "status" },
      HINTS[row.type] ?? MEANINGS[row.type] ?? `a value of type ${row.type}`,
    );
    const box = h("div", { class: "editor" }, field, hint);
    this.tree.list.canvas.append(box);
    field.addEventListener("input", () => {
      if (!multiline && field.value.includes("\n")) field.value = field.value.replaceAll("\n", "");
      box.classList.remove("wrong");
      field.removeAttribute("aria-invalid");
      field.dir = directionOf(field.value);
      this.#place();
      this.#tell();
    });
    field.addEventListener("keydown", (event) => {
      // Shortcuts of the window go on; other keys are the field's.
      if (!event.ctrlKey && !event.metaKey && !/^F\d/.test(event.key)) event.stopPropagation();
      // Keys of an input method choose among its characters.
      if (event.isComposing) return;
      if (event.key === "Escape") this.close();
      else if (event.key === "Enter" && !(event.shiftKey && multiline)) {
        event.preventDefault();
        void this.keep();
      }
    });
    field.addEventListener("blur", () => {
      // Who goes to another window comes back.
      if (this.#open?.box === box && document.hasFocus()) void this.leave();
    });
    this.#open = { row, index, field, box, hint, before: text, keeping: undefined };
    this.#place();
    field.focus({ preventScroll: true });
    field.select();
  }

  /** In a low window the tree has too few lines for a hint: the editor has the room of the window. The style says which one is low. */
  get #isOfWindow() {
    return getComputedStyle(this.#open.box).position === "fixed";
  }

  /** Where its row lies, and where the room for it begins, and how tall that is: on the canvas, or in the window. */
  #room(index) {
    const top = this.tree.list.topOf(index);
    const { scrollTop, clientHeight } = this.tree.element;
    if (!this.#isOfWindow) return { top, start: scrollTop, height: clientHeight };
    // A row that is scrolled out of sight leaves it at the edge.
    const edge = this.tree.element.getBoundingClientRect().top;
    const inSight = Math.max(0, Math.min(top - scrollTop, clientHeight - ROW_HEIGHT));
    return { top: edge + inSight, start: 0, height: innerHeight };
  }

  /** As tall as its text, over its row; further up where the room ends below. */
  #place() {
    const { index, field, box, hint } = this.#open;
    const { top, start, height } = this.#room(index);
    const most = height - hint.offsetHeight - 2 * MARGIN;
    field.style.height = "0";
    field.style.height = `${Math.max(ROW_HEIGHT, Math.min(field.scrollHeight + 2, TALLEST, most))}px`;
    const lowest = start + height - box.offsetHeight - MARGIN;
    // Where there is no room for both, what is wrong is in sight rather than the field, which is again when one types on.
    const highest = box.classList.contains("wrong") ? start - field.offsetHeight : start + MARGIN;
    box.style.top = `${Math.min(top, Math.max(highest, lowest))}px`;
  }

  /** Keeps what has been typed; true when nothing is left open. */
  async keep() {
    const edit = this.#open;
    if (!edit) return true;
    edit.field.readOnly = true;
    edit.keeping ??= this.#commit(edit);
    const wrong = await edit.keeping;
    edit.keeping = undefined;
    edit.field.readOnly = false;
    if (this.#open !== edit) {
      this.#giveUp(edit, wrong);
      return true;
    }
    if (wrong === undefined) {
      this.close();
      return true;
    }
    edit.box.classList.add("wrong");
    edit.field.setAttribute("aria-invalid", "true");
    edit.hint.textContent = wrong;
    this.#place();
    edit.field.focus({ preventScroll: true });
    return false;
  }

  /** Resolves with what is wrong. What nobody has typed in is not an edit. */
  async #commit({ row, field, before }) {
    return field.value === fieldText(before) ? undefined : this.#send(row, withLineEnds(field.value, before));
  }

  /** From here on until it has arrived it is a change that could be lost. */
  async #send(row, text) {
    this.#sent++;
    this.#tell();
    const wrong = await this.commit(row.path, text);
    this.#sent--;
    this.#tell();
    return wrong;
  }

  /** Gives the value of a row the other one of true and false. */
  async toggle(row) {
    this.#giveUp({ row }, await this.#send(row));
  }

  /** Its field is gone: what is `wrong` is told elsewhere. */
  #giveUp({ row }, wrong) {
    if (wrong !== undefined) this.onGivenUp(`${valueName(row)} is as it was: ${wrong}`);
  }

  /** Somebody goes elsewhere: what was typed is kept. */
  async leave() {
    const edit = this.#open;
    if (!edit || edit.keeping) return;
    this.#open = undefined;
    edit.box.remove();
    this.#giveUp(edit, await this.#commit(edit));
  }

  /** The focus stays where somebody has led it in the meantime. */
  close() {
    const edit = this.#open;
    const { activeElement, body } = document;
    const isFree = activeElement === body || edit?.box.contains(activeElement);
    this.#open = undefined;
    edit?.box.remove();
    this.#tell();
    if (edit && isFree) this.tree.element.focus({ preventScroll: true });
  }
}
