// What `detect` says, the same for every format.
import type { FormatName } from "./errors.ts";

/** The forms of each format. */
interface Forms {
  elephant: "binary" | "export string";
  ds: "list" | "map" | "grid" | "stack" | "queue" | "priority";
  enigma: "binary" | "json";
  introspection: "text";
}

/** What the beginning of a save of the format F tells. */
export interface DetectionOf<F extends Exclude<FormatName, "tusk">> {
  format: F;
  /** Where the beginning tells it: Elephant's release as `readAt` names it (`"1.5.1"`, `"1.4.0-dev"`), the generation of a ds string (`"3"`). */
  release?: string;
  /** What it is in that format. */
  form: Forms[F];
  /**
   * `"certain"`: a magic number and a known version, or the like; `"likely"`: the beginning fits this format and hardly anything else. The rest of the
   * data is not looked at, but for the end of ENIGMA's saves.
   */
  confidence: "certain" | "likely";
  /** For people. Only of Elephant, and in place of `release`: the version is not known with this magic number, `'version 1.5.9 is not known behind "PELE"'`. */
  note?: string;
}

/**
 * What the beginning of a save tells, see `detect`. The format tells what `form` may be. Elephant: `"binary"`, `"export string"`; ds: `"list"`, `"map"`,
 * `"grid"`, `"stack"`, `"queue"`, `"priority"`; ENIGMA: `"binary"`, `"json"`; introspection: `"text"`.
 */
export type Detection = DetectionOf<"elephant"> | DetectionOf<"ds"> | DetectionOf<"enigma"> | DetectionOf<"introspection">;
