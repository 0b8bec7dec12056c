// What cannot be stored of text, and long text as bytes.

const encoder = new TextEncoder();

/** Why a string cannot be stored. */
export type StringFault = "nul-in-string" | "lone-surrogate";

/** Why `text` cannot be stored; undefined when it can. */
export function stringFault(text: string): StringFault | undefined {
  if (text.includes("\0")) return "nul-in-string";
  const wellFormed = (text as { isWellFormed?: () => boolean }).isWellFormed;
  if (
    typeof wellFormed === "function"
      ? !wellFormed.call(text)
      : /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/.test(text)
  )
    return "lone-surrogate";
  return undefined;
}

/** A long string as bytes of its own. The caller has checked it by {@link stringFault}. */
export function encodeText(text: string): Uint8Array {
  return encoder.encode(text);
}
