// Shortcuts of the whole window. Electron's menu has the same ones; there they arrive as commands, and not as keys.

const COMMANDS = {
  o: "open",
  s: "save",
  f: "find",
  z: "undo",
  y: "redo",
  "shift+z": "redo",
};

/** Fields have an undo of their own. */
const OF_FIELDS = new Set(["undo", "redo"]);

export function listenToKeys(run) {
  addEventListener("keydown", (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.altKey) return;
    const command = COMMANDS[(event.shiftKey ? "shift+" : "") + event.key.toLowerCase()];
    if (!command || (OF_FIELDS.has(command) && event.target.matches?.("input, textarea"))) return;
    event.preventDefault();
    run(command);
  });
}
