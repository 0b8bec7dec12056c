// How much the tests do where more is asked for.

/** The number that a variable of the environment asks for; `usual`, where it is not set or empty. */
export function numberAsked(name, usual) {
  const asked = process.env[name];
  if (!asked) return usual;
  if (!/^[1-9]\d*$/.test(asked)) throw new Error(`${name} is "${asked}": a whole number from 1 is expected`);
  return Number(asked);
}

/** Files whose cases are drawn at random, or that do a part of their work in the suite. */
export const LONG = [
  "properties",
  "elephant/reference",
  "elephant/first-writes",
  "elephant/parents",
  "elephant/result-memory",
  "elephant/vectors",
  "elephant/async.test",
  "elephant/async-streams",
  "async-vectors",
  "small-saves",
  "quiet-streams",
  "elephant/hostile",
  "elephant/boundaries",
  "elephant/large-saves",
  "elephant/layout",
  "nested-",
  "elephant/irregular",
  "elephant/many-shapes",
  "elephant/small-integers",
  "introspection/hostile",
  "ds/hostile",
  "enigma/damage",
  "enigma/kernel",
  "package/own-globals",
  "package/no-inlining",
  "cli/program",
  "cli/vectors",
  "cli/commands",
  "cli/hostile-text",
  "strict-pages",
  "browser/worker",
  "inspector-large",
  "inspector-deep",
];
