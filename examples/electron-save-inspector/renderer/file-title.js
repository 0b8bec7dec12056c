// Which file the window is about: its name and state in the toolbar, and the window's title.
import { byId, isolated, setText } from "./elements.js";

/** `isChanged`: there is something to save. */
export function showFile(name, state, isChanged = false) {
  byId("file-name").textContent = isolated(name);
  // It is read out when it is another.
  setText(byId("file-state"), state);
  document.body.classList.toggle("changed", isChanged);
  document.title = `${isChanged ? "• " : ""}${isolated(name)} – Save Inspector`;
}

export function showNoFile() {
  byId("file-name").textContent = document.title = "Save Inspector";
  byId("file-state").textContent = "no file open";
}
