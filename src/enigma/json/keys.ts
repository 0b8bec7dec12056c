// Keys of the JSON backend's document, but for those of the tiers (formats/enigma.md §3.1).

/** The keys of a background; those of its bounds contain a dot. The writer and the reader take the integers behind `tileHeight` for signed ones. */
export const BACKGROUND_KEYS = [
  "width",
  "height",
  "texture_width",
  "texture_height",
  "texture",
  "textureBounds.x",
  "textureBounds.y",
  "textureBounds.h",
  "textureBounds.w",
  "isTileset",
  "tileWidth",
  "tileHeight",
  "hOffset",
  "vOffset",
  "hSep",
  "vSep",
] as const;

export const DOCUMENT_KEYS = ["instance_list", "instance_deactivated_list", "backgrounds", "room_index"] as const;
