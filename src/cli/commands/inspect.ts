// tusk inspect: what is in a save.
import { type Call, type Command, FROM_OPTION, NESTED_OPTION, type OpenedSave, SCHEMA_OPTION } from "../command.ts";
import { CallError } from "../failure.ts";
import { kindKey, type Sizes } from "../formats/format.ts";
import { forEachContainer } from "../notation/graph-walk.ts";
import { isContainer } from "../notation/vocabulary.ts";
import { follow, parsePath } from "../paths.ts";
import { countText, kindName, listedName, shownPath, shownStep } from "../shown-text.ts";
import { fileSizeText, sizeText, valueText } from "../values.ts";
import { columnsOf, visible } from "../visible.ts";

/** Levels that are indented; of 200,000 levels nearly all that is printed would be indentation. */
const DEEPEST_INDENT = 64;

/** Column of constructors: one name of a megabyte would else fill as much in every line. */
const WIDEST_NAME = 40;

/** Of a format without `sizes`. */
const UNMEASURED: Sizes = { bytes: new Map(), nested: new Set() };

/** A line of the tree that is still to be printed. */
interface Branch {
  readonly key: string;
  readonly value: unknown;
  /** As it is shown of a container that stands here first. */
  readonly path: string;
  readonly depth: number;
  /** What stands in front of the line, and in front of its children's. */
  readonly lead: string;
  readonly inner: string;
  /** How many members are not shown; the line says that alone. */
  readonly more?: number;
}

class Tree {
  private readonly call: Call;
  private readonly opened: OpenedSave;
  private readonly sizes: Sizes["bytes"];
  private readonly seen = new Map<object, string>();

  constructor(call: Call, opened: OpenedSave, sizes: Sizes["bytes"]) {
    this.call = call;
    this.opened = opened;
    this.sizes = sizes;
  }

  private text(value: unknown): string {
    return valueText(value, this.opened.format.vocabulary, (container) => this.kind(container));
  }

  private kind(container: object): string | undefined {
    const kind = this.opened.format.kindOf?.(container);
    return kind && `${kindName(kind.name)}${kind.note ? ` (${kind.note})` : ""}`;
  }

  async print(root: unknown, path: string, depth: number, most: number): Promise<void> {
    const { call, opened } = this;
    const { style } = call;
    const open: Branch[] = [{ key: path || "(root)", value: root, path, depth: 0, lead: "", inner: "" }];
    while (open.length > 0) {
      const branch = open.pop()!;
      const { value } = branch;
      if (branch.more) {
        await call.print(`${style.dim(`${branch.lead}… ${branch.more.toLocaleString("en-US")} more`)}\n`);
        continue;
      }
      const line = `${style.dim(branch.lead)}${style.name(branch.key)}  `;
      if (!isContainer(value, opened.format.vocabulary)) {
        await call.print(`${line}${style.value(this.text(value))}\n`);
        continue;
      }
      const earlier = this.seen.get(value);
      if (earlier !== undefined) {
        await call.print(`${line}${style.dim(`same as ${earlier || "(root)"}`)}\n`);
        continue;
      }
      this.seen.set(value, branch.path);
      const size = this.sizes.get(value);
      await call.print(`${line}${style.kind(this.text(value))}${size === undefined ? "" : style.dim(`  ${sizeText(size)}`)}\n`);
      if (branch.depth >= depth) continue;
      const isArray = Array.isArray(value);
      const names = isArray ? undefined : Object.keys(value);
      const count = names?.length ?? (value as unknown[]).length;
      const shown = Math.min(count, most);
      // Printed from the top of a stack, so the last one goes down first.
      if (shown < count)
        open.push({ key: "", value: undefined, path: "", depth: 0, lead: `${branch.inner}└─ `, inner: "", more: count - shown });
      const indented = branch.depth < DEEPEST_INDENT;
      for (let i = shown - 1; i >= 0; i--) {
        const last = i === count - 1;
        const key = names ? names[i] : i;
        open.push({
          key: shownStep(key).replace(/^\./, ""),
          value: (value as Record<string | number, unknown>)[key],
          path: shownPath(branch.path + shownStep(key)),
          depth: branch.depth + 1,
          lead: `${branch.inner}${last ? "└─ " : "├─ "}`,
          inner: indented ? `${branch.inner}${last ? "   " : "│  "}` : branch.inner,
        });
      }
    }
  }
}

/** The head of the report: the file, and its constructors with their counts and bytes. */
async function printSummary(call: Call, opened: OpenedSave, sizes: Sizes): Promise<void> {
  const { format, save } = opened;
  const { style } = call;
  let structs = 0;
  let arrays = 0;
  const kinds = new Map<string, { note: string | undefined; name: string; count: number; bytes: number }>();
  forEachContainer(save.value, format.vocabulary, (container) => {
    if (Array.isArray(container)) {
      arrays++;
      return;
    }
    structs++;
    const kind = format.kindOf?.(container);
    if (!kind) return;
    const key = kindKey(kind);
    let entry = kinds.get(key);
    if (!entry) kinds.set(key, (entry = { name: visible(listedName(kind.name)), note: kind.note, count: 0, bytes: 0 }));
    entry.count++;
    if (!sizes.nested.has(container)) entry.bytes += sizes.bytes.get(container) ?? Number.NaN;
  });
  await call.print(`${visible(`${opened.file}: ${format.title}, ${format.describe(save)}`)}, ${fileSizeText(opened)}\n`);
  await call.print(`${countText(structs, "struct")}, ${countText(arrays, "array")}\n`);
  if (kinds.size > 0) {
    await call.print("constructors\n");
    const rows = [...kinds.values()].sort((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1));
    const width = rows.reduce((longest, { name }) => Math.max(longest, Math.min(columnsOf(name), WIDEST_NAME)), 0);
    for (const { name, note, count, bytes } of rows)
      await call.print(
        `  ${style.kind(name + " ".repeat(Math.max(0, width - columnsOf(name))))}  ${count.toLocaleString("en-US").padStart(9)}${sizes.bytes.size > 0 ? `  ${(Number.isNaN(bytes) ? "" : sizeText(bytes)).padStart(9)}` : ""}${note ? `  ${note}` : ""}\n`,
      );
  }
  await call.print("\n");
}

export const inspect: Command = {
  name: "inspect",
  summary: "show what is in a save, as a tree",
  usage: ["[OPTIONS] FILE"],
  description: [
    "Shows the file's release and size, its constructors with how often they occur and, of Elephant, how many bytes they take (children included; one inside of another of the same constructor counts within that one), and its values as a tree. Sizes are those of the newest release's layout.",
    'Shared arrays and structs are shown once; "same as" names the first place.',
  ],
  options: {
    path: { type: "string", short: "p", value: "PATH", help: 'show only what is behind this path, e.g. .entities[3]["a name"]' },
    depth: { type: "string", short: "d", value: "N", help: "levels shown; default 2" },
    most: { type: "string", short: "m", value: "N", help: "members shown of one struct or array; default 20" },
    ...NESTED_OPTION,
    ...SCHEMA_OPTION,
    ...FROM_OPTION,
  },
  examples: ["tusk inspect slot1.dat", "tusk inspect --path .player.bag --depth 4 slot1.dat"],
  async run(call) {
    call.expectArguments(1, 1);
    const depth = call.number("depth", 2);
    const most = call.number("most", 20, 1);
    const path = call.text("path") ?? "";
    const steps = parsePath(path);
    const opened = await call.nested(await call.open(call.arguments[0]));
    const found = follow(opened.save.value, steps, opened.format.vocabulary);
    if (!found) throw new CallError(`--path: ${opened.file} has nothing at ${path}`);
    call.progress.phase("measuring", opened.bytes.length);
    const settings = await call.settings(opened.file);
    let sizes = UNMEASURED;
    try {
      sizes = opened.format.sizes?.(opened.save, settings) ?? sizes;
    } catch (error) {
      // Reading JSON asks nothing of the schemas, so that this may be the first to look at them.
      throw call.fault(opened.file, error, settings, opened.format);
    }
    if (steps.length === 0) await printSummary(call, opened, sizes);
    await new Tree(call, opened, sizes.bytes).print(found.value, shownPath(steps.map(shownStep).join("")), depth, most);
    // JSON may hold anything.
    if (!call.options.nested && !opened.notation && opened.format.holdsNested?.(opened.save.value))
      call.warn(`${opened.file}: some of its texts are ds strings themselves; --nested opens them`);
    return 0;
  },
};
