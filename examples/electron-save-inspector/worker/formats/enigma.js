// Saves of ENIGMA's game_save_buffer. Without a schema the games' own variables are bytes; the engine's are shown and edited.
import { NanBits, readEnigma, writeEnigma } from "tusk-codec";
import { Items, Listed, Members, pairs } from "./contents.js";
import { bytesText, firstBytesText, numberText, parseScalar, plural, quoted } from "./scalars.js";

export function readEnigmaSave(bytes) {
  const warnings = [];
  const value = readEnigma(bytes, { onWarning: (warning) => warnings.push(warning.message) });
  return { value, form: `${value.backend} backend`, warnings };
}

export function writeEnigmaSave({ value }) {
  return writeEnigma(value, { damaged: "raw" });
}

/** Where in a save that is written now the value stands that is at `path` here: the writer sorts instances by their ids, as signed numbers. */
function storedPath(game, path) {
  const list = Object.values(game)[path[0]];
  if (game.order === "kept" || path.length < 2 || (list !== game.active && list !== game.inactive)) return path;
  const sorted = [...list].sort((a, b) => (a.id | 0) - (b.id | 0));
  return path.with(1, sorted.indexOf(list[path[1]]));
}

/** The types of the engine's fields that are no reals of 64 bits. */
const FIELDS = new Map(
  Object.entries({
    u32: "id width height tileWidth tileHeight",
    s32: "objectIndex room timeline_index sprite_index image_blend mask_index polygon_index hOffset vOffset hSep vSep",
    f32: "image_index image_speed image_xscale image_yscale image_angle timeline_speed timeline_position polygon_xscale polygon_yscale polygon_angle",
  }).flatMap(([type, names]) => names.split(" ").map((name) => [name, type])),
);

/** Lists of the steps and moments of timelines. Arrays in a variable look the same, and hold reals. */
const ofTimelines = new WeakSet();

function items(array) {
  if (ofTimelines.has(array)) for (const inner of array) if (Array.isArray(inner)) ofTimelines.add(inner);
  return new Items(array);
}

const isInstance = (value) => "objectIndex" in value && "planar" in value;
const isClass = (value) => Array.isArray(value.locals);

/** The lists of pairs that are shown as the maps that they are: each as one and the same. */
const maps = new WeakMap();

function mapOf(list) {
  if (!maps.has(list)) maps.set(list, { pairs: list });
  return maps.get(list);
}

function nameText(name) {
  return typeof name === "string" ? name : bytesText(name);
}

/** Their types are the game's: bytes, which are not edited. */
function locals(list) {
  return new Listed(
    "member",
    list.length,
    (i) => nameText(list[i].name),
    (i) => list[i].raw,
  );
}

function scalarText(value) {
  if (typeof value === "number") return numberText(value);
  if (value instanceof Uint8Array) return bytesText(value);
  if (value instanceof NanBits) return `NaN ${value.bits}`;
  return value === null ? "none" : String(value);
}

function typeOf(value) {
  if (value instanceof NanBits) return "number";
  if (value instanceof Uint8Array) return "bytes";
  if (value === null) return "undefined";
  if (typeof value === "object") return Array.isArray(value) ? "array" : "struct";
  return { bigint: "int64", boolean: "bool" }[typeof value] ?? typeof value;
}

/** The type in which a number is stored. The game's own variables, which may have the names of fields, are in lists of another kind. */
function storedType(value, { contents, ordinal }) {
  const type = typeOf(value);
  if (type !== "number") return type;
  if (contents instanceof Items && ofTimelines.has(contents.array)) return "s32";
  if (!(contents instanceof Members)) return type;
  const isOfBounds = Object.hasOwn(contents.object, "h");
  return isOfBounds ? "f32" : (FIELDS.get(contents.name(ordinal)) ?? type);
}

export const enigma = {
  contents(value) {
    if (typeof value !== "object" || value === null || value instanceof Uint8Array || value instanceof NanBits) return undefined;
    if (Array.isArray(value)) return items(value);
    if (isClass(value)) return locals(value.locals);
    if (isInstance(value) && value.vmap) {
      const members = new Members(value);
      const at = members.names.indexOf("vmap");
      members.value = (i) => (i === at ? mapOf(value.vmap) : value[members.names[i]]);
      return members;
    }
    if (Array.isArray(value.pairs)) return pairs(value.pairs, nameText);
    if (Array.isArray(value.timeline_moments_maps)) ofTimelines.add(value.timeline_moments_maps);
    return new Members(value);
  },

  look(value, place = {}) {
    if (value instanceof Uint8Array) return { type: "bytes", text: `${plural(value.length, "byte")}  ${firstBytesText(value)}` };
    if (typeof value === "object" && value !== null && !(value instanceof NanBits)) {
      if (Array.isArray(value)) return { type: "array", text: plural(value.length, "item") };
      if (isClass(value)) return { type: "struct", title: "class", text: plural(value.locals.length, "variable") };
      const holds = plural(value.pairs?.length ?? Object.keys(value).length, "member");
      if (isInstance(value)) return { type: "struct", title: `object ${value.objectIndex}`, text: `instance ${value.id}`, holds };
      return { type: "struct", title: value.pairs ? "map" : undefined, text: holds };
    }
    const type = storedType(value, place);
    const text = scalarText(value);
    return { type, text: type === "string" ? quoted(text) : text, editable: type !== "undefined" };
  },

  kind: typeOf,

  title: (value) => (isInstance(value) ? `object ${value.objectIndex}` : undefined),

  scalarText,

  /** Whose text is had in parts: a picture has many. */
  bytes: (value) => (value instanceof Uint8Array ? value : undefined),

  parse: (value, text, place) => parseScalar(storedType(value, place), text),

  storedPath,

  /** What a field may hold is the writer's to say. */
  checkWhole: true,
};
