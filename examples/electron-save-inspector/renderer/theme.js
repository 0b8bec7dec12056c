// Dark and light: what the system says, until somebody switches.

const KEY = "tusk-inspector-theme";
const dark = matchMedia("(prefers-color-scheme: dark)");

function stored() {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

export function applyTheme() {
  const theme = stored();
  if (theme === "dark" || theme === "light") document.documentElement.dataset.theme = theme;
  else delete document.documentElement.dataset.theme;
}

/** To the other one; back to the system's choice where that is the same. */
export function switchTheme() {
  const now = document.documentElement.dataset.theme ?? (dark.matches ? "dark" : "light");
  const wanted = now === "dark" ? "light" : "dark";
  try {
    if ((wanted === "dark") === dark.matches) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, wanted);
    applyTheme();
  } catch {
    document.documentElement.dataset.theme = wanted;
  }
}
