// Elephant saves of any release, and export strings.
import { createElephant, detect, isScalar, Scalar, StructInstance, TuskError } from "tusk-codec";
import { isAbout } from "../error-report.js";
import { followedBy, splitSpace } from "./behind.js";
import { Items, Members } from "./contents.js";
import { storedForms } from "./elephant-forms.js";
import { elephantSchemas } from "./elephant-schemas.js";
import { NARROW, numberText, parseScalar, plural, quoted, tooLarge } from "./scalars.js";

/** Milliseconds that reading and writing take at once. */
const SLICE = 12;

const WRITABLE = ["1.5.1", "1.5.0", "1.4.0"];

/** Nothing is asked of the page's policy that it might refuse: a refusal would be reported to the page's owner. */
const OPTIONS = { unknownConstructor: "generic", codeGeneration: false };

let shared;

async function codecFor(constructors) {
  if (constructors) return createElephant({ ...OPTIONS, constructors });
  shared ??= await createElephant(OPTIONS);
  return shared;
}

/** The save that an export string packs. */
function unpacked(text) {
  const packed = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  return new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
}

async function unpackedBytes(text) {
  return new Uint8Array(await new Response(unpacked(text)).arrayBuffer());
}

/** What is compared of two files: the same save may be packed into other bytes by another version of zlib. */
export function packedSave(bytes, { form }) {
  return form === "export string" ? unpackedBytes(new TextDecoder().decode(splitSpace(bytes).content).trim()) : bytes;
}

/** The first bytes of it; enough to tell the release. */
async function beginningOf(text) {
  const reader = unpacked(text).getReader();
  const { value } = await reader.read();
  void reader.cancel();
  return value;
}

/** An error of `text` with a place that can be shown: in the text, or in what it packs. */
async function placed(error, text) {
  const { code, reason, offset, cause } = error;
  if (offset === undefined) return error;
  // A limit is no place.
  if (code === "inflate-limit") return new TuskError("elephant", code, reason, { cause });
  if (code !== "export-string") {
    isAbout(error, await unpackedBytes(text));
    return error;
  }
  // Of a stream that is damaged it counts bytes, of a text that is no base64 characters.
  const isBase64 = /^[A-Za-z0-9+/]*={0,2}$/.test(text) && text.length % 4 === 0;
  return new TuskError("elephant", code, reason, { offset: isBase64 ? Math.floor((offset * 4) / 3) : offset, cause });
}

/** In slices, so that the worker answers while a large save is on its way. `json`: schemas by constructor name. `onProgress`: 0 to 1. */
export async function readElephant(bytes, { form }, json, onProgress) {
  const schemas = elephantSchemas(json);
  const codec = await codecFor(schemas);
  if (form === "export string") {
    const { content, after } = splitSpace(bytes);
    const text = new TextDecoder().decode(content).trim();
    try {
      const value = codec.importString(text, { scalars: "exact" });
      return { value, release: detect(await beginningOf(text))?.release, form, engine: codec.engine, after, schemas };
    } catch (error) {
      throw error instanceof TuskError ? await placed(error, text) : error;
    }
  }
  const { value, end, release } = await codec.readAtAsync(bytes, 0, {
    scalars: "exact",
    sliceMs: SLICE,
    onProgress: ({ done, total }) => onProgress?.(done / total),
  });
  return { value, release, form: "save", engine: codec.engine, after: bytes.slice(end), schemas };
}

/** The release that an edited save is written in. */
export function writtenRelease(release) {
  return WRITABLE.includes(release) ? release : WRITABLE[0];
}

export async function writeElephant({ value, release, form, after, schemas }) {
  const isGraph = typeof value === "object" && value !== null;
  const { constructors, diffsOnly } = schemas && isGraph ? storedForms(value, schemas) : {};
  const codec = await codecFor(constructors);
  const options = { release: writtenRelease(release), diffsOnly };
  const save =
    form === "export string"
      ? new TextEncoder().encode(codec.exportString(value, options))
      : await codec.writeAsync(value, { ...options, sliceMs: SLICE });
  return followedBy(save, after);
}

const isContainer = (value) => typeof value === "object" && value !== null && !isScalar(value);

function typeOf(value) {
  if (isContainer(value)) return Array.isArray(value) ? "array" : "struct";
  if (isScalar(value)) return value.datatype === "u64" ? "int64" : value.datatype;
  switch (typeof value) {
    case "bigint":
      return "int64";
    case "boolean":
      return "bool";
    default:
      return typeof value;
  }
}

function scalarText(value) {
  if (isScalar(value)) return scalarText(value.value);
  if (typeof value === "number") return numberText(value);
  return String(value);
}

/** The narrow datatype in which a schema stores the member, whose value is a plain number; undefined: in that of the value. */
function datatypeOfField(value, { schemas, contents, ordinal }) {
  if (typeof value !== "number") return undefined;
  const instance = contents?.object;
  if (!(instance instanceof StructInstance) || StructInstance.verboseOf(instance)) return undefined;
  const datatype = schemas?.[StructInstance.nameOf(instance)]?.[`v${StructInstance.versionOf(instance)}`]?.[contents.name(ordinal)];
  return NARROW.has(datatype) ? datatype : undefined;
}

/** How a constructed struct was stored, where a schema says that. */
function storedAs(value) {
  const version = value instanceof StructInstance ? StructInstance.versionOf(value) : 0;
  return version === 0 ? undefined : `schema version ${version}, ${StructInstance.verboseOf(value) ? "verbose" : "strict"}`;
}

export const elephant = {
  contents(value) {
    if (!isContainer(value)) return undefined;
    return Array.isArray(value) ? new Items(value) : new Members(value);
  },

  look(value, place = {}) {
    if (isContainer(value)) {
      if (Array.isArray(value)) return { type: "array", text: plural(value.length, "item") };
      const text = plural(Object.keys(value).length, "member");
      if (!(value instanceof StructInstance)) return { type: "struct", text };
      return { type: "struct", title: StructInstance.nameOf(value) || "(nameless)", note: storedAs(value) ?? "", text };
    }
    const type = datatypeOfField(value, place) ?? typeOf(value);
    const text = scalarText(value);
    const isText = type === "string" || type === "text";
    return { type, text: isText ? quoted(text) : text, editable: type !== "undefined" };
  },

  /** The type alone, for the comparison. */
  kind: typeOf,

  own: storedAs,

  /** What a container is called beside its name, for the search and the comparison. */
  title: (value) => (value instanceof StructInstance ? StructInstance.nameOf(value) : undefined),

  /** The whole of a scalar, for the editor and the search. */
  scalarText,

  async parse(value, text, place) {
    const narrow = datatypeOfField(value, place);
    const datatype = isScalar(value) ? value.datatype : narrow;
    const parsed = parseScalar(narrow ?? typeOf(value), text);
    // The codec itself says what the format cannot hold, and what becomes of a number in fewer bits.
    const codec = await codecFor();
    const bytes = codec.write([datatype ? Scalar(datatype, parsed) : parsed]);
    if (!datatype) return parsed;
    const [kept] = codec.read(bytes, { scalars: "exact" });
    const stored = isScalar(kept) ? kept.value : kept;
    if (Number.isFinite(parsed) && !Number.isFinite(stored)) throw tooLarge(text.trim(), datatype);
    return isScalar(value) ? Scalar(datatype, stored) : stored;
  },
};
