// Elephant's part of `--schema schemas.json`: schemas by constructor name, the same literals as in GML.
import type { ElephantSchema } from "../../elephant/index.ts";
import { excludedNames, schemaVersion } from "../../elephant/schema.ts";
import { TuskError } from "../../errors.ts";
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
    schemas[name] = checked(name, schema as ElephantSchema);
  }
  return schemas;
}

/** All of its versions, whether a save needs them or not: what is misspelt would be found by some saves only. */
function checked(name: string, schema: ElephantSchema): ElephantSchema {
  try {
    excludedNames(schema, name);
    for (const key of Object.keys(schema)) if (/^v\d+$/.test(key)) schemaVersion(schema, Number(key.slice(1)), name);
    return schema;
  } catch (error) {
    throw error instanceof TuskError ? new CallError(`--schema: ${error.reason}`) : error;
  }
}
