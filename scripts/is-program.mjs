// Scripts that other scripts also import do their work only where they are the program.
import { realpathSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** The file that Node was called with, whatever links lead to it; undefined where there is none: then a program has come by `-e` or standard input. */
function programFile() {
  try {
    return realpathSync(process.argv[1]);
  } catch {
    return undefined;
  }
}

/** Is the module of this URL the program that Node was called with, be it by a link? */
export const isProgram = (url) => programFile() === realpathSync(fileURLToPath(url));
