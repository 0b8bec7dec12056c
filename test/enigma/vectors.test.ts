// Every vector of the manifest: good files give their documented state and the same bytes again, files with a defect of the engine are read and the
// defect is named, bad files give their error. Each with and without the schema, on both engines.
import { expect, test } from "vitest";
import { readEnigma, TuskError, type TuskWarning, writeEnigma } from "../../src/enigma/index.ts";
import { expectSame } from "../same.ts";
import { fromGame, fromInstance, toGame, withoutPlaces } from "./notation.ts";
import { ENGINES, fileOf, manifest, schemaOf, type Vector } from "./vectors.ts";

/** Defects of the document's form: the source is written without them, so not as the file is. */
const FORM_DEFECTS = ["json-missing-locals", "json-vmap-braces"];

function read(vector: Vector, options: { engine: "wasm" | "js"; plain?: boolean }) {
  const warnings: TuskWarning[] = [];
  const game = readEnigma(fileOf(vector), {
    engine: options.engine,
    schema: options.plain ? undefined : schemaOf(vector),
    onWarning: (warning) => warnings.push(warning),
  });
  return { game, codes: [...new Set(warnings.map(({ code }) => code))].sort() };
}

function codeOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    if (error instanceof TuskError && error.format === "enigma" && error.offset !== undefined) return error.code;
    throw error;
  }
  return "no error";
}

for (const engine of ENGINES) {
  test(`${engine}: good and defective files give their state, and their bytes again`, () => {
    let ran = 0;
    for (const vector of manifest.vectors) {
      if (vector.outcome === "error") continue;
      const { game, codes } = read(vector, { engine });
      expect(codes, vector.id).toEqual([...(vector.defects ?? [])].sort());
      if (vector.state) expectSame(fromGame(game), withoutPlaces(vector.state), vector.id);
      const written = writeEnigma(game, { engine });
      if (vector.roundtrip) expect(Buffer.compare(written, fileOf(vector)), vector.id).toBe(0);
      else {
        // What is written instead has no defect, says the same as far as it was readable, and is stable.
        const again: TuskWarning[] = [];
        const reread = readEnigma(written, { engine, schema: schemaOf(vector), onWarning: (warning) => again.push(warning) });
        if (vector.origin !== "mutated") expect(again, vector.id).toEqual([]);
        expect(Buffer.compare(writeEnigma(reread, { engine }), written), vector.id).toBe(0);
      }
      ran++;
    }
    expect(ran).toBe(139);
  });

  test(`${engine}: bad files give their error`, () => {
    let ran = 0;
    for (const vector of manifest.vectors) {
      if (vector.outcome !== "error") continue;
      expect(
        codeOf(() => read(vector, { engine })),
        vector.id,
      ).toBe(vector.error);
      ran++;
    }
    expect(ran).toBe(56);
  });

  test(`${engine}: without a schema every file is kept whole and written back`, () => {
    let ran = 0;
    for (const vector of manifest.vectors) {
      if (vector.outcome === "error") continue;
      const { game } = read(vector, { engine, plain: true });
      const written = writeEnigma(game, { engine });
      const form = [...FORM_DEFECTS, "vmap-count-zero"].some((defect) => vector.defects?.includes(defect));
      if (!form) expect(Buffer.compare(written, fileOf(vector)), vector.id).toBe(0);
      else expect(Buffer.compare(writeEnigma(readEnigma(written, { engine }), { engine }), written), vector.id).toBe(0);
      ran++;
    }
    expect(ran).toBe(139);
  });

  test(`${engine}: the game behind a JSON file, written as JSON, is the file`, () => {
    let ran = 0;
    for (const vector of manifest.vectors) {
      if (vector.backend !== "json" || !vector.source || FORM_DEFECTS.some((defect) => vector.defects?.includes(defect))) continue;
      const written = writeEnigma(toGame(vector.source, "json", vector.prefix!), { engine });
      expect(Buffer.from(written).toString("latin1"), vector.id).toBe(Buffer.from(fileOf(vector)).toString("latin1"));
      ran++;
    }
    expect(ran).toBe(52);
  });

  test(`${engine}: the game behind a defective binary file, written, is the corrected file`, () => {
    let ran = 0;
    for (const vector of manifest.vectors) {
      const corrected = manifest.vectors.find(({ id }) => id === `${vector.id}-corrected`);
      if (vector.backend !== "binary" || !vector.source || !corrected) continue;
      expect(Buffer.compare(writeEnigma(toGame(vector.source, "binary", 0), { engine }), fileOf(corrected)), vector.id).toBe(0);
      ran++;
    }
    expect(ran).toBe(4);
  });

  test(`${engine}: the large files follow their formula`, () => {
    let ran = 0;
    for (const vector of manifest.vectors) {
      if (!vector.summary) continue;
      const { game } = read(vector, { engine });
      const all = [...game.active, ...game.inactive];
      expect({
        room: game.room,
        activeCount: game.active.length,
        inactiveCount: game.inactive.length,
        backgroundCount: game.backgrounds.length,
        firstId: Math.min(...all.map(({ id }) => id)),
        lastId: Math.max(...all.map(({ id }) => id)),
        sumX: all.reduce((sum, { planar }) => sum + (planar.x as number), 0),
        sumImageBlend: all.reduce((sum, { transform }) => sum + transform.image_blend, 0),
      }).toEqual(vector.summary);
      for (const { list, instance } of vector.samples)
        expect(fromInstance(game[list as "active"].find(({ id }) => id === instance.id)!, vector.backend === "json")).toEqual(
          withoutPlaces(instance),
        );
      ran++;
    }
    expect(ran).toBe(2);
  });
}
