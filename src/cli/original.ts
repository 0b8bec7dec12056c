// Files that their format's writer would not write so: old releases, other writers. Their notation keeps the file itself beside the values, so that
// decode and encode lose nothing; the digest of the values tells whether somebody has edited them since.
import { createHash } from "node:crypto";
import { deflateSync, inflateSync } from "node:zlib";
import type { Call, OpenedSave } from "./command.ts";
import { BadFile } from "./failure.ts";
import { notationError, type Primitive } from "./notation/vocabulary.ts";
import { writeNotation } from "./notation/write.ts";

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

/** SHA-256 of the values in the notation without spaces. */
function digest(opened: OpenedSave): string {
  const hash = createHash("sha256");
  for (const piece of writeNotation({}, opened.save.value, {}, opened.format.vocabulary, { indent: 0 })) hash.update(piece);
  return hash.digest("hex");
}

/** What stands behind the root. */
export function keepOriginal(opened: OpenedSave): Record<string, Primitive> {
  return { originalOf: digest(opened), original: deflateSync(opened.bytes).toString("base64") };
}

/** The kept file, if there is one and the values are still the same. */
export function restoreOriginal(opened: OpenedSave): Uint8Array | undefined {
  const { original, originalOf } = opened.original;
  if (original === undefined || digest(opened) !== originalOf) return undefined;
  try {
    return inflateSync(Buffer.from(String(original), "base64"));
  } catch {
    throw new BadFile(opened.file, notationError('"original" is not the base64 of a zlib stream'));
  }
}
