// tusk decode: a save as lossless JSON.
import { type Call, type Command, FROM_OPTION, NESTED_OPTION, type OpenedSave, SCHEMA_OPTION } from "../command.ts";
import { CallError, failureOf } from "../failure.ts";
import { notationHead, type SaveFormat } from "../formats/format.ts";
import type { Primitive } from "../notation/vocabulary.ts";
import { writeNotation } from "../notation/write.ts";
import { keepOriginal, restoreOriginal, writtenAgain } from "../original.ts";
import { OUTPUT_OPTIONS, outputPath, writeOutput } from "../output.ts";

export const INDENT_OPTION = { indent: { type: "string", value: "N", help: "spaces per level, 0 for one line; default 2" } } as const;

/** Spaces per level. */
export function indentOf(call: Call): number {
  const indent = call.number("indent", 2);
  if (indent > 16) throw new CallError("--indent takes at most 16");
  return indent;
}

/** The notation of a save, in pieces. */
export function notationOf(
  call: Call,
  opened: OpenedSave,
  format: SaveFormat,
  head: Record<string, Primitive>,
  tail: Record<string, Primitive> = {},
): Iterable<Uint8Array> {
  call.progress.phase("writing JSON", opened.bytes.length);
  const pieces = writeNotation(notationHead(format, head), opened.save.value, tail, format.vocabulary, indentOf(call), (done, total) =>
    call.progress.update(done, total),
  );
  return withFailure(pieces, opened.file);
}

/** `pieces`, whose errors are those of `file`. */
function* withFailure(pieces: Iterable<Uint8Array>, file: string): Generator<Uint8Array> {
  try {
    yield* pieces;
  } catch (error) {
    throw failureOf(file, error);
  }
}

export const decode: Command = {
  name: "decode",
  summary: "turn a save into lossless JSON",
  usage: ["[OPTIONS] FILE [OUTPUT]"],
  description: [
    'Writes JSON that "tusk encode" turns back into the same bytes: undefined, NaN, -0, 64-bit integers, exact datatypes, the order of members, shared and circular references, constructors with their schema versions, and the release of the file are kept. docs/cli.md describes it.',
    "Structs that were stored by a schema hold no names; such saves need --schema. Other constructors need nothing.",
    'With --nested, ds strings that are values of other ds strings become structures, whose values can be edited; "tusk encode" makes strings of them again. What would not come back the same stays a string.',
    "A file that the library would not write so (of a release before 1.4.0, or by another writer) is kept beside the values, compressed, and comes back as long as nothing is edited; edited JSON is written anew, with a note. --values-only leaves it out.",
  ],
  options: {
    ...NESTED_OPTION,
    ...SCHEMA_OPTION,
    ...FROM_OPTION,
    ...INDENT_OPTION,
    ...OUTPUT_OPTIONS,
    "values-only": { type: "boolean", help: "never keep the file itself beside the values" },
  },
  examples: ["tusk decode slot1.dat slot1.json", "tusk decode --schema schemas.json slot1.dat | less"],
  async run(call) {
    call.expectArguments(1, 2);
    const target = outputPath(call);
    // Before the save is read, which may take long.
    indentOf(call);
    const stored = await call.open(call.arguments[0]);
    const opened = await call.nested(stored);
    let tail: Record<string, Primitive> = opened.original;
    if (call.options["values-only"]) tail = {};
    else if (!opened.notation) {
      const again = await writtenAgain(call, opened);
      if (again !== "same" && again !== "packed anew") tail = keepOriginal(opened);
    } else if (opened !== stored) {
      // What is opened has another digest. An original that did not fit before does not now.
      const bytes = await restoreOriginal(call, stored);
      if (bytes) tail = keepOriginal({ ...opened, bytes });
    }
    await writeOutput(call, target, notationOf(call, opened, opened.format, opened.save.head, tail), false);
    return 0;
  },
};
