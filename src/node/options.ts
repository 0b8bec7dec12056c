// Options of loading and saving.
import { inspect } from "node:util";
import { holdsOptions } from "../options.ts";
import { fileError } from "./failure.ts";

/** The error `bad-option` where an option is not what `rules` say, by name; those that are not given are as they should be. */
export function checkFileOptions<O extends object>(options: O, rules: { readonly [K in keyof O]?: (given: O[K]) => boolean }): void {
  if (!holdsOptions(options)) throw fileError("bad-option", "options are an object");
  for (const name of Object.keys(rules) as (keyof O & string)[]) {
    const given = options[name];
    if (given !== undefined && !rules[name]!(given)) throw fileError("bad-option", `${name} cannot be ${inspect(given)}`);
  }
}

export const isFunction = (given: unknown): boolean => typeof given === "function";
