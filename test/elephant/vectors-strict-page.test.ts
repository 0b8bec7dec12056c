// Every golden vector where strings may not become code, as on a page with a strict content security policy.

import "./refuse-code-generation.ts";
import { expect, test } from "vitest";
import { createElephantSync, ENGINES } from "./codec.ts";
import { testVectors } from "./vector-suite.ts";

test("code generation is refused in this file", () => {
  expect(() => new Function("return 1")).toThrow(EvalError);
});

for (const engine of ENGINES) {
  testVectors(
    `engine ${engine}, no code generation`,
    (options) => createElephantSync({ ...options, engine }),
    [],
    engine === "wasm" ? 2 : 3,
  );
}
