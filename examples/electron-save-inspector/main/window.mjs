// The window, with nothing of Node in it.
import { join } from "node:path";
import { BrowserWindow } from "electron";
import { ORIGIN } from "./page-protocol.mjs";

const PAGE = `${ORIGIN}/`;
const PRELOAD = join(import.meta.dirname, "../preload.cjs");

/** Each of these is Electron's default by now; they are written down so that no later change loosens them unseen. */
export const WEB_PREFERENCES = Object.freeze({
  preload: PRELOAD,
  sandbox: true,
  contextIsolation: true,
  nodeIntegration: false,
  nodeIntegrationInWorker: false,
  nodeIntegrationInSubFrames: false,
  webSecurity: true,
  webviewTag: false,
  navigateOnDragDrop: false,
  spellcheck: false,
});

/** The only caller of the main process: the page itself, in its own window, and in no frame of another page. */
export function isOwnPage({ sender, senderFrame }, window) {
  return sender === window.webContents && senderFrame?.url === PAGE && senderFrame.parent === null;
}

export function createWindow() {
  const window = new BrowserWindow({
    width: 1180,
    height: 760,
    minWidth: 620,
    minHeight: 400,
    show: false,
    backgroundColor: "#1d1c19",
    webPreferences: WEB_PREFERENCES,
  });
  const { webContents } = window;
  // The page stays where it is, opens nothing and is granted nothing.
  webContents.setWindowOpenHandler(() => ({ action: "deny" }));
  for (const event of ["will-navigate", "will-frame-navigate", "will-redirect", "will-attach-webview"])
    webContents.on(event, (details) => details.preventDefault());
  webContents.session.setPermissionRequestHandler((_contents, _permission, answer) => answer(false));
  webContents.session.setPermissionCheckHandler(() => false);
  // No policy is as sure as having no network.
  webContents.session.webRequest.onBeforeRequest((details, answer) => {
    answer({ cancel: !/^(inspector|blob|data|devtools):/.test(details.url) });
  });
  window.once("ready-to-show", () => window.show());
  window.loadURL(PAGE);
  return window;
}
