// What a file that no format knows seems to be, told to a person.
import { detectFormat, NOTATION } from "./formats/registry.ts";

/** So many bytes are looked at for the first letter of a text. */
const BEGINNING = 256;

/** What programs put before a text: a byte order mark, spaces, the quotes of an INI file's value. */
const BEFORE_TEXT = /^(?:\xef\xbb\xbf)?[\s"']*/;

/** Is it an object or array of JSON? */
function isJson(bytes: Uint8Array): boolean {
  try {
    JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    return true;
  } catch {
    return false;
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
  if (/^[[{]/.test(beginning.slice(before)) && isJson(bytes)) return told("this is JSON, but not what `tusk decode` writes");
  const found = before > 0 ? detectFormat(bytes.subarray(before)) : undefined;
  if (found && found !== NOTATION)
    return told(
      `${before} ${before === 1 ? "byte stands" : "bytes stand"} before what seems to be ${found.title}: take away what is before it`,
    );
  return { reason: "this is no save of a known format", atFirst: true };
}
