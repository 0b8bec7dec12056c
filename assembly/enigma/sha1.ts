// SHA-1 (RFC 3174) over blocks of 64 bytes. State: five words at HASH, the schedule of 80 words behind them.
import { Big } from "./big-endian";
import { HASH } from "./memory-map";

const SCHEDULE: usize = 32;

class Round {
  @inline static choose(b: u32, c: u32, d: u32): u32 {
    return (b & c) + (~b & d);
  }
  @inline static parity(b: u32, c: u32, d: u32): u32 {
    return b ^ c ^ d;
  }
  @inline static majority(b: u32, c: u32, d: u32): u32 {
    return (b & c) + (d & (b ^ c));
  }
  @inline static word(w: usize, i: u32): u32 {
    return load<u32>(w + ((<usize>i) << 2));
  }
}

export function sha1Reset(): void {
  store<u32>(HASH, 0x67452301);
  store<u32>(HASH, 0xefcdab89, 4);
  store<u32>(HASH, 0x98badcfe, 8);
  store<u32>(HASH, 0x10325476, 12);
  store<u32>(HASH, 0xc3d2e1f0, 16);
}

/** Fills the schedule from 16 words of the message; from word 32 on four at a time (W[t] = rol2(W[t-6] ^ W[t-16] ^ W[t-28] ^ W[t-32])). */
function schedule(p: usize, w: usize): void {
  if (ASC_FEATURE_SIMD) {
    const order = i8x16(3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12);
    for (let i: usize = 0; i < 64; i += 16) v128.store(w + i, i8x16.swizzle(v128.load(p + i, 0, 1), order));
  } else {
    for (let i: usize = 0; i < 64; i += 4) store<u32>(w + i, Big.load(p + i));
  }
  for (let i: u32 = 16; i < 32; i++) {
    const x = Round.word(w, i - 3) ^ Round.word(w, i - 8) ^ Round.word(w, i - 14) ^ Round.word(w, i - 16);
    store<u32>(w + ((<usize>i) << 2), Big.rotate(x, 1));
  }
  if (ASC_FEATURE_SIMD) {
    for (let t = w + 128; t < w + 320; t += 16) {
      const x = v128.xor(v128.xor(v128.load(t - 24), v128.load(t - 64)), v128.xor(v128.load(t - 112), v128.load(t - 128)));
      v128.store(t, v128.or(i32x4.shl(x, 2), i32x4.shr_u(x, 30)));
    }
  } else {
    for (let i: u32 = 32; i < 80; i++) {
      const x = Round.word(w, i - 3) ^ Round.word(w, i - 8) ^ Round.word(w, i - 14) ^ Round.word(w, i - 16);
      store<u32>(w + ((<usize>i) << 2), Big.rotate(x, 1));
    }
  }
}

/**
 * Takes `length` bytes at `p`, a multiple of 64. Five rounds at a time, so that no word moves between the variables;
 * what depends on the round before is added last.
 */
export function sha1Blocks(p: usize, length: u32): void {
  const w: usize = HASH + SCHEDULE;
  for (const end = p + length; p < end; p += 64) {
    schedule(p, w);
    let a = load<u32>(HASH);
    let b = load<u32>(HASH, 4);
    let c = load<u32>(HASH, 8);
    let d = load<u32>(HASH, 12);
    let e = load<u32>(HASH, 16);
    for (let i: u32 = 0; i < 20; i += 5) {
      e = e + 0x5a827999 + Round.word(w, i) + Round.choose(b, c, d) + Big.rotate(a, 5);
      b = Big.rotate(b, 30);
      d = d + 0x5a827999 + Round.word(w, i + 1) + Round.choose(a, b, c) + Big.rotate(e, 5);
      a = Big.rotate(a, 30);
      c = c + 0x5a827999 + Round.word(w, i + 2) + Round.choose(e, a, b) + Big.rotate(d, 5);
      e = Big.rotate(e, 30);
      b = b + 0x5a827999 + Round.word(w, i + 3) + Round.choose(d, e, a) + Big.rotate(c, 5);
      d = Big.rotate(d, 30);
      a = a + 0x5a827999 + Round.word(w, i + 4) + Round.choose(c, d, e) + Big.rotate(b, 5);
      c = Big.rotate(c, 30);
    }
    for (let i: u32 = 20; i < 40; i += 5) {
      e = e + 0x6ed9eba1 + Round.word(w, i) + Round.parity(b, c, d) + Big.rotate(a, 5);
      b = Big.rotate(b, 30);
      d = d + 0x6ed9eba1 + Round.word(w, i + 1) + Round.parity(a, b, c) + Big.rotate(e, 5);
      a = Big.rotate(a, 30);
      c = c + 0x6ed9eba1 + Round.word(w, i + 2) + Round.parity(e, a, b) + Big.rotate(d, 5);
      e = Big.rotate(e, 30);
      b = b + 0x6ed9eba1 + Round.word(w, i + 3) + Round.parity(d, e, a) + Big.rotate(c, 5);
      d = Big.rotate(d, 30);
      a = a + 0x6ed9eba1 + Round.word(w, i + 4) + Round.parity(c, d, e) + Big.rotate(b, 5);
      c = Big.rotate(c, 30);
    }
    for (let i: u32 = 40; i < 60; i += 5) {
      e = e + 0x8f1bbcdc + Round.word(w, i) + Round.majority(b, c, d) + Big.rotate(a, 5);
      b = Big.rotate(b, 30);
      d = d + 0x8f1bbcdc + Round.word(w, i + 1) + Round.majority(a, b, c) + Big.rotate(e, 5);
      a = Big.rotate(a, 30);
      c = c + 0x8f1bbcdc + Round.word(w, i + 2) + Round.majority(e, a, b) + Big.rotate(d, 5);
      e = Big.rotate(e, 30);
      b = b + 0x8f1bbcdc + Round.word(w, i + 3) + Round.majority(d, e, a) + Big.rotate(c, 5);
      d = Big.rotate(d, 30);
      a = a + 0x8f1bbcdc + Round.word(w, i + 4) + Round.majority(c, d, e) + Big.rotate(b, 5);
      c = Big.rotate(c, 30);
    }
    for (let i: u32 = 60; i < 80; i += 5) {
      e = e + 0xca62c1d6 + Round.word(w, i) + Round.parity(b, c, d) + Big.rotate(a, 5);
      b = Big.rotate(b, 30);
      d = d + 0xca62c1d6 + Round.word(w, i + 1) + Round.parity(a, b, c) + Big.rotate(e, 5);
      a = Big.rotate(a, 30);
      c = c + 0xca62c1d6 + Round.word(w, i + 2) + Round.parity(e, a, b) + Big.rotate(d, 5);
      e = Big.rotate(e, 30);
      b = b + 0xca62c1d6 + Round.word(w, i + 3) + Round.parity(d, e, a) + Big.rotate(c, 5);
      d = Big.rotate(d, 30);
      a = a + 0xca62c1d6 + Round.word(w, i + 4) + Round.parity(c, d, e) + Big.rotate(b, 5);
      c = Big.rotate(c, 30);
    }
    store<u32>(HASH, load<u32>(HASH) + a);
    store<u32>(HASH, load<u32>(HASH, 4) + b, 4);
    store<u32>(HASH, load<u32>(HASH, 8) + c, 8);
    store<u32>(HASH, load<u32>(HASH, 12) + d, 12);
    store<u32>(HASH, load<u32>(HASH, 16) + e, 16);
  }
}
