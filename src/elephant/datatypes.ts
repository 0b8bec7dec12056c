// Datatypes of the format (formats/elephant.md §3): their codes, and the names that schemas use.
import { described, refuse } from "./arguments.ts";

/** The datatypes of schemas and of {@link Scalar}s (formats/elephant.md §3). */
export type Datatype =
  | "u8"
  | "s8"
  | "u16"
  | "s16"
  | "u32"
  | "s32"
  | "f16"
  | "f32"
  | "f64"
  | "bool"
  | "string"
  | "u64"
  | "text"
  | "any"
  | "array"
  | "struct"
  | "undefined";

/** In the order of their codes (codes.ts). */
const NAMES: readonly Datatype[] = [
  "u8",
  "s8",
  "u16",
  "s16",
  "u32",
  "s32",
  "f16",
  "f32",
  "f64",
  "bool",
  "string",
  "u64",
  "text",
  "any",
  "array",
  "struct",
  "undefined",
];

const CODES = Object.fromEntries(NAMES.map((name, i) => [name, i + 1])) as Readonly<Record<Datatype, number>>;

export function datatypeName(code: number): Datatype {
  return NAMES[code - 1];
}

export function codeNamed(name: Datatype): number {
  return CODES[name];
}

export function isDatatype(name: unknown): name is Datatype {
  return typeof name === "string" && Object.hasOwn(CODES, name);
}

/** Datatypes a {@link Scalar} may have. */
export type ScalarDatatype = Exclude<Datatype, "any" | "array" | "struct" | "undefined">;

/** What a {@link Scalar} of a datatype holds. */
export type ScalarValueOf<D extends ScalarDatatype> = D extends "bool"
  ? boolean
  : D extends "u64"
    ? bigint
    : D extends "string" | "text"
      ? string
      : number;

/**
 * A value that is stored in exactly this datatype wherever the save names datatypes, e.g. `Scalar("s32", 5)` for GameMaker's int32 (a strict field has its own
 * datatype, and `text` is stored as `string`). Without it a number is stored as f64. `read` returns scalars where `scalars: "exact"` asks for them.
 */
export type Scalar<D extends ScalarDatatype = ScalarDatatype> = D extends ScalarDatatype
  ? {
      readonly datatype: D;
      readonly value: ScalarValueOf<D>;
      /** The value, by which scalars are compared. */
      valueOf(): ScalarValueOf<D>;
    }
  : never;

/** A scalar of the datatype where one is wanted. Elsewhere of any: TypeScript compares (`>`) only what may be of one type. */
type Made<D extends ScalarDatatype, Wanted> = Scalar<D> extends Extract<Wanted, Scalar> ? Extract<Wanted, Scalar> : Scalar;

type AnyValue = ScalarValueOf<ScalarDatatype>;

class ScalarValue {
  readonly datatype: ScalarDatatype;
  readonly value: AnyValue;

  constructor(datatype: ScalarDatatype, value: AnyValue) {
    this.datatype = datatype;
    this.value = value;
    Object.freeze(this);
  }

  valueOf(): AnyValue {
    return this.value;
  }
}

/**
 * Makes a {@link Scalar}; works with and without `new`. Error `bad-option` for a datatype that is not a scalar one, and for a value that is not of the
 * datatype's type. A number that does not fit is cut and wrapped when it is written, as in a strict field; a bigint of more than 64 bits is refused then.
 */
export const Scalar = function Scalar(datatype: ScalarDatatype, value: AnyValue): ScalarValue {
  const code = isDatatype(datatype) ? codeNamed(datatype) : 0;
  if (!(code >= 1 && code <= 13)) refuse(`${described(datatype)} is not a scalar datatype`);
  const wanted = code <= 9 ? "number" : code === 10 ? "boolean" : code === 12 ? "bigint" : "string";
  if (typeof value !== wanted) refuse(`a ${datatype} scalar holds a ${wanted}, not ${typeof value}`);
  return new ScalarValue(datatype, value);
} as unknown as {
  <D extends ScalarDatatype, Wanted = Scalar>(datatype: D, value: ScalarValueOf<D>): Made<D, Wanted>;
  /** As without `new`. */
  new <D extends ScalarDatatype, Wanted = Scalar>(datatype: D, value: ScalarValueOf<D>): Made<D, Wanted>;
  readonly prototype: Scalar;
};
(Scalar as { prototype: unknown }).prototype = ScalarValue.prototype;

/** Is this a {@link Scalar}? */
export function isScalar(value: unknown): value is Scalar {
  return value instanceof ScalarValue;
}
