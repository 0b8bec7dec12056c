// tusk verify: is the file good?
import { type Command, FROM_OPTION, SCHEMA_OPTION } from "../command.ts";
import { outline } from "../notation/graph-walk.ts";
import { restoreOriginal, writtenAgain } from "../original.ts";
import { countText } from "../shown-text.ts";
import { fileSizeText } from "../values.ts";
import { visible } from "../visible.ts";

export const verify: Command = {
  name: "verify",
  summary: "read files wholly and say whether they are good",
  usage: ["[OPTIONS] FILE ..."],
  description: [
    "Reads each file to its end and writes it again in memory. A bad file is reported with what is wrong, where, and the bytes around the place, and so is one that cannot be read; the others are read all the same.",
    'A good file that would not be written with the same bytes (old releases, unusual writers) is still good; the line says so. The JSON of "tusk decode" is good if it can be written as a save.',
  ],
  options: { ...SCHEMA_OPTION, ...FROM_OPTION },
  examples: ["tusk verify --schema schemas.json saves/*.dat"],
  async run(call) {
    call.expectArguments(1, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY);
    // A bad --schema is no fault of the files.
    await call.loadSchemas();
    return call.forEachFile(async (path) => {
      const opened = await call.open(path);
      const { format, save } = opened;
      let note = "";
      if (!opened.notation) {
        const again = await writtenAgain(call, opened);
        if (again === "same") note = ", writes back to the same bytes";
        else if (again === "packed anew") note = ", writes back to the same content, compressed anew";
        // Not "of the same value": reading may have lost what a writer other than Elephant had put there.
        else note = again === "other" ? ", writes back to other bytes" : `, cannot be written back: ${again.error.reason}`;
      } else if (!(await restoreOriginal(call, opened))) await call.encode(opened, format, save.head);
      const { containers } = outline(save.value, format.vocabulary);
      await call.print(
        `${visible(`${path}: good, ${format.title}, ${format.describe(save)}, ${fileSizeText(opened)}, ${countText(containers, "container")}${note}`)}\n`,
      );
      return 0;
    });
  },
};
