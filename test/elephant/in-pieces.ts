/** A source that gives a save in pieces of this size. */
export async function* inPieces(save: Uint8Array, size: number) {
  for (let at = 0; at < save.length; at += size) yield save.slice(at, at + size);
}
