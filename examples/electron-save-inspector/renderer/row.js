// One row of the tree: guides, twisty, name, value, type. Elements are made once and filled again for other rows.
import { countText, h, icon, isBlank, nameText, oneLine } from "./elements.js";

/** Type names as people of GameMaker say them. */
const TYPE_NAMES = { number: "real", bool: "bool", int64: "int64", undefined: "undefined" };

export function typeText({ type, title, count }) {
  if (count === undefined) return TYPE_NAMES[type] ?? type;
  return title === undefined ? type : type === "struct" ? title : `${title}`;
}

/** Colours; everything else is a number. */
const KINDS = { string: "text", text: "text", enum: "text", asset: "text", bool: "bool", undefined: "nothing", bytes: "bytes" };

export function makeRow() {
  const parts = {
    twisty: h("span", { class: "twisty", "data-part": "twisty" }, icon("twisty")),
    name: h("span", { class: "name" }),
    value: h("span", { class: "value", "data-part": "value" }),
    preview: h("span", { class: "preview" }),
    pen: h("span", { class: "pen" }, icon("edit")),
    type: h("span", { class: "type" }),
    marks: h("span", { class: "spoken" }),
    level: h("span", { class: "level", "aria-hidden": "true" }),
  };
  const row = h(
    "div",
    { class: "row", role: "treeitem" },
    h("span", { class: "cell names" }, parts.level, parts.twisty, parts.name),
    h("span", { class: "cell values" }, parts.value, parts.preview, parts.pen),
    h("span", { class: "cell" }, parts.type, parts.marks),
  );
  row.parts = parts;
  return row;
}

/** What the colours at the edges say. */
const MARKS = { changed: "changed", added: "added", inside: "with changes inside" };

/** Text with the searched part marked. */
function fill(element, text, query) {
  const at = query ? text.toLowerCase().indexOf(query) : -1;
  if (at < 0) {
    element.textContent = text;
    return;
  }
  element.replaceChildren(text.slice(0, at), h("mark", {}, text.slice(at, at + query.length)), text.slice(at + query.length));
}

/** `state`: what is selected, edited and searched. */
export function drawRow(element, row, index, state) {
  const { parts } = element;
  element.id = `row-${index}`;
  if (!row) {
    element.className = "row pending";
    for (const part of [parts.name, parts.value, parts.preview, parts.type, parts.marks]) part.textContent = "";
    return;
  }
  const depth = row.path.length;
  const isContainer = row.count !== undefined;
  element.className = "row";
  element.classList.toggle("selected", state.isSelected(row.path));
  element.classList.toggle("edited", state.isEdited(row.path));
  element.classList.toggle("container", isContainer);
  element.classList.toggle("editable", !isContainer && row.refusal === undefined);
  element.dataset.kind = isContainer ? "container" : (KINDS[row.type] ?? "number");
  element.dataset.mark = row.mark ?? "";
  element.dataset.label = row.label;
  element.style.setProperty("--depth", String(depth));
  element.setAttribute("aria-level", String(depth + 1));
  parts.level.textContent = String(depth + 1);
  element.setAttribute("aria-posinset", String((row.path.at(-1) ?? 0) + 1));
  element.setAttribute("aria-setsize", String(row.siblings));
  element.setAttribute("aria-selected", String(state.isSelected(row.path)));
  if (isContainer && row.count > 0) element.setAttribute("aria-expanded", String(row.open));
  else element.removeAttribute("aria-expanded");
  parts.twisty.classList.toggle("leaf", !(isContainer && row.count > 0));
  const name = row.label === "root" ? state.rootName : row.name;
  fill(parts.name, nameText(name), state.searches("names") && row.label !== "index" ? state.query : "");
  parts.name.classList.toggle("blank", isBlank(name));
  const text = oneLine(row.circular ? `${row.text} · in a circle` : row.text);
  fill(parts.value, text, !isContainer && state.searches("values") ? state.query : "");
  parts.marks.textContent = [state.isEdited(row.path) && "edited", MARKS[row.mark]].filter(Boolean).join(", ");
  parts.preview.textContent = oneLine(row.preview ?? "");
  fill(parts.type, oneLine(typeText(row)), row.title && state.searches("names") ? state.query : "");
  parts.type.title = isContainer ? `${row.type}, ${countText(row.count, "child").replace("childs", "children")}` : "";
  parts.type.classList.toggle("titled", row.title !== undefined);
}
