// Stands for Electron's own module, of which there is nothing without its program: it only keeps what the inspector's main process hands to it,
// and carries calls of a page to the handlers as the real one does.
import { EventEmitter } from "node:events";

type Handler = (event: { senderFrame: { url: string } }, ...args: unknown[]) => unknown;

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
  async showOpenDialog() {
    const path = dialog.answers.shift();
    return path === undefined ? { canceled: true, filePaths: [] } : { canceled: false, filePaths: [path] };
  },
  async showSaveDialog() {
    const filePath = dialog.answers.shift();
    return { canceled: filePath === undefined, filePath };
  },
};

export class BrowserWindow {
  readonly options: { webPreferences: Record<string, unknown> };
  loaded = "";
  readonly permissions: ((contents: unknown, permission: string, answer: (granted: boolean) => void) => void)[] = [];
  readonly requests: ((details: { url: string }, answer: (result: { cancel: boolean }) => void) => void)[] = [];
  readonly webContents = Object.assign(new EventEmitter(), {
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
    this.options = options;
  }

  once(): void {}

  loadURL(url: string): void {
    this.loaded = url;
  }
}

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

/** A call as the page at `url` makes it. */
export async function callFrom(url: string, channel: string, ...args: unknown[]): Promise<unknown> {
  const handler = handlers.get(channel);
  if (!handler) throw new Error(`no handler for ${channel}`);
  return handler({ senderFrame: { url } }, ...args);
}
