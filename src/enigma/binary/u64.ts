// Counts, offsets and indices: eight bytes, big-endian (formats/enigma.md §1).

/** As a number: rounded beyond 2^53, which no file is long enough for. */
export function getU64(view: DataView, at: number): number {
  return view.getUint32(at) * 2 ** 32 + view.getUint32(at + 4);
}

/** An index or `max`, which claims nothing and so may be of any size: a bigint from 2^53 on. */
export function getIndex(view: DataView, at: number): number | bigint {
  return view.getUint32(at) < 2 ** 21 ? getU64(view, at) : view.getBigUint64(at);
}
