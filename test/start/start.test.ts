// `npm start` as a process: the tour through the game's save, any other save, and what it says when something is wrong.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createElephantSync, StructInstance } from "../../src/index.ts";
import { Programs } from "../programs.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const LARGE = join(ROOT, "test/vectors/elephant/large");
const TIMEOUT = 60_000;

type Started = { status: number | null; output: string };

const variables = (rounds: string) => ({ FORCE_COLOR: "0", TUSK_ROUNDS: rounds });

/** In a process of its own. */
function startAlone(...args: string[]): Started {
  const { status, stdout } = spawnSync(process.execPath, ["examples/start.mjs", ...args], {
    cwd: ROOT,
    encoding: "utf8",
    env: { ...process.env, ...variables("1") },
  });
  return { status, output: stdout };
}

let folder: string;
const programs = new Programs();
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "tusk-start-"));
});
afterAll(() => {
  programs.end();
  rmSync(folder, { recursive: true, force: true });
});

async function startWith(rounds: string, ...args: string[]): Promise<Started> {
  const { status, stdout } = await programs.run(join(ROOT, "examples/start.mjs"), args, ROOT, variables(rounds));
  return { status, output: stdout };
}

const start = (...args: string[]) => startWith("1", ...args);

function save(name: string, bytes: Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, bytes);
  return path;
}

test.skipIf(process.platform === "win32")(
  "nobody has to read to the end",
  () => {
    // Any save will do: what is printed last, the times of nine rounds, comes long after the first line.
    const path = save("short.sav", createElephantSync().write({ name: "Ada", gold: 5 }));
    const { status, stderr } = spawnSync("sh", ["-c", '"$0" examples/start.mjs "$1" | head -1', process.execPath, path], {
      cwd: ROOT,
      encoding: "utf8",
      env: { ...process.env, TUSK_ROUNDS: "9" },
    });
    expect([status, stderr]).toEqual([0, ""]);
  },
  TIMEOUT,
);

describe("without arguments", () => {
  let tour: Started;
  beforeAll(() => {
    tour = startAlone();
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
    async () => {
      const { status, output } = await start(join(LARGE, "rpg-verbose.bin.gz"));
      expect(status).toBe(0);
      expect(output).toContain("rpg-verbose.bin  3.36 MB, Elephant 1.5.1");
      expect(output).toMatch(/^ {2}Item +12,495$/m);
      expect(output).toContain(".seed: 20240911 → 20240910");
      expect(output).toContain("the other 3,355,672 bytes are the same");
    },
    TIMEOUT,
  );

  test(
    "the file itself is not touched",
    () => {
      const bytes = createElephantSync().write({ name: "Ada", gold: 5 });
      const path = save("small.sav", bytes);
      const { status, output } = startAlone(path);
      expect(status).toBe(0);
      expect(output).toContain(".gold: 5 → 4");
      expect(new Uint8Array(readFileSync(path))).toEqual(bytes);
    },
    TIMEOUT,
  );

  test(
    "a save of an older release is read and stored by the newest",
    async () => {
      const { status, output } = await start(join(ROOT, "test/vectors/elephant/legacy/1.3.0-array.bin"));
      expect(status).toBe(0);
      expect(output).toContain("release 1.3.0 is read, release 1.5.1 is written");
    },
    TIMEOUT,
  );

  test(
    "a save by schema asks for the schemas, and takes them as JSON",
    async () => {
      const path = join(LARGE, "rpg-schema.bin.gz");
      const asked = await start(path);
      expect(asked.status).toBe(1);
      expect(asked.output).toContain("elephant: schema-missing");
      expect(asked.output).toContain("npm start -- path/to/save schemas.json");

      const classes = (await import(pathToFileURL(join(ROOT, "examples/rpg-classes.mjs")).href)) as Record<string, object>;
      const schemas = Object.fromEntries(Object.entries(classes).map(([name, type]) => [name, schemaOf(type)]));
      const { status, output } = await start(path, save("schemas.json", new TextEncoder().encode(JSON.stringify(schemas))));
      expect(status).toBe(0);
      expect(output).toContain("the other 2,211,1");
    },
    TIMEOUT,
  );

  test(
    "the largest number of a datatype becomes one that it holds, and where it does not hold the new one, that is said",
    async () => {
      const changed = async (datatype: string, hp: number) => {
        const schema = { Hero: { v1: { hp: datatype } } };
        const bytes = createElephantSync({ constructors: schema as never }).write(new StructInstance("Hero", { hp }));
        const schemas = save("numbers.json", new TextEncoder().encode(JSON.stringify(schema)));
        const { status, output } = await start(save("numbers.sav", bytes), schemas);
        expect(status).toBe(0);
        return /\.hp: ([^\n]*).*(read back, the value is the one that was saved|\.hp has become [^\n]*)/s.exec(output)?.slice(1);
      };
      const saved = "read back, the value is the one that was saved";
      expect(await changed("u8", 255)).toEqual(["255 → 254", saved]);
      expect(await changed("u8", 0)).toEqual(["0 → 1", saved]);
      expect(await changed("f16", 2048)).toEqual(["2048 → 2047", saved]);
      expect(await changed("f32", 2 ** 25)).toEqual([
        "33554432 → 33554431",
        ".hp has become 33554432: its datatype does not hold 33554431",
      ]);
    },
    TIMEOUT,
  );

  test("what is no save, and what is not there, is said in one line", () => {
    const wrong = startAlone(join(ROOT, "package.json"));
    expect(wrong.status).toBe(1);
    expect(wrong.output).toMatch(/^this is not an Elephant save: .*\[elephant: header\]\n$/);
    const missing = startAlone(join(folder, "nothing.sav"));
    expect(missing.status).toBe(2);
    expect(missing.output).toMatch(/^there is no file .*nothing\.sav\n$/);
  });
});

test.each(["root-int32", "read-any-u16", "read-any-f32"])(
  "a save that is one exact number is shown and stored as it is: %s",
  async (name) => {
    const { status, output } = await start(join(ROOT, `test/vectors/elephant/scalars/${name}.bin`));
    expect(output).toContain("there is no number to change; it is saved as it is");
    expect(output).toContain("read back, the value is the one that was saved");
    expect(status).toBe(0);
  },
  TIMEOUT,
);

test(
  "names and strings of a save are shown as characters",
  async () => {
    const evil = "Evil\u001b[31m\u009b31m\u007f\r\n\u2028\u202e\u2066";
    const shown = "Evil\\u001b[31m\\u009b31m\\u007f\\u000d\\u000a\\u2028\\u202e\\u2066";
    const thing = (members: object) => new StructInstance(evil, members as Record<string, unknown>);
    const ring: unknown[] = [];
    const value = { [evil]: 5, text: evil, thing: thing({ ring }), things: [thing({}), thing({})] };
    ring.push(value.thing);
    const { status, output } = await start(
      save(`Evil\u001b[31m\u202e.sav`, createElephantSync({ unknownConstructor: "generic" }).write(value)),
    );
    expect(status).toBe(0);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
    expect(output).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/);
    for (const line of [
      "Evil\\u001b[31m\\u202e.sav  ",
      `\n  ${shown}   3\n`,
      `.${shown}: 5 → 4`,
      `array of 2 ${shown}\n`,
      `the ${shown} above`,
    ])
      expect(output).toContain(line);
    expect(output).toContain('text  "Evil\\u001b[31m\\u009b31m');
    const bad = await start(save("bad\u001b[31m.sav", new Uint8Array(8)), join(folder, "none\u009b.json"));
    expect(bad).toEqual({ status: 2, output: expect.stringMatching(/^there is no file .*none\\u009b\.json\n$/) });
  },
  TIMEOUT,
);

describe("what is given and of no use is said in one line", () => {
  const GAME = join(LARGE, "rpg-schema.bin.gz");

  test("a damaged gzip file", async () => {
    for (const bytes of [readFileSync(GAME).subarray(0, 3000), Uint8Array.of(0x1f, 0x8b, 9, 9)]) {
      const { status, output } = await start(save("damaged.gz", bytes));
      expect([status, output]).toEqual([
        2,
        expect.stringMatching(/^.+[/\\]damaged\.gz begins like a gzip file and cannot be unpacked: .*\n$/),
      ]);
    }
  });

  test.each(["", "{ bad", "null", "[1]", '{"Item":5}'])("a schema file that holds %j", async (text) => {
    const { status, output } = await start(GAME, save("bad.json", new TextEncoder().encode(text)));
    expect([status, output]).toEqual([2, expect.stringMatching(/^.+[/\\]bad\.json holds no schemas: .*\n$/)]);
  });

  test("a folder in the place of the schema file", async () => {
    expect(await start(GAME, folder)).toEqual({ status: 2, output: expect.stringMatching(/^.+[/\\].+ holds no schemas: EISDIR.*\n$/) });
  });

  test.each(["0", "x", "", "-1", "1.5"])("TUSK_ROUNDS=%s", async (rounds) => {
    expect(await startWith(rounds)).toEqual({ status: 2, output: `TUSK_ROUNDS is a whole number from 1 on, not "${rounds}"\n` });
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
