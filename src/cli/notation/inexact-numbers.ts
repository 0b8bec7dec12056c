// Numbers in a JSON text that JavaScript's are not: JSON.parse makes 1e400 Infinity and takes digits from 12345678901234567890, and says nothing.
import { TextError } from "./json-text.ts";

/**
 * Where such a number may be: 16 digits and more that are no fraction, an exponent of three and more, some hundred digits of any kind. Most
 * texts have none of it and are not looked at further. Counts without an upper end would cost the expression's stack on megabytes of digits.
 */
const SUSPECTS = /(?<![\d.])\d{16}|[eE]\+?\d{3}|(?<!\d)\d{200}/g;
const IN_NUMBER = /[-+.\deE]/;

/** The index of the quote that ends the string whose text begins at `at`. */
function stringEnd(text: string, at: number): number {
  for (;;) {
    const quote = text.indexOf('"', at);
    if (quote < 0) return text.length;
    let before = quote;
    while (before > at && text[before - 1] === "\\") before--;
    if ((quote - before) % 2 === 0) return quote;
    at = quote + 1;
  }
}

function nextQuote(text: string, from: number): number {
  const quote = text.indexOf('"', from);
  return quote < 0 ? Number.POSITIVE_INFINITY : quote;
}

/** What is wrong with a number as it is written; undefined when it is held, fractions rounded. */
function misheld(literal: string): string | undefined {
  const value = Number(literal);
  if (!Number.isFinite(value)) return `${shortened(literal)} is larger than a number can be; infinity is written {"$number": "Infinity"}`;
  // As most of 16 digits are: no text and no bigint has to be made of them.
  if (Number.isSafeInteger(value)) return undefined;
  // What `decode` writes are the digits that tell a double from its neighbours, and zeros: 18446744073709552000 for 2 to the 64th.
  if (!/^-?\d+$/.test(literal) || String(value) === literal || BigInt(literal) === BigInt(value)) return undefined;
  const whole = BigInt(literal);
  const fits = BigInt.asIntN(64, whole) === whole || BigInt.asUintN(64, whole) === whole;
  const advice = fits ? '; a 64-bit integer is written {"$bigint": "..."}, in introspection "..."' : "";
  return `${shortened(literal)} would become ${value}, which is the nearest number${advice}`;
}

function shortened(literal: string): string {
  return literal.length > 60 ? `${literal.slice(0, 60)}…` : literal;
}

/** Refuses numbers of a valid JSON text that would be changed by reading it. */
export function refuseInexactNumbers(text: string): void {
  /** Behind the last string that has been passed, and where the next one begins. */
  let outside = 0;
  let quote = nextQuote(text, 0);
  SUSPECTS.lastIndex = 0;
  for (let found = SUSPECTS.exec(text); found; found = SUSPECTS.exec(text)) {
    while (quote < found.index) {
      outside = stringEnd(text, quote + 1) + 1;
      quote = nextQuote(text, outside);
    }
    if (outside > found.index) {
      SUSPECTS.lastIndex = outside;
      continue;
    }
    let start = found.index;
    while (start > 0 && IN_NUMBER.test(text[start - 1])) start--;
    let end = SUSPECTS.lastIndex;
    while (end < text.length && IN_NUMBER.test(text[end])) end++;
    const wrong = misheld(text.slice(start, end));
    if (wrong) throw new TextError(wrong, text, start);
    SUSPECTS.lastIndex = end;
  }
}
