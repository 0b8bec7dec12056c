// What the tests of the format use: its public face, and the error class, which the package exports beside it.

export * from "../../src/ds/index.ts";
export { TuskError } from "../../src/errors.ts";
