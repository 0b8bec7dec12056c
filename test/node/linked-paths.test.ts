// One file, many paths: a save replaces the file that a load of the same path reads.
import {
  closeSync,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readlinkSync,
  renameSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { basename, dirname, join, relative, sep } from "node:path";
import { describe, expect, test } from "vitest";
import type { FileInfo } from "../../src/node/file-system.ts";
import { loadSave, type SaveOptions, saveFile, saveFileSync } from "../../src/node/index.ts";
import { PieceSource } from "../../src/node/pieces.ts";
import { saveSteps } from "../../src/node/save-file.ts";
import { runSteps, runStepsSync } from "../../src/node/steps.ts";
import { faultyFileSystem, systemError } from "./faulty-file-system.ts";
import { listing, scratchFolder } from "./scratch.ts";

const text = (content: string) => new TextEncoder().encode(content);
const read = (...names: string[]) => readFileSync(join(...names), "utf8");

const ways: [string, (path: string, data: Uint8Array, options?: SaveOptions) => unknown][] = [
  ["saveFile", saveFile],
  ["saveFileSync", async (...given) => saveFileSync(...given)],
];

/** `home/saves` leads to `data/profile/saves`; the slots in there lead on to `../cloud`. */
function profile(): string {
  const folder = scratchFolder();
  for (const name of ["home", "home/cloud", "data", "data/profile", "data/profile/saves", "data/profile/cloud"])
    mkdirSync(join(folder, name));
  symlinkSync("../data/profile/saves", join(folder, "home", "saves"), "dir");
  symlinkSync("../cloud/slot.dat", join(folder, "data", "profile", "saves", "slot.dat"));
  writeFileSync(join(folder, "data", "profile", "cloud", "slot.dat"), "old");
  return folder;
}

describe.each(ways)("%s", (_name, save) => {
  test("a relative link in a linked folder leads on from where it really is", async () => {
    const folder = profile();
    const path = join(folder, "home", "saves", "slot.dat");
    const real = join(folder, "data", "profile", "cloud", "slot.dat");
    expect(await save(path, text("new"), { backups: 1 })).toEqual({ path: real, bytes: 3 });
    expect(read(real)).toBe("new");
    expect(Buffer.from(await loadSave(path)).toString()).toBe("new");
    expect(lstatSync(path).isSymbolicLink()).toBe(true);
    expect(listing(join(folder, "home", "cloud"))).toEqual([]);
    expect(listing(join(folder, "data", "profile", "cloud"))).toEqual(["slot.dat", "slot.dat.bak1"]);
  });

  test("... also when its target does not exist yet", async () => {
    const folder = profile();
    symlinkSync("../cloud/later.dat", join(folder, "data", "profile", "saves", "later.dat"));
    await save(join(folder, "home", "saves", "later.dat"), text("new"));
    expect(read(folder, "data", "profile", "cloud", "later.dat")).toBe("new");
    expect(listing(join(folder, "home", "cloud"))).toEqual([]);
  });

  // Windows takes `..` out of a path before it looks at any link.
  test.skipIf(sep === "\\")("`..` behind a linked folder is the folder above the real one", async () => {
    const folder = scratchFolder();
    mkdirSync(join(folder, "real", "deep"), { recursive: true });
    symlinkSync("real/deep", join(folder, "ld"));
    symlinkSync("ld/../b", join(folder, "link"));
    for (const path of [`${folder}/ld/../b`, `${relative(process.cwd(), folder)}/ld/../b`, `${folder}/link`]) {
      writeFileSync(join(folder, "real", "b"), "old");
      expect(await save(path, text("new"))).toEqual({ path: join(folder, "real", "b"), bytes: 3 });
      expect(Buffer.from(await loadSave(path)).toString()).toBe("new");
    }
    expect(listing(folder)).toEqual(["ld", "link", "real"]);
    expect(readlinkSync(join(folder, "link"))).toBe("ld/../b");
  });

  test("a missing folder, links in a circle and links to nowhere are errors of the file", async () => {
    const folder = scratchFolder();
    symlinkSync("second", join(folder, "first"), "dir");
    symlinkSync("first", join(folder, "second"), "dir");
    symlinkSync(join("none", "save.dat"), join(folder, "nowhere"));
    for (const [names, code] of [
      [["none", "save.dat"], "ENOENT"],
      [["nowhere"], "ENOENT"],
      [["first", "save.dat"], "ELOOP"],
    ] as const)
      await expect(save(join(folder, ...names), text("new"))).rejects.toMatchObject({
        code: "file-write",
        reason: expect.stringContaining(`${join(folder, ...names)} cannot be written`),
        cause: { code },
      });
    await expect(save(join(folder, "first"), text("new"))).rejects.toMatchObject({ code: "file-write" });
    expect(listing(folder)).toEqual(["first", "nowhere", "second"]);
  });

  // Elsewhere names are text.
  test.runIf(process.platform === "linux")("a link to a name that is not UTF-8 leads to no other file", async () => {
    const folder = scratchFolder();
    const bytes = (name: string) => Buffer.from(`${folder}/${name}`, "latin1");
    writeFileSync(bytes("caf\xe9"), "old");
    symlinkSync(Buffer.from("caf\xe9", "latin1"), join(folder, "link"));
    symlinkSync(Buffer.from("none\xe9", "latin1"), join(folder, "later"));
    for (const name of ["link", "later"])
      await expect(save(join(folder, name), text("new"))).rejects.toMatchObject({ name: "TuskError", code: "file-write" });
    expect(readFileSync(bytes("caf\xe9"), "utf8")).toBe("old");
    expect(listing(folder)).toEqual(["caf\ufffd", "later", "link"]);
    // A name may really hold what stands for such bytes.
    writeFileSync(join(folder, "caf\ufffd"), "another");
    await expect(save(join(folder, "link"), text("new"))).rejects.toMatchObject({ name: "TuskError", code: "file-write" });
    expect(read(folder, "caf\ufffd")).toBe("another");
    symlinkSync("caf\ufffd", join(folder, "text"));
    for (const path of ["text", "caf\ufffd", "other\ufffd"]) {
      await save(join(folder, path), text(path));
      expect(read(folder, path)).toBe(path);
    }
  });

  test.runIf(existsSync("/proc/self/fd"))("what is open and has no path is not saved to", async () => {
    const folder = scratchFolder();
    const file = openSync(join(folder, "gone"), "w+");
    unlinkSync(join(folder, "gone"));
    await expect(save(`/proc/self/fd/${file}`, text("new"))).rejects.toMatchObject({ name: "TuskError", code: "file-write" });
    closeSync(file);
    const server = createServer().listen(join(folder, "socket"));
    const { fd } = (server as unknown as { _handle: { fd: number } })._handle;
    await expect(save(`/proc/self/fd/${fd}`, text("new"))).rejects.toMatchObject({ name: "TuskError", code: "not-a-file" });
    await new Promise((resolve) => server.close(resolve));
    expect(listing(folder)).toEqual([]);
  });

  test("the path of a folder makes no file, whether there is one or not", async () => {
    const folder = scratchFolder();
    mkdirSync(join(folder, "there"));
    writeFileSync(join(folder, "file"), "old");
    symlinkSync("missing/", join(folder, "link"));
    for (const path of ["there", "there/", "there/.", "there/..", "missing/", "file/", "file/.", "link"])
      await expect(save(`${folder}/${path}`, text("new")), path).rejects.toMatchObject({ name: "TuskError", code: "not-a-file" });
    expect(read(folder, "file")).toBe("old");
    expect(listing(folder)).toEqual(["file", "link", "there"]);
  });
});

describe("saves through several paths of one file", () => {
  /** Paths of `real/up/a`, and the folder of them. */
  function aliases(): [string, string[]] {
    const folder = scratchFolder();
    mkdirSync(join(folder, "real", "up"), { recursive: true });
    const file = join(folder, "real", "up", "a");
    symlinkSync(join("real", "up"), join(folder, "linked"), "dir");
    symlinkSync(join("linked", "a"), join(folder, "link"));
    return [
      file,
      [file, join(folder, "linked", "a"), join(folder, "link"), relative(process.cwd(), file), `${folder}/real/../real//up/./a`],
    ];
  }

  test.each([false, true])("wait for each other, the last call wins (the file is there: %s)", async (there) => {
    const [file, paths] = aliases();
    if (there) writeFileSync(file, "old");
    for (const first of paths) {
      const slow = saveFile(
        first,
        (async function* () {
          await new Promise((resolve) => setTimeout(resolve, 20));
          yield text("older");
        })(),
      );
      await Promise.all([slow, ...paths.map((path, i) => saveFile(path, text(`${i}`)))]);
      expect(read(file), first).toBe(`${paths.length - 1}`);
    }
  });

  test("halves of a character are one and the same for the system", async () => {
    const folder = scratchFolder();
    const slow = async function* () {
      await new Promise((resolve) => setTimeout(resolve, 20));
      yield text("older");
    };
    const path = join(folder, "a\ufffd");
    const saved = await Promise.all([saveFile(`${folder}/a\ud800`, slow()), saveFile(`${folder}/a\udc01`, text("newer"))]);
    expect(saved.map((file) => file.path)).toEqual([path, path]);
    expect(read(path)).toBe("newer");
    expect(listing(folder)).toEqual(["a\ufffd"]);
  });

  test("and those under way do not take the place of what saveFileSync has put there", async () => {
    const [file, paths] = aliases();
    const older = paths.map((path) => saveFile(path, new Uint8Array(1_000_000)));
    await new Promise((resolve) => setTimeout(resolve, 2));
    saveFileSync(paths[2], text("newest"));
    await Promise.all(older);
    expect(read(file)).toBe("newest");
  });

  test("a program that changes its folder meanwhile saves where it was", async () => {
    const folder = scratchFolder();
    const cwd = process.cwd();
    let missing: Promise<unknown>;
    process.chdir(folder);
    try {
      missing = saveFile("none/save.dat", text("new"));
    } finally {
      process.chdir(cwd);
    }
    await expect(missing).rejects.toMatchObject({
      reason: expect.stringContaining(`${join(folder, "none", "save.dat")} cannot be written`),
    });
  });
});

test("in a folder that has been removed nothing can be written, and that is told as such", async () => {
  const asked = process.cwd;
  const gone = systemError("ENOENT", "uv_cwd");
  process.cwd = () => {
    throw gone;
  };
  try {
    await expect(saveFile("none/save.dat", text("new"))).rejects.toMatchObject({ name: "TuskError", code: "file-write", cause: gone });
    expect(() => saveFileSync("none/save.dat", text("new"))).toThrow(expect.objectContaining({ code: "file-write", cause: gone }));
  } finally {
    process.cwd = asked;
  }
});

test.each([false, true])("a link that the system refuses to follow is not followed; sync: %s", async (sync) => {
  const folder = scratchFolder();
  writeFileSync(join(folder, "real"), "old");
  symlinkSync("real", join(folder, "link"));
  // As Linux does with a link of another user in a folder for all, when the kernel is asked to; it may be read all the same.
  const fs = faultyFileSystem({ always: "stat", fault: "EACCES", sync });
  const steps = saveSteps(fs, join(folder, "link"), new PieceSource(text("new")), {});
  await expect((async () => (sync ? runStepsSync(steps) : runSteps(steps)))()).rejects.toMatchObject({
    code: "file-write",
    cause: { code: "EACCES" },
  });
  expect(read(folder, "real")).toBe("old");
  expect(listing(folder)).toEqual(["link", "real"]);
});

test("a file of the same number on another drive is another one, but in Windows, which may tell a drive in two ways", async () => {
  const folder = scratchFolder();
  writeFileSync(join(folder, "real"), "old");
  symlinkSync("real", join(folder, "link"));
  for (const platform of ["linux", "win32"]) {
    const fs = faultyFileSystem({ sync: true, platform });
    const { stat } = fs;
    fs.stat = (path) => ({ ...(stat(path) as FileInfo), dev: -1n });
    const save = () => runStepsSync(saveSteps(fs, join(folder, "link"), new PieceSource(text("new")), {}));
    if (platform === "win32") expect(save()).toEqual({ path: join(folder, "real"), bytes: 3 });
    else expect(save).toThrow(expect.objectContaining({ code: "file-write" }));
    expect(read(folder, "real")).toBe(platform === "win32" ? "new" : "old");
  }
});

test("a file that another process replaces while its link is followed is saved", async () => {
  const folder = scratchFolder();
  writeFileSync(join(folder, "real"), "old");
  symlinkSync("real", join(folder, "link"));
  const fs = faultyFileSystem({});
  const { stat } = fs;
  fs.stat = (path) => {
    if (!fs.calls.includes("stat")) {
      writeFileSync(join(folder, "other"), "other");
      renameSync(join(folder, "other"), join(folder, "real"));
    }
    return stat(path);
  };
  expect(await runSteps(saveSteps(fs, join(folder, "link"), new PieceSource(text("new")), {}))).toEqual({
    path: join(folder, "real"),
    bytes: 3,
  });
  expect(read(folder, "real")).toBe("new");
});

test("a drive of Windows that tells no real paths is written all the same", async () => {
  const folder = scratchFolder();
  const file = join(folder, "save.dat");
  const fs = { ...faultyFileSystem({ platform: "win32" }), realpath: () => Promise.reject(systemError("EISDIR", "realpath")) };
  expect(await runSteps(saveSteps(fs, file, new PieceSource(text("new")), {}))).toEqual({ path: file, bytes: 3 });
  expect(read(file)).toBe("new");
  await expect(runSteps(saveSteps(fs, join(folder, "none", "x"), new PieceSource(text("new")), {}))).rejects.toMatchObject({
    cause: { code: "ENOENT" },
  });
  expect(existsSync(join(folder, "none"))).toBe(false);
});

test("where upper and lower case are the same, one file has one name, as it is stored", async () => {
  const folder = scratchFolder();
  writeFileSync(join(folder, "slot.dat"), "old");
  const folded = (path: string) => join(dirname(path), basename(path).replace(/^SLOT/, "slot"));
  const real = faultyFileSystem({});
  const fs = { ...real, lstat: (path: string) => real.lstat(folded(path)), realpath: (path: string) => real.realpath(folded(path)) };
  expect(await runSteps(saveSteps(fs, join(folder, "SLOT.dat"), new PieceSource(text("new")), {}))).toMatchObject({
    path: join(folder, "slot.dat"),
  });
  expect(read(folder, "slot.dat")).toBe("new");
  expect(listing(folder)).toEqual(["slot.dat"]);
  // So it is where an accent may be a part of its letter or a character of its own.
  const accent = { ...real, realpath: async (path: string) => (await real.realpath(path)).replace("\u00e9", "e\u0301") };
  expect(await runSteps(saveSteps(accent, join(folder, "\u00e9"), new PieceSource(text("new")), {}))).toEqual({
    path: join(folder, "\u00e9"),
    bytes: 3,
  });
  expect(await runSteps(saveSteps(accent, join(folder, "\u00e9"), new PieceSource(text("newer")), {}))).toEqual({
    path: join(folder, "e\u0301"),
    bytes: 5,
  });
  unlinkSync(join(folder, "\u00e9"));
  unlinkSync(join(folder, "e\u0301"));
  // A backup is another name of the same content, which the system may tell.
  const other = { ...real, realpath: async (path: string) => (path.endsWith("slot.dat") ? `${path}.bak1` : real.realpath(path)) };
  await runSteps(saveSteps(other, join(folder, "slot.dat"), new PieceSource(text("next")), { backups: 1 }));
  expect([read(folder, "slot.dat"), read(folder, "slot.dat.bak1")]).toEqual(["next", "new"]);
  // One that is removed just then is made anew.
  const gone = {
    ...real,
    realpath: (path: string) => (path.endsWith("slot.dat") ? Promise.reject(systemError("ENOENT", "realpath")) : real.realpath(path)),
  };
  expect(await runSteps(saveSteps(gone, join(folder, "slot.dat"), new PieceSource(text("newer")), {}))).toMatchObject({ bytes: 5 });
  expect(read(folder, "slot.dat")).toBe("newer");
});

// The system itself is asked, too, and others follow fewer.
test.skipIf(process.platform !== "linux")("forty links one behind the other are followed, and no more", async () => {
  const folder = scratchFolder();
  symlinkSync("save.dat", join(folder, "1"));
  for (let i = 2; i <= 41; i++) symlinkSync(String(i - 1), join(folder, String(i)));
  expect(await saveFile(join(folder, "40"), text("new"))).toMatchObject({ path: join(folder, "save.dat") });
  await expect(saveFile(join(folder, "41"), text("newer"))).rejects.toMatchObject({ code: "file-write" });
  expect(read(folder, "save.dat")).toBe("new");
});
