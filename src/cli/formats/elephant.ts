// Elephant saves and their export strings.
import * as CODE from "../../elephant/codes.ts";
import { StructInstance } from "../../elephant/constructors.ts";
import { codeNamed, isDatatype } from "../../elephant/datatypes.ts";
import { detectExportString } from "../../elephant/detect.ts";
import { exportBytes, importBytes } from "../../elephant/export-string.ts";
import {
  createElephantSync,
  DEFAULT_LIMITS,
  type Elephant,
  isScalar,
  Scalar,
  type ScalarDatatype,
  type WritableRelease,
} from "../../elephant/index.ts";
import { VERSION_WORDS } from "../../elephant/releases.ts";
import { TuskError } from "../../errors.ts";
import { CallError } from "../failure.ts";
import { decodeBase64 } from "../notation/base64.ts";
import { notationError, type Vocabulary } from "../notation/vocabulary.ts";
import { countText } from "../shown-text.ts";
import { elephantKind } from "./elephant-kind.ts";
import { valueMisfit } from "./elephant-numbers.ts";
import { elephantSchemas, writtenSchemas } from "./elephant-schemas.ts";
import { elephantSizes } from "./elephant-sizes.ts";
import { genericCodec, standIn, writeElephant } from "./elephant-writer.ts";
import type { Candidate, ElephantSchemas, FormatSettings, Measurable, Save, SaveFormat } from "./format.ts";
import { contentEnd, contentStart, leadingSpace, splitTrailingSpace, textOf, withSpace } from "./text-file.ts";

/** Tags: `$u8` ... `$text` for values of a datatype; `$new`, `$version`, `$verbose` for constructed structs. */
const vocabulary: Vocabulary = {
  shares: true,
  leaf: (value) => (isScalar(value) ? [value.datatype, value.value] : undefined),
  makeLeaf(tag, content) {
    const scalar = Scalar(tag as ScalarDatatype, content as number);
    const misfit = valueMisfit(scalar.value, codeNamed(scalar.datatype));
    if (misfit) throw new RangeError(misfit);
    return scalar;
  },
  isLeafTag: (tag) => isDatatype(tag) && codeNamed(tag) <= CODE.text,
  tags: (value) =>
    value instanceof StructInstance
      ? { new: StructInstance.nameOf(value), version: StructInstance.versionOf(value), verbose: StructInstance.verboseOf(value) }
      : undefined,
  makeStruct: (tags) => {
    const { new: name, version = 0, verbose = version === 0, ...others } = tags;
    if (typeof name !== "string" || Object.keys(others).length > 0) return undefined;
    if (typeof version !== "number" || !Number.isInteger(version) || version < 0 || version > 255)
      throw notationError(`"$version" is a number from 0 to 255`);
    if (typeof verbose !== "boolean") throw notationError(`"$verbose" is true or false`);
    return standIn(name, version, verbose);
  },
};

function codecFor(constructors: ElephantSchemas, engine?: "wasm" | "js"): Elephant {
  if (!engine && Object.keys(constructors).length === 0) return genericCodec();
  return createElephantSync({ constructors, unknownConstructor: "generic", engine });
}

function readElephant(bytes: Uint8Array, settings: FormatSettings): Save {
  const codec = codecFor(elephantSchemas(settings.schemas));
  const { value, end, release } = codec.readAt(bytes, 0, { scalars: "exact" });
  const rest = bytes.subarray(end);
  const after = rest.length > 0 ? textOf(rest, "base64", "what follows the save") : undefined;
  return { value, head: { release, after } };
}

/** The release that a save of `release` is written in: its own if it can be. */
function writable(release: unknown): WritableRelease {
  if (release === undefined) return "1.5.1";
  if (typeof release !== "string") throw notationError(`"release" is a release of Elephant, e.g. "1.5.1"`);
  return Object.hasOwn(VERSION_WORDS, release) ? (release as WritableRelease) : "1.5.1";
}

function writeElephantSave(save: Save, settings: FormatSettings): Uint8Array {
  const release = writable(save.head.release);
  if (save.head.release !== undefined && save.head.release !== release)
    settings.onWarning({
      format: "elephant",
      code: "release",
      message: `release ${save.head.release} cannot be written; this is ${release}`,
    });
  const bytes = writeElephant(save.value, vocabulary, {
    release,
    schemas: elephantSchemas(settings.schemas),
  });
  if (save.head.after === undefined) return bytes;
  const rest = behind(save.head);
  if (!rest) throw notationError(`"after" holds base64`);
  return Buffer.concat([bytes, rest]);
}

/** JSON may hold anything there; writing refuses it. */
function behind({ after }: Save["head"]): Uint8Array | undefined {
  return decodeBase64(after);
}

function describe(save: Save): string {
  const { release } = save.head;
  const bytes = behind(save.head)?.length;
  const follows = bytes === undefined ? "" : `, ${countText(bytes, "byte")} ${bytes === 1 ? "follows" : "follow"} it`;
  // The notation may leave the release out.
  return `release ${release ?? writable(undefined)}${follows}`;
}

type BothWays = Readonly<Record<Candidate["work"], () => unknown>>;

/** The two candidates that `make` gives. Where it fails they say why when they are run: others may work. */
function bothWays(name: string, make: () => BothWays): Candidate[] {
  let ways: BothWays;
  try {
    ways = make();
  } catch (error) {
    const fail = () => {
      throw error;
    };
    ways = { read: fail, write: fail };
  }
  return (["read", "write"] as const).map((work) => ({ name, work, run: ways[work] }));
}

function codecWays(codec: Elephant, save: Uint8Array): BothWays {
  const value = codec.read(save);
  return { read: () => codec.read(save), write: () => codec.write(value) };
}

/** The same values as the platform's JSON. What it cannot hold becomes null or a number; it may be too deep or too long. */
function jsonWays(codec: Elephant, save: Uint8Array): BothWays {
  const plain = (_name: string, value: unknown) => (typeof value === "bigint" ? Number(value) : value);
  // Of undefined there is no text.
  const text = JSON.stringify(codec.toJson(codec.read(save)), plain) ?? "null";
  const parsed = JSON.parse(text);
  return { read: () => JSON.parse(text), write: () => JSON.stringify(parsed) };
}

/** What programs have that choose no engine, both engines, and JSON. */
function measurable(bytes: Uint8Array, settings: FormatSettings): Measurable {
  const constructors = writtenSchemas(settings.schemas);
  const codec = codecFor(constructors);
  const { end } = codec.readAt(bytes, 0);
  const save = bytes.subarray(0, end);
  return {
    size: end,
    candidates: [
      ...bothWays("auto", () => codecWays(codec, save)),
      ...(["wasm", "js"] as const).flatMap((engine) => bothWays(engine, () => codecWays(codecFor(constructors, engine), save))),
      ...bothWays("JSON", () => jsonWays(codec, save)),
    ],
  };
}

/** Where the first struct stands that needs a schema; undefined when none does, or what is before it is bad. */
function firstStrict(bytes: Uint8Array): number | undefined {
  try {
    genericCodec().readAt(bytes, 0);
  } catch (error) {
    if (error instanceof TuskError && error.code === "schema-missing") return error.offset;
  }
  return undefined;
}

function hint(error: TuskError, settings: FormatSettings, bytes?: Uint8Array): string | undefined {
  const { schemas, schemaFile } = settings;
  if (error.code === "schema-missing" || error.code === "schema-version-missing") {
    const version = /version (\d+)/.exec(error.reason)?.[1];
    if (version === undefined) return undefined;
    if (schemas === undefined)
      return "structs that were stored by a schema hold no names or datatypes; give the game's schemas by --schema schemas.json";
    const lack = error.code === "schema-missing" ? "schema of that name" : `v${version} of it`;
    return `${schemaFile} has no ${lack}: it may be of another version of the game`;
  }
  if (error.code === "schema-key-invalid") return 'a struct keeps the version that it was read with; in JSON that is its "$version"';
  const strict = schemas !== undefined && bytes && firstStrict(bytes);
  if (typeof strict === "number" && error.offset !== undefined && strict < error.offset)
    return `structs before this place were read by ${schemaFile}: it may be of another game, or another version of it`;
  return undefined;
}

/**
 * JSON has several notations for what a save stores in one way: undefined is null, too, a number is an f64, -1 as an int64 is 2^64 - 1, an f32 has fewer
 * digits.
 */
function writesAlike(left: unknown, right: unknown): boolean {
  // Most that differ are two numbers or two texts: nothing has to be written for them.
  if (typeof left === typeof right && (typeof left === "number" || typeof left === "string")) return false;
  const codec = genericCodec();
  try {
    return Buffer.compare(codec.write(left), codec.write(right)) === 0;
  } catch (error) {
    if (error instanceof TuskError) return false;
    throw error;
  }
}

const face = {
  vocabulary,
  family: "elephant",
  takesSchemas: true,
  isBySchema: (container: object) => container instanceof StructInstance && !StructInstance.verboseOf(container),
  behind,
  describe,
  hint,
  measurable,
  convertHead(_head: Save["head"], release: string | undefined): Save["head"] {
    if (release !== undefined && !Object.hasOwn(VERSION_WORDS, release))
      throw new CallError(`--release: ${Object.keys(VERSION_WORDS).join(", ")} can be written, not ${release}`);
    return { release: release ?? "1.5.1" };
  },
  kindOf: elephantKind,
  writesAlike,
  sizes: (save: Save, settings: FormatSettings) => elephantSizes(save.value, elephantSchemas(settings.schemas)),
};

export const elephant: SaveFormat = {
  ...face,
  name: "elephant",
  title: "Elephant save",
  headNames: ["release", "after"],
  binary: true,
  detect: (bytes) => /^(PELE|ATMC)/.test(Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 4)).toString("latin1")),
  read: (bytes, settings) => readElephant(bytes, settings),
  write: (save, settings) => writeElephantSave(save, settings),
};

/** How much of a text stands before the "=" at its end. Not by an expression: of a damaged text nearly all may be "=". */
function lengthWithoutPadding(text: string): number {
  let length = text.length;
  while (length > 0 && text[length - 1] === "=") length--;
  return length;
}

/** An error's place in the file, where `content` begins at `start`: of what is packed it counts in the bytes that the text stands for. */
function inFile(error: TuskError, content: string, start: number, file: Uint8Array): TuskError {
  const place = { cause: error.cause };
  // A limit is no place.
  if (error.code === "inflate-limit" || error.offset === undefined) return new TuskError("elephant", error.code, error.reason, place);
  const isBase64 = /^[A-Za-z0-9+/]*={0,2}$/.test(content) && content.length % 4 === 0;
  const at = isBase64 ? Math.floor((error.offset * 4) / 3) : error.offset;
  const inside = at < lengthWithoutPadding(content);
  return new TuskError("elephant", error.code, error.reason, { ...place, offset: inside ? start + at : file.length });
}

/** Only white space that the JSON keeps is taken away: anything else is no base64. */
function unpackExportString(bytes: Uint8Array): Uint8Array {
  const start = contentStart(bytes);
  const content = textOf(bytes.subarray(start, contentEnd(bytes)), "latin1", "an export string");
  try {
    return importBytes(content, DEFAULT_LIMITS.maxInflatedBytes);
  } catch (error) {
    throw error instanceof TuskError ? inFile(error, content, start, bytes) : error;
  }
}

/** How the base64 of a zlib stream begins, also a damaged one: the byte 78 (RFC 1950: deflate, a window of 32 KB), and 01, 5E, 9C or DA by its level. */
const ZLIB_BASE64 = /^\s*e(A[E-H]|F[4-7]|J[w-z]|N[o-r])[A-Za-z0-9+/]/;
/** So much of it is looked at, behind white space. */
const GLANCE = 4096;

/** Streams of other windows are told by the save inside alone: words begin as they do, too. */
function beginsAsExportString(bytes: Uint8Array): boolean {
  const start = contentStart(bytes);
  const text = textOf(bytes.subarray(start, start + GLANCE), "latin1", "its beginning");
  return ZLIB_BASE64.test(text) || detectExportString(text) !== undefined;
}

export const exportString: SaveFormat = {
  ...face,
  name: "export-string",
  title: "Elephant export string",
  headNames: ["release", "after", "before", "lineEnd"],
  binary: false,
  detect: beginsAsExportString,
  unpack: unpackExportString,
  wrapping: (bytes) => ({ before: leadingSpace(bytes), lineEnd: splitTrailingSpace(bytes).after }),
  convertHead: (head, release) => ({ ...face.convertHead(head, release), before: head.before, lineEnd: head.lineEnd }),
  read: (bytes, settings) => readElephant(bytes, settings),
  write: (save, settings) => withSpace(Buffer.from(exportBytes(writeElephantSave(save, settings)), "latin1"), save.head),
};
