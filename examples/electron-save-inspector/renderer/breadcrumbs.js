// The path of the selected value; each step leads there.
import { byId, h, isBlank, nameText, replaceContent } from "./elements.js";

/** More steps than this are shortened in the middle. */
const MOST = 9;

export function showBreadcrumbs(rootName, details, go) {
  const bar = byId("crumbs");
  const { steps, path } = details;
  const crumb = (text, length) =>
    h(
      "button",
      {
        type: "button",
        "data-blank": isBlank(text),
        title: nameText(text),
        "aria-current": length === path.length && "location",
        onclick: () => go(path.slice(0, length)),
      },
      nameText(text),
    );
  const crumbs = [crumb(rootName, 0), ...steps.map((text, i) => crumb(text, i + 1))];
  const shown = crumbs.length <= MOST ? crumbs : [...crumbs.slice(0, 3), h("span", { class: "gap" }, "…"), ...crumbs.slice(-(MOST - 4))];
  replaceContent(bar, ...shown.flatMap((part, i) => (i === 0 ? [part] : [h("i", { "aria-hidden": "true" }, "›"), part])));
}
