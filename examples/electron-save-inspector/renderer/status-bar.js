// The line at the bottom: what the file is, how it was read, how much of it is shown.
import { byId, countText, h, replaceContent, sizeText, timeText } from "./elements.js";
import { showToast } from "./toast.js";

/** `1.5.1` is a release; other formats name what they have. */
export function releaseText(release) {
  return /^\d/.test(release) ? `release ${release}` : release;
}

const MORE = "The file holds something that is written in another way than it was, for example text that is not UTF-8.";

/** Where there is no save to tell about. */
export function showStatusText(text) {
  byId("status-file").replaceChildren(h("span", {}, text));
  byId("status-warnings").textContent = "";
  byId("status-rows").textContent = "";
}

/** Their texts by mouse and by key. */
function warningsButton(warnings) {
  const onclick = () => showToast(warnings.join("; "), true);
  return h("button", { type: "button", class: "warnings", title: warnings.join("\n"), onclick }, countText(warnings.length, "warning"));
}

export function showStatus(summary, milliseconds) {
  const bar = byId("status-file");
  const { format, form, size, engine, warnings } = summary;
  bar.replaceChildren(
    h("span", { class: "strong" }, format),
    ...(summary.history.release ? [h("span", { id: "status-release" })] : []),
    h("span", {}, form),
    h("span", {}, sizeText(size)),
    ...(engine
      ? [h("span", { title: engine === "js" ? "WebAssembly is refused here" : "WebAssembly with SIMD" }, `engine ${engine}`)]
      : []),
    h("span", { id: "status-time" }, `read in ${timeText(milliseconds)}`),
    h("span", { id: "status-more", class: "warn", hidden: true, title: MORE }, "changes more than the edit"),
  );
  replaceContent(byId("status-warnings"), ...(warnings.length ? [h("span", { class: "warn" }, warningsButton(warnings))] : []));
  showWritten(summary.history);
}

/** What an edited save is written as is told before it is. Only a change is drawn: the line is read out when it is another. */
export function showWritten({ release, nextRelease, changesMore }) {
  const more = byId("status-more");
  if (more) more.hidden = !changesMore;
  const element = byId("status-release");
  if (!element) return;
  const now = releaseText(release);
  const next = nextRelease ? `, will be written as ${nextRelease}` : "";
  if (element.textContent !== now + next) element.replaceChildren(now, h("span", { class: "warn" }, next));
}

export function showRows(index, total) {
  byId("status-rows").textContent = `row ${(index + 1).toLocaleString("en-US")} of ${total.toLocaleString("en-US")}`;
}
