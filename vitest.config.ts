import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    // Test files wait for nothing but the processor, and the process that starts them only for them.
    maxWorkers: availableParallelism(),
    // Time limits are for what hangs, not for machines that have other work.
    testTimeout: 60_000,
    // The default reporter lists every slow test; here a line for each file is enough.
    slowTestThreshold: 60_000,
  },
});
