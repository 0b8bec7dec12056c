// The open save: its values, what has been changed, and the bytes that stand for it.
import { TuskError } from "tusk-codec";
import { formatOf } from "./formats/index.js";
import { EditError } from "./formats/scalars.js";
import { OpenRows } from "./open-rows.js";

/**
 * Saves up to this size are written as a whole before the first edit, to see whether that makes the bytes of the file; and after each edit, and read
 * again, where only the format's writer knows what a field may hold.
 */
const CHECKED = 16 << 20;

function isEqual(a, b) {
  return a.length === b.length && a.every((byte, i) => byte === b[i]);
}

export class OpenSave {
  /** Edits: the path, the container that the value stands in, which may have others, too, and the value before and after. */
  #edits = [];
  /** How many of them are in force. */
  #position = 0;
  /** The bytes of the save as of some positions: the file itself, and what was saved last. */
  #known = new Map();
  /** The release of the file as it is on the disk. */
  #release;
  /** Is the content as it was opened written with the file's bytes? Known from the first edit on. */
  #isKept;
  /** What reading has warned of, by the bytes that were read. */
  #warnings = new WeakMap();
  /** What the bytes to save hold otherwise than it was typed, by those bytes: the number of an edit, and the value there, `{ at, value }`. */
  #rounded = new WeakMap();
  /** Are the bytes on the disk those of the writer? */
  #isWritten = false;
  /** The position that was saved last; and the edits behind it that were saved, too, but can be reached no more. */
  #saved = { position: 0, beyond: [] };

  constructor(name, bytes, detection, format, content) {
    this.name = name;
    this.detection = detection;
    this.format = format;
    this.view = format.view;
    this.content = content;
    this.size = bytes.length;
    this.#known.set(0, bytes);
    this.#warnings.set(bytes, content.warnings);
    this.#release = this.nextRelease;
    this.rows = new OpenRows((value) => this.view.contents(value), content.value);
  }

  /** Reads a save; `onProgress` gets 0 to 1 where the format tells. Throws the codec's TuskError. */
  static async read(name, bytes, schemas, onProgress) {
    if (bytes.length === 0) throw new TuskError("tusk", "unknown-format", "the file is empty");
    const { detection, format } = formatOf(bytes);
    return new OpenSave(name, bytes, detection, format, await format.read(bytes, detection, schemas, onProgress));
  }

  get root() {
    return this.content.value;
  }

  /** The release that is written now: that of the file as long as its bytes are, since an older one may be read, but not written. */
  get nextRelease() {
    const release = this.content.release ?? this.detection.release;
    return this.#position === 0 ? release : (this.format.writtenRelease?.(release) ?? release);
  }

  get history() {
    const { position, beyond } = this.#saved;
    const edits = Math.abs(this.#position - position) + beyond.length;
    return {
      /** Steps from what is saved. */
      edits,
      canUndo: this.#position > 0,
      canRedo: this.#position < this.#edits.length,
      isChanged: edits > 0,
      release: this.#release,
      /** Undefined where it is the same. */
      nextRelease: edits > 0 && this.nextRelease !== this.#release ? this.nextRelease : undefined,
      /** Not only what was edited will have other bytes than it has on the disk. */
      changesMore: edits > 0 && this.#position > 0 && this.#isKept === false && !this.#isWritten,
    };
  }

  /** The value at `path`, with the contents it stands in; the values above it from the root on, and the contents of those. */
  at(path) {
    return this.#in(this.root, path, this.rows.top);
  }

  /** `open`: the root as an open container, which has its contents at hand. */
  #in(root, path, open = undefined) {
    let value = root;
    const above = [];
    const containers = [];
    for (const ordinal of path) {
      const contents = open?.contents ?? this.view.contents(value);
      if (!contents || ordinal >= contents.count) return undefined;
      above.push(value);
      containers.push(contents);
      value = contents.value(ordinal);
      open = open?.open.get(ordinal);
    }
    return { value, contents: containers.at(-1), above, containers };
  }

  /** What a format has to know of a place beside the value there. */
  #placeOf(contents, ordinal) {
    return { schemas: this.content.schemas, contents, ordinal };
  }

  /** What is shown of a value, whose type may be that of the place: `ordinal` of `contents`. */
  look(value, contents, ordinal) {
    return this.view.look(value, this.#placeOf(contents, ordinal));
  }

  #set(path, value) {
    if (path.length === 0) this.content.value = this.rows.root = value;
    else this.at(path).contents.set(path.at(-1), value);
  }

  /** Gives the scalar at `path` the value that `text` means; false when it has it already. Throws an EditError or a TuskError. */
  async edit(path, text) {
    const { value, contents, above } = this.at(path);
    const { editable } = this.view.look(value);
    if (!editable) throw new EditError("this value cannot be edited");
    if (this.view.scalarText(value) === text) return false;
    if (contents && !contents.set) throw new EditError("this value cannot be edited here");
    const before = this.#valueOf(value);
    let after = await this.view.parse(value, text, { ...this.#placeOf(contents, path.at(-1)), above });
    if (this.#isSame(before, after)) return false;
    this.#isKept ??= await this.#isWrittenAsItWas();
    this.#set(path, after);
    if (this.view.checkWhole && this.size <= CHECKED) {
      try {
        after = await this.#stored(path, before, after);
      } catch (error) {
        this.#set(path, before);
        throw error;
      }
      const isSame = this.#isSame(before, after);
      this.#set(path, isSame ? before : after);
      if (isSame) return false;
    }
    for (const position of this.#known.keys()) if (position > this.#position) this.#known.delete(position);
    const { position, beyond } = this.#saved;
    if (position > this.#position) {
      const lost = this.#edits.slice(this.#position, position);
      this.#saved = { position: this.#position, beyond: [...lost, ...beyond] };
    }
    this.#edits.length = this.#position;
    this.#edits.push({ path, parent: above.at(-1), before, after });
    this.#position++;
    return true;
  }

  /** Gives the bool at `path` the other one of true and false. */
  toggle(path) {
    const { value } = this.at(path);
    const isTrue = this.view.isTrue?.(value) ?? this.view.scalarText(value) === "true";
    return this.edit(path, String(!isTrue));
  }

  /** Asked before the first edit. Where it is not known it is taken for granted: for large saves, and for those that become another release's. */
  async #isWrittenAsItWas() {
    const { format, content } = this;
    const release = content.release ?? this.detection.release;
    if (this.size > CHECKED || (format.writtenRelease?.(release) ?? release) !== release) return true;
    const packed = (bytes) => format.packed?.(bytes, content) ?? bytes;
    try {
      return isEqual(await packed(await format.write(content)), await packed(this.#known.get(0)));
    } catch {
      // What cannot be written is told when it is saved.
      return true;
    }
  }

  /** What a save of now, with `typed` at `path`, holds there: a number in fewer bits, or with fewer digits, is another there. */
  async #stored(path, before, typed) {
    const { view, format, content } = this;
    const bytes = await format.write(content);
    const { value: root } = await format.read(bytes, this.detection, content.schemas);
    const found = this.#in(root, view.storedPath?.(content.value, path) ?? path);
    const stored = found && this.#valueOf(found.value);
    if (found && (this.#isSame(typed, stored) || this.#isSame(before, stored))) return stored;
    // In its place it must make the same save, or it is another value's.
    if (found) this.#set(path, stored);
    if (!found || !isEqual(await format.write(content), bytes)) throw new EditError("a save cannot hold this value here");
    return stored;
  }

  /** What an edit puts in place of another: a part of the value where the format says so. */
  #valueOf(value) {
    return this.view.current?.(value) ?? value;
  }

  /** `1.0` typed where 1 stands is no edit. */
  #isSame(before, after) {
    const { view } = this;
    if (view.current) return Object.keys(after).every((field) => Object.is(before[field], after[field]));
    return view.kind(before) === view.kind(after) && view.scalarText(before) === view.scalarText(after);
  }

  /** Takes an edit back; returns its path. */
  undo() {
    const edit = this.#edits[this.#position - 1];
    if (!edit) return undefined;
    this.#set(edit.path, edit.before);
    this.#position--;
    return edit.path;
  }

  redo() {
    const edit = this.#edits[this.#position];
    if (!edit) return undefined;
    this.#set(edit.path, edit.after);
    this.#position++;
    return edit.path;
  }

  /** What was edited since the last save: ordinals by the container that they count in, wherever that stands. Both are undefined for the root. */
  edited() {
    const { position, beyond } = this.#saved;
    const between = this.#edits.slice(Math.min(position, this.#position), Math.max(position, this.#position));
    const edited = new Map();
    for (const { path, parent } of [...between, ...beyond]) {
      const ordinals = edited.get(parent);
      if (ordinals) ordinals.add(path.at(-1));
      else edited.set(parent, new Set([path.at(-1)]));
    }
    return edited;
  }

  /** The bytes to save: where nothing is changed those of the file, else written anew. */
  async bytes() {
    let bytes = this.#known.get(this.#position);
    if (!bytes) {
      bytes = await this.format.write(this.content);
      // What cannot be read again must not take the place of what could.
      const { value, warnings } = await this.format.read(bytes, this.detection, this.content.schemas);
      this.#warnings.set(bytes, warnings);
      if (this.view.checkWhole) this.#rounded.set(bytes, this.#roundedIn(value));
    }
    return bytes;
  }

  /** Which edits in force have put in what stands otherwise in `root`: in large saves that is not known before. */
  #roundedIn(root) {
    const { view, content } = this;
    const inForce = this.#edits.slice(0, this.#position).entries();
    return [...inForce].flatMap(([at, { path, after }]) => {
      const { value: mine } = this.at(path);
      const found = this.#in(root, view.storedPath?.(content.value, path) ?? path);
      // Another edit of the same value may have come behind it.
      if (!found || view.kind(found.value) !== view.kind(mine) || !this.#isSame(after, this.#valueOf(mine))) return [];
      const value = this.#valueOf(found.value);
      return this.#isSame(after, value) ? [] : [{ at, value }];
    });
  }

  /** Puts in what the bytes hold, for undo and redo, too. */
  #round({ at, value }) {
    const { path, parent } = this.#edits[at];
    this.#edits[at].after = value;
    const next = this.#edits.slice(at + 1).find((edit) => edit.parent === parent && edit.path.at(-1) === path.at(-1));
    if (next) next.before = value;
    this.#set(path, value);
  }

  /** The bytes are on the disk now. */
  saved(bytes) {
    for (const position of this.#known.keys()) if (position !== 0) this.#known.delete(position);
    this.#known.set(this.#position, bytes);
    this.#release = this.nextRelease;
    this.#isWritten = this.#position > 0;
    this.#saved = { position: this.#position, beyond: [] };
    this.content.warnings = this.#warnings.get(bytes);
    for (const rounded of this.#rounded.get(bytes) ?? []) this.#round(rounded);
    this.size = bytes.length;
  }
}
