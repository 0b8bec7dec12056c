// The inspector's worker without its page: its modules, and what tests ask of the saves that they open.
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect } from "vitest";
import { createElephantSync } from "../../src/elephant/index.ts";
import { ROOT } from "../package/installed.ts";

export interface Contents {
  count: number;
  name(i: number): string;
  value(i: number): unknown;
}
export interface OpenSave {
  root: unknown;
  content: { warnings?: string[] };
  view: { contents(value: unknown): Contents | undefined; scalarText(value: unknown): string; look(value: unknown): { text: string } };
  history: { isChanged: boolean; changesMore: boolean; nextRelease?: string };
  rows: { reveal(path: number[]): void; rows(first: number, count: number): Row[] };
  edited(): Map<unknown, Set<number | undefined>>;
  at(path: number[]): { value: unknown; contents?: Contents };
  look(value: unknown, contents?: Contents, ordinal?: number): Shown;
  edit(path: number[], text: string): Promise<boolean>;
  toggle(path: number[]): Promise<boolean>;
  undo(): unknown;
  redo(): unknown;
  bytes(): Promise<Uint8Array>;
  saved(bytes: Uint8Array): void;
}
export interface Row {
  name: string;
  value: unknown;
  parent: unknown;
  rest: number[];
  isInside: boolean;
}
export interface Shown {
  type: string;
  text: string;
}
export interface Comparison {
  count: number;
  differences: { kind: string; text: string; before?: Shown; after?: Shown }[];
  marksOf(rows: { keep: number; rest: number[] }[]): (string | undefined)[];
  run(): Iterable<void>;
}
export interface Search {
  count: number;
  found: unknown[];
  path(index: number): number[] | undefined;
  run(): Iterable<void>;
}
export interface Report {
  message: string;
  text?: { line: number; lines: { number: number; text?: string }[] };
  code?: string;
  offset?: number;
  hex?: { start: number; bytes: number[]; at: number; length: number };
}

export const worker = (file: string) => import(pathToFileURL(join(ROOT, "examples/electron-save-inspector/worker", file)).href);

export const { OpenSave } = (await worker("open-save.js")) as {
  OpenSave: { read(name: string, bytes: Uint8Array, schemas?: unknown): Promise<OpenSave> };
};
export const { Comparison } = (await worker("compare.js")) as { Comparison: new (mine: OpenSave, theirs: OpenSave) => Comparison };
export const { Search } = (await worker("search.js")) as {
  Search: new (view: OpenSave["view"], root: unknown, query: string, options: object) => Search;
};
export const { errorReport } = (await worker("error-report.js")) as { errorReport(error: unknown, bytes: Uint8Array): Report };
export const { readSource } = (await worker("sources.js")) as {
  readSource(source: unknown, onProgress: () => void): Promise<{ bytes: Uint8Array }>;
};
export const { firstText } = (await worker("formats/scalars.js")) as {
  firstText(view: OpenSave["view"], value: unknown, most: number): { full: string; length: number };
};
export const { ds } = (await worker("formats/ds.js")) as { ds: OpenSave["view"] };
export const { introspection } = (await worker("formats/introspection.js")) as { introspection: OpenSave["view"] };
export const { quoted } = (await worker("formats/scalars.js")) as { quoted(text: string): string };

export const elephant = createElephantSync({ unknownConstructor: "generic" });

export function utf8(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/** The path of ordinals to the value with these names. */
export function pathTo(save: OpenSave, ...names: string[]): number[] {
  const path: number[] = [];
  for (const name of names) {
    const contents = save.view.contents(save.at(path).value)!;
    path.push(Array.from({ length: contents.count }, (_, i) => contents.name(i)).indexOf(name));
  }
  return path;
}

export function shown(save: OpenSave, ...names: string[]): string {
  return save.view.scalarText(save.at(pathTo(save, ...names)).value);
}

/** The type that is shown of the value with these names. */
export function typeOf(save: OpenSave, ...names: string[]): string {
  const path = pathTo(save, ...names);
  const { value, contents } = save.at(path);
  return save.look(value, contents, path.at(-1)).type;
}

export function edit(save: OpenSave, names: string[], text: string): Promise<boolean> {
  return save.edit(pathTo(save, ...names), text);
}

/** The rows that are marked as edited, of those around `path`. */
export function editedNames(save: OpenSave, path: number[]): string[] {
  save.rows.reveal(path);
  const edited = save.edited();
  const rows = save.rows.rows(0, 400).filter(({ parent, rest }) => edited.get(parent)?.has(rest.at(-1)));
  return rows.map(({ name, value }) => `${name} ${save.view.scalarText(value)}`);
}

/** What differs, as `~ .gold 1 → 2`. */
export async function compared(older: Uint8Array, newer: Uint8Array, schemas?: unknown): Promise<string[]> {
  const [theirs, mine] = await Promise.all([older, newer].map((bytes) => OpenSave.read("save", bytes, schemas)));
  const comparison = new Comparison(mine, theirs);
  for (const _ of comparison.run());
  return comparison.differences.map(({ kind, text, before, after }) =>
    [{ changed: "~", added: "+", removed: "-" }[kind], text, [before, after].flatMap((side) => side?.text ?? []).join(" → ")].join(" "),
  );
}

export async function found(bytes: Uint8Array, query: string, options = {}): Promise<Search> {
  const save = await OpenSave.read("save", bytes);
  const search = new Search(save.view, save.root, query, options);
  for (const _ of search.run());
  return search;
}

/** What is said of a file that cannot be read. */
export async function reportOf(bytes: Uint8Array): Promise<Report> {
  return OpenSave.read("save", bytes).then(
    () => expect.unreachable("it was read"),
    (error) => errorReport(error, bytes),
  );
}
