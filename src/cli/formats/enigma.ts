// Saves of ENIGMA's game_save_buffer.
import { detectEnigma } from "../../enigma/detect.ts";
import {
  type EnigmaClass,
  type EnigmaGame,
  type EnigmaLocal,
  type EnigmaSchema,
  NanBits,
  readEnigma,
  writeEnigma,
} from "../../enigma/index.ts";
import { compileSchema } from "../../enigma/schema.ts";
import { TuskError } from "../../errors.ts";
import { SchemaError } from "../failure.ts";
import { ENTRY_KEYS, type ItemKeys } from "../keyed-items.ts";
import { countText } from "../shown-text.ts";
import { enigmaLoss, enigmaMembers } from "./enigma-members.ts";
import type { SaveFormat } from "./format.ts";

/** ENIGMA's part of `--schema`: the objects of the game. Without it variables keep their stored bytes. */
function enigmaSchema(json: unknown): EnigmaSchema | undefined {
  if (json === undefined) return undefined;
  if (typeof json !== "object" || json === null || !Array.isArray((json as { objects?: unknown }).objects))
    throw new SchemaError('for ENIGMA saves the file holds { "objects": [{ "index", "name", "parent", "locals" }, ...] }');
  const schema = json as EnigmaSchema;
  try {
    // Reading would compile it, too, and then its fault looks like one of the save.
    compileSchema(schema);
  } catch (error) {
    if (error instanceof TuskError && error.code === "schema") throw new SchemaError(error.reason);
    throw error;
  }
  return schema;
}

const INSTANCE_KEYS: ItemKeys = { name: "id", of: (item) => (item as { id?: unknown } | null | undefined)?.id };

export const enigma: SaveFormat = {
  name: "enigma",
  title: "ENIGMA save",
  binary: true,
  isToldByLittle: true,
  family: "enigma",
  headNames: [],
  takesSchemas: true,
  readsWithoutSchemas: true,
  // A class with its name, a variable with its type.
  isBySchema: (container) =>
    typeof ("locals" in container ? (container as EnigmaClass).class : (container as EnigmaLocal).type) === "string",
  /** `$nan`: a NaN by its bits. */
  vocabulary: {
    leaf: (value) => (value instanceof NanBits ? ["nan", value.bits] : undefined),
    makeLeaf: (tag, content) => (tag === "nan" ? new NanBits(String(content)) : undefined),
    isLeafTag: (tag) => tag === "nan",
    isPlainMember: (name, _struct, atRoot) => atRoot && name === "backend",
    membersOf: enigmaMembers,
    lossOf: enigmaLoss,
  },
  detect: (bytes) => detectEnigma(bytes) !== undefined,
  read: (bytes, settings) => ({
    value: readEnigma(bytes, { schema: enigmaSchema(settings.schemas), onWarning: settings.onWarning }),
    head: {},
  }),
  write: (save, settings) => writeEnigma(save.value as EnigmaGame, { damaged: "raw", onWarning: settings.onWarning }),
  describe(save) {
    // JSON may hold anything.
    const { backend, active, inactive } = (save.value ?? {}) as Partial<EnigmaGame>;
    return Array.isArray(active) && Array.isArray(inactive)
      ? `${backend} backend, ${countText(active.length + inactive.length, "instance")}`
      : "no game";
  },
  kindOf(container) {
    const { objectIndex } = container as { objectIndex?: unknown };
    return typeof objectIndex === "number" && "planar" in container ? { name: `object ${objectIndex}` } : undefined;
  },
  itemKeys(struct, member) {
    if ("backend" in struct) return member === "active" || member === "inactive" ? INSTANCE_KEYS : undefined;
    return "planar" in struct && member === "vmap" ? ENTRY_KEYS : undefined;
  },
};
