// A command: its options, its manual page, what it does; and the parsing of a call.
import { parseArgs } from "node:util";
import { TuskError, type TuskWarning } from "../errors.ts";
import { loadSave } from "../node/index.ts";
import {
  BAD_CALL,
  BAD_FILE,
  BadFile,
  type BadFileDetails,
  CallError,
  describeBadFile,
  describeCallError,
  failureOf,
  Inaccessible,
  placeWindow,
  SchemaError,
  Unreadable,
} from "./failure.ts";
import type { FormatSettings, Save, SaveFormat } from "./formats/format.ts";
import { detectFormat, FORMAT_NAMES, FORMATS, formatNamed, NOTATION } from "./formats/registry.ts";
import { isLostName, LOST_NAME, mostBytesOf, readAll, readBeginning, readBeginningOf, TOO_MANY } from "./input.ts";
import { parseJsonText } from "./notation/json-text.ts";
import { buildNotation, parseNotation } from "./notation/read.ts";
import { jsonText, notationError, type Primitive } from "./notation/vocabulary.ts";
import { namedError } from "./platform-limits.ts";
import { Progress, put, type Style, styleFor, type Terminal, tell } from "./terminal.ts";
import { unknownReason } from "./unknown.ts";
import { visibleMessage } from "./visible.ts";

export interface Option {
  readonly type: "string" | "boolean";
  readonly short?: string;
  /** How the value is called in the manual page. */
  readonly value?: string;
  readonly help: string;
}

export interface Command {
  readonly name: string;
  readonly summary: string;
  readonly usage: readonly string[];
  /** Paragraphs of the manual page. */
  readonly description: readonly string[];
  readonly options: Readonly<Record<string, Option>>;
  readonly examples?: readonly string[];
  /** The exit status. */
  run(call: Call): Promise<number>;
}

export const SCHEMA_OPTION: Record<string, Option> = {
  schema: {
    type: "string",
    short: "s",
    value: "FILE",
    help: 'JSON file of the game\'s schemas by constructor name, the literals of the GML code; for ENIGMA saves { "objects": [...] }',
  },
};
export const FROM_OPTION: Record<string, Option> = {
  from: {
    type: "string",
    value: "FORMAT",
    help: `read as this format instead of telling by the content: ${FORMAT_NAMES}`,
  },
};
export const NESTED_OPTION: Record<string, Option> = {
  nested: { type: "boolean", help: "ds strings: open those that are values of others, at any depth" },
};
/** Options of every command. */
export const GENERAL_OPTIONS: Record<string, Option> = {
  color: { type: "boolean", help: "colours, also in a pipe" },
  "no-color": { type: "boolean", help: "no colours, also with --color (the variable NO_COLOR: none unless asked for)" },
  quiet: { type: "boolean", short: "q", help: "no warnings, no progress" },
  help: { type: "boolean", short: "h", help: "show this page" },
};

/** A file that was read as a save. */
export interface OpenedSave {
  readonly file: string;
  readonly format: SaveFormat;
  /** Was it read from the notation? */
  readonly notation: boolean;
  readonly save: Save;
  /** The file as it is. */
  readonly bytes: Uint8Array;
  /** Of the notation: what original.ts put behind the root. */
  readonly original: Readonly<Record<string, Primitive>>;
}

/** A name that is misspelt would be no fault otherwise, and change nothing. What is no plain value may have a `toString` that is no function. */
function checkHead(head: Readonly<Record<string, unknown>>, format: SaveFormat): void {
  const known = ["tusk", "format", ...format.headNames, "root", "original", "originalOf"];
  for (const name of Object.keys(head)) {
    if (!known.includes(name))
      throw notationError(`${JSON.stringify(name)} is no member of the JSON of format ${format.name}; there are ${known.join(", ")}`);
    if (typeof head[name] === "object" && head[name] !== null)
      throw notationError(`${JSON.stringify(name)} holds a plain value, not ${jsonText(head[name])}`);
  }
}

/** A warning with its place, as errors tell theirs. No other program waits for its code. */
function placedMessage(warning: TuskWarning): string {
  const { format, code, message } = warning;
  return new TuskError(format, code, message, warning).message.slice(0, -` [${format}: ${code}]`.length);
}

/** Standard input, also by the names of its file. */
const STANDARD_INPUT = /^(?:-|\/dev\/(?:stdin|fd\/0)|\/proc\/self\/fd\/0)$/;

/** One call: its options and arguments, and what every command needs. */
export class Call {
  readonly terminal: Terminal;
  readonly arguments: readonly string[];
  readonly options: Readonly<Record<string, string | boolean | undefined>>;
  readonly progress: Progress;
  readonly style: Style;
  /** What is known of the exit status. */
  status = 0;
  /** `--from`. Looked at before a file is read, which may take long. */
  private readonly from: SaveFormat | typeof NOTATION | undefined;
  private schemas: { json: unknown } | undefined;
  private readonly seen = new Set<string>();
  private readonly warnings: string[] = [];

  constructor(command: Command, argv: readonly string[], terminal: Terminal) {
    this.terminal = terminal;
    const options: Record<string, { type: "string" | "boolean"; short?: string }> = {};
    for (const [name, option] of Object.entries({ ...command.options, ...GENERAL_OPTIONS }))
      options[name] = option.short ? { type: option.type, short: option.short } : { type: option.type };
    try {
      const { values, positionals, tokens } = parseArgs({ args: [...argv], options, allowPositionals: true, strict: true, tokens: true });
      this.options = values as Record<string, string | boolean>;
      this.arguments = positionals;
      // Of several values the last one would count.
      const given = new Map<string, string>();
      for (const token of tokens) {
        if (token.kind !== "option" || token.value === undefined) continue;
        const { name, value } = token;
        const earlier = given.get(name);
        if (earlier !== undefined)
          throw new CallError(
            `--${name} is given twice, as ${JSON.stringify(earlier)} and as ${JSON.stringify(value)}; it takes one value`,
          );
        given.set(name, value);
      }
    } catch (error) {
      if (error instanceof CallError) throw error;
      throw new CallError((error as Error).message.replaceAll("\n", " ").split(". To specify a positional")[0]);
    }
    // Whoever asks for help gets it.
    this.from = this.options.help === true ? undefined : this.format("from");
    const { color, "no-color": plain } = this.options;
    // Of both, the one that does no harm.
    this.style = styleFor(terminal, plain ? false : color ? true : undefined);
    this.progress = new Progress(terminal, this.options.quiet === true);
  }

  text(option: string): string | undefined {
    return this.options[option] as string | undefined;
  }

  /** A whole number of at least `lowest`. */
  number(option: string, standard: number, lowest = 0): number {
    const given = this.text(option);
    if (given === undefined) return standard;
    const number = /^\d+$/.test(given) ? Number(given) : Number.NaN;
    if (number > Number.MAX_SAFE_INTEGER) throw new CallError(`--${option} takes at most ${Number.MAX_SAFE_INTEGER}`);
    if (!(number >= lowest)) throw new CallError(`--${option} takes a whole number from ${lowest} on, not ${JSON.stringify(given)}`);
    return number;
  }

  /** A format by its name. */
  format(option: string): SaveFormat | typeof NOTATION | undefined {
    const name = this.text(option);
    const found = name === undefined || name === NOTATION ? name : formatNamed(name);
    if (name !== undefined && !found)
      throw new CallError(`--${option}: no format is called ${JSON.stringify(name)}; there are ${FORMAT_NAMES}`);
    return found;
  }

  /**
   * Refuses another number of arguments, and of the files that are read (the first `inputs` and the schemas) those without a path, and more than one
   * from standard input.
   */
  expectArguments(least: number, most: number, inputs = 1): void {
    const { length } = this.arguments;
    if (length < least) throw new CallError(length === 0 ? "a file is missing" : "a second file is missing");
    if (length > most) throw new CallError(`one argument too many: ${JSON.stringify(this.arguments[most])}`);
    const files = this.arguments.slice(0, inputs);
    const schema = this.text("schema");
    // As of a variable of the shell that is not set. The output's is looked at in output.ts.
    if (files.includes("")) throw new CallError("the path of a file is empty");
    if (schema === "") throw new CallError("--schema: the path of the file is empty");
    const read = schema === undefined ? files : [...files, schema];
    if (read.filter((path) => STANDARD_INPUT.test(path)).length > 1)
      throw new CallError("standard input is given twice, and can be read once");
  }

  warn(message: string): void {
    if (this.options.quiet || this.seen.has(message)) return;
    this.seen.add(message);
    this.warnings.push(`tusk: ${visibleMessage(message)}\n`);
  }

  async tellWarnings(): Promise<void> {
    for (const warning of this.warnings.splice(0)) await tell(this.terminal.stderr, warning);
  }

  /**
   * Runs `work` for each argument and returns the exit status: the highest of what `work` returns, 1 for bad files, 2 for those that cannot
   * be read. Both are told, and the others are worked on all the same.
   */
  async forEachFile(work: (path: string) => Promise<number>): Promise<number> {
    for (const path of this.arguments) {
      try {
        this.raise(await work(path));
      } catch (thrown) {
        const error = failureOf(path, thrown);
        if (!(error instanceof BadFile || error instanceof Unreadable)) throw error;
        this.raise(error instanceof BadFile ? BAD_FILE : BAD_CALL);
        this.progress.end();
        await tell(this.terminal.stderr, error instanceof BadFile ? describeBadFile(error) : describeCallError(error));
      }
    }
    return this.status;
  }

  /** The exit status is at least this one, also when nobody reads on. */
  raise(status: number): void {
    this.status = Math.max(this.status, status);
  }

  async print(text: string): Promise<void> {
    this.progress.end();
    await put(this.terminal.stdout, text);
  }

  /** The bytes of a file, or of standard input. */
  async load(path: string): Promise<Uint8Array> {
    const { progress, terminal } = this;
    progress.phase(`reading ${path}`);
    if (path === "-") return this.fromInput((input) => readAll(input, (bytes) => progress.update(bytes, undefined), terminal.mostInput));
    const maxBytes = await mostBytesOf(path);
    try {
      return await loadSave(path, {
        maxBytes,
        signal: terminal.signal,
        onProgress: ({ bytes, total }) => progress.update(bytes, total),
      });
    } catch (error) {
      // A path that cannot be read says nothing about the file.
      if (error instanceof TuskError) {
        const reason = isLostName(path) ? LOST_NAME : maxBytes && error.code === "file-too-large" ? TOO_MANY : undefined;
        throw new Unreadable(reason ? `${path} cannot be read: ${reason}` : error.reason);
      }
      throw error;
    }
  }

  /** What tells the format of a file, or of standard input. */
  async loadBeginning(path: string): Promise<Uint8Array> {
    this.progress.phase(`reading ${path}`);
    if (path === "-") return this.fromInput((input) => readBeginning(input));
    try {
      return await readBeginningOf(path);
    } catch (error) {
      throw new Unreadable(`${path} cannot be read: ${isLostName(path) ? LOST_NAME : (error as Error).message}`);
    }
  }

  private async fromInput(read: (input: AsyncIterable<unknown>) => Promise<Uint8Array>): Promise<Uint8Array> {
    try {
      return await read(this.terminal.stdin);
    } catch (error) {
      throw new Unreadable(`standard input cannot be read: ${(error as Error).message}`);
    }
  }

  /** Reads the file of `--schema`, once. */
  async loadSchemas(): Promise<unknown> {
    const path = this.text("schema");
    if (path === undefined || this.schemas) return this.schemas?.json;
    const bytes = await this.load(path);
    try {
      this.schemas = { json: parseJsonText(bytes).value };
    } catch (error) {
      if (!(error instanceof TuskError)) throw error;
      throw new Inaccessible(`${path} (--schema): ${error.reason}`, placeWindow(error, bytes, "file"));
    }
    return this.schemas.json;
  }

  /** Settings of the formats, for work on `file`. */
  async settings(file: string): Promise<FormatSettings> {
    return {
      schemas: await this.loadSchemas(),
      schemaFile: this.text("schema"),
      onWarning: (warning: TuskWarning) => this.warn(`${file}: ${placedMessage(warning)}`),
    };
  }

  /** The format of `bytes`: `--from`, or told by the content. */
  formatOf(path: string, bytes: Uint8Array): SaveFormat | typeof NOTATION {
    const found = this.from ?? detectFormat(bytes);
    if (found) return found;
    const { reason, atFirst } = unknownReason(bytes);
    throw new BadFile(path, new TuskError("tusk", "unknown-format", reason, atFirst ? { offset: 0 } : {}), { bytes });
  }

  /** Reads a save, or the notation of one. */
  async open(path: string): Promise<OpenedSave> {
    const settings = await this.settings(path);
    const bytes = await this.load(path);
    const format = this.formatOf(path, bytes);
    this.progress.phase(`decoding ${path}`, bytes.length);
    const opened = format === NOTATION ? this.openNotation(path, bytes, settings) : this.openFormat(path, bytes, format, settings);
    // Not refused: of the other files of this call, some may need it.
    if (settings.schemas !== undefined && !opened.format.takesSchemas)
      this.warn(`${path}: --schema means nothing for ${opened.format.name}`);
    return opened;
  }

  /** The save with what `--nested` opens, where that is given. */
  async nested(opened: OpenedSave): Promise<OpenedSave> {
    if (!this.options.nested) return opened;
    const { file, format, save } = opened;
    if (!format.openNested) throw new CallError(`--nested means nothing for ${format.name}`);
    try {
      return { ...opened, save: { ...save, value: format.openNested(save.value) } };
    } catch (error) {
      throw this.fault(file, error, await this.settings(file), format);
    }
  }

  /** Reads the bytes of a save. */
  openFormat(file: string, bytes: Uint8Array, format: SaveFormat, settings: FormatSettings): OpenedSave {
    let unpacked: Uint8Array | undefined;
    try {
      unpacked = format.unpack?.(bytes) ?? bytes;
      const { value, head } = format.read(unpacked, settings);
      return { file, format, notation: false, save: { value, head: { ...head, ...format.wrapping?.(bytes) } }, bytes, original: {} };
    } catch (error) {
      throw this.fault(file, error, settings, format, unpacked && unpacked !== bytes ? { bytes: unpacked, unpacked: true } : { bytes });
    }
  }

  private openNotation(file: string, bytes: Uint8Array, settings: FormatSettings): OpenedSave {
    let format: SaveFormat | undefined;
    try {
      const { head, root } = parseNotation(bytes);
      format = typeof head.format === "string" ? formatNamed(head.format) : undefined;
      if (!format)
        throw notationError(
          head.format === undefined
            ? 'this JSON is not what "tusk decode" writes: it has no "format"'
            : `no format is called ${jsonText(head.format)}; there are ${FORMATS.map((known) => known.name).join(", ")}`,
        );
      checkHead(head, format);
      const { tusk: _version, format: _name, original, originalOf, ...rest } = head;
      return {
        file,
        format,
        notation: true,
        save: { value: buildNotation(root, format.vocabulary), head: rest as Record<string, Primitive> },
        bytes,
        original: original === undefined ? {} : ({ originalOf, original } as Record<string, Primitive>),
      };
    } catch (error) {
      throw this.fault(file, error, settings, format, { bytes });
    }
  }

  /** Writes a save in `format`; what cannot be written is the fault of `file`. A trial tells no warnings. */
  async encode(opened: OpenedSave, format: SaveFormat, head: Save["head"], trial = false): Promise<Uint8Array> {
    const settings = await this.settings(opened.file);
    this.progress.phase("encoding", opened.bytes.length);
    try {
      return format.write({ value: opened.save.value, head }, trial ? { ...settings, onWarning: () => undefined } : settings);
    } catch (error) {
      throw this.fault(opened.file, error, settings, format);
    }
  }

  /** The failure that an error of a format is in work on `file`. */
  fault(file: string, thrown: unknown, settings: FormatSettings, format?: SaveFormat, details: BadFileDetails = {}): unknown {
    const error = namedError(thrown);
    // A schema that is not for the format of this file may be for that of the next.
    if (error instanceof SchemaError) return new Unreadable(`${settings.schemaFile} (--schema, for ${file}): ${error.message}`);
    if (!(error instanceof TuskError)) return error;
    return new BadFile(file, error, { ...details, hint: format?.hint?.(error, settings, details.bytes) });
  }
}
