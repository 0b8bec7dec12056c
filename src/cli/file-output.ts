// A file that the shell has opened: standard output as `> out.dat` gives it.
import { writeSync } from "node:fs";
import { Writable } from "node:stream";

/** One call of the system takes less than 2 GiB. */
const MOST_AT_ONCE = 2 ** 30;

/**
 * Writes all of each piece, or fails. On a full disk the system first writes what fits, which is no error; only the next attempt says why no more
 * does. Not for pipes and terminals, which may ask to wait (EAGAIN).
 */
export class FileOutput extends Writable {
  private readonly fd: number;

  constructor(fd: number) {
    super();
    this.fd = fd;
  }

  override _write(piece: Buffer, _encoding: string, done: (error?: Error | null) => void): void {
    try {
      for (let at = 0; at < piece.length; ) {
        const written = writeSync(this.fd, piece, at, Math.min(piece.length - at, MOST_AT_ONCE));
        if (written === 0) throw new Error("no byte was taken");
        at += written;
      }
    } catch (error) {
      done(error as Error);
      return;
    }
    done();
  }
}
