// Options of loading and saving.
import { inspect } from "node:util";
import { holdsOptions } from "../options.ts";
import { fileError } from "./failure.ts";

/**
 * The options as they are now. Error `bad-option` where one is not what `rules` say, by name; those that are not given are as they should be.
 */
export function checkFileOptions<O extends object>(options: O, rules: { readonly [K in keyof O]?: (given: O[K]) => boolean }): O {
  if (!holdsOptions(options)) throw fileError("bad-option", "options are an object");
  const now = {} as O;
  for (const name of Object.keys(rules) as (keyof O & string)[]) {
    const given = options[name];
    now[name] = given;
    if (given !== undefined && !rules[name]!(given)) throw fileError("bad-option", `${name} cannot be ${inspect(given)}`);
  }
  return now;
}

export const isFunction = (given: unknown): boolean => typeof given === "function";
