// A word about what was just done, or could not be. It goes by itself; an error stays until it is dismissed, or something else is done.
import { byId, oneLine } from "./elements.js";

const SHOWN = 4000;

let timer = 0;
/** Where the focus goes when its button had it. */
let leave;

/** Before the button goes: the focus would go with it. */
function leaveButton() {
  if (byId("toast").lastElementChild === document.activeElement) leave();
}

export function showToast(text, isError = false) {
  if (!isError) leaveButton();
  const toast = byId("toast");
  toast.firstElementChild.textContent = oneLine(text);
  toast.classList.toggle("wrong", isError);
  toast.hidden = false;
  clearTimeout(timer);
  timer = isError ? 0 : setTimeout(clearToast, SHOWN);
}

export function clearToast() {
  leaveButton();
  clearTimeout(timer);
  byId("toast").hidden = true;
}

/** `onLeft()`: the focus was on its button, which goes. */
export function listenToToast(onLeft) {
  leave = onLeft;
  const toast = byId("toast");
  const button = toast.lastElementChild;
  // The focus stays where it is, unless it was led here.
  button.addEventListener("mousedown", (event) => event.preventDefault());
  button.addEventListener("click", clearToast);
  // Behind the fields and lists that know Escape, before the window, where it leads from an error: one Escape does one thing.
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || event.isComposing || event.defaultPrevented || toast.hidden || document.querySelector("dialog[open]"))
      return;
    event.preventDefault();
    clearToast();
  });
}
