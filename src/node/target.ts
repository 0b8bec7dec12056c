// Which file a path leads to. The system goes by links, one name after the other: `..` behind a linked folder is not the name before it,
// and a link's own target begins where the link really is. Paths are therefore not tidied up as text.
import { basename, dirname, isAbsolute, join, resolve, sep } from "node:path";
import { fileError } from "./failure.ts";
import { type FileInfo, type FileSystem, fileSystemSync } from "./file-system.ts";
import { infoOrNothing, mustBeFile } from "./paths.ts";
import { answer, runStepsSync, type Steps } from "./steps.ts";

/** Links behind links; as many as Linux follows. */
const MOST_LINKS = 40;

/** Is the last name missing, `.` or `..`? The system takes that for a folder; Node's `basename` drops the separator, and a file would be made. */
export function namesFolder(path: string): boolean {
  return /(^|\/)\.{0,2}$/.test(path.replaceAll(sep, "/"));
}

/** `path` as seen from a folder. Windows itself takes `..` out before it looks at any link. */
function seenFrom(folder: string, path: string): string {
  if (sep === "/") return isAbsolute(path) ? path : `${folder}/${path}`;
  return resolve(folder, path) + (namesFolder(path) ? sep : "");
}

function* realPath(fs: FileSystem, path: string, mayFail = fs.platform === "win32"): Steps<string> {
  try {
    return yield* answer(fs.realpath(path));
  } catch (error) {
    // Some drives of Windows (in memory, without a letter) tell no real path. If the folder is missing, the save finds out.
    if (!mayFail) throw error;
    return resolve(path);
  }
}

const folded = (path: string): string => path.normalize().toLowerCase();

/** The file behind all links, by its real path, also where it does not exist yet: a link stays, its target is replaced. */
export function* targetSteps(fs: FileSystem, path: string): Steps<{ target: string; info: FileInfo | undefined }> {
  let next = path;
  for (let i = 0; i <= MOST_LINKS; i++) {
    mustBeFile(!namesFolder(next), next);
    const folder = yield* realPath(fs, dirname(next));
    const target = join(folder, basename(next));
    const info = yield* infoOrNothing(fs, target);
    if (info?.isLink) next = seenFrom(folder, yield* answer(fs.readlink(target)));
    else {
      // Text is not always the way that the system goes: it has no names that are not UTF-8, links of /proc lead to no path, and some links the system
      // refuses to follow.
      const found = next === path ? info : yield* infoOrNothing(fs, path, "stat");
      mustBeFile(found?.isFile !== false, path);
      if (
        found?.ino === info?.ino &&
        (fs.platform === "win32" || found?.dev === info?.dev) &&
        (info || next === path || !next.includes("\ufffd"))
      ) {
        // Where upper and lower case are the same, or the ways to write an accent, its name as it is stored. Of two names for one content the system may tell the other.
        const stored = yield* realPath(fs, target, true);
        return { target: folded(stored) === folded(target) ? stored : target, info };
      }
      // Unless another save has just put it there.
      next = path;
    }
  }
  throw fileError("file-write", `${path} is a symbolic link that leads nowhere`);
}

/**
 * The real path of the file that a save will replace: all its names share one queue. Found without waiting, because the order of the calls is
 * the order of the saves, and `saveFileSync` has to know what is under way. Where there is none the save itself tells why.
 */
export function targetNow(path: string): string {
  try {
    return runStepsSync(targetSteps(fileSystemSync, path)).target;
  } catch {
    try {
      // The program may change its folder until the save looks.
      return seenFrom(isAbsolute(path) ? "" : process.cwd(), path);
    } catch (cause) {
      // The folder has been removed.
      throw fileError("file-write", `${path} cannot be written`, cause);
    }
  }
}
