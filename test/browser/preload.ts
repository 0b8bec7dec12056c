// Runs a preload script before a page, as Electron does, with what it requires of Electron carried over to the handlers of the main process
// in this one. Bytes cross as base64.
import type { Page } from "playwright-core";
import { callFrom } from "./electron-module.ts";

type Packed = { base64: string } | { [name: string]: Packed } | string | number | boolean | null | undefined;

function pack(value: unknown): Packed {
  if (value instanceof Uint8Array) return { base64: Buffer.from(value).toString("base64") };
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value as Packed;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, pack(member)]));
}

function unpack(value: unknown): unknown {
  if (typeof value === "object" && value !== null && "base64" in value) return new Uint8Array(Buffer.from(String(value.base64), "base64"));
  return value ?? undefined;
}

/** `source`: the script; `url`: the page's address as the main process knows it; `folder`: where files named `dropped...` come from. */
export async function withPreload(page: Page, source: string, url: string, folder: string): Promise<void> {
  await page.exposeFunction("invokeMain", async (channel: string, args: unknown[]) =>
    pack(await callFrom(url, channel, ...args.map(unpack))),
  );
  await page.addInitScript(`
    const bytesOf = ({ base64 }) => {
      const text = atob(base64);
      const bytes = new Uint8Array(text.length);
      for (let i = 0; i < bytes.length; i++) bytes[i] = text.charCodeAt(i);
      return bytes;
    };
    const textOf = (bytes) => {
      let text = "";
      for (let i = 0; i < bytes.length; i += 10_000) text += String.fromCharCode(...bytes.subarray(i, i + 10_000));
      return { base64: btoa(text) };
    };
    const unpacked = (value) => {
      if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
      if ("base64" in value) return bytesOf(value);
      return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, unpacked(member)]));
    };
    globalThis.mainEvents = new EventTarget();
    globalThis.largestSent = 0;
    const electron = {
      contextBridge: { exposeInMainWorld: (name, api) => Object.defineProperty(globalThis, name, { value: Object.freeze(api) }) },
      webUtils: { getPathForFile: (file) => (file.name.startsWith("dropped") ? ${JSON.stringify(folder)} + "/" + file.name : "") },
      ipcRenderer: {
        async invoke(channel, ...args) {
          for (const arg of args) if (ArrayBuffer.isView(arg)) largestSent = Math.max(largestSent, arg.buffer.byteLength);
          return unpacked(await invokeMain(channel, args.map((arg) => (arg instanceof Uint8Array ? textOf(arg) : arg))));
        },
        on: (channel, listener) => mainEvents.addEventListener(channel, ({ detail }) => listener({}, detail)),
      },
    };
    ((require) => {${source}})(() => electron);`);
}
