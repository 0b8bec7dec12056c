// The application: one window, the files that are opened in it, and the way out.
//   node examples/electron-save-inspector/build.mjs
//   npx electron examples/electron-save-inspector/main/main.mjs [file]
import { statSync } from "node:fs";
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
/** Called when the page next tells its state. */
let onNextState;
/** For this long one waits for that behind a save, in milliseconds. */
const STATE_WAIT = 2000;

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
    const file = await desk.open(path);
    // The page may be gone by now.
    if (isReady) send("inspector:open-file", file);
    else waiting = path;
  } catch (error) {
    dialog.showErrorBox("The file cannot be opened", error.message);
  }
}

/** Arguments may be anything: too long for a path, or one through a file, which are errors of their own. */
function isFile(path) {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** The file among the arguments of a start in `folder`: the last one that is there. */
function fileOf(args, folder) {
  return args
    .slice(1)
    .filter((text) => !text.startsWith("-") && !/\.[cm]?js$/.test(text))
    .map((text) => resolve(folder, text))
    .findLast(isFile);
}

/** May the window close? `yes` is the button that lets it. */
function mayClose(message, yes, no = "Cancel") {
  return dialog.showMessageBoxSync(window, { type: "warning", buttons: [yes, no], defaultId: 1, cancelId: 1, message }) === 0;
}

/** The page says that nothing is edited any more only when it has heard that the save is written. */
async function hearState() {
  if (!state.edited) return;
  await new Promise((resolve) => {
    onNextState = resolve;
    setTimeout(resolve, STATE_WAIT);
  });
}

function begin() {
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
      onNextState?.();
    },
    onReady() {
      isReady = true;
      if (waiting !== undefined) void openFile(waiting);
      waiting = undefined;
    },
  });
  installMenu({ send: (command) => send("inspector:command", command), isMac: process.platform === "darwin", name: app.name });
  window.webContents.on("render-process-gone", (_event, { reason }) => {
    if (reason === "clean-exit") return;
    const wasReady = isReady;
    isReady = false;
    state = { name: "", edited: false };
    window.setTitle(app.name);
    window.setDocumentEdited(false);
    desk.reset();
    // One that ends before it is there would do so for ever.
    if (!wasReady) return failed(new Error(`its page ends at once (${reason})`));
    dialog.showErrorBox("The page has ended", `It is shown anew; changes that were not saved are lost (${reason}).`);
    if (!window.isDestroyed()) window.webContents.reload();
  });
  let isWaiting = false;
  window.on("close", (event) => {
    const settled = desk.settled();
    // Who asks again while it waits may know that the page, or the drive, does not answer any more.
    if (settled && !(isWaiting && mayClose(`${state.name} is still being saved.`, "Close without waiting", "Wait"))) {
      event.preventDefault();
      if (!isWaiting) void settled.then(closeAfter);
      isWaiting = true;
    } else if (!settled && isWaiting) {
      // It is written, and the page is about to say what is edited now.
      event.preventDefault();
    } else if (!settled && state.edited && !mayClose(`${state.name} has changes that are not saved.`, "Discard changes"))
      event.preventDefault();
  });
  // What could not be written the page tells, and the person sees it.
  const closeAfter = async (areWritten) => {
    if (areWritten) await hearState();
    isWaiting = false;
    if (areWritten && !window.isDestroyed()) window.close();
  };
}

function failed(error) {
  dialog.showErrorBox("The inspector cannot start", error.message);
  app.quit();
}

// Before anything asks for the folder: started by a path, the application would have Electron's own.
app.setName("Save Inspector");
app.setPath("userData", join(app.getPath("appData"), "tusk-save-inspector"));

if (!app.requestSingleInstanceLock()) app.quit();
else {
  announceProtocol();
  // macOS may tell of the file before the application is ready.
  app.on("open-file", (event, path) => {
    event.preventDefault();
    void openFile(path);
  });
  app.on("second-instance", (_event, args, folder) => {
    const file = fileOf(args, folder);
    if (file) void openFile(file);
    if (window?.isMinimized()) window.restore();
    window?.focus();
  });
  app.on("window-all-closed", () => app.quit());
  waiting = fileOf(process.argv, process.cwd());
  // Not awaited: Electron is ready only when this module has been evaluated to its end (electron/electron#40719).
  app.whenReady().then(begin).catch(failed);
}
