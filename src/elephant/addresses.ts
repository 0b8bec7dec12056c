// What the kernel is asked for by `address` (kernel.ts).
export const window = 0;
export const windowSize = 1;
export const tape = 2;
export const records = 3;
export const ascii = 4;
export const utf16 = 5;
export const wide = 6;
export const nodes = 7;
export const nodeSize = 8;
export const tableKept = 9;
export const nested = 10;
export const layouts = 11;
