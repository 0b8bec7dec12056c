// Graphs of some hundred kilobytes to some megabytes, drawn from a seed, whose pieces straddle every window, chunk and table of the engine.

import { type ElephantConstructor, type ElephantOptions, SCHEMA, Scalar, type ScalarDatatype, VERSION_VERBOSE } from "./codec.ts";

/** Lengths at which something changes: words, registers, interning, the loop for short text, names, text left to JavaScript, windows. */
const EDGES = [
  0, 1, 3, 4, 7, 8, 14, 15, 16, 17, 31, 32, 47, 48, 49, 62, 63, 64, 65, 160, 161, 254, 255, 256, 257, 511, 999, 1000, 1001, 1002,
];
const LARGE = [4095, 8191, 8192, 8193, 32_767, 32_768, 65_534, 65_535, 65_536, 131_072, 262_143, 262_144, 262_145, 300_000];
const ALPHABETS = ["abcdefghij", "aé", "a語b", "😀", "xéy語z😀"].map((letters) => Array.from(letters));

const FIELDS: [datatype: string, values: (random: Random) => unknown][] = [
  ["u8", (random) => random.below(256)],
  ["s8", (random) => random.below(256) - 128],
  ["u16", (random) => random.below(65_536)],
  ["s16", (random) => random.below(65_536) - 32_768],
  ["u32", (random) => random.next()],
  ["s32", (random) => random.next() | 0],
  ["f16", (random) => random.below(2048) / 8],
  ["f32", (random) => Math.fround(random.next() / 7)],
  ["f64", (random) => random.number()],
  ["bool", (random) => random.chance(2)],
  ["string", (random) => random.text()],
  ["text", (random) => random.text()],
  ["u64", (random) => BigInt.asIntN(64, BigInt(random.next()) * 0x1_2345_6789n)],
  ["any", (random) => random.scalar()],
];

export class Random {
  private state: number;

  constructor(seed: number) {
    this.state = seed >>> 0;
  }

  /** An unsigned 32-bit number (mulberry32). */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let t = this.state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return (t ^ (t >>> 14)) >>> 0;
  }

  below(limit: number): number {
    return this.next() % limit;
  }

  chance(of: number): boolean {
    return this.below(of) === 0;
  }

  pick<T>(from: readonly T[]): T {
    return from[this.below(from.length)]!;
  }

  number(): number {
    return this.pick([this.below(300) - 50, this.next(), -0, this.next() / 3, Number.NaN, 2 ** 31, -(2 ** 31), 1e300, this.below(10) / 2]);
  }

  /** Text of about `length` UTF-16 units. */
  textOf(length: number): string {
    const letters = this.chance(3) ? this.pick(ALPHABETS) : ALPHABETS[0]!;
    if (length > 2000) return this.pick(letters).repeat(length);
    let made = "";
    while (made.length < length) made += this.pick(letters);
    return made;
  }

  text(): string {
    const kind = this.below(400);
    if (kind < 120) return `word${this.below(30)}`;
    if (kind < 250) return `id-${this.next().toString(36)}`;
    return this.textOf(kind < 399 ? this.pick(EDGES) : this.pick(LARGE));
  }

  scalar(): unknown {
    switch (this.below(12)) {
      case 0:
        return this.chance(2);
      case 1:
        return undefined;
      case 2:
        return BigInt.asIntN(64, BigInt(this.next()) * 0x1_0000_0003n);
      case 3:
        return Scalar(this.pick(["u8", "s8", "u16", "s32", "f32"] as ScalarDatatype[]), this.below(100));
      case 4:
      case 5:
      case 6:
      case 7:
        return this.number();
      default:
        return this.chance(8) ? this.text() : `t${this.below(5000)}`;
    }
  }
}

/** Constructors whose members are drawn by `fill`. */
export interface BoundaryClasses {
  readonly constructors: NonNullable<ElephantOptions["constructors"]>;
  make(random: Random, child: () => unknown): object;
}

export function boundaryClasses(seed: number): BoundaryClasses {
  const random = new Random(seed);
  const constructors: Record<string, ElephantConstructor> = {};
  const plans: { Class: new () => object; fields: [name: string, (from: Random) => unknown][]; loose: boolean }[] = [];
  for (const [i, size] of [0, 1, 8, 63, 64, 65, 130, 170, 400].entries()) {
    for (const mode of ["strict", "verbose", "none"]) {
      const fields = Array.from({ length: size }, (_, at) => [`f${at}_${random.below(1000)}`, ...random.pick(FIELDS)] as const);
      const version: Record<string, unknown> = mode === "verbose" ? { [VERSION_VERBOSE]: true } : {};
      for (const [name, datatype] of fields) version[name] = datatype;
      // Every other field stands at a default, for what leaves out unchanged members.
      const defaults = fields.map(([, , values]) => values(random));
      const Class = class {
        static [SCHEMA] = mode === "none" ? undefined : ({ [`v${i + 1}`]: { ...version, child: "any", list: "array" } } as never);
        constructor() {
          for (const [at, [name]] of fields.entries()) (this as Record<string, unknown>)[name] = defaults[at];
        }
      };
      constructors[`${mode}${size}`] = Class as unknown as ElephantConstructor;
      plans.push({ Class, fields: fields.map(([name, , values]) => [name, values]), loose: mode === "none" });
    }
  }
  return {
    constructors,
    make(from, child) {
      const { Class, fields, loose } = from.pick(plans);
      const made = new Class() as Record<string, unknown>;
      const all = from.chance(3);
      for (const [name, values] of fields) if (all || from.chance(4)) made[name] = values(from);
      if (!loose || from.chance(2)) {
        made.list = from.chance(2) ? [] : [child(), from.scalar()];
        made.child = child();
      }
      return made;
    },
  };
}

/** A graph of about `size` bytes. `share`: how often a container occurs again (1 in so many), 0 for never; `late`: only near the end. */
export function boundaryGraph(random: Random, size: number, classes: BoundaryClasses, share: number, late: boolean): unknown[] {
  const pool: object[] = [];
  let spent = 0;
  /** What the piece under way may still take. */
  let left = 0;
  let recent: object | undefined;
  const keep = <T extends object>(container: T): T => {
    if (pool.length < 50_000) pool.push(container);
    return container;
  };
  const cost = (bytes: number) => {
    left -= bytes;
    spent += bytes;
  };
  const sharing = () => share > 0 && pool.length > 0 && (!late || spent > size * 0.95) && random.chance(share);

  const scalar = () => {
    const value = random.scalar();
    cost(typeof value === "string" ? value.length * 2 : 9);
    return value;
  };
  const child = (depth = 0): unknown => {
    if (sharing()) return random.chance(4) && recent ? recent : random.pick(pool);
    if (depth > 5 || left < 0 || random.chance(2)) return scalar();
    return piece(depth + 1);
  };
  const count = () => {
    const edge = random.chance(12) ? random.pick([...LARGE.slice(0, 4), 20_000]) : random.pick(EDGES);
    return Math.min(edge, Math.max(0, left >> 3) + 2);
  };
  const names = (length: number) => {
    const kind = random.below(5);
    const salt = random.below(50);
    return Array.from({ length }, (_, i) => {
      if (kind === 0) return `n${i}`;
      if (kind === 1) return `n${salt}_${i}`;
      if (kind === 2) return `${random.textOf(random.pick(EDGES))}#${i}`;
      if (kind === 3 && i === length >> 1) return `${random.textOf(random.pick(LARGE.slice(0, 8)))}#`;
      return `é${i & 31}_${i >> 5}`;
    });
  };

  const piece = (depth: number): unknown => {
    cost(8);
    switch (random.below(14)) {
      case 0: {
        // A wide struct.
        const struct: Record<string, unknown> = keep({});
        recent = struct;
        const length = count();
        const every = random.pick([3, 50, 1e9]);
        for (const [i, name] of names(length).entries()) {
          cost(name.length + 12);
          struct[name] = i % every === every - 1 ? child(depth) : random.chance(3) ? i : scalar();
        }
        return struct;
      }
      case 1:
      case 2: {
        // Rows of one shape, some of another, children in the middle and values behind them.
        const list = names(1 + random.below(random.chance(5) ? 170 : 12));
        const children = list.map(() => random.chance(6));
        const rows = keep([] as unknown[]);
        recent = rows;
        for (let n = Math.min(count(), 3000); n > 0 && left > 0; n--) {
          const row: Record<string, unknown> = keep({});
          for (const [i, name] of list.entries()) {
            cost(name.length + 10);
            row[name] =
              children[i] && random.chance(4) ? child(depth) : i & 1 ? `v${random.below(20_000)}` : random.chance(9) ? scalar() : n + i;
          }
          rows.push(random.chance(20) ? child(depth) : row);
        }
        return rows;
      }
      case 3:
        return keep(classes.make(random, () => child(depth)));
      case 4:
        return keep(Array.from({ length: Math.min(count(), 200) }, () => (left > 0 ? classes.make(random, () => child(depth)) : 0)));
      case 5: {
        const value = random.chance(2) ? random.number() : 7;
        const length = count();
        cost(length * 8);
        return keep(Array.from({ length }, (_, i) => (random.chance(500) ? value : i)));
      }
      case 6:
        return keep(Array.from({ length: count() }, scalar));
      case 7: {
        const kind = random.below(4);
        const length = count();
        cost(length * 6);
        return keep(
          Array.from({ length }, (_, i) =>
            kind === 0 ? word(i) : kind === 1 ? i % 3 === 0 : kind === 2 ? BigInt(i) - 9n : Scalar("u16", i & 0xffff),
          ),
        );
      }
      case 8: {
        const length = count();
        cost(length * 4);
        return keep(random.chance(2) ? Float32Array.from({ length }, (_, i) => i / 4) : Uint8Array.from({ length }, (_, i) => i));
      }
      case 9: {
        // A deep nest whose values stand behind the children.
        let inner: unknown = scalar();
        for (let i = 5 + random.below(random.chance(3) ? 300 : 40); i > 0; i--) {
          cost(50);
          const nest: object =
            i % 3 === 0 ? [inner, scalar(), word(i)] : { a: i, inner, text: word(i * 7), big: i % 50 === 0 ? random.text() : i };
          inner = keep(nest);
        }
        return inner;
      }
      case 10: {
        const width = 1 + random.below(9);
        cost(width * 600);
        return keep(Array.from({ length: 60 }, (_, y) => Array.from({ length: width }, (_, x) => (x + y) / (1 + (y & 1)))));
      }
      case 11: {
        // Equal, but not the same.
        const length = Math.min(count(), 2000);
        cost(length * 20);
        return keep(Array.from({ length }, () => (random.chance(2) ? { a: 1, list: [] } : { a: 1, list: [{}] })));
      }
      case 12: {
        const struct: Record<string, unknown> = keep({ before: scalar() });
        if (share > 0 && !late) struct.self = random.chance(2) ? struct : { up: struct, behind: scalar() };
        struct.behind = child(depth);
        struct.last = scalar();
        return struct;
      }
      default: {
        const text = random.chance(3) ? random.textOf(random.pick(LARGE)) : random.text();
        cost(text.length);
        return text;
      }
    }
  };
  const root: unknown[] = keep([]);
  while (spent < size && root.length < 60_000) {
    left = Math.min(size - spent, random.pick([200, 5000, 30_000, 100_000, 300_000]));
    root.push(piece(0));
  }
  if (late) root.push(pool[0] === root ? pool[1] : pool[0], random.pick(pool));
  return root;
}

function word(i: number): string {
  return `s${i.toString(36)}`;
}
