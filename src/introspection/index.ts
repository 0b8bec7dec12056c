/**
 * Object introspection text: the state of a GameMaker instance as indented text, written from a database of definitions.
 *
 * The format is `formats/introspection.md`; `docs/introspection.md` has the rules in short, the options and the errors.
 *
 * @module
 */

export { type ErrorPlace, type FormatName, TuskError } from "../errors.ts";
export type { Given } from "../options.ts";
export { type BoundInstance, bindIntrospection, type IntrospectionBindOptions } from "./bind.ts";
export {
  type DefinitionExtra as IntrospectionExtra,
  type Definitions as IntrospectionDefinitions,
  type EditableVariable,
  IntrospectionDatabase,
  type IntrospectionType,
  type KnownType as IntrospectionTypeName,
  type VariableDefinition,
} from "./definitions.ts";
export type {
  AssetNode,
  BlockNode,
  BoolNode,
  CustomNode,
  EnumNode,
  FloatNode,
  GridNode,
  IntNode,
  IntrospectionDocument,
  IntrospectionEntry,
  IntrospectionInteger,
  IntrospectionKey,
  IntrospectionNode,
  IntrospectionReal,
  IntrospectionVariable,
  ItemsNode,
  MapNode,
  NooneNode,
  ObjectNode,
  ScalarNode,
  StringNode,
  UndefinedNode,
} from "./document.ts";
export { writeIntrospectionAll, writeIntrospectionDocument } from "./document-writer.ts";
export type { CustomStructure, IntrospectionGrid, IntrospectionInstance, OldStyleArray, ReadField, StructureField } from "./instances.ts";
export { type IntrospectionJson, introspectionFromJson, introspectionToJson } from "./json.ts";
export type { IntrospectionLayout } from "./layout.ts";
export type { Floats as IntrospectionFloats, Mode as IntrospectionMode } from "./notation.ts";
export type {
  InstanceTable,
  IntrospectionLimits,
  IntrospectionReadOptions,
  IntrospectionWriteOptions,
  Structures as IntrospectionStructures,
} from "./options.ts";
export {
  getIntrospectionNode,
  getIntrospectionValue,
  type IntrospectionPath,
  type IntrospectionPathOptions,
  setIntrospectionValue,
} from "./path.ts";
export { readIntrospection, readIntrospectionAll } from "./reader.ts";
export { writeIntrospection } from "./writer.ts";
