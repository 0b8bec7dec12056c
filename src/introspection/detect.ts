// Is this object introspection text? It begins with an object's name, an id and a block (formats/introspection.md).
import type { Detection } from "../detection.ts";

export function detectIntrospection(beginning: string): Detection | undefined {
  if (!/^\uFEFF?[A-Za-z_]\w* = (?:ref instance )?-?\d+[ \t]*\r?\n\{/.test(beginning)) return undefined;
  return { format: "introspection", form: "text", confidence: "certain" };
}
