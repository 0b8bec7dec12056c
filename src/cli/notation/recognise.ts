// Is a JSON text the notation? Its members may stand in any order: serializers that sort names put "tusk" behind the root.

/** Head members that the formats add stand here, too, so that other JSON is told from the notation by its first name. */
const FIRST_NAME = /^(?:\xef\xbb\xbf)?\s*\{\s*"(tusk|format|release|after|before|lineEnd|original|originalOf|root)"\s*:/;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
/** `{` and `[`, `}` and `]`: each pair differs by one bit. */
const OPEN = 0x5b;
const CLOSE = 0x5d;
const CASE_BIT = 0x20;

/** The index of the quote that ends the string whose text begins at `at`; the end of the bytes when none does. */
function stringEnd(bytes: Uint8Array, at: number): number {
  for (;;) {
    const quote = bytes.indexOf(QUOTE, at);
    if (quote < 0) return bytes.length;
    let before = quote;
    while (before > at && bytes[before - 1] === BACKSLASH) before--;
    if ((quote - before) % 2 === 0) return quote;
    at = quote + 1;
  }
}

/** Does the outermost object have a member of this name? Looks at quotes and brackets only. */
function hasMember(bytes: Uint8Array, name: string): boolean {
  const wanted = Buffer.from(name);
  let depth = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) {
      const end = stringEnd(bytes, at + 1);
      if (depth === 1 && wanted.equals(bytes.subarray(at + 1, end))) {
        let next = end + 1;
        while (next < bytes.length && bytes[next] <= 0x20) next++;
        if (bytes[next] === COLON) return true;
      }
      at = end;
    } else if ((byte | CASE_BIT) === (OPEN | CASE_BIT)) depth++;
    else if ((byte | CASE_BIT) === (CLOSE | CASE_BIT) && --depth === 0) return false;
  }
  return false;
}

function firstName(bytes: Uint8Array): string | undefined {
  return FIRST_NAME.exec(Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 256)).toString("latin1"))?.[1];
}

/** Does only the whole text tell? */
export function isUndecided(beginning: Uint8Array): boolean {
  const first = firstName(beginning);
  return first !== undefined && first !== "tusk";
}

export function isNotation(bytes: Uint8Array): boolean {
  const first = firstName(bytes);
  return first !== undefined && (first === "tusk" || hasMember(bytes, "tusk"));
}
