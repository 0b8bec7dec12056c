// Long texts, decoded piece by piece to the same string as at once.
import { decodable } from "../../engine/platform-text.ts";
import { joinSurrogates } from "../../graph/text.ts";
import { textFrom } from "../errors.ts";

const CONTINUATION = 0x80;

/** The longest character: a surrogate pair in three-byte form (ED A0..AF xx, ED B0..BF xx). */
const LONGEST = 6;

/** Where the piece that ends at `end` may be cut: not inside a character. 0 where it may be that all of it is one that goes on behind it. */
export function cut(bytes: Uint8Array, end: number): number {
  let at = end - 1;
  while (at > 0 && (bytes[at] & 0xc0) === CONTINUATION) at--;
  const maybeLow = bytes[at] === 0xed && (at + 1 >= end || (bytes[at + 1] & 0xf0) === 0xb0);
  if (maybeLow && at >= 3 && bytes[at - 3] === 0xed && (bytes[at - 2] & 0xf0) === 0xa0) at -= 3;
  // So many continuation bytes are no character at all.
  return at > 0 || end < LONGEST ? at : end;
}

export class TextPieces {
  private readonly decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  readonly offset: number;
  private text = "";

  /** `offset`: where the text begins, for errors. */
  constructor(offset: number) {
    this.offset = offset;
  }

  /** The next bytes, which {@link cut} has said where to end, or the last ones; returns what the text is so far. Error `element-limit`. */
  add(bytes: Uint8Array, stream: boolean): string {
    return textFrom(() => (this.text += this.decoder.decode(decodable(joinSurrogates(bytes)), { stream })), this);
  }
}
