// Which format a file is of: told by its beginning.
import { existsSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { deflateSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { scratchFolder } from "../node/scratch.ts";
import { type Bundle, bundleProgram, run, runProcess } from "./program.ts";
import { files, generic } from "./saves.ts";

let bundle: Bundle;
beforeAll(async () => {
  bundle = await bundleProgram();
}, 60_000);
afterAll(() => bundle?.remove());

describe("detect", () => {
  test("tells files by their content", async () => {
    const { folder, plain } = files();
    writeFileSync(join(folder, "string.txt"), generic.exportString({ a: 1 }) + "\n");
    await run(["decode", plain, join(folder, "plain.json")]);
    const outcome = await runProcess(bundle, ["detect", plain, join(folder, "string.txt"), join(folder, "plain.json")]);
    expect(outcome.status).toBe(0);
    expect(
      outcome.stdout
        .toString()
        .split("\n")
        .map((line) => line.split("\t")[1]),
    ).toEqual(["elephant", "export-string", "json", undefined]);
    for (const text of ["hello", "eMail list of the guild", "ePistola", "eJ="])
      expect(await run(["detect", "-"], text)).toMatchObject({ status: 1, stdout: Buffer.from("-\tunknown\n") });
    // All that zlib's levels begin with, cut off or not.
    for (const level of [0, 1, 5, 6, 9]) {
      const text = deflateSync(generic.write({ a: 1 }), { level }).toString("base64");
      for (const part of [text, text.slice(0, 8)])
        expect(await run(["detect", "-"], part)).toMatchObject({ status: 0, stdout: Buffer.from("-\texport-string\n") });
    }
  });

  test("tells export strings of any window that zlib has", async () => {
    for (const windowBits of [9, 10, 11, 12, 13, 14, 15])
      for (const level of [1, 6, 9]) {
        const text = deflateSync(generic.write({ a: 1 }), { windowBits, level }).toString("base64");
        for (const whole of [text, `\n${text}\r\n`, `${text}\0`]) {
          expect(await run(["detect", "-"], whole)).toMatchObject({ status: 0, stdout: Buffer.from("-\texport-string\n") });
          expect(await run(["verify", "-"], whole)).toMatchObject({ status: 0 });
        }
      }
  });
});

test.each(["ATMController", "PELEx", "CB000000"])("an object called %s is introspection text, whatever else begins so", async (name) => {
  const text = `${name} = 100001\n{\n\t_cash : int = 5\n}\n`;
  expect(await run(["detect", "-"], text)).toEqual({ status: 0, stdout: Buffer.from("-\tintrospection\n"), stderr: "" });
  const json = (await run(["decode", "-"], text)).stdout;
  expect((await run(["encode", "-"], json)).stdout.toString()).toBe(text);
});

describe("detect reads the beginning", () => {
  const told = async (file: string) => (await run(["detect", file])).stdout.toString().split("\t")[1];
  const sparse = (content: Uint8Array | string, size: number) => {
    const file = join(scratchFolder(), "large");
    writeFileSync(file, content);
    truncateSync(file, size);
    return file;
  };

  // Other systems store the zeros.
  test.skipIf(process.platform !== "linux")(
    "of files that are larger than memory, too",
    async () => {
      const enigma = readFileSync(new URL("../vectors/enigma/json-many-50.json.bin", import.meta.url));
      const size = 6 * 2 ** 30;
      expect(await told(sparse(generic.write({ a: 1 }), size))).toBe("elephant\n");
      expect(await told(sparse(enigma, size))).toBe("enigma\n");
      expect(await told(sparse(generic.exportString({ a: 1 }), size))).toBe("export-string\n");
      expect(await told(sparse("", size))).toBe("unknown\n");
      // The game's buffer was large.
      const behind = join(scratchFolder(), "behind");
      writeFileSync(behind, Buffer.concat([Buffer.alloc(3_000_000), enigma]));
      expect(await told(behind)).toBe("enigma\n");
    },
    60_000,
  );

  test("of JSON as much as is needed", async () => {
    const root = JSON.stringify(Array.from({ length: 400_000 }, (_, i) => i));
    const file = join(scratchFolder(), "sorted.json");
    for (const [json, format] of [
      [`{"format":"elephant","root":${root},"tusk":1}`, "json\n"],
      [`{"format":"elephant","root":${root}}`, "unknown\n"],
      [`{"tusk":1,"root":${root}`, "json\n"],
    ]) {
      writeFileSync(file, json);
      expect(await told(file)).toBe(format);
      const pieces = (async function* () {
        for (let at = 0; at < json.length; at += at < 40 ? 4 : 65_536) yield Buffer.from(json.slice(at, at + (at < 40 ? 4 : 65_536)));
      })();
      expect((await run(["detect", "-"], pieces)).stdout.toString()).toBe(`-\t${format}`);
    }
  });

  test.skipIf(!existsSync("/dev/zero"))("of what has no end", async () => {
    expect(await told("/dev/zero")).toBe("unknown\n");
    for (const byte of [0, 0x79]) {
      let bytes = 0;
      const endless = (async function* () {
        for (const piece = Buffer.alloc(2 ** 20, byte); ; bytes += piece.length) yield piece;
      })();
      expect(await run(["detect", "-"], endless)).toMatchObject({ status: 1, stdout: Buffer.from("-\tunknown\n") });
      expect(bytes).toBeLessThan(2 ** 29);
    }
  });
});
