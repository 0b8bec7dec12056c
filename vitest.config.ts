import { availableParallelism } from "node:os";
import { dirname, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { configDefaults, defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { compiled, compileSources } from "./scripts/test-sources.mjs";

const ROOT = fileURLToPath(new URL(".", import.meta.url));

// Memory of a megabyte and more is the system's, given back when it is free: kept for later, as glibc would, it is filled with zeros each time,
// and each codec with the js engine takes 11 MB.
process.env.MALLOC_MMAP_THRESHOLD_ ??= "1000000";

/**
 * Many short files that leave nothing behind and measure nothing closer than seconds: they share processes, so that the codecs are loaded once for all,
 * and a browser is started once.
 */
const SHARED = [
  "test/{detect,long-run}.test.ts",
  "test/bench/{command-line,conductor,is-program,own-modules,results,strong-js}.test.ts",
  "test/browser/{inspector,inspector-{access,compare,comparing,deep,editor,errors,focus,large,line-ends,order,rows,tree,values},strict-pages,worker}.test.ts",
  "test/cli/{commands,detect,diff,edited-members,edited-numbers,export-strings,formats,hostile-text,json-text,large-maps,nested,nested-size,notation,original,paths,progress,schemas,text-ends,unknown}.test.ts",
  "test/docs/{documents,pages}.test.ts",
  "test/ds/{arguments,convert,hostile,layout,properties,rules,vectors,windows}.test.ts",
  "test/elephant/{after-failures,arguments,async-streams,async-texts,async-turns,compare,containers,duplicate,first-writes,kernel-paths,large-saves,later-writes,layouts,long-arrays,many-*,notation}.test.ts",
  "test/elephant/{ops,own-members,parents,paths,programs,properties,reference,rules-*,sharing,small-saves,stand-ins,text-bytes}.test.ts",
  "test/enigma/{arguments,binary,evolution,growing,json,kernel,program-input,vectors}.test.ts",
  "test/introspection/{arguments,editor,hostile,moved-nodes,odd-values,original,program-documents,properties,superset,vectors}.test.ts",
  "test/node/{linked-paths,save-faults,save-files,sources}.test.ts",
  "test/package/{bundled,bundlers,installed,module,no-inlining,own-globals,packed-bytes,pure-calls,size}.test.ts",
  "test/scripts/*.test.ts",
  "test/start/start.test.ts",
  "test/worker/{gone,port}.test.ts",
];

/** They load the package's modules anew, which Node does for no one. */
const ANEW = ["test/engine/{errors,permissions}.test.ts", "test/enigma/own-sha1.test.ts"];

/** Sources are taken as Node loads them. */
const sources = {
  name: "sources",
  enforce: "pre" as const,
  buildStart: compileSources,
  resolveId: (id: string, importer: string | undefined) =>
    // The runner takes the id for a part of a URL.
    importer
      ? compiled(resolve(dirname(importer), id))
          ?.replaceAll("\\", "/")
          .replaceAll("%", "%25")
      : undefined,
};

/**
 * The longest files that have a process of their own, the longest of all at the front: what begins last decides when the last processor is done. Those that
 * share processes come behind all others, one process for each processor.
 */
const LONGEST = [
  "test/elephant/nested-errors.test.ts",
  "test/cli/vectors.test.ts",
  "test/elephant/vectors.test.ts",
  "test/elephant/vectors-strict-page.test.ts",
  "test/elephant/async-vectors.test.ts",
  "test/elephant/hostile.test.ts",
  "test/elephant/layout-rows.test.ts",
  "test/elephant/nested-sizes.test.ts",
  "test/elephant/nested-values.test.ts",
  "test/elephant/nested-constructors.test.ts",
  "test/cli/program.test.ts",
  "test/enigma/damage.test.ts",
  "test/elephant/boundaries.test.ts",
];

/** By what is known above, so that the first run of a checkout is as short as later ones, which know how long each file took. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = (file: TestSpecification) => {
      const found = LONGEST.indexOf(relative(ROOT, file.moduleId).replaceAll("\\", "/"));
      return found < 0 ? LONGEST.length : found;
    };
    return (await super.sort(files)).sort((a, b) => place(a) - place(b));
  }
}

export default defineConfig({
  test: {
    // Test files wait for nothing but the processor, and the process that starts them only for them.
    maxWorkers: availableParallelism(),
    sequence: { sequencer: LongestFirst },
    // The default reporter lists every slow test; here a line for each file is enough.
    slowTestThreshold: 60_000,
    // Time limits are for what hangs, not for machines that have other work.
    testTimeout: 60_000,
    setupFiles: ["test/compile-late.ts", "test/equal-bytes.ts"],
    // A collector's helpers would take the processor that the other file is running on: alone, test/cli/vectors.test.ts takes 46 s of it with them, 26 without.
    // Nearly all that a test makes is garbage by its end; a young generation of this size finds most of it so.
    execArgv: ["--single-threaded-gc", "--min-semi-space-size=16"],
    server: { deps: { external: [/\/\.tusk-sources\//] } },
    projects: [
      {
        extends: true,
        plugins: [sources],
        test: { name: "alone", include: ["test/**/*.test.ts"], exclude: [...configDefaults.exclude, ...SHARED, ...ANEW] },
      },
      { extends: true, plugins: [sources], test: { name: "together", include: SHARED, isolate: false } },
      { extends: true, test: { name: "anew", include: ANEW } },
    ],
  },
});
