// What the page may ask for. Each channel does one thing with checked arguments, for the application's own page alone.
import { basename } from "node:path";
import { dialog, ipcMain } from "electron";
import { isOwnPage } from "./window.mjs";

/** Of a title. */
const LONGEST_NAME = 255;

const DIALOGS = {
  save: { title: "Open a save", properties: ["openFile"] },
  other: { title: "Compare with an older save", properties: ["openFile"] },
  schemas: { title: "Choose the game's schemas", properties: ["openFile"], filters: [{ name: "JSON", extensions: ["json"] }] },
};

/** The game, or another program, has written the file since it was read. */
async function mayReplace(window, name) {
  const { response } = await dialog.showMessageBox(window, {
    type: "warning",
    buttons: ["Replace it", "Cancel"],
    defaultId: 1,
    cancelId: 1,
    message: `${name} has been changed by another program since it was opened.`,
    detail: "The version on the disk is kept as a backup if you replace it.",
  });
  return response === 0;
}

const titleOf = (name) => String(name).slice(0, LONGEST_NAME);

export function registerChannels({ window, desk, recent, onState, onReady }) {
  const handle = (channel, action) =>
    ipcMain.handle(`inspector:${channel}`, (event, ...args) => {
      if (!isOwnPage(event, window)) throw new Error("not the inspector's page");
      return action(...args);
    });

  handle("open-dialog", async (what) => {
    if (!Object.hasOwn(DIALOGS, what)) throw new TypeError("no such dialog");
    const { canceled, filePaths } = await dialog.showOpenDialog(window, DIALOGS[what]);
    return canceled ? undefined : desk.open(filePaths[0], what);
  });
  // The preload takes the path from a File that was dropped; a page cannot make one of those.
  handle("open-dropped", (path, what) => {
    if (typeof path !== "string" || path === "") throw new TypeError("this is no file on the disk");
    return desk.open(path, what);
  });
  handle("recent", () => recent.list());
  handle("open-recent", (index) => {
    const path = Number.isSafeInteger(index) ? recent.path(index) : undefined;
    if (path === undefined) throw new RangeError("no such file");
    return desk.open(path);
  });
  handle("read", (id, offset, length) => desk.read(id, offset, length));
  handle("release", (id) => desk.release(id));
  handle("begin-save", async (id, size, asCopy, name) => {
    // An example, or a file of nobody's, has no place yet.
    const known = id === undefined ? undefined : desk.pathOf(id);
    if (known !== undefined && asCopy !== true) {
      if ((await desk.isOutdated(id)) && !(await mayReplace(window, basename(known)))) return undefined;
      return desk.beginSave(known, size);
    }
    const { canceled, filePath } = await dialog.showSaveDialog(window, { defaultPath: known ?? basename(titleOf(name)) });
    return canceled || !filePath ? undefined : desk.beginSave(filePath, size);
  });
  handle("send-piece", (saving, piece) => desk.sendPiece(saving, piece));
  handle("end-save", async (saving) => {
    const { warning, ...saved } = await desk.endSave(saving);
    // For the page the file is saved.
    if (warning) dialog.showErrorBox("The file is saved, with a warning", warning);
    return saved;
  });
  handle("abort-save", (saving) => desk.abortSave(saving));
  handle("state", ({ name, edited }) => onState({ name: titleOf(name), edited: edited === true }));
  handle("ready", () => onReady());
}
