// What the documents say is true: their code runs and prints what they claim, their links lead somewhere, their tables are complete.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, test } from "vitest";
import { DEFAULTS as DS_LIMITS } from "../../src/ds/limits.ts";
import { Slicer } from "../../src/elephant/async/slicer.ts";
import { createElephantSync, DEFAULT_LIMITS, StructInstance } from "../../src/elephant/index.ts";
import { limitsOf as enigmaLimits } from "../../src/enigma/options.ts";
import { withDefaults as introspectionLimits } from "../../src/introspection/options.ts";
import { Programs } from "../programs.ts";
import { codeBlocks, FOLDER, standIn } from "./code-blocks.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const DOCUMENTS = [
  "README.md",
  "CHANGELOG.md",
  ...readdirSync(join(ROOT, "docs"))
    .filter((name) => name.endsWith(".md"))
    .map((name) => `docs/${name}`),
  ...readdirSync(join(ROOT, "formats")).map((name) => `formats/${name}`),
];
const read = (document: string) => readFileSync(join(ROOT, document), "utf8");

const blocks = codeBlocks(DOCUMENTS);
// Electron has no place in a test run: the block must only name what there is.
standIn(
  "electron",
  "export const dialog = { showOpenDialog() {} };\nexport const ipcMain = { handle(channel, listener) { if (typeof channel !== 'string' || typeof listener !== 'function') throw new TypeError(); } };",
);

const transcripts = DOCUMENTS.flatMap((document) =>
  [...read(document).matchAll(/^```console\n(.*?)^```$/gms)]
    .flatMap(([, lines]) => lines.split(/^\$ tusk /m).slice(1))
    .map((text) => [document, text.slice(0, text.indexOf("\n")), text.slice(text.indexOf("\n") + 1)] as const),
);

describe("code blocks", () => {
  const programs = new Programs();
  afterAll(() => programs.end());

  test.each(blocks.map((block) => [block.place, block] as const))("%s runs and prints what it says", async (_, block) => {
    // A folder of its own, for the files that it writes.
    const folder = `${block.program}-files`;
    mkdirSync(folder, { recursive: true });
    const { status, stdout, stderr } = await programs.run(block.program, [], folder);
    expect(stderr).toBe("");
    expect(status).toBe(0);
    expect(stdout.split("\n").slice(0, -1)).toEqual(block.prints);
  });

  test("the README has one for each kind of user, and each shows results", () => {
    const shown = blocks.filter(({ place }) => place.startsWith("README.md"));
    expect(shown.length).toBeGreaterThanOrEqual(4);
    expect(shown.filter(({ prints }) => prints.length > 0).length).toBeGreaterThanOrEqual(4);
  });

  test("there are transcripts of the command line", () => {
    expect(transcripts.length).toBeGreaterThanOrEqual(3);
  });

  // A transcript of a shell is a block of the language `console`, with the files slot1.dat and slot2.dat at hand.
  test.each(transcripts)("%s:\n$ tusk %s", (_, command, output) => {
    const folder = mkdtempSync(join(FOLDER, "shell-"));
    const tool = createElephantSync({ unknownConstructor: "generic" });
    for (const [name, hp] of Object.entries({ "slot1.dat": 80, "slot2.dat": 100 }))
      writeFileSync(
        join(folder, name),
        tool.write({ slot: 3, hero: new StructInstance("Hero", { name: "Ada", hp, bag: ["rope", "lamp"] }) }),
      );
    const { stdout, stderr } = spawnSync(process.execPath, [join(ROOT, "dist/tusk.mjs"), ...command.split(" ")], {
      cwd: folder,
      encoding: "utf8",
    });
    expect(stdout + stderr).toBe(output);
  });

  test("TypeScript blocks pass the type checker", () => {
    const files = blocks.flatMap(({ typedFile }) => (typedFile === undefined ? [] : [typedFile]));
    expect(files.length).toBeGreaterThan(0);
    const args = [
      join(ROOT, "node_modules/typescript-native/bin/tsc"),
      "--noEmit",
      "--ignoreConfig",
      "--strict",
      // What a reader's project may ask for besides.
      ...["--noUncheckedIndexedAccess", "--noPropertyAccessFromIndexSignature", "--exactOptionalPropertyTypes", "--noImplicitOverride"],
      // Declarations are what test/package/types.test.ts checks.
      "--skipLibCheck",
      "--target",
      "es2022",
      "--module",
      "nodenext",
      "--types",
      "node",
      ...files,
    ];
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: FOLDER, encoding: "utf8" });
    expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: "", stderr: "" });
  }, 60_000);
});

/** The names that headings can be linked by. */
const headings = (text: string) =>
  [...text.matchAll(/^#+ (.*)$/gm)].map(([, title]) =>
    title
      .toLowerCase()
      .replace(/[^\w\- ]/g, "")
      .replaceAll(" ", "-"),
  );

test.each(DOCUMENTS)("links of %s lead somewhere", (document) => {
  const text = read(document).replace(/^```.*?^```$/gms, "");
  for (const [, target, heading] of text.matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)/g)) {
    const path = target === "" ? document : join(dirname(document), target);
    expect(existsSync(join(ROOT, path)), path).toBe(true);
    if (heading !== undefined) expect(headings(read(path)), `${path}#${heading}`).toContain(heading);
  }
});

test("the commands that the README names are there", () => {
  const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };
  const named = [...read("README.md").matchAll(/npm run ([\w:]+)/g)].map((match) => match[1]);
  expect(named.length).toBeGreaterThan(2);
  for (const name of named) expect(scripts).toHaveProperty(name);
  const bench = [...read("README.md").matchAll(/; (bench:\w+)/g)].map((match) => match[1]);
  for (const name of bench) expect(scripts).toHaveProperty(name);
});

test("docs/elephant.md has every error code, every limit with its default, and every option", () => {
  const text = read("docs/elephant.md");
  const codes = [...read("src/elephant/errors.ts").matchAll(/^ {2}\| "([\w-]+)"/gm)].map((match) => match[1]);
  expect(codes.length).toBeGreaterThan(20);
  for (const code of codes) expect(text, code).toContain(`\`${code}\``);
  const limits = [...read("src/elephant/limits.ts").matchAll(/^ {2}(\w+): ([\d_]+|1 << 30),$/gm)];
  expect(limits.length).toBeGreaterThan(3);
  for (const [, name, value] of limits) {
    expect(text, name).toContain(`\`${name}\``);
    expect(text, name).toContain((value === "1 << 30" ? 2 ** 30 : Number(value.replaceAll("_", ""))).toLocaleString("en-US"));
  }
  const options = [
    ...read("src/elephant/codec.ts")
      .split("interface Parts")[0]
      .matchAll(/^ {2}(\w+)\?: /gm),
  ].map((match) => match[1]);
  expect(options.length).toBeGreaterThan(10);
  for (const option of options) expect(text, option).toContain(`\`${option}\``);
});

describe("default limits", () => {
  // Counted, not limited.
  const { visited, ...limits } = introspectionLimits();
  const ofFormats: Record<string, object> = {
    Elephant: DEFAULT_LIMITS,
    ds: DS_LIMITS,
    ENIGMA: enigmaLimits(),
    introspection: limits,
  };
  const numberOf = (digits: string, unit = "") => Number(digits.replaceAll(",", "")) * (unit ? 2 ** 30 : 1);

  test("docs/security.md has those of all formats", () => {
    expect(visited).toBe(0);
    const told: Record<string, Record<string, number>> = {};
    let format = "";
    for (const [, named, limit, digits] of read("docs/security.md").matchAll(/^\| ([\w ]*?)\s*\| `(max\w+)` \| ([\d,]+) \|/gm)) {
      format = named || format;
      told[format] = { ...told[format], [limit]: numberOf(digits) };
    }
    expect(told).toEqual(ofFormats);
  });

  test.each(Object.keys(ofFormats))("the page of %s has its own", (format) => {
    // In the second column, or behind the functions that take the limit.
    const rows = /^\| `(?:limits\.)?(max\w+)` \|(?: [^|\d]*\|)? ([\d,]+)( GiB)?[ ,]/gm;
    const told = [...read(`docs/${format.toLowerCase()}.md`).matchAll(rows)];
    expect(Object.fromEntries(told.map(([, limit, digits, unit]) => [limit, numberOf(digits, unit)]))).toEqual(ofFormats[format]);
  });
});

test("docs/async.md has the defaults of slices and chunks", async () => {
  const text = read("docs/async.md");
  expect(/^\| `sliceMs` \| ([\d.]+) \|/m.exec(text)?.[1]).toBe(`${new Slicer({}).ms}`);
  const rows = Array.from({ length: 10 }, () => new Uint8Array(60_000));
  const { value } = await createElephantSync().writeChunks(rows).next();
  expect(/`chunkBytes`, the most bytes of a chunk\s\(default ([\d,]+), at most 1,073,741,824;/.exec(text)?.[1]).toBe(
    value!.length.toLocaleString("en-US"),
  );
});

describe("the benchmark of the README", () => {
  const report = {
    date: "2026-01-02T00:00:00Z",
    machine: { node: "v20.0.0", platform: "linux x64", cpu: "a processor" },
    rounds: 3,
    corpora: [
      {
        corpus: "rpg",
        title: "entities",
        operations: ["decode", "encode"].map((operation) => ({
          operation,
          results: [
            { name: "tusk", ms: { median: 1.234 } },
            { name: "JSON", ms: { median: 12.34 } },
            { name: "plain-js", ms: { median: 50 } },
          ],
        })),
      },
    ],
  };

  test("its tables come from the results, between the two marks", async () => {
    const { withBenchmark } = (await import(join(ROOT, "scripts/readme-benchmark.mjs"))) as {
      withBenchmark(readme: string, report: object): string;
    };
    const before = read("README.md");
    const after = withBenchmark(before, report);
    expect(after).toContain("| corpus | tusk | JSON |\n| --- | ---: | ---: |\n| rpg: entities | **1.23** | 12.3 |");
    expect(after).toContain("Node 20.0.0, linux x64, a processor, up to 3 interleaved rounds, 2026-01-02.");
    const outside = (text: string) => text.replace(/<!-- benchmark: begin -->.*<!-- benchmark: end -->/s, "");
    expect(outside(after)).toBe(outside(before));
    expect(withBenchmark(after, report)).toBe(after);
  });
});
