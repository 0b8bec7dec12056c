// The results of Chromium beside those of Node: how many times faster Tusk is than each, there and there.
import { operationsOf } from "./report.mjs";
import { duration, factor, resultOf, speedup, table } from "./tables.mjs";

const OPPONENTS = ["strong-js", "JSON", "msgpackr records", "msgpackr structuredClone"];

/** Why results of Node would say something else than those of a browser beside them; undefined where they go together. @returns {string | undefined} */
export function unlike(node, browser) {
  if (node.scale !== browser.scale) return `Node's are of scale ${node.scale}, these of scale ${browser.scale}`;
  return node.mutator ? "Node's are with a young generation of 256 MB" : undefined;
}

export function renderBesideNode(node, browser) {
  const operations = operationsOf(browser);
  return operations
    .map((operation) => {
      const rows = browser.corpora
        .filter((c) => resultOf(browser.corpora, c.corpus, operation, "tusk") !== undefined)
        .map(({ corpus }) => {
          const own = (report) => resultOf(report.corpora, corpus, operation, "tusk")?.ms.median;
          const cells = OPPONENTS.map((opponent) =>
            [node, browser]
              .map((report) => speedup(report.corpora, corpus, operation, "tusk", opponent))
              .map((value) => (value === undefined ? "–" : factor(value)))
              .join(" / "),
          );
          return [corpus, [node, browser].map((report) => (own(report) === undefined ? "–" : duration(own(report)))).join(" / "), ...cells];
        });
      return `${operation}, Node / Chromium; times faster than\n\n${table(["corpus", "Tusk takes", ...OPPONENTS], rows)}`;
    })
    .join("\n\n");
}
