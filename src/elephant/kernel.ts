// The boundary to the Elephant kernel: one typed object with a comment for each export.
import { instantiateScalar } from "../engine/generated/elephant-scalar.js";
import { packedWasm } from "../engine/generated/elephant-wasm.ts";
import type { KernelSource } from "../engine/kernel.ts";

export const elephantKernel: KernelSource = { name: "elephant", wasm: packedWasm, scalar: instantiateScalar };

export interface ElephantExports {
  /** Seeds the hash tables. */
  setup(seed: number): void;
  /** Fixed addresses and sizes, see addresses.ts. */
  address(what: number): number;

  /**
   * Starts a read. `release`: 100 to 151; `firstCode`: 204 or 14, the code of "any"; `flags`: 1 typed arrays, 2 exact scalars, 4 large arrays of numbers may stay in the input; `end`: length
   * of the whole input where it is known (else infinity), which bounds what lengths may claim.
   */
  readBegin(release: number, firstCode: number, flags: number, maxDepth: number, maxNodes: number, maxEmpty: number, end: number): void;
  /** `bytes` of input, beginning at input offset `offset`, are in the window. `whole`: it is full, or the input ends there. */
  readWindow(bytes: number, offset: number, whole: number): void;
  /** Parses until something stops it; returns one of the STATUS_ codes. */
  readStep(): number;
  /** After STATUS_INPUT: makes what is on the tape ready to be taken although it is not full; false when that is not possible here. */
  readFlush(): boolean;
  /** The tape, the records and the text have been taken. */
  readFlushed(): void;
  tapeEnd(): number;
  records(): number;
  /** Where the ASCII and the UTF-16 end that are there. */
  ascii(): number;
  utf16(): number;
  /** Input offset of the cursor; behind STATUS_ERROR, of what is wrong. */
  position(): number;
  /** How many containers have got numbers. */
  containers(): number;
  /** What a status is about: constructor index; (constructor id, version); table index of a long string; one of the ERROR_ codes. */
  detail(second: number): number;
  /** Answers STATUS_CONSTRUCTOR: the constructor `index` of this file is the registered `id`; its name took `skip` bytes. */
  readConstructor(index: number, id: number, skip: number): void;
  /** Answers STATUS_NESTED: what has come of it stands in the place for it (assembly/elephant/memory.ts). STATUS_ERROR when there is no memory for what is open. */
  readNested(): number;
  /** Registered id + 1 of the constructor `index` of this file, or 0 when it is not known yet. */
  readClass(index: number): number;
  /** Address of a strict version of the constructor `index` of this file, or 0 when it is not known yet. */
  readStrict(index: number, version: number): number;
  /** Makes UTF-16 of the bytes from `start` to `end`, at the place of the chunk's, which has to be taken before; returns where it ends. */
  readText(start: number, end: number): number;
  /** Answers STATUS_LONG_STRING: the string, already in the table, took `bytes`. */
  readSkip(bytes: number): void;
  /** Answers STATUS_SCHEMA: makes room for `fields` nodes and returns the first one's address, 0 when there is none. */
  readProgram(id: number, version: number, fields: number): number;
  /** Moves whenever a field was given a kind of value it had not had. */
  epoch(): number;
  /** Moves whenever the kernel has dropped all shapes and names. */
  generation(): number;

  /**
   * Makes UTF-8 at address `to` of the first `units` of the UTF-16 text: so many `strings` with U+0000 between them, a terminator behind each. Returns the end, or 0 where
   * one of them cannot be stored (U+0000, lone surrogates).
   */
  writeText(to: number, units: number, strings: number): number;
}
