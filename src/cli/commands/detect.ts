// tusk detect: which format is it?
import type { Command } from "../command.ts";
import { detectFormat, NOTATION } from "../formats/registry.ts";
import { visible } from "../visible.ts";

export const detect: Command = {
  name: "detect",
  summary: "tell the format of files",
  usage: ["FILE ..."],
  description: [
    'Prints one line for each file: its name, a tab, the format\'s name, or "unknown". Looks at the beginning only; "tusk verify" reads the whole file.',
  ],
  options: {},
  examples: ["tusk detect saves/*"],
  async run(call) {
    call.expectArguments(1, Number.POSITIVE_INFINITY);
    let unknown = 0;
    for (const path of call.arguments) {
      const found = detectFormat(await call.load(path));
      if (!found) unknown++;
      await call.print(`${visible(path)}\t${found === NOTATION ? NOTATION : (found?.name ?? "unknown")}\n`);
    }
    return unknown > 0 ? 1 : 0;
  },
};
