// The streams of a call: input, output, colour, progress. Tests hand in their own.
import { once } from "node:events";
import { constants } from "node:os";
import type { Readable, Writable } from "node:stream";
import { Inaccessible } from "./failure.ts";
import { visible } from "./visible.ts";

export interface Terminal {
  readonly stdin: Readable;
  /** So many bytes are taken of it; without this as many as of any stream. */
  readonly mostInput?: number | undefined;
  readonly stdout: Writable & { isTTY?: boolean; columns?: number };
  readonly stderr: Writable & { isTTY?: boolean; columns?: number };
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal?: AbortSignal | undefined;
  /**
   * From now until the returned function is called an interruption aborts `signal`. At other times it ends the program at once: there is nothing to
   * clean up, and work that does not pause would not hear of it.
   */
  readonly catchInterruption?: () => () => void;
}

/** A signal that asks the program to end; the reason of {@link Terminal.signal}. */
export class Interruption extends Error {
  /** The exit status, as shells report a program that a signal ended. */
  readonly status: number;

  constructor(signal: NodeJS.Signals) {
    super(signal);
    this.status = 128 + constants.signals[signal];
  }
}

/** What the system says then; Windows says EOF. */
const GONE = new Set<unknown>(["EPIPE", "EOF"]);

/** The reader of a pipe has gone; there is nobody left to write for. */
export class ClosedPipe extends Error {}

/** Writes a result to standard output and waits until it takes more. */
export async function put(stream: Writable, piece: string | Uint8Array): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const done = (error?: Error | null): void => {
      if (!error) resolve();
      else if (GONE.has((error as NodeJS.ErrnoException).code)) reject(new ClosedPipe());
      else reject(new Inaccessible(`standard output cannot be written: ${error.message}`));
    };
    try {
      stream.write(piece, done);
    } catch (error) {
      // So it comes in Deno.
      done(error as Error);
    }
  });
  if (stream.writableNeedDrain) await once(stream, "drain");
}

/** Writes a message to standard error. When that fails there is nobody left to tell; the exit status stays. */
export async function tell(stream: Writable, message: string): Promise<void> {
  await new Promise<void>((resolve) => {
    try {
      stream.write(message, () => resolve());
    } catch {
      // So it comes in Deno, and from a full disk in Node before 20.3.
      resolve();
    }
  });
}

/** Style of a text; without colour it is the text. Either way the text is made {@link visible}. */
export interface Style {
  name(text: string): string;
  value(text: string): string;
  kind(text: string): string;
  dim(text: string): string;
  added(text: string): string;
  removed(text: string): string;
}

const PLAIN: Style = { name: visible, value: visible, kind: visible, dim: visible, added: visible, removed: visible };

function paint(code: number): (text: string) => string {
  return (text) => `\u001b[${code}m${visible(text)}\u001b[0m`;
}
const COLOURED: Style = { name: paint(36), value: paint(33), kind: paint(35), dim: paint(2), added: paint(32), removed: paint(31) };

/** `--color` and `--no-color` decide, else NO_COLOR, else whether the output is a terminal. */
export function styleFor(terminal: Terminal, asked: boolean | undefined): Style {
  const coloured = asked ?? (!terminal.env.NO_COLOR && terminal.stdout.isTTY === true && terminal.env.TERM !== "dumb");
  return coloured ? COLOURED : PLAIN;
}

/** Milliseconds before a bar appears: who waits less does not need one. */
const PATIENCE = 500;
/**
 * Bytes from which on work in one piece shows its title at once: it does not pause to draw later. A file of so many takes about {@link PATIENCE}
 * to decode (15 to 30 MB a second on a slow machine).
 */
export const LARGE = 8_000_000;
/** Milliseconds between two drawings. */
const PAUSE = 80;
const BAR = 30;
/** Columns of a terminal that does not tell. */
const COLUMNS = 80;

/** `title` in so many columns; what is not ASCII may take two. */
function cutTitle(title: string, columns: number): string {
  const width = (character: string) => (character < "\u007f" ? 1 : 2);
  const characters = [...title];
  if (characters.reduce((sum, character) => sum + width(character), 0) <= columns) return title;
  let left = columns - width("…");
  let shown = "";
  for (const character of characters) {
    left -= width(character);
    if (left < 0) break;
    shown += character;
  }
  return `${shown}…`;
}

/** A bar on a terminal, nothing in a pipe. */
export class Progress {
  private stream: Terminal["stderr"] | undefined;
  private readonly start = performance.now();
  private drawn = 0;
  private title = "";

  constructor(terminal: Terminal, quiet: boolean) {
    // A dumb terminal cannot take a line away.
    this.stream = terminal.stderr.isTTY && !quiet && terminal.env.TERM !== "dumb" ? terminal.stderr : undefined;
  }

  /** What is being done now, with so many bytes. Work that cannot tell how far it is shows its title alone. */
  phase(title: string, bytes = 0): void {
    this.title = visible(title);
    // A title that is shown is not left there for other work.
    if (this.stream && (this.drawn > 0 || bytes >= LARGE || performance.now() - this.start >= PATIENCE)) this.draw(undefined);
  }

  update(done: number, total: number | undefined): void {
    if (!this.stream) return;
    const now = performance.now();
    if (now - this.start < PATIENCE || now - this.drawn < PAUSE) return;
    this.draw(total ? Math.min(1, done / total) : undefined);
  }

  private draw(part: number | undefined): void {
    this.drawn = performance.now();
    // In the last column some terminals begin a new line, and what stands above it would stay.
    const columns = (this.stream!.columns || COLUMNS) - 1;
    const cells = Math.max(0, Math.min(BAR, (columns >> 1) - 8));
    const filled = Math.round((part ?? 0) * cells);
    const bar = part === undefined ? "..." : `[${"#".repeat(filled)}${" ".repeat(cells - filled)}] ${Math.floor(part * 100)}%`;
    const title = cutTitle(this.title, columns - bar.length - 1);
    this.stream!.write(`\r\u001b[K${`${title} ${bar}`.slice(0, columns)}`);
  }

  /** Takes the bar away, before anything else is written. */
  end(): void {
    if (this.drawn > 0) this.stream!.write("\r\u001b[K");
    this.drawn = 0;
  }

  /** Takes the bar away for good, before a result is written to the same terminal: its pieces end within lines, which drawing would wipe. */
  close(): void {
    this.end();
    this.stream = undefined;
  }
}
