// The public writer: an instance by its definitions, or a document.

import { type Definitions, type IntrospectionDatabase, toDatabase } from "./definitions.ts";
import { describeInstance } from "./describe.ts";
import type { IntrospectionDocument } from "./document.ts";
import { writeIntrospectionDocument } from "./document-writer.ts";
import { fail, fitting } from "./failure.ts";
import { type IntrospectionInstance, isInstance, lookUp } from "./instances.ts";
import { withNewlines } from "./notation.ts";
import { checkOptions, type IntrospectionWriteOptions, walkOptions } from "./options.ts";
import { writeOriginal } from "./original-writer.ts";

/**
 * Writes the text of an instance.
 *
 * In `superset` mode the text can always be read back, and what has no text is an error. In `original` mode it is what the
 * tutorial's scripts write, byte for byte, broken where theirs is broken; `warnings` then holds their messages.
 *
 * @param database which variables each object has; not used for a document.
 * @param instance the instance, its id in `options.instances`, or a document (from {@link readIntrospection}, say), which is written as
 * {@link writeIntrospectionDocument} does.
 * @throws TuskError with the path: `undefined-object`, `missing-variable` (superset), `type-mismatch`, `unknown-enum-name`, `bad-key`,
 * `bad-definition`, `bad-document`, `not-original`, `cycle`, `depth-limit`, `size-limit`, `too-long`, `bad-option` (a structure whose `toFields`
 * gives no list); without a path what is wrong with an argument as a whole (`bad-option`, `bad-document`), a definition or a structure's field that
 * is none (`bad-definition`), and `too-long` of the text.
 * @example
 * const database = { oPlayer: [{ name: "_level", types: ["int"] }] };
 * writeIntrospection(database, { object: "oPlayer", id: 100001, variables: { _level: 3 } }).text;
 * // "oPlayer = 100001\n{\n\t_level : int = 3\n}\n\r\n"
 */
export function writeIntrospection(
  database: Definitions | IntrospectionDatabase | null | undefined,
  instance: IntrospectionInstance | IntrospectionDocument | number | bigint | string,
  options: IntrospectionWriteOptions = {},
): { text: string; warnings: string[] } {
  checkOptions(options);
  if ((instance as IntrospectionDocument | null | undefined)?.type === "object")
    return { text: writeIntrospectionDocument(instance as IntrospectionDocument, options), warnings: [] };
  const root = typeof instance === "object" ? instance : lookUp(options.instances, instance);
  if (!isInstance(root)) fail("bad-document", "expected an instance, its id, or a document");
  const context = { ...walkOptions(options), database: toDatabase(database) };
  if (options.mode !== "original") return { text: writeIntrospectionDocument(describeInstance(root, context), options), warnings: [] };
  const { text, warnings } = writeOriginal(root, context);
  return { text: fitting(() => withNewlines(text, options.newline) + (options.finalNewline ?? "\r\n")), warnings };
}
