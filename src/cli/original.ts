// Files that their format's writer would not write so: old releases, other writers. Their notation keeps the file itself beside the values, so that
// decode and encode lose nothing; a digest tells whether somebody has edited anything since, and the file is read again: it may be another one.
import { createHash } from "node:crypto";
import { deflateSync, inflateSync } from "node:zlib";
import { DEFAULT_LIMITS } from "../elephant/limits.ts";
import { TuskError } from "../errors.ts";
import type { Call, OpenedSave } from "./command.ts";
import { BadFile, failureOf } from "./failure.ts";
import { notationHead } from "./formats/format.ts";
import { textOf } from "./formats/text-file.ts";
import { decodeBase64 } from "./notation/base64.ts";
import { forEachContainer } from "./notation/graph-walk.ts";
import { notationError, type Primitive } from "./notation/vocabulary.ts";
import { writeNotation } from "./notation/write.ts";

/** What a kept original may inflate to: as much as an export string. A text of 2 MB could ask for 2 GB. */
const MOST_ORIGINAL_BYTES = DEFAULT_LIMITS.maxInflatedBytes;

/** What writing a save again gives: the same bytes, or in another packing, which is nobody's own, the same content. */
export async function writtenAgain(call: Call, opened: OpenedSave): Promise<"same" | "packed anew" | "other" | BadFile> {
  const { format, bytes, save } = opened;
  try {
    const again = await call.encode(opened, format, save.head, true);
    if (Buffer.compare(again, bytes) === 0) return "same";
    return format.unpack && Buffer.compare(format.unpack(again), format.unpack(bytes)) === 0 ? "packed anew" : "other";
  } catch (error) {
    if (error instanceof BadFile) return error;
    throw error;
  }
}

/** SHA-256 of the notation without spaces and without what this file adds: format and release decide what is written as much as the values do. */
function digest({ file, format, save }: OpenedSave): string {
  const hash = createHash("sha256");
  try {
    for (const piece of writeNotation(notationHead(format, save.head), save.value, {}, format.vocabulary, 0)) hash.update(piece);
  } catch (error) {
    throw failureOf(file, error);
  }
  return hash.digest("hex");
}

/** What stands behind the root. No file is kept that {@link restoreOriginal} would refuse. */
export function keepOriginal(opened: OpenedSave): Record<string, Primitive> {
  const what = "the file itself, beside its values (--values-only leaves it out)";
  try {
    if (opened.bytes.length > MOST_ORIGINAL_BYTES) throw new TuskError("tusk", "too-long", `${what}: more than 1 GiB is not kept`);
    return { originalOf: digest(opened), original: textOf(deflateSync(opened.bytes), "base64", what) };
  } catch (error) {
    throw failureOf(opened.file, error);
  }
}

function inflated(file: string, original: Primitive): Uint8Array {
  const packed = decodeBase64(original);
  if (!packed) throw new BadFile(file, notationError('"original" holds base64'));
  try {
    return inflateSync(packed, { maxOutputLength: MOST_ORIGINAL_BYTES });
  } catch (cause) {
    const large = (cause as { code?: string }).code === "ERR_BUFFER_TOO_LARGE";
    throw new BadFile(file, notationError(`"original" ${large ? "inflates to more than 1 GiB" : "is no zlib stream"}`));
  }
}

/** Does the save that was read from JSON have containers that schemas give their form? */
function needsSchemas({ format, save }: OpenedSave): boolean {
  let needs = false;
  forEachContainer(save.value, format.vocabulary, (container) => {
    needs ||= format.isBySchema?.(container) === true;
  });
  return needs;
}

/** What says that a file cannot be read because of a schema that is not there. */
const LACKS_SCHEMA: readonly string[] = ["schema-missing", "schema-version-missing"];

/** Do `bytes` hold the save of this digest, opened as by `--nested` or not? Undefined where only schemas could tell that the call does not give. */
async function holds(call: Call, opened: OpenedSave, bytes: Uint8Array, wanted: string): Promise<boolean | undefined> {
  const { file, format } = opened;
  const settings = { ...(await call.settings(file)), onWarning: () => undefined };
  call.progress.phase("reading the kept file", bytes.length);
  let lacks = settings.schemas === undefined && format.readsWithoutSchemas === true;
  // Whoever decoded it may have given no schemas.
  for (const schemas of new Set([settings.schemas, undefined])) {
    try {
      const read = call.openFormat(file, bytes, format, { ...settings, schemas });
      if (digest(read) === wanted) return true;
      const value = format.openNested?.(read.save.value);
      if (value !== undefined && digest({ ...read, save: { ...read.save, value } }) === wanted) return true;
    } catch (error) {
      if (!(error instanceof BadFile)) throw error;
      if (schemas === settings.schemas) lacks = LACKS_SCHEMA.includes(error.error.code);
    }
  }
  return lacks && needsSchemas(opened) ? undefined : false;
}

/**
 * The kept file, if there is one and nothing was edited: neither what stands beside it nor the file, which then has other values. `tells`: it is said why a file
 * that is there does not count.
 */
export async function restoreOriginal(call: Call, opened: OpenedSave, tells = false): Promise<Uint8Array | undefined> {
  const { file } = opened;
  const { original, originalOf } = opened.original;
  if (original === undefined) return undefined;
  const refuse = (reason: string): undefined => {
    if (tells) call.warn(`${file}: ${reason}, so the save is written anew in the form that this library writes`);
  };
  const own = digest(opened);
  if (own !== originalOf) return refuse("the JSON was edited");
  const bytes = inflated(file, original);
  const isHeld = await holds(call, opened, bytes, own);
  if (isHeld === false) {
    const { schemas } = await call.settings(file);
    return refuse(`the file that the JSON keeps has other values than the JSON${schemas ? " by these schemas" : ""}`);
  }
  if (isHeld === undefined)
    call.warn(`${file}: whether the file that the JSON keeps has these values was not checked: that takes the game's schemas (--schema)`);
  return bytes;
}
