// What JavaScript sees of the Elephant kernel. `src/elephant/kernel.ts` documents each export.
import { Constructors } from "./constructors";
import { ASCII, LAYOUTS, NESTED, NODE_SIZE, NODES, RECORDS, TABLE_KEPT, TAPE, UTF16, WIDE, WINDOW, WINDOW_SIZE } from "./memory";
import { Reader } from "./read";
import { Frames } from "./read/frames";
import { Input } from "./read/input";
import { Stops } from "./read/stops";
import { Tape } from "./read/tape";
import { kindsEpoch, shapesGeneration } from "./shapes";
import { Strings } from "./strings";
import { Text } from "./text";
import { Writer } from "./write";

export function setup(seed: u32): void {
  Strings.seed(seed);
}

/** The fixed addresses, by number. */
export function address(what: i32): usize {
  if (what == 0) return WINDOW;
  if (what == 1) return WINDOW_SIZE;
  if (what == 2) return TAPE;
  if (what == 3) return RECORDS;
  if (what == 4) return ASCII;
  if (what == 5) return UTF16;
  if (what == 6) return WIDE;
  if (what == 7) return NODES;
  if (what == 8) return NODE_SIZE;
  if (what == 9) return TABLE_KEPT;
  if (what == 10) return NESTED;
  return LAYOUTS;
}

export function readBegin(release: u32, firstCode: u32, flags: u32, maxDepth: u32, maxNodes: f64, maxEmpty: f64, end: f64): void {
  Reader.begin(release, firstCode, flags, maxDepth, maxNodes, maxEmpty, end);
}
export function readWindow(bytes: usize, offset: f64, whole: bool): void {
  Input.window(bytes, offset, whole);
}
export function readStep(): i32 {
  return Reader.run();
}
export function readFlush(): bool {
  return Reader.flush();
}
export function readFlushed(): void {
  Reader.flushed();
}
export function tapeEnd(): usize {
  return Tape.end;
}
export function records(): u32 {
  return Strings.records();
}
export function ascii(): usize {
  return Strings.ascii();
}
export function utf16(): usize {
  return Strings.utf16();
}
export function position(): f64 {
  return Input.position();
}
export function containers(): u32 {
  return Frames.number;
}
export function detail(second: bool): u32 {
  return second ? Stops.detail2 : Stops.detail;
}
export function readConstructor(index: u32, id: u32, skip: usize): void {
  Reader.constructorIs(index, id, skip);
}
export function readNested(): i32 {
  return Reader.nestedRead();
}
export function readClass(index: u32): u32 {
  return Constructors.known(index);
}
export function readStrict(index: u32, version: u32): usize {
  const known = Constructors.known(index);
  return known ? Constructors.program(known - 1, version) : 0;
}
export function readText(start: usize, end: usize): usize {
  return Text.utf16(start, end, UTF16);
}
export function readSkip(bytes: usize): void {
  Input.cursor += bytes;
}
export function readProgram(id: u32, version: u32, fields: u32): usize {
  return Constructors.addProgram(id, version, fields);
}
export function epoch(): u32 {
  return kindsEpoch;
}
export function generation(): u32 {
  return shapesGeneration;
}

export function writeText(to: usize, units: u32, strings: u32): usize {
  return Writer.text(to, units, strings);
}
