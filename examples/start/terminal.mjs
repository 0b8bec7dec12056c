// What the terminal shows: colours where there is a terminal, aligned columns, numbers that can be compared at a glance.
const coloured = process.env.FORCE_COLOR ? process.env.FORCE_COLOR !== "0" : process.stdout.isTTY && !process.env.NO_COLOR;
const style = (open, close) => (text) => (coloured ? `\u001b[${open}m${text}\u001b[${close}m` : String(text));

export const bold = style(1, 22);
export const dim = style(2, 22);
export const green = style(32, 39);
export const yellow = style(33, 39);
export const cyan = style(36, 39);
export const red = style(31, 39);

// biome-ignore lint/suspicious/noControlCharactersInRegex: colour codes take no room
const width = (text) => [...text.replace(/\u001b\[\d+m/g, "")].length;

/** Controls (escape sequences begin with one), line separators, and marks that turn the direction of what follows. */
const ACTIVE = /[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]/gu;

/** Text of a save or a file, as characters only: it is from a stranger, and a terminal obeys what is printed. */
export const visible = (text) => text.replace(ACTIVE, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);

process.stdout.on("error", (error) => {
  // Nobody reads on: `| head`. What was begun is ended all the same, and tidied up.
  // Windows says EOF.
  if (error.code !== "EPIPE" && error.code !== "EOF") throw error;
});

export function print(text = "") {
  process.stdout.write(`${text}\n`);
}

export function heading(text) {
  print();
  print(bold(text));
}

/** Rows of cells under each other; the first column to the left, the others as `align` says ("l" or "r" for each). */
export function table(rows, align) {
  const widths = [...align].map((_, column) => Math.max(...rows.map((row) => width(row[column] ?? ""))));
  for (const row of rows) {
    const cells = row.map((cell, column) => {
      const room = " ".repeat(widths[column] - width(cell));
      return align[column] === "r" ? room + cell : cell + room;
    });
    print(`  ${cells.join("   ").trimEnd()}`);
  }
}

export const count = (n) => n.toLocaleString("en-US");
export const megabytes = (bytes) => (bytes < 100_000 ? `${count(bytes)} bytes` : `${(bytes / 1e6).toFixed(2)} MB`);
export const milliseconds = (ms) =>
  ms < 0.1 ? `${(ms * 1000).toPrecision(2)} µs` : `${ms >= 100 ? ms.toFixed(0) : ms.toFixed(ms >= 10 ? 1 : 2)} ms`;
export const hex = (offset) => `0x${offset.toString(16).padStart(6, "0")}`;
