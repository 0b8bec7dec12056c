// The formats that the command line knows, in the order in which they are tried. One entry each.
import { isNotation } from "../notation/recognise.ts";
import { ds } from "./ds.ts";
import { elephant, exportString } from "./elephant.ts";
import { enigma } from "./enigma.ts";
import type { SaveFormat } from "./format.ts";
import { introspection } from "./introspection.ts";

export const FORMATS: readonly SaveFormat[] = [introspection, elephant, ds, enigma, exportString];

/** The name of the notation where a format's is expected: `--to json`. */
export const NOTATION = "json";

/** The names that `--from` and `--to` take, for people. */
export const FORMAT_NAMES = [...FORMATS.map((format) => format.name), NOTATION].join(", ");

export function formatNamed(name: string): SaveFormat | undefined {
  return FORMATS.find((format) => format.name === name);
}

/** The format of a file by its beginning; `"json"` for the notation, whatever the order of its members; undefined when nothing fits. */
export function detectFormat(bytes: Uint8Array): SaveFormat | typeof NOTATION | undefined {
  if (isNotation(bytes)) return NOTATION;
  return FORMATS.find((format) => format.detect(bytes));
}
