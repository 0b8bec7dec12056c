// Files that are dropped anywhere on the window: to open, or, on the right half while a save is shown, to compare with.
import { byId } from "./elements.js";

/** `drop(files, what)`: what is `save` or `other`; `canCompare()`: is there something to compare with? */
export function listenToDrops(drop, canCompare) {
  let depth = 0;
  const hasFiles = (event) => event.dataTransfer?.types.includes("Files");
  const targetOf = (event) => (canCompare() && event.clientX > innerWidth / 2 ? "other" : "save");
  const show = (on) => {
    document.body.classList.toggle("dropping", on);
    byId("drop-compare").hidden = !canCompare();
  };
  addEventListener("dragenter", (event) => {
    if (!hasFiles(event)) return;
    depth++;
    show(true);
  });
  addEventListener("dragleave", () => {
    depth = Math.max(0, depth - 1);
    if (depth === 0) show(false);
  });
  addEventListener("dragover", (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = "copy";
    const target = targetOf(event);
    byId("drop-open").classList.toggle("over", target === "save");
    byId("drop-compare").classList.toggle("over", target === "other");
  });
  addEventListener("drop", (event) => {
    depth = 0;
    show(false);
    if (!hasFiles(event)) return;
    event.preventDefault();
    const { files } = event.dataTransfer;
    if (files.length > 0) drop([...files], targetOf(event));
  });
}
