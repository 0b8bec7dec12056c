// Shapes: which names a struct has, in which order. They form a trie of names; a node stands for the names on the way to it. Each node keeps
// which child came last, so that the next name is guessed and compared instead of looked up.
//
// Node (48 bytes): parent, address of the name, its length with terminator, table index of the name, last child, the child before that,
// kinds the field has had, string counters of the field (two u16), the name's first 16 bytes. The fields of a strict schema version have the same form, with
// the datatype in place of the parent.
import { NODE_SIZE, NODE_SLOTS, NODES, NODES_LIMIT } from "./memory";
import { Strings } from "./strings";
import { Text } from "./text";

export const PARENT: usize = 0;
export const NAME: usize = 4;
export const LENGTH: usize = 8;
export const NAME_ID: usize = 12;
export const NEXT: usize = 16;
export const OTHER: usize = 20;
export const KINDS: usize = 24;
export const SITE: usize = 28;
export const TEXT16: usize = 32;

const PROBES: u32 = 12;

let nodes: u32 = 1;

/** Counts how often all shapes were dropped. */
export let shapesGeneration: u32 = 0;

/** Counts changes of any node's kinds: the shim looks at its factories again when it has moved. */
export let kindsEpoch: u32 = 0;

export class Shapes {
  static full(): bool {
    return nodes > NODES_LIMIT - 2048;
  }

  static forget(): void {
    memory.fill(NODE_SLOTS, 0, <usize>NODES_LIMIT * 8);
    memory.fill(NODES, 0, <usize>nodes * NODE_SIZE);
    nodes = 1;
    kindsEpoch++;
    shapesGeneration++;
  }

  @inline
  static note(node: usize, kind: u32): u32 {
    const kinds = load<u32>(node, KINDS);
    if (!(kinds & kind)) Shapes.add(node, kinds | kind);
    return kinds;
  }

  /** As {@link note}, where it is not worth its room in the code again. */
  static mark(node: usize, kind: u32): u32 {
    return Shapes.note(node, kind);
  }

  private static add(node: usize, kinds: u32): void {
    store<u32>(node, kinds, KINDS);
    kindsEpoch++;
  }

  /** Does the text at `p` begin with this child's name and its terminator? `child` may be 0. Short names, that is up to 15 bytes. */
  @inline
  static follows(child: usize, p: usize): bool {
    const length = load<u32>(child, LENGTH);
    if (ASC_FEATURE_SIMD) {
      // Address 0 holds zeros: a length of 0 fits nothing.
      if (length - 1 < 16) return ~(<u32>i8x16.bitmask(i8x16.eq(v128.load(p, 0, 1), v128.load(child, TEXT16, 1)))) << (32 - length) == 0;
    }
    return length != 0 && Text.sameLong(p, load<u32>(child, NAME), length);
  }

  /** The child of `node` by the name at `p`, made where there is none; 0 when the trie cannot hold it. */
  static child(node: usize, p: usize, length: u32): usize {
    let slot = ((<u32>node * 0x9e3779b1) ^ Strings.hashed(p, length)) >> 3;
    for (let i: u32 = 0; i < PROBES; i++) {
      slot &= NODES_LIMIT * 2 - 1;
      const at = NODE_SLOTS + ((<usize>slot) << 2);
      let child = <usize>load<u32>(at);
      if (!child) {
        const entry = nodes < NODES_LIMIT ? Strings.name(p, length) : 0;
        if (!entry) return 0;
        child = NODES + <usize>nodes * NODE_SIZE;
        nodes++;
        store<u32>(at, <u32>child);
        store<u32>(child, <u32>node, PARENT);
        store<u32>(child, load<u32>(entry, 4), NAME);
        store<u32>(child, length + 1, LENGTH);
        store<u32>(child, load<u32>(entry, 12), NAME_ID);
        memory.copy(child + TEXT16, load<u32>(entry, 4), 16);
        Shapes.expect(node, child);
        return child;
      }
      if (load<u32>(child, PARENT) == <u32>node && Shapes.follows(child, p)) {
        Shapes.expect(node, child);
        return child;
      }
      slot++;
    }
    return 0;
  }

  /** Guess this child first from now on. */
  @inline
  static expect(node: usize, child: usize): void {
    store<u32>(node, load<u32>(node, NEXT), OTHER);
    store<u32>(node, <u32>child, NEXT);
  }
}
