// SHA-1 of a save, synchronously (formats/enigma.md §1): by the platform or by the kernel, whichever docs/enigma.md measured faster.
import { platformSha1 } from "../platform-sha1.ts";
import { HASH, WINDOW, WINDOW_BYTES } from "./memory-map.ts";
import type { Session, SessionLease } from "./session.ts";

export const DIGEST_BYTES = 20;
const BLOCK = 64;

/** The digest by the kernel: its window takes the bytes in turn, so memory does not depend on the length. */
export function kernelSha1(session: Session, bytes: Uint8Array): Uint8Array {
  const { kernel, u8, view } = session;
  const piece = WINDOW_BYTES - 2 * BLOCK;
  kernel.sha1Reset();
  let at = 0;
  while (bytes.length - at >= BLOCK) {
    const n = Math.min(piece, bytes.length - at) & -BLOCK;
    u8.set(bytes.subarray(at, at + n), WINDOW);
    kernel.sha1Blocks(WINDOW, n);
    at += n;
  }
  // RFC 3174 §4: a one bit, zeros, the length in bits (of which setUint32 takes the lower 32 bits of the whole part).
  const rest = bytes.length - at;
  const end = rest + 9 <= BLOCK ? BLOCK : 2 * BLOCK;
  u8.fill(0, WINDOW, WINDOW + end);
  u8.set(bytes.subarray(at), WINDOW);
  u8[WINDOW + rest] = 0x80;
  view.setUint32(WINDOW + end - 8, bytes.length / 2 ** 29);
  view.setUint32(WINDOW + end - 4, bytes.length << 3);
  kernel.sha1Blocks(WINDOW, end);
  const digest = new Uint8Array(DIGEST_BYTES);
  const out = new DataView(digest.buffer);
  for (let i = 0; i < DIGEST_BYTES; i += 4) out.setUint32(i, view.getUint32(HASH + i, true));
  return digest;
}

/** The digest, by what is faster where this runs. */
export function sha1(lease: SessionLease, bytes: Uint8Array): Uint8Array {
  return platformSha1(bytes) ?? kernelSha1(lease.session, bytes);
}
