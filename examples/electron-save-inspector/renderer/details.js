// Everything about the selected value: where it is, what it is, its text as a whole.
import { byId, countText, h, oneLine, replaceContent, sentence } from "./elements.js";
import { typeText } from "./row.js";

/** What a type holds. */
export const MEANINGS = {
  number: "a float of 64 bits",
  int64: "a whole number of 64 bits",
  bool: "true or false",
  string: "text",
  int: "a whole number of any length",
  float: "a float of 64 bits",
  enum: "a member by its name, or a number without one",
  asset: "an asset by its name, or noone",
  undefined: "no value",
  u8: "a whole number, 0 to 255",
  s8: "a whole number, -128 to 127",
  u16: "a whole number, 0 to 65,535",
  s16: "a whole number, -32,768 to 32,767",
  u32: "a whole number of 32 bits, from 0",
  s32: "a whole number of 32 bits",
  f16: "a float of 16 bits",
  f32: "a float of 32 bits",
  array: "items by number",
  list: "items by number",
  stack: "items by number",
  queue: "items by number",
  priority: "values by priority",
  map: "values by key",
  grid: "cells by column and row",
  struct: "members by name",
  bytes: "bytes whose meaning is not known",
};

function line(term, ...content) {
  return [h("dt", {}, term), h("dd", {}, ...content)];
}

/** A scalar's text as a whole, and what can be done with it. */
function scalarParts({ type, full, length, refusal }, onEdit) {
  const whole = full + (length > full.length ? "…" : "");
  return [
    h("pre", { class: "whole", "data-type": type, dir: "auto", tabindex: "0", role: "group", "aria-label": "The whole value" }, whole),
    refusal
      ? h("p", { class: "quiet" }, sentence(refusal))
      : h("button", { type: "button", class: "wide", onclick: onEdit }, "Edit value", h("kbd", {}, "Enter")),
  ];
}

/** `onEdit`: what the button does. */
export function showDetails(details, onEdit) {
  const { text, type, kind, note, count, length, summary } = details;
  const isText = type === "string" || type === "text";
  replaceContent(
    byId("details"),
    h("h2", {}, "Value"),
    ...(count === undefined ? scalarParts(details, onEdit) : []),
    h(
      "dl",
      {},
      ...line("Path", h("code", { class: "path" }, oneLine(text) || "(root)")),
      ...line(
        "Type",
        h("span", { class: details.title === undefined ? "type" : "type titled" }, oneLine(typeText(details))),
        h("small", {}, MEANINGS[kind ?? type] ?? MEANINGS[type] ?? ""),
      ),
      ...(note ? line("Stored by", note) : []),
      ...(count !== undefined ? line("Holds", summary) : []),
      ...(isText ? line("Length", countText(length, "character")) : []),
    ),
  );
}
