// The line at the bottom: what the file is, how it was read, how much of it is shown.
import { byId, countText, h, sizeText, timeText } from "./elements.js";

export function showStatus(summary, milliseconds) {
  const bar = byId("status-file");
  if (!summary) {
    bar.replaceChildren(h("span", {}, "Ready"));
    return;
  }
  const { format, release, form, size, engine, warnings } = summary;
  bar.replaceChildren(
    h("span", { class: "strong" }, format),
    ...(release ? [h("span", {}, /^\d/.test(release) ? `release ${release}` : release)] : []),
    h("span", {}, form),
    h("span", {}, sizeText(size)),
    h("span", { title: engine === "js" ? "WebAssembly is refused here" : "WebAssembly with SIMD" }, `engine ${engine}`),
    h("span", { id: "status-time" }, `read in ${timeText(milliseconds)}`),
    ...(warnings.length ? [h("span", { class: "warn", title: warnings.join("\n") }, countText(warnings.length, "warning"))] : []),
  );
}

export function showRows(index, total) {
  byId("status-rows").textContent = `row ${(index + 1).toLocaleString("en-US")} of ${total.toLocaleString("en-US")}`;
}
