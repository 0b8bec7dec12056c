// Files that are dropped anywhere on the window: to open, or, on the right half while a save is shown, to compare with.
import { byId } from "./elements.js";

/** `drop(files, what)`: what is `save` or `other`; `canCompare()`: is there something to compare with? */
export function listenToDrops(drop, canCompare) {
  const hasFiles = (event) => event.dataTransfer?.types.includes("Files");
  const targetOf = (event) => (canCompare() && event.clientX > innerWidth / 2 ? "other" : "save");
  const show = (on) => {
    document.body.classList.toggle("dropping", on);
    byId("drop-compare").hidden = !canCompare();
  };
  // Not counted: an element that is taken away under the pointer is left without a word.
  addEventListener("dragleave", (event) => {
    if (!event.relatedTarget) show(false);
  });
  addEventListener("dragover", (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = "copy";
    show(true);
    const target = targetOf(event);
    byId("drop-open").classList.toggle("over", target === "save");
    byId("drop-compare").classList.toggle("over", target === "other");
  });
  addEventListener("drop", (event) => {
    show(false);
    if (!hasFiles(event)) return;
    event.preventDefault();
    drop([...event.dataTransfer.files], targetOf(event));
  });
}
