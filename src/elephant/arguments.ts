// Arguments and options of the codec's methods: looked at once, where they come in. What means nothing is the error `bad-option`.
import { bytesIn, isUint8Array } from "../engine/given-bytes.ts";
import { type Given, holdsOptions } from "../options.ts";
import { isSignal } from "../signals.ts";
import { elephantError } from "./errors.ts";
import { DEFAULT_LIMITS, type Limits } from "./limits.ts";
import { VERSION_WORDS } from "./releases.ts";

/** What an option may be: one of these, or what passes. */
type Rule = readonly unknown[] | ((given: unknown) => boolean);
/** By name, as a list: `Object.prototype` gives a record of rules none. */
export type Rules = readonly (readonly [name: string, rule: Rule])[];

export const FLAG: Rule = [true, false];
export const isFunction = (given: unknown): given is object => typeof given === "function";
export const isObject = (given: unknown): given is object => typeof given === "object" && given !== null;
/** A Map would be taken for an object without members. */
export const isRecord = (given: unknown): given is object => isObject(given) && !(Symbol.iterator in given);
const isCount = (given: unknown): boolean => Number.isSafeInteger(given) && (given as number) >= 0;
const isSize = (given: unknown): boolean => typeof given === "number" && given >= 0;
/** A chunk is one piece of memory. */
const LARGEST_CHUNK = 1 << 30;

/** Of a codec; constructors are checked when they are taken over. */
export const CODEC: Rules = Object.entries({
  constructors: isRecord,
  unknownConstructor: ["error", "generic"],
  engine: ["auto", "wasm", "js"],
  limits: holdsOptions,
  onWarning: isFunction,
  codeGeneration: FLAG,
});
export const READ: Rules = Object.entries({ typedArrays: FLAG, scalars: ["plain", "exact"] });
export const WRITE: Rules = Object.entries({ release: Object.keys(VERSION_WORDS), diffsOnly: FLAG, diffEquality: ["gml", "exact"] });
export const SLICES: Rules = Object.entries({
  sliceMs: isSize,
  onProgress: isFunction,
  pause: isFunction,
  signal: isSignal,
  size: isCount,
  chunkBytes: (given) => isCount(given) && (given as number) >= 1 && (given as number) <= LARGEST_CHUNK,
});
export const DUPLICATE: Rules = Object.entries({ forceVerbose: FLAG, allMembers: FLAG });
export const JSON_FORM: Rules = Object.entries({ diffsOnly: FLAG });

/** No options: what need not be looked at. Libraries that give members to all objects give it none. */
export const NONE: Readonly<Record<string, never>> = /* @__PURE__ */ Object.freeze(/* @__PURE__ */ Object.setPrototypeOf({}, null));

export function refuse(message: string): never {
  throw elephantError("bad-option", message);
}

/** The class of an instance, for people. */
export function classNameOf(instance: object): string {
  const name = (instance.constructor as { name?: unknown } | undefined)?.name;
  return typeof name === "string" && name ? name : "a class";
}

/** What a wrong argument is, for people. */
export function described(value: unknown): string {
  // The text of a function is its source.
  if (!isObject(value) && !isFunction(value))
    return typeof value === "string" ? JSON.stringify(value.slice(0, 40)) : String(value).slice(0, 40);
  return "then" in value ? "a promise (is an await missing?)" : `an object (${classNameOf(value)})`;
}

export function checkOptions(options: object, rules: Rules): void {
  if (options === NONE) return;
  if (!holdsOptions(options)) refuse(`options cannot be ${described(options)}`);
  for (const [name, rule] of rules) {
    const given = (options as Record<string, unknown>)[name];
    if (given !== undefined && !(typeof rule === "function" ? rule(given) : rule.includes(given)))
      refuse(`${name} cannot be ${described(given)}${typeof rule === "function" ? "" : `, but ${rule.join(" or ")}`}`);
  }
}

/** The limits of a codec that is told of these; `others`: those that are not given. */
export function limitsOf(given: Given<Limits> = {}, others: Given<Limits> = DEFAULT_LIMITS): Limits {
  const limits = { ...others } as Limits;
  // Those that are inherited count, too.
  for (const name of Object.keys({ ...limits, ...given }) as (keyof Limits)[]) {
    const limit = given[name];
    if (limit === undefined) continue;
    if (!(Object.hasOwn(DEFAULT_LIMITS, name) && isSize(limit))) refuse(`limits.${name} is not a limit`);
    limits[name] = Math.floor(limit);
  }
  return limits;
}

export function givenBytes(given: unknown): Uint8Array {
  const gone = isObject(given) && "byteLength" in given;
  return bytesIn(given) ?? refuse(`a save cannot be ${gone ? "memory that has been given away" : described(given)}`);
}

export function checkTarget(target: unknown): void {
  if (!isUint8Array(target)) refuse(`the target is a Uint8Array, not ${described(target)}`);
}

export function checkOffset(offset: unknown): void {
  if (!isCount(offset)) refuse(`an offset cannot be ${described(offset)}`);
}

export function checkText(text: unknown): void {
  if (typeof text !== "string") refuse(`an export string cannot be ${described(text)}`);
}
