// Every golden vector of Elephant through the command line. A good file of any release comes back byte by byte from its JSON; without the kept
// original, and through `convert`, an equal value does. Of what eight old releases have written alike a quarter is converted so; `npm run test:long`
// has all.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { inflateSync } from "node:zlib";
import { afterAll, describe, expect, test } from "vitest";
import { elephant } from "../../src/cli/formats/elephant.ts";
import { LONG_RUN } from "../elephant/codec.ts";
import { loadVectorSets, type Vector, vectorBytes, vectorConstructors, vectorText } from "../elephant/vector-files.ts";
import { scratchFolder } from "../node/scratch.ts";
import { run } from "./program.ts";
import { schemaArguments } from "./schemas.ts";

/** Releases that are written as they were, without help of the kept original. */
const WRITABLE = new Set(["1.4.0", "1.5.0", "1.5.1"]);

/** Good files of those releases that no GameMaker program writes so, or that hold what JavaScript cannot: these need the kept original. */
const UNUSUAL = new Set([
  "arrays/read-elements-text",
  "scalars/read-any-text",
  "scalars/read-any-any",
  "scalars/read-nan-payload",
  "scalars/read-bool-other",
  "constructors/read-sparse-index",
  "diffs/read-skip-unsorted",
  "diffs/read-skip-duplicate",
  "references/read-cross-kind",
  "strings/invalid-lone-continuation",
  "strings/invalid-truncated-2",
  "strings/invalid-truncated-3",
  "strings/invalid-invalid-ff",
  "strings/invalid-overlong-slash",
  "strings/cesu8",
  "structs/names-integer-like",
  "structs/read-duplicate-names",
]);

/** Old schema versions that no writable release has a byte for. */
const VERSION_ABOVE_127 = /version-200$/;
/** Readable for nobody (formats/elephant.md §12.2). */
const UNREADABLE = "legacy/1.2.1-version-verbose";

/** Vectors whose values are written anew without the kept original and by `convert`: other releases for each kind of the legacy set, and all others. */
function rewritten(): ReadonlySet<Vector> {
  const chosen = new Set<Vector>();
  const kinds = new Map<string, Vector[]>();
  for (const { set, vectors } of SETS)
    for (const vector of vectors) {
      const kind = `${set}/${set === "legacy" ? vector.name.slice(vector.elephant.length) : vector.name}`;
      kinds.set(kind, [...(kinds.get(kind) ?? []), vector]);
    }
  for (const [at, ofKind] of [...kinds.values()].entries())
    for (const [i, vector] of ofKind.entries()) if (LONG_RUN || ofKind.length < 4 || (at + i) % 4 === 0) chosen.add(vector);
  return chosen;
}

const SETS = loadVectorSets();
const REWRITTEN = rewritten();

let executed = 0;
/** Releases of which values were written anew. */
const anew = new Set<string>();

async function check(vector: Vector): Promise<void> {
  executed++;
  const id = `${vector.set}/${vector.name}`;
  const folder = scratchFolder();
  const { schemas, schema } = schemaArguments(folder, vector.readCtors ?? (await vectorConstructors(vector)));
  const bytes = vectorBytes(vector);
  const file = join(folder, "save.dat");
  writeFileSync(file, bytes);

  const decoded = await run(["decode", ...schema, file]);
  if (decoded.status !== 0) {
    // Only a file that is bad may be refused, and for the reason that the vector gives.
    if (id !== UNREADABLE) expect(vector.error, decoded.stderr).toBeDefined();
    expect(decoded.status).toBe(1);
    if (vector.error && !vector.kind && bytes.length > 4 && !decoded.stderr.includes("unknown-format"))
      expect(decoded.stderr).toContain(`[elephant: ${vector.error.category}]`);
    return;
  }
  // Without the game's code an unknown constructor is no error, and a vector of advice may be read.
  if (vector.error) expect(vector.error.category === "unknown-constructor" || vector.error.on === "write" || vector.kind, id).toBeTruthy();
  expect(decoded.stderr).toBe("");

  const again = await run(["encode", ...schema, "-"], decoded.stdout);
  expect(again.stderr).toBe("");
  expect(again.stdout.equals(bytes), id).toBe(true);

  if (vector.elephant.startsWith("1.5.") && !UNUSUAL.has(id) && vector.stopsAt === undefined) {
    const settings = { schemas, onWarning: () => undefined };
    const save = elephant.read(bytes, settings);
    // Header, the root's datatype, footer.
    const size = elephant.sizes!(save, settings).bytes.get(save.value as object);
    if (size !== undefined) expect(size + 13, "the size that inspect shows").toBe(bytes.length);
  }

  // Where the original was not needed, the values alone have just given the bytes.
  const usual = WRITABLE.has(vector.elephant) && !UNUSUAL.has(id);
  // A single value of the development branch is the same file as one of the tagged 1.4.0.
  if (vector.elephant !== "1.4.0-dev") expect(decoded.stdout.includes('"originalOf": '), id).toBe(!usual);
  if (!REWRITTEN.has(vector)) return;
  if (!usual) {
    const values = await run(["decode", "--values-only", "--indent", "0", ...schema, file]);
    const rewritten = await run(["encode", ...schema, "-"], values.stdout);
    if (VERSION_ABOVE_127.test(vector.name)) {
      expect(rewritten.status).toBe(1);
      return;
    }
    expect(rewritten.status, rewritten.stderr).toBe(0);
    const other = join(folder, "other.dat");
    writeFileSync(other, rewritten.stdout);
    expect((await run(["diff", ...schema, file, other])).stdout.toString()).toBe("");
  }
  if (vector.elephant !== "1.5.1") {
    const newest = join(folder, "newest.dat");
    const converted = await run(["convert", ...schema, file]);
    expect(converted).toMatchObject({ status: 0, stderr: "" });
    writeFileSync(newest, converted.stdout);
    expect((await run(["verify", ...schema, newest])).stdout.toString()).toContain("release 1.5.1");
    expect(await run(["diff", ...schema, file, newest])).toMatchObject({ status: 0 });
    anew.add(vector.elephant);
  }
}

async function checkExportString(vector: Vector): Promise<void> {
  const folder = scratchFolder();
  const { schema } = schemaArguments(folder, vector.readCtors ?? vector.ctors);
  const text = vectorText(vector, vector.exportString!);
  const bytes = vectorBytes(vector);
  const decoded = await run(["decode", ...schema, "-"], text);
  expect(decoded).toMatchObject({ status: 0, stderr: "" });
  const encoded = await run(["encode", ...schema, "-"], decoded.stdout);
  const inside = encoded.stdout.toString().startsWith("PELE")
    ? encoded.stdout
    : inflateSync(Buffer.from(encoded.stdout.toString(), "base64"));
  expect(inside.equals(bytes)).toBe(true);
  const file = join(folder, "save.dat");
  writeFileSync(file, bytes);
  const back = await run(["convert", ...schema, "--to", "export-string", file]);
  const opened = await run(["convert", ...schema, "--to", "elephant", "-"], back.stdout);
  if (vector.elephant === "1.5.1") expect(opened.stdout.equals(bytes)).toBe(true);
  writeFileSync(join(folder, "string.txt"), text);
  expect(await run(["diff", ...schema, join(folder, "string.txt"), file])).toMatchObject({ status: 0 });
}

describe.each(SETS.filter(({ vectors }) => vectors.some((vector) => vector.file)))("$set", ({ vectors }) => {
  for (const vector of vectors) {
    if (!vector.file || !vector.dirs.includes("read")) continue;
    if (vector.op === "binary") test(vector.name, () => check(vector), 60_000);
    if (vector.op === "exportString") test(vector.name, () => checkExportString(vector), 60_000);
  }
});

afterAll(() => {
  expect(executed).toBeGreaterThan(600);
  expect([...anew].sort()).toEqual(["1.0.0", "1.1.0", "1.2.0", "1.2.1", "1.3.0", "1.4.0", "1.4.0-dev", "1.5.0"]);
});
