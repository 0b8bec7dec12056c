// The small vectors of each format as plain data that can cross to a page.
import { readdirSync, readFileSync } from "node:fs";
import { SCHEMA } from "../../src/elephant/index.ts";
import { vectors as dsVectors, textOf } from "../ds/vector-files.ts";
import { buildClasses } from "../elephant/notation.ts";
import { loadVectorSets, vectorBytes } from "../elephant/vector-files.ts";

export interface Input {
  readonly base64?: string;
  readonly text?: string;
  readonly schemas?: Record<string, unknown>;
}

export const FORMATS = ["elephant", "ds", "enigma", "introspection"] as const;
export type Format = (typeof FORMATS)[number];

/** Larger files would mostly measure how fast a page is given them. */
const SMALL = 20_000;

function elephant(): Input[] {
  return loadVectorSets().flatMap(({ vectors }) =>
    vectors
      .filter((vector) => vector.file && vector.op === "binary" && !vector.generator && (vector.bytes ?? 0) <= SMALL)
      .map((vector) => {
        const schemas: Record<string, unknown> = {};
        for (const [name, type] of Object.entries(buildClasses(vector.readCtors ?? vector.ctors)))
          if (type[SCHEMA]) schemas[name] = type[SCHEMA];
        const base64 = Buffer.from(vectorBytes(vector)).toString("base64");
        return Object.keys(schemas).length > 0 ? { base64, schemas } : { base64 };
      }),
  );
}

function enigma(): Input[] {
  const folder = new URL("../vectors/enigma/", import.meta.url);
  return readdirSync(folder)
    .filter((name) => name.endsWith(".bin"))
    .map((name) => ({ base64: readFileSync(new URL(name, folder)).toString("base64") }))
    .filter(({ base64 }) => base64.length <= SMALL * 2);
}

function introspection(): Input[] {
  const folder = new URL("../vectors/introspection/", import.meta.url);
  const { cases } = JSON.parse(readFileSync(new URL("manifest.json", folder), "utf8")) as { cases: { text: string }[] };
  return cases
    .filter(({ text }) => !text.endsWith(".gz"))
    .map(({ text }) => ({ text: readFileSync(new URL(text, folder), "utf8") }))
    .filter(({ text }) => text.length <= SMALL);
}

export const INPUTS: Record<Format, readonly Input[]> = {
  elephant: elephant(),
  ds: dsVectors.filter(({ file }) => !file.endsWith(".gz")).map((vector) => ({ text: textOf(vector) })),
  enigma: enigma(),
  introspection: introspection(),
};
