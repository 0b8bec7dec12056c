// The one place where the tests meet the codec: every test imports from here, so that a renamed export is one edit.

import { Scalar } from "../../src/elephant/index.ts";
import { casesOf, LONG_RUN } from "../long-run.ts";

export type {
  CallbackContext,
  Elephant,
  ElephantConstructor,
  ElephantOptions,
  ElephantSchema,
  ReadOptions,
  WriteOptions,
} from "../../src/elephant/index.ts";
export {
  createElephant,
  createElephantSync,
  FORCE_VERSION,
  POST_READ,
  POST_WRITE,
  PRE_READ,
  PRE_WRITE,
  SCHEMA,
  Scalar,
  StructInstance,
  TuskError,
  VERBOSE_EXCLUDE,
  VERSION_VERBOSE,
} from "../../src/elephant/index.ts";

export type ScalarDatatype = Parameters<typeof Scalar>[0];

/** Datatype and value of a `Scalar`, undefined for everything else. */
export function scalarParts(value: unknown): { datatype: string; value: unknown } | undefined {
  if (!(value instanceof (Scalar as unknown as Function))) return undefined;
  return value as unknown as { datatype: string; value: unknown };
}

/** The two byte levels the whole suite runs on. `TUSK_ENGINES=js` (comma separated) narrows it. */
export const ENGINES = (process.env.TUSK_ENGINES ?? "wasm,js").split(",") as ("wasm" | "js")[];

/** How many cases the property tests draw, all properties together. */
export const CASES = casesOf(150);

export { LONG_RUN };

/**
 * Both engines, and code generation allowed or refused, as most programs and the strictest pages have them; the other two combinations in the long run.
 * The golden vectors are read and written in all four.
 */
export const MODES = ENGINES.flatMap((engine) => [true, false].map((codeGeneration) => ({ engine, codeGeneration }))).filter(
  ({ engine, codeGeneration }) => LONG_RUN || codeGeneration === (engine === "wasm"),
);
