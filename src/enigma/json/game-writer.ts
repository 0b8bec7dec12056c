// The document of the JSON backend (formats/enigma.md §3.1), behind its prefix and without the digest.
import { encoder } from "../../engine/platform-text.ts";
import { findDocument } from "../backend.ts";
import type { ByteSink } from "../binary/byte-sink.ts";
import { refuse, unlessRefused } from "../failure.ts";
import { contentOf, listOf, pairOf, textureOf, type WriteContext } from "../given.ts";
import type { EnigmaBackground, EnigmaGame, EnigmaInstance, EnigmaValue } from "../model.ts";
import { localsOf, orderedInstances } from "../order.ts";
import { nameOf } from "../text.ts";
import { givenTier, TIERS } from "../tiers.ts";
import { JsonCursor } from "./cursor.ts";
import { BACKGROUND_KEYS } from "./keys.ts";
import { JsonSink } from "./value-writer.ts";

function writeTimelines(out: JsonSink, maps: [number, number][][], path: string): void {
  out.ascii("[");
  for (let i = 0; i < listOf(maps, path).length; i++) {
    out.ascii(i > 0 ? ",{" : "{");
    const moments = listOf(maps[i], `${path}[${i}]`);
    for (let j = 0; j < moments.length; j++) {
      const place = `${path}[${i}][${j}]`;
      const [step, moment] = pairOf(moments[j], place);
      out.ascii(j > 0 ? `,"` : `"`);
      out.integer(step, "i32", `${place}[0]`);
      out.ascii(`":`);
      out.integer(moment, "i32", `${place}[1]`);
    }
    out.ascii("}");
  }
  out.ascii("]");
}

/** What never changes, as bytes: the heads of the six tiers, and the keys of their fields. */
const OPENING = encoder.encode(TIERS.map(({ name }) => `{"object_type":"${name}"`).join(`,"parent":`));
const KEYS = TIERS.map(({ fields }) => fields.map(([key]) => encoder.encode(`,"${key}":`)));

/** The tiers, outermost first, each inside the "parent" of the one before it; the fields follow on the way out. */
function writeTiers(out: JsonSink, instance: EnigmaInstance, path: string): void {
  out.sink.raw(OPENING);
  for (let level = TIERS.length - 1; level >= 0; level--) {
    const { record, place, fields } = givenTier(instance, level, path);
    const keys = KEYS[level]!;
    for (let i = 0; i < fields.length; i++) {
      const [, property, type] = fields[i]!;
      out.sink.raw(keys[i]!);
      const value = record[property];
      const field = `${place}.${property}`;
      if (type) out.value(type, value as EnigmaValue, field);
      else writeTimelines(out, value as [number, number][][], field);
    }
    out.ascii("}");
  }
}

/** The text of a variable as it is, if it is one value: anything else would be read as part of the document around it. */
function writeRaw(out: JsonSink, raw: Uint8Array, path: string): void {
  out.sink.raw(raw, path);
  const cursor = new JsonCursor(raw, 0, raw.length, out.warnings);
  if (!unlessRefused(() => cursor.skip()) || cursor.peek() !== -1) refuse("unwritable", "the raw text is not one JSON value", path);
}

function writeInstance(out: JsonSink, instance: EnigmaInstance, context: WriteContext, path: string): void {
  const classes = listOf(instance?.classes, `${path}.classes`);
  // A getter may add others or take some away.
  const { length } = classes;
  if (length === 0) refuse("unwritable", "an instance has at least one class", `${path}.classes`);
  for (let i = 0; i < length; i++) out.ascii(`{"obj":`);
  out.ascii(`{"event_parent":`);
  writeTiers(out, instance, path);
  out.ascii(`,"vmap":{`);
  const vmap = listOf(instance.vmap ?? [], `${path}.vmap`);
  for (let i = 0; i < vmap.length; i++) {
    const [name, value] = pairOf(vmap[i], `${path}.vmap[${i}]`);
    if (i > 0) out.ascii(",");
    out.text(name, `${path}.vmap[${i}][0]`);
    out.ascii(":");
    out.var(value, `${path}.vmap.${nameOf(name)}`);
  }
  out.ascii("}}");
  for (let i = 0; i < length; i++) {
    out.ascii(`,"locals":[`);
    const place = `${path}.classes[${i}]`;
    // A document may have a name twice; the reader keeps the order of such a one.
    const locals = localsOf(classes[i]!, context.sort, !context.sort, place);
    for (let j = 0; j < locals.length; j++) {
      const local = locals[j]!;
      const localPath = `${place}.${nameOf(local.name)}`;
      out.ascii(j > 0 ? `,{"name":` : `{"name":`);
      out.text(local.name, localPath);
      out.ascii(`,"data":`);
      const content = contentOf(local, context, localPath);
      if ("raw" in content) writeRaw(out, content.raw, localPath);
      else out.value(content.type, content.value, localPath);
      out.ascii("}");
    }
    out.ascii("]}");
  }
}

function writeBackground(out: JsonSink, background: EnigmaBackground, path: string): void {
  const { width, height, bgra } = textureOf(background, path);
  const { bounds } = background;
  BACKGROUND_KEYS.forEach((key, i) => {
    out.ascii(`${i > 0 ? "," : "{"}"${key}":`);
    if (key === "texture") {
      out.ascii("[");
      for (let at = 0; at < bgra.length; at++) out.ascii(`${at > 0 ? "," : ""}"${bgra[at]!.toString(16)}"`);
      out.ascii("]");
    } else if (key === "texture_width") out.ascii(`${width}`);
    else if (key === "texture_height") out.ascii(`${height}`);
    else if (key === "isTileset") out.bool(background.isTileset, `${path}.isTileset`);
    else if (key.startsWith("textureBounds.")) out.float(bounds[key.slice(-1) as "x"], true, `${path}.bounds.${key.slice(-1)}`);
    else out.integer(background[key as "width"], i > 11 ? "i32" : "u32", `${path}.${key}`);
  });
  out.ascii("}");
}

export function writeJsonGame(sink: ByteSink, game: EnigmaGame, context: WriteContext): void {
  sink.raw(game.prefix ?? new Uint8Array(1), ".prefix");
  const start = sink.at;
  const out = new JsonSink(sink, context.warnings);
  const list = (key: string, name: "active" | "inactive") => {
    out.ascii(`"${key}":[`);
    const [instances, pathOf] = orderedInstances(game, name, context.sort);
    for (let i = 0; i < instances.length; i++) {
      if (i > 0) out.ascii(",");
      writeInstance(out, instances[i]!, context, pathOf(i));
    }
    out.ascii("],");
  };
  out.ascii("{");
  list("instance_list", "active");
  list("instance_deactivated_list", "inactive");
  out.ascii(`"backgrounds":[`);
  const backgrounds = listOf(game.backgrounds, ".backgrounds");
  for (let i = 0; i < backgrounds.length; i++) {
    if (i > 0) out.ascii(",");
    writeBackground(out, backgrounds[i]!, `.backgrounds[${i}]`);
  }
  out.ascii(`],"room_index":`);
  out.integer(game.room, "i32", ".room");
  out.ascii("}");
  if (findDocument(sink.bytes, sink.at) !== start) refuse("unwritable", "a reader would take the prefix for the document", ".prefix");
}
