// One row of the tree: guides, twisty, name, value, type. Elements are made once and filled again for other rows.
import { countText, h, icon, isBlank, nameText, oneLine, setAttribute, setText } from "./elements.js";

/** Type names as people of GameMaker say them. */
const TYPE_NAMES = { number: "real", bool: "bool", int64: "int64", undefined: "undefined" };

export function typeText({ type, title, count }) {
  return count === undefined ? (TYPE_NAMES[type] ?? type) : (title ?? type);
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

/** Attributes of a row that is there. */
const OF_ROWS = ["data-kind", "data-mark", "data-label", "aria-level", "aria-posinset", "aria-setsize", "aria-selected", "aria-expanded"];

/** What the colours at the edges say. */
const MARKS = { changed: "changed", added: "added", inside: "with changes inside" };

/** A string stands in quotes, and what JSON escapes is escaped. */
const isQuoted = ({ type, text }) => KINDS[type] === "text" && text.startsWith('"');

/** What `query` looks like inside of quotes. */
const escaped = (query) => oneLine(JSON.stringify(query).slice(1, -1));

/** Characters between quotes, those that are escaped as a whole. */
const CHARACTERS = /\\u(?:[\da-f]{4}|\{[\da-f]+\})|\\.|./gsu;

/** Finds `query` in what is drawn, where a space has found line breaks, too. */
function patternOf(query) {
  return new RegExp(query.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&").replaceAll(" ", String.raw`(?: |\\r\\n|\\n|\\r(?!\\n))`), "g");
}

/** Where `query` begins and ends in `text`; undefined: nowhere. */
function placeOf(query, text, quoted) {
  const lower = text.toLowerCase();
  const pattern = patternOf(query);
  let found = pattern.exec(lower);
  if (quoted && found && lower.includes("\\")) {
    const starts = new Set(Array.from(lower.matchAll(CHARACTERS), ({ index }) => index));
    while (found && !starts.has(found.index)) {
      pattern.lastIndex = found.index + 1;
      found = pattern.exec(lower);
    }
  }
  if (!found) return undefined;
  const at = found.index;
  const end = at + found[0].length;
  if (lower.length === text.length) return [at, end];
  // A character may have a longer lower case (U+0130), and is marked as a whole.
  let first = 0;
  let last = 0;
  let passed = 0;
  for (const character of text) {
    if (passed >= end) break;
    last += character.length;
    passed += character.toLowerCase().length;
    if (passed <= at) first = last;
  }
  return [first, last];
}

/** Text with the searched part marked. */
function fill(element, text, query, quoted = false) {
  const place = query ? placeOf(quoted ? escaped(query) : oneLine(query), text, quoted) : undefined;
  if (!place) {
    setText(element, text);
    return;
  }
  // The mark stays when a row is drawn anew: no second click comes to one that is gone.
  if (element.childElementCount === 0) element.replaceChildren("", h("mark"), "");
  const [before, mark, after] = element.childNodes;
  const [first, last] = place;
  const parts = [text.slice(0, first), text.slice(first, last), text.slice(last)];
  if (before.data !== parts[0]) before.data = parts[0];
  setText(mark, parts[1]);
  if (after.data !== parts[2]) after.data = parts[2];
}

/** `state`: what is selected and searched. */
export function drawRow(element, row, index, state) {
  const { parts } = element;
  setAttribute(element, "id", `row-${index}`);
  if (!row) {
    setAttribute(element, "class", "row pending");
    // Nothing of the row that it was is said of this one.
    for (const name of OF_ROWS) element.removeAttribute(name);
    for (const part of [parts.name, parts.value, parts.preview, parts.type, parts.marks, parts.level]) setText(part, "");
    element.style.removeProperty("--depth");
    parts.type.removeAttribute("title");
    parts.twisty.classList.add("leaf");
    return;
  }
  const { depth, isEdited } = row;
  const isContainer = row.count !== undefined;
  const isSelected = state.isSelectedRow(row);
  const classes = [
    "row",
    isSelected && "selected",
    isEdited && "edited",
    isContainer ? "container" : row.refusal === undefined && "editable",
  ];
  setAttribute(element, "class", classes.filter(Boolean).join(" "));
  setAttribute(element, "data-kind", isContainer ? "container" : (KINDS[row.type] ?? "number"));
  setAttribute(element, "data-mark", row.mark ?? "");
  setAttribute(element, "data-label", row.label);
  const level = String(depth + 1);
  if (parts.level.textContent !== level) {
    element.style.setProperty("--depth", String(depth));
    element.setAttribute("aria-level", level);
    parts.level.textContent = level;
  }
  setAttribute(element, "aria-posinset", String((row.rest.at(-1) ?? 0) + 1));
  setAttribute(element, "aria-setsize", String(row.siblings));
  setAttribute(element, "aria-selected", String(isSelected));
  if (isContainer && row.count > 0) setAttribute(element, "aria-expanded", String(row.open));
  else element.removeAttribute("aria-expanded");
  parts.twisty.classList.toggle("leaf", !(isContainer && row.count > 0));
  const name = row.label === "root" ? state.rootName : row.name;
  // The root's name is the file's, which is no part of the save.
  const isNamed = row.label !== "index" && row.label !== "root";
  fill(parts.name, nameText(name), isNamed && state.searches("names") ? state.query : "");
  parts.name.classList.toggle("blank", isBlank(name));
  const text = oneLine(row.circular ? `${row.text} · in a circle` : row.text);
  // Of a container only an id is found, not how many it holds.
  const isFound = !isContainer || row.id?.includes(state.query);
  fill(parts.value, text, isFound && state.searches("values") ? state.query : "", isQuoted(row));
  setText(parts.marks, [isEdited && "edited", MARKS[row.mark]].filter(Boolean).join(", "));
  setText(parts.preview, oneLine(row.preview ?? ""));
  fill(parts.type, oneLine(typeText(row)), row.title && state.searches("names") ? state.query : "");
  setAttribute(parts.type, "title", isContainer ? `${row.type}, ${countText(row.count, "child").replace("childs", "children")}` : "");
  parts.type.classList.toggle("titled", row.title !== undefined);
}
