// The frame of the binary backend (formats/enigma.md §2), without the digest.

import { isUint8Array } from "../../engine/given-bytes.ts";
import { refuse } from "../failure.ts";
import type { EnigmaBackground, EnigmaGame, EnigmaInstance } from "../model.ts";
import { type ByteSink, checkInteger } from "./byte-sink.ts";
import { ascendingIds, signedId } from "./game-reader.ts";
import { listOf, type WriteContext, writeScalar } from "./instance-writer.ts";
import * as LEAD from "./leads.ts";

/** Writes instances behind the sink's cursor. */
export type ListWriter = (sink: ByteSink, instances: readonly EnigmaInstance[], context: WriteContext, list: "active" | "inactive") => void;

/** Ascending by id as a signed number, unless the order is to be kept. */
export function orderedInstances(instances: readonly EnigmaInstance[], sort: boolean): readonly EnigmaInstance[] {
  return !sort || ascendingIds(instances) ? instances : [...instances].sort((a, b) => signedId(a) - signedId(b));
}

/** A texture whose size is that of its pixels, as it must be in either backend. */
export function textureOf(background: EnigmaBackground, path: string): EnigmaBackground["texture"] {
  const { width, height, bgra } = background.texture;
  checkInteger(width, "u32", `${path}.texture.width`);
  checkInteger(height, "u32", `${path}.texture.height`);
  if (!isUint8Array(bgra) || bgra.length !== width * height * 4)
    refuse("unwritable", `a texture of ${width} x ${height} pixels has ${width * height * 4} bytes`, `${path}.texture.bgra`);
  return { width, height, bgra };
}

function writeBackground(sink: ByteSink, background: EnigmaBackground, path: string): void {
  const { bounds } = background;
  for (const field of ["width", "height"] as const) writeScalar(sink, "u32", background[field], `${path}.${field}`);
  const { width, height, bgra } = textureOf(background, path);
  sink.u32(width);
  sink.u32(height);
  sink.raw(bgra);
  for (const field of ["x", "y", "h", "w"] as const) sink.f32(bounds[field], `${path}.bounds.${field}`);
  writeScalar(sink, "bool", background.isTileset, `${path}.isTileset`);
  for (const field of ["tileWidth", "tileHeight"] as const) writeScalar(sink, "u32", background[field], `${path}.${field}`);
  for (const field of ["hOffset", "vOffset", "hSep", "vSep"] as const) writeScalar(sink, "i32", background[field], `${path}.${field}`);
}

export function writeBinaryGame(sink: ByteSink, game: EnigmaGame, context: WriteContext, writeList: ListWriter): void {
  for (const list of ["active", "inactive"] as const) {
    const instances = orderedInstances(listOf(game[list], `.${list}`), context.sort);
    sink.u64(instances.length);
    writeList(sink, instances, context, list);
  }
  sink.u8(LEAD.backgrounds);
  const backgrounds = listOf(game.backgrounds, ".backgrounds");
  for (let i = 0, count = sink.count(backgrounds); i < count; i++) writeBackground(sink, backgrounds[i]!, `.backgrounds[${i}]`);
  sink.u8(LEAD.backgroundsEnd);
  writeScalar(sink, "i32", game.room, ".room");
  if (sink.undefinedAsZero > 0)
    context.warnings.tally("undefined-as-zero", "the binary backend stores an undefined variant as the number 0", {}, sink.undefinedAsZero);
}
