// tusk detect: which format is it?
import type { Command } from "../command.ts";
import { BAD_FILE } from "../failure.ts";
import { detectFormat, NOTATION } from "../formats/registry.ts";
import { visible } from "../visible.ts";

export const detect: Command = {
  name: "detect",
  summary: "tell the format of files",
  usage: ["FILE ..."],
  description: [
    'Prints one line for each file: its name, a tab, the format\'s name, or "unknown". Looks at the beginning only (of JSON further, if need be); "tusk verify" reads the whole file. A file that cannot be read is reported; the others are looked at all the same.',
  ],
  options: {},
  examples: ["tusk detect saves/*"],
  async run(call) {
    call.expectArguments(1, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY);
    return call.forEachFile(async (path) => {
      const found = detectFormat(await call.loadBeginning(path));
      await call.print(`${visible(path)}\t${found === NOTATION ? NOTATION : (found?.name ?? "unknown")}\n`);
      return found ? 0 : BAD_FILE;
    });
  },
};
