// Every golden vector on both byte levels, with code generation where the engine uses it.

import { createElephantSync, ENGINES } from "./codec.ts";
import { testVectors } from "./vector-suite.ts";

for (const engine of ENGINES) {
  testVectors(`engine ${engine}`, (options) => createElephantSync({ ...options, engine }), [], engine === "wasm" ? 0 : 1);
}
