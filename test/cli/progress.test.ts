// What is shown of work that takes long.
import { Readable, Writable } from "node:stream";
import { expect, test } from "vitest";
import type { Call } from "../../src/cli/command.ts";
import { Inaccessible } from "../../src/cli/failure.ts";
import { writeOutput } from "../../src/cli/output.ts";
import { ClosedPipe, LARGE, Progress, put, tell } from "../../src/cli/terminal.ts";

/** A Progress that has just begun, and what it draws. */
function progress({ isTTY = true, TERM = "xterm", quiet = false } = {}) {
  const drawn: string[] = [];
  const write = (piece: Buffer, _encoding: string, done: () => void) => {
    drawn.push(piece.toString());
    done();
  };
  const stream = () => Object.assign(new Writable({ write }), { isTTY });
  const terminal = { stdin: Readable.from([]), stdout: stream(), stderr: stream(), env: { TERM } };
  return { shown: new Progress(terminal, quiet), drawn, terminal };
}

const drawing = (title: string) => `\r\u001b[K${title} ...`;

test("work on a large file shows its title before it begins, since it cannot later", () => {
  const { shown, drawn } = progress();
  shown.phase("decoding a.dat", LARGE);
  expect(drawn).toEqual(["\r\u001b[Kdecoding a.dat ..."]);
});

test("a title that is shown gives way to the next, and to what is printed", () => {
  const { shown, drawn } = progress();
  shown.phase("decoding a.dat", LARGE);
  shown.phase("warming up");
  shown.end();
  expect(drawn.slice(1)).toEqual(["\r\u001b[Kwarming up ...", "\r\u001b[K"]);
});

test.each<[number | undefined, string, string]>([
  [undefined, `decoding ${"a".repeat(66)}`, `decoding ${"a".repeat(66)}`],
  [undefined, `decoding ${"a".repeat(67)}`, `decoding ${"a".repeat(64)}…`],
  [19, "decoding a.dat", "decoding a.dat"],
  [18, "decoding a.dat", "decoding a.…"],
  // These may take two columns each.
  [18, "decoding ééé", "decoding é…"],
])("in %s columns the title %s is %s", (columns, title, cut) => {
  const { shown, drawn, terminal } = progress();
  Object.assign(terminal.stderr, { columns });
  shown.phase(title, LARGE);
  expect(drawn).toEqual([drawing(cut)]);
});

test("work on a small file shows nothing", () => {
  const { shown, drawn } = progress();
  shown.phase("decoding a.dat", LARGE - 1);
  shown.update(1, 2);
  shown.end();
  expect(drawn).toEqual([]);
});

test.each<[string, object]>([
  ["a pipe", { isTTY: false }],
  ["a dumb terminal", { TERM: "dumb" }],
  ["quiet", { quiet: true }],
])("%s: nothing, however large the file is", (_title, settings) => {
  const { shown, drawn } = progress(settings);
  shown.phase("decoding a.dat", LARGE);
  shown.end();
  expect(drawn).toEqual([]);
});

test.each<[string, boolean, string]>([
  ["a terminal: no bar is drawn into it", true, `${drawing("1")}\r\u001b[K{}`],
  ["a pipe: the bar on the terminal goes on", false, `${drawing("1")}{${drawing("2")}}\r\u001b[K`],
])("a result that goes to %s", async (_title, isTTY, expected) => {
  const { shown, drawn, terminal } = progress();
  terminal.stdout.isTTY = isTTY;
  function* pieces() {
    yield Buffer.from("{");
    shown.phase("2", LARGE);
    shown.update(1, 2);
    yield Buffer.from("}");
  }
  shown.phase("1", LARGE);
  await writeOutput({ terminal, progress: shown, number: () => 0 } as unknown as Call, "-", pieces(), false);
  shown.end();
  expect(drawn.join("")).toBe(expected);
});

test.each([
  ["ENOSPC", Inaccessible, "standard output cannot be written: full"],
  ["EPIPE", ClosedPipe, ""],
  ["EOF", ClosedPipe, ""],
])("a result that a stream refuses at once, as Deno's do: %s", async (code, kind, message) => {
  const stream = new Writable();
  stream.write = () => {
    throw Object.assign(new Error("full"), { code });
  };
  const error = await put(stream, "x").catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(kind);
  expect((error as Error).message).toBe(message);
});

test("a message that standard error refuses at once ends nothing", async () => {
  const stream = new Writable();
  stream.write = () => {
    throw new Error("full");
  };
  expect(await tell(stream, "x")).toBe(undefined);
});
