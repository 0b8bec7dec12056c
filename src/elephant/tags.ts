// Codes of datatypes as they stand in saves from release 1.4.0 on.
import * as CODE from "./codes.ts";

// Those of the datatypes that are not scalar: their codes (codes.ts) and 190.
export const ANY = 204;
export const ARRAY = 205;
export const STRUCT = 206;
export const UNDEFINED = 207;

/** Arrays of so many elements cannot be stored: the length word has other meanings from here on (formats/elephant.md §5). */
export const ARRAY_LIMIT = 65535;

/** The code that a datatype is written with. */
export function wireCode(code: number): number {
  return code >= CODE.any ? code + 190 : code === CODE.text ? CODE.string : code;
}
