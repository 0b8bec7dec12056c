// The frame of the binary backend (formats/enigma.md §2), without the digest.

import { listOf, textureOf, type WriteContext } from "../given.ts";
import type { EnigmaBackground, EnigmaGame, EnigmaInstance } from "../model.ts";
import { orderedInstances, type PathOf } from "../order.ts";
import type { ByteSink } from "./byte-sink.ts";
import { writeScalar } from "./instance-writer.ts";
import * as LEAD from "./leads.ts";

/** Writes instances behind the sink's cursor. */
export type ListWriter = (sink: ByteSink, instances: readonly EnigmaInstance[], context: WriteContext, pathOf: PathOf) => void;

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
    const [instances, pathOf] = orderedInstances(game, list, context.sort);
    sink.u64(instances.length);
    writeList(sink, instances, context, pathOf);
  }
  sink.u8(LEAD.backgrounds);
  const backgrounds = listOf(game.backgrounds, ".backgrounds");
  for (let i = 0, count = sink.count(backgrounds); i < count; i++) writeBackground(sink, backgrounds[i]!, `.backgrounds[${i}]`);
  sink.u8(LEAD.backgroundsEnd);
  writeScalar(sink, "i32", game.room, ".room");
  if (sink.undefinedAsZero > 0)
    context.warnings.tally("undefined-as-zero", "the binary backend stores an undefined variant as the number 0", {}, sink.undefinedAsZero);
}
