// Elements by description. Texts of a save only ever become text nodes: nothing here, and nothing in the page, parses markup.

const SVG = "http://www.w3.org/2000/svg";

/** `h("button", { class: "icon", onclick }, "text", child)`; properties that begin with `on` are listeners, others attributes. */
export function h(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child !== undefined && child !== null && child !== ""));
  return element;
}

export function icon(name) {
  const svg = document.createElementNS(SVG, "svg");
  const use = document.createElementNS(SVG, "use");
  use.setAttribute("href", `#${name}`);
  svg.append(use);
  svg.setAttribute("aria-hidden", "true");
  return svg;
}

// What is what it was stays untouched: the browser would style, lay out and paint it anew.

export function setText(element, text) {
  if (element.childElementCount > 0 || element.textContent !== text) element.textContent = text;
}

export function setAttribute(element, name, value) {
  if (element.getAttribute(name) !== value) element.setAttribute(name, value);
}

/** How far something is, 0 to 1; undefined: no telling. */
export function setProgress(bar, share) {
  bar.classList.toggle("endless", share === undefined);
  if (share === undefined) {
    bar.removeAttribute("aria-valuenow");
    return;
  }
  bar.style.setProperty("--progress", String(share));
  setAttribute(bar, "aria-valuenow", String(Math.round(share * 100)));
}

export function byId(id) {
  return document.getElementById(id);
}

/** Where keys go when what had the focus is there no more. */
export function focusTree() {
  byId("tree").focus({ preventScroll: true });
}

/** Puts `children` in place of what `element` holds. What has the focus there passes it to its successor of the same class, else to the tree. */
export function replaceContent(element, ...children) {
  const { activeElement } = document;
  const had = element.contains(activeElement) ? activeElement.classList[0] : null;
  element.replaceChildren(...children);
  if (had === null) return;
  const successor = had && element.querySelector(`.${had}`);
  if (successor) successor.focus({ preventScroll: true });
  else focusTree();
}

/** A button that is off cannot have the focus: `leave` leads it elsewhere. */
export function enable(button, on, leave = focusTree) {
  if (!on && button === document.activeElement) leave();
  button.disabled = !on;
}

/** `11.5 MB`, of 1000 bytes each. */
export function sizeText(bytes) {
  if (bytes < 1000) return `${bytes} B`;
  let value = bytes / 1000;
  let unit = 0;
  while (value >= 999.95 && unit < 2) {
    value /= 1000;
    unit++;
  }
  return `${value.toFixed(1)} ${["kB", "MB", "GB"][unit]}`;
}

export function timeText(milliseconds) {
  return milliseconds < 1000
    ? `${milliseconds < 10 ? milliseconds.toFixed(1) : Math.round(milliseconds)} ms`
    : `${(milliseconds / 1000).toFixed(2)} s`;
}

const BREAKS = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/**
 * What breaks lines, turns the direction of writing, or is not seen. Joiners (U+200C, U+200D) and variation selectors belong to words and emoji, as
 * tags do to flags.
 */
const UNSEEN =
  /\u{1f3f4}[\u{e0030}-\u{e007a}]{3,6}\u{e007f}|(?!\u200c|\u200d|\p{Variation_Selector})[\p{Cc}\p{Default_Ignorable_Code_Point}\u2028\u2029\u2800]/gu;

function shown(found) {
  if (BREAKS[found]) return BREAKS[found];
  const digits = found.codePointAt(0).toString(16);
  return digits.length > 4 ? `\\u{${digits}}` : `\\u${digits.padStart(4, "0")}`;
}

/** Where a row has one line: such characters can be seen, and do nothing. */
export function oneLine(text) {
  return text.replace(UNSEEN, (found) => (found.length > 2 ? found : shown(found)));
}

/** Has a name nothing that can be seen? Marks are seen with what they stand on. */
export function isBlank(name) {
  return !/[^\s\p{M}\u200c\u200d]/u.test(name);
}

/** A name in one line; a blank one in quotes. */
export function nameText(name) {
  return oneLine(isBlank(name) ? JSON.stringify(name) : name);
}

/** A name whose characters turn the direction of writing turns nothing behind it (Unicode's first strong isolate). */
export function isolated(name) {
  return /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/.test(name) ? `\u2068${name}\u2069` : name;
}

/** `what is wrong` as a sentence. */
export function sentence(text) {
  return `${text[0].toUpperCase()}${text.slice(1)}.`;
}

export function countText(count, noun) {
  return `${count.toLocaleString("en-US")} ${noun}${count === 1 ? "" : "s"}`;
}
