// Large saves drawn at random, as games write them: thousands of structs of a few forms, with members that are there or not, are of one kind or another, or are shared.
// A megabyte each, so that windows, chunks of strings and tapes end anywhere in them.

/** A way to make one more value of some kind. */
type Draw = () => unknown;
type Class = new () => object;

const WORDS = [
  "a",
  "sword",
  "exactly sixteen!",
  "longer than sixteen",
  "дракон",
  "剣",
  "😀",
  "",
  "fifteen chars!!",
  "x".repeat(63),
  "y".repeat(64),
];
const NAMES = ["id", "name", "x", "y", "hp", "kind", "items", "pos", "a", "b", "tag", "__proto__", "a name of more than sixteen bytes"];
/** Structs of one save, about, and forms of all saves. */
const STRUCTS = 15_000;
const MOST = 60;

export class LargeSaves {
  private state: number;
  private readonly classes: readonly Class[];
  private readonly forms: Draw[] = [];
  private readonly shared: object[] = [];
  /** Structs that are being made, the innermost last. */
  private readonly around: object[] = [];
  private begun = 0;
  private texts = 0;
  private left = 0;

  constructor(seed: number, classes: readonly Class[]) {
    this.state = seed * 7919;
    this.classes = classes;
  }

  /** The next save; those of one instance have forms in common. */
  next(): unknown {
    this.left = STRUCTS;
    this.shared.length = 0;
    const [one, other] = [this.form(1), this.form(1)];
    const chance = this.random() ** 3;
    const most = this.pick([30, 1000, 4000]);
    const all: unknown[] = [];
    while (all.length < most && this.left > 0) all.push((this.random() < chance ? other : one)());
    const [head, last] = [this.scalar(), this.text()];
    return this.pick([
      () => all,
      () => ({ head: head(), all, last: last() }),
      () => Object.fromEntries(all.map((each, i) => [`k${i}`, each])),
    ])();
  }

  private random(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let t = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  }

  private below(n: number): number {
    return Math.floor(this.random() * n);
  }

  private pick<T>(from: readonly T[]): T {
    return from[this.below(from.length)];
  }

  private list(length: number, draw: Draw): unknown[] {
    return Array.from({ length }, draw);
  }

  private unique(): string {
    return (this.texts++).toString(36).padStart(4, "0");
  }

  private text(): Draw {
    const few = this.below(60) + 1;
    return this.pick<Draw>([
      () => this.pick(WORDS),
      () => this.unique(),
      () => `unique text number ${this.unique()}`,
      () => `w${this.below(few)}`,
      () => (this.random() < 0.5 ? this.unique() : `n${this.below(few)}`),
      () => "z".repeat(this.below(few * 5)),
      () => this.list(this.below(few), () => this.pick(WORDS)).join(" "),
      () => (this.random() < 0.002 ? "L".repeat(this.below(70_000)) : this.pick(WORDS)),
    ]);
  }

  private scalar(): Draw {
    const chance = this.random() ** 3;
    const [one, other] = [this.text(), this.text()];
    return this.pick<Draw>([
      one,
      other,
      () => this.below(100),
      () => this.random(),
      () => this.random() < 0.5,
      () => undefined,
      () => (this.random() < 0.5 ? this.below(9) : this.random()),
      () => this.pick([Number.NaN, -0, Number.POSITIVE_INFINITY, 2 ** 31, -(2 ** 31), 2 ** 52 + 1, 0.1]),
      () => (this.random() < chance ? one() : this.below(9)),
      () => BigInt(this.below(1e6)) * 1_234_567n,
    ]);
  }

  private array(level: number): Draw {
    const [one, other] = this.random() < 0.4 ? [this.form(level), this.form(level)] : [];
    const [scalar, text] = [this.scalar(), this.text()];
    const chance = this.random() ** 2;
    const few = this.pick([2, 3, 5, 20]);
    // Up to what a layout still reads, and more than that.
    const many = this.pick([3, 8, 100, 290, 300, 320]);
    const least = this.random() < 0.5 ? Math.floor(many / 2) : 0;
    const length = () => least + this.below(many - least);
    if (one && this.random() < 0.5) return () => this.list(this.below(few), one);
    if (one && other) return () => this.list(this.below(few), () => (this.random() < chance ? other() : one()));
    // Twice what fills chunks of strings.
    return this.pick<Draw>([
      () => this.list(length(), () => this.random()),
      () => this.list(length(), text),
      () => this.list(length(), () => this.unique()),
      () => this.list(length(), () => this.unique()),
      () => this.list(length(), () => this.random() < 0.5),
      () => this.list(length(), () => (this.random() < 0.5 ? scalar() : text())),
      () => this.list(this.below(few), () => this.list(this.below(few), () => this.below(9))),
    ]);
  }

  private member(level: number): Draw {
    const kind = this.below(10);
    const scalar = this.scalar();
    let draw = kind < 5 || level > 4 ? scalar : kind < 7 ? this.form(level + 1) : this.array(level + 1);
    if (kind === 9) {
      const first = draw;
      draw = () => (this.shared.length > 0 && this.random() < 0.7 ? this.pick(this.shared) : first());
    }
    const [chance, often, always] = [this.random(), this.random(), draw];
    // A parent, or who is above that.
    if (this.random() < 0.06) return () => this.around.at(-1 - this.below(3));
    const changes = this.random();
    if (changes < 0.1) return () => (this.random() < chance ? always() : undefined);
    if (changes > 0.25 || level > 3) return draw;
    const [one, other] = [this.form(level + 1), this.form(level + 1)];
    return () => (this.random() < chance ? one() : this.random() < often ? other() : always());
  }

  /** Structs of one form. */
  private form(level: number): Draw {
    if (this.forms.length > 0 && (this.random() < 0.35 || this.begun > MOST)) return this.pick(this.forms);
    this.begun++;
    const Made = this.random() < 0.5 ? this.pick(this.classes) : undefined;
    const members = Array.from({ length: 1 + this.below(level > 2 ? 5 : 9) }, (_, i) => ({
      name: this.pick([...NAMES, `m${i}`]),
      draw: this.member(level),
      chance: this.random() < 0.2 ? this.random() : 1,
    }));
    const shares = this.random() < 0.1;
    const draw = () => {
      const struct: object = Made ? new Made() : {};
      if (--this.left < 0) return struct;
      this.around.push(struct);
      for (const { name, draw, chance } of members) {
        if (chance < 1 && this.random() >= chance) continue;
        Object.defineProperty(struct, name, { value: draw(), writable: true, enumerable: true, configurable: true });
      }
      this.around.pop();
      // References reach the first 65,536 containers, of which these are.
      if (shares && this.shared.length < 500 && this.left > STRUCTS - 5000) this.shared.push(struct);
      return struct;
    };
    if (this.random() < 0.7) this.forms.push(draw);
    return draw;
  }
}
