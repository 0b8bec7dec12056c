// One instance to bytes, with every check (formats/enigma.md §2.1, §2.2). The twin of the kernel's writer, which takes the regular ones.
import { refuse } from "../failure.ts";
import { contentOf, listOf, pairOf, type WriteContext } from "../given.ts";
import type { EnigmaClass, EnigmaInstance, EnigmaLocal, EnigmaText, EnigmaValue } from "../model.ts";
import { localsOf } from "../order.ts";
import { givenKeyOf, nameOf } from "../text.ts";
import { givenTier, TIERS } from "../tiers.ts";
import { parseType, type ScalarType } from "../value-type.ts";
import type { ByteSink } from "./byte-sink.ts";
import * as LEAD from "./leads.ts";
import { writeValue, writeVar } from "./value-writer.ts";

/** A value that is no local: of the frame, or of the engine. */
export function writeScalar(sink: ByteSink, type: ScalarType, value: EnigmaValue, path: string): void {
  writeValue(sink, parseType(type), value, path);
}

/** Order of the symbol table: the one that was read, then what was added. It says only that: names without a variable, or there twice, count for nothing. */
export function tableOrder(block: EnigmaClass, locals: readonly EnigmaLocal[]): readonly EnigmaText[] {
  const left = new Map(locals.map(({ name }) => [givenKeyOf(name), name]));
  const order: EnigmaText[] = [];
  for (const known of block.table || []) {
    const key = givenKeyOf(known);
    const name = left.get(key);
    if (name === undefined) continue;
    order.push(name);
    left.delete(key);
  }
  return [...order, ...left.values()];
}

function writeClass(sink: ByteSink, block: EnigmaClass, context: WriteContext, path: string): void {
  sink.u8(LEAD.classBlock);
  const locals = localsOf(block, context.sort, false, path);
  if (locals.length === 0) return;
  const names = tableOrder(block, locals);
  sink.u64(names.length);
  const fields = new Map<string, number>();
  for (const name of names) {
    sink.text(name, `${path}.${nameOf(name)}`);
    fields.set(givenKeyOf(name), sink.reserve(8));
  }
  const size = sink.reserve(8);
  const data = sink.at;
  if (block.gap) sink.raw(block.gap, `${path}.gap`);
  for (const local of locals) {
    const place = `${path}.${nameOf(local.name)}`;
    const key = givenKeyOf(local.name);
    sink.patchU64(fields.get(key) ?? refuse("unwritable", "another name than before", place), sink.at - data);
    // Another variable may not have it, too: one field would never be filled.
    fields.delete(key);
    const content = contentOf(local, context, place);
    if ("raw" in content) sink.raw(content.raw, place);
    else writeValue(sink, content.type, content.value, place);
  }
  sink.patchU64(size, sink.at - data);
}

function writeTimelines(sink: ByteSink, given: [number, number][][], path: string): void {
  const maps = listOf(given, path);
  for (let i = 0, count = sink.count(maps); i < count; i++) {
    const moments = listOf(maps[i], `${path}[${i}]`);
    for (let j = 0, size = sink.count(moments); j < size; j++) {
      const place = `${path}[${i}][${j}]`;
      const [step, moment] = pairOf(moments[j], place);
      writeScalar(sink, "i32", step, `${place}[0]`);
      writeScalar(sink, "i32", moment, `${place}[1]`);
    }
  }
}

export function writeInstance(sink: ByteSink, instance: EnigmaInstance, context: WriteContext, path: string): void {
  for (let level = TIERS.length - 1; level >= 0; level--) {
    const { record, place, fields } = givenTier(instance, level, path);
    sink.u8(LEAD.collisions - level);
    for (const [, property, type] of fields) {
      const value = record[property];
      const field = `${place}.${property}`;
      if (type) writeValue(sink, type, value as EnigmaValue, field);
      else writeTimelines(sink, value as [number, number][][], field);
    }
  }
  const vmap = listOf(instance.vmap ?? [], `${path}.vmap`);
  for (let i = 0, count = sink.count(vmap); i < count; i++) {
    const [name, value] = pairOf(vmap[i], `${path}.vmap[${i}]`);
    sink.text(name, `${path}.vmap[${i}][0]`);
    writeVar(sink, value, `${path}.vmap.${nameOf(name)}`);
  }
  const classes = listOf(instance.classes, `${path}.classes`);
  if (classes.length === 0) refuse("unwritable", "an instance has at least one class", `${path}.classes`);
  for (let i = 0; i < classes.length; i++) writeClass(sink, classes[i]!, context, `${path}.classes[${i}]`);
}
