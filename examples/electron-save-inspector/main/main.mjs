// The application: one window, the files that are opened in it, and the way out.
//   electron examples/electron-save-inspector/main/main.mjs [file]
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { app, dialog } from "electron";
import { registerChannels } from "./channels.mjs";
import { FileDesk } from "./file-desk.mjs";
import { installMenu } from "./menu.mjs";
import { announceProtocol, serveProtocol } from "./page-protocol.mjs";
import { RecentFiles } from "./recent-files.mjs";
import { createWindow } from "./window.mjs";

let window;
let desk;
let isReady = false;
/** A file that was given to the application before its page could take it. */
let waiting;
let state = { name: "", edited: false };

function send(channel, data) {
  if (window && !window.isDestroyed()) window.webContents.send(channel, data);
}

/** Shows a file that the system hands over: double click, second start, argument. */
async function openFile(path) {
  if (!isReady) {
    waiting = path;
    return;
  }
  try {
    send("inspector:open-file", await desk.open(resolve(path)));
  } catch (error) {
    dialog.showErrorBox("The file cannot be opened", error.message);
  }
}

/** The file among the arguments of a start: the last one that is there. */
function fileOf(args) {
  return args.slice(1).findLast((text) => !text.startsWith("-") && !/\.[cm]?js$/.test(text) && existsSync(text));
}

async function begin() {
  const recent = new RecentFiles(join(app.getPath("userData"), "recent.json"));
  desk = new FileDesk({
    onOpened(path) {
      recent.add(path);
      app.addRecentDocument(path);
    },
  });
  serveProtocol();
  window = createWindow();
  registerChannels({
    window,
    desk,
    recent,
    onState(next) {
      state = next;
      window.setTitle(`${state.edited ? "• " : ""}${state.name} – Save Inspector`);
      window.setDocumentEdited(state.edited);
    },
    onReady() {
      isReady = true;
      if (waiting !== undefined) void openFile(waiting);
      waiting = undefined;
    },
  });
  installMenu({ send: (command) => send("inspector:command", command), isMac: process.platform === "darwin", name: app.name });
  window.on("close", (event) => {
    if (!state.edited) return;
    const choice = dialog.showMessageBoxSync(window, {
      type: "warning",
      buttons: ["Discard changes", "Cancel"],
      defaultId: 1,
      cancelId: 1,
      message: `${state.name} has changes that are not saved.`,
    });
    if (choice === 1) event.preventDefault();
  });
}

if (!app.requestSingleInstanceLock()) app.quit();
else {
  announceProtocol();
  // macOS may tell of the file before the application is ready.
  app.on("open-file", (event, path) => {
    event.preventDefault();
    void openFile(path);
  });
  app.on("second-instance", (_event, args, folder) => {
    const file = fileOf(args);
    if (file) void openFile(resolve(folder, file));
    if (window?.isMinimized()) window.restore();
    window?.focus();
  });
  app.on("window-all-closed", () => app.quit());
  waiting = fileOf(process.argv);
  await app.whenReady();
  await begin();
}
