// Structures inside structures: GameMaker does not follow them, so games store the child's own string (formats/ds.md §7).
import { TuskError } from "../errors.ts";
import { checkReadOptions, checkStructure } from "./arguments.ts";
import { limitsOf } from "./limits.ts";
import { mapValues } from "./map-values.ts";
import { type DsOfKind, readDs } from "./read.ts";
import type { DsEngineOptions, DsLimits, DsStructure, ReadDsOptions } from "./types.ts";
import { writeDs } from "./write.ts";

/**
 * What may be a structure: it begins with the low byte of a magic number (formats/ds.md §2), 00 to 02 and the digits of a count, which lets a few more
 * texts pass (65010000) that readDs refuses, at the price of an error. With lower-case digits it would not come out the same.
 */
const TEXT = /^(?:[6F][567]|[5C][9AB]|2[DEF]|9[123])0[012]0000[^a-f]{8}[^a-f]*$/;

/**
 * Opens the strings in a structure that are structures themselves, at any depth of arrays and of what is opened: the string is replaced by the
 * structure, which {@link writeDs} writes as its string again. A string that would not come out the same (lower-case digits, say) stays a string. Map
 * keys, priorities and structures that are values already are left alone, and are those of the argument, as bytes are. Of the options only `engine`
 * and `limits` count.
 *
 * @throws {TuskError} `bad-option`, `depth` for an array that holds itself; with format `"tusk"` `engine`, where WebAssembly was asked for and cannot
 * be had.
 */
export function openNested<S extends DsStructure>(structure: S, options?: ReadDsOptions): DsOfKind<S["kind"]>;
export function openNested(structure: DsStructure, options: ReadDsOptions = {}): DsStructure {
  checkReadOptions(options);
  checkStructure(structure);
  return openAll(structure, options.engine, limitsOf(options.limits));
}

/** Of `limits`, `maxEmptyColumns` is for all structures together: an empty column of one leaves less for the others. The rest are for each. */
function openAll(structure: DsStructure, engine: DsEngineOptions["engine"], limits: DsLimits): DsStructure {
  return mapValues(structure, false, (value) => {
    if (typeof value !== "string" || !TEXT.test(value)) return value;
    try {
      const read = readDs(value, { engine, limits, bools: "exact" });
      if (read.kind === "grid" && read.height === 0) limits.maxEmptyColumns -= read.width;
      const opened = openAll(read, engine, limits);
      return writeDs(opened, { engine, limits }) === value ? opened : value;
    } catch (error) {
      if (error instanceof TuskError && error.format === "ds") return value;
      throw error;
    }
  });
}
