// The notation of test/vectors/enigma/manifest.json (its README) to and from the codec's own values.
import {
  type EnigmaGame,
  type EnigmaInstance,
  type EnigmaTable,
  type EnigmaText,
  type EnigmaValue,
  type EnigmaVariant,
  NanBits,
} from "../../src/enigma/index.ts";
import { parseType, type ValueType } from "../../src/enigma/value-type.ts";
import type { Json } from "./vectors.ts";

export function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("hex");
}

function bits(value: number, width: 32 | 64): string {
  const view = new DataView(new ArrayBuffer(8));
  if (width === 64) view.setFloat64(0, value);
  else view.setFloat32(0, value);
  return hex(new Uint8Array(view.buffer, 0, width / 8));
}

export function fromFloat(value: number | NanBits, width: 32 | 64): Json {
  if (value instanceof NanBits) return { bits: value.bits };
  if (Number.isNaN(value)) return { bits: width === 64 ? "7ff8000000000000" : "7fc00000" };
  return Number.isFinite(value) && !Object.is(value, -0) ? value : { bits: bits(value, width) };
}

function toFloat(value: Json, width: 32 | 64): number | NanBits {
  if (typeof value === "number") return value;
  const view = new DataView(Uint8Array.from(Buffer.from(value.bits, "hex")).buffer);
  const number = width === 64 ? view.getFloat64(0) : view.getFloat32(0);
  if (!Number.isNaN(number)) return number;
  return value.bits === "7ff8000000000000" || value.bits === "7fc00000" ? Number.NaN : new NanBits(value.bits);
}

const fromText = (text: EnigmaText): Json => (typeof text === "string" ? text : { hex: hex(text) });
const toText = (text: Json): EnigmaText => (typeof text === "string" ? text : Uint8Array.from(Buffer.from(text.hex, "hex")));

function fromVariant(value: EnigmaVariant): Json {
  if (value === undefined) return { undefined: true };
  if (typeof value === "string" || value instanceof Uint8Array) return { string: fromText(value) };
  return { real: fromFloat(value, 64) };
}

function toVariant(value: Json): EnigmaVariant {
  if ("undefined" in value) return undefined;
  return "string" in value ? toText(value.string) : toFloat(value.real, 64);
}

function fromTable<T>(table: EnigmaTable<T>, json: boolean, element: (value: T) => Json): Json {
  const dense = table.dense.map(element);
  const sparse = table.sparse.map(([key, value]) => [Number(key), element(value)]);
  return json ? { entries: [...dense.map((value, i) => [i, value]), ...sparse] } : { max: Number(table.max), dense, sparse };
}

function toTable<T>(table: Json, element: (value: Json) => T): EnigmaTable<T> {
  return { max: table.max, dense: table.dense.map(element), sparse: table.sparse.map(([key, value]: Json) => [key, element(value)]) };
}

const EMPTY: EnigmaTable<never> = { max: 0, dense: [], sparse: [] };

export function fromValue(type: ValueType, value: Json, json: boolean): Json {
  switch (type.kind) {
    case "f32":
      return fromFloat(value, 32);
    case "f64":
      return fromFloat(value, 64);
    case "i64":
    case "u64":
      return String(value);
    case "string":
      return fromText(value);
    case "variant":
      return fromVariant(value);
    case "var": {
      const plain = typeof value !== "object" || value instanceof Uint8Array || value instanceof NanBits;
      const arrays = plain ? { value, array1d: EMPTY, array2d: EMPTY } : value;
      return {
        value: fromVariant(arrays.value),
        array1d: fromTable(arrays.array1d, json, fromVariant),
        array2d: fromTable(arrays.array2d, json, (row: EnigmaTable<EnigmaVariant>) => fromTable(row, json, fromVariant)),
      };
    }
    case "map":
      return value.map(([key, element]: Json) => [fromValue(type.parts[0]!, key, json), fromValue(type.parts[1]!, element, json)]);
    case "pair":
    case "tuple":
      return value.map((element: Json, i: number) => fromValue(type.parts[i]!, element, json));
    default:
      return type.parts.length === 0 ? value : value.map((element: Json) => fromValue(type.parts[0]!, element, json));
  }
}

export function toValue(type: ValueType, value: Json): EnigmaValue {
  switch (type.kind) {
    case "f32":
      return toFloat(value, 32);
    case "f64":
      return toFloat(value, 64);
    case "i64":
    case "u64":
      return BigInt(value);
    case "string":
      return toText(value);
    case "variant":
      return toVariant(value);
    case "var": {
      const array1d = toTable(value.array1d, toVariant);
      const array2d = toTable(value.array2d, (row) => toTable(row, toVariant));
      const scalar = toVariant(value.value);
      const empty = [array1d, array2d].every((table) => table.max === 0 && table.dense.length === 0 && table.sparse.length === 0);
      return empty ? scalar : { value: scalar, array1d, array2d };
    }
    case "map":
      return value.map(([key, element]: Json) => [toValue(type.parts[0]!, key), toValue(type.parts[1]!, element)]);
    case "pair":
    case "tuple":
      return value.map((element: Json, i: number) => toValue(type.parts[i]!, element));
    default:
      return type.parts.length === 0 ? value : value.map((element: Json) => toValue(type.parts[0]!, element));
  }
}

/** Kinds of the engine's fields that are not numbers of 64 bits, booleans or integers. */
const F32 = new Set(
  "timeline_speed timeline_position image_index image_speed image_xscale image_yscale image_angle polygon_xscale polygon_yscale polygon_angle x y h w".split(
    " ",
  ),
);
const F64 = new Set("x y xprevious yprevious xstart ystart gravity gravity_direction friction image_alpha".split(" "));
const VARIANT = new Set("direction speed hspeed vspeed image_single depth".split(" "));
const TIERS = ["planar", "timelines", "graphics", "transform", "collisions"] as const;

function mapTier(record: Json, field: { f32: (v: Json) => Json; f64: (v: Json) => Json; variant: (v: Json) => Json }): Json {
  return Object.fromEntries(
    Object.entries(record).map(([key, value]) => [
      key,
      VARIANT.has(key) ? field.variant(value) : F64.has(key) ? field.f64(value) : F32.has(key) ? field.f32(value) : value,
    ]),
  );
}

const FROM = { f32: (v: Json) => fromFloat(v, 32), f64: (v: Json) => fromFloat(v, 64), variant: fromVariant };
const TO = { f32: (v: Json) => toFloat(v, 32), f64: (v: Json) => toFloat(v, 64), variant: toVariant };
const VAR = parseType("var");

/** An instance in the manifest's notation. Offsets and lengths are computed from the written sizes, which `sizes` gives. */
export function fromInstance(instance: EnigmaInstance, json: boolean): Json {
  return {
    id: instance.id,
    objectIndex: instance.objectIndex,
    ...Object.fromEntries(TIERS.map((tier) => [tier, mapTier(instance[tier], FROM)])),
    vmap: instance.vmap?.map(([name, value]) => [fromText(name), fromValue(VAR, value, json)]) ?? null,
    classes: instance.classes.map((block) => ({
      class: block.class,
      ...(json ? {} : { table: block.table?.map(fromText) ?? null }),
      locals: block.locals.map((local) => ({
        name: fromText(local.name),
        type: local.type,
        ...(local.damaged ? { damaged: true, raw: hex(local.raw!) } : { value: fromValue(parseType(local.type!), local.value, json) }),
      })),
    })),
  };
}

export function fromGame(game: EnigmaGame): Json {
  const json = game.backend === "json";
  return {
    active: game.active.map((instance) => fromInstance(instance, json)),
    inactive: game.inactive.map((instance) => fromInstance(instance, json)),
    backgrounds: game.backgrounds.map((background) => ({
      ...background,
      texture: { ...background.texture, bgra: hex(background.texture.bgra) },
      bounds: Object.fromEntries(Object.entries(background.bounds).map(([key, value]) => [key, fromFloat(value, 32)])),
    })),
    room: game.room,
  };
}

/** The expected state without `offset` and `length`, which the codec does not give: they follow from order and sizes. */
export function withoutPlaces(state: Json): Json {
  return JSON.parse(JSON.stringify(state, (key, value) => (key === "offset" || key === "length" ? undefined : value)));
}

function toInstance(state: Json): EnigmaInstance {
  return {
    id: state.id,
    objectIndex: state.objectIndex,
    ...Object.fromEntries(TIERS.map((tier) => [tier, mapTier(state[tier], TO)])),
    vmap: state.vmap?.map(([name, value]: Json) => [toText(name), toValue(VAR, value)]) ?? null,
    classes: state.classes.map((block: Json) => ({
      class: block.class,
      table: block.table?.map(toText),
      locals: block.locals.map(({ name, type, value }: Json) => ({ name: toText(name), type, value: toValue(parseType(type), value) })),
    })),
  } as EnigmaInstance;
}

/** A game from a `source` of the manifest. */
export function toGame(state: Json, backend: "binary" | "json", prefix: number): EnigmaGame {
  return {
    backend,
    active: state.active.map(toInstance),
    inactive: state.inactive.map(toInstance),
    backgrounds: state.backgrounds.map((background: Json) => ({
      ...background,
      texture: { ...background.texture, bgra: Uint8Array.from(Buffer.from(background.texture.bgra, "hex")) },
      bounds: Object.fromEntries(Object.entries(background.bounds).map(([key, value]) => [key, toFloat(value, 32)])),
    })),
    room: state.room,
    prefix: new Uint8Array(prefix),
  };
}
