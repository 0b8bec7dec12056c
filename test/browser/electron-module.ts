// Stands for Electron's own module, of which there is nothing without its program: it only keeps what the inspector's main process hands to it,
// and carries calls of a page to the handlers as the real one does.
import { EventEmitter } from "node:events";

interface Frame {
  readonly url: string;
  readonly parent: object | null;
}
type Handler = (event: { sender: unknown; senderFrame: Frame | null }, ...args: unknown[]) => unknown;

const handlers = new Map<string, Handler>();

export const ipcMain = {
  handle(channel: string, handler: Handler) {
    if (handlers.has(channel)) throw new Error(`a second handler for ${channel}`);
    handlers.set(channel, handler);
  },
};

export const dialog = {
  /** What the person chooses next. */
  answers: [] as string[],
  /** The number of the button that is pressed next, and what was asked. */
  buttons: [] as number[],
  asked: [] as string[],
  /** What `showErrorBox` has shown. */
  errors: [] as string[],
  async showMessageBox(_window: unknown, { message, cancelId }: { message: string; cancelId: number }) {
    dialog.asked.push(message);
    return { response: dialog.buttons.shift() ?? cancelId };
  },
  showMessageBoxSync(_window: unknown, { message, cancelId }: { message: string; cancelId: number }) {
    dialog.asked.push(message);
    return dialog.buttons.shift() ?? cancelId;
  },
  showErrorBox(title: string, content: string) {
    dialog.errors.push(`${title}: ${content}`);
  },
  async showOpenDialog() {
    const path = dialog.answers.shift();
    return path === undefined ? { canceled: true, filePaths: [] } : { canceled: false, filePaths: [path] };
  },
  /** What `showSaveDialog` has proposed. */
  proposed: [] as (string | undefined)[],
  async showSaveDialog(_window: unknown, { defaultPath }: { defaultPath?: string }) {
    dialog.proposed.push(defaultPath);
    const filePath = dialog.answers.shift();
    return { canceled: filePath === undefined, filePath };
  },
};

export class BrowserWindow extends EventEmitter {
  /** The one that was made last. */
  static last: BrowserWindow;
  readonly options: { webPreferences: Record<string, unknown> };
  loaded = "";
  reloads = 0;
  /** How often it has closed. */
  closed = 0;
  title = "";
  readonly permissions: ((contents: unknown, permission: string, answer: (granted: boolean) => void) => void)[] = [];
  readonly requests: ((details: { url: string }, answer: (result: { cancel: boolean }) => void) => void)[] = [];
  /** What the page has been sent. */
  readonly sent: [channel: string, data: unknown][] = [];
  readonly webContents = Object.assign(new EventEmitter(), {
    send: (channel: string, data: unknown) => this.sent.push([channel, data]),
    reload: () => {
      this.reloads++;
    },
    openHandler: undefined as (() => { action: string }) | undefined,
    setWindowOpenHandler(handler: () => { action: string }) {
      this.openHandler = handler;
    },
    session: {
      setPermissionRequestHandler: (handler: (typeof this.permissions)[0]) => this.permissions.push(handler),
      setPermissionCheckHandler: () => undefined,
      webRequest: { onBeforeRequest: (handler: (typeof this.requests)[0]) => this.requests.push(handler) },
    },
  });

  constructor(options: BrowserWindow["options"]) {
    super();
    this.options = options;
    BrowserWindow.last = this;
  }

  loadURL(url: string): void {
    this.loaded = url;
  }

  setTitle(title: string): void {
    this.title = title;
  }

  /** It asks first, as the real one does. */
  close(): void {
    let isPrevented = false;
    this.emit("close", { preventDefault: () => (isPrevented = true) });
    if (!isPrevented) this.closed++;
  }

  setDocumentEdited(): void {}
  isDestroyed = () => false;
  isMinimized = () => false;
  focus(): void {}
}

/** As the real one, it becomes ready only when the main module has been evaluated to its end: tests say when by `emit("ready")`. */
export const app = Object.assign(new EventEmitter(), {
  name: "Electron",
  paths: { appData: "" } as Record<string, string>,
  quits: 0,
  setName(name: string) {
    app.name = name;
  },
  getPath: (name: string) => app.paths[name],
  setPath(name: string, path: string) {
    app.paths[name] = path;
  },
  requestSingleInstanceLock: () => true,
  whenReady: () => new Promise<void>((resolve) => app.once("ready", () => resolve())),
  addRecentDocument: () => undefined,
  quit() {
    app.quits++;
  },
});

export const Menu = {
  buildFromTemplate: (template: unknown) => template,
  setApplicationMenu: () => undefined,
};

export const protocol = {
  schemes: [] as unknown[],
  handlers: new Map<string, (request: Request) => Response>(),
  registerSchemesAsPrivileged(schemes: unknown[]) {
    protocol.schemes.push(...schemes);
  },
  handle(scheme: string, handler: (request: Request) => Response) {
    protocol.handlers.set(scheme, handler);
  },
};

/** A call as the page at `url` makes it, or a frame of it, or another window. Errors come as `ipcRenderer.invoke` gives them. */
export async function callFrom(
  url: string | { url: string; parent?: object; sender?: object },
  channel: string,
  ...args: unknown[]
): Promise<unknown> {
  const handler = handlers.get(channel);
  if (!handler) throw new Error(`no handler for ${channel}`);
  const from = typeof url === "string" ? { url } : url;
  try {
    const { sender = BrowserWindow.last.webContents, parent = null } = from;
    return await handler({ sender, senderFrame: { url: from.url, parent } }, ...args);
  } catch (error) {
    throw new Error(`Error invoking remote method '${channel}': ${error}`);
  }
}
