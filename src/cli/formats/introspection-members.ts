// The members of the JSON mirrors of introspection text: no others are looked at when they are written, and of a layout only what it can be.
import type {
  AssetNode,
  BoolNode,
  CustomNode,
  EnumNode,
  FloatNode,
  GridNode,
  IntNode,
  ItemsNode,
  MapNode,
  NooneNode,
  ObjectNode,
  StringNode,
  UndefinedNode,
} from "../../introspection/index.ts";
import type { IntrospectionLayout } from "../../introspection/layout.ts";
import { type Members, type MembersOf, ROOT } from "../notation/vocabulary.ts";

const VALUE: MembersOf<IntNode | FloatNode | BoolNode | StringNode> = { type: "", value: "" };
const ENUM: MembersOf<EnumNode> = { type: "", member: "", index: "" };
const UNDEFINED: MembersOf<UndefinedNode> = { type: "" };
const NOONE: MembersOf<NooneNode> = { type: "", object: "" };
const ASSET: MembersOf<AssetNode> = { type: "", kind: "", asset: "" };
const ITEMS: MembersOf<ItemsNode> = { type: "", items: "node[]" };
const MAP: MembersOf<MapNode> = { type: "", entries: "entry[]" };
const GRID: MembersOf<GridNode> = { type: "", width: "", height: "", columns: "node[]" };
const CUSTOM: MembersOf<CustomNode> = { type: "", structure: "", fields: "variable[]" };
const OBJECT: MembersOf<ObjectNode> = { type: "", object: "", id: "", variables: "variable[]" };

const NODES: Readonly<Record<string, Members>> = {
  int: VALUE,
  float: VALUE,
  bool: VALUE,
  string: VALUE,
  enum: ENUM,
  undefined: UNDEFINED,
  noone: NOONE,
  asset: ASSET,
  array: ITEMS,
  list: ITEMS,
  map: MAP,
  grid: GRID,
  custom: CUSTOM,
  object: OBJECT,
};

/** By the place of a node: its label. */
const LABELS: Readonly<Record<string, Members>> = { [ROOT]: {}, node: {}, variable: { name: "" }, entry: { key: "key" } };

const LINE = { line: "", usual: "", mode: "" };
const NO_NODES: readonly [string, Members][] = [
  ["key", { real: "" }],
  ["layout", LINE],
  ["layout of grid", { ...LINE, cells: "" }],
  ["layout of root", { ...LINE, defined: "", newline: "", lineEnds: "", end: "", byteOrderMark: "", floats: "" }],
];

/** By place, and of nodes by type. */
const TABLES: ReadonlyMap<string, Members> = new Map([
  ...NO_NODES,
  ...Object.entries(LABELS).flatMap(([place, label]) =>
    Object.entries(NODES).map(([type, members]): [string, Members] => {
      const layout = place === ROOT ? "layout of root" : type === "grid" ? "layout of grid" : "layout";
      return [`${place} ${type}`, { ...label, ...members, layout }];
    }),
  ),
]);

export function introspectionMembers({ type, object }: Readonly<Record<string, unknown>>, place: string): Members | undefined {
  if (!Object.hasOwn(LABELS, place)) return TABLES.get(place);
  return typeof type === "string" ? TABLES.get(`${place} ${type === "object" && object === null ? "noone" : type}`) : undefined;
}

function areNumbers(value: unknown): boolean {
  return Array.isArray(value) && value.every(Number.isInteger);
}

/** What the members of a layout can be: one value, or whatever is right. */
const LAYOUT: Readonly<Record<Exclude<keyof IntrospectionLayout, "definitions">, unknown>> = {
  line: (value: unknown) => typeof value === "string",
  usual: (value: unknown) => typeof value === "string",
  cells: areNumbers,
  mode: "original",
  defined: true,
  newline: "\r\n",
  lineEnds: areNumbers,
  end: (value: unknown) => typeof value === "string" && /^(?:\r?\n[ \t\r\n]*)?$/.test(value),
  byteOrderMark: true,
  floats: "exact",
};

export function introspectionLoss(struct: Readonly<Record<string, unknown>>, place: string): string | undefined {
  if (!place.startsWith("layout")) {
    const { layout = {} } = struct;
    return Object.hasOwn(LABELS, place) && (typeof layout !== "object" || layout === null || Array.isArray(layout))
      ? '"layout" holds an object, or is left out'
      : undefined;
  }
  for (const [name, value] of Object.entries(struct)) {
    const right: unknown = LAYOUT[name as keyof typeof LAYOUT];
    if (typeof right === "function") {
      if (!right(value)) return `"${name}" of a layout does not hold what decode writes there`;
    } else if (value !== right) return `"${name}" of a layout is ${JSON.stringify(right)}, or is left out`;
  }
  return Object.hasOwn(struct, "line") === Object.hasOwn(struct, "usual") ? undefined : '"line" and "usual" of a layout stand together';
}
