// Every file system call of a save fails in turn: the old file or the new one is there, whole, and nothing else is left behind.
import { execFile } from "node:child_process";
import { existsSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { runInNewContext } from "node:vm";
import { describe, expect, test } from "vitest";
import { TuskError } from "../../src/errors.ts";
import { PieceSource } from "../../src/node/pieces.ts";
import { retrySteps } from "../../src/node/retry.ts";
import { type SaveOptions, saveSteps } from "../../src/node/save-file.ts";
import { runSteps, runStepsSync } from "../../src/node/steps.ts";
import { type Fault, type FaultPlan, type FaultyFileSystem, faultyFileSystem, systemError } from "./faulty-file-system.ts";
import { IN_MEMORY, listing, scratchFolder } from "./scratch.ts";

const OLD = new Uint8Array(3000).fill(1);
const NEW = Uint8Array.from({ length: 5000 }, (_, i) => i * 7);
/** The new content has a first piece, one in between and a shorter one at the end. */
const PIECE = 2048;

type Before = "no file" | "a file" | "a file with backups" | "a link" | "a dangling link";
const FAULTS: Fault[] = ["ENOSPC", "EIO", "EPERM"];

function prepare(before: Before): string {
  const folder = scratchFolder(IN_MEMORY);
  const file = join(folder, "save.dat");
  if (before === "a file" || before === "a file with backups") writeFileSync(file, OLD);
  if (before === "a file with backups") {
    writeFileSync(file + ".bak1", "one");
    writeFileSync(file + ".bak2", "two");
  }
  if (before === "a link" || before === "a dangling link") symlinkSync("real.dat", file);
  if (before === "a link") writeFileSync(join(folder, "real.dat"), OLD);
  return folder;
}

async function save(fs: FaultyFileSystem, plan: FaultPlan, path: string, options: SaveOptions): Promise<unknown> {
  try {
    if (plan.sync) runStepsSync(saveSteps(fs, path, new PieceSource(NEW), options, PIECE));
    else await runSteps(saveSteps(fs, path, new PieceSource(NEW), options, PIECE));
    return undefined;
  } catch (error) {
    return error;
  }
}

function checkState(folder: string, before: Before, fs: FaultyFileSystem, error: unknown, options: SaveOptions): void {
  const file = join(folder, "save.dat");
  const had = before !== "no file" && before !== "a dangling link";
  const saved = error === undefined || (error as TuskError).code === "file-sync";
  const what = `${fs.calls.length} calls, the last of them ${fs.calls.slice(-3)}, failed: ${fs.failed}`;
  if (saved) expect(readFileSync(file).equals(NEW), what).toBe(true);
  else if (had) expect(readFileSync(file).equals(OLD), what).toBe(true);
  else expect(existsSync(file), what).toBe(false);
  if (error !== undefined) {
    expect(error, what).toBeInstanceOf(TuskError);
    expect((error as TuskError).format).toBe("tusk");
    expect(["file-write", "file-sync"], what).toContain((error as TuskError).code);
    expect((error as TuskError).cause, what).toBeInstanceOf(Error);
  }
  // Backups: each of the old contents is still there, unless the save had room for two only and has succeeded.
  const names = listing(folder);
  if (fs.failed !== "remove")
    expect(
      names.filter((name) => name.endsWith(".tmp")),
      what,
    ).toEqual([]);
  if (options.backups && before === "a file with backups") {
    const kept = names.filter((name) => name.includes(".bak")).map((name) => readFileSync(join(folder, name), "latin1"));
    expect(kept, what).toContain("one");
    if (options.backups > 2) expect(kept, what).toContain("two");
    if (saved) expect(kept, what).toContain(Buffer.from(OLD).toString("latin1"));
  }
  // The link itself stays a link.
  if (before.includes("link") && saved) expect(names).toContain("real.dat");
}

describe.each<[Before, SaveOptions]>([
  ["no file", {}],
  ["a file", {}],
  ["a file", { verify: false }],
  ["a file", { backups: 2 }],
  ["a file with backups", { backups: 2 }],
  ["a file with backups", { backups: 5 }],
  ["a link", { backups: 1 }],
  ["a dangling link", { mode: 0o600 }],
])("%s, %o", (before, options) => {
  test.each(
    FAULTS.flatMap((fault) => [
      { fault, sync: false },
      { fault, sync: true },
    ]),
  )("every call fails with $fault, sync: $sync", async ({ fault, sync }) => {
    const failed = new Set<string>();
    for (let at = 0; ; at++) {
      const folder = prepare(before);
      const plan: FaultPlan = { at, fault, sync };
      const fs = faultyFileSystem(plan);
      const error = await save(fs, plan, join(folder, "save.dat"), options);
      checkState(folder, before, fs, error, options);
      if (!fs.failed) {
        expect(error).toBeUndefined();
        break;
      }
      failed.add(fs.failed);
    }
    // The rule is void if the calls that matter were never made.
    for (const call of ["open", "write", "sync", "close", "rename"]) expect(failed).toContain(call);
  });

  test("every call fails, and so does the removal of what is left over: the old file is whole", async () => {
    for (let at = 0; ; at++) {
      const folder = prepare(before);
      const fs = faultyFileSystem({ at, always: "remove" });
      const error = await save(fs, {}, join(folder, "save.dat"), options);
      checkState(folder, before, { ...fs, failed: "remove" }, error, options);
      if (at >= fs.calls.length) break;
    }
  });

  test("short reads and writes lose nothing", async () => {
    const folder = prepare(before);
    const fs = faultyFileSystem({ short: true });
    expect(await save(fs, {}, join(folder, "save.dat"), options)).toBeUndefined();
    expect(fs.calls.filter((name) => name === "write").length).toBeGreaterThan(NEW.length / PIECE + 5);
    checkState(folder, before, fs, undefined, options);
  });

  test("an abort at every call leaves the old file, or comes too late", async () => {
    for (let at = 0; ; at++) {
      const folder = prepare(before);
      const controller = new AbortController();
      const reason = new Error("the player has gone");
      const inner = faultyFileSystem({});
      const fs = new Proxy(inner, {
        get(target, name: keyof FaultyFileSystem) {
          const member = target[name];
          if (typeof member !== "function") return member;
          return (...given: never[]) => {
            if (target.calls.length === at) controller.abort(reason);
            return (member as (...given: never[]) => unknown)(...given);
          };
        },
      });
      const error = await save(fs, {}, join(folder, "save.dat"), { ...options, signal: controller.signal });
      if (error === undefined) checkState(folder, before, inner, undefined, options);
      else {
        expect(error).toBe(reason);
        expect(listing(folder).filter((name) => name.endsWith(".tmp"))).toEqual([]);
        const file = join(folder, "save.dat");
        if (existsSync(file)) expect(readFileSync(file).equals(OLD)).toBe(true);
        else expect(before === "no file" || before === "a dangling link").toBe(true);
      }
      if (!controller.signal.aborted) break;
    }
  });
});

describe("special failures", () => {
  test("a disk that stores something else is found by reading back", async () => {
    for (const spoil of ["other bytes", "fewer bytes"]) {
      const folder = prepare("a file");
      const fs = faultyFileSystem({});
      const write = fs.write.bind(fs);
      const spoiled = {
        ...fs,
        write: async (file: number, source: Uint8Array, offset: number, length: number) => {
          if (spoil === "fewer bytes") return (await write(file, source, offset, length - 1)) + 1;
          const other = source.slice();
          other[offset] ^= 1;
          return write(file, other, offset, length);
        },
      };
      await expect(runSteps(saveSteps(spoiled, join(folder, "save.dat"), new PieceSource(NEW), {}, PIECE))).rejects.toMatchObject({
        code: "file-verify",
      });
      expect(readFileSync(join(folder, "save.dat")).equals(OLD)).toBe(true);
      expect(listing(folder)).toEqual(["save.dat"]);
    }
  });

  test("a system that writes nothing more is an error, not a loop", async () => {
    const folder = prepare("a file");
    const fs = { ...faultyFileSystem({}), write: async () => 0 };
    await expect(runSteps(saveSteps(fs, join(folder, "save.dat"), new PieceSource(NEW), {}))).rejects.toMatchObject({ code: "file-write" });
    expect(listing(folder)).toEqual(["save.dat"]);
  });

  test("an error of the system is told as such when it is another realm's, as in Jest", async () => {
    const full = runInNewContext("Object.assign(new Error('no space left'), { code: 'ENOSPC' })");
    const fs = { ...faultyFileSystem({}), write: () => Promise.reject(full) };
    await expect(runSteps(saveSteps(fs, join(prepare("a file"), "save.dat"), new PieceSource(NEW), {}))).rejects.toMatchObject({
      code: "file-write",
      reason: expect.stringContaining("no space left"),
      cause: full,
    });
  });

  test.each<Fault>(["EPERM", "EACCES", "EBUSY"])("Windows' %s is waited out, within bounds", async (fault) => {
    for (const sync of [false, true]) {
      const folder = prepare("a file");
      const held = faultyFileSystem({ always: "rename", times: 5, fault, platform: "win32", sync });
      expect(await save(held, { sync }, join(folder, "save.dat"), {})).toBeUndefined();
      expect(held.calls.filter((name) => name === "sleep")).toHaveLength(5);
      expect(readFileSync(join(folder, "save.dat")).equals(NEW)).toBe(true);
    }
    const folder = prepare("a file");
    const stuck = faultyFileSystem({ always: "rename", fault, platform: "win32" });
    const error = await save(stuck, {}, join(folder, "save.dat"), {});
    expect(error).toMatchObject({ code: "file-write", cause: { code: fault } });
    expect(stuck.calls.filter((name) => name === "sleep").length).toBeLessThan(10);
    expect(listing(folder)).toEqual(["save.dat"]);
    expect(readFileSync(join(folder, "save.dat")).equals(OLD)).toBe(true);
    // Elsewhere the same code is final.
    const posix = faultyFileSystem({ always: "rename", fault, platform: "linux" });
    expect(await save(posix, {}, join(prepare("a file"), "save.dat"), {})).toMatchObject({ code: "file-write" });
    expect(posix.calls).not.toContain("sleep");
  });

  test("Windows is given a second and a half, in eight pauses", async () => {
    const pauses: number[] = [];
    const fs = faultyFileSystem({ always: "rename", fault: "EBUSY", platform: "win32" });
    fs.sleep = (milliseconds) => void pauses.push(milliseconds);
    expect(await save(fs, {}, join(prepare("a file"), "save.dat"), {})).toMatchObject({ code: "file-write", cause: { code: "EBUSY" } });
    expect([pauses.length, pauses.reduce((sum, pause) => sum + pause)]).toEqual([8, 1500]);
  });

  test.each([false, true])("... also before a temporary file that is held is left behind; sync: %s", async (sync) => {
    for (const [platform, left] of [
      ["win32", []],
      ["linux", [expect.stringMatching(/\.tmp$/)]],
    ] as const) {
      const folder = prepare("a file");
      const fs = faultyFileSystem({ always: "remove", times: 8, fault: "EBUSY", platform, sync });
      fs.sync = () => {
        throw systemError("EIO", "fsync");
      };
      expect(await save(fs, { sync }, join(folder, "save.dat"), {})).toMatchObject({ code: "file-write", cause: { code: "EIO" } });
      expect(listing(folder)).toEqual(["save.dat", ...left]);
    }
  });

  test.each([false, true])("a file that has become outdated in a pause is not renamed; sync: %s", async (sync) => {
    const folder = prepare("a file");
    const file = join(folder, "save.dat");
    writeFileSync(`${file}.tmp`, NEW);
    const fs = faultyFileSystem({ always: "rename", times: 1, fault: "EBUSY", platform: "win32", sync });
    const steps = retrySteps(
      fs,
      () => fs.rename(`${file}.tmp`, file),
      () => fs.calls.includes("sleep"),
    );
    expect(sync ? runStepsSync(steps) : await runSteps(steps)).toBe(false);
    expect(readFileSync(file).equals(OLD)).toBe(true);
  });

  // Windows has no permission bits.
  test.skipIf(process.platform === "win32").each([false, true])(
    "where nobody may set permission bits, a file is replaced by one that has them; sync: %s",
    async (sync) => {
      const folder = prepare("a file");
      const file = join(folder, "save.dat");
      const refused = () => faultyFileSystem({ always: "chmod", fault: "EPERM", sync });
      expect(await save(refused(), { sync }, file, {})).toBeUndefined();
      expect(readFileSync(file).equals(NEW)).toBe(true);
      writeFileSync(file, OLD);
      const umask = process.umask(0o077);
      try {
        expect(await save(refused(), { sync }, file, { mode: 0o666 })).toMatchObject({ code: "file-write", cause: { code: "EPERM" } });
      } finally {
        process.umask(umask);
      }
      expect(readFileSync(file).equals(OLD)).toBe(true);
    },
  );

  test("a temporary name that somebody else has is another one at the next attempt, of eleven", async () => {
    for (const sync of [false, true]) {
      const folder = prepare("a file");
      const taken = faultyFileSystem({ always: "open", times: 10, fault: "EEXIST", sync });
      expect(await save(taken, { sync }, join(folder, "save.dat"), {})).toBeUndefined();
      expect(readFileSync(join(folder, "save.dat")).equals(NEW)).toBe(true);
    }
    const stuck = faultyFileSystem({ always: "open", fault: "EEXIST" });
    const error = await save(stuck, {}, join(prepare("a file"), "save.dat"), {});
    expect(error).toMatchObject({ code: "file-write", cause: { code: "EEXIST" } });
    expect(stuck.calls.filter((name) => name === "open")).toHaveLength(11);
  });

  test("without hard links the backup is a copy", async () => {
    const folder = prepare("a file with backups");
    const fs = faultyFileSystem({ always: "link", fault: "EPERM" });
    expect(await save(fs, {}, join(folder, "save.dat"), { backups: 3 })).toBeUndefined();
    expect(fs.calls).toContain("copy");
    expect(listing(folder)).toEqual(["save.dat", "save.dat.bak1", "save.dat.bak2", "save.dat.bak3"]);
    expect(readFileSync(join(folder, "save.dat.bak1")).equals(OLD)).toBe(true);
  });

  test("a save that failed after its backup does not make the next one back the same content up twice", async () => {
    const folder = prepare("a file with backups");
    const path = join(folder, "save.dat");
    const probe = faultyFileSystem({});
    await save(probe, {}, path, { backups: 3 });
    const last = probe.calls.lastIndexOf("rename");
    const again = prepare("a file with backups");
    const file = join(again, "save.dat");
    expect(await save(faultyFileSystem({ at: last }), {}, file, { backups: 3 })).toMatchObject({ code: "file-write" });
    expect(await save(faultyFileSystem({}), {}, file, { backups: 3 })).toBeUndefined();
    expect(readFileSync(file + ".bak1").equals(OLD)).toBe(true);
    expect(readFileSync(file + ".bak2", "latin1")).toBe("one");
    expect(readFileSync(file + ".bak3", "latin1")).toBe("two");
  });

  test.each([false, true])("... nor where the backup was a copy; sync: %s", async (sync) => {
    const folder = prepare("a file with backups");
    const file = join(folder, "save.dat");
    const refused = () => faultyFileSystem({ always: "link", fault: "EPERM", sync });
    expect(await save(refused(), { sync }, file, { backups: 3 })).toBeUndefined();
    const before = listing(folder).map((name) => readFileSync(join(folder, name), "latin1"));
    for (let attempt = 0; attempt < 3; attempt++) {
      const held = refused();
      // Somebody holds the file: nothing takes its place.
      const { rename } = held;
      held.rename = (from, to) => {
        if (to !== file) return rename(from, to);
        if (sync) throw systemError("EBUSY", "rename");
        return Promise.reject(systemError("EBUSY", "rename"));
      };
      expect(await save(held, { sync }, file, { backups: 3 })).toMatchObject({ code: "file-write", cause: { code: "EBUSY" } });
    }
    // The first of them made a backup of the present content, the others found it.
    expect(listing(folder).map((name) => readFileSync(join(folder, name), "latin1"))).toEqual([before[0], before[0], before[1], before[2]]);
    // Another content of the same length is no such backup.
    writeFileSync(join(folder, "save.dat.bak1"), Buffer.alloc(NEW.length, 7));
    expect(await save(refused(), { sync }, file, { backups: 3 })).toBeUndefined();
    expect(readFileSync(`${file}.bak1`).equals(NEW)).toBe(true);
    expect(readFileSync(`${file}.bak2`).equals(Buffer.alloc(NEW.length, 7))).toBe(true);
  });

  test.each([false, true])("a backup that cannot be read is not taken for one of the present content; sync: %s", async (sync) => {
    const folder = prepare("a file with backups");
    const file = join(folder, "save.dat");
    const newest = `${file}.bak1`;
    writeFileSync(newest, OLD);
    const fs = faultyFileSystem({ always: "link", fault: "EPERM", sync });
    const { open } = fs;
    fs.open = (path, flags) => {
      if (path !== newest) return open(path, flags);
      if (sync) throw systemError("EACCES", "open");
      return Promise.reject(systemError("EACCES", "open"));
    };
    expect(await save(fs, { sync }, file, { backups: 3 })).toBeUndefined();
    for (const backup of [newest, `${file}.bak2`]) expect(readFileSync(backup).equals(OLD)).toBe(true);
  });

  test("a backup that was copied is flushed before the file is replaced, unless the system cannot", async () => {
    for (const platform of ["linux", "win32"]) {
      const fs = faultyFileSystem({ always: "link", fault: "EPERM", platform });
      const flags: string[] = [];
      const { open } = fs;
      fs.open = (path, how, mode) => {
        if (path.endsWith(".tmp") && how !== "wx+") flags.push(how);
        return open(path, how, mode);
      };
      expect(await save(fs, {}, join(prepare("a file"), "save.dat"), { backups: 1 })).toBeUndefined();
      const copied = fs.calls.indexOf("copy");
      expect(fs.calls.slice(copied, copied + 5)).toEqual(["copy", "open", "sync", "close", "rename"]);
      expect(flags).toEqual([platform === "win32" ? "r+" : "r"]);
    }
    for (const fault of ["EIO", "EACCES"]) {
      const folder = prepare("a file");
      const fs = faultyFileSystem({ always: "link", fault: "EPERM" });
      const { sync } = fs;
      fs.sync = (file) =>
        fs.calls.includes("copy") && !fs.calls.includes("rename") ? Promise.reject(systemError(fault, "sync")) : sync(file);
      const error = await save(fs, {}, join(folder, "save.dat"), { backups: 1 });
      if (fault === "EIO") expect(error).toMatchObject({ code: "file-write", cause: { code: fault } });
      else expect(error).toBeUndefined();
      expect(listing(folder)).toEqual(fault === "EIO" ? ["save.dat"] : ["save.dat", "save.dat.bak1"]);
    }
  });

  test("a folder that cannot be flushed: the new file is in place, the error says so", async () => {
    const folder = prepare("a file");
    const probe = faultyFileSystem({});
    await save(probe, {}, join(folder, "save.dat"), {});
    const error = await save(
      faultyFileSystem({ at: probe.calls.lastIndexOf("sync"), fault: "EIO" }),
      {},
      join(prepare("a file"), "save.dat"),
      {},
    );
    expect(error).toMatchObject({ code: "file-sync", cause: { code: "EIO" } });
  });
});

test.each([false, true])("what a save opens it closes; sync: %s", async (sync) => {
  const fs = faultyFileSystem({ sync });
  const steps = saveSteps(fs, join(scratchFolder(IN_MEMORY), "save.dat"), new PieceSource(NEW), { backups: 1 });
  if (sync) runStepsSync(steps);
  else await runSteps(steps);
  // The file and its folder.
  for (const call of ["open", "close"]) expect(fs.calls.filter((name) => name === call)).toHaveLength(2);
});

/** The flag of Node's permission model, by its name in this version. */
const PERMISSION = ["--permission", "--experimental-permission"].find((flag) => process.allowedNodeEnvironmentFlags.has(flag));

test.runIf(PERMISSION)("under Node's permission model each save is refused and the old file stays; loading works", async ({ skip }) => {
  const folder = scratchFolder();
  writeFileSync(join(folder, "old.dat"), OLD);
  const built = new URL("../../dist/node.mjs", import.meta.url).href;
  // In a process of its own, so from the built package.
  const program = `
    import { fsyncSync, openSync, rmSync } from "node:fs";
    import { join } from "node:path";
    import { loadSave, loadSaveSync, saveFile, saveFileSync } from ${JSON.stringify(built)};
    const folder = process.argv[1];
    const codeOf = async (operation) => {
      try {
        await operation();
      } catch ({ name, code, cause }) {
        return [name, code, cause?.code];
      }
    };
    const probe = join(folder, "probe");
    const refused = await codeOf(() => fsyncSync(openSync(probe, "w")));
    rmSync(probe);
    const saves = [];
    for (const name of ["old.dat", "new.dat"])
      for (const save of [saveFile, saveFileSync]) saves.push(await codeOf(() => save(join(folder, name), new Uint8Array(3))));
    const old = join(folder, "old.dat");
    console.log(JSON.stringify({ refused, saves, loads: [[...(await loadSave(old))], [...loadSaveSync(old)]] }));`;
  const flags = [PERMISSION!, "--allow-fs-read=*", "--allow-fs-write=*", "--no-warnings", "--input-type=module"];
  const { stdout } = await promisify(execFile)(process.execPath, [...flags, "--eval", program, folder]);
  const { refused, saves, loads } = JSON.parse(stdout);
  // Earlier releases of Node flush.
  if (refused === undefined) return skip();
  expect(refused).toEqual(["Error", "ERR_ACCESS_DENIED", null]);
  expect(saves).toEqual(Array(4).fill(["TuskError", "file-write", "ERR_ACCESS_DENIED"]));
  expect(loads).toEqual([[...OLD], [...OLD]]);
  expect([...readFileSync(join(folder, "old.dat"))]).toEqual([...OLD]);
  expect(listing(folder)).toEqual(["old.dat"]);
});
