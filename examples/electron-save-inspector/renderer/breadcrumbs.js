// The path of the selected value; each step leads there.
import { byId, h, isBlank, nameText, replaceContent } from "./elements.js";

/** `steps`: some of the path's, those in between are left out. */
export function showBreadcrumbs(rootName, path, steps, go) {
  const crumb = ({ name, depth }) =>
    h(
      "button",
      {
        type: "button",
        "data-blank": isBlank(name),
        title: nameText(name),
        "aria-current": depth === path.length && "location",
        onclick: () => go(path.slice(0, depth)),
      },
      nameText(name),
    );
  const parts = [crumb({ name: rootName, depth: 0 })];
  let last = 0;
  for (const step of steps) {
    const arrow = () => h("i", { "aria-hidden": "true" }, "›");
    if (step.depth > last + 1) parts.push(arrow(), h("span", { class: "gap" }, "…"));
    parts.push(arrow(), crumb(step));
    last = step.depth;
  }
  replaceContent(byId("crumbs"), ...parts);
}
