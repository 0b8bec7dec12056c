// A save to look around in, for those who have none at hand: made by the codec like any other.
import { createElephant, Scalar, StructInstance } from "tusk-codec";

const ITEMS = ["Lantern", "Rope", "Iron key", "Healing herb", "Map of the coast", "Flint"];
const PLACES = ["Harbour", "Old mill", "Lighthouse", "Sunken chapel", "Pass"];

export async function exampleSave() {
  const elephant = await createElephant({ unknownConstructor: "generic", codeGeneration: false });
  const item = (i) => new StructInstance("Item", { name: ITEMS[i % ITEMS.length], count: 1 + ((i * 7) % 5), weight: 0.25 * (1 + (i % 8)) });
  const hero = (name, level) =>
    new StructInstance("Hero", {
      name,
      level: Scalar("s32", level),
      hp: 40 + level * 6,
      position: { x: level * 64.5, y: 128 },
      inventory: Array.from({ length: 3 + (level % 3) }, (_, i) => item(i + level)),
      poisoned: level === 5,
    });
  const ada = hero("Ada", 7);
  const bo = hero("Bo", 5);
  ada.friend = bo;
  bo.friend = ada;
  return elephant.write({
    slot: 1,
    title: "The lighthouse keeper",
    playtime: 5_431_250_000n,
    difficulty: "normal",
    party: [ada, bo],
    quests: [
      { id: "letter", done: true, steps: ["find the letter", "bring it to the mill"] },
      { id: "light", done: false, steps: ["repair the lamp", "light it before dusk"] },
    ],
    places: PLACES.map((name, i) => ({ name, visited: i < 3, tiles: Array.from({ length: 48 }, (_, k) => (k * (i + 3)) % 9) })),
    options: { music: 0.8, sound: 1, language: "en", subtitles: true },
    seed: Scalar("u32", 3_735_928_559),
  });
}
