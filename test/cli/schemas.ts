// `--schema` files for the golden vectors.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { SCHEMA } from "../../src/elephant/index.ts";
import { buildClasses, type ConstructorNotation } from "../elephant/notation.ts";

export function schemaFile(folder: string, ctors: Record<string, ConstructorNotation> | undefined): string {
  const schemas: Record<string, unknown> = {};
  for (const [name, type] of Object.entries(buildClasses(ctors))) if (type[SCHEMA]) schemas[name] = type[SCHEMA];
  const file = join(folder, "schemas.json");
  writeFileSync(file, JSON.stringify(schemas));
  return file;
}
