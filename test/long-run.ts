// How much is done: by default a part of what is many, in the long run (scripts/test.mjs --long) all of it.

/** Is all of it done? */
export const LONG_RUN = process.env.TUSK_LONG === "1";

/** How many cases are drawn: `few`, if nothing else is asked for. */
export const casesOf = (few: number): number => Number(process.env.TUSK_CASES ?? few);
