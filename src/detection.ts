// What `detect` says, the same for every format.
import type { FormatName } from "./errors.ts";

/** What the beginning of a save tells, see `detect`. */
export interface Detection {
  format: Exclude<FormatName, "tusk">;
  /** Release or generation, where the beginning tells it: `"1.5.1"`, `"3"`. */
  release?: string;
  /** What it is in that format: `"binary"`, `"export string"`, `"map"`, `"json"`, `"text"`, ... */
  form: string;
  /**
   * `"certain"`: a magic number and a known version, or the like; `"likely"`: the beginning fits this format and hardly anything else; `"possible"`: it
   * does not contradict. The rest of the data is not looked at.
   */
  confidence: "certain" | "likely" | "possible";
  note?: string;
}
