// Editing a value in its row. Enter keeps, Escape leaves; what the type cannot hold stays in the field with a word about it.
import { h } from "./elements.js";
import { ROW_HEIGHT } from "./tree-view.js";

const HINTS = {
  number: "a number: 12, -0.5, 1e6, NaN",
  int64: "a whole number of 64 bits",
  bool: "true or false",
  string: "text; Shift+Enter for a new line",
};

export class Editor {
  #open;

  /** `commit(path, text)` resolves with undefined, or with what is wrong. */
  constructor(tree, commit) {
    this.tree = tree;
    this.commit = commit;
  }

  get isOpen() {
    return this.#open !== undefined;
  }

  open(row, index, text) {
    this.close();
    const multiline = row.type === "string" || row.type === "text";
    const field = h("textarea", {
      rows: "1",
      spellcheck: "false",
      "aria-label": `${row.name || "value"}, ${row.type}`,
      autocomplete: "off",
    });
    field.value = text;
    const hint = h("span", { class: "hint" }, HINTS[row.type] ?? `a value of type ${row.type}`);
    const box = h("div", { class: "editor" }, field, hint);
    box.style.top = `${this.#top(index)}px`;
    this.tree.list.canvas.append(box);
    const grow = () => {
      field.style.height = "0";
      field.style.height = `${Math.min(field.scrollHeight + 2, 240)}px`;
    };
    field.addEventListener("input", () => {
      if (!multiline && field.value.includes("\n")) field.value = field.value.replaceAll("\n", "");
      box.classList.remove("wrong");
      grow();
    });
    field.addEventListener("keydown", (event) => {
      event.stopPropagation();
      if (event.key === "Escape") this.close();
      else if (event.key === "Enter" && !(event.shiftKey && multiline)) {
        event.preventDefault();
        void this.#keep(row, field, box, hint);
      }
    });
    field.addEventListener("blur", () => {
      if (this.#open === box && !box.classList.contains("busy")) this.close(false);
    });
    this.#open = box;
    grow();
    field.focus({ preventScroll: true });
    field.select();
  }

  #top(index) {
    const element = this.tree.list.element(index);
    const found = /translateY\((-?[\d.]+)px\)/.exec(element?.style.transform ?? "");
    return found ? Number(found[1]) : index * ROW_HEIGHT;
  }

  async #keep(row, field, box, hint) {
    box.classList.add("busy");
    const wrong = await this.commit(row.path, field.value);
    box.classList.remove("busy");
    if (wrong === undefined) {
      if (this.#open === box) this.close();
      return;
    }
    box.classList.add("wrong");
    hint.textContent = wrong;
    field.focus();
  }

  close(focus = true) {
    const box = this.#open;
    this.#open = undefined;
    box?.remove();
    if (box && focus) this.tree.element.focus({ preventScroll: true });
  }
}
