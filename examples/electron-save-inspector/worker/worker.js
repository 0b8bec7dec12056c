// The worker: reads, keeps and writes the save. The page asks for the rows that it shows, so a save of any size costs it nothing.
import { createElephant } from "tusk-codec";
import { Comparison } from "./compare.js";
import { errorReport } from "./error-report.js";
import { exampleSave } from "./example.js";
import { formatOf } from "./formats/index.js";
import { beginning, firstText, shortened } from "./formats/scalars.js";
import { OpenSave } from "./open-save.js";
import { pathText, shownSteps } from "./path-text.js";
import { pathBehind, pathOf, ROOT } from "./places.js";
import { Search } from "./search.js";
import { inSlices, seldom } from "./slices.js";
import { readSource } from "./sources.js";

/** Rows that one request may ask for. */
const MOST_ROWS = 400;
/** Containers that are opened at once. */
const MOST_OPENED = 5000;
/** Children looked at for the preview of a container. */
const PREVIEW_LOOKED_AT = 12;
/** How much of either end of a long path the details show. */
const LONGEST_PATH = 10_000;
/** How much of a long text the details show. */
const LONGEST_TEXT = 20_000;
/** Longer texts are not edited in a field. */
const LONGEST_EDIT = 1_000_000;
/** How much of a text a preview shows. */
const LONGEST_PREVIEW = 24;

let save;
/** A save that was read, and has not taken the place of the open one yet. */
let read;
/** The file that could not be opened last, with its `number`, to be tried again with schemas; what is read meanwhile is another. */
let failed;
let other;
let comparison;
let search;
let stopSearch = { stopped: true };
let stopComparison = { stopped: true };

function tell(event, data) {
  postMessage({ event, data });
}

/** Why a scalar cannot be edited here; undefined: it can. */
function refusal(value, { type, editable }) {
  if (type === "undefined") return "there is no value to edit here";
  if (!editable) return `values of type ${type} cannot be edited`;
  return save.view.scalarText(value).length > LONGEST_EDIT ? "this text is too long to be edited here" : undefined;
}

/** One row as the page draws it. */
function drawn({ keep, rest, label, name, siblings, value, parent, around, contents: open, isInside }, mark, edited) {
  const look = save.look(value, around, rest.at(-1));
  const contents = open ?? save.view.contents(value);
  const { type, text, title } = look;
  const row = { keep, rest, label, name: shortened(name), siblings, type, text, title: title && shortened(title), mark };
  row.isEdited = edited.get(parent)?.has(rest.at(-1)) === true;
  if (!contents) row.refusal = refusal(value, look);
  else {
    row.count = contents.count;
    row.open = open !== undefined;
    row.preview = preview(contents);
    row.id = save.view.id?.(value);
    if (isInside) row.circular = true;
  }
  return row;
}

/** The first scalars of a struct, so that one item of an array can be told from the next. */
function preview(contents) {
  const shown = [];
  const isList = contents.label === "index";
  for (let i = 0; i < Math.min(contents.count, PREVIEW_LOOKED_AT) && shown.length < (isList ? 8 : 3); i++) {
    const value = contents.value(i);
    if (save.view.contents(value)) continue;
    const { text } = save.view.look(value);
    const short = text.length > LONGEST_PREVIEW ? `${beginning(text, LONGEST_PREVIEW - 1)}…` : text;
    const name = shortened(contents.name(i));
    shown.push(isList ? short : `${name.trim() === "" ? JSON.stringify(name) : name}: ${short}`);
  }
  return shown.join(", ");
}

function summary() {
  const { name, size, format, content } = save;
  return {
    name,
    size,
    format: format.title,
    form: content.form,
    engine: format.hasEngine === false ? undefined : (content.engine ?? engine),
    warnings: content.warnings ?? [],
    total: save.rows.total,
    history: save.history,
  };
}

/** The engine of this place, for formats that do not tell. */
let engine;

function decoding(total) {
  tell("loading", { phase: "reading", total });
  return seldom((share) => tell("loading", { phase: "reading", total, share }));
}

/** The file with this number, if it is the one that failed last: another one has its own name, and its own place to be saved to. */
function again(number) {
  if (failed?.number !== number) throw new Error("another file has been opened since; choose this one again");
  return failed;
}

/** `number`: of the page, for this try; `of`: of the try that is made again. `about`: what an error is shown with. */
async function open({ source, schemas, number, of }, about = {}) {
  engine ??= (await createElephant({ codeGeneration: false })).engine;
  const { name, bytes } = source === "again" ? again(of) : await readSource(source, (progress) => tell("loading", progress));
  about.bytes = bytes;
  failed = { number, name, bytes };
  const start = performance.now();
  read = await OpenSave.read(name, bytes, schemas, decoding(bytes.length));
  // What was told last may have been the beginning.
  tell("loading", { phase: "reading", total: bytes.length, share: 1 });
  failed = undefined;
  return { milliseconds: performance.now() - start };
}

async function runComparison() {
  stopComparison.stopped = true;
  const signal = { stopped: false };
  stopComparison = signal;
  const made = new Comparison({ view: save.view, root: save.root }, { view: other.view, root: other.root });
  const report = seldom(() => tell("comparing", { count: made.count, share: made.progress }));
  const whole = await inSlices(made.run(), signal, report);
  if (!whole) return undefined;
  comparison = made;
  return { name: other.name, count: made.count, counts: made.counts, kept: made.differences.length };
}

function afterEdit(path) {
  return { path, history: save.history };
}

const operations = {
  /** Reads; `take` shows what was read. */
  open,

  async example({ number }) {
    return open({ source: { name: "example.sav", bytes: await exampleSave() }, number });
  },

  take() {
    stopSearch.stopped = stopComparison.stopped = true;
    comparison = other = search = undefined;
    save = read;
    read = pending = undefined;
    return summary();
  },

  /** Nobody wants it. */
  leave() {
    read = undefined;
  },

  rows({ first, count }) {
    const rows = save.rows.rows(first, Math.min(count, MOST_ROWS));
    const marks = comparison?.marksOf(rows) ?? [];
    const edited = save.edited();
    return { first, total: save.rows.total, rows: rows.map((row, i) => drawn(row, marks[i], edited)) };
  },

  setOpen({ path, open: wanted }) {
    if (wanted) save.rows.open(path);
    else save.rows.close(path);
    return { total: save.rows.total };
  },

  openChildren({ path }) {
    const isAll = save.rows.openChildren(path, MOST_OPENED);
    return { total: save.rows.total, only: isAll ? undefined : MOST_OPENED };
  },

  /** Opens what lies above `path`; the row it has then. */
  reveal({ path }) {
    save.rows.reveal(path);
    return { row: save.rows.rowOf(path), total: save.rows.total };
  },

  /** Everything about one value. */
  details({ path }) {
    const found = save.at(path);
    if (!found) return undefined;
    const { value, contents: around, containers } = found;
    const stepAt = (i) => [containers[i].label, containers[i].name(path[i])];
    const look = save.look(value, around, path.at(-1));
    const contents = save.view.contents(value);
    const text = contents ? { full: "", length: 0 } : firstText(save.view, value, LONGEST_TEXT);
    return {
      ...pathText(path.length, stepAt, LONGEST_PATH),
      steps: shownSteps(path.length, stepAt),
      type: look.type,
      // What the format calls it: a grid is shown as a struct.
      kind: contents && save.view.kind(value),
      title: look.title && shortened(look.title),
      note: look.note,
      count: contents?.count,
      summary: look.holds ?? look.text,
      ...text,
      refusal: contents ? undefined : refusal(value, look),
    };
  },

  /** A scalar's text for the editor. */
  wholeText({ path }) {
    return save.view.scalarText(save.at(path).value);
  },

  /** The row whose name begins with `prefix`, behind the row at `path`: inside of it where it is open, else below the same container. */
  typeAhead({ path, prefix }) {
    const { value, contents } = save.at(path);
    const wanted = prefix.toLowerCase();
    const begins = (found, ordinal) => found.name(ordinal).toLowerCase().startsWith(wanted);
    // What the letters before this one have led to may be what is meant.
    const isAhead = prefix.length > 1;
    if (contents && isAhead && begins(contents, path.at(-1))) return { path };
    const inside = path.length === 0 || save.rows.isOpen(path) ? save.view.contents(value) : undefined;
    for (let i = 0; i < (inside?.count ?? 0); i++) if (begins(inside, i)) return { path: [...path, i] };
    for (let i = 1; i <= (contents?.count ?? 0); i++) {
      const ordinal = (path.at(-1) + i) % contents.count;
      if (begins(contents, ordinal)) return { path: [...path.slice(0, -1), ordinal] };
    }
    return undefined;
  },

  async edit({ path, text }) {
    await save.edit(path, text);
    return afterEdit(path);
  },

  /** Gives a bool the value that it does not have by then. */
  async toggle({ path }) {
    await save.toggle(path);
    return afterEdit(path);
  },

  undo() {
    return afterEdit(save.undo());
  },

  redo() {
    return afterEdit(save.redo());
  },

  async search({ query, options }) {
    stopSearch.stopped = true;
    search = undefined;
    if (query === "") return { count: 0, done: true };
    const signal = { stopped: false };
    stopSearch = signal;
    const made = new Search(save.view, save.root, query, options);
    search = made;
    const state = () => ({ query, options, count: made.count, kept: made.found.length, progress: made.progress, done: made.done });
    const report = seldom(() => tell("searching", state()));
    const whole = await inSlices(made.run(), signal, report);
    return whole ? state() : undefined;
  },

  found({ index }) {
    return { index, path: search?.path(index) };
  },

  /** The number of the found place at or behind `path`, in the order of the tree. */
  foundFrom({ path }) {
    return firstFrom(search?.found ?? [], path, pathOf);
  },

  async compare({ source }, about) {
    const { name, bytes } = await readSource(source, (progress) => tell("loading", progress));
    about.bytes = bytes;
    if (bytes.length > 0) {
      const { format } = formatOf(bytes);
      if (format !== save.format) throw new Error(`saves of two formats cannot be compared: ${format.title} and ${save.format.title}`);
    }
    other = await OpenSave.read(name, bytes, save.content.schemas, decoding(bytes.length));
    return runComparison();
  },

  /** After edits. */
  compareAgain() {
    return other ? runComparison() : undefined;
  },

  differences({ first, count }) {
    let previous = ROOT;
    return (comparison?.differences ?? []).slice(first, first + Math.min(count, MOST_ROWS)).map(({ place, ...shown }) => {
      const path = pathBehind(previous, place);
      previous = place;
      return { ...shown, ...path };
    });
  },

  /** The number that `change` of an earlier comparison has in this one; `isThere` false: it is no change any more, but the one behind it is. */
  differenceFrom({ change }) {
    const list = comparison?.differences ?? [];
    const orderOf = ({ kind, place }) => inOrder(kind, pathOf(place));
    const wanted = inOrder(change.kind, change.path);
    const first = firstFrom(list, wanted, orderOf);
    // What was removed from one container has one place.
    for (let i = first; i < list.length && !before(wanted, orderOf(list[i])); i++)
      if (list[i].text === change.text) return { index: i, isThere: true };
    return { index: first, isThere: false };
  },

  stopComparing() {
    stopComparison.stopped = true;
    comparison = other = undefined;
  },

  /** The bytes to save, as a handle: the page never holds them. It tells `saved` when they are where they belong. */
  async bytes() {
    pending = await save.bytes();
    return new Blob([pending]);
  },

  saved({ name }) {
    save.saved(pending);
    save.name = name;
    return summary();
  },
};

/** What is being saved. */
let pending;

/** Does path `a` stand before `b` in the tree? */
function before(a, b) {
  for (let i = 0; i < Math.min(a.length, b.length); i++) if (a[i] !== b[i]) return a[i] < b[i];
  return a.length < b.length;
}

/** The number of the first item of `list` that does not stand before `path`. */
function firstFrom(list, path, pathOf) {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (before(pathOf(list[middle]), path)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** What was removed stands behind everything in its container. */
function inOrder(kind, path) {
  return kind === "removed" ? [...path, Number.POSITIVE_INFINITY] : path;
}

addEventListener("message", async ({ data: { id, operation, data } }) => {
  // Only those who ask for a file as a whole are shown its bytes in an error.
  const about = {};
  try {
    const result = await operations[operation](data ?? {}, about);
    postMessage({ id, result });
  } catch (error) {
    postMessage({ id, error: errorReport(error, about.bytes) });
  }
});

tell("ready", {});
