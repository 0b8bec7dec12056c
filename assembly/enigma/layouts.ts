// Layouts: symbol tables that were seen, as the shim lays them down. A table matches a layout if all its bytes but the offsets are the same,
// which one masked comparison of 16 bytes at a time decides.
//
//   u32 symbols, u32 bytes of the table, u32 next layout of the same class (0: none), u32 number of the layout
//   u32 x symbols   for each value in data order: operation, and position of its symbol in the table << 8
//   u32 x symbols   for each symbol: where in the table its 8 bytes of offset stand
//   template, mask  each as long as the table, rounded up to 16; the mask is 0 on the offsets and behind the end

export class Layout {
  @inline static symbols(layout: usize): u32 {
    return load<u32>(layout);
  }
  @inline static tableBytes(layout: usize): u32 {
    return load<u32>(layout, 4);
  }
  @inline static next(layout: usize): usize {
    return <usize>load<u32>(layout, 8);
  }
  @inline static number(layout: usize): u32 {
    return load<u32>(layout, 12);
  }
  @inline static step(layout: usize, i: u32): u32 {
    return load<u32>(layout + 16 + ((<usize>i) << 2));
  }
  @inline static offsetField(layout: usize, symbol: u32): u32 {
    return load<u32>(layout + 16 + ((<usize>(load<u32>(layout) + symbol)) << 2));
  }
  @inline static template(layout: usize): usize {
    return (layout + 16 + ((<usize>load<u32>(layout)) << 3) + 15) & ~15;
  }
}

/** Does the table at `p` have this layout? There are at least as many bytes as the layout's table has. */
export function matches(layout: usize, p: usize): bool {
  const size = (<usize>Layout.tableBytes(layout) + 15) & ~15;
  const template = Layout.template(layout);
  const mask = template + size;
  if (ASC_FEATURE_SIMD) {
    for (let i: usize = 0; i < size; i += 16) {
      const differs = v128.and(v128.xor(v128.load(p + i, 0, 1), v128.load(template + i)), v128.load(mask + i));
      if (v128.any_true(differs)) return false;
    }
  } else {
    for (let i: usize = 0; i < size; i += 4) {
      if (((load<u32>(p + i, 0, 1) ^ load<u32>(template + i)) & load<u32>(mask + i)) !== 0) return false;
    }
  }
  return true;
}
