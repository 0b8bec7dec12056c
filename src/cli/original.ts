// Files that their format's writer would not write so: old releases, other writers. Their notation keeps the file itself beside the values, so that
// decode and encode lose nothing; a digest tells whether somebody has edited anything since.
import { createHash } from "node:crypto";
import { deflateSync, inflateSync } from "node:zlib";
import { DEFAULT_LIMITS } from "../elephant/limits.ts";
import type { Call, OpenedSave } from "./command.ts";
import { BadFile, failureOf } from "./failure.ts";
import { notationHead } from "./formats/format.ts";
import { textOf } from "./formats/text-file.ts";
import { decodeBase64 } from "./notation/base64.ts";
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
function digest({ format, save }: OpenedSave): string {
  const hash = createHash("sha256");
  for (const piece of writeNotation(notationHead(format, save.head), save.value, {}, format.vocabulary, 0)) hash.update(piece);
  return hash.digest("hex");
}

/** What stands behind the root. */
export function keepOriginal(opened: OpenedSave): Record<string, Primitive> {
  try {
    return { originalOf: digest(opened), original: textOf(deflateSync(opened.bytes), "base64", "the file itself, beside its values") };
  } catch (error) {
    throw failureOf(opened.file, error);
  }
}

/** The kept file, if there is one and nothing beside it was edited. */
export function restoreOriginal(opened: OpenedSave): Uint8Array | undefined {
  const { original, originalOf } = opened.original;
  if (original === undefined || digest(opened) !== originalOf) return undefined;
  const packed = decodeBase64(original);
  if (!packed) throw new BadFile(opened.file, notationError('"original" holds base64'));
  try {
    return inflateSync(packed, { maxOutputLength: MOST_ORIGINAL_BYTES });
  } catch (cause) {
    const large = (cause as { code?: string }).code === "ERR_BUFFER_TOO_LARGE";
    throw new BadFile(opened.file, notationError(`"original" ${large ? "inflates to more than 1 GiB" : "is no zlib stream"}`));
  }
}
