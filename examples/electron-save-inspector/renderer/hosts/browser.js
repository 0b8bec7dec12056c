// The inspector as a page in a browser: files by input and drop, saving as a download. Nothing leaves the computer.
import { byId } from "../elements.js";

const MOST_RECENT = 6;

/** Asks for a file by the input with this id; undefined when nobody chose one. Asked again meanwhile, only the later question has an answer. */
function pick(id) {
  const input = byId(id);
  input.value = "";
  return new Promise((resolve) => {
    input.onchange = input.oncancel = () => resolve(input.files[0]);
    input.click();
  });
}

function source(file) {
  // The worker reads the file; the page holds the handle alone.
  return { name: file.name, data: { name: file.name, file }, transfer: [] };
}

export class BrowserHost {
  #recent = [];
  #edited = false;
  /** Were changes given to the browser's downloads? Nobody tells whether they are kept there. */
  #isDownloaded = false;
  platform = "browser";

  constructor() {
    addEventListener("beforeunload", (event) => {
      if (this.#edited || this.#isDownloaded) event.preventDefault();
    });
  }

  listen() {}

  async pick(what) {
    const file = await pick({ save: "pick", other: "pick-other", schemas: "pick-schemas" }[what]);
    return file && this.#take(file, what);
  }

  dropped(file, what) {
    return this.#take(file, what);
  }

  #take(file, what) {
    if (what === "save") this.#recent = [file, ...this.#recent.filter((known) => known.name !== file.name)].slice(0, MOST_RECENT);
    return source(file);
  }

  /** Files of this visit; a page may keep no others. */
  async recent() {
    return this.#recent.map((file) => ({ name: file.name, folder: "" }));
  }

  async openRecent(index) {
    return source(this.#recent[index]);
  }

  async text({ data }) {
    return data.file.text();
  }

  /** Where a page may not write, the browser's downloads are the place. */
  async save(name, bytes) {
    this.#isDownloaded ||= this.#edited;
    const url = URL.createObjectURL(bytes.slice(0, bytes.size, "application/octet-stream"));
    const link = document.createElement("a");
    link.href = url;
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(url), 10_000);
    return { name, note: "downloaded" };
  }

  /** Another file: what was there before is over. */
  opened() {
    this.#isDownloaded = false;
  }

  setState({ edited }) {
    this.#edited = edited;
  }
}
