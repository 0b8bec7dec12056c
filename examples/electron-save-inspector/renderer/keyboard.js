// Shortcuts of the whole window. Electron's menu has the same ones; there they arrive as commands, and not as keys.

const COMMANDS = {
  "ctrl+o": "open",
  "ctrl+s": "save",
  "ctrl+shift+s": "save-as",
  "ctrl+d": "compare",
  "ctrl+f": "find",
  "ctrl+z": "undo",
  "ctrl+y": "redo",
  "ctrl+shift+z": "redo",
  f8: "next-change",
  "shift+f8": "previous-change",
  f1: "shortcuts",
};

/** What one can type in: not an editor whose text is being kept. */
export const FIELDS = "input:read-write, textarea:read-write";

/** What goes on while a key is held; anything else is done once. */
const REPEATED = new Set(["undo", "redo", "next-change", "previous-change"]);

/** Fields have an undo of their own. */
const OF_FIELDS = new Set(["undo", "redo"]);

/** The letter of a key, in layouts of other scripts the one that stands beside it: there, too, the open file is saved by the key of S. */
function letterOf({ key, code }) {
  return (/[^ -~]/.test(key) && /^Key([A-Z])$/.exec(code)?.[1].toLowerCase()) || key.toLowerCase();
}

export function listenToKeys(run) {
  addEventListener("keydown", (event) => {
    if (event.altKey) return;
    const control = event.ctrlKey || event.metaKey ? "ctrl+" : "";
    const command = COMMANDS[control + (event.shiftKey ? "shift+" : "") + letterOf(event)];
    if (!command || (OF_FIELDS.has(command) && event.target.matches?.(FIELDS))) return;
    event.preventDefault();
    if (!event.repeat || REPEATED.has(command)) run(command);
  });
}
