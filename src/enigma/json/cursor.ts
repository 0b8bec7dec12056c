// A cursor over the JSON backend's document: JSON with what the engine's writer does to it (formats/enigma.md §3, §4.8). It
// works on bytes, because texts may hold any; errors carry the byte offset in the file.
import { encoder } from "../../engine/platform-text.ts";
import { fail, growable, type Warnings } from "../failure.ts";
import type { EnigmaText } from "../model.ts";
import { textOf } from "../text.ts";
import { ESCAPED, ESCAPES } from "./escapes.ts";

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;

/** Messages show no more of a word, and no integer has as many digits. */
const LONG_WORD = 40;

interface JsonPlace {
  readonly start: number;
  readonly end: number;
}

/** Names that an object may have, for {@link JsonCursor.members}. */
export class KeyList {
  readonly names: readonly string[];
  readonly quoted: readonly Uint8Array[];
  readonly index: ReadonlyMap<EnigmaText, number>;

  constructor(names: readonly string[]) {
    this.names = names;
    this.quoted = names.map((name) => encoder.encode(`"${name}":`));
    this.index = new Map(names.map((name, i) => [name, i]));
  }
}

export class JsonCursor {
  readonly bytes: Uint8Array;
  readonly end: number;
  readonly warnings: Warnings;
  at: number;
  /** The first place where the text differs from what the engine would write for the same values; such a file is not reproduced. */
  foreign: number | undefined;

  constructor(bytes: Uint8Array, at: number, end: number, warnings: Warnings) {
    this.bytes = bytes;
    this.at = at;
    this.end = end;
    this.warnings = warnings;
  }

  /** `isValue`: a text or number is expected, and a value of another kind is no fault of the syntax. */
  syntax(expected: string, isValue = false): never {
    const found = this.at < this.end ? `found ${JSON.stringify(String.fromCharCode(this.bytes[this.at]!))}` : "the document ends";
    const code = isValue && /[\w[{"-]"$/.test(found) ? "json-bad-value" : "json-syntax";
    return fail(code, `expected ${expected}, ${found}`, this.at);
  }

  /** Refuses the word before the cursor; one that the document ends with is cut off. */
  badWord(message: string, at: number): never {
    return fail(this.at < this.end ? "json-bad-value" : "json-syntax", message, at);
  }

  /** The next byte that is no white space; -1 at the end. */
  peek(): number {
    const { bytes, end } = this;
    let at = this.at;
    if (at < end && bytes[at]! <= 0x20) {
      while (at < end && (bytes[at] === 0x20 || bytes[at] === 9 || bytes[at] === 10 || bytes[at] === 13)) at++;
      if (at > this.at) {
        this.foreign ??= this.at;
        this.at = at;
      }
    }
    return at < end ? bytes[at]! : -1;
  }

  /** Where what comes next begins, behind white space. */
  start(): number {
    this.peek();
    return this.at;
  }

  expect(byte: number): void {
    if (this.peek() !== byte) this.syntax(JSON.stringify(String.fromCharCode(byte)));
    this.at++;
  }

  /** Passes the byte if it is next. */
  pass(byte: number): boolean {
    if (this.peek() !== byte) return false;
    this.at++;
    return true;
  }

  /** Passes a comma, or the byte that closes: then nothing more follows. */
  private more(close: number): boolean {
    if (this.pass(COMMA)) return true;
    if (!this.pass(close)) this.syntax(`',' or '${String.fromCharCode(close)}'`);
    return false;
  }

  private list<T>(close: number, read: (index: number) => T): T[] {
    const list: T[] = [];
    if (!this.pass(close))
      do {
        this.peek();
        list.push(read(growable(list.length)));
      } while (this.more(close));
    return list;
  }

  /** What `element` reads, for each element of an array; it is called at the first byte. */
  array<T>(element: (index: number) => T): T[] {
    this.expect(OPEN_BRACKET);
    return this.list(CLOSE_BRACKET, element);
  }

  /** A key and its colon. */
  key(): EnigmaText {
    if (this.peek() !== QUOTE) this.syntax("a key");
    const key = this.text();
    this.expect(COLON);
    return key;
  }

  /** What `member` reads, key and value, for each member of an object behind its brace. Ends behind the other. */
  entries<T>(member: () => T): T[] {
    return this.list(CLOSE_BRACE, member);
  }

  /**
   * Reads an object whose keys are known: `member` is called with the position of each in `keys` and reads its value; unknown keys
   * are skipped (formats/enigma.md §7). All keys must be there.
   */
  members(keys: KeyList, what: string, member: (index: number) => void): void {
    const start = this.start();
    this.expect(OPEN_BRACE);
    let seen = 0;
    let next = 0;
    let open = !this.pass(CLOSE_BRACE);
    while (open) {
      const index = this.matches(keys.quoted[next]) ? next : (keys.index.get(this.key()) ?? -1);
      if (index !== next) this.foreign ??= this.at;
      if (index < 0) this.skip();
      else {
        member(index);
        seen |= 1 << index;
        next = index + 1;
      }
      open = this.more(CLOSE_BRACE);
    }
    if (seen !== (1 << keys.names.length) - 1) {
      const missing = keys.names.filter((_, i) => !(seen & (1 << i)));
      fail("json-missing-key", `${what} lacks ${missing.map((name) => JSON.stringify(name)).join(", ")}`, start);
    }
  }

  /** Passes a quoted key with its colon if exactly these bytes are next. */
  matches(quoted: Uint8Array | undefined): boolean {
    if (!quoted || quoted.length > this.end - this.at) return false;
    const { bytes, at } = this;
    for (let i = 0; i < quoted.length; i++) if (bytes[at + i] !== quoted[i]) return false;
    this.at = at + quoted.length;
    return true;
  }

  /** A text; raw control characters and bytes that are not UTF-8 are taken as they are (formats/enigma.md §4.8). */
  text(): EnigmaText {
    if (this.peek() !== QUOTE) this.syntax("a text", true);
    const { bytes, end } = this;
    const start = this.at + 1;
    let at = start;
    let escaped = false;
    let control = false;
    for (; ; at++) {
      if (at >= end) fail("json-syntax", "the document ends inside a text", start - 1);
      const byte = bytes[at]!;
      if (byte === QUOTE) break;
      if (byte === BACKSLASH) {
        escaped = true;
        at++;
      } else if (byte < 0x20) {
        if (ESCAPED[byte] === undefined) control = true;
        else this.foreign ??= at;
      }
    }
    this.at = at + 1;
    const text = escaped ? this.unescaped(start, at) : textOf(bytes, start, at);
    if (control) this.warnings.tally("json-raw-control", "a text holds a control character that is not escaped", { offset: start - 1 });
    if (typeof text !== "string") this.warnings.tally("json-invalid-utf8", "a text holds bytes that are not UTF-8", { offset: start - 1 });
    return text;
  }

  private unescaped(start: number, end: number): EnigmaText {
    const { bytes } = this;
    const out = new Uint8Array(end - start);
    let n = 0;
    for (let at = start; at < end; at++) {
      const byte = bytes[at]!;
      if (byte !== BACKSLASH) {
        out[n++] = byte;
        continue;
      }
      const kind = bytes[++at]!;
      if (kind === 0x75) {
        this.foreign ??= at;
        let code = this.hex4(at + 1);
        at += 4;
        if (code >= 0xd800 && code < 0xdc00 && bytes[at + 1] === BACKSLASH && bytes[at + 2] === 0x75) {
          const low = this.hex4(at + 3);
          if (low >= 0xdc00 && low < 0xe000) {
            code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
            at += 6;
          }
        }
        const utf8 = utf8Of(code);
        out.set(utf8, n);
        n += utf8.length;
        continue;
      }
      const value = ESCAPES[kind];
      if (!value) fail("json-syntax", "unknown escape", at - 1);
      if (kind === 0x2f) this.foreign ??= at;
      out[n++] = value;
    }
    return textOf(out, 0, n);
  }

  private hex4(at: number): number {
    // Behind the text stands its quote, which is no digit.
    const digits = String.fromCharCode(...this.bytes.subarray(at, at + 4));
    if (!/^[\da-f]{4}$/i.test(digits)) fail("json-syntax", "expected four hexadecimal digits", at);
    return Number.parseInt(digits, 16);
  }

  /** Passes a number or bare word, everything up to the next delimiter, and returns where it began. */
  private passWord(): number {
    const start = this.start();
    const { bytes, end } = this;
    let at = start;
    while (at < end) {
      const byte = bytes[at]!;
      if (
        byte === COMMA ||
        byte === CLOSE_BRACE ||
        byte === CLOSE_BRACKET ||
        byte <= 0x20 ||
        byte === QUOTE ||
        byte === OPEN_BRACE ||
        byte === OPEN_BRACKET ||
        byte === COLON
      )
        break;
      at++;
    }
    if (at === start) this.syntax("a value", true);
    this.at = at;
    return start;
  }

  /**
   * The text of a number or bare word. A damaged file may have one of any length: a long one is given whole only to a caller that `takesLong`. Of any
   * other the beginning and three points are given, which no number ends with.
   */
  word(takesLong = false): string {
    const start = this.passWord();
    const { bytes, at } = this;
    const whole = at - start <= LONG_WORD || takesLong;
    const text = whole ? textOf(bytes, start, at) : undefined;
    return typeof text === "string" ? text : `${String.fromCharCode(...bytes.subarray(start, Math.min(at, start + LONG_WORD)))}...`;
  }

  /**
   * Passes one value of any form and returns its place. Without recursion. A `char` may stand unescaped, quote, byte, quote: where the text
   * reading of a quote leads to no delimiter, that form is taken (formats/enigma.md §4.8).
   */
  skip(): JsonPlace {
    const start = this.start();
    const open: number[] = [];
    for (;;) {
      const byte = this.peek();
      if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
        this.at++;
        const close = byte + 2;
        if (!this.pass(close)) {
          growable(open.length);
          open.push(close);
          if (byte === OPEN_BRACE) this.skipKey();
          continue;
        }
      } else if (byte === QUOTE) this.skipText();
      else this.passWord();
      // A value is complete: it closes what it was the last of, or another follows.
      while (open.length > 0) {
        const close = open[open.length - 1]!;
        const next = this.peek();
        if (next === COMMA) {
          this.at++;
          if (close === CLOSE_BRACE) this.skipKey();
          break;
        }
        if (next !== close) this.syntax("a delimiter");
        this.at++;
        open.pop();
      }
      if (open.length === 0) return { start, end: this.at };
    }
  }

  private skipKey(): void {
    if (this.peek() !== QUOTE) this.syntax("a key");
    this.skipText();
    this.expect(COLON);
  }

  private skipText(): void {
    const { bytes, end } = this;
    const start = this.at;
    let at = start + 1;
    while (at < end && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
    this.at = at + 1;
    if (at < end && this.atDelimiter()) return;
    if (start + 2 < end && bytes[start + 2] === QUOTE) {
      this.at = start + 3;
      if (this.atDelimiter()) return;
    }
    fail("json-syntax", "a text that does not end", start);
  }

  private atDelimiter(): boolean {
    const next = this.peek();
    return next === COMMA || next === CLOSE_BRACE || next === CLOSE_BRACKET || next === COLON || next === -1;
  }
}

/** UTF-8 of a code point; a lone surrogate gives three bytes that are not UTF-8, so nothing is lost. */
function utf8Of(code: number): ArrayLike<number> {
  return code >> 11 === 0x1b ? [0xed, 0x80 | ((code >> 6) & 0x3f), 0x80 | (code & 0x3f)] : encoder.encode(String.fromCodePoint(code));
}
