// What the two benchmark programs share of their command lines.
import { parseArgs } from "node:util";
import { chosenCandidates } from "./candidates/candidates.mjs";

/** A wrong call: one line that says so, exit status 2. */
export function refuse(message) {
  console.error(message);
  process.exit(2);
}

/** Parses the options; `--help` prints `help` and ends. */
export function optionsOf(definitions, help) {
  let values;
  try {
    ({ values } = parseArgs({ options: { ...definitions, help: { type: "boolean", default: false } }, allowNegative: true }));
  } catch (error) {
    refuse(`${error.message}\n\n${help}`);
  }
  if (values.help) {
    console.log(help);
    process.exit(0);
  }
  return values;
}

export const list = (text) => text.split(",").map((item) => item.trim());

/** The chosen names, all of them known. */
export function chosenOf(what, text, known) {
  const chosen = list(text);
  for (const name of chosen) if (!known.includes(name)) refuse(`no ${what} ${name}; there are ${known.join(", ")}`);
  return chosen;
}

/** The candidates of a list of names, all without one. */
export function candidatesOf(names) {
  try {
    return chosenCandidates(names);
  } catch (error) {
    return refuse(error.message);
  }
}
