// Renaming over an existing file, and removing one.
import { systemCode } from "./failure.ts";
import type { FileSystem } from "./file-system.ts";
import type { Eventually, Steps } from "./steps.ts";

/** Windows refuses while a virus scanner, an indexer or a reader holds either file, mostly for some milliseconds. */
const HELD: unknown[] = ["EPERM", "EACCES", "EBUSY"];

/** Milliseconds before each further attempt, 1.5 s together; then the error is final. */
const PAUSES = [10, 20, 40, 80, 150, 300, 400, 500];

/** Elsewhere the same codes mean that the user may not, which waiting does not change. `outdated`: is it not wanted any more? Then it answers false. */
export function* retrySteps(fs: FileSystem, call: () => Eventually<void>, outdated = () => false): Steps<boolean> {
  for (let attempt = 0; ; attempt++) {
    if (outdated()) return false;
    try {
      yield call();
      return true;
    } catch (error) {
      if (fs.platform !== "win32" || attempt >= PAUSES.length || !HELD.includes(systemCode(error))) throw error;
    }
    yield fs.sleep(PAUSES[attempt]);
  }
}
