// The menu. What concerns the save is a command that the page carries out.
import { Menu } from "electron";

export function menuTemplate({ send, isMac, name }) {
  const command = (label, accelerator, id) => ({ label, accelerator, id, click: () => send(id) });
  return [
    ...(isMac ? [{ label: name, submenu: [{ role: "about" }, { type: "separator" }, { role: "hide" }, { role: "quit" }] }] : []),
    {
      label: "File",
      submenu: [
        command("Open…", "CmdOrCtrl+O", "open"),
        { type: "separator" },
        command("Save", "CmdOrCtrl+S", "save"),
        command("Save As…", "CmdOrCtrl+Shift+S", "save-as"),
        { type: "separator" },
        command("Compare With…", "CmdOrCtrl+D", "compare"),
        { type: "separator" },
        { role: isMac ? "close" : "quit" },
      ],
    },
    {
      label: "Edit",
      submenu: [
        // The page tells undo in a text field from undo of the save.
        command("Undo", "CmdOrCtrl+Z", "undo"),
        command("Redo", isMac ? "Cmd+Shift+Z" : "Ctrl+Y", "redo"),
        // The other key that redoes in many applications; hidden, it works all the same.
        ...(isMac ? [] : [{ ...command("Redo", "Ctrl+Shift+Z", "redo"), visible: false }]),
        { type: "separator" },
        { role: "cut" },
        { role: "copy" },
        { role: "paste" },
        { role: "selectAll" },
        { type: "separator" },
        command("Find", "CmdOrCtrl+F", "find"),
      ],
    },
    {
      label: "View",
      submenu: [
        command("Next Change", "F8", "next-change"),
        command("Previous Change", "Shift+F8", "previous-change"),
        { type: "separator" },
        command("Light or Dark", undefined, "theme"),
        { type: "separator" },
        { role: "resetZoom" },
        { role: "zoomIn" },
        { role: "zoomOut" },
        { role: "togglefullscreen" },
      ],
    },
    { role: "help", submenu: [command("Keyboard", "F1", "shortcuts")] },
  ];
}

export function installMenu(options) {
  Menu.setApplicationMenu(Menu.buildFromTemplate(menuTemplate(options)));
}
