// The inspector as a window of Electron. The preload's `window.tuskFiles` is all there is of the other side: files by number, never by path, and
// their bytes in pieces, so that no message is large.

const PIECE = 4 << 20;

/** Electron puts the channel's name before what the other side says. */
const PREFIX = /^Error invoking remote method '[^']*': (?:\w*Error: )?/;

/** The bridge, with the other side's words as they were. */
function plainly(bridge) {
  const said = (error) => {
    throw new Error(error.message.replace(PREFIX, ""));
  };
  return Object.fromEntries(Object.entries(bridge).map(([name, call]) => [name, (...args) => call(...args)?.catch(said)]));
}

export class ElectronHost {
  #bridge;
  #current;
  platform = "electron";

  constructor(bridge) {
    this.#bridge = plainly(bridge);
  }

  /** `onCommand(name)`: the menu; `onOpen(source)`: a file given to the application. */
  listen(onCommand, onOpen) {
    this.#bridge.onCommand(onCommand);
    this.#bridge.onOpenFile((file) => onOpen(this.#source(file)));
    this.#bridge.ready();
  }

  #source(file) {
    if (!file) return undefined;
    const { id, name, folder, size } = file;
    const { port1, port2 } = new MessageChannel();
    // The worker asks for it: of files that nobody takes nothing is read.
    port1.onmessage = () => void this.#send(id, size, port1);
    return { name, folder, id, data: { name, size, pieces: port2 }, transfer: [port2] };
  }

  async #send(id, size, port) {
    try {
      for (let offset = 0; offset < size; offset += PIECE) {
        const piece = await this.#bridge.read(id, offset, Math.min(PIECE, size - offset));
        const { buffer } = piece.byteLength === piece.buffer.byteLength ? piece : piece.slice();
        port.postMessage(buffer, [buffer]);
      }
      port.postMessage(new ArrayBuffer(0));
    } catch (error) {
      port.postMessage({ error: error.message });
    } finally {
      void this.#bridge.release(id);
    }
  }

  async pick(what) {
    return this.#source(await this.#bridge.openDialog(what));
  }

  async dropped(file, what) {
    return this.#source(await this.#bridge.openDropped(file, what));
  }

  recent() {
    return this.#bridge.recent();
  }

  async openRecent(index) {
    return this.#source(await this.#bridge.openRecent(index));
  }

  async text({ data }) {
    const parts = [];
    await new Promise((resolve, reject) => {
      data.pieces.onmessage = (event) => {
        if (event.data.error) reject(new Error(event.data.error));
        else if (event.data.byteLength === 0) resolve();
        else parts.push(event.data);
      };
      data.pieces.postMessage("begin");
    });
    return new Blob(parts).text();
  }

  /** The file that is shown, which `save` writes. */
  opened({ id }) {
    this.#current = id;
  }

  /** `bytes`: a Blob; `asCopy`: asks where to. Undefined when nobody chose a place. */
  async save(name, bytes, { asCopy }) {
    const saving = await this.#bridge.beginSave(this.#current, bytes.size, asCopy, name);
    if (saving === undefined) return undefined;
    try {
      for (let offset = 0; offset < bytes.size; offset += PIECE)
        // Each in a buffer of its own: a view would take the whole save along, through both the bridge and the message.
        await this.#bridge.sendPiece(saving, new Uint8Array(await bytes.slice(offset, offset + PIECE).arrayBuffer()));
    } catch (error) {
      await this.#bridge.abortSave(saving);
      throw error;
    }
    const { id, name: saved, backup } = await this.#bridge.endSave(saving);
    this.#current = id;
    return { name: saved, note: backup ? `saved, the version before is ${backup}` : "saved" };
  }

  setState(state) {
    this.#bridge.setState(state);
  }
}
