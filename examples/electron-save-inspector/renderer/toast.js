// A word about what was just done, or could not be. It goes by itself; an error stays until it is dismissed, or something else is done.
import { byId, oneLine } from "./elements.js";

const SHOWN = 4000;

let timer = 0;

export function showToast(text, isError = false) {
  const toast = byId("toast");
  toast.firstElementChild.textContent = oneLine(text);
  toast.classList.toggle("wrong", isError);
  toast.hidden = false;
  clearTimeout(timer);
  timer = isError ? 0 : setTimeout(clearToast, SHOWN);
}

export function clearToast() {
  clearTimeout(timer);
  byId("toast").hidden = true;
}

/** `onLeft()`: the focus was on its button. */
export function listenToToast(onLeft) {
  const button = byId("toast").lastElementChild;
  // The focus stays where it is, unless it was led here.
  button.addEventListener("mousedown", (event) => event.preventDefault());
  button.addEventListener("click", () => {
    const had = button === document.activeElement;
    clearToast();
    if (had) onLeft();
  });
  addEventListener("keydown", (event) => {
    if (event.key === "Escape" && !event.defaultPrevented) clearToast();
  });
}
