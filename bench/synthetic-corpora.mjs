// The synthetic corpora by name, and the save of 200 bytes. Nothing of Node: pages measure them too.
import { dialogue, graph, makeClasses, mixed, rpg, SCHEMAS, tiles, typedTiles } from "./corpora.mjs";

function constructed() {
  const classes = makeClasses();
  const constructors = Object.fromEntries(
    Object.entries(classes).map(([name, Class]) => [name, { class: Class, schema: { v1: SCHEMAS[name] } }]),
  );
  return { classes, constructors };
}

const of = (n, scale) => Math.max(1, Math.round(n * scale));
const plain =
  (make) =>
  (scale = 1) => ({ constructors: {}, value: make(scale) });

/** @type {import("./corpus-list.mjs").Corpus[]} */
export const SYNTHETIC_CORPORA = [
  { name: "rpg", title: "entities, plain structs", load: plain((s) => rpg(of(50000, s))) },
  {
    name: "schema",
    title: "entities, constructed with strict schemas",
    load(scale = 1) {
      const { classes, constructors } = constructed();
      return { constructors, value: rpg(of(50000, scale), classes) };
    },
  },
  { name: "tiles", title: "large arrays of numbers", load: plain((s) => tiles(of(60, s), 60000)) },
  { name: "typed", title: "typed arrays", typedArrays: true, load: plain((s) => typedTiles(of(40, s), 60000)) },
  { name: "dialogue", title: "long strings, a fifth not ASCII", load: plain((s) => dialogue(of(100000, s))) },
  {
    name: "graph",
    title: "constructed nodes with links to their parents",
    shared: true,
    load(scale = 1) {
      const { classes, constructors } = constructed();
      return { constructors, value: graph(of(30000, scale), classes) };
    },
  },
  { name: "mixed", title: "arrays of mixed scalars", load: plain((s) => mixed(of(100, s), 5000)) },
];

/** Where the fixed cost of a call decides. */
export const SMALL_CORPUS = {
  name: "small",
  title: "a save of 200 bytes",
  // Calls of a microsecond need many runs until the engine has compiled all of them.
  warmMs: 200,
  load: () => ({
    constructors: {},
    value: {
      version: 3,
      name: "Slot 1",
      room: "rm_village",
      x: 312.5,
      y: 96,
      hp: 80,
      gold: 1250,
      playtime: 5431.25,
      tutorial: true,
      checkpoint: undefined,
      flags: [true, false, true],
      inventory: ["sword", "potion", "key"],
    },
  }),
};
