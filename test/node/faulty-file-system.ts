// The real file system, one call of which goes wrong.
import { type FileSystem, fileSystem, fileSystemSync } from "../../src/node/file-system.ts";

/** What happens to the chosen call; the call itself is not carried out. */
export type Fault = "ENOSPC" | "EIO" | "EPERM" | "EBUSY" | "EACCES" | "EEXIST";

export type CallName = Exclude<keyof FileSystem, "platform">;

export interface FaultPlan {
  /** Which call fails, from 0; undefined for none. */
  at?: number;
  fault?: Fault;
  /** Only calls of this name fail, and all of them, or the first `times`. */
  always?: CallName;
  times?: number;
  /** Writes and reads take only a part of what they are given. */
  short?: boolean;
  platform?: string;
  sync?: boolean;
}

export interface FaultyFileSystem extends FileSystem {
  /** Names of the calls made, in order. */
  readonly calls: CallName[];
  /** The call that failed. */
  failed: CallName | undefined;
}

export function systemError(code: string, call: string): Error {
  return Object.assign(new Error(`${code}: injected, ${call}`), { code, syscall: call });
}

export function faultyFileSystem(plan: FaultPlan): FaultyFileSystem {
  const real = plan.sync ? fileSystemSync : fileSystem;
  const calls: CallName[] = [];
  let times = plan.times ?? Number.POSITIVE_INFINITY;
  const result = { platform: plan.platform ?? real.platform, calls, failed: undefined } as unknown as FaultyFileSystem;
  for (const name of Object.keys(real) as CallName[]) {
    if ((name as string) === "platform") continue;
    // biome-ignore lint/suspicious/noExplicitAny: one wrapper for calls of every signature
    (result as any)[name] = (...given: any[]) => {
      const index = calls.push(name) - 1;
      if (name === "sleep") return plan.sync ? undefined : Promise.resolve();
      if (index === plan.at || (name === plan.always && times-- > 0)) {
        result.failed = name;
        const error = systemError(plan.fault ?? "EIO", name);
        if (plan.sync) throw error;
        return Promise.reject(error);
      }
      if (plan.short && (name === "write" || name === "read")) given[3] = Math.ceil(given[3] / 3);
      // biome-ignore lint/suspicious/noExplicitAny: as above
      return (real as any)[name](...given);
    };
  }
  return result;
}
