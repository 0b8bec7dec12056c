// JSON text -> value graph. JSON.parse of V8 takes no host stack, and neither does what follows.

import { TuskError } from "../../errors.ts";
import { setMember } from "../../graph/members.ts";
import { shownStep } from "../shown-text.ts";
import { decodeBase64 } from "./base64.ts";
import { refuseInexactNumbers } from "./inexact-numbers.ts";
import { parseJsonText } from "./json-text.ts";
import { jsonText, type Members, notationError, OWN_TAGS, type Primitive, ROOT, type Vocabulary } from "./vocabulary.ts";

export interface NotationDocument {
  /** What stands beside the root, e.g. `format`, `release`. */
  readonly head: Record<string, unknown>;
  readonly root: unknown;
}

/** Parses the text; the root is still JSON. */
export function parseNotation(bytes: Uint8Array): NotationDocument {
  const { text, value } = parseJsonText(bytes);
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw notationError(`this JSON is not what "tusk decode" writes: it is no object`);
  const missing = ["tusk", "root"].filter((name) => !Object.hasOwn(value, name));
  if (missing.length > 0)
    throw notationError(
      `this JSON is not what "tusk decode" writes: it has no ${missing.map((name) => JSON.stringify(name)).join(" and no ")}`,
    );
  const { root, ...head } = value as Record<string, unknown>;
  if (head.tusk !== 1) throw notationError(`version ${jsonText(head.tusk)} of the notation is not known`);
  refuseInexactNumbers(text);
  return { head, root };
}

/** Those of OWN_TAGS that an array or a struct can have. Any other one says that the value is something else. */
const ARRAY_TAGS: ReadonlySet<string> = new Set(["array", "id", "of"]);
const STRUCT_TAGS: ReadonlySet<string> = new Set(["struct", "id"]);

/**
 * A save of a format that does not share has what `$ref` names once more: a few lines could ask for any number of values. It may have so many more than the
 * text has, and so many for each of the text.
 */
const MORE_VALUES = 1 << 20;
const VALUES_FOR_EACH = 64;
/** Characters that count as a value. */
const CHARACTERS_SHIFT = 4;

interface Frame {
  readonly source: unknown[] | Record<string, unknown>;
  readonly names: readonly string[] | undefined;
  readonly target: unknown[] | Record<string, unknown>;
  /** Array: the tag that all items share. */
  readonly of: string | undefined;
  /** What came before it if it has a `$id`, see {@link MORE_VALUES}; else -1. */
  readonly before: number;
  /** Of an array the place of its items. */
  readonly place: string;
  readonly members: Members | undefined;
  at: number;
}

const NUMBERS: Readonly<Record<string, number>> = {
  NaN: Number.NaN,
  "-0": -0,
  Infinity: Number.POSITIVE_INFINITY,
  "-Infinity": Number.NEGATIVE_INFINITY,
};

/** What a number is found by: V8 hashes numbers themselves without a seed, so that many can be chosen that collide. Nothing else is an id. */
const idKey = (id: unknown): string | undefined => (typeof id === "number" ? `#${id}` : undefined);

/** Builds the graph of a document's root. Error `notation`, with the path in the save, as codecs and `--path` have it. */
export function buildNotation(root: unknown, vocabulary: Vocabulary): unknown {
  const byId = new Map<unknown, object>();
  /** Values of the text so far, and those of the save. */
  let given = 0;
  let stored = 0;
  /** Those of containers that may come again, when they are whole. */
  const sizes = new Map<object, number>();
  const count = (values: number): void => {
    given += values;
    stored += values;
  };
  const stack: Frame[] = [];
  const refuse = (message: string): never => {
    throw notationError(message, stack.map((frame) => shownStep(frame.names ? frame.names[frame.at - 1] : frame.at - 1)).join(""));
  };

  const push = (
    source: Frame["source"],
    names: Frame["names"],
    target: object,
    place: string,
    of: string | undefined = undefined,
    before = -1,
  ): void => {
    const members = names && vocabulary.membersOf?.(source as Record<string, unknown>, place);
    stack.push({
      source,
      names,
      target: target as Frame["target"],
      of,
      before,
      place: names ? place : place.replace("[]", ""),
      members,
      at: 0,
    });
  };

  const primitive = (json: unknown): Primitive => {
    if (typeof json !== "object" || json === null) return json as Primitive;
    const keys = Object.keys(json);
    if (keys.length === 1) {
      const content = (json as Record<string, unknown>)[keys[0]];
      if (keys[0] === "$undefined") return content === true ? undefined : refuse('"$undefined" stands for undefined and holds true');
      if (keys[0] === "$number")
        return typeof content === "string" && Object.hasOwn(NUMBERS, content)
          ? NUMBERS[content]
          : refuse(
              `"$number" holds ${Object.keys(NUMBERS)
                .map((name) => JSON.stringify(name))
                .join(", ")}`,
            );
      if (keys[0] === "$bigint")
        return typeof content === "string" && /^-?\d{1,20}$/.test(content)
          ? BigInt(content)
          : refuse('"$bigint" holds a 64-bit integer as text');
    }
    return refuse(`a plain value was expected, not ${JSON.stringify(keys)}`);
  };

  const leaf = (tag: string, content: unknown): unknown => {
    try {
      const made = vocabulary.makeLeaf?.(tag, primitive(content));
      if (made !== undefined) return made;
    } catch (error) {
      if (error instanceof TuskError && error.format === "tusk") throw error;
      refuse(error instanceof TuskError ? error.reason : (error as Error).message);
    }
    return refuse(`"$${tag}" ${vocabulary.isLeafTag?.(tag) ? `does not hold ${jsonText(content)}` : "is no tag of this format"}`);
  };

  const container = (json: Record<string, unknown>, keys: readonly string[], place: string): object => {
    const isArray = Object.hasOwn(json, "$array");
    let of: string | undefined;
    // Without a prototype, "__proto__" is a tag like others, and refused as they are.
    const tags: Record<string, Primitive> = Object.create(null);
    let special = false;
    for (const key of keys) {
      const tag = key.slice(1);
      if (key[0] !== "$") refuse(`the member ${JSON.stringify(key)} stands beside tags; members of a tagged struct stand in "$struct"`);
      const ofFormat = !OWN_TAGS.has(tag);
      if (isArray ? !ARRAY_TAGS.has(tag) : !ofFormat && !STRUCT_TAGS.has(tag))
        refuse(`${JSON.stringify(key)} does not stand beside "${isArray ? "$array" : "$struct"}"`);
      if (tag === "of") {
        const named = json[key];
        of =
          typeof named === "string" && vocabulary.isLeafTag?.(named)
            ? named
            : refuse(`"$of" holds the name of a datatype, not ${jsonText(named)}`);
      } else if (ofFormat) {
        tags[tag] = primitive(json[key]);
        special = true;
      }
    }
    let made: object;
    if (isArray) {
      if (!Array.isArray(json.$array)) refuse(`"$array" holds an array`);
      made = [];
    } else {
      if (typeof json.$struct !== "object" || json.$struct === null || Array.isArray(json.$struct)) refuse(`"$struct" holds an object`);
      try {
        made = special
          ? (vocabulary.makeStruct?.(tags) ?? refuse(`${Object.keys(tags).map((tag) => "$" + tag)} are no tags of this format`))
          : {};
      } catch (error) {
        if (error instanceof TuskError && error.path !== undefined) throw error;
        made = refuse(error instanceof TuskError ? error.reason : (error as Error).message);
      }
    }
    const isShared = Object.hasOwn(json, "$id");
    if (isShared) {
      const id = idKey(json.$id);
      if (id === undefined || byId.has(id)) refuse(`"$id" is a number that occurs once`);
      byId.set(id, made);
    }
    const source = (isArray ? json.$array : json.$struct) as unknown[] | Record<string, unknown>;
    push(source, isArray ? undefined : Object.keys(source), made, place, of, isShared ? stored : -1);
    return made;
  };

  const again = (id: unknown): object => {
    const known = byId.get(idKey(id)) ?? refuse(`"$ref" ${jsonText(id)} has no "$id" before it`);
    if (!vocabulary.shares) stored += sizes.get(known) ?? 0;
    if (stored > given * VALUES_FOR_EACH + MORE_VALUES) refuse(`"$ref" ${jsonText(id)} stands for far more values than this text has`);
    return known;
  };

  const begin = (json: unknown, place: string): unknown => {
    if (typeof json === "string") count(json.length >>> CHARACTERS_SHIFT);
    if (typeof json !== "object" || json === null) return json;
    if (Array.isArray(json)) {
      const target: unknown[] = [];
      push(json, undefined, target, place);
      return target;
    }
    const keys = Object.keys(json);
    if (!keys.some((key) => key.charCodeAt(0) === 0x24)) {
      const target = {};
      push(json as Record<string, unknown>, keys, target, place);
      return target;
    }
    const tagged = json as Record<string, unknown>;
    if (Object.hasOwn(tagged, "$array") || Object.hasOwn(tagged, "$struct")) return container(tagged, keys, place);
    if (keys.length !== 1)
      refuse(`${JSON.stringify(keys.find((key) => key[0] === "$"))} stands where a member is expected; write such names inside "$struct"`);
    const [key] = keys;
    const content = tagged[key];
    if (key === "$ref") return again(content);
    if (key === "$bytes") {
      const bytes = decodeBase64(content) ?? refuse('"$bytes" holds base64');
      count(bytes.length >>> CHARACTERS_SHIFT);
      return bytes;
    }
    return OWN_TAGS.has(key.slice(1)) ? primitive(json) : leaf(key.slice(1), content);
  };

  const value = begin(root, ROOT);
  while (stack.length > 0) {
    const frame = stack[stack.length - 1];
    const { source, names, target, of, place, members } = frame;
    const at = frame.at++;
    if (at === (names ?? (source as unknown[])).length) {
      if (frame.before >= 0) sizes.set(target, stored - frame.before);
      stack.pop();
      const loss = names && vocabulary.lossOf?.(target as Record<string, unknown>, place);
      if (loss) refuse(loss);
      continue;
    }
    count(1);
    if (names) {
      const name = names[at];
      const depth = stack.length;
      if (members && !Object.hasOwn(members, name))
        refuse(`${JSON.stringify(name)} is no member here; there are ${Object.keys(members).join(", ")}`);
      const member = begin((source as Record<string, unknown>)[name], members?.[name] ?? "");
      if (typeof member === "object" && member !== null && vocabulary.isPlainMember?.(name, source, depth === 1)) {
        stack.length = depth;
        refuse(`${JSON.stringify(name)} holds a plain value, not ${jsonText(member)}`);
      }
      setMember(target as Record<string, unknown>, name, member);
    } else {
      const item = (source as unknown[])[at];
      (target as unknown[]).push(of === undefined ? begin(item, place) : leaf(of, item));
    }
  }
  return value;
}
