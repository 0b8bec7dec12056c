// A bar chart of one operation as SVG, readable on light and dark ground: speed relative to the strong JavaScript codec, per corpus.
import { speedup } from "./tables.mjs";

const TUSK = "tusk";
const REFERENCE = "strong-js";

/** Candidates shown, with their colours: distinguishable for colour-blind readers and on both grounds. */
const SERIES = [
  ["tusk", "#d97706"],
  ["tusk js engine", "#b45309"],
  ["strong-js", "#6b7280"],
  ["JSON", "#2563eb"],
  ["msgpackr records", "#059669"],
  ["v8.serialize", "#9333ea"],
];
const WIDTH = 760;
const LABEL = 110;
const BAR = 11;
const GAP = 18;
const STYLE = `text{font:12px system-ui,sans-serif;fill:#1f2937}.axis{stroke:#9ca3af;stroke-width:1}.one{stroke:#6b7280;stroke-dasharray:3 3}
@media(prefers-color-scheme:dark){text{fill:#e5e7eb}.axis,.one{stroke:#6b7280}}`;

const escapeText = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");

/**
 * How long a bar is, of 1 for the reference. Tusk's is what the rounds say that it had with the reference; the bar of anyone else stands to Tusk's as they
 * did in their own rounds with Tusk, so that no bar contradicts a table.
 */
function speedOf(corpora, corpus, operation, name) {
  const own = speedup(corpora, corpus, operation, TUSK, REFERENCE);
  if (own === undefined || name === TUSK || name === REFERENCE) return speedup(corpora, corpus, operation, name, REFERENCE) ?? 0;
  const against = speedup(corpora, corpus, operation, TUSK, name);
  return against === undefined ? 0 : own / against;
}

/** @returns {string} */
export function renderChart(report, operation) {
  const corpora = report.corpora
    .map((c) => ({ name: c.corpus, results: c.operations.find((o) => o.operation === operation)?.results ?? [] }))
    .filter((c) => c.results.length > 0);
  const shown = SERIES.filter(([name]) => corpora.some((c) => c.results.some((r) => r.name === name)));
  const speeds = corpora.map((c) => shown.map(([name]) => speedOf(report.corpora, c.name, operation, name)));
  const largest = Math.max(1.2, ...speeds.flat());
  const x = (speed) => LABEL + (speed / largest) * (WIDTH - LABEL - 60);
  const parts = [];
  let y = 50;
  for (let c = 0; c < corpora.length; c++) {
    const height = shown.length * BAR;
    parts.push(`<text x="${LABEL - 8}" y="${y + height / 2 + 4}" text-anchor="end">${escapeText(corpora[c].name)}</text>`);
    shown.forEach(([, colour], s) => {
      const speed = speeds[c][s];
      if (speed === 0) return;
      parts.push(`<rect x="${LABEL}" y="${y + s * BAR}" width="${(x(speed) - LABEL).toFixed(1)}" height="${BAR - 2}" fill="${colour}"/>`);
      parts.push(
        `<text x="${(x(speed) + 4).toFixed(1)}" y="${y + s * BAR + BAR - 2}" font-size="9" style="font-size:9px">${speed.toFixed(2)}</text>`,
      );
    });
    y += height + GAP;
  }
  let at = LABEL;
  const legend = shown.map(([name, colour]) => {
    const item = `<rect x="${at}" y="26" width="10" height="10" fill="${colour}"/><text x="${at + 14}" y="35">${escapeText(name)}</text>`;
    at += 30 + name.length * 6.5;
    return item;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${y}" width="${WIDTH}" height="${y}" role="img">
<title>${operation}: speed relative to strong-js, longer is faster</title>
<style>${STYLE}</style>
<text x="${LABEL}" y="16">${operation}: speed relative to the strong JavaScript codec (1 = equal, longer is faster)</text>
${legend.join("")}
${parts.join("\n")}
<line class="axis" x1="${LABEL}" y1="44" x2="${LABEL}" y2="${y - GAP + 4}"/>
<line class="one" x1="${x(1).toFixed(1)}" y1="44" x2="${x(1).toFixed(1)}" y2="${y - GAP + 4}"/>
</svg>
`;
}
