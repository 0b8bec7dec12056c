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
import { pathOf } from "../../graph/path.ts";
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

/** JSON may hold anything where a list belongs, and in it. */
function listOf<T>(list: readonly T[] | undefined): readonly (T | undefined)[] {
  return Array.isArray(list) ? list : [];
}

/**
 * Refuses bytes of the other backend, which are there where somebody has edited `backend`: the classes of a binary save have a `table`, be it null,
 * and those of the JSON backend have none.
 */
function refuseForeignBytes(game: EnigmaGame | undefined): void {
  for (const instance of [...listOf(game?.active), ...listOf(game?.inactive)])
    for (const block of listOf(instance?.classes)) {
      const isJson = block?.table === undefined;
      if (game?.backend !== (isJson ? "binary" : "json")) continue;
      const local = listOf(block?.locals).find((given) => given?.raw);
      if (!local) continue;
      const reason = isJson
        ? '"raw" of a class without "table" is text of the JSON backend'
        : '"raw" of a class with "table" is bytes of the binary backend';
      throw new TuskError("enigma", "schema-needed", `${reason}; in the other one variables have a "value", as decode --schema gives it`, {
        path: pathOf(game, local),
      });
    }
}

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
  write(save, settings) {
    const game = save.value as EnigmaGame;
    refuseForeignBytes(game);
    return writeEnigma(game, { damaged: "raw", onWarning: settings.onWarning });
  },
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
