// What the window can do, and what it shows of it.
import { showBreadcrumbs } from "./breadcrumbs.js";
import { Changes } from "./changes.js";
import { showDetails } from "./details.js";
import { Editor } from "./editor.js";
import { byId, countText, enable, focusTree, isolated, setProgress } from "./elements.js";
import { showFile, showNoFile } from "./file-title.js";
import { FIELDS } from "./keyboard.js";
import { focusScreen, showEmpty, showError, showLoading, showLoadingProgress, showTree } from "./screens.js";
import { SearchBar } from "./search-bar.js";
import { showShortcuts } from "./shortcuts.js";
import { releaseText, showRows, showStatus, showStatusText, showWritten } from "./status-bar.js";
import { switchTheme } from "./theme.js";
import { clearToast, listenToToast, showToast } from "./toast.js";
import { TreeView } from "./tree-view.js";
import { WorkerLink } from "./worker-link.js";

function jsonOf(name, text) {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`${name} is not JSON: ${error.message}`);
  }
}

export class App {
  #host;
  #link;
  #tree;
  #search;
  #editor;
  #changes;
  /** The open save as the worker describes it. */
  #summary;
  #milliseconds = 0;
  /** What is known about the selected value. */
  #details;
  /** The end of what has the save to itself: reading, writing, comparing. Undefined: nothing has. */
  #busy;
  /** The file that was given last while something had. */
  #waiting;
  /** The end of the edits, steps and saves that are under way. */
  #orders = Promise.resolve();
  /** How many of them have ended that may have changed values. */
  #ended = 0;
  /** The save that is under way, `{ asCopy }`, if nothing else has been asked for behind it. */
  #lastSave;
  /** How many files have been opened: what was meant for one is not for the next. */
  #opened = 0;
  /** How many have been tried. */
  #tried = 0;

  constructor(host) {
    this.#host = host;
    this.#link = new WorkerLink((event, data) => this.#onEvent(event, data));
    this.#tree = new TreeView(byId("tree"), this.#link, {
      onSelect: (path) => this.#onSelect(path),
      onEdit: (row, index) => this.#beginEdit(row, index),
      onToggle: (row) => void this.#editor.toggle(row),
      onRefused: (reason) => showToast(reason),
    });
    this.#search = new SearchBar(this.#link, this.#tree);
    this.#editor = new Editor(this.#tree, {
      commit: (path, text) => this.#commit(path, text),
      onGivenUp: (reason) => showToast(reason, true),
      onChanged: () => this.#tellHost(),
    });
    this.#changes = new Changes(this.#link, {
      onGo: (path) => this.#tree.go(path),
      onLeave: () => focusTree(),
      onClose: () => this.#endComparison(),
    });
    for (const command of ["open", "save", "undo", "redo", "compare", "shortcuts", "theme"])
      byId(`do-${command}`).addEventListener("click", () => this.run(command, true));
    // What is typed stays open until it is known whether it can be kept: a value that is refused is not saved without.
    for (const command of ["save", "undo", "redo"]) byId(`do-${command}`).addEventListener("mousedown", (event) => event.preventDefault());
    host.listen(
      (command) => this.run(command),
      (source) => this.open(source),
    );
    const focusShown = () => (this.isShown ? focusTree() : focusScreen());
    listenToToast(focusShown);
    const dialog = byId("shortcuts");
    dialog.addEventListener("close", () => {
      const { activeElement, body } = document;
      // What had the focus before is gone: an editor, which was left for the dialog.
      if (activeElement === body || dialog.contains(activeElement)) focusShown();
    });
    addEventListener("copy", (event) => this.#copy(event));
    // A click on what takes no focus takes it from the tree, too.
    addEventListener("click", () => {
      if (this.isShown && document.activeElement === document.body) focusTree();
    });
    void this.#showEmpty();
  }

  /** Is there a save, and nothing in front of it? */
  get isShown() {
    return this.#summary !== undefined && document.body.dataset.screen === "tree";
  }

  /** A command of a button, a key or the menu; those of buttons are never for the field that has the focus. */
  run(command, isButton = false) {
    const dialog = byId("shortcuts");
    // It hides the save: nobody would see what is done to it.
    if (dialog.open && command !== "open" && command !== "theme") return;
    if (command === "open") dialog.close();
    clearToast();
    const isStep = command === "undo" || command === "redo";
    if (command === "theme") switchTheme();
    else if (command === "shortcuts") void this.#showShortcuts();
    else if (isStep && !isButton && document.activeElement?.matches(FIELDS)) document.execCommand(command);
    else if (command === "open") void this.#pick();
    else if (!this.isShown) return;
    else if (isStep) void this.#step(command);
    else if (command === "save" || command === "save-as") void this.#save(command === "save-as");
    else if (!this.#busy)
      void {
        find: () => this.#search.focus(),
        compare: () => this.#pickOther(),
        "next-change": () => this.#toChange(1),
        "previous-change": () => this.#toChange(-1),
      }[command]?.();
  }

  /** A value that is refused is not given up for it: nobody would see behind the list what is wrong. */
  async #showShortcuts() {
    if ((await this.#editor.keep()) && !byId("shortcuts").open) showShortcuts(this.#host.platform);
  }

  /** Opens what the change lies in: the row of an open editor would be another one. */
  async #toChange(direction) {
    if (await this.#editor.keep()) this.#changes.step(direction);
  }

  #onEvent(event, data) {
    if (event === "loading") {
      showLoadingProgress(data);
      this.#progress(data.phase === "reading" ? data.share : data.loaded / data.total);
    } else if (event === "comparing") {
      // One that was ended may still tell.
      if (this.#busy || this.#changes.isOpen) this.#progress(data.share);
    } else if (event === "searching") this.#search.onProgress(data);
  }

  /** The line below the toolbar: 0 to 1, undefined: no telling, null: nothing under way. */
  #progress(share) {
    const bar = byId("progress");
    bar.hidden = share === null;
    if (share !== null) setProgress(bar, share);
  }

  /** What went on beside everything else has ended. */
  #endProgress() {
    if (!this.#busy) this.#progress(null);
  }

  /** Does `work` while nothing else may begin. */
  async #alone(work) {
    let end;
    this.#busy = new Promise((resolve) => (end = resolve));
    this.#progress(undefined);
    try {
      return await work();
    } finally {
      this.#busy = undefined;
      this.#progress(null);
      end();
    }
  }

  /** Takes a file when what is under way has come to its end, unless another one has been given by then. */
  async #inTurn(source, work) {
    // One that was dropped, or that the system gives: nobody would see it behind the list of keys.
    byId("shortcuts").close();
    this.#waiting = source;
    if (this.#busy) showToast(`${source.name} is next, as soon as ${this.isShown ? "this is done" : "the other file is read"}`);
    while (this.#busy) await this.#busy;
    if (this.#waiting === source) await this.#alone(work);
  }

  /** Resolves with false where a file has come before the recent ones were known. */
  async #showEmpty() {
    const tried = this.#tried;
    const recent = await this.#host.recent();
    if (tried !== this.#tried) return false;
    showNoFile();
    showStatusText("Ready");
    showEmpty({
      recent,
      onOpen: () => this.run("open"),
      onRecent: (index) => this.#openRecent(index),
      onExample: () => this.#alone(() => this.#read("example.sav", "example")),
    });
    return true;
  }

  /** As {@link #showEmpty}, for those who have left something. */
  async #leaveToEmpty() {
    if (await this.#showEmpty()) focusScreen();
  }

  async #openRecent(index) {
    try {
      await this.open(await this.#host.openRecent(index));
    } catch (error) {
      showToast(error.message, true);
      // One that is gone is in the list no more; another file may have been opened meanwhile.
      if (document.body.dataset.screen === "empty") await this.#leaveToEmpty();
    }
  }

  async #pick() {
    try {
      const source = await this.#host.pick("save");
      if (source) await this.open(source);
    } catch (error) {
      showToast(error.message, true);
    }
  }

  /** Files that were dropped: the `save` to open, or the `other` to compare with. */
  async takeFiles([file, ...others], what) {
    clearToast();
    if (!file) {
      showToast("nothing of this is a file", true);
      return;
    }
    try {
      const source = this.#host.dropped(file, what);
      if (what === "other") await this.#compare(source);
      else await this.open(await source);
      if (others.length > 0) showToast(`${countText(others.length, "more file")} left out: one at a time`);
    } catch (error) {
      showToast(error.message, true);
    }
  }

  /** Is there anything that would be lost? */
  get #isChanged() {
    return this.#editor.isChanged || this.#summary?.history.isChanged === true;
  }

  #tellHost() {
    if (this.#summary) this.#host.setState({ name: isolated(this.#summary.name), edited: this.#isChanged });
  }

  #mayLeave() {
    return !this.#isChanged || confirm("The open save has changes that are not saved. Open another file and lose them?");
  }

  async open(source) {
    if (!source) return;
    await this.#inTurn(source, () => this.#read(source.name, "open", { source: source.data }, source));
  }

  /** `source`: undefined for the example; `schemas`: the file that they are from. */
  async #read(name, operation, data, source, schemas) {
    const tried = ++this.#tried;
    clearToast();
    // Before the focus goes, which the window may not have.
    void this.#editor.leave();
    showLoading(name);
    try {
      const { milliseconds } = await this.#link.call(operation, { ...data, number: tried }, schemas ? [] : source?.transfer);
      // Asked only now: a file that cannot be read takes nothing away.
      if (!this.#mayLeave()) {
        this.#goBack();
        await this.#link.call("leave");
        return;
      }
      this.#editor.close();
      // What was found in the save before is nothing to open in this one.
      this.#search.enable(false);
      const summary = await this.#link.call("take");
      this.#host.opened?.(source ?? {});
      this.#opened++;
      this.#milliseconds = milliseconds;
      this.#changes.close();
      showTree();
      this.#describe(summary);
      this.#search.enable(true);
      await this.#tree.begin(name, summary.total);
      focusTree();
    } catch (error) {
      showFile(name, "cannot be read");
      showStatusText("Nothing is shown of this file");
      showError(name, error.report ?? { message: error.message }, {
        schemas: schemas?.name,
        behind: this.#summary?.name,
        onOpen: () => this.run("open"),
        onSchemas: () => this.#openWithSchemas(name, source, tried),
        onBack: () => this.#goBack(),
      });
    }
  }

  /** To the save that is still open, if there is one. */
  #goBack() {
    if (!this.#summary) {
      void this.#leaveToEmpty();
      return;
    }
    showTree();
    this.#describe(this.#summary);
    showRows(this.#tree.index, this.#tree.list.total);
    focusTree();
  }

  /** The worker has the bytes of the file that was `tried`; what was missing are the schemas. */
  async #openWithSchemas(name, source, tried) {
    try {
      const chosen = await this.#host.pick("schemas");
      if (!chosen) return;
      const schemas = jsonOf(chosen.name, await this.#host.text(chosen));
      // Another file has come while somebody chose: it is neither read by these schemas nor taken away.
      if (tried !== this.#tried) showToast(`${chosen.name} was chosen for ${name}, which is no longer shown`);
      else await this.#inTurn(chosen, () => this.#read(name, "open", { source: "again", of: tried, schemas }, source, chosen));
    } catch (error) {
      showToast(error.message, true);
    }
  }

  #describe(summary) {
    this.#summary = summary;
    showStatus(summary, this.#milliseconds);
    this.#showHistory(summary.history);
    byId("do-compare").disabled = false;
  }

  #showHistory(history) {
    this.#summary.history = history;
    showWritten(history);
    const { edits, isChanged } = history;
    // An edit may end while an error of another file is shown.
    if (this.isShown) showFile(this.#summary.name, isChanged ? `${countText(edits, "edit")}, not saved` : "no changes", isChanged);
    enable(byId("do-undo"), history.canUndo);
    enable(byId("do-redo"), history.canRedo);
    byId("do-save").disabled = false;
    this.#tellHost();
  }

  async #onSelect(path) {
    // What is copied before they are there would be another value.
    this.#details = undefined;
    const details = await this.#link.call("details", { path });
    if (!details || !this.#tree.isSelected(path)) return;
    this.#details = details;
    showBreadcrumbs(this.#summary.name, path, details.steps, (to) => this.#tree.go(to));
    showDetails(details, async () => {
      const { row, index } = await this.#tree.current();
      if (row) void this.#beginEdit(row, index);
    });
    if (this.isShown) showRows(this.#tree.index, this.#tree.list.total);
  }

  /** The selected value, in the list of changes that of the selected change; what is marked as text is copied as anywhere. */
  #copy(event) {
    const { hasFocus, selected } = this.#changes;
    const isOfChange = hasFocus && selected !== undefined;
    if (!(document.activeElement === byId("tree") || hasFocus) || !getSelection().isCollapsed) return;
    if (hasFocus && !isOfChange) {
      showToast("not copied: no change is selected", true);
      return;
    }
    event.preventDefault();
    if (isOfChange && selected.kind === "removed") {
      showToast("not copied: this value is in the other save alone", true);
      return;
    }
    if (!this.#details || (isOfChange && !this.#tree.isSelected(selected.path))) {
      showToast("not copied: what is selected is still on its way", true);
      return;
    }
    const { count, text, isWhole, full, length } = this.#details;
    if (length > full.length) showToast("this text is too long to be copied from the tree", true);
    else if (count !== undefined && !isWhole) showToast("this path is too long to be copied from the tree", true);
    else event.clipboardData.setData("text/plain", count === undefined ? full : text || "(root)");
  }

  async #beginEdit(row, index) {
    const opened = this.#opened;
    const text = await this.#link.call("wholeText", { path: row.path });
    // The row may be one of another file's by now, or of none.
    if (this.isShown && opened === this.#opened) this.#editor.open(row, index, text);
  }

  /** Resolves with what is wrong, undefined when it was good. */
  #commit(path, text) {
    clearToast();
    return this.#inOrder(async (isOpen) => {
      // Somebody was asked, and gave it up.
      if (!isOpen) return undefined;
      try {
        await this.#afterEdit(await this.#link.call(text === undefined ? "toggle" : "edit", { path, text }));
        return undefined;
      } catch (error) {
        return error.message;
      }
    });
  }

  /** Undo and redo go step by step, however fast the key repeats. */
  async #step(direction) {
    const kept = this.#editor.keep();
    try {
      await this.#inOrder((isOpen) => isOpen && this.#stepOnce(direction), kept);
    } catch (error) {
      showToast(error.message, true);
    }
  }

  /** Does `work(isOpen)` behind the edits, steps and saves before it; `isOpen`: it is the same save still, and what was typed is `kept`. */
  #inOrder(work, kept = true) {
    const opened = this.#opened;
    const done = this.#orders.then(async () => {
      const isKept = await kept;
      while (this.#busy) await this.#busy;
      return work(isKept && opened === this.#opened);
    });
    this.#orders = done.catch(() => undefined);
    this.#lastSave = undefined;
    return done;
  }

  async #stepOnce(direction) {
    const { history } = this.#summary;
    if (!(direction === "undo" ? history.canUndo : history.canRedo)) return;
    // What somebody has begun to type while the step waited is no part of it.
    if (!this.#editor.isTyped) this.#editor.close();
    const done = await this.#link.call(direction);
    // Nobody is led away from what they type, and nothing is opened above it.
    if (!this.#editor.isOpen) await this.#tree.go(done.path);
    await this.#afterEdit(done);
  }

  async #afterEdit({ history }) {
    const { nextRelease, changesMore } = this.#summary.history;
    this.#showHistory(history);
    this.#ended++;
    if (this.isShown && history.nextRelease && !nextRelease)
      showToast(`the file is of ${releaseText(history.release)}; it will be written as ${history.nextRelease}`);
    if (this.isShown && history.changesMore && !changesMore)
      showToast("this file holds something that is written in another way: the save will differ in more than the edit");
    await this.#tree.refresh();
    await this.#onSelect(this.#tree.selected);
    this.#search.again();
    if (this.#changes.isOpen) void this.#compareAgain();
  }

  async #save(asCopy) {
    const kept = this.#editor.keep();
    // A key that repeats saves once.
    if (this.#lastSave?.asCopy === asCopy) return;
    const done = this.#inOrder((isOpen) => isOpen && this.#alone(() => this.#write(asCopy)), kept);
    const save = { asCopy };
    this.#lastSave = save;
    await done;
    if (this.#lastSave === save) this.#lastSave = undefined;
  }

  async #write(asCopy) {
    try {
      const bytes = await this.#link.call("bytes");
      const saved = await this.#host.save(this.#summary.name, bytes, { asCopy });
      if (!saved) return;
      const { release } = this.#summary.history;
      const summary = await this.#link.call("saved", { name: saved.name });
      this.#describe(summary);
      this.#tree.rootName = summary.name;
      await this.#afterEdit(summary);
      const written = summary.history.release;
      showToast(`${summary.name} ${saved.note}${written === release ? "" : `, written as ${releaseText(written)} (it was ${release})`}`);
    } catch (error) {
      showToast(`not saved: ${error.message}`, true);
    }
  }

  async #pickOther() {
    try {
      await this.#compare(this.#host.pick("other"));
    } catch (error) {
      showToast(error.message, true);
    }
  }

  /** `chosen`: the file, as soon as somebody has chosen it. */
  async #compare(chosen) {
    const tried = this.#tried;
    const source = await chosen;
    if (!source) return;
    // It was chosen for the save that was shown then.
    if (tried !== this.#tried) throw new Error(`not compared: ${source.name}: another file has come meanwhile`);
    await this.#inTurn(source, () => this.#readOther(source));
  }

  async #readOther({ name, data, transfer }) {
    const ended = this.#ended;
    const result = await this.#link.call("compare", { source: data }, transfer).catch((error) => {
      throw new Error(`not compared: ${name}: ${error.message}`);
    });
    if (!result) return;
    this.#changes.show(result);
    // Nobody is taken away from what they are typing, or from where they go as soon as the changes are there.
    if (!document.activeElement?.matches(FIELDS)) this.#changes.focus();
    await this.#tree.refresh();
    // An edit that had waited for the same end was made beside it.
    if (ended !== this.#ended) void this.#compareAgain();
  }

  async #compareAgain() {
    const result = await this.#link.call("compareAgain");
    // Another edit has begun another one, or nobody wants it any more.
    if (!result) return;
    this.#endProgress();
    if (!this.#changes.isOpen) return;
    await this.#changes.renew(result);
    await this.#tree.refresh();
  }

  async #endComparison() {
    focusTree();
    this.#changes.close();
    this.#endProgress();
    await this.#link.call("stopComparing");
    await this.#tree.refresh();
  }
}
