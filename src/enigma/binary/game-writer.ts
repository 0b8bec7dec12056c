// The frame of the binary backend (formats/enigma.md §2), without the digest.

import { isUint8Array } from "../../engine/given-bytes.ts";
import { refuse } from "../failure.ts";
import type { EnigmaBackground, EnigmaGame, EnigmaInstance } from "../model.ts";
import { type ByteSink, checkInteger } from "./byte-sink.ts";
import { ascendingIds, signedId } from "./game-reader.ts";
import { listOf, type WriteContext, writeScalar } from "./instance-writer.ts";
import * as LEAD from "./leads.ts";

/** Where an instance stands in the game that was given, by its index among those that are written. */
export type PathOf = (index: number) => string;

/** Writes instances behind the sink's cursor. */
export type ListWriter = (sink: ByteSink, instances: readonly EnigmaInstance[], context: WriteContext, pathOf: PathOf) => void;

/** The instances of a list, ascending by id as a signed number unless the order is to be kept, and their paths. */
export function orderedInstances(game: EnigmaGame, list: "active" | "inactive", sort: boolean): [readonly EnigmaInstance[], PathOf] {
  const given = listOf(game[list], `.${list}`);
  if (!sort || ascendingIds(given)) return [given, (i) => `.${list}[${i}]`];
  const order = [...given.keys()].sort((a, b) => signedId(given[a]!) - signedId(given[b]!));
  return [order.map((i) => given[i]!), (i) => `.${list}[${order[i]}]`];
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
