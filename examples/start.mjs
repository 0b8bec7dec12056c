// npm start                        opens the save of a small role-playing game, changes it and looks at what that did
// npm start -- path/to/save        the same with a save of yours (a copy of it), without the game's classes
// npm start -- save schemas.json   with the schemas of its constructors, for saves that were written by schema
import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import { createElephant, TuskError } from "tusk-codec";
import { loadSave, saveFile } from "tusk-codec/node";
import { Entity, Item, Quest, Region, World } from "./rpg-classes.mjs";
import { census, firstNumber, isContainer, tree } from "./start/census.mjs";
import { differingRuns } from "./start/differences.mjs";
import { measure, timed } from "./start/measure.mjs";
import { bold, count, cyan, dim, green, heading, hex, megabytes, milliseconds, print, red, table, visible } from "./start/terminal.mjs";

const GAME_SAVE = fileURLToPath(new URL("../test/vectors/elephant/large/rpg-schema.bin.gz", import.meta.url));
/** How often the comparison with JSON is repeated. */
const { TUSK_ROUNDS = "9" } = process.env;
const ROUNDS = Number(TUSK_ROUNDS);
const WRITABLE = new Set(["1.4.0", "1.5.0", "1.5.1"]);

/** Something that was given is of no use; the message is all there is to say. */
class Unusable extends Error {}

/** The bytes of a save; a file that is gzipped as a whole is unpacked. */
async function unpacked(path) {
  const bytes = await loadSave(path);
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  try {
    return gunzipSync(bytes);
  } catch (error) {
    throw new Unusable(`${path} begins like a gzip file and cannot be unpacked: ${error.message}`);
  }
}

/** A codec that keeps constructors by their names, with the schemas of a JSON file if there is one. */
async function codecFor(schemaFile) {
  if (schemaFile === undefined) return createElephant({ unknownConstructor: "generic" });
  try {
    return await createElephant({ constructors: JSON.parse(await readFile(schemaFile, "utf8")), unknownConstructor: "generic" });
  } catch (error) {
    if (error.code === "ENOENT") throw error;
    throw new Unusable(`${schemaFile} holds no schemas: ${error.message}`);
  }
}

/** A codec for the game's own save, and what to change in it: the player drinks a potion. */
async function ofTheGame() {
  return {
    codec: await createElephant({ constructors: { World, Region, Entity, Item, Quest } }),
    readOptions: {},
    change(world) {
      const { player } = world;
      const before = player.hp;
      player.hp = before < player.hpMax ? player.hpMax : before - 1;
      return { path: "player.hp", before, after: player.hp, storedIn: (again) => again.player.hp };
    },
  };
}

/** A codec for any save: constructors keep their names, values their datatypes, so that everything else is written as it was. */
async function ofAnyGame(schemaFile) {
  return {
    codec: await codecFor(schemaFile),
    readOptions: { scalars: "exact" },
    change(root) {
      const found = isContainer(root) ? firstNumber(root) : undefined;
      if (found === undefined) return undefined;
      const { holder, name, path } = found;
      const before = holder[name];
      // Towards zero: before may be the largest that its datatype holds.
      const after = before > 0 ? before - 1 : before + 1;
      holder[name] = after;
      const storedIn = (again) => {
        const there = firstNumber(again);
        return there.holder[there.name];
      };
      return { path, before, after, storedIn };
    },
  };
}

/** What JSON can hold of a value: `toJson` has made a tree of the graph; 64-bit integers become text. */
function jsonForm(codec, value) {
  return JSON.parse(JSON.stringify(codec.toJson(value), (_, member) => (typeof member === "bigint" ? String(member) : member)) ?? "null");
}

function showContents(value) {
  const found = census(value);
  heading("What is in it");
  table(
    [...found.constructors].sort((a, b) => b[1] - a[1]).map(([name, number]) => [cyan(visible(name)), count(number)]),
    "lr",
  );
  const parts = [
    [found.structs, "plain structs"],
    [found.arrays, "arrays"],
    [found.repeated, "references to what occurs elsewhere"],
    [found.numbers, "numbers"],
    [found.integers, "64-bit integers"],
    [found.strings, "strings"],
    [found.booleans, "booleans"],
    [found.empty, "times undefined"],
  ];
  print(
    dim(
      `  ${parts
        .filter(([number]) => number > 0)
        .map(([number, what]) => `${count(number)} ${what}`)
        .join(", ")}`,
    ),
  );
  print();
  for (const line of tree(value)) print(`  ${line}`);
}

/** The options by which an unchanged value gives the very bytes it was read from; undefined when there are none. */
function optionsOf(codec, value, release, original) {
  if (!WRITABLE.has(release)) return undefined;
  for (const diffsOnly of release === "1.4.0" ? [false] : [false, true]) {
    const options = { release, diffsOnly };
    if (Buffer.compare(codec.write(value, options), original) === 0) return options;
  }
  return undefined;
}

/** Why offsets of the old file and of the new one have nothing to do with each other. */
function whyAllIsNew(release, writeOptions) {
  if (writeOptions !== undefined) return "the new value takes another number of bytes";
  if (!WRITABLE.has(release)) return `release ${release} is read, release 1.5.1 is written`;
  return "without the game's classes the save is laid out anew";
}

function showDifferences(before, after) {
  const runs = differingRuns(before, after);
  const bytes = runs.reduce((sum, run) => sum + run.length, 0);
  const hexBytes = (from, { offset, length }) => Buffer.from(from.subarray(offset, offset + Math.min(length, 8))).toString("hex");
  table(
    runs
      .slice(0, 8)
      .map((run) => [
        `at ${hex(run.offset)}`,
        `${run.length} ${run.length === 1 ? "byte" : "bytes"}`,
        hexBytes(before, run),
        "→",
        hexBytes(after, run),
      ]),
    "lrlll",
  );
  if (runs.length > 8) print(dim(`  and ${count(runs.length - 8)} more places`));
  print(`  ${green("✓")} the other ${count(before.length - bytes)} bytes are the same`);
}

const factor = (ratio) => (ratio >= 1 ? `${ratio.toFixed(1)} times as fast` : `${(1 / ratio).toFixed(1)} times as slow`);

/** Reading and writing next to JSON, on the same data. */
function showSpeed(saves) {
  heading("Next to JSON, on the same data");
  const lines = [["", "", "Tusk", "JSON", ""].map(dim)];
  for (const { name, codec, bytes, value, readOptions, writeOptions } of saves) {
    const plain = jsonForm(codec, value);
    const text = JSON.stringify(plain);
    const pairs = measure(
      {
        read: [() => codec.read(bytes, readOptions), () => JSON.parse(text)],
        write: [() => codec.write(value, writeOptions), () => JSON.stringify(plain)],
      },
      ROUNDS,
    );
    lines.push([name, dim("size"), dim(megabytes(bytes.length)), dim(megabytes(Buffer.byteLength(text))), ""]);
    for (const pair of pairs) lines.push(["", pair.name, milliseconds(pair.first), milliseconds(pair.second), bold(factor(pair.ratio))]);
  }
  table(lines, "llrrl");
  print(
    dim(
      `  Medians of ${ROUNDS} rounds in which each takes its turn. JSON knows neither classes, shared objects and cycles nor 64-bit integers: it is`,
    ),
  );
  print(dim("  given the tree that toJson makes, integers as text (that conversion is not counted), and gives back plain objects."));
}

async function main(path, schemaFile) {
  if (!Number.isInteger(ROUNDS) || ROUNDS < 1)
    throw new Unusable(`TUSK_ROUNDS is a whole number from 1 on, not ${JSON.stringify(TUSK_ROUNDS)}`);
  const game = path === undefined;
  const source = path ?? GAME_SAVE;
  const { codec, readOptions, change } = game ? await ofTheGame() : await ofAnyGame(schemaFile);
  const folder = await mkdtemp(join(tmpdir(), "tusk-"));
  try {
    // Everything happens to a copy.
    const copy = join(folder, game ? "world.sav" : basename(source).replace(/\.gz$/, ""));
    await writeFile(copy, await unpacked(source));

    const steps = [];
    const step = async (title, operation) => {
      const { result, ms } = await timed(operation);
      steps.push([title, milliseconds(ms)]);
      return result;
    };

    const before = await step("load the file", () => loadSave(copy));
    const { value, end, release } = await step("read (the first call of this process)", () => codec.readAt(before, 0, readOptions));
    print(`${bold(visible(basename(copy)))}  ${megabytes((await stat(copy)).size)}, Elephant ${release}, engine ${codec.engine}`);
    if (end < before.length) print(dim(`${count(before.length - end)} bytes follow the save; they are left out`));
    showContents(value);

    const original = before.subarray(0, end);
    const writeOptions = optionsOf(codec, value, release, original);
    const changed = change(value);
    heading("Change a value, save, load again");
    if (changed) print(`  ${visible(changed.path)}: ${changed.before} → ${bold(changed.after)}`);
    else print(dim("  there is no number to change; it is saved as it is"));

    const bytes = await step("write", () => codec.write(value, writeOptions));
    await step("store: write beside, sync, read back, rename, sync the folder", () => saveFile(copy, bytes));
    const after = await step("load the file", () => loadSave(copy));
    const again = await step("read", () => codec.read(after, readOptions));
    if (Buffer.compare(codec.write(again, writeOptions), after) !== 0) throw new Error("what was read back is not what was written");
    if (writeOptions !== undefined && after.length === original.length) showDifferences(original, after);
    else print(dim(`  ${whyAllIsNew(release, writeOptions)}: ${megabytes(original.length)} became ${megabytes(after.length)}`));
    const stored = changed?.storedIn(again);
    if (changed && !Object.is(stored, changed.after))
      print(`  ${red(`${visible(changed.path)} has become ${stored}: its datatype does not hold ${changed.after}`)}`);
    else print(`  ${green("✓")} read back, the value is the one that was saved`);
    print();
    table(
      steps.map(([title, ms]) => [title, ms]),
      "lr",
    );

    const rows = [{ name: game ? "by schema" : visible(basename(copy)), codec, bytes: after, value: again, readOptions, writeOptions }];
    if (game) rows.push(await withNames());
    showSpeed(rows);
    if (game) print(`\n${dim("With a save of your own:")} npm start -- path/to/save`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** A save of the same game from before it had schemas: members are stored with their names. */
async function withNames() {
  const bytes = await unpacked(GAME_SAVE.replace("rpg-schema", "rpg-verbose"));
  const codec = await createElephant({ unknownConstructor: "generic" });
  return { name: "by names, without classes", codec, bytes, value: codec.read(bytes), readOptions: {}, writeOptions: {} };
}

function explain(error) {
  if (error.code === "file-read") {
    print(red(visible(error.cause.code === "ENOENT" ? `there is no file ${error.cause.path}` : error.message)));
    return 2;
  }
  if (error instanceof TuskError) {
    print(red(visible(error.message)));
    if (error.path !== undefined)
      print("Without the game's classes this save can be looked at, but not written: it leaves out what equals their defaults.");
    if (error.code === "schema-missing" || error.code === "schema-version-missing")
      print("This save is stored by schema, and the schema is part of the game. Give it as JSON: npm start -- path/to/save schemas.json");
    return 1;
  }
  if (error.code === "ENOENT") print(red(visible(`there is no file ${error.path}`)));
  else print(red(error instanceof Unusable || error.syscall !== undefined ? visible(error.message) : error.stack));
  return 2;
}

try {
  await main(process.argv[2], process.argv[3]);
} catch (error) {
  process.exitCode = explain(error);
}
