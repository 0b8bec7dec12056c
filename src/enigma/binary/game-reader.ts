// The frame of the binary backend: two lists of instances, the backgrounds, the room (formats/enigma.md §2, §2.4).
import { fail } from "../failure.ts";
import type { EnigmaBackground, EnigmaGame, EnigmaInstance } from "../model.ts";
import { ascendingIds } from "../order.ts";
import type { ReadContext } from "./instance-reader.ts";
import * as LEAD from "./leads.ts";
import type { Payload } from "./payload.ts";

/** Reads `count` instances at the payload's cursor and leaves it behind them. */
export type ListReader = (context: ReadContext, count: number, list: "active" | "inactive") => EnigmaInstance[];

/** A background without pixels takes 57 bytes. */
const LEAST_BACKGROUND = 57;

function readBackground(payload: Payload): EnigmaBackground {
  const start = payload.at;
  const width = payload.u32("width");
  const height = payload.u32("height");
  const textureWidth = payload.u32("the texture's width");
  const textureHeight = payload.u32("the texture's height");
  const size = textureWidth * textureHeight * 4;
  if (size > payload.end - payload.at)
    fail(
      "truncated",
      `a texture of ${textureWidth} x ${textureHeight} pixels, but only ${payload.end - payload.at} bytes are left`,
      start + 8,
    );
  const pixels = payload.take(size, "the texture");
  return {
    width,
    height,
    texture: { width: textureWidth, height: textureHeight, bgra: payload.bytes.slice(pixels, pixels + size) },
    bounds: {
      x: payload.f32("the texture bounds"),
      y: payload.f32("the texture bounds"),
      h: payload.f32("the texture bounds"),
      w: payload.f32("the texture bounds"),
    },
    isTileset: payload.bool("is tileset"),
    tileWidth: payload.u32("the tile width"),
    tileHeight: payload.u32("the tile height"),
    hOffset: payload.i32("the horizontal offset"),
    vOffset: payload.i32("the vertical offset"),
    hSep: payload.i32("the horizontal separation"),
    vSep: payload.i32("the vertical separation"),
  };
}

export function readBinaryGame(context: ReadContext, readList: ListReader): EnigmaGame {
  const { payload, warnings } = context;
  // An instance takes more than one byte, but a count just above the truth is told better by the byte that stands in its place.
  const active = readList(context, payload.count(1, "the number of active instances"), "active");
  const inactive = readList(context, payload.count(1, "the number of inactive instances"), "inactive");
  payload.lead(LEAD.backgrounds, "the start of the backgrounds");
  const backgrounds: EnigmaBackground[] = [];
  for (let n = payload.count(LEAST_BACKGROUND, "the number of backgrounds"); n > 0; n--) backgrounds.push(readBackground(payload));
  if (payload.oddBool !== undefined) warnings.oddBool(payload.oddBool);
  payload.lead(LEAD.backgroundsEnd, "the end of the backgrounds");
  const room = payload.i32("the room index");
  if (payload.at < payload.end)
    fail("trailing-bytes", `${payload.end - payload.at} bytes stand between the room index and the digest`, payload.at);
  const game: EnigmaGame = { backend: "binary", active, inactive, backgrounds, room };
  if (context.unordered || !ascendingIds(active) || !ascendingIds(inactive)) game.order = "kept";
  return game;
}
