// tusk convert: one form to another.
import { type Call, type Command, FROM_OPTION, type OpenedSave, SCHEMA_OPTION } from "../command.ts";
import { BadFile, CallError } from "../failure.ts";
import type { Save, SaveFormat } from "../formats/format.ts";
import { FORMAT_NAMES, FORMATS, NOTATION } from "../formats/registry.ts";
import { OUTPUT_OPTIONS, outputPath, writeOutput } from "../output.ts";
import { shownPath } from "../shown-text.ts";
import { INDENT_OPTION, indentOf, notationOf } from "./decode.ts";

/** The save as `format`. What the asked release has no form for is the fault of the call. */
async function inRelease(
  call: Call,
  opened: OpenedSave,
  format: SaveFormat,
  head: Save["head"],
  release: string | undefined,
): Promise<Uint8Array> {
  try {
    return await call.encode(opened, format, head);
  } catch (failure) {
    if (release === undefined || !(failure instanceof BadFile) || failure.error.code !== "bad-option") throw failure;
    const { reason, path } = failure.error;
    throw new CallError(`--release: ${opened.file}: ${reason}${path === undefined ? "" : ` (at ${shownPath(path)})`}`);
  }
}

/** JSON is refused that no save of the release can be made of. Whether it lacks schemas for that, or anything else, is told when it is encoded. */
async function checkRelease(...writing: Parameters<typeof inRelease>): Promise<void> {
  try {
    await inRelease(...writing);
  } catch (failure) {
    if (!(failure instanceof BadFile)) throw failure;
  }
}

export const convert: Command = {
  name: "convert",
  summary: "write a save in another form, or an old one of Elephant in the newest release",
  usage: ["[OPTIONS] [--to FORMAT] FILE [OUTPUT]"],
  description: [
    "Reads any release of Elephant and writes the newest, or the one that --release names; files of other formats keep their generation. Elephant saves, export strings and the lossless JSON can be turned into each other. Bytes behind a binary save are left out; the spaces, line ends and zero bytes around an export string stay where it remains one.",
  ],
  options: {
    to: {
      type: "string",
      short: "t",
      value: "FORMAT",
      help: `${FORMAT_NAMES}; default: the format that is read, of JSON the one that it names`,
    },
    release: { type: "string", value: "RELEASE", help: "Elephant: 1.5.1 (default), 1.5.0 or 1.4.0" },
    ...SCHEMA_OPTION,
    ...FROM_OPTION,
    ...INDENT_OPTION,
    ...OUTPUT_OPTIONS,
  },
  examples: [
    "tusk convert old.dat new.dat",
    "tusk convert --to export-string slot1.dat",
    "tusk convert --to elephant string.txt slot1.dat",
  ],
  async run(call) {
    call.expectArguments(1, 2);
    const target = outputPath(call);
    const to = call.format("to");
    const asked = to === NOTATION ? undefined : to;
    if (to === NOTATION) indentOf(call);
    else if (call.text("indent") !== undefined) throw new CallError(`--indent means nothing without --to ${NOTATION}`);
    const release = call.text("release");
    // The formats that have releases have the same ones: a misspelt one is told before the file is read.
    for (const known of asked ? [asked] : FORMATS) known.convertHead?.({}, release);
    const opened = await call.open(call.arguments[0]);
    const format = asked ?? opened.format;
    if (format.family !== opened.format.family) throw new CallError(`a file of format ${opened.format.name} cannot become ${format.name}`);
    if (release !== undefined && !format.convertHead) throw new CallError(`--release means nothing for ${format.name}`);
    const head = format.convertHead?.(opened.save.head, release) ?? opened.save.head;
    if (to === NOTATION) {
      if (release !== undefined) await checkRelease(call, opened, format, head, release);
      await writeOutput(call, target, notationOf(call, opened, format, head), false);
    } else await writeOutput(call, target, [await inRelease(call, opened, format, head, release)], format.binary);
    return 0;
  },
};
