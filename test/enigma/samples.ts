// Small games made by hand.
import type { EnigmaGame, EnigmaInstance, EnigmaLocal, EnigmaSchema } from "../../src/enigma/index.ts";

/** An instance as the engine creates it (formats/enigma.md §2.1), with the given variables in one class. */
export function instanceOf(id: number, locals: EnigmaLocal[] = [], objectIndex = 0): EnigmaInstance {
  return {
    id,
    objectIndex,
    planar: {
      x: 0,
      y: 0,
      xprevious: 0,
      yprevious: 0,
      xstart: 0,
      ystart: 0,
      persistent: false,
      direction: 0,
      speed: 0,
      hspeed: 0,
      vspeed: 0,
      gravity: 0,
      gravity_direction: 270,
      friction: 0,
    },
    timelines: {
      timeline_moments_maps: [],
      timeline_index: -1,
      timeline_running: false,
      timeline_speed: 1,
      timeline_position: 0,
      timeline_loop: false,
    },
    graphics: {
      sprite_index: -1,
      image_index: 0,
      image_speed: 1,
      image_single: -1,
      depth: 0,
      visible: true,
      image_xscale: 1,
      image_yscale: 1,
      image_angle: 0,
    },
    transform: { image_alpha: 1, image_blend: 0xffffff },
    collisions: { mask_index: -1, solid: false, polygon_index: -1, polygon_xscale: 1, polygon_yscale: 1, polygon_angle: 0 },
    vmap: null,
    classes: [{ class: "obj", locals }],
  };
}

export function gameOf(active: EnigmaInstance[], inactive: EnigmaInstance[] = []): EnigmaGame {
  return { backend: "binary", active, inactive, backgrounds: [], room: 0 };
}

/** A schema of one object without a parent. */
export function schemaFor(types: Record<string, string>, index = 0): EnigmaSchema {
  return { objects: [{ index, name: "obj", parent: null, locals: Object.entries(types).map(([name, type]) => ({ name, type })) }] };
}
