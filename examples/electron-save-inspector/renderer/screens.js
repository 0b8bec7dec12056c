// What stands in place of the tree: nothing open, a file on its way, a file that is wrong.
import { byId, h, icon, isolated, sentence, setProgress, sizeText } from "./elements.js";
import { keyText } from "./shortcuts.js";

/** What is done to the save that the tree shows. */
const TOOLS = "#do-save, #do-undo, #do-redo, #do-compare, .search";

/** Where Escape leads from the error that is shown. */
let leave;

// Of the window: a click beside the card takes the focus out of it.
addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || event.isComposing || event.defaultPrevented) return;
  if (document.body.dataset.screen === "error" && !document.querySelector("dialog[open]")) leave();
});

function show(name, ...content) {
  document.body.dataset.screen = name;
  for (const tool of document.querySelectorAll(TOOLS)) tool.inert = name !== "tree";
  byId("screen").replaceChildren(...content);
}

/** The tree is shown. */
export function showTree() {
  show("tree");
}

/** `recent`: `[{ name, folder }]`. */
export function showEmpty({ recent, onOpen, onRecent, onExample }) {
  const list = recent.length
    ? h(
        "div",
        { class: "recent" },
        h("h2", {}, "Recent"),
        h(
          "ul",
          {},
          ...recent.map(({ name, folder }, i) =>
            h("li", {}, h("button", { type: "button", onclick: () => onRecent(i) }, h("strong", {}, name), h("span", {}, folder ?? ""))),
          ),
        ),
      )
    : undefined;
  const mark = h("span", { class: "emblem", "aria-hidden": "true" }, icon("emblem"));
  show(
    "empty",
    h(
      "div",
      { class: "welcome" },
      mark,
      h("h1", {}, "Open a save"),
      h(
        "p",
        {},
        "Drop a file here, or choose one. Elephant saves of any release, export strings, ds strings, ENIGMA saves, introspection text.",
      ),
      h(
        "div",
        { class: "buttons" },
        h("button", { type: "button", class: "primary", onclick: onOpen }, "Choose a file", h("kbd", {}, keyText("Ctrl+O"))),
        h("button", { type: "button", id: "do-example", onclick: onExample }, "Look at an example"),
      ),
      h("p", { class: "quiet" }, "Files stay on this computer; nothing is sent anywhere."),
      list,
    ),
  );
}

/** The first thing to do on a screen, or the screen itself. */
export function focusScreen() {
  const screen = byId("screen");
  (screen.querySelector(".primary") ?? screen).focus({ preventScroll: true });
}

/** A file on its way; appears only when that takes a moment. */
export function showLoading(name) {
  show(
    "loading",
    h(
      "div",
      { class: "card loading" },
      h("h1", {}, name),
      h("p", { id: "loading-text" }, "Opening…"),
      h("div", { class: "meter", id: "loading-meter", role: "progressbar", "aria-label": "Opening" }),
    ),
  );
  focusScreen();
}

export function showLoadingProgress({ phase, loaded, total, share }) {
  const text = byId("loading-text");
  if (!text) return;
  const meter = byId("loading-meter");
  text.textContent = phase === "reading" ? `Decoding ${sizeText(total)}` : `Loading ${sizeText(loaded)} of ${sizeText(total)}`;
  setProgress(meter, phase === "reading" ? share : total ? loaded / total : 0);
}

const hex = (number, width) => number.toString(16).padStart(width, "0");

/** The bytes around the place, the wrong one marked. */
function hexTable({ start, bytes, at }) {
  const lines = [];
  for (let row = 0; row < Math.max(bytes.length, 1); row += 16) {
    const cells = [];
    const characters = [];
    for (let i = row; i < row + 16; i++) {
      const byte = bytes[i];
      const wrong = start + i === at;
      const text = byte === undefined ? (wrong ? "--" : "  ") : hex(byte, 2);
      cells.push(wrong ? h("mark", {}, text) : text, i % 8 === 7 ? "  " : " ");
      const character = byte === undefined ? " " : byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : "·";
      characters.push(wrong ? h("mark", {}, character) : character);
    }
    lines.push(h("div", {}, h("span", { class: "place" }, hex(start + row, 8)), "  ", ...cells, " ", ...characters));
  }
  if (at >= start + bytes.length && bytes.length % 16 === 0 && bytes.length > 0)
    lines.push(h("div", {}, h("span", { class: "place" }, hex(at, 8)), "  ", h("mark", {}, "--"), "  the file ends here"));
  return h("pre", { class: "bytes", tabindex: "0", role: "group", "aria-label": "Bytes around the place" }, ...lines);
}

function lineTable({ line, lines }) {
  const rows = lines.map(({ number, text }) => {
    const content = [h("span", { class: "place" }, String(number).padStart(6)), "  "];
    return h("div", { class: number === line && "wrong" }, ...content, text === undefined ? "the file ends here" : text || " ");
  });
  return h("pre", { class: "bytes", tabindex: "0", role: "group", "aria-label": "Lines around the place" }, ...rows);
}

/** Codes of the codec for schemas that are wrong whatever the save holds. */
const WRONG_SCHEMAS = new Set(["schema-key-invalid", "bad-option"]);

function advice(report, schemas) {
  const { code, format } = report;
  if (code === undefined) return "";
  if (schemas && WRONG_SCHEMAS.has(code))
    return "The save may be whole. Schemas are a JSON file: constructors by name, their versions, their members.";
  if (code === "schema-missing" || code === "schema-version-missing")
    return "Structs of this save were stored by a schema and hold no names. The game's schemas as a JSON file, by constructor name, make it readable.";
  if (code === "unknown-format" && !report.hex) return "A game that stops while it saves can leave such a file; its backup may be whole.";
  if (code === "unknown-format") return "It is none of the formats that Tusk reads, or a save that was cut off in its first bytes.";
  if (code === "truncated" || code === "unexpected-end")
    return "The file is shorter than it should be: perhaps it was not copied or saved completely.";
  if (code === "checksum") return "The file has been changed since the game wrote it, or was not copied or saved completely.";
  if (/(^|-)limit$/.test(code)) return "The file may be whole; it holds more than is read here.";
  return format === "tusk" ? "" : "Nothing of it is shown, because what stands behind the wrong place cannot be trusted.";
}

function headingOf(code, schemas) {
  if (!schemas) return "This file cannot be read";
  return WRONG_SCHEMAS.has(code) ? `The schemas in ${schemas} are wrong` : `This file cannot be read by the schemas in ${schemas}`;
}

/**
 * `report`: what the worker says about the error; `schemas`: the name of the file with the schemas that the save was read by; `behind`: the name of
 * the save that is still open.
 */
export function showError(name, report, { schemas, behind, onOpen, onSchemas, onBack }) {
  const { code, message, offset, line, path } = report;
  // What has a code is about the content, and may begin with a word that the file is called.
  const isNamed = code === undefined && message.startsWith(`${name} `);
  const wantsSchemas = schemas !== undefined || code === "schema-missing" || code === "schema-version-missing";
  const facts = [
    code && h("span", { class: "code" }, code),
    offset !== undefined && h("span", {}, `at byte ${offset.toLocaleString("en-US")} (0x${offset.toString(16)})`),
    line !== undefined && h("span", {}, `in line ${line.toLocaleString("en-US")}`),
    path && h("span", {}, `at ${path}`),
  ].filter(Boolean);
  show(
    "error",
    h(
      "div",
      { class: "card error" },
      h("p", { class: "which" }, name),
      // Read out at once; bytes and buttons are there for whoever goes to them.
      h(
        "div",
        { class: "told", role: "alert" },
        h("h1", {}, headingOf(code, schemas)),
        // A file's name is written as it is.
        h("p", { class: "reason" }, isNamed ? `${message}.` : sentence(message)),
      ),
      h("p", { class: "facts" }, ...facts),
      report.hex ? hexTable(report.hex) : report.text ? lineTable(report.text) : undefined,
      h("p", { class: "quiet" }, advice(report, schemas)),
      h(
        "div",
        { class: "buttons" },
        wantsSchemas ? h("button", { type: "button", class: "primary", onclick: onSchemas }, "Choose schemas") : undefined,
        h("button", { type: "button", class: wantsSchemas ? undefined : "primary", onclick: onOpen }, "Open another file"),
        h(
          "button",
          { type: "button", onclick: onBack },
          h("span", { class: "back" }, behind ? `Back to ${isolated(behind)}` : "Back"),
          h("kbd", {}, "Esc"),
        ),
      ),
    ),
  );
  leave = onBack;
  focusScreen();
}
