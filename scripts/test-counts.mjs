// What a run of the tests counts as.

/**
 * `report`: the runner's own, in JSON; `code`: its exit code.
 * @returns {{ passed: number, failed: number, skipped: number }}
 */
export function countsOf(report, code) {
  const { numPassedTests: passed, numFailedTests, numPendingTests, numTodoTests = 0, testResults } = JSON.parse(report);
  // A file that could not even be loaded holds no failed test.
  const broken = testResults.filter(
    (file) => file.status === "failed" && !file.assertionResults.some((test) => test.status === "failed"),
  ).length;
  const found = numFailedTests + broken;
  // Errors outside of tests show only in the exit code.
  return { passed, failed: code === 0 ? found : Math.max(found, 1), skipped: numPendingTests + numTodoTests };
}
