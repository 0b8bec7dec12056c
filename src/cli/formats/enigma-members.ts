// The members of ENIGMA's games: the writer looks at no others, and at some of them only without others.
import type {
  EnigmaArrays,
  EnigmaBackground,
  EnigmaClass,
  EnigmaGame,
  EnigmaInstance,
  EnigmaLocal,
  EnigmaTable,
} from "../../enigma/index.ts";
import { TIERS } from "../../enigma/tiers.ts";
import { type Members, type MembersOf, ROOT } from "../notation/vocabulary.ts";

const GAME: MembersOf<EnigmaGame> = {
  backend: "",
  active: "instance[]",
  inactive: "instance[]",
  backgrounds: "background[]",
  room: "",
  prefix: "",
  order: "",
};
const INSTANCE: MembersOf<EnigmaInstance> = {
  id: "",
  objectIndex: "",
  planar: "planar",
  timelines: "timelines",
  graphics: "graphics",
  transform: "transform",
  collisions: "collisions",
  vmap: "value[]",
  classes: "class[]",
};
const CLASS: MembersOf<EnigmaClass> = { class: "", table: "", locals: "local[]", gap: "" };
const LOCAL: MembersOf<EnigmaLocal> = { name: "", type: "", value: "value", raw: "", damaged: "", stored: "", recovered: "value" };
/** A `var` that has arrays. */
const ARRAYS: MembersOf<EnigmaArrays> = { value: "", array1d: "row", array2d: "rows" };
const ROW: MembersOf<EnigmaTable<unknown>> = { max: "", dense: "", sparse: "" };
const BACKGROUND: MembersOf<EnigmaBackground> = {
  width: "",
  height: "",
  texture: "texture",
  bounds: "bounds",
  isTileset: "",
  tileWidth: "",
  tileHeight: "",
  hOffset: "",
  vOffset: "",
  hSep: "",
  vSep: "",
};
const TEXTURE: MembersOf<EnigmaBackground["texture"]> = { width: "", height: "", bgra: "" };
const BOUNDS: MembersOf<EnigmaBackground["bounds"]> = { x: "", y: "", h: "", w: "" };

const TABLES: ReadonlyMap<string, Members> = new Map<string, Members>([
  [ROOT, GAME],
  ["instance", INSTANCE],
  ["class", CLASS],
  ["local", LOCAL],
  ["value", ARRAYS],
  ["row", ROW],
  ["rows", { ...ROW, dense: "row[]", sparse: "row[]" }],
  ["background", BACKGROUND],
  ["texture", TEXTURE],
  ["bounds", BOUNDS],
  ...TIERS.flatMap(({ part, fields }): [string, Members][] =>
    part ? [[part, Object.fromEntries(fields.map(([, property]) => [property, ""]))]] : [],
  ),
]);

export function enigmaMembers(_struct: object, place: string): Members | undefined {
  return TABLES.get(place);
}

export function enigmaLoss(struct: Readonly<Record<string, unknown>>, place: string): string | undefined {
  if (place === ROOT) return gameLoss(struct as Partial<EnigmaGame>);
  return place === "class" ? classLoss(struct) : place === "local" ? localLoss(struct) : undefined;
}

function gameLoss({ backend, prefix, order }: Partial<EnigmaGame>): string | undefined {
  if (order !== undefined && order !== "kept") return '"order" is "kept", or is left out';
  return prefix !== undefined && backend === "binary" ? 'a save of the "binary" backend has no "prefix"' : undefined;
}

function classLoss({ gap, locals }: Readonly<Record<string, unknown>>): string | undefined {
  return gap !== undefined && Array.isArray(locals) && locals.length === 0
    ? '"gap" stands before the bytes of the variables, and a class without any has none: take "gap" away'
    : undefined;
}

/** Bytes that are there are written, whatever stands beside them. */
function localLoss(local: Readonly<Record<string, unknown>>): string | undefined {
  const has = (name: keyof EnigmaLocal) => Object.hasOwn(local, name);
  if (!has("raw")) return has("damaged") || has("recovered") ? '"damaged" and "recovered" stand beside "raw" alone' : undefined;
  if (has("value")) return '"value" does not stand beside "raw", which would be written: take "raw" away (and "damaged" and "recovered")';
  return local.damaged !== true && (has("type") || has("recovered"))
    ? '"type" and "recovered" stand beside "raw" where "damaged" is true; a variable with a "value" has no "raw"'
    : undefined;
}
