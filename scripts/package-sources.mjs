// What decides what is built: files, and folders with all that is in them.

export const KERNEL_CODE = [
  "assembly",
  "asconfig.json",
  "scripts/build-kernels.mjs",
  "scripts/pack-bytes.mjs",
  "scripts/translate-kernel.mjs",
];

export const PACKAGE_CODE = [
  ...KERNEL_CODE,
  "src",
  "tsconfig.json",
  "tsdown.config.ts",
  "scripts/script-names.mjs",
  "scripts/no-inlining.mjs",
  "scripts/own-globals.mjs",
  "scripts/pure-calls.mjs",
];
