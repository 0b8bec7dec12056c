// Saves for the inspector's tests, made by the codec.
import { createElephantSync, Scalar, StructInstance } from "../../src/elephant/index.ts";
import type { GivenFile } from "./inspector-page.ts";

const elephant = createElephantSync({ unknownConstructor: "generic" });

export interface World {
  gold: number;
  lives: unknown;
  time: bigint;
  title: string;
  hero: Record<string, unknown>;
  entities: { id: number; name: string }[];
}

export function world(): World {
  return {
    gold: 1250,
    lives: Scalar("u8", 3),
    time: 5_431_250n,
    title: "<img src=x onerror=alert(1)>",
    hero: new StructInstance("Hero", { name: "Ada", hp: 80, alive: true }),
    entities: Array.from({ length: 200 }, (_, i) => ({ id: i, name: `entity ${i}` })),
  };
}

export function save(name: string, value: unknown): GivenFile {
  return { name, bytes: elephant.write(value) };
}

/** `megabytes` of entities in regions. */
export function largeSave(name: string, megabytes: number): GivenFile & { readonly entities: number } {
  const region = (r: number) =>
    Array.from({ length: 5000 }, (_, i) => ({
      id: r * 5000 + i,
      kind: ["slime", "bat", "knight"][i % 3],
      x: i * 1.5,
      y: r * 32,
      hp: 100 - (i % 90),
      name: `entity number ${i} of region ${r}`,
      bag: [i, i + 1, i + 2],
    }));
  const bytesOfOne = elephant.write(region(1)).length;
  const regions = Math.ceil((megabytes * 1_000_000) / bytesOfOne);
  return { ...save(name, { version: 7, regions: Array.from({ length: regions }, (_, r) => region(r)) }), entities: regions * 5000 };
}
