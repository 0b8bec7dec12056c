// Writing a save: the document or the binary form, then the digest of everything before it.

import { TuskError } from "../errors.ts";
import { ByteSink } from "./binary/byte-sink.ts";
import { writeBinaryGame } from "./binary/game-writer.ts";
import { refuse, Warnings } from "./failure.ts";
import { listOf, type WriteContext } from "./given.ts";
import { writeJsonGame } from "./json/game-writer.ts";
import { kernelListWriter } from "./kernel/list-writer.ts";
import { SessionLease } from "./kernel/session.ts";
import { DIGEST_BYTES, sha1 } from "./kernel/sha1.ts";
import type { EnigmaGame } from "./model.ts";
import { checkWriteOptions, type EnigmaWriteOptions, limitsOf } from "./options.ts";

/**
 * Writes a save as `game_save_buffer` would, without the engine's defects (docs/enigma.md). A game that was read from a file without defects
 * gives the same bytes.
 *
 * @throws TuskError with format `"enigma"`, the path of the value, and one of the codes `unwritable` (a value is not of its type), `schema-needed` (raw
 *   bytes of one backend for the other, a variable without a type), `string-slot` (binary: a text of more than 24 bytes in a container),
 *   `damaged-local`, `schema` (a type that is none); without a path `unwritable` (a part of the game is missing; `cause` says more), `limit` (more
 *   than the platform can hold) and `bad-option`; with format `"tusk"` `engine`, where WebAssembly was asked for, is needed and cannot be had
 */
export function writeEnigma(game: EnigmaGame, options: EnigmaWriteOptions = {}): Uint8Array<ArrayBuffer> {
  checkWriteOptions(options);
  const limits = limitsOf(options.limits);
  if (typeof game !== "object" || game === null) refuse("unwritable", "a game is expected", "");
  for (const name of ["active", "inactive", "backgrounds"] as const) listOf<unknown>(game[name], `.${name}`);
  const warnings = new Warnings(limits.maxWarnings);
  const backend = options.backend ?? game.backend;
  if (backend !== "binary" && backend !== "json") refuse("unwritable", `the backend is "binary" or "json"`, ".backend");
  const context: WriteContext = {
    warnings,
    sort: game.order !== "kept",
    damaged: options.damaged ?? "recovered",
    rawFits: backend === game.backend,
  };
  const lease = new SessionLease(options.engine ?? "auto");
  try {
    const sink = ByteSink.forFile();
    if (backend === "json") writeJsonGame(sink, game, context);
    else writeBinaryGame(sink, game, context, kernelListWriter(lease));
    const digest = sha1(lease, sink.bytes.subarray(0, sink.at));
    const at = sink.reserve(DIGEST_BYTES);
    sink.bytes.set(digest, at);
    return sink.finish();
  } catch (cause) {
    if (cause instanceof RangeError) throw new TuskError("enigma", "limit", "the platform ran out of room for this save", { cause });
    // What lacks a part altogether is found out where the part is used.
    throw cause instanceof TypeError ? new TuskError("enigma", "unwritable", "a part of the game is missing", { cause }) : cause;
  } finally {
    lease.release();
    warnings.deliver(options.onWarning);
  }
}
