// Who may go on: of the calls that end by themselves only so many are under way at once. Each has a machine, and with a hundred of them a program
// would wait longer for machines than for the saves.
import type { Slicer } from "./slicer.ts";

export class Turns {
  private free: number;
  private readonly waiting: (() => void)[] = [];

  constructor(most: number) {
    this.free = most;
  }

  /** Does the work when its turn comes, in order. Rejects with the signal's reason as soon as that is given. */
  async take<T>(slicer: Slicer, work: () => Promise<T>): Promise<T> {
    if (this.free > 0) this.free--;
    else {
      const turn = new Promise<void>((resolve) => this.waiting.push(resolve));
      try {
        await slicer.wait(() => turn);
      } catch (error) {
        // The turn comes nevertheless, and is the next one's.
        turn.then(() => this.pass());
        throw error;
      }
      slicer.begin();
    }
    try {
      return await work();
    } finally {
      this.pass();
    }
  }

  private pass(): void {
    const next = this.waiting.shift();
    if (next) next();
    else this.free++;
  }
}
