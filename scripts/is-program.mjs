// Scripts that other scripts also import do their work only where they are the program.
import { realpathSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** Is the module of this URL the program that Node was called with, be it by a link? */
export const isProgram = (url) => process.argv[1] !== undefined && realpathSync(process.argv[1]) === realpathSync(fileURLToPath(url));
