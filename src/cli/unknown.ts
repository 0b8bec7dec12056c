// What a file that no format knows seems to be, told to a person.
import type { SaveFormat } from "./formats/format.ts";
import { detectFormat, FORMATS, NOTATION } from "./formats/registry.ts";
import { contentEnd } from "./formats/text-file.ts";

/** So many bytes are looked at for the first letter of a text. */
const BEGINNING = 256;

/** What programs put before a text: a byte order mark, spaces, the quotes of an INI file's value. */
const BEFORE_TEXT = /^(?:\xef\xbb\xbf)?[\s"']*/;

/** So much is searched for text of a known format. */
const SEARCHED = 1 << 20;

/** `an Elephant save`; text has no article. */
function withArticle({ title }: SaveFormat): string {
  if (title.endsWith(" text")) return title;
  return `${/^[aeiou]/i.test(title) ? "an" : "a"} ${title}`;
}

/** What is known of a text that games put their strings into: an INI file, JSON, lines, base64. */
function textInside(bytes: Uint8Array): string | undefined {
  const searched = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, SEARCHED));
  const coded = base64Inside(searched);
  if (coded) return `this is base64 of what seems to be ${withArticle(coded)}: decode it first, as \`base64 -d\` does`;
  const text = searched.toString("latin1");
  for (const format of FORMATS) {
    const at = format.findIn?.(text, bytes.length > SEARCHED);
    if (at !== undefined) return `what seems to be ${withArticle(format)} begins at byte ${at}, inside of other text: take it out first`;
  }
  return undefined;
}

/** Characters of base64 that tell a format. */
const LEAST_BASE64 = 16;

/** The format of what all of the text is base64 of, in quotes or not, in lines or not. */
function base64Inside(searched: Buffer): SaveFormat | undefined {
  const text = searched.toString("latin1", 0, contentEnd(searched));
  const content = text.slice(BEFORE_TEXT.exec(text)![0].length).replace(/["']$/, "");
  if (content.length < LEAST_BASE64 || /[^A-Za-z0-9+/=\r\n]/.test(content)) return undefined;
  const found = detectFormat(Buffer.from(content, "base64"));
  return found === NOTATION || found?.isToldByLittle ? undefined : found;
}

/** More is not parsed, only to tell what it is: of text that is nearly JSON that takes many seconds. */
const PARSED = 1 << 24;

/** How an object or an array of JSON begins. A section of an INI file begins with a bracket, too. */
const JSON_BEGINNING = /^(?:\[\s*(?:[[{"\d\-\]]|true|false|null)|\{\s*["}])/;

/** Is it an object or an array of JSON, whose `beginning` is given? Words for it. */
function jsonText(bytes: Uint8Array, beginning: string): string | undefined {
  if (!JSON_BEGINNING.test(beginning)) return undefined;
  if (bytes.length > PARSED) return "this seems to be JSON";
  try {
    JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes.subarray(0, contentEnd(bytes))));
    return "this is JSON";
  } catch {
    return undefined;
  }
}

/** Why it is none, and whether that is seen at its first byte. */
export function unknownReason(bytes: Uint8Array): { reason: string; atFirst: boolean } {
  const told = (reason: string) => ({ reason, atFirst: false });
  if (bytes.length === 0) return told("the file is empty");
  // Not everything is made a text of: the file may be large.
  const beginning = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, BEGINNING)).toString("latin1");
  if (/^\xff\xfe|^\xfe\xff/.test(beginning))
    return told(
      "this seems to be UTF-16 text, as Windows PowerShell writes what a program prints: save it as UTF-8, or let tusk write it by --output",
    );
  if (beginning.startsWith("\x1f\x8b")) return told("this is packed by gzip: unpack it first");
  const before = BEFORE_TEXT.exec(beginning)![0].length;
  const inside = textInside(bytes);
  const json = jsonText(bytes, beginning.slice(before));
  if (json) return told(`${json}, but not what \`tusk decode\` writes${inside ? `; ${inside}` : ""}`);
  const found = before > 0 ? detectFormat(bytes.subarray(before)) : undefined;
  if (found && found !== NOTATION)
    return told(
      `${before} ${before === 1 ? "byte stands" : "bytes stand"} before what seems to be ${withArticle(found)}: take away what is before it`,
    );
  if (inside) return told(inside);
  return { reason: "this is no save of a known format", atFirst: true };
}
