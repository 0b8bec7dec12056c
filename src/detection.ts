// What `detect` says, the same for every format.
import type { FormatName } from "./errors.ts";

/** What the beginning of a save tells, see `detect`. */
export interface Detection {
  format: Exclude<FormatName, "tusk">;
  /** Where the beginning tells it: Elephant's release as `readAt` names it (`"1.5.1"`, `"1.4.0-dev"`), the generation of a ds string (`"3"`). */
  release?: string;
  /**
   * What it is in that format. Elephant: `"binary"`, `"export string"`; ds: `"list"`, `"map"`, `"grid"`, `"stack"`, `"queue"`, `"priority"`; ENIGMA:
   * `"binary"`, `"json"`; introspection: `"text"`.
   */
  form: string;
  /**
   * `"certain"`: a magic number and a known version, or the like; `"likely"`: the beginning fits this format and hardly anything else; `"possible"`: it
   * does not contradict. The rest of the data is not looked at.
   */
  confidence: "certain" | "likely" | "possible";
  /** For people. Only of Elephant, and in place of `release`: the version is not known, `"version 1.5.9 is not known"`. */
  note?: string;
}
