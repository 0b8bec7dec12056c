// Options of the formats: looked at once, where they come in. What means nothing is the error `bad-option`.
import { type FormatName, TuskError } from "./errors.ts";

/** Limits as a caller gives them. One that is undefined is the default. */
export type Given<L> = { [name in keyof L]?: L[name] | undefined };

/** What options may be, by name; those that are not given are as they should be. */
export type Words = Readonly<Record<string, readonly unknown[]>>;

/** May this hold options? Bytes, lists and promises would be taken for an object without any: `write(value, buffer)`. */
export function holdsOptions(given: unknown): given is object {
  return typeof given === "object" && given !== null && !(Symbol.iterator in given || "byteLength" in given || "then" in given);
}

/** Error `bad-option`. `defaults`: those of the limits, by name. */
export function checkFormatOptions(format: FormatName, options: { limits?: object | undefined }, words: Words, defaults: object): void {
  const refuse = (rule: string): never => {
    throw new TuskError(format, "bad-option", rule);
  };
  if (!holdsOptions(options)) refuse("options are an object");
  for (const name of Object.keys(words)) {
    const given = (options as Readonly<Record<string, unknown>>)[name];
    if (given !== undefined && !words[name].includes(given)) refuse(`${name} is one of ${JSON.stringify(words[name])}`);
  }
  const { limits } = options;
  if (limits === undefined) return;
  if (!holdsOptions(limits)) refuse("limits are an object");
  // Those that are inherited count, too.
  for (const name of Object.keys({ ...defaults, ...limits })) {
    const limit = (limits as Readonly<Record<string, unknown>>)[name];
    if (!(Object.hasOwn(defaults, name) && (limit === undefined || (typeof limit === "number" && limit >= 0))))
      refuse(`limits.${name} is not a limit`);
  }
}
