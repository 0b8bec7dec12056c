// Large saves drawn at random come back as they are, also from a codec that has read others of the same forms, and are written as they were.
import { describe, expect, test } from "vitest";
import { CASES, createElephantSync, LONG_RUN, MODES, SCHEMA } from "./codec.ts";
import { differences } from "./compare.ts";
import { LargeSaves } from "./large-saves.ts";

class Unit {}
class Item {}
class Place {}
class Named {}
(Named as unknown as Record<symbol, object>)[SCHEMA] = {};
const constructors = { Unit, Item, Place, Named };

/** Games, and saves of each. */
const GAMES = Math.max(4, Math.ceil(CASES / 100));
const SAVES = 3;

describe.each(MODES)("$engine, code generation $codeGeneration", (mode) => {
  // Each game in one mode, in the long run in all of them.
  const games = Array.from({ length: GAMES }, (_, i) => i + 1).filter((i) => LONG_RUN || i % MODES.length === MODES.indexOf(mode));
  test.each(games)("saves of game %i", (seed) => {
    const codec = createElephantSync({ constructors, ...mode });
    const saves = new LargeSaves(seed, Object.values(constructors));
    for (let i = 0; i < SAVES; i++) {
      const value = saves.next();
      const save = codec.write(value);
      for (let read = 0; read < 2; read++) expect(differences(value, codec.read(save))).toEqual([]);
      expect(codec.write(codec.read(save))).toEqual(save);
    }
  });
});
