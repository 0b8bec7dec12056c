// The game state behind a save, as both backends give it and take it (formats/enigma.md §2 and §3).
import { TuskError } from "../errors.ts";
import { describe } from "./failure.ts";

/**
 * A text. Saves hold bytes without an encoding; what is valid UTF-8 becomes a string, anything else stays the bytes it was
 * (formats/enigma.md §1), so that every text can be written back unchanged.
 */
export type EnigmaText = string | Uint8Array;

/** The exponent is all ones and the fraction is not zero: 11 and 52 bits, or 8 and 23. */
const NAN = /^[7f]f(?:f(?!0{13})[0-9a-f]{13}|(?!80{5})[89a-f][0-9a-f]{5})$/;

/**
 * A NaN whose bits are not the usual ones (`7ff8000000000000`, or `7fc00000` for a 32-bit float, which are read as `NaN`).
 * JavaScript does not promise to keep such bits in a number, and a save must be written back as it was.
 */
export class NanBits {
  /** 16 hexadecimal digits (64-bit float) or 8 (32-bit float), lower case. */
  readonly bits: string;

  /** @throws TuskError `bad-option` for what is not the bits of a NaN */
  constructor(bits: string) {
    if (typeof bits !== "string" || !NAN.test(bits))
      throw new TuskError("enigma", "bad-option", `not the bits of a NaN: ${describe(bits)}`);
    this.bits = bits;
  }

  /** It counts as NaN. */
  valueOf(): number {
    return Number.NaN;
  }
}

/** A floating-point field. */
export type EnigmaFloat = number | NanBits;

/** A variant: number, text, or undefined (which the binary backend stores as the number 0). */
export type EnigmaVariant = EnigmaFloat | EnigmaText | undefined;

/**
 * One array of a `var`. `dense` has the indices 0 to n - 1, `sparse` has `[index, element]` ascending, `max` is the highest
 * index ever touched plus one. The JSON backend stores neither `max` nor the split: all elements come back in `sparse`.
 * Counts from 2^53 on (damaged files only) are bigints.
 */
export interface EnigmaTable<T> {
  max: number | bigint;
  dense: T[];
  sparse: [index: number | bigint, element: T][];
}

/** A `var` that has arrays. Index 0 as game code sees it is `value`; rows 1 and up of the 2-D array are in `array2d`. */
export interface EnigmaArrays {
  value: EnigmaVariant;
  array1d: EnigmaTable<EnigmaVariant>;
  array2d: EnigmaTable<EnigmaTable<EnigmaVariant>>;
}

/** A `var`: its scalar part alone when both arrays are empty and their `max` is 0. */
export type EnigmaVar = EnigmaVariant | EnigmaArrays;

/**
 * The value of a local, by its declared type: `i8` to `u32`, `char` (0 to 255): number; `i64`, `u64`: bigint; `f32`, `f64`: number or
 * {@link NanBits}; `bool`: boolean; `string`: text; `variant`, `var`: as above; `vector set queue stack pair complex tuple`: array;
 * `map`: array of `[key, value]`.
 */
export type EnigmaValue = EnigmaVar | boolean | bigint | EnigmaValue[];

/** One variable of a class. */
export interface EnigmaLocal {
  name: EnigmaText;
  /** From the schema; undefined when the schema does not know the variable, or there is none. */
  type?: string | undefined;
  /** Absent when `raw` is there. */
  value?: EnigmaValue;
  /** The stored bytes (binary: its part of the data area; JSON: its text) of a variable of unknown type, or of a damaged one. */
  raw?: Uint8Array | undefined;
  /** The bytes are not a value of the declared type (formats/enigma.md §7). */
  damaged?: true | undefined;
  /**
   * Binary: the stored bytes of a value that is written with others (padded arrays, a boolean byte above 1). {@link restoreEnigma} looks at them,
   * the writer does not.
   */
  stored?: Uint8Array | undefined;
  /** What could be read of a value that the engine itself cut off or overwrote (formats/enigma.md §4.2, §4.4). */
  recovered?: EnigmaValue;
}

/** What one class of the object's chain stores. */
export interface EnigmaClass {
  /** From the schema; saves do not hold class names. */
  class?: string | undefined;
  /** Binary: names in the order of the symbol table, which carries no meaning but is kept; shared between instances. Null: a class without variables. */
  table?: readonly EnigmaText[] | null | undefined;
  /** In the order of the file: ascending by name. */
  locals: EnigmaLocal[];
  /** Binary: bytes of the data area before the first variable. Real files have none. */
  gap?: Uint8Array | undefined;
}

/** Position and motion; directions in degrees. The fields have the names of the engine (formats/enigma.md §2.1). */
export interface EnigmaPlanar {
  x: EnigmaFloat;
  y: EnigmaFloat;
  xprevious: EnigmaFloat;
  yprevious: EnigmaFloat;
  xstart: EnigmaFloat;
  ystart: EnigmaFloat;
  persistent: boolean;
  direction: EnigmaVariant;
  speed: EnigmaVariant;
  hspeed: EnigmaVariant;
  vspeed: EnigmaVariant;
  gravity: EnigmaFloat;
  gravity_direction: EnigmaFloat;
  friction: EnigmaFloat;
}

/** Timeline variables. The fields have the names of the engine (formats/enigma.md §2.1). */
export interface EnigmaTimelines {
  /** One list of `[step, moment id]` for each timeline of the game. */
  timeline_moments_maps: [step: number, moment: number][][];
  timeline_index: number;
  timeline_running: boolean;
  timeline_speed: EnigmaFloat;
  timeline_position: EnigmaFloat;
  timeline_loop: boolean;
}

/** Sprite and image variables. The fields have the names of the engine (formats/enigma.md §2.1). */
export interface EnigmaGraphics {
  sprite_index: number;
  image_index: EnigmaFloat;
  image_speed: EnigmaFloat;
  image_single: EnigmaVariant;
  depth: EnigmaVariant;
  visible: boolean;
  image_xscale: EnigmaFloat;
  image_yscale: EnigmaFloat;
  image_angle: EnigmaFloat;
}

/** Blending of the image. The fields have the names of the engine (formats/enigma.md §2.1). */
export interface EnigmaTransform {
  image_alpha: EnigmaFloat;
  image_blend: number;
}

/** Mask and collision polygon. The fields have the names of the engine (formats/enigma.md §2.1). */
export interface EnigmaCollisions {
  mask_index: number;
  solid: boolean;
  polygon_index: number;
  polygon_xscale: EnigmaFloat;
  polygon_yscale: EnigmaFloat;
  polygon_angle: EnigmaFloat;
}

/** One instance: its engine tiers, root first, and the variables of each class of its object (formats/enigma.md §2.1). */
export interface EnigmaInstance {
  /** Without sign, 0 to 4294967295: -4 is 4294967292. */
  id: number;
  objectIndex: number;
  planar: EnigmaPlanar;
  timelines: EnigmaTimelines;
  graphics: EnigmaGraphics;
  transform: EnigmaTransform;
  collisions: EnigmaCollisions;
  /** The dot-access variables; null when there is no such map. */
  vmap: [name: EnigmaText, value: EnigmaVar][] | null;
  /** One entry for each class of the chain, root first. */
  classes: EnigmaClass[];
}

/** One background slot. Slots of destroyed backgrounds look like any other. */
export interface EnigmaBackground {
  width: number;
  height: number;
  /** Padded size in pixels and the pixels, 4 bytes each (blue, green, red, alpha), row by row. */
  texture: { width: number; height: number; bgra: Uint8Array };
  /** Which part of the texture is used. */
  bounds: { x: EnigmaFloat; y: EnigmaFloat; h: EnigmaFloat; w: EnigmaFloat };
  isTileset: boolean;
  tileWidth: number;
  tileHeight: number;
  hOffset: number;
  vOffset: number;
  hSep: number;
  vSep: number;
}

/** A whole save. */
export interface EnigmaGame {
  /** Which backend the save was read from, and is written with unless the options say otherwise. */
  backend: "binary" | "json";
  active: EnigmaInstance[];
  inactive: EnigmaInstance[];
  backgrounds: EnigmaBackground[];
  /** Index of the current room. */
  room: number;
  /** JSON: what the buffer held before the save. Default when writing: one zero byte, as `buffer_create(1, ...)` gives. */
  prefix?: Uint8Array | undefined;
  /**
   * Set by the reader for a file whose instances or variables do not ascend as the engine writes them, or for a document with a variable of a class
   * twice, so that writing reproduces it. Without it the writer sorts.
   */
  order?: "kept" | undefined;
}
