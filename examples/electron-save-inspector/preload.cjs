// The bridge: these functions and nothing else reach the page. It runs sandboxed, so it may load `electron` alone.
const { contextBridge, ipcRenderer, webUtils } = require("electron");

const call =
  (channel) =>
  (...args) =>
    ipcRenderer.invoke(`inspector:${channel}`, ...args);

/** Listeners get the data, never the event: that would carry the sender. */
const listen = (channel) => (listener) => {
  ipcRenderer.on(`inspector:${channel}`, (_event, data) => listener(data));
};

contextBridge.exposeInMainWorld("tuskFiles", {
  openDialog: call("open-dialog"),
  // Only a File that the person has dropped has a path; one that a script made has none.
  openDropped: (file, what) => ipcRenderer.invoke("inspector:open-dropped", webUtils.getPathForFile(file), what),
  recent: call("recent"),
  openRecent: call("open-recent"),
  read: call("read"),
  release: call("release"),
  beginSave: call("begin-save"),
  sendPiece: call("send-piece"),
  endSave: call("end-save"),
  abortSave: call("abort-save"),
  setState: call("state"),
  ready: call("ready"),
  onCommand: listen("command"),
  onOpenFile: listen("open-file"),
});
