// The package's own worker: one script that runs as a classic or module worker of a page and in Node's worker_threads.
import { serveTusk } from "./serve.ts";

serveTusk();
