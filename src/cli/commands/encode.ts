// tusk encode: lossless JSON back to a save.

import { TuskError } from "../../errors.ts";
import { type Command, SCHEMA_OPTION } from "../command.ts";
import { BadFile } from "../failure.ts";
import { restoreOriginal } from "../original.ts";
import { OUTPUT_OPTIONS, outputPath, writeOutput } from "../output.ts";

export const encode: Command = {
  name: "encode",
  summary: 'turn the JSON of "tusk decode" back into a save',
  usage: ["[OPTIONS] FILE [OUTPUT]"],
  description: [
    "Writes the format and release that the JSON names. Fields that a strict struct does not have are skipped (diffsOnly), so that the reader gives them their defaults.",
    "Releases of Elephant before the tagged 1.4.0 cannot be written; their saves come back as they were, or become 1.5.1 once the JSON is edited.",
  ],
  options: { ...SCHEMA_OPTION, ...OUTPUT_OPTIONS },
  examples: ["tusk encode slot1.json slot1.dat --backups 3", "tusk decode a.dat | sed s/Ada/Bea/ | tusk encode - b.dat"],
  async run(call) {
    call.expectArguments(1, 2);
    const target = outputPath(call);
    const path = call.arguments[0];
    const opened = await call.open(path);
    if (!opened.notation)
      throw new BadFile(
        path,
        new TuskError("tusk", "notation", `this is a file of format ${opened.format.name} already; "tusk convert" converts`),
      );
    const bytes = (await restoreOriginal(call, opened, true)) ?? (await call.encode(opened, opened.format, opened.save.head));
    await writeOutput(call, target, [bytes], opened.format.binary);
    return 0;
  },
};
