// Every case of test/vectors/introspection, by the rules of its README: what reads as what, what is written as what, what is refused.

import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { TuskError } from "../../src/errors.ts";
import {
  bindIntrospection,
  type IntrospectionDefinitions,
  type IntrospectionDocument,
  type IntrospectionInstance,
  type IntrospectionReadOptions,
  introspectionFromJson,
  introspectionToJson,
  readIntrospection,
  writeIntrospection,
  writeIntrospectionDocument,
} from "../../src/introspection/index.ts";

const folder = new URL("../vectors/introspection/", import.meta.url);

interface Case {
  id: string;
  group: "original" | "superset" | "read" | "error";
  text: string;
  input?: string;
  broken?: boolean;
  warnings?: string[];
  superset_writes_same?: boolean;
  reads?: { superset: string; original?: string; original_with_definitions?: string; line?: number };
  floats?: "fixed" | "exact";
  newline?: "\r\n";
  final_newline?: string;
  mode?: "original";
  error?: string;
  line?: number;
}

interface Input {
  document: IntrospectionDocument;
  definitions: IntrospectionDefinitions;
  instances: Record<string, { object: string; variables: Record<string, unknown> }>;
  root: number;
  values?: unknown;
}

const { cases } = JSON.parse(readText("manifest.json")) as { cases: Case[] };

function readText(path: string): string {
  return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(readFileSync(new URL(path, folder)));
}

function readInput(vector: Case): Input {
  return vector.input === undefined ? ({} as Input) : (JSON.parse(readText(vector.input)) as Input);
}

/** A value in the vectors' notation as the writer takes it. `$instance` stays an id, which `options.instances` resolves. */
function fromVector(value: unknown, numeric: boolean): unknown {
  if (Array.isArray(value)) return value.map((item) => fromVector(item, numeric));
  if (typeof value === "object" && value !== null) {
    const tagged = value as { $list?: unknown[]; $map?: [string, unknown][]; $instance?: number; $rows?: unknown[][] };
    if (tagged.$list) return fromVector(tagged.$list, numeric);
    if (tagged.$map) return new Map(tagged.$map.map(([key, item]) => [key, fromVector(item, numeric)]));
    if (tagged.$rows) return { rows: fromVector(tagged.$rows, numeric) };
    return tagged.$instance;
  }
  const special: Record<string, number> = { nan: Number.NaN, inf: Infinity, "-inf": -Infinity, "-0": -0 };
  return numeric && typeof value === "string" && Object.hasOwn(special, value) ? special[value] : value;
}

function instancesOf({ instances, definitions }: Input): Map<number, IntrospectionInstance> {
  return new Map(
    Object.entries(instances).map(([id, { object, variables }]) => {
      const values = Object.entries(variables).map(([name, value]) => {
        const leaf = definitions[object]
          ?.map((item) => item as { name: string; types: string[] })
          .find((item) => item.name === name)
          ?.types.at(-1);
        return [name, fromVector(value, leaf === "int" || leaf === "float" || leaf === "bool")];
      });
      return [Number(id), { object, id: Number(id), variables: Object.fromEntries(values) }];
    }),
  );
}

/** What reading gives, in the manifest's words: `same`, `different` or `error <code>`. */
function outcome(
  text: string,
  options: IntrospectionReadOptions,
  document: IntrospectionDocument | undefined,
): { reads: string; line?: number | undefined } {
  try {
    const read = readIntrospection(text, options);
    expect(writeIntrospectionDocument(read), "what was read is written again byte for byte").toBe(text);
    expect(writeIntrospectionDocument(introspectionFromJson(JSON.parse(JSON.stringify(introspectionToJson(read)))))).toBe(text);
    try {
      expect(read).toEqual(document);
      return { reads: "same" };
    } catch {
      return { reads: "different" };
    }
  } catch (error) {
    if (!(error instanceof TuskError)) throw error;
    expect(error.format).toBe("introspection");
    return { reads: `error ${error.code}`, line: error.line };
  }
}

/** Bound values in the vectors' notation. */
function toVector(value: unknown, types: readonly string[], extra: unknown): unknown {
  const [type, ...inner] = types;
  if (value === null || value === undefined) return null;
  if (type === "asset") return { $asset: value, kind: extra };
  if (type === "list") return { $list: (value as unknown[]).map((item) => toVector(item, inner, extra)) };
  if (type === "array") return (value as unknown[]).map((item) => toVector(item, inner, extra));
  if (type === "grid") {
    const { width, height, columns } = value as { width: number; height: number; columns: unknown[][] };
    return { $grid: columns.map((cells) => cells.map((cell) => toVector(cell, inner, extra))), width, height };
  }
  return value;
}

const ran = { original: 0, broken: 0, superset: 0, read: 0, error: 0 };

describe("vectors: original", () => {
  for (const vector of cases.filter(({ group }) => group === "original")) {
    it(vector.id, () => {
      const input = readInput(vector);
      const text = readText(vector.text);
      const instances = instancesOf(input);
      const written = writeIntrospection(input.definitions, input.root, { mode: "original", instances });
      expect(written.text).toBe(text);
      expect(written.warnings).toEqual(vector.warnings ?? []);
      const { superset, original, original_with_definitions: withDefinitions, line } = vector.reads!;
      const read = outcome(text, {}, input.document);
      expect(read.reads).toBe(superset);
      if (vector.broken) {
        expect(read.line).toBe(line);
        expect(() => writeIntrospection(input.definitions, input.root, { instances })).toThrow(TuskError);
        ran.broken++;
        return;
      }
      expect(outcome(text, { mode: "original" }, input.document).reads).toBe(original);
      expect(outcome(text, { mode: "original", definitions: input.definitions }, input.document).reads).toBe(withDefinitions);
      expect(writeIntrospectionDocument(input.document) === text).toBe(vector.superset_writes_same);
      // The superset refuses to lose the further rows of an old-style array.
      if (vector.superset_writes_same && !JSON.stringify(input.instances).includes("$rows")) {
        expect(writeIntrospection(input.definitions, input.root, { instances })).toEqual({ text, warnings: [] });
      }
      // The superset writer holds whatever the original lost, so it reads back in full.
      expect(readIntrospection(writeIntrospectionDocument(input.document))).toEqual(input.document);
      ran.original++;
    });
  }
});

describe("vectors: superset", () => {
  for (const vector of cases.filter(({ group }) => group === "superset")) {
    it(vector.id, () => {
      const input = readInput(vector);
      const text = readText(vector.text);
      const { floats, newline, final_newline: finalNewline } = vector;
      expect(outcome(text, {}, input.document)).toEqual({ reads: "same" });
      expect(writeIntrospection(undefined, input.document, { floats, newline, finalNewline: finalNewline as "\n" })).toEqual({
        text,
        warnings: [],
      });
      expect(introspectionFromJson(input.document)).toEqual(input.document);
      if (input.values !== undefined) {
        const bound = bindIntrospection(readIntrospection(text), input.definitions);
        const variables = (input.definitions[bound.object] as { name: string; types: string[]; extra?: unknown }[]).map(
          ({ name, types, extra }) => [name, toVector(bound.variables[name], types, extra)],
        );
        expect({ $instance: bound.id, object: bound.object, variables: Object.fromEntries(variables) }).toEqual(input.values);
        expect(writeIntrospection(input.definitions, bound).text).toBe(text);
      }
      ran.superset++;
    });
  }
});

describe("vectors: read", () => {
  for (const vector of cases.filter(({ group }) => group === "read")) {
    it(vector.id, () => {
      const { document } = readInput(vector);
      const text = readText(vector.text);
      expect(outcome(text, { mode: vector.mode }, document)).toEqual({ reads: "same" });
      expect(writeIntrospectionDocument(document)).not.toBe(text);
      ran.read++;
    });
  }
});

describe("vectors: error", () => {
  for (const vector of cases.filter(({ group }) => group === "error")) {
    it(vector.id, () => {
      const { definitions } = readInput(vector);
      const text = readText(vector.text);
      expect(outcome(text, { definitions }, undefined)).toEqual({ reads: `error ${vector.error}`, line: vector.line });
      if (definitions !== undefined) {
        const document = readIntrospection(text);
        expect(() => bindIntrospection(document, definitions)).toThrow(expect.objectContaining({ code: vector.error }));
      }
      ran.error++;
    });
  }
});

it("runs every vector", () => {
  expect(ran).toEqual({ original: 61, broken: 7, superset: 30, read: 6, error: 24 });
});
