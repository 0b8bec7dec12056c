// The plain readers and writers of src/enigma alone, as the kernel's twin to check it against.

import { ByteSink } from "../../src/enigma/binary/byte-sink.ts";
import { readBinaryGame } from "../../src/enigma/binary/game-reader.ts";
import { writeBinaryGame } from "../../src/enigma/binary/game-writer.ts";
import { Payload } from "../../src/enigma/binary/payload.ts";
import { Warnings } from "../../src/enigma/failure.ts";
import type { EnigmaGame, EnigmaReadOptions } from "../../src/enigma/index.ts";
import { readListPlainly } from "../../src/enigma/kernel/list-reader.ts";
import { writeListPlainly } from "../../src/enigma/kernel/list-writer.ts";
import { CompiledSchema } from "../../src/enigma/schema.ts";
import { TuskError } from "../../src/errors.ts";

/** `readEnigma` of a binary save without the kernel and without the digest. */
export function readPlainly(bytes: ArrayBufferLike | ArrayBufferView, options: EnigmaReadOptions = {}): EnigmaGame {
  const file = bytes instanceof Uint8Array ? bytes : new Uint8Array(bytes as ArrayBuffer);
  if (file.length < 20) throw new TuskError("enigma", "too-short", "");
  const warnings = new Warnings(1000);
  const schema = options.schema ? new CompiledSchema(options.schema) : undefined;
  try {
    return readBinaryGame(
      { payload: new Payload(file, file.length - 20), schema, unknownObject: "error", warnings, unordered: false },
      readListPlainly,
    );
  } finally {
    warnings.deliver(options.onWarning);
  }
}

/** The bytes of a binary save without the kernel and without the digest. */
export function writePlainly(game: EnigmaGame): Uint8Array {
  const sink = new ByteSink();
  const context = {
    warnings: new Warnings(1000),
    sort: game.order !== "kept",
    damaged: "recovered" as const,
    rawFits: game.backend === "binary",
  };
  writeBinaryGame(sink, game, context, writeListPlainly);
  return sink.bytes.slice(0, sink.at);
}
