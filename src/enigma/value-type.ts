// Declared types of saved variables (formats/enigma.md §2.2), parsed from the text a schema gives.
import { TuskError } from "../errors.ts";

/** The types that have no parts. */
export const SCALAR_TYPES = [
  "i8",
  "u8",
  "i16",
  "u16",
  "i32",
  "u32",
  "i64",
  "u64",
  "f32",
  "f64",
  "bool",
  "char",
  "string",
  "variant",
  "var",
] as const;

export type ScalarType = (typeof SCALAR_TYPES)[number];

/** Containers and how many parts each takes; a tuple takes any number. */
const CONTAINERS = { vector: 1, set: 1, queue: 1, stack: 1, map: 2, pair: 2, complex: 1, tuple: -1 } as const;

export type ContainerType = keyof typeof CONTAINERS;

/** A parsed type; `text` is its normal form without blanks. */
export interface ValueType {
  readonly kind: ScalarType | ContainerType;
  readonly parts: readonly ValueType[];
  readonly text: string;
}

/** How many elements a value of a container type has; -1: any number. */
export function elementCount({ kind, parts }: ValueType): number {
  return kind === "tuple" ? parts.length : kind === "pair" || kind === "complex" ? 2 : -1;
}

/** The type of element `i`. */
export function elementType({ kind, parts }: ValueType, i: number): ValueType {
  return parts[kind === "tuple" || kind === "pair" ? i : 0]!;
}

/** Nesting is followed by recursion everywhere; a declaration deeper than this is a mistake in the schema. */
const MAX_TYPE_DEPTH = 32;

const parsed = new Map<string, ValueType>();

/** Parses a type such as `"map<string,vector<f64>>"`. Error `schema` when it is not one, with the path of a variable of a game. */
export function parseType(text: string, path?: string): ValueType {
  const known = parsed.get(text);
  if (known) return known;
  const refuse = (why: string): never => {
    throw new TuskError("enigma", "schema", `type ${JSON.stringify(text)}: ${why}`, { path });
  };
  let at = 0;
  const blanks = () => {
    while (text[at] === " ") at++;
  };
  const parse = (depth: number): ValueType => {
    if (depth > MAX_TYPE_DEPTH) refuse("nested too deeply");
    blanks();
    const start = at;
    while (at < text.length && /[a-z0-9]/.test(text[at]!)) at++;
    const word = text.slice(start, at);
    if ((SCALAR_TYPES as readonly string[]).includes(word)) return { kind: word as ScalarType, parts: [], text: word };
    if (!Object.hasOwn(CONTAINERS, word)) refuse(`no type is called ${JSON.stringify(word)}`);
    const parts: ValueType[] = [];
    blanks();
    if (text[at] === "<") {
      at++;
      blanks();
      if (text[at] !== ">")
        do {
          parts.push(parse(depth + 1));
          blanks();
        } while (text[at++] === ",");
      else at++;
      if (text[at - 1] !== ">") refuse("expected , or >");
    }
    const wanted = CONTAINERS[word as ContainerType];
    if (wanted >= 0 && parts.length !== wanted) refuse(`${word} takes ${wanted} part${wanted === 1 ? "" : "s"}`);
    return { kind: word as ContainerType, parts, text: `${word}<${parts.map((part) => part.text).join(",")}>` };
  };
  const type = parse(0);
  blanks();
  if (at !== text.length) refuse("something follows the type");
  // The texts of a save that is JSON may be of any length.
  if (parsed.size < 4096 && text.length < 256) parsed.set(text, type);
  return type;
}
