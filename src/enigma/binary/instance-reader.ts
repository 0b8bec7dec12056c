// One instance of the binary backend, every rule and every irregularity (formats/enigma.md §2.1, §4, §7). The kernel reads the regular
// instances; whatever it does not know, a defect or an error, is read here, so that each rule about them stands in one place.
import { fail, growable, type Warnings } from "../failure.ts";
import type { EnigmaClass, EnigmaInstance, EnigmaLocal, EnigmaText, EnigmaVar } from "../model.ts";
import { type CompiledSchema, ownersOf, type SchemaClass } from "../schema.ts";
import { compareTexts, nameOf } from "../text.ts";
import type { ValueType } from "../value-type.ts";
import { type ClassBlock, readClassBlock } from "./class-block.ts";
import * as LEAD from "./leads.ts";
import type { Payload } from "./payload.ts";
import { type Form, readMapped, readRegion } from "./value-reader.ts";

/** What the readers of one save share. */
export interface ReadContext {
  readonly payload: Payload;
  readonly schema: CompiledSchema | undefined;
  readonly unknownObject: "error" | "raw";
  readonly warnings: Warnings;
  /** Set when variables do not ascend by name. */
  unordered: boolean;
}

/**
 * How often what should be read once may be read once more, in lengths of the whole file: for a hostile one it would take time by the square of
 * that. Nothing bounds a variable map, so the wrong form can be led through all that follows it, in every instance; a form that was
 * so often is passed over, and the compact one is then the last resort. Any number of variables can lie at one offset.
 */
const MOST_TIMES = 4;

/** An instance with what the kernel could learn from it: the blocks of its classes, if there was nothing unusual about their number. */
export interface CarefulInstance {
  instance: EnigmaInstance;
  blocks: (ClassBlock | null)[];
  chain: readonly SchemaClass[] | undefined;
}

function readVmap(context: ReadContext): [EnigmaText, EnigmaVar][] | null {
  const { payload } = context;
  const at = payload.at;
  const count = payload.count(1, "the entries of a variable map");
  if (count === 0) {
    // An entry begins with the high byte of its name's length, which is 00: the engine leaves the count zero (formats/enigma.md §4.1).
    if (payload.at >= payload.end || payload.bytes[payload.at] !== 0) return null;
    context.warnings.tally("vmap-count-zero", "the entries of a variable map follow a count of zero", { offset: at });
  }
  const start = payload.at;
  const isBehind = () => payload.at < payload.end && payload.bytes[payload.at] === LEAD.classBlock;
  const read = (form: Form) => {
    payload.at = start;
    const entries: [EnigmaText, EnigmaVar][] = [];
    for (let i = 0; count === 0 ? payload.bytes[payload.at] === 0 : i < count; i++) {
      const name = payload.text("a variable of the map");
      entries.push([name, readMapped(payload, form)]);
    }
    return entries;
  };
  for (const form of ["compact", "padded"] as const) {
    if (payload.vain[form] > MOST_TIMES * payload.end) continue;
    try {
      const entries = read(form);
      // Zeros behind an array look like a variable without a name.
      if (isBehind() && entries.every(([name]) => name.length > 0)) {
        if (form === "padded") notePadded(context, start);
        return entries;
      }
    } catch {
      // What is wrong without the padding is what is wrong.
    }
    payload.vain[form] += payload.at - start;
  }
  return read("compact");
}

function notePadded({ warnings }: ReadContext, offset: number): void {
  warnings.tally("padded-arrays", "arrays are padded as the engine's 2022 revision did", { offset });
}

/** Reads one local from its region; what does not fit its type is damaged and does not affect its neighbours. */
export function readLocal(
  context: ReadContext,
  name: EnigmaText,
  type: ValueType | undefined,
  start: number,
  end: number,
  path: string,
): EnigmaLocal {
  const { payload, warnings } = context;
  if (!type) return { name, raw: payload.bytes.slice(start, end) };
  const result = readRegion(payload.bytes, payload.view, start, end, type);
  if (result.outcome === "damaged") {
    const { recovered, why } = result;
    warnings.add("damaged-local", `${type.text} ${nameOf(name)} is damaged: ${why}`, { offset: start, path: `${path}.${nameOf(name)}` });
    const local: EnigmaLocal = { name, type: type.text, raw: payload.bytes.slice(start, end), damaged: true };
    if (recovered !== undefined) local.recovered = recovered;
    return local;
  }
  if (result.outcome === "padded") notePadded(context, start);
  if (result.oddBool) warnings.oddBool(start);
  const local: EnigmaLocal = { name, type: type.text, value: result.value };
  // Kept only where writing the value gives others, so that memory does not grow for all.
  if (result.outcome === "padded" || result.oddBool) local.stored = payload.bytes.slice(start, end);
  return local;
}

function classOf(context: ReadContext, block: ClassBlock | null, owner: SchemaClass | undefined, path: string): EnigmaClass {
  const result: EnigmaClass = { class: owner?.name, table: null, locals: [] };
  if (!block) return result;
  const { payload, warnings } = context;
  const { names, order, bounds, data } = block;
  result.table = Object.freeze(names);
  if (bounds[0]! > data) result.gap = payload.bytes.slice(data, bounds[0]);
  let larger = 0;
  for (let i = 0; i < order.length; i++) {
    const name = names[order[i]!]!;
    // Names that are bytes are none of a schema's.
    const type = owner?.types.get(name as string);
    if (i > 0 && !context.unordered && compareTexts(names[order[i - 1]!]!, name) > 0) context.unordered = true;
    const start = bounds[i]!;
    // A value ends at the next larger offset (formats/enigma.md §2.2): of variables at one offset each has all the bytes, so that a wrong offset does
    // not take those of the variable it meets. Where the type is not known the last has them alone, and where others have had many: the file would give far more than it holds.
    while (larger < order.length && bounds[larger]! <= start) larger++;
    const next = type && payload.given < MOST_TIMES * payload.end ? larger : i + 1;
    payload.given += bounds[next]! - start;
    const local = readLocal(context, name, type, start, bounds[next]!, path);
    if (next > i + 1 && !local.damaged)
      warnings.add("damaged-local", `${nameOf(name)} lies where another variable does`, {
        offset: start,
        path: `${path}.${nameOf(name)}`,
      });
    result.locals.push(local);
  }
  return result;
}

/**
 * Reads the instance at the cursor. `path` names it in warnings. The fields stand here once more and are not read by a loop over the tiers:
 * that would save 300 bytes, but one instance took twice the time, and 500 objects 1.4 times.
 */
export function readInstance(context: ReadContext, path: string): CarefulInstance {
  const { payload, schema, warnings } = context;
  const start = payload.at;
  payload.lead(LEAD.basic, "object_basic");
  const id = payload.u32("id");
  const objectAt = payload.at;
  const objectIndex = payload.i32("object_index");
  const chain = schema?.chain(objectIndex);
  if (schema && !chain && context.unknownObject === "error")
    fail("unknown-object", `no object of the schema has the index ${objectIndex}`, objectAt);
  payload.lead(LEAD.planar, "object_planar");
  const planar = {
    x: payload.f64("x"),
    y: payload.f64("y"),
    xprevious: payload.f64("xprevious"),
    yprevious: payload.f64("yprevious"),
    xstart: payload.f64("xstart"),
    ystart: payload.f64("ystart"),
    persistent: payload.bool("persistent"),
    direction: payload.variant("direction"),
    speed: payload.variant("speed"),
    hspeed: payload.variant("hspeed"),
    vspeed: payload.variant("vspeed"),
    gravity: payload.f64("gravity"),
    gravity_direction: payload.f64("gravity_direction"),
    friction: payload.f64("friction"),
  };
  payload.lead(LEAD.timelines, "object_timelines");
  const maps: [number, number][][] = [];
  for (let n = growable(payload.count(8, "the number of timelines")); n > 0; n--) {
    const moments: [number, number][] = [];
    for (let m = growable(payload.count(8, "the number of moments of a timeline")); m > 0; m--)
      moments.push([payload.i32("a step"), payload.i32("a moment")]);
    maps.push(moments);
  }
  const timelines = {
    timeline_moments_maps: maps,
    timeline_index: payload.i32("timeline_index"),
    timeline_running: payload.bool("timeline_running"),
    timeline_speed: payload.f32("timeline_speed"),
    timeline_position: payload.f32("timeline_position"),
    timeline_loop: payload.bool("timeline_loop"),
  };
  payload.lead(LEAD.graphics, "object_graphics");
  const graphics = {
    sprite_index: payload.i32("sprite_index"),
    image_index: payload.f32("image_index"),
    image_speed: payload.f32("image_speed"),
    image_single: payload.variant("image_single"),
    depth: payload.variant("depth"),
    visible: payload.bool("visible"),
    image_xscale: payload.f32("image_xscale"),
    image_yscale: payload.f32("image_yscale"),
    image_angle: payload.f32("image_angle"),
  };
  payload.lead(LEAD.transform, "object_transform");
  const transform = { image_alpha: payload.f64("image_alpha"), image_blend: payload.i32("image_blend") };
  payload.lead(LEAD.collisions, "object_collisions");
  const collisions = {
    mask_index: payload.i32("mask_index"),
    solid: payload.bool("solid"),
    polygon_index: payload.i32("polygon_index"),
    polygon_xscale: payload.f32("polygon_xscale"),
    polygon_yscale: payload.f32("polygon_yscale"),
    polygon_angle: payload.f32("polygon_angle"),
  };
  if (payload.oddBool !== undefined) {
    warnings.oddBool(payload.oddBool);
    payload.oddBool = undefined;
  }
  const vmap = readVmap(context);
  const blocks: (ClassBlock | null)[] = [];
  do blocks.push(readClassBlock(payload));
  while (payload.at < payload.end && payload.bytes[payload.at] === LEAD.classBlock);
  const owners = ownersOf(chain, blocks.length, objectIndex, warnings, { offset: start, path });
  const classes = blocks.map((block, i) => classOf(context, block, owners?.[i], `${path}.classes[${i}]`));
  return { instance: { id, objectIndex, planar, timelines, graphics, transform, collisions, vmap, classes }, blocks, chain };
}
