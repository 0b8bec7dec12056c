// `tusk-codec`: everything public, one line for each format. Whoever needs one format only imports `tusk-codec/<format>`.

// In the order that src/engine/engines-first.ts has the reason for.
import "./engine/engines-first.ts";
import "./elephant/index.ts";
import "./introspection/index.ts";

export { detect } from "./detect.ts";
export type { Detection } from "./detection.ts";
export * from "./ds/index.ts";
export * from "./elephant/index.ts";
export * from "./enigma/index.ts";
export * from "./introspection/index.ts";
