// The file system calls that loading and saving use, and nothing more: tests put another one in their place and let each call fail.
import * as fs from "node:fs";
import { promisify } from "node:util";
import type { Eventually } from "./steps.ts";

export interface FileInfo {
  readonly isFile: boolean;
  readonly isLink: boolean;
  readonly size: number;
  /** Permission bits. */
  readonly mode: number;
  readonly dev: number;
  readonly ino: number;
  /** Is another user the owner? To root nothing is another's. */
  readonly isOthers: boolean;
}

export interface FileSystem {
  /** `process.platform`; Windows differs in renaming and folders. */
  readonly platform: string;
  open(path: string, flags: string, mode?: number): Eventually<number>;
  /** Reads at most `length` bytes; answers how many. 0 is the end. */
  read(file: number, target: Uint8Array, offset: number, length: number, position: number | null): Eventually<number>;
  /** Writes at most `length` bytes at the current position; answers how many. */
  write(file: number, source: Uint8Array, offset: number, length: number): Eventually<number>;
  chmod(file: number, mode: number): Eventually<void>;
  sync(file: number): Eventually<void>;
  close(file: number): Eventually<void>;
  /** Of an open file. */
  info(file: number): Eventually<FileInfo>;
  /** Of a path, links not followed. */
  linkInfo(path: string): Eventually<FileInfo>;
  readLink(path: string): Eventually<string>;
  /** As the system itself finds the way. */
  realPath(path: string): Eventually<string>;
  link(existing: string, path: string): Eventually<void>;
  copy(from: string, to: string): Eventually<void>;
  rename(from: string, to: string): Eventually<void>;
  remove(path: string): Eventually<void>;
  sleep(milliseconds: number): Eventually<void>;
}

function fileInfo(stats: fs.Stats): FileInfo {
  // Windows has no such numbers.
  const user = process.geteuid?.() ?? 0;
  return {
    isFile: stats.isFile(),
    isLink: stats.isSymbolicLink(),
    size: stats.size,
    mode: stats.mode & 0o7777,
    dev: stats.dev,
    ino: stats.ino,
    isOthers: user !== 0 && stats.uid !== user,
  };
}

const { COPYFILE_EXCL } = fs.constants;

const open = promisify(fs.open);
const fchmod = promisify(fs.fchmod);
const fsync = promisify(fs.fsync);
const close = promisify(fs.close);
const fstat = promisify(fs.fstat);

function read(file: number, target: Uint8Array, offset: number, length: number, position: number | null): Promise<number> {
  return new Promise((resolve, reject) =>
    fs.read(file, target, offset, length, position, (error, count) => (error ? reject(error) : resolve(count))),
  );
}

function write(file: number, source: Uint8Array, offset: number, length: number): Promise<number> {
  return new Promise((resolve, reject) =>
    fs.write(file, source, offset, length, null, (error, count) => (error ? reject(error) : resolve(count))),
  );
}

export const fileSystem: FileSystem = {
  platform: process.platform,
  open,
  read,
  write,
  chmod: fchmod,
  sync: fsync,
  close,
  info: async (file) => fileInfo(await fstat(file)),
  linkInfo: async (path) => fileInfo(await fs.promises.lstat(path)),
  readLink: (path) => fs.promises.readlink(path),
  // This one is native; `fs.realpath` takes `..` out of the text first.
  realPath: (path) => fs.promises.realpath(path),
  link: fs.promises.link,
  copy: (from, to) => fs.promises.copyFile(from, to, COPYFILE_EXCL),
  rename: fs.promises.rename,
  remove: fs.promises.unlink,
  sleep: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
};

export const fileSystemSync: FileSystem = {
  platform: process.platform,
  open: fs.openSync,
  read: (file, target, offset, length, position) => fs.readSync(file, target, offset, length, position),
  write: (file, source, offset, length) => fs.writeSync(file, source, offset, length),
  chmod: fs.fchmodSync,
  sync: fs.fsyncSync,
  close: fs.closeSync,
  info: (file) => fileInfo(fs.fstatSync(file)),
  linkInfo: (path) => fileInfo(fs.lstatSync(path)),
  readLink: (path) => fs.readlinkSync(path),
  realPath: (path) => fs.realpathSync.native(path),
  link: fs.linkSync,
  copy: (from, to) => fs.copyFileSync(from, to, COPYFILE_EXCL),
  rename: fs.renameSync,
  remove: fs.unlinkSync,
  sleep: (milliseconds) => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds),
};
