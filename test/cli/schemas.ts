// `--schema` for the golden vectors.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { SCHEMA } from "../../src/elephant/index.ts";
import { buildClasses, type ConstructorNotation } from "../elephant/notation.ts";

/** Schemas by constructor name, and the arguments that give them; none where no constructor has one. */
export function schemaArguments(
  folder: string,
  ctors: Record<string, ConstructorNotation> | undefined,
): { schemas: object | undefined; schema: string[] } {
  const schemas: Record<string, unknown> = {};
  for (const [name, type] of Object.entries(buildClasses(ctors))) if (type[SCHEMA]) schemas[name] = type[SCHEMA];
  if (Object.keys(schemas).length === 0) return { schemas: undefined, schema: [] };
  const file = join(folder, "schemas.json");
  writeFileSync(file, JSON.stringify(schemas));
  return { schemas, schema: ["--schema", file] };
}
