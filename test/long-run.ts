// How much is done: by default a part of what is many, in the long run (scripts/test.mjs --long) all of it.
// @ts-expect-error: a script without types
import { numberAsked as asked } from "../scripts/long-tests.mjs";

/** The number that a variable asks for; one that is none is an error. */
export const numberAsked: (name: string, usual: number) => number = asked;

/** Is all of it done? */
export const LONG_RUN = process.env.TUSK_LONG === "1";

/** How many cases are drawn: `few`, if nothing else is asked for. */
export const casesOf = (few: number): number => numberAsked("TUSK_CASES", few);
