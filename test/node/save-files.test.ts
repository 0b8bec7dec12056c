// Saving and loading on a real disk.
import { pbkdf2 } from "node:crypto";
import {
  appendFileSync,
  chmodSync,
  chownSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { runInNewContext } from "node:vm";
import { describe, expect, test, vi } from "vitest";
import { TuskError } from "../../src/errors.ts";
import { fileSystem, fileSystemSync } from "../../src/node/file-system.ts";
import { backupPath, type FileProgress, loadSave, loadSaveSync, saveFile, saveFileSync } from "../../src/node/index.ts";
import { loadSteps } from "../../src/node/load-save.ts";
import { PieceSource } from "../../src/node/pieces.ts";
import { type SaveOptions, saveSteps } from "../../src/node/save-file.ts";
import { runSteps, runStepsSync } from "../../src/node/steps.ts";
import { faultyFileSystem } from "./faulty-file-system.ts";
import { IN_MEMORY, listing, scratchFolder } from "./scratch.ts";

const text = (content: string) => new TextEncoder().encode(content);
function moved(): Uint8Array {
  const bytes = text("abc");
  structuredClone(bytes.buffer, { transfer: [bytes.buffer] });
  return bytes;
}
function movedView(): DataView {
  const view = new DataView(new ArrayBuffer(3));
  structuredClone(view.buffer, { transfer: [view.buffer] });
  return view;
}
/** A view of the last bytes of a buffer that has been made smaller since. */
function cutOff<T>(view: new (buffer: ArrayBuffer, at: number, length: number) => T): T {
  const Resizable = ArrayBuffer as unknown as new (length: number, options: object) => ArrayBuffer & { resize(length: number): void };
  const buffer = new Resizable(16, { maxByteLength: 16 });
  const bytes = new view(buffer, 8, 1);
  buffer.resize(4);
  return bytes;
}
function shared(content: string, bytes = new SharedArrayBuffer(content.length)): SharedArrayBuffer {
  new Uint8Array(bytes).set(text(content));
  return bytes;
}
const elsewhere = (code: string, content: string) => shared(content, runInNewContext(code)) as unknown as ArrayBuffer;
const mode = (path: string) => statSync(path).mode & 0o7777;
/** Windows has no permission bits but one. */
const testBits = test.skipIf(process.platform === "win32");

describe("saveFile", () => {
  testBits("makes a new file with the umask's bits", async () => {
    const file = join(scratchFolder(), "save.dat");
    const umask = process.umask();
    expect(await saveFile(file, text("new"))).toEqual({ path: file, bytes: 3 });
    expect(readFileSync(file, "utf8")).toBe("new");
    expect(mode(file)).toBe(0o666 & ~umask);
  });

  testBits.each(["000", "002", "027"])("a new file may be read and written by all whom umask %s lets", async (octal) => {
    const file = join(scratchFolder(), "save.dat");
    const mask = Number.parseInt(octal, 8);
    const before = process.umask(mask);
    try {
      await saveFile(file, text("new"));
      saveFileSync(`${file}.2`, text("new"));
    } finally {
      process.umask(before);
    }
    expect([mode(file), mode(`${file}.2`)]).toEqual([0o666 & ~mask, 0o666 & ~mask]);
  });

  // The owner may set the user's bit of a file on every system.
  testBits.each([0o600, 0o644, 0o666, 0o755, 0o4755])("keeps mode %o", async (bits) => {
    const file = join(scratchFolder(), "save.dat");
    writeFileSync(file, "old");
    chmodSync(file, bits);
    await saveFile(file, text("new"));
    expect(mode(file)).toBe(bits);
    saveFileSync(file, text("newer"));
    expect(mode(file)).toBe(bits);
    await saveFile(file, text("newest"), { mode: 0o640 });
    expect(mode(file)).toBe(0o640);
  });

  test("a mode may have all twelve bits, and no other", async () => {
    const file = join(scratchFolder(), "save.dat");
    const stopped = (mode: number) => saveFile(file, text("new"), { mode, signal: AbortSignal.abort("stopped") });
    await expect(stopped(0o7777)).rejects.toBe("stopped");
    await expect(stopped(0o10000)).rejects.toMatchObject({ code: "bad-option" });
  });

  test("sets the mode behind all bytes, because writing takes bits that change the user away", async () => {
    const file = join(scratchFolder(), "save.dat");
    writeFileSync(file, "old");
    const fs = faultyFileSystem({ short: true });
    // Bits that no new file gets while the umask is this one.
    const umask = process.umask(0o077);
    try {
      await runSteps(saveSteps(fs, file, new PieceSource(text("new")), { mode: 0o666 }));
    } finally {
      process.umask(umask);
    }
    expect(fs.calls.indexOf("chmod")).toBeGreaterThan(fs.calls.lastIndexOf("write"));
  });

  test.each([false, true])("a temporary file has the name that leftovers are known by; sync: %s", async (sync) => {
    const folder = scratchFolder();
    writeFileSync(join(folder, "slot1.dat"), "old");
    let beside: string[] = [];
    const onProgress = (): void => {
      beside = listing(folder);
    };
    if (sync) saveFileSync(join(folder, "slot1.dat"), text("new"), { onProgress });
    else await saveFile(join(folder, "slot1.dat"), text("new"), { onProgress });
    // As docs/files.md has it.
    expect(beside).toEqual(["slot1.dat", expect.stringMatching(/^slot1\.dat\.[0-9a-f]{12}\.tmp$/)]);
    expect(listing(folder)).toEqual(["slot1.dat"]);
  });

  test("follows links, relative and chained ones too, and leaves them in place", async () => {
    const folder = scratchFolder();
    mkdirSync(join(folder, "deep"));
    const real = join(folder, "deep", "real.dat");
    writeFileSync(real, "old");
    symlinkSync("deep/real.dat", join(folder, "second"));
    symlinkSync(join(folder, "second"), join(folder, "first"));
    expect(await saveFile(join(folder, "first"), text("new"), { backups: 1 })).toEqual({ path: real, bytes: 3 });
    expect(lstatSync(join(folder, "first")).isSymbolicLink()).toBe(true);
    expect(readlinkSync(join(folder, "second"))).toBe("deep/real.dat");
    expect(readFileSync(real, "utf8")).toBe("new");
    expect(readFileSync(backupPath(real, 1), "utf8")).toBe("old");
    expect(listing(folder)).toEqual(["deep", "first", "second"]);
  });

  test("a link to nothing gets its target", async () => {
    const folder = scratchFolder();
    symlinkSync("later.dat", join(folder, "save.dat"));
    await saveFile(join(folder, "save.dat"), text("new"));
    expect(readlinkSync(join(folder, "save.dat"))).toBe("later.dat");
    expect(readFileSync(join(folder, "later.dat"), "utf8")).toBe("new");
  });

  test("a circle of links, a folder and a missing folder are errors", async () => {
    const folder = scratchFolder();
    symlinkSync("b", join(folder, "a"));
    symlinkSync("a", join(folder, "b"));
    await expect(saveFile(join(folder, "a"), text("x"))).rejects.toMatchObject({ code: "file-write", format: "tusk" });
    await expect(saveFile(folder, text("x"))).rejects.toMatchObject({ code: "not-a-file" });
    await expect(saveFile(join(folder, "none", "x"), text("x"))).rejects.toMatchObject({ code: "file-write", cause: { code: "ENOENT" } });
    expect(() => saveFileSync(join(folder, "none", "x"), text("x"))).toThrow(expect.objectContaining({ code: "file-write" }));
    expect(listing(folder)).toEqual(["a", "b"]);
  });

  test("another name of the same file keeps the old content", async () => {
    const folder = scratchFolder();
    writeFileSync(join(folder, "save.dat"), "old");
    linkSync(join(folder, "save.dat"), join(folder, "other"));
    await saveFile(join(folder, "save.dat"), text("new"));
    expect(readFileSync(join(folder, "other"), "utf8")).toBe("old");
  });

  test("backups have a path and a number from 1", () => {
    for (const [path, number] of [
      [Symbol(), 1],
      ["", 1],
      ["a\0b", 1],
      [new URL("https://example.com/save.dat"), 1],
      [undefined, undefined],
      ["a", 0],
      ["a", -1],
      ["a", 1.5],
      ["a", "1"],
    ])
      expect(() => backupPath(path as string, number as number)).toThrow(
        expect.objectContaining({ name: "TuskError", code: "bad-option" }),
      );
    const file = resolve("save.dat");
    expect(backupPath(pathToFileURL(file), 2)).toBe(`${file}.bak2`);
  });

  test("the number of a backup is one that has a next", () => {
    for (const number of [2 ** 53, Number.POSITIVE_INFINITY, Number.NaN])
      expect(() => backupPath("save.dat", number)).toThrow(expect.objectContaining({ code: "bad-option" }));
  });

  test("keeps as many backups as asked for, the newest first", async () => {
    const file = join(scratchFolder(), "save.dat");
    for (const content of ["1", "2", "3", "4", "5"]) await saveFile(file, text(content), { backups: 3 });
    expect(readFileSync(file, "utf8")).toBe("5");
    expect([1, 2, 3].map((n) => readFileSync(backupPath(file, n), "utf8"))).toEqual(["4", "3", "2"]);
    expect(existsSync(backupPath(file, 4))).toBe(false);
    // A gap takes up the shift.
    saveFileSync(file, text("6"), { backups: 1 });
    expect([1, 2, 3].map((n) => readFileSync(backupPath(file, n), "utf8"))).toEqual(["5", "3", "2"]);
    // Node 20 aborts for it.
    await expect(saveFile(file, text("7"), { mode: -0 })).rejects.toMatchObject({ name: "TuskError", code: "bad-option" });
    await expect(saveFile(file, text("7"), { backups: -1 })).rejects.toMatchObject({ name: "TuskError", code: "bad-option" });
    expect(() => saveFileSync(file, text("7"), { backups: 1.5 })).toThrow(expect.objectContaining({ code: "bad-option" }));
  });

  test.each<[string, typeof saveFile | typeof saveFileSync]>([
    ["saveFile", saveFile],
    ["saveFileSync", saveFileSync],
  ])("what another save puts there while %s writes is backed up as well", async (_name, save) => {
    for (const old of ["C", undefined]) {
      const folder = scratchFolder();
      const file = join(folder, "save.dat");
      if (old) writeFileSync(file, old);
      function* pieces() {
        // As another process does it: the queue of this one does not know.
        runStepsSync(saveSteps(fileSystemSync, file, new PieceSource(text("B")), { backups: 3 }));
        yield text("A");
      }
      await save(file, pieces(), { backups: 3 });
      expect(listing(folder).map((name) => [name, readFileSync(join(folder, name), "utf8")])).toEqual([
        ["save.dat", "A"],
        ["save.dat.bak1", "B"],
        ...(old ? [["save.dat.bak2", old]] : []),
      ]);
    }
    // A folder is no version of a file.
    const folder = scratchFolder();
    const file = join(folder, "save.dat");
    function* pieces() {
      mkdirSync(file);
      yield text("A");
    }
    await expect((async () => save(file, pieces(), { backups: 3 }))()).rejects.toMatchObject({ code: "not-a-file" });
    expect(listing(folder)).toEqual(["save.dat"]);
  });

  test("takes pieces, and tells how far it is", async () => {
    const folder = scratchFolder();
    const seen: (number | undefined)[][] = [];
    async function* pieces() {
      yield text("one ");
      yield text("");
      yield text("two");
    }
    await saveFile(join(folder, "a"), pieces(), { onProgress: ({ bytes, total }) => seen.push([bytes, total]) });
    saveFileSync(join(folder, "b"), [text("one "), text("two")]);
    await saveFile(join(folder, "c"), text("seven"), { onProgress: ({ bytes, total }) => seen.push([bytes, total]) });
    await saveFile(join(folder, "empty"), []);
    expect(readFileSync(join(folder, "a"), "utf8")).toBe("one two");
    expect(readFileSync(join(folder, "b"), "utf8")).toBe("one two");
    expect(readFileSync(join(folder, "empty"), "utf8")).toBe("");
    expect(seen).toEqual([
      [4, undefined],
      [7, undefined],
      [5, 5],
    ]);
  });

  test("each piece is told of before the content is flushed and read back", async () => {
    const fs = faultyFileSystem({});
    const content = () => fs.calls.filter((name) => ["write", "sync", "read"].includes(name));
    const told: unknown[] = [];
    const onProgress = ({ bytes }: { bytes: number }) => told.push([bytes, content()]);
    await runSteps(saveSteps(fs, join(scratchFolder(), "save.dat"), new PieceSource([text("one "), text("two")]), { onProgress }));
    expect(told).toEqual([
      [4, ["write"]],
      [7, ["write", "write"]],
    ]);
    expect(content().slice(0, 4)).toEqual(["write", "write", "sync", "read"]);
  });

  test.each<[string, ArrayBuffer | ArrayBufferView]>([
    ["ArrayBuffer", text("abcdefgh").buffer],
    ["DataView", new DataView(text("__abcdefgh").buffer, 2)],
    ["Uint16Array", new Uint16Array(text("abcdefgh").buffer)],
    ["Uint8ClampedArray", new Uint8ClampedArray(text("abcdefgh").buffer)],
    ["Float64Array", new Float64Array(text("abcdefgh").buffer)],
    ["Buffer", Buffer.from("abcdefgh")],
    ["SharedArrayBuffer", shared("abcdefgh") as unknown as ArrayBuffer],
    ["ArrayBuffer of another realm", elsewhere("new ArrayBuffer(8)", "abcdefgh")],
    ["SharedArrayBuffer of another realm", elsewhere("new SharedArrayBuffer(8)", "abcdefgh")],
    ["DataView of another realm", new DataView(elsewhere("new ArrayBuffer(8)", "abcdefgh"))],
  ])("the bytes of a %s, whole and as a piece", async (_name, bytes) => {
    const file = join(scratchFolder(), "save.dat");
    for (const data of [bytes, [bytes]]) {
      expect(await saveFile(file, data)).toEqual({ path: file, bytes: 8 });
      expect(readFileSync(file, "utf8")).toBe("abcdefgh");
      writeFileSync(file, "old");
      expect(saveFileSync(file, data).bytes).toBe(8);
      expect(readFileSync(file, "utf8")).toBe("abcdefgh");
    }
  });

  test.each<[string, unknown]>([
    ["text", "abc"],
    ["a promise", Promise.resolve(text("abc"))],
    ["numbers", [97, 98, 99]],
    ["pieces of text", ["abc"]],
    ["promises of pieces", [Promise.resolve(text("abc"))]],
    ["objects", [{}]],
    ["an object", {}],
    ["a Blob", new Blob(["abc"])],
    ["what cannot be iterated", { [Symbol.iterator]: 5 }],
    ["what cannot be iterated later", { [Symbol.asyncIterator]: 5 }],
    ["an iterator that is none", { [Symbol.iterator]: () => 5 }],
    ["results that are none", { [Symbol.iterator]: () => ({ next: () => undefined }) }],
    ["nothing", undefined],
    ["null", null],
    ["a number", 5],
    ["bytes that were moved away", moved()],
    ["a buffer that was moved away", moved().buffer],
    ["a DataView of memory that was moved away", movedView()],
    ["a Uint8Array outside of its buffer", cutOff(Uint8Array)],
    ["a Float64Array outside of its buffer", cutOff(Float64Array)],
    ["a DataView outside of its buffer", cutOff(DataView)],
    ["a piece that was moved away", [moved()]],
    ["a DataView that was moved away, as a piece", [movedView()]],
    ["a piece outside of its buffer", [text("abc"), cutOff(Uint8Array)]],
    ["a DataView outside of its buffer, as a piece", [cutOff(DataView)]],
  ])("what is no bytes is refused and leaves the old file: %s", async (_name, data) => {
    const folder = scratchFolder();
    const file = join(folder, "save.dat");
    writeFileSync(file, "old");
    await expect(saveFile(file, data as Uint8Array)).rejects.toMatchObject({ name: "TuskError", code: "bad-option" });
    expect(() => saveFileSync(file, data as Uint8Array)).toThrow(expect.objectContaining({ name: "TuskError", code: "bad-option" }));
    expect(readFileSync(file, "utf8")).toBe("old");
    expect(listing(folder)).toEqual(["save.dat"]);
  });

  test.each<[string, ArrayBuffer | ArrayBufferView]>([
    ["Uint8Array", new Uint8Array()],
    ["Float64Array", new Float64Array()],
    ["DataView", new DataView(new ArrayBuffer(0))],
    ["ArrayBuffer", new ArrayBuffer(0)],
  ])("no bytes are an empty file: %s", async (_name, bytes) => {
    const file = join(scratchFolder(), "save.dat");
    for (const data of [bytes, [bytes]]) {
      writeFileSync(file, "old");
      expect(await saveFile(file, data)).toEqual({ path: file, bytes: 0 });
      expect(readFileSync(file, "utf8")).toBe("");
      expect(saveFileSync(file, data).bytes).toBe(0);
    }
  });

  test("the error names what was given", async () => {
    const file = join(scratchFolder(), "save.dat");
    for (const [data, name] of [
      [null, "null"],
      [undefined, "undefined"],
      ["abc", "string"],
      [text, "function"],
      [[null], "null"],
      [new Date(), "an object of class Date"],
      [Object.create(ArrayBuffer.prototype), "an object of class ArrayBuffer"],
      [Object.create(null), "an object of class Object"],
      [{ constructor: null }, "an object of class Object"],
      [JSON.parse('{"constructor":{"name":{"toString":1}}}'), "an object of class Object"],
      [[{ constructor: { name: Symbol("s") } }], "an object of class Object"],
    ])
      await expect(saveFile(file, data)).rejects.toMatchObject({ reason: expect.stringMatching(new RegExp(`not ${name}$`)) });
  });

  test("saveFileSync refuses pieces that come later", () => {
    async function* pieces() {
      yield text("new");
    }
    const file = join(scratchFolder(), "save.dat");
    expect(() => saveFileSync(file, pieces() as unknown as Uint8Array[])).toThrow(expect.objectContaining({ code: "bad-option" }));
  });

  test("bytes that are moved away meanwhile leave the old file", async () => {
    const folder = scratchFolder();
    const file = join(folder, "save.dat");
    writeFileSync(file, "old");
    const early = text("new");
    const saving = saveFile(file, early);
    structuredClone(early.buffer, { transfer: [early.buffer] });
    await expect(saving).rejects.toMatchObject({ code: "bad-option" });
    const late = text("newer");
    const fs = faultyFileSystem({ short: true });
    const onProgress = () => late.length > 0 && void structuredClone(late.buffer, { transfer: [late.buffer] });
    await expect(runSteps(saveSteps(fs, file, new PieceSource(late), { onProgress }))).rejects.toMatchObject({ code: "file-write" });
    expect(readFileSync(file, "utf8")).toBe("old");
    expect(listing(folder)).toEqual(["save.dat"]);
  });

  test.each<[string, unknown]>([
    ["an error", new Error("no more")],
    ["one with a system's code", Object.assign(new Error("no more"), { code: "ENOSPC" })],
    ["an abort", AbortSignal.abort().reason],
    ["a TuskError", new TuskError("elephant", "unsupported-value", "a symbol")],
    ["no object", "no more"],
    ["nothing", undefined],
  ])("what the source or the listener throws arrives as it is, and leaves the old file: %s", async (_name, problem) => {
    const folder = scratchFolder();
    const file = join(folder, "save.dat");
    writeFileSync(file, "old");
    const fail = (): never => {
      throw problem;
    };
    const caught = (promise: Promise<unknown>) =>
      promise.then(
        () => "done",
        (error) => ({ error }),
      );
    function* pieces() {
      yield text("one");
      fail();
    }
    async function* later() {
      yield* pieces();
    }
    const none = { [Symbol.iterator]: fail };
    for (const data of [pieces, later, () => none]) expect(await caught(saveFile(file, data()))).toEqual({ error: problem });
    expect(await caught(saveFile(file, text("new"), { onProgress: fail }))).toEqual({ error: problem });
    expect(await caught((async () => saveFileSync(file, pieces()))())).toEqual({ error: problem });
    expect(await caught((async () => saveFileSync(file, text("new"), { onProgress: fail }))())).toEqual({ error: problem });
    expect(readFileSync(file, "utf8")).toBe("old");
    expect(listing(folder)).toEqual(["save.dat"]);
    expect(await caught(loadSave(file, { onProgress: fail }))).toEqual({ error: problem });
    expect(await caught((async () => loadSaveSync(file, { onProgress: fail }))())).toEqual({ error: problem });
  });

  test("errors of the system after a piece are told as such", async () => {
    for (const always of ["write", "sync", "rename"] as const) {
      const fs = faultyFileSystem({ always, fault: "ENOSPC" });
      const saving = runSteps(
        saveSteps(fs, join(scratchFolder(), "save.dat"), new PieceSource([text("one"), text("two")]), { onProgress: () => {} }),
      );
      await expect(saving).rejects.toMatchObject({ code: "file-write", cause: { code: "ENOSPC" } });
    }
  });

  test("an abort ends the pieces too", async () => {
    const folder = scratchFolder();
    const controller = new AbortController();
    let ended = false;
    async function* endless() {
      try {
        for (let i = 0; ; i++) {
          if (i === 3) controller.abort();
          yield text("more");
        }
      } finally {
        ended = true;
      }
    }
    await expect(saveFile(join(folder, "save.dat"), endless(), { signal: controller.signal })).rejects.toMatchObject({
      name: "AbortError",
    });
    expect(ended).toBe(true);
    expect(listing(folder)).toEqual([]);
    await expect(saveFile(join(folder, "save.dat"), text("x"), { signal: AbortSignal.abort("why") })).rejects.toBe("why");
  });

  test("an abort is heard while the next piece does not come, and while the save waits for its turn", async () => {
    const folder = scratchFolder();
    const file = join(folder, "save.dat");
    const stuck = new AbortController();
    let given!: () => void;
    const asked = new Promise<void>((resolve) => {
      given = resolve;
    });
    const pieces = {
      async *[Symbol.asyncIterator]() {
        yield text("half");
        given();
        await new Promise(() => {});
      },
    };
    const first = saveFile(file, pieces, { signal: stuck.signal });
    const waiting = new AbortController();
    const second = saveFile(file, text("second"), { signal: waiting.signal });
    const third = saveFile(file, text("third"));
    await asked;
    waiting.abort("too late");
    await expect(second).rejects.toBe("too late");
    expect(listing(folder)).toEqual([expect.stringMatching(/\.tmp$/)]);
    stuck.abort("no more");
    await expect(first).rejects.toBe("no more");
    expect(await third).toEqual({ path: file, bytes: 5 });
    expect(readFileSync(file, "utf8")).toBe("third");
    expect(listing(folder)).toEqual(["save.dat"]);
  }, 5000);

  test("the options of a save are those of its call, not of its turn", async () => {
    const file = join(scratchFolder(), "options");
    const options: SaveOptions = { backups: 2, mode: 0o600 };
    const saves = ["1", "2", "3"].map((content) => saveFile(file, text(content), options));
    Object.assign(options, { backups: 0, mode: 0o644, verify: "no" });
    await Promise.all(saves);
    expect([file, backupPath(file, 1), backupPath(file, 2)].map((path) => readFileSync(path, "utf8"))).toEqual(["3", "2", "1"]);
    if (process.platform !== "win32") expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  test("of many saves at once the last call wins, and readers only ever see whole files", async () => {
    const folder = scratchFolder();
    const file = join(folder, "save.dat");
    const contents = Array.from({ length: 20 }, (_, i) => new Uint8Array(50_000 + i * 1000).fill(i));
    await saveFile(file, contents[0]);
    let done = false;
    const reading = (async () => {
      let reads = 0;
      while (!done) {
        const bytes = await loadSave(file);
        expect(bytes.length).toBe(contents[bytes[0]].length);
        expect(bytes.every((byte) => byte === bytes[0])).toBe(true);
        reads++;
      }
      return reads;
    })();
    await Promise.all(contents.map((content) => saveFile(file, content, { backups: 2 })));
    done = true;
    expect(await reading).toBeGreaterThan(0);
    expect(readFileSync(file)[0]).toBe(19);
    expect(readFileSync(backupPath(file, 1))[0]).toBe(18);
    expect(readFileSync(backupPath(file, 2))[0]).toBe(17);
    expect(listing(folder)).toEqual(["save.dat", "save.dat.bak1", "save.dat.bak2"]);
  });

  test("saves under way do not take the place of what saveFileSync has put there", async () => {
    const folder = scratchFolder();
    const file = join(folder, "save.dat");
    const opened = vi.spyOn(fileSystem, "open");
    const older = [saveFile(file, new Uint8Array(2_000_000)), saveFile(file, text("older"), { backups: 1 })];
    while (opened.mock.calls.length === 0) await new Promise(setImmediate);
    saveFileSync(file, text("newest"));
    opened.mockRestore();
    await Promise.all(older);
    expect(readFileSync(file, "utf8")).toBe("newest");
    // Nor do they make a backup of it.
    expect(listing(folder)).toEqual(["save.dat"]);
    await saveFile(file, text("and on"));
    expect(readFileSync(file, "utf8")).toBe("and on");
  });

  test.each(["linux", "win32"])("... nor when the system is slow to rename (%s)", async (platform) => {
    const folder = scratchFolder();
    const file = join(folder, "save.dat");
    const before = { ...fileSystem };
    Object.assign(fileSystem, { platform });
    const asked = vi.spyOn(fileSystem, "rename").mockImplementation(async (from, to) => {
      await new Promise((resolve) => setTimeout(resolve, 30));
      // Somebody holds the file.
      if (platform === "win32" && asked.mock.calls.length === 1) throw Object.assign(new Error("held"), { code: "EBUSY" });
      return before.rename(from, to);
    });
    try {
      const older = saveFile(file, text("older"));
      while (asked.mock.calls.length === 0) await new Promise(setImmediate);
      saveFileSync(file, text("newest"));
      expect(await older).toEqual({ path: file, bytes: 5 });
    } finally {
      Object.assign(fileSystem, before);
    }
    expect(readFileSync(file, "utf8")).toBe("newest");
    expect(listing(folder)).toEqual(["save.dat"]);
  });

  test("... nor do they take backups away that it has made", async () => {
    const before = { ...fileSystem };
    const moments = ["lstat", "link", "rename", "remove"] as const;
    // Each of them in turn is the moment that a window closes, behind the call.
    for (let moment = 0, reached = true; reached; moment++) {
      const file = join(scratchFolder(), "save.dat");
      for (const content of ["C", "B", "A"]) saveFileSync(file, text(content), { backups: 2 });
      let calls = 0;
      for (const name of moments)
        Object.assign(fileSystem, {
          [name]: async (...given: [string, string]) => {
            const answer = await (before[name] as (...given: string[]) => Promise<unknown>)(...given);
            if (calls++ === moment) saveFileSync(file, text("Y"), { backups: 4 });
            return answer;
          },
        });
      try {
        await saveFile(file, text("X"), { backups: 4 });
      } finally {
        Object.assign(fileSystem, before);
      }
      reached = calls > moment;
      const found = ["", ".bak1", ".bak2", ".bak3", ".bak4"].map((end) => existsSync(file + end) && readFileSync(file + end, "utf8"));
      // The file as it was at the moment has its backup, too: X, when it was in place.
      const placed = found[1] === "X";
      if (!reached) expect(found).toEqual(["X", "A", "B", "C", false]);
      else expect(found, `call ${moment}`).toEqual(placed ? ["Y", "X", "A", "B", "C"] : ["Y", "A", "B", "C", false]);
      expect(listing(dirname(file)).filter((name) => name.endsWith(".tmp"))).toEqual([]);
    }
  });

  test("... nor when the system is busy: a backup is renamed at once, or not any more", async () => {
    const file = join(scratchFolder(IN_MEMORY), "save.dat");
    saveFileSync(file, text("1"));
    saveFileSync(file, text("2"), { backups: 2 });
    const { rename } = fileSystem;
    const asked = vi.spyOn(fileSystem, "rename").mockImplementationOnce((...given) => {
      // Node's threads, which carry out what waits.
      for (let i = 0; i < 4; i++) pbkdf2("x", "y", 50_000, 64, "sha512", () => {});
      const renamed = rename(...given);
      saveFileSync(file, text("3"), { backups: 2 });
      return renamed;
    });
    try {
      await saveFile(file, text("older"), { backups: 2 });
    } finally {
      asked.mockRestore();
    }
    expect(["", ".bak1", ".bak2"].map((end) => readFileSync(file + end, "utf8"))).toEqual(["3", "2", "1"]);
    expect(listing(dirname(file))).toEqual(["save.dat", "save.dat.bak1", "save.dat.bak2"]);
  });

  test("... nor when the folder of the newest could not be flushed", async () => {
    const file = join(scratchFolder(), "save.dat");
    const older = saveFile(file, new Uint8Array(2_000_000));
    const { sync } = fileSystemSync;
    let calls = 0;
    fileSystemSync.sync = (handle) => {
      if (++calls === 2) throw Object.assign(new Error("the disk is gone"), { code: "EIO" });
      return sync(handle);
    };
    try {
      expect(() => saveFileSync(file, text("newest"))).toThrow("could not be flushed");
    } finally {
      fileSystemSync.sync = sync;
    }
    await older;
    expect(readFileSync(file, "utf8")).toBe("newest");
  });

  test("a backup that another process has made meanwhile leaves no temporary name", async () => {
    const folder = scratchFolder();
    const file = join(folder, "save.dat");
    writeFileSync(file, "old");
    const other = faultyFileSystem({});
    const { link } = other;
    // Between our second name for the old content and its move, somebody else makes the same backup.
    other.link = async (existing, path) => {
      await link(existing, path);
      linkSync(existing, backupPath(file, 1));
    };
    await runSteps(saveSteps(other, file, new PieceSource(text("new")), { backups: 1 }));
    expect(listing(folder)).toEqual(["save.dat", "save.dat.bak1"]);
    expect(readFileSync(backupPath(file, 1), "utf8")).toBe("old");
  });

  test("files whose numbers differ only beyond the 53 bits of a double have a backup each", async () => {
    const folder = scratchFolder();
    const file = join(folder, "save.dat");
    for (const content of ["1", "2"]) await saveFile(file, text(content), { backups: 1 });
    // As NTFS numbers them from the 32nd use of a record on.
    const beyond = async (asked: string) => ({ ...(await fileSystem.lstat(asked)), ino: 2n ** 53n + BigInt(asked.endsWith(".bak1")) });
    const fs = { ...faultyFileSystem({}), lstat: beyond };
    await runSteps(saveSteps(fs, file, new PieceSource(text("3")), { backups: 1 }));
    expect(readFileSync(`${file}.bak1`, "utf8")).toBe("2");
    const { ino, dev } = statSync(file, { bigint: true });
    expect(await fileSystem.lstat(file)).toMatchObject({ ino, dev, size: 1 });
  });

  test("so do files of the same number on two devices", async () => {
    const file = join(scratchFolder(), "save.dat");
    for (const content of ["1", "2"]) await saveFile(file, text(content), { backups: 1 });
    const lstat = async (asked: string) => ({ ...(await fileSystem.lstat(asked)), ino: 7n, dev: BigInt(asked.endsWith(".bak1")) });
    await runSteps(saveSteps({ ...faultyFileSystem({}), lstat }, file, new PieceSource(text("3")), { backups: 1 }));
    expect(readFileSync(`${file}.bak1`, "utf8")).toBe("2");
  });

  test("a copy takes no other file's place", async () => {
    const folder = scratchFolder();
    const [file, other] = ["save.dat", "other"].map((name) => join(folder, name));
    writeFileSync(file, "ours");
    writeFileSync(other, "another's");
    await expect(fileSystem.copy(file, other)).rejects.toMatchObject({ code: "EEXIST" });
    expect(() => fileSystemSync.copy(file, other)).toThrow(expect.objectContaining({ code: "EEXIST" }));
    expect(readFileSync(other, "utf8")).toBe("another's");
  });

  test("where only others may replace the file, no second name of it is left", async () => {
    const folder = scratchFolder();
    const file = join(folder, "save.dat");
    writeFileSync(file, "old");
    const infoOf = (path: string, bits: number) => async (asked: string) => {
      const info = await fileSystem.lstat(asked);
      return { ...info, isOthers: true, mode: asked === path ? bits : info.mode };
    };
    const refused = { ...faultyFileSystem({}), lstat: infoOf(folder, 0o1777) };
    await expect(runSteps(saveSteps(refused, file, new PieceSource(text("new")), { backups: 2 }))).rejects.toMatchObject({
      name: "TuskError",
      code: "file-write",
    });
    expect(refused.calls).not.toContain("link");
    expect(listing(folder)).toEqual(["save.dat"]);
    // In folders without that bit whoever may write there may replace.
    const open = { ...faultyFileSystem({}), lstat: infoOf(folder, 0o777) };
    await runSteps(saveSteps(open, file, new PieceSource(text("new")), { backups: 2 }));
    expect(listing(folder)).toEqual(["save.dat", "save.dat.bak1"]);
  });

  test("a failed save does not stop the ones behind it", async () => {
    const file = join(scratchFolder(), "save.dat");
    const controller = new AbortController();
    const failing = saveFile(file, text("one"), { signal: AbortSignal.abort("no") });
    const next = saveFile(file, text("two"), { signal: controller.signal });
    await expect(failing).rejects.toBe("no");
    await next;
    expect(readFileSync(file, "utf8")).toBe("two");
  });
});

describe("loadSave", () => {
  test("reads files by path and URL, empty ones and ones without a size", async () => {
    const folder = scratchFolder();
    const file = join(folder, "save.dat");
    const bytes = Uint8Array.from({ length: 100_000 }, (_, i) => i);
    writeFileSync(file, bytes);
    writeFileSync(join(folder, "empty"), "");
    expect(Buffer.from(await loadSave(file)).equals(bytes)).toBe(true);
    expect(Buffer.from(loadSaveSync(pathToFileURL(file))).equals(bytes)).toBe(true);
    expect((await loadSave(join(folder, "empty"))).length).toBe(0);
    if (existsSync("/proc/self/maps")) expect((await loadSave("/proc/self/maps")).length).toBeGreaterThan(100);
  });

  test("many pieces, short reads and a file that grows give the whole content", async () => {
    const file = join(scratchFolder(), "save.dat");
    const bytes = Uint8Array.from({ length: 10_000 }, (_, i) => i * 3);
    writeFileSync(file, bytes);
    const fs = faultyFileSystem({ short: true });
    const progress: number[] = [];
    const loaded = await runSteps(loadSteps(fs, file, { onProgress: ({ bytes: count, total }) => progress.push(count, total!) }, 1000));
    expect(Buffer.from(loaded).equals(bytes)).toBe(true);
    expect(progress.length).toBeGreaterThan(40);
    expect(progress.slice(-2)).toEqual([10_000, 10_000]);
    const small = {
      ...faultyFileSystem({}),
      fstat: async () => ({ ...statSync(file, { bigint: true }), mode: 0, isFile: true, isLink: false, isOthers: false, size: 4000 }),
    };
    expect(Buffer.from(await runSteps(loadSteps(small, file, {}))).equals(bytes)).toBe(true);
  });

  test("three gigabytes are read in pieces below the limits of Node", async () => {
    const size = 3 * 2 ** 30;
    let left = size;
    let largest = 0;
    const fs = {
      ...faultyFileSystem({}),
      open: () => 7,
      close: () => undefined,
      fstat: () => ({ isFile: true, isLink: false, size, mode: 0, dev: 1n, ino: 1n, isOthers: false }),
      // The target is not touched, so the memory is never really taken.
      read: (_file: number, _target: Uint8Array, _offset: number, length: number) => {
        const count = Math.min(length, left);
        largest = Math.max(largest, length);
        left -= count;
        return count;
      },
    };
    expect((await runSteps(loadSteps(fs, "virtual", {}))).length).toBe(size);
    expect(largest).toBeLessThanOrEqual(2 ** 30);
  });

  test.each([0, 1, 1000, 70_000])("%i bytes are a buffer of their own, which can be moved", async (size) => {
    const file = join(scratchFolder(), "save.dat");
    writeFileSync(file, new Uint8Array(size).fill(3));
    for (const bytes of [await loadSave(file), loadSaveSync(file)]) {
      expect([bytes.length, bytes.byteOffset, bytes.buffer.byteLength]).toEqual([size, 0, size]);
      expect(bytes.every((byte) => byte === 3)).toBe(true);
    }
  });

  test.each([
    [19_999, 19_999],
    [20_000, 20_000],
    [20_001, 10_000],
    [100_000, 10_000],
  ])("of a file that becomes shorter than its %i bytes a view of no more than twice its content is given", async (size, held) => {
    const file = join(scratchFolder(), "save.dat");
    const content = Uint8Array.from({ length: 10_000 }, (_, i) => i * 3);
    writeFileSync(file, content);
    for (const sync of [false, true]) {
      const fs = faultyFileSystem({ sync });
      const fstat = () => ({ isFile: true, isLink: false, size, mode: 0, dev: 1n, ino: 1n, isOthers: false });
      const steps = loadSteps({ ...fs, fstat }, file, {});
      const bytes = sync ? runStepsSync(steps) : await runSteps(steps);
      expect(Buffer.from(bytes).equals(content)).toBe(true);
      expect(bytes.buffer.byteLength).toBe(held);
    }
  });

  test("a file that grows while it is read is read to its end", async () => {
    const file = join(scratchFolder(), "save.dat");
    writeFileSync(file, "0123456789");
    let left = 3;
    const told: unknown[] = [];
    const onProgress = (progress: FileProgress): void => {
      told.push(progress);
      if (left-- > 0) appendFileSync(file, "abcde");
    };
    for (const bytes of [await loadSave(file, { onProgress }), loadSaveSync(file)])
      expect(Buffer.from(bytes).toString()).toBe("0123456789abcdeabcdeabcde");
    // What it had is no total any more.
    expect(told.slice(0, 2)).toEqual([
      { bytes: 10, total: 10 },
      { bytes: 11, total: undefined },
    ]);
  });

  test.each([false, true])(
    "... with room for a piece and an eighth more, because twice its size may be more than can be held; sync: %s",
    async (sync) => {
      const file = join(scratchFolder(), "save.dat");
      const content = Buffer.alloc(10_000, 7);
      writeFileSync(file, content);
      let grown = false;
      const onProgress = (): void => {
        if (!grown) appendFileSync(file, "x");
        grown = true;
      };
      const steps = loadSteps(faultyFileSystem({ sync }), file, { onProgress }, 1000);
      const bytes = sync ? runStepsSync(steps) : await runSteps(steps);
      expect(Buffer.from(bytes).equals(Buffer.concat([content, text("x")]))).toBe(true);
      expect(bytes.buffer.byteLength).toBe(12_250);
    },
  );

  test("a file that no array can hold is told with its size", async () => {
    const size = 2 ** 53;
    const fs = {
      ...faultyFileSystem({}),
      fstat: () => ({ isFile: true, isLink: false, size, mode: 0, dev: 1n, ino: 1n, isOthers: false }),
    };
    const file = join(scratchFolder(), "save.dat");
    writeFileSync(file, "");
    await expect(runSteps(loadSteps(fs, file, {}))).rejects.toMatchObject({
      code: "file-too-large",
      message: expect.stringContaining(`${file} has ${size} bytes, more than can be held`),
    });
  });

  test.each([Number.NaN, -1, "10", null, 10n])("maxBytes %s is no limit, and told", async (maxBytes) => {
    const file = join(scratchFolder(), "save.dat");
    writeFileSync(file, "0123456789");
    const options = { maxBytes: maxBytes as number };
    await expect(loadSave(file, options)).rejects.toMatchObject({ name: "TuskError", code: "bad-option" });
    expect(() => loadSaveSync(file, options)).toThrow(expect.objectContaining({ code: "bad-option" }));
    expect((await loadSave(file, { maxBytes: Number.POSITIVE_INFINITY })).length).toBe(10);
  });

  test("what is no path is told, and rejects", async () => {
    const nul = ["a\0b", new URL("file:///a%00b"), new URL("file:///none/a%00b/")];
    for (const given of [undefined, 5, "", new URL("https://example.com/save.dat"), ...nul] as unknown[]) {
      const path = given as string;
      await expect(loadSave(path)).rejects.toMatchObject({ name: "TuskError", code: "bad-option" });
      await expect(saveFile(path, text("new"))).rejects.toMatchObject({ name: "TuskError", code: "bad-option" });
      expect(() => saveFileSync(path, text("new"))).toThrow(expect.objectContaining({ name: "TuskError", code: "bad-option" }));
    }
  });

  test("options that mean nothing are told before anything is done", async () => {
    const file = join(scratchFolder(), "save.dat");
    writeFileSync(file, "old");
    const wrong = { name: "TuskError", code: "bad-option" };
    // Such hold no options, and would be taken for an object without any.
    const others = [null, [], new Map(), text("new"), new ArrayBuffer(1)];
    for (const options of [...others, 5, { signal: 5 }, { onProgress: 5 }, { maxBytes: "5" }] as never[])
      await expect(loadSave(file, options)).rejects.toMatchObject(wrong);
    for (const options of [
      ...others,
      { signal: {} },
      { onProgress: 5 },
      { mode: -1 },
      { mode: 0o20000 },
      { mode: "644" },
      { backups: "2" },
      { verify: "no" },
      { verify: null },
      { verify: 0 },
    ] as never[]) {
      await expect(saveFile(file, text("new"), options)).rejects.toMatchObject(wrong);
      expect(() => saveFileSync(file, text("new"), options)).toThrow(expect.objectContaining(wrong));
    }
    expect(readFileSync(file, "utf8")).toBe("old");
  });

  test("errors keep the system's error; limits and aborts are told apart", async () => {
    const folder = scratchFolder();
    await expect(loadSave(join(folder, "none"))).rejects.toMatchObject({ format: "tusk", code: "file-read", cause: { code: "ENOENT" } });
    expect(() => loadSaveSync(folder)).toThrow(expect.objectContaining({ code: "file-read" }));
    writeFileSync(join(folder, "save.dat"), "0123456789");
    await expect(loadSave(join(folder, "save.dat"), { maxBytes: 9 })).rejects.toMatchObject({ code: "file-too-large" });
    expect((await loadSave(join(folder, "save.dat"), { maxBytes: 10 })).length).toBe(10);
    await expect(loadSave(folder, { maxBytes: 9 })).rejects.toMatchObject({ code: "file-read", cause: { code: "EISDIR" } });
    await expect(loadSave(join(folder, "save.dat"), { signal: AbortSignal.abort("stop") })).rejects.toBe("stop");
    // A failure that comes before the abort is heard is no abort.
    const controller = new AbortController();
    const missing = loadSave(join(folder, "none"), { signal: controller.signal });
    controller.abort("stop");
    await expect(missing).rejects.toMatchObject({ code: "file-read", cause: { code: "ENOENT" } });
    const fs = faultyFileSystem({ always: "read", fault: "EIO" });
    await expect(runSteps(loadSteps(fs, join(folder, "save.dat"), {}))).rejects.toMatchObject({
      code: "file-read",
      cause: { code: "EIO" },
    });
    expect(fs.calls.at(-1)).toBe("close");
  });
});

test("a load that fails behind its first piece is the error file-read", async () => {
  const file = join(scratchFolder(), "save.dat");
  writeFileSync(file, new Uint8Array(100));
  const failed = { code: "file-read", cause: expect.objectContaining({ code: "EIO" }) };
  for (const options of [{}, { onProgress() {} }]) {
    // It opens the file, asks for its size, and reads twice.
    await expect(runSteps(loadSteps(faultyFileSystem({ at: 3 }), file, options, 10))).rejects.toMatchObject(failed);
    expect(() => runStepsSync(loadSteps(faultyFileSystem({ at: 3, sync: true }), file, options, 10))).toThrow(
      expect.objectContaining(failed),
    );
  }
});

test("no signal may be null", async () => {
  const file = join(scratchFolder(), "save.dat");
  await saveFile(file, Uint8Array.of(1), { signal: null as never });
  expect(await loadSave(file, { signal: null as never })).toEqual(Uint8Array.of(1));
});

test.runIf(process.geteuid)("whose file it is", async () => {
  const file = join(scratchFolder(), "save.dat");
  writeFileSync(file, "old");
  // Where root runs this, the file is another's, too.
  const owner = process.geteuid!() || 1;
  chownSync(file, owner, statSync(file).gid);
  for (const [user, isOthers] of [
    [owner, false],
    [0, false],
    [owner + 1, true],
  ] as const) {
    const asked = vi.spyOn(process as { geteuid(): number }, "geteuid").mockReturnValue(user);
    expect(await fileSystem.lstat(file)).toMatchObject({ isOthers });
    expect(fileSystemSync.lstat(file)).toMatchObject({ isOthers });
    asked.mockRestore();
  }
});
