// The one error class.
import { afterEach, expect, test, vi } from "vitest";

afterEach(() => {
  vi.unstubAllGlobals();
  vi.resetModules();
});

test("an error has only the places that it was given", async () => {
  const { TuskError } = await import("../../src/errors.ts");
  const bare = new TuskError("ds", "bad-hex", "no digit");
  expect(["offset", "line", "path", "cause"].filter((name) => name in bare)).toEqual([]);
  const placed = new TuskError("introspection", "bad-value", "no number", { line: 3, path: ".hp" });
  expect(placed).toMatchObject({ format: "introspection", code: "bad-value", reason: "no number", line: 3, path: ".hp" });
  expect(placed.message).toBe("no number (in line 3, at .hp) [introspection: bad-value]");
});

test("nor has it the line of the program, which Safari and Bun give to every error", async () => {
  class SafariError extends Error {
    line = 17;
  }
  vi.stubGlobal("Error", SafariError);
  const { TuskError } = await import("../../src/errors.ts");
  expect(new TuskError("ds", "bad-hex", "no digit")).not.toHaveProperty("line");
  expect(new TuskError("introspection", "bad-value", "no number", { line: 3 }).line).toBe(3);
});
