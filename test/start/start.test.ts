// `npm start` as a process: the tour through the game's save, any other save, and what it says when something is wrong.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createElephantSync } from "../../src/index.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const LARGE = join(ROOT, "test/vectors/elephant/large");
const TIMEOUT = 60_000;

function start(...args: string[]): { status: number | null; output: string } {
  const { status, stdout } = spawnSync(process.execPath, ["examples/start.mjs", ...args], {
    cwd: ROOT,
    encoding: "utf8",
    env: { ...process.env, FORCE_COLOR: "0", TUSK_ROUNDS: "1" },
  });
  return { status, output: stdout };
}

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "tusk-start-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function save(name: string, bytes: Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, bytes);
  return path;
}

test.skipIf(process.platform === "win32")(
  "nobody has to read to the end",
  () => {
    const { status, stderr } = spawnSync("sh", ["-c", '"$0" examples/start.mjs | head -1', process.execPath], {
      cwd: ROOT,
      encoding: "utf8",
      env: { ...process.env, TUSK_ROUNDS: "1" },
    });
    expect([status, stderr]).toEqual([0, ""]);
  },
  TIMEOUT,
);

describe("without arguments", () => {
  let tour: ReturnType<typeof start>;
  beforeAll(() => {
    tour = start();
  }, TIMEOUT);

  test("it says what the save is and what is in it", () => {
    expect(tour.status).toBe(0);
    expect(tour.output).toContain("world.sav  2.21 MB, Elephant 1.5.1, engine wasm");
    for (const [name, number] of Object.entries({ Item: "14,840", Entity: "5,000", Quest: "500", Region: "3", World: "1" }))
      expect(tour.output).toMatch(new RegExp(`^  ${name} +${number}$`, "m"));
    expect(tour.output).toContain("6,825 plain structs, 11,918 arrays, 21,586 references");
    expect(tour.output).toContain("├─ entities  array of 5,000 Entity");
  });

  test("one changed number is one changed byte", () => {
    expect(tour.output).toContain("player.hp: 300 → 299");
    expect(tour.output).toMatch(/^ {2}at 0x[0-9a-f]{6} {3}1 byte {3}2c {3}→ {3}2b$/m);
    expect(tour.output).toContain("the other 2,211,121 bytes are the same");
  });

  test("the times of reading and writing stand next to JSON's", () => {
    for (const verb of ["read", "write"])
      expect(tour.output.match(new RegExp(`^ +${verb} .*m?s +[\\d.]+ m?s +[\\d.]+ times as (fast|slow)$`, "gm"))).toHaveLength(2);
  });
});

describe("with a file", () => {
  test(
    "its constructors keep their names, and all but the changed bytes stay",
    () => {
      const { status, output } = start(join(LARGE, "rpg-verbose.bin.gz"));
      expect(status).toBe(0);
      expect(output).toContain("rpg-verbose.bin  3.36 MB, Elephant 1.5.1");
      expect(output).toMatch(/^ {2}Item +12,495$/m);
      expect(output).toContain(".seed: 20240911 → 20240912");
      expect(output).toContain("the other 3,355,671 bytes are the same");
    },
    TIMEOUT,
  );

  test(
    "the file itself is not touched",
    () => {
      const bytes = createElephantSync().write({ name: "Ada", gold: 5 });
      const path = save("small.sav", bytes);
      const { status, output } = start(path);
      expect(status).toBe(0);
      expect(output).toContain(".gold: 5 → 6");
      expect(new Uint8Array(readFileSync(path))).toEqual(bytes);
    },
    TIMEOUT,
  );

  test(
    "a save of an older release is read and stored by the newest",
    () => {
      const { status, output } = start(join(ROOT, "test/vectors/elephant/legacy/1.3.0-array.bin"));
      expect(status).toBe(0);
      expect(output).toContain("release 1.3.0 is read, release 1.5.1 is written");
    },
    TIMEOUT,
  );

  test(
    "a save by schema asks for the schemas, and takes them as JSON",
    async () => {
      const path = join(LARGE, "rpg-schema.bin.gz");
      const asked = start(path);
      expect(asked.status).toBe(1);
      expect(asked.output).toContain("elephant: schema-missing");
      expect(asked.output).toContain("npm start -- path/to/save schemas.json");

      const classes = (await import(pathToFileURL(join(ROOT, "examples/rpg-classes.mjs")).href)) as Record<string, object>;
      const schemas = Object.fromEntries(Object.entries(classes).map(([name, type]) => [name, schemaOf(type)]));
      const { status, output } = start(path, save("schemas.json", new TextEncoder().encode(JSON.stringify(schemas))));
      expect(status).toBe(0);
      expect(output).toContain("the other 2,211,1");
    },
    TIMEOUT,
  );

  test("what is no save, and what is not there, is said in one line", () => {
    const wrong = start(join(ROOT, "package.json"));
    expect(wrong.status).toBe(1);
    expect(wrong.output).toMatch(/^this is not an Elephant save: .*\[elephant: header\]\n$/);
    const missing = start(join(folder, "nothing.sav"));
    expect(missing.status).toBe(2);
    expect(missing.output).toMatch(/^there is no file .*nothing\.sav\n$/);
  });
});

/** The one symbol of a class of the example that holds a schema: the class was made with the built package, these tests with the sources. */
function schemaOf(type: object): unknown {
  const symbol = Object.getOwnPropertySymbols(type).find(({ description }) => description === "Elephant schema")!;
  return (type as Record<symbol, unknown>)[symbol];
}

test("the example's classes have the schemas of the save", async () => {
  const classes = (await import(pathToFileURL(join(ROOT, "examples/rpg-classes.mjs")).href)) as Record<string, object>;
  const { generate } = (await import(pathToFileURL(join(LARGE, "generator.mjs")).href)) as {
    generate(parameters: object): { ctors: Record<string, { schema: { versions: [string, { fields: [string, string][] }][] } }> };
  };
  const manifest = JSON.parse(readFileSync(join(LARGE, "manifest.json"), "utf8")) as {
    vectors: { name: string; generator: Record<string, unknown> }[];
  };
  const { ctors } = generate({ ...manifest.vectors.find(({ name }) => name === "rpg-schema")!.generator, entities: 1, quests: 1, log: 1 });
  const wanted = Object.fromEntries(
    Object.entries(ctors).map(([name, { schema }]) => [
      name,
      Object.fromEntries(schema.versions.map(([version, { fields }]) => [version, Object.fromEntries(fields)])),
    ]),
  );
  expect(Object.fromEntries(Object.entries(classes).map(([name, type]) => [name, schemaOf(type)]))).toEqual(wanted);
});
