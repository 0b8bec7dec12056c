// The types as a strict TypeScript project sees them, for every way of resolving an import.
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Programs } from "../programs.ts";
import { createProject, type Project, ROOT } from "./installed.ts";

let project: Project;
const programs = new Programs();
beforeAll(() => {
  project = createProject();
}, 60_000);
afterAll(() => {
  programs.end();
  project.remove();
});

/** What a TypeScript user writes. Each `@ts-expect-error` fails when the types let the mistake pass. */
const TYPED = `
import { createElephantSync, detect, isScalar, Scalar, SCHEMA, POST_READ, StructInstance, TuskError, FORCE_VERSION, type CallbackContext, type DsKind, type Elephant, type ElephantSchema, type Release, type ScalarDatatype, type ScalarValueOf, type TuskWarning } from "tusk-codec";
import { createElephant, type WriteOptions } from "tusk-codec/elephant";
import { dsFromArray, dsToMap, type DsList, type DsStructure, openNested, readDs, upgradeDs, writeDs, writeDsBytes } from "tusk-codec/ds";
import { type EnigmaClass, type EnigmaGame, type EnigmaLocal, type EnigmaSchema, readEnigma, writeEnigma } from "tusk-codec/enigma";
import { bindIntrospection, type EnumNode, getIntrospectionValue, type IntrospectionDefinitions, type IntrospectionDocument, type IntrospectionInstance, introspectionToJson, readIntrospection, type VariableDefinition, writeIntrospection } from "tusk-codec/introspection";
import { loadSave, saveFile, type SaveOptions } from "tusk-codec/node";
import { createTuskWorker, serveTusk, type ServiceContext } from "tusk-codec/worker";

class Hero {
  name = "";
  hp = 0;
  static [SCHEMA] = { [FORCE_VERSION]: 1, v1: { name: "string", hp: "u16" } } satisfies ElephantSchema;
  [POST_READ]({ schemaVersion }: CallbackContext): void {
    this.hp += schemaVersion;
  }
}
const codec: Elephant = createElephantSync({ constructors: { Hero, Item: { v1: { sku: "u16" } } }, limits: { maxDepth: 10 } });
const bytes: Uint8Array = codec.write({ hero: Object.assign(new Hero(), { hp: 79 }) });
const hero: Hero = codec.read<{ hero: Hero }>(bytes).hero;
const { end, release }: { end: number; release: Release } = codec.readAt(bytes, 0);
const options: WriteOptions = { diffsOnly: true, release: "1.5.0" };
export const all = [hero, end, release, codec.write(1, options), createElephant().then((later) => later.engine)];
export const failed = (error: unknown): string => (error instanceof TuskError ? error.code : "");
export const blob = new Blob([writeDsBytes({ kind: "list", items: [] }), codec.write(1)]);
/** How Node's streams are declared by @types/node 25 and later. */
declare class Sink {
  write(chunk: any, done?: (error: Error | null | undefined) => void): boolean;
  end(done?: () => void): this;
  destroy(error?: Error): this;
  on<E extends keyof SinkEvents>(eventName: E, listener: (...args: SinkEvents[E]) => void): this;
  on(eventName: string | symbol, listener: (...args: any[]) => void): this;
  removeListener<E extends keyof SinkEvents>(eventName: E, listener: (...args: SinkEvents[E]) => void): this;
  removeListener(eventName: string | symbol, listener: (...args: any[]) => void): this;
}
interface SinkEvents {
  drain: [];
  error: [error: Error];
}
export const written = (sink: Sink): Promise<number> => codec.writeTo(sink, 1);
const map: DsStructure = readDs(writeDs({ kind: "map", entries: [["name", "Ada"]] }));
const name: unknown = map.kind === "map" ? dsToMap(map).get("name") : undefined;
const schema: EnigmaSchema = { objects: [] };
const objects = { objects: [{ index: 0, name: "oHero", locals: [{ name: "hp", type: "double" }] }] } as const;
const game: EnigmaGame = readEnigma(writeEnigma({ backend: "json", room: 2, active: [], inactive: [], backgrounds: [] }), { schema });
const document: IntrospectionDocument = readIntrospection("oHero = 1\\n{\\n\\t_state : string = \\"Idle\\"\\n}\\n");
export const store = async (options: SaveOptions): Promise<Uint8Array> => {
  await saveFile("slot1.dat", bytes, options);
  return loadSave("slot1.dat");
};
export const later: Promise<{ hero: Hero }> = codec.readAsync(new Blob([codec.write(1)]), { sliceMs: 2, onProgress: ({ done }) => void done.toFixed() });
export const sent: Promise<number> = codec.writeTo(new WritableStream<Uint8Array>(), hero, { chunkBytes: 1000 });
export const summary = async (): Promise<string> => {
  const worker = await createTuskWorker({ constructors: { Hero } });
  return worker.call<string>("summary", [await worker.write(hero)]);
};
export const serve = () => serveTusk({ methods: { summary: ({ elephant }: ServiceContext, save: Uint8Array) => elephant.read<Hero>(save).name } });
console.log(hero.hp, name, game.room, getIntrospectionValue(document, ["_state"]));
// What is undefined is as if it were not given, also to a program that tells the two apart (exactOptionalPropertyTypes).
const none = undefined;
createElephantSync({ constructors: none, engine: none, wasm: none, limits: { maxDepth: none }, onWarning: none, codeGeneration: none });
codec.toJson(codec.read(bytes, { offset: none, typedArrays: none, scalars: none }), { diffsOnly: none });
codec.write(codec.duplicate(1, { forceVerbose: none }), { release: none, diffsOnly: none, diffEquality: none });
readDs(writeDs({ kind: "list", items: [] }, { generation: none, limits: none, astral: none }), { kind: none, limits: { maxDepth: none }, nested: none });
writeEnigma(game, { backend: none, damaged: none, onWarning: none, limits: { maxBytes: none } });
writeIntrospection(none, document, { mode: none, newline: none, instances: none, structures: none, limits: { maxDepth: none } });
export const gameSo = (bytes: Uint8Array) => readEnigma(bytes, { schema: objects });
export const storeSo = () => saveFile("slot1.dat", bytes, { backups: none, mode: none, signal: none, onProgress: none });
export const loadSo = () => loadSave("slot1.dat", { maxBytes: none, signal: none });
export const readSo = () => codec.readAsync(bytes, { sliceMs: none, signal: none, onProgress: none, pause: none, size: none });
export const workSo = async () =>
  (await createTuskWorker({ worker: none, workerOptions: none })).call("summary", [], { signal: none, onProgress: none, onWarning: none, transfer: none });
export const serveSo = () => serveTusk({ methods: none, port: none, engine: none });
export const queueSo = () => writeDs({ kind: "queue", items: [], head: none, tail: none, slots: none, generation: none, legacy: none });
export const gameOfNone = (): EnigmaGame => ({ ...game, prefix: none, order: none });
export const localSo: EnigmaLocal = { name: "hp", type: none, value: 1, raw: none, damaged: none, stored: none, recovered: none };
export const variableSo: VariableDefinition = { name: "_hp", types: ["int"], extra: none };
export const tutorialSo: IntrospectionDefinitions = { oHero: [["_hp", ["int"], none]] };
export const warningSo: TuskWarning = { format: "elephant", code: "function-stored-as-undefined", message: "", offset: none, line: none, path: none };
class Unversioned { static [SCHEMA] = none; }
createElephantSync({ constructors: { Unversioned } });
// What may be undefined in what is given.
// @ts-expect-error: without a schema a class has no name
export const className = (found: EnigmaClass): number => ("class" in found ? found.class.length : 0);
// @ts-expect-error: few variables have extra data
export const extra = ({ extra }: Required<Pick<VariableDefinition, "extra">>): object | string => extra;
// @ts-expect-error: no such structure
export const bag = () => writeDs({ kind: "bag", items: [] });
// @ts-expect-error: a list has no entries
export const entries = () => readDs("", { kind: "list" }).entries;
// What a structure is made into is one of that kind, whatever its values were.
export const upgradedList = (text: string): DsList => upgradeDs(readDs(text, { kind: "list" }));
// What was read may be opened, upgraded, or make room for another one.
export function another(text: string): DsStructure {
  let read = readDs(text);
  read = openNested(upgradeDs(read));
  let map = readDs(text, { kind: "map" });
  map = openNested(upgradeDs(map));
  map = { kind: "map", entries: [[read.kind, map.entries.length]] };
  return map;
}
export const openedMap = (structure: DsStructure) => dsToMap(openNested({ kind: "map", entries: [["structure", writeDs(structure)]] }));
export const anyOpened: DsStructure = openNested(upgradeDs(map));
// @ts-expect-error: the string may be a structure
export const openedText = () => openNested({ kind: "list", items: ["text"] }).items[0].length;
// @ts-expect-error: it is 3
export const upgraded = (): 2 => upgradeDs({ kind: "list", generation: 2, items: [] }).generation;
export const ofSet = () => dsFromArray(new Set([1, "two"]));
// @ts-expect-error: a text is no list of its characters
export const ofText = () => dsFromArray("abc");
// @ts-expect-error: 1.3.0 is read only
export const older = () => codec.write(1, { release: "1.3.0" });
// @ts-expect-error: no such datatype
export const wrong = { v1: { hp: "u24" } } satisfies ElephantSchema;
export const withoutSecond = { v1: { hp: "u16" }, v2: none, [FORCE_VERSION]: none } satisfies ElephantSchema;
// @ts-expect-error: a member has a datatype
export const untyped = { v1: { hp: none } } satisfies ElephantSchema;
// @ts-expect-error: no version
export const capital = { V1: { hp: "u16" } } satisfies ElephantSchema;
// @ts-expect-error: the key of the forced version is another
export const misspelt = { v1: { hp: "u16" }, __Elephant_ForceVersion__: 1 } satisfies ElephantSchema;
// @ts-expect-error: a version is its members
export const number = { v1: 5 } satisfies ElephantSchema;
// Of a scalar the datatype tells the value.
export const doubled = (found: unknown): unknown => {
  if (!isScalar(found)) return found;
  switch (found.datatype) {
    case "bool":
      return !found.value;
    case "u64":
      return found.value * 2n;
    case "string":
    case "text":
      return found.value.repeat(2);
    default:
      return found.value * 2;
  }
};
export const sameScalar = (scalar: Scalar): Scalar => Scalar(scalar.datatype, scalar.value);
export const above: boolean = Scalar("u8", 2) > Scalar("f32", 1.5);
// @ts-expect-error: an integer of 64 bits is a bigint
export const wide = () => Scalar("u64", 5);
export const five: Scalar<"s32"> = Scalar("s32", 5);
export const fives: (Scalar<"s32"> | number | undefined)[] = [new Scalar("s32", 5), 5];
export const scalars: Scalar<"s32">[] = [5].map((value) => Scalar("s32", value));
export const anyScalars: Scalar[] = [Scalar("u8", 5), codec.duplicate(Scalar("u64", 5n))];
export const anyObject: { value: object; more: unknown } = { value: Scalar("u8", 5), more: Scalar("text", "five") };
export const scalarOf = <D extends ScalarDatatype>(datatype: D, value: ScalarValueOf<D>): Scalar => Scalar(datatype, value);
// @ts-expect-error: it is another datatype
export const otherScalar: Scalar<"u8"> = Scalar("s32", 5);
// @ts-expect-error: a look-alike is a plain struct
export const alike: Scalar<"s32"> = { datatype: "s32", value: 5 };
// Of what is detected the format tells the form.
export const form = (save: Uint8Array): string => {
  const found = detect(save);
  if (found?.format !== "ds") return found?.format === "elephant" && found.form === "export string" ? "text" : "bytes";
  const kind: DsKind = found.form;
  return kind;
};
// @ts-expect-error: it is "export string"
export const misnamed = detect(bytes)?.form === "export-string";
// What classes may look like, and what is forgotten where they name their schema and callbacks.
class Bare {}
class Secret { #hp = 1; private mp = 2; get sum() { return this.#hp + this.mp; } }
class Open { [member: string]: unknown }
class Heir extends Hero { override [POST_READ](context: CallbackContext): void { super[POST_READ](context); } }
class Later { hp = 0; async [POST_READ](this: Later) { this.hp = 2; } }
createElephantSync({ constructors: { Bare, Secret, Open, Heir, Later, Map, Date } });
class OfInstances { [SCHEMA] = { v1: { hp: "u16" } } as const; }
// @ts-expect-error: a schema is static
createElephantSync({ constructors: { OfInstances } });
class OfTheClass { static [POST_READ]() {} }
// @ts-expect-error: a callback is not
createElephantSync({ constructors: { OfTheClass } });
class OfNumber { [POST_READ](version: number) { return version; } }
// @ts-expect-error: it is given a context
createElephantSync({ constructors: { OfNumber } });
// @ts-expect-error: v127 is the last one
export const late = { v128: { hp: "u16" } } satisfies ElephantSchema;
// @ts-expect-error: v1 is the first one
export const early = { v0: { hp: "u16" } } satisfies ElephantSchema;
export const computed = (versions: Record<\`v\${number}\`, { hp: "u8" }>): ElephantSchema => versions;
export const ofInterface = (hero: HeroData): StructInstance => new StructInstance("Hero", hero);
interface HeroData { hp: number }
export const instanceOf = (variables: HeroData): IntrospectionInstance => ({ object: "oHero", id: 1, variables });
export const instancesSo = () => writeIntrospection({ oHero: [] }, "100001", { instances: { 100001: instanceOf({ hp: 1 }) } });
// @ts-expect-error: the values of a document are unknown
export const bound = (): number => bindIntrospection(document).variables._state;
export const withoutLayout = () => {
  const { layout, ...mirror } = introspectionToJson(document);
  return [layout?.newline, mirror satisfies IntrospectionDocument];
};
export const enums: EnumNode[] = [{ type: "enum", member: "Idle" }, { type: "enum", index: 1 }, { type: "enum", index: 1, member: none }];
// @ts-expect-error: a name or a number
export const noEnum: EnumNode = { type: "enum" };
// @ts-expect-error: one of them
export const twoEnums: EnumNode = { type: "enum", member: "Idle", index: 0 };
// Declarations of the web before TypeScript 6 do not say that streams are iterable.
export const ofStream: Extract<Parameters<typeof saveFile>[1], { getReader: unknown }> = blob.stream();
export const ofBuffer = (view: Uint8Array): unknown => [codec.read(view.buffer), readEnigma(view.buffer), saveFile("slot1.dat", view.buffer)];
// @ts-expect-error: what a save holds is unknown until the caller says so
export const unknown = () => codec.read(bytes).hero;
`;

/** By the compiler written in JavaScript; what it says. */
async function compiled(...args: string[]): Promise<string> {
  const module = pathToFileURL(join(ROOT, "test/package/compiler.mjs"));
  project.write("compile.mjs", `import { compile } from "${module}"; process.stdout.write(compile(process.argv.slice(2)));`);
  const { status, stdout, stderr } = await programs.run(join(project.folder, "compile.mjs"), args, project.folder);
  expect([status, stderr]).toEqual([0, ""]);
  return stdout;
}

/** By one thread: more of them would prepare the same platform several times. */
const native = (...args: string[]) => project.node(join(ROOT, "node_modules/typescript-native/bin/tsc"), "--singleThreaded", ...args);

/** The compilers that users have: the one written in JavaScript, and the native one. */
const COMPILERS = [
  ["TypeScript 6", compiled],
  ["TypeScript 7", native],
] as const;

/**
 * Declarations are checked, too, with nothing but the language and the web's globals: no types of Node are there. TypeScript's own
 * declarations of those globals are not checked against themselves each time.
 */
const STRICT = [
  "--strict",
  "--exactOptionalPropertyTypes",
  "--skipLibCheck",
  "false",
  "--skipDefaultLibCheck",
  "--target",
  "es2022",
  "--lib",
  "es2022,dom",
];

describe.each(COMPILERS)("%s", (_, compile) => {
  test.each([
    ["NodeNext, ESM and CommonJS", ["user.mts", "user.cts"], ["--module", "nodenext"]],
    ["Bundler", ["user-bundled.ts"], ["--module", "esnext", "--moduleResolution", "bundler", "--noEmit"]],
    [
      "a program of Node, which knows no DOM",
      ["user-node.mts"],
      ["--module", "nodenext", "--lib", "es2022", "--types", "node", "--typeRoots", join(ROOT, "node_modules/@types")],
    ],
  ])(
    "%s: what a user writes is checked, and runs",
    async (_, names, options) => {
      for (const name of names) {
        project.write(name, TYPED);
        // What the other compiler made of it must not be run.
        project.write(name.replace("ts", "js"), "");
      }
      expect(await compile(...STRICT, ...options, ...names)).toBe("");
      if (options.includes("--noEmit")) return;
      for (const name of names) {
        const made = join(project.folder, name.replace("ts", "js"));
        expect(await programs.run(made, [], project.folder)).toEqual({ status: 0, stdout: "80 Ada 2 Idle\n", stderr: "" });
      }
    },
    60_000,
  );
});

/** Programs that import one entry each and let types be inferred from what it gives. */
const INFERRED: Record<string, string> = {
  elephant: `import { createElephant, type ElephantOptions, TuskError } from "tusk-codec/elephant";
export const codec = await createElephant();
export const read = (bytes: Uint8Array) => codec.readAt(bytes, 0);
export const limits = (options: ElephantOptions) => options.limits;
export const place = (...given: ConstructorParameters<typeof TuskError>) => given;`,
  ds: `import { readDs, type ReadDsOptions, TuskError } from "tusk-codec/ds";
export const map = (text: string) => readDs(text);
export const limits = (options: ReadDsOptions) => options.limits;
export const place = (...given: ConstructorParameters<typeof TuskError>) => given;`,
  enigma: `import { readEnigma, type EnigmaReadOptions, TuskError } from "tusk-codec/enigma";
export const game = (bytes: Uint8Array) => readEnigma(bytes);
export const limits = (options: EnigmaReadOptions) => options.limits;
export const place = (...given: ConstructorParameters<typeof TuskError>) => given;`,
  introspection: `import { readIntrospection, type IntrospectionReadOptions, TuskError } from "tusk-codec/introspection";
export const document = (text: string) => readIntrospection(text);
export const limits = (options: IntrospectionReadOptions) => options.limits;
export const place = (...given: ConstructorParameters<typeof TuskError>) => given;`,
  node: `import { loadSave, saveFile, TuskError } from "tusk-codec/node";
export const load = (path: string) => loadSave(path);
export const save = (path: string, bytes: Uint8Array) => saveFile(path, bytes);
export const place = (...given: ConstructorParameters<typeof TuskError>) => given;`,
  worker: `import { createTuskWorker, type TuskWorkerOptions, TuskError } from "tusk-codec/worker";
export const worker = await createTuskWorker();
export const { elephant } = worker;
export const open = (file: Blob) => worker.readAt(file, 0);
export const which = (bytes: Uint8Array) => worker.detect(bytes);
export const map = (text: string) => worker.readDs(text);
export const game = (bytes: Uint8Array) => worker.readEnigma(bytes);
export const limits = (options: TuskWorkerOptions) => options.limits;
export const place = (...given: ConstructorParameters<typeof TuskError>) => given;`,
};

test.each(Object.keys(INFERRED))("what a program infers from %s alone has names, so that its declarations can be written", (entry) => {
  project.write(`inferred-${entry}.mts`, INFERRED[entry]);
  const declared = ["--skipLibCheck", "--declaration", "--emitDeclarationOnly", "--outDir", "declared", "--module", "nodenext"];
  expect(native("--strict", "--target", "es2022", "--lib", "es2022,dom", ...declared, `inferred-${entry}.mts`)).toBe("");
});
