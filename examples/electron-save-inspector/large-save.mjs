// A save of any size for pictures and measurements: entities in regions.
import { createElephantSync } from "tusk-codec";

const ENTITIES = 5000;

function region(r) {
  return Array.from({ length: ENTITIES }, (_, i) => ({
    id: r * ENTITIES + i,
    kind: ["slime", "bat", "knight"][i % 3],
    x: i * 1.5,
    y: r * 32,
    hp: 100 - (i % 90),
    name: `entity number ${i} of region ${r}`,
    bag: [i, i + 1, i + 2],
  }));
}

/** `bytes` or a little more. */
export function largeSave(bytes) {
  const elephant = createElephantSync();
  const regions = Math.ceil(bytes / elephant.write(region(1)).length);
  return elephant.write({ version: 7, regions: Array.from({ length: regions }, (_, r) => region(r)) });
}
