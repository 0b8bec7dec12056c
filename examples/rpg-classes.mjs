// The classes of a small role-playing game, as its code has them: constructors with defaults, and a schema that says how instances are
// stored. Version 1 had two fields of each; files of either version are read.
import { SCHEMA } from "tusk-codec";

export class World {
  name = "";
  seed = 0;
  clock = 0;
  regions = [];
  entities = [];
  quests = [];
  flags = {};
  log = [];
  player = undefined;

  static [SCHEMA] = {
    v1: { name: "string", seed: "u32" },
    v2: {
      name: "string",
      seed: "u32",
      clock: "f64",
      regions: "array",
      entities: "array",
      quests: "array",
      flags: "struct",
      log: "array",
      player: "any",
    },
  };
}

export class Region {
  name = "";
  world = undefined;
  left = 0;
  top = 0;
  w = 0;
  h = 0;
  ground = [];
  blocked = [];

  static [SCHEMA] = {
    v1: { name: "string", world: "any" },
    v2: { name: "string", world: "any", left: "s16", top: "s16", w: "u16", h: "u16", ground: "array", blocked: "array" },
  };
}

export class Entity {
  id = 0;
  kind = "";
  px = 0;
  py = 0;
  hp = 0;
  hpMax = 100;
  speed = 0;
  alive = false;
  facing = 0;
  faction = 0;
  xp = 0n;
  items = [];
  stats = {};
  target = undefined;
  home = undefined;
  tags = [];

  static [SCHEMA] = {
    v1: { id: "u32", kind: "string" },
    v2: {
      id: "u32",
      kind: "string",
      px: "f32",
      py: "f32",
      hp: "u16",
      hpMax: "u16",
      speed: "f32",
      alive: "bool",
      facing: "u8",
      faction: "s8",
      xp: "u64",
      items: "array",
      stats: "struct",
      target: "any",
      home: "any",
      tags: "array",
    },
  };
}

export class Item {
  sku = 0;
  title = "";
  qty = 0;
  wear = 0;
  price = 0;
  owner = undefined;

  static [SCHEMA] = {
    v1: { sku: "u16", title: "text" },
    v2: { sku: "u16", title: "text", qty: "u8", wear: "f16", price: "s32", owner: "any" },
  };
}

export class Quest {
  title = "";
  body = "";
  giver = undefined;
  stages = [];
  done = false;
  progress = 0;

  static [SCHEMA] = {
    v1: { title: "string", body: "string" },
    v2: { title: "string", body: "string", giver: "any", stages: "array", done: "bool", progress: "f32" },
  };
}
