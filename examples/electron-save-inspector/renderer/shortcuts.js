// What the keyboard does, shown on request.
import { byId, h, icon } from "./elements.js";

export const IS_MAC = /mac/i.test(navigator.userAgentData?.platform ?? navigator.platform);

const SHORTCUTS = [
  ["Ctrl+O", "open a save"],
  ["Ctrl+S", ""],
  ["Ctrl+D", "compare with another save"],
  ["F8, Shift+F8", "next and previous change"],
  ["Ctrl+F", "find; Enter and Shift+Enter walk through what was found"],
  ["↑ ↓ Home End", "move in the tree; PageUp and PageDown go further"],
  ["→ ←", "open and close, in and out"],
  ["*", "open everything directly inside"],
  ["letters", "go to the name that begins with them"],
  ["Enter, F2", "edit a value"],
  ["Space", "switch true and false"],
  ["Ctrl+C", "copy the value, of a struct or array its path"],
  ["Ctrl+Z, Ctrl+Y", "undo and redo"],
];

/** `Ctrl+O` as the system writes it. */
export function keyText(keys) {
  return IS_MAC ? keys.replaceAll("Ctrl+Y", "⇧⌘Z").replaceAll("Ctrl+", "⌘").replaceAll("Shift+", "⇧") : keys;
}

/** Tips of buttons name keys, too. */
export function translateTips() {
  for (const element of document.querySelectorAll("[data-tip]")) element.dataset.tip = keyText(element.dataset.tip);
}

const SHOWN_TIPS = "[data-tip]:is(:hover, :focus-visible)";

/** Escape takes away the tip that lies over something, until one has left its button. */
export function listenToTips() {
  const onKey = (event) => {
    if (event.key !== "Escape" || event.isComposing) return;
    for (const element of document.querySelectorAll(SHOWN_TIPS)) element.classList.add("tipless");
  };
  // Before those who keep the key to themselves.
  addEventListener("keydown", onKey, { capture: true });
  for (const type of ["pointerover", "focusout"])
    addEventListener(type, () => {
      for (const element of document.querySelectorAll(".tipless")) if (!element.matches(SHOWN_TIPS)) element.classList.remove("tipless");
    });
}

/** Where the page may not write, saving is a download. */
const SAVING = {
  electron: "save, keeping the version before",
  browser: "save as a download; the file that was opened stays as it is",
};

/** `platform`: of the host. */
export function showShortcuts(platform) {
  const dialog = byId("shortcuts");
  const close = h("button", { type: "button", class: "icon", "aria-label": "Close", onclick: () => dialog.close() }, icon("close"));
  dialog.replaceChildren(
    h("div", { class: "heading" }, h("h2", {}, "Keyboard"), close),
    h("dl", {}, ...SHORTCUTS.flatMap(([keys, meaning]) => [h("dt", {}, ...keysOf(keys)), h("dd", {}, meaning || SAVING[platform])])),
  );
  dialog.showModal();
}

/** Each key with a frame of its own. */
function keysOf(keys) {
  return keyText(keys)
    .split(/[, ]+/)
    .map((key) => h("kbd", {}, key));
}
