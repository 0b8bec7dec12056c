// What memory costs on this machine, which decides how fast anything is that makes large results.
import { readFileSync } from "node:fs";
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

/** When the system gives 2 MB where a page of them is touched: "always", so that a page costs its part of that, "madvise", "never"; undefined where it does not say. */
export function hugePages() {
  try {
    return /\[(\w+)\]/.exec(readFileSync("/sys/kernel/mm/transparent_hugepage/enabled", "latin1"))?.[1];
  } catch {
    return undefined;
  }
}
