// The file system calls that loading and saving use, and nothing more: tests put another one in their place and let each call fail.
import * as fs from "node:fs";
import type { Eventually } from "./steps.ts";

export interface FileInfo {
  readonly isFile: boolean;
  readonly isLink: boolean;
  readonly size: number;
  /** Permission bits. */
  readonly mode: number;
  readonly dev: bigint;
  /** The number of the file in its file system, of up to 64 bits; 0 where there are none. */
  readonly ino: bigint;
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
  fstat(file: number): Eventually<FileInfo>;
  /** Of a path, links not followed. */
  lstat(path: string): Eventually<FileInfo>;
  /** Of what the system finds behind all links. */
  stat(path: string): Eventually<FileInfo>;
  readlink(path: string): Eventually<string>;
  /** As the system itself finds the way. */
  realpath(path: string): Eventually<string>;
  link(existing: string, path: string): Eventually<void>;
  copy(from: string, to: string): Eventually<void>;
  /** At once; if it `waits`, when the system comes to it, which may be long after it was asked. */
  rename(from: string, to: string, waits?: boolean): Eventually<void>;
  remove(path: string): Eventually<void>;
  sleep(milliseconds: number): Eventually<void>;
}

/** As doubles, neighbouring numbers of files would be the same. */
const BIG = { bigint: true };

function fileInfo(stats: fs.BigIntStats): FileInfo {
  // Windows has no such numbers.
  const user = process.geteuid?.();
  return {
    ...stats,
    isFile: stats.isFile(),
    isLink: stats.isSymbolicLink(),
    size: Number(stats.size),
    mode: Number(stats.mode) & 0o7777,
    isOthers: !!user && Number(stats.uid) !== user,
  };
}

// biome-ignore lint/suspicious/noExplicitAny: each call has arguments and an answer of its own, which FileSystem tells
type Call = (...given: any[]) => any;

/** `call` has the calls of node:fs by name, those that wait or those that do not. */
function fileSystemOf(call: (name: string) => Call, sleep: FileSystem["sleep"]): FileSystem {
  const info = (name: string) => (file: unknown) => {
    const stats = call(name)(file, BIG);
    // A promise of Node is of another realm in the sandboxes that tests run in.
    return stats.then?.(fileInfo) ?? fileInfo(stats);
  };
  return {
    platform: process.platform,
    open: call("open"),
    read: call("read"),
    write: call("write"),
    chmod: call("fchmod"),
    sync: call("fsync"),
    close: call("close"),
    fstat: info("fstat"),
    lstat: info("lstat"),
    stat: info("stat"),
    readlink: call("readlink"),
    realpath: call("realpath"),
    link: call("link"),
    copy: (from, to) => call("copyFile")(from, to, fs.constants.COPYFILE_EXCL),
    rename: (from, to, waits) => (waits ? call("rename") : fs.renameSync)(from, to),
    remove: call("unlink"),
    sleep,
  };
}

// Of `realpath` the native one: the other takes `..` out of the text first.
const native = (name: string): Call => {
  const call = (fs as unknown as Record<string, Call & { native?: Call }>)[name];
  return call.native ?? call;
};

export const fileSystem = fileSystemOf(
  (name) =>
    (...given) =>
      new Promise((resolve, reject) =>
        native(name)(...given, (error: unknown, answer: unknown) => (error ? reject(error) : resolve(answer))),
      ),
  (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
);

export const fileSystemSync = fileSystemOf(
  (name) => native(`${name}Sync`),
  (milliseconds) => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds),
);
