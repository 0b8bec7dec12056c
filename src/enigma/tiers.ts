// The engine tiers of an instance. The binary backend stores them innermost first (formats/enigma.md §2.1); in the JSON backend each holds the next inner one
// as its "parent" (§3.1), and their fields follow in the same order.
import { refuse } from "./failure.ts";
import type { EnigmaInstance } from "./model.ts";
import { parseType, type ValueType } from "./value-type.ts";

type FieldKind = "i32" | "u32" | "f32" | "f64" | "bool" | "variant" | "timelines";

export interface Tier {
  /** Value of "object_type". */
  readonly name: string;
  /** The property of an instance that holds its fields; undefined for the root, whose fields stand in the instance itself. */
  readonly part: "planar" | "timelines" | "graphics" | "transform" | "collisions" | undefined;
  readonly fields: readonly Field[];
}

/** Key in the document, property, and the type of a variable that is stored alike; timelines have none. */
type Field = readonly [key: string, property: string, type: ValueType | undefined];

function field(kind: FieldKind, key: string, property = key): Field {
  return [key, property, kind === "timelines" ? undefined : parseType(kind)];
}

function same(kind: FieldKind, ...names: string[]): Field[] {
  return names.map((name) => field(kind, name));
}

function tier(part: Tier["part"], ...fields: Field[]): Tier {
  return { name: `object_${part ?? "basic"}`, part, fields };
}

/** Outermost first: the lead byte of each (binary/leads.ts) is one less than that of the one before it. */
export const TIERS: readonly Tier[] = [
  tier(
    "collisions",
    ...same("i32", "mask_index"),
    ...same("bool", "solid"),
    ...same("i32", "polygon_index"),
    ...same("f32", "polygon_xscale", "polygon_yscale", "polygon_angle"),
  ),
  tier("transform", ...same("f64", "image_alpha"), ...same("i32", "image_blend")),
  tier(
    "graphics",
    ...same("i32", "sprite_index"),
    ...same("f32", "image_index", "image_speed"),
    ...same("variant", "image_single", "depth"),
    ...same("bool", "visible"),
    ...same("f32", "image_xscale", "image_yscale", "image_angle"),
  ),
  tier(
    "timelines",
    ...same("timelines", "timeline_moments_maps"),
    ...same("i32", "timeline_index"),
    ...same("bool", "timeline_running"),
    ...same("f32", "timeline_speed", "timeline_position"),
    ...same("bool", "timeline_loop"),
  ),
  tier(
    "planar",
    ...same("f64", "x", "y", "xprevious", "yprevious", "xstart", "ystart"),
    ...same("bool", "persistent"),
    ...same("variant", "direction", "speed", "hspeed", "vspeed"),
    ...same("f64", "gravity", "gravity_direction", "friction"),
  ),
  tier(undefined, field("u32", "id"), field("i32", "object_index", "objectIndex")),
];

/** The fields of one tier of an instance that a program gives, and what it says of them; `place` is its path. */
export function givenTier(
  instance: EnigmaInstance,
  level: number,
  path: string,
): { record: Readonly<Record<string, unknown>>; place: string; fields: Tier["fields"] } {
  const { part, fields } = TIERS[level]!;
  const record: unknown = part === undefined ? instance : instance[part];
  const place = part === undefined ? path : `${path}.${part}`;
  // What a hand-made game forgot is an error with its name, not an exception of the platform.
  if (typeof record !== "object" || record === null) refuse("unwritable", "missing", place);
  return { record: record as Record<string, unknown>, place, fields };
}
