// What the command line asks of a format. A new one is a file beside this one, a line in registry.ts, and what it has before the root in
// notation/recognise.ts.
import type { ElephantSchema } from "../../elephant/index.ts";
import type { TuskError, TuskWarning } from "../../errors.ts";
import type { ItemKeys } from "../keyed-items.ts";
import type { Primitive, Vocabulary } from "../notation/vocabulary.ts";

/** What commands pass on to the formats. */
export interface FormatSettings {
  /** The JSON value of `--schema`; each format checks its own part. */
  readonly schemas: unknown;
  /** Its file, for people. */
  readonly schemaFile?: string | undefined;
  readonly onWarning: (warning: TuskWarning) => void;
}

/** Elephant's part of `--schema`: schemas by constructor name. */
export type ElephantSchemas = Record<string, ElephantSchema>;

/** A save that was read. */
export interface Save {
  readonly value: unknown;
  /** What else is needed to write the same bytes, e.g. the release. It stands beside the root in the notation. */
  readonly head: Record<string, Primitive>;
}

/** What stands before the root in the notation, always in this order: the digest of original.ts is taken of it, too. */
export function notationHead(format: SaveFormat, head: Save["head"]): Save["head"] {
  const ordered: Record<string, Primitive> = { tusk: 1, format: format.name };
  for (const name of format.headNames) ordered[name] = head[name];
  return ordered;
}

/** One way to read or write the file, for `tusk bench`. */
export interface Candidate {
  readonly name: string;
  readonly work: "read" | "write";
  run(): unknown;
}

/** What `tusk bench` measures. */
export interface Measurable {
  /** Bytes that are read and written: not what follows them in the file. */
  readonly size: number;
  readonly candidates: readonly Candidate[];
}

/** A group of structs in `tusk inspect`, e.g. all of one constructor. */
export interface Kind {
  /** E.g. `Player`. */
  readonly name: string;
  /** E.g. `v2 strict`. */
  readonly note?: string | undefined;
}

/** The same for structs of one group alone. */
export function kindKey({ name, note }: Kind): string {
  return `${name}\0${note ?? ""}`;
}

/** Bytes that the containers of a save take in the file. */
export interface Sizes {
  /** Of each container, its children included. */
  readonly bytes: Pick<ReadonlyMap<object, number>, "get" | "size">;
  /** Structs inside of one of the same {@link Kind}: its bytes include theirs. */
  readonly nested: Pick<ReadonlySet<object>, "has">;
}

export interface SaveFormat {
  readonly name: string;
  /** For people. */
  readonly title: string;
  /** Are files of it bytes (true) or text? */
  readonly binary: boolean;
  /** Tells by the beginning; the file may still turn out bad. */
  detect(bytes: Uint8Array): boolean;
  /** The bytes that `read` takes and that offsets in its errors count in, where a file is packed. */
  unpack?(bytes: Uint8Array): Uint8Array;
  /** What a packed file has around what `unpack` takes; it stands in the head, beside what `read` gives. */
  wrapping?(bytes: Uint8Array): Save["head"];
  read(bytes: Uint8Array, settings: FormatSettings): Save;
  write(save: Save, settings: FormatSettings): Uint8Array;
  /** The members of `Save.head`; JSON with others is refused. By each of them, in front of all others, notation/recognise.ts has to know the notation. */
  readonly headNames: readonly string[];
  /** Head for writing in `release`, by default the newest (`tusk convert`). Without this method: the head as it is. */
  convertHead?(head: Save["head"], release: string | undefined): Save["head"];
  readonly vocabulary: Vocabulary;
  /** Values that this format shares with others, so that `convert` can go from one to the other. */
  readonly family: string;
  /** Has it a use for `--schema`? */
  readonly takesSchemas?: boolean;
  /** Is this container, or a part of it, read by a schema? */
  isBySchema?(container: object): boolean;
  /** Without schemas such containers are read as others; else they are errors. */
  readonly readsWithoutSchemas?: boolean;
  /** What follows the save in its file and counts as a part of it. Undefined where there is nothing. */
  behind?(head: Save["head"]): Uint8Array | undefined;
  /** A line about the file, e.g. `release 1.5.1`. */
  describe(save: Save): string;
  /** Where text of this format begins inside of other text; `isCut`: there is more of that. */
  findIn?(text: string, isCut: boolean): number | undefined;
  /** Other bytes may look like a save of this format. */
  readonly isToldByLittle?: boolean;
  /** What `--nested` does: opens values that are text of this format themselves. */
  openNested?(value: unknown): unknown;
  /** Would that open something in what `read` gave, or this text? */
  holdsNested?(value: unknown): boolean;
  /** The constructor, or what the format calls it, of a struct. */
  kindOf?(container: object): Kind | undefined;
  /** Of the array `member` of `struct`, if its order means nothing. */
  itemKeys?(struct: object, member: string): ItemKeys | undefined;
  /** Are two different values, no containers, the same when they are written? Without this method, none are. */
  writesAlike?(left: unknown, right: unknown): boolean;
  /** What containers take in the file. */
  sizes?(save: Save, settings: FormatSettings): Sizes;
  /** Default: `read` and `write` as they are. */
  measurable?(bytes: Uint8Array, settings: FormatSettings): Measurable;
  /** What to do about an error, beyond its message. `bytes` are those that were read, of errors of reading. */
  hint?(error: TuskError, settings: FormatSettings, bytes?: Uint8Array): string | undefined;
}
