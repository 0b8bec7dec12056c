// Elephant's part of `--schema schemas.json`: schemas by constructor name, the same literals as in GML.
import type { ElephantSchema } from "../../elephant/index.ts";
import { CallError } from "../failure.ts";
import type { ElephantSchemas } from "./format.ts";

export function elephantSchemas(json: unknown): ElephantSchemas {
  const schemas = Object.create(null) as ElephantSchemas;
  if (json === undefined) return schemas;
  if (typeof json !== "object" || json === null || Array.isArray(json))
    throw new CallError("--schema: the file holds no object of schemas by constructor name");
  for (const name of Object.keys(json)) {
    const schema = (json as Record<string, unknown>)[name];
    if (typeof schema !== "object" || schema === null || Array.isArray(schema))
      throw new CallError(`--schema: the schema of ${JSON.stringify(name)} is no object`);
    schemas[name] = schema as ElephantSchema;
  }
  return schemas;
}
