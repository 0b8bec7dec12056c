// The page begins here: in Electron with the preload's bridge, in a browser without.
import { App } from "./app.js";
import { listenToDrops } from "./drop.js";
import { BrowserHost } from "./hosts/browser.js";
import { ElectronHost } from "./hosts/electron.js";
import { listenToKeys } from "./keyboard.js";
import { listenToTips, translateTips } from "./shortcuts.js";
import { applyTheme } from "./theme.js";

applyTheme();
translateTips();
listenToTips();
const app = new App(globalThis.tuskFiles ? new ElectronHost(globalThis.tuskFiles) : new BrowserHost());
listenToDrops(
  (files, what) => app.takeFiles(files, what),
  () => app.isShown,
);
// In Electron the menu has the shortcuts.
if (!globalThis.tuskFiles) listenToKeys((command) => app.run(command));
