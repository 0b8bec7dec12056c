// The document of the JSON backend and what stands before and behind it (formats/enigma.md §3).

import { fail, type Warnings } from "../failure.ts";
import type { EnigmaBackground, EnigmaGame } from "../model.ts";
import { ascendingIds } from "../order.ts";
import type { CompiledSchema } from "../schema.ts";
import { compareTexts } from "../text.ts";
import { JsonCursor, KeyList } from "./cursor.ts";
import { type JsonReadContext, readJsonInstance } from "./instance-reader.ts";
import { BACKGROUND_KEYS, DOCUMENT_KEYS } from "./keys.ts";
import { readBool, readFloat, readInteger } from "./value-reader.ts";

const DOCUMENT = new KeyList(DOCUMENT_KEYS);
const BACKGROUND = new KeyList(BACKGROUND_KEYS);

/** One string of one or two hexadecimal digits for each byte. */
function readTexture(cursor: JsonCursor): Uint8Array {
  let pixels = new Uint8Array(256);
  let n = 0;
  cursor.array(() => {
    const at = cursor.at;
    const text = cursor.text();
    const byte = typeof text === "string" && /^[0-9a-fA-F]{1,2}$/.test(text) ? Number.parseInt(text, 16) : -1;
    if (byte < 0) fail("json-bad-value", "expected a byte in hexadecimal", at);
    if (byte.toString(16) !== text) cursor.foreign ??= at;
    if (n === pixels.length) {
      const next = new Uint8Array(n * 2);
      next.set(pixels);
      pixels = next;
    }
    pixels[n++] = byte;
  });
  return pixels.slice(0, n);
}

/** The integers of a background by their keys. */
type Numbers = Omit<EnigmaBackground, "texture" | "bounds" | "isTileset"> & { texture_width: number; texture_height: number };

function readBackground(cursor: JsonCursor): EnigmaBackground {
  const numbers: Partial<Numbers> = {};
  const bounds = { x: 0, y: 0, h: 0, w: 0 } as EnigmaBackground["bounds"];
  let bgra = new Uint8Array(0);
  let textureAt = 0;
  let isTileset = false;
  cursor.members(BACKGROUND, "a background", (index) => {
    const key = BACKGROUND_KEYS[index]!;
    if (key === "texture") {
      textureAt = cursor.at;
      bgra = readTexture(cursor) as Uint8Array<ArrayBuffer>;
    } else if (key === "isTileset") isTileset = readBool(cursor);
    else if (key.startsWith("textureBounds.")) bounds[key.slice(-1) as keyof typeof bounds] = readFloat(cursor, true);
    else numbers[key as keyof Numbers] = readInteger(cursor, index > 11 ? "i32" : "u32");
  });
  const { width, height, texture_width, texture_height, ...rest } = numbers as Numbers;
  const size = texture_width * texture_height * 4;
  if (bgra.length !== size)
    fail(
      "json-texture-size",
      `a texture of ${texture_width} x ${texture_height} pixels has ${size} bytes, found ${bgra.length}`,
      textureAt,
    );
  return { width, height, texture: { width: texture_width, height: texture_height, bgra }, bounds, isTileset, ...rest };
}

/** Reads the document that begins at `start`; `end` is where the digest begins. */
export function readJsonGame(
  bytes: Uint8Array,
  start: number,
  end: number,
  schema: CompiledSchema | undefined,
  unknownObject: "error" | "raw",
  warnings: Warnings,
): EnigmaGame {
  const cursor = new JsonCursor(bytes, start, end, warnings);
  const context: JsonReadContext = { cursor, schema, unknownObject, warnings };
  const game: EnigmaGame = { backend: "json", active: [], inactive: [], backgrounds: [], room: 0, prefix: bytes.slice(0, start) };
  const list = (name: "active" | "inactive") => cursor.array((i) => readJsonInstance(context, `.${name}[${i}]`));
  cursor.members(DOCUMENT, "the document", (key) => {
    if (key === 0) game.active = list("active");
    else if (key === 1) game.inactive = list("inactive");
    else if (key === 2) game.backgrounds = cursor.array(() => readBackground(cursor));
    else game.room = readInteger(cursor, "i32");
  });
  const documentEnd = cursor.at;
  if (cursor.peek() !== -1) fail("trailing-bytes", `${end - cursor.at} bytes stand between the document and the digest`, documentEnd);
  if (cursor.foreign !== undefined)
    warnings.tally("json-foreign-form", "the document is not in the engine's form (white space, escapes, keys, numbers)", {
      offset: cursor.foreign,
    });
  if (!ordered(game)) game.order = "kept";
  return game;
}

function ordered(game: EnigmaGame): boolean {
  return [game.active, game.inactive].every(
    (instances) =>
      ascendingIds(instances) &&
      instances.every(({ classes }) =>
        classes.every(({ locals }) => locals.every((local, i) => i === 0 || compareTexts(locals[i - 1]!.name, local.name) < 0)),
      ),
  );
}
