// Text from files on its way to a terminal. A save is from a stranger, and a terminal obeys what is printed.

/** Controls (escape sequences begin with one), line separators, and marks that turn the direction of what follows. Tabs do no harm. */
const ACTIVE = /[^\P{Cc}\t]|[\p{Bidi_Control}\p{Zl}\p{Zp}]/gu;
/** What JSON.stringify leaves of them. */
const ACTIVE_IN_JSON = /[\x7f-\x9f\p{Bidi_Control}\p{Zl}\p{Zp}]/gu;

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/** `text` in one line that moves and paints nothing: `\u001b[31m` is shown as these characters. */
export function visible(text: string): string {
  return text.replace(ACTIVE, escaped);
}

/** The same for the text of a JSON document: another spelling of the same strings. */
export function visibleJson(text: string): string {
  return text.replace(ACTIVE_IN_JSON, escaped);
}
