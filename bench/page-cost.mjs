// What memory costs on this machine, which decides how fast anything is that makes large results.
import { summary } from "./statistics.mjs";

const PAGE = 4096;
/** More than allocators keep for later, so that the system is asked for new pages each time. */
const PAGES = 16384;

/** Microseconds for each page of memory that is touched for the first time: the median of five times 64 MB. */
export function pageMicroseconds() {
  const times = Array.from({ length: 5 }, () => {
    const bytes = new Uint8Array(PAGES * PAGE);
    const start = performance.now();
    for (let at = 0; at < bytes.length; at += PAGE) bytes[at] = 1;
    return ((performance.now() - start) / PAGES) * 1000;
  });
  return Number(summary(times).median.toFixed(2));
}
