// Constructors of the file, and the programs of their strict schema versions: version, next program of the constructor, fields, shape
// number, then the fields as nodes (shapes.ts) with the datatype in place of the parent.
import { CONSTRUCTORS, NODE_SIZE, PROGRAM_OF, PROGRAMS, PROGRAMS_SIZE } from "./memory";

const PROGRAM_NEXT: usize = 4;
export const PROGRAM_FIELDS: usize = 8;
export const PROGRAM_SHAPE: usize = 12;
export const PROGRAM_HEAD: usize = 16;

let call: u32 = 0;
let programTop: usize = PROGRAMS;
let programs: u32 = 0;

export class Constructors {
  /** A new file: its indexes mean nothing yet. Entries carry the call's number, so that none has to be erased. */
  static begin(): void {
    call = (call + 1) & 0xffff;
    if (call != 0) return;
    memory.fill(CONSTRUCTORS, 0, 65536 * 4);
    call = 1;
  }

  /** Registered id + 1 of a constructor index of this file, or 0. */
  static known(index: u32): u32 {
    const entry = load<u32>(CONSTRUCTORS + ((<usize>index) << 2));
    return entry >> 16 == call ? entry & 0xffff : 0;
  }

  static is(index: u32, id: u32): void {
    store<u32>(CONSTRUCTORS + ((<usize>index) << 2), (call << 16) | (id + 1));
  }

  /** The program of constructor `id` in one version, or 0. */
  static program(id: u32, version: u32): usize {
    let program = <usize>load<u32>(PROGRAM_OF + ((<usize>id) << 2));
    while (program && load<u32>(program) != version) program = <usize>load<u32>(program, PROGRAM_NEXT);
    return program;
  }

  /** The schema of constructor `id` in one version: `fields` nodes are to be filled in from the returned address on; 0 when full. */
  static addProgram(id: u32, version: u32, fields: u32): usize {
    const bytes = PROGRAM_HEAD + <usize>fields * NODE_SIZE;
    if (programTop + bytes > PROGRAMS + PROGRAMS_SIZE) return 0;
    const program = programTop;
    programTop += bytes;
    memory.fill(program, 0, bytes);
    const head = PROGRAM_OF + ((<usize>id) << 2);
    store<u32>(program, version);
    store<u32>(program, load<u32>(head), PROGRAM_NEXT);
    store<u32>(program, fields, PROGRAM_FIELDS);
    // Odd: the even ones are shapes of the trie.
    store<u32>(program, (programs << 1) | 1, PROGRAM_SHAPE);
    programs++;
    store<u32>(head, <u32>program);
    return program + PROGRAM_HEAD;
  }
}
