// The plain twin of the codec: written from formats/elephant.md as straight as possible, recursive, a byte at a time, without a thought
// for speed. It checks the vectors' runner, and the codec is checked against it on random graphs.

import { deflateSync, inflateSync } from "node:zlib";
import { type Elephant, type ElephantOptions, type ReadOptions, TuskError, type WriteOptions } from "./codec.ts";
import { duplicateGraph, fromJson, toJson } from "./reference-graph.ts";
import { ReferenceReader } from "./reference-reader.ts";
import { Registry } from "./reference-registry.ts";
import { ReferenceWriter } from "./reference-writer.ts";

/** An Elephant codec of the same face; `limits`, `wasm` and `engine` are not looked at. */
export function createReference(options: ElephantOptions = {}): Elephant {
  const registry = new Registry(options);

  const write = (value: unknown, writeOptions: WriteOptions = {}): Uint8Array =>
    registry.during(() => new ReferenceWriter(registry, writeOptions).writeFile(value));
  const readAt = (bytes: Uint8Array, offset: number, readOptions: ReadOptions = {}) =>
    registry.during(() => new ReferenceReader(registry, bytes, offset, readOptions).readFile());
  const read = (bytes: Uint8Array | ArrayBuffer, readOptions: ReadOptions = {}) =>
    readAt(bytes instanceof Uint8Array ? bytes : new Uint8Array(bytes), readOptions.offset ?? 0, readOptions).value;

  const codec = {
    engine: "js" as const,
    write,
    writeInto(value: unknown, target: Uint8Array, offset = 0, writeOptions: WriteOptions = {}) {
      const bytes = write(value, writeOptions);
      if (offset + bytes.length > target.length) throw new TuskError("elephant", "no-room", "the target buffer is too small");
      target.set(bytes, offset);
      return offset + bytes.length;
    },
    read,
    readAt,
    exportString: (value: unknown, writeOptions?: WriteOptions) => Buffer.from(deflateSync(write(value, writeOptions))).toString("base64"),
    importString(text: string, readOptions?: ReadOptions) {
      let inflated: Uint8Array;
      try {
        const stream = Buffer.from(text, "base64");
        const { buffer, engine } = inflateSync(stream, { maxOutputLength: 1 << 28, info: true }) as unknown as {
          buffer: Buffer;
          engine: { bytesWritten: number };
        };
        if (engine.bytesWritten !== stream.length) throw new Error("bytes behind the zlib stream");
        inflated = buffer;
      } catch (cause) {
        throw new TuskError("elephant", "bad-export-string", "not a zlib stream in base64", { cause });
      }
      return read(inflated, readOptions);
    },
    duplicate: (value: unknown, duplicateOptions?: { forceVerbose?: boolean; allMembers?: boolean }) =>
      registry.during(() => duplicateGraph(registry, value, duplicateOptions ?? {})),
    toJson: (value: unknown, jsonOptions?: { diffsOnly?: boolean }) => registry.during(() => toJson(registry, value, jsonOptions ?? {})),
    fromJson: (json: unknown) => registry.during(() => fromJson(registry, json)),
    get isDeserializing() {
      return registry.state?.isDeserializing;
    },
    get schemaVersion() {
      return registry.state?.schemaVersion;
    },
  };
  return codec as unknown as Elephant;
}
