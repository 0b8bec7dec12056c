// Words in the save's byte order. WebAssembly loads unaligned words, and rotates, of which `bswap` is made; JavaScript does neither, so the scalar
// build puts bytes together (translated swaps and rotations are calls: 1.5x on SHA-1, bench/enigma/sha1.mjs).

export class Big {
  @inline static load(p: usize): u32 {
    if (ASC_FEATURE_SIMD) {
      return bswap<u32>(load<u32>(p, 0, 1));
    } else {
      return ((<u32>load<u8>(p)) << 24) | ((<u32>load<u8>(p, 1)) << 16) | ((<u32>load<u8>(p, 2)) << 8) | <u32>load<u8>(p, 3);
    }
  }
  @inline static store(p: usize, word: u32): void {
    if (ASC_FEATURE_SIMD) {
      store<u32>(p, bswap<u32>(word), 0, 1);
    } else {
      store<u8>(p, <u8>(word >>> 24));
      store<u8>(p, <u8>(word >>> 16), 1);
      store<u8>(p, <u8>(word >>> 8), 2);
      store<u8>(p, <u8>word, 3);
    }
  }
  @inline static rotate(x: u32, n: u32): u32 {
    if (ASC_FEATURE_SIMD) {
      return rotl<u32>(x, n);
    } else {
      return (x << n) | (x >>> (32 - n));
    }
  }
}
