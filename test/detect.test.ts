// `detect` names every good vector of every format, and nothing else.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { deflateSync, gunzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { detect } from "../src/detect.ts";
import { createElephantSync, type TuskError } from "../src/elephant/index.ts";
import { type EnigmaGame, writeEnigma } from "../src/enigma/index.ts";
import { bytes } from "./elephant/bytes.ts";

const vectors = fileURLToPath(new URL("./vectors/", import.meta.url));

/** Files below a folder with their bytes, unpacked. */
function files(folder: string, ending: RegExp): { name: string; bytes: Uint8Array }[] {
  return readdirSync(join(vectors, folder), { recursive: true })
    .map(String)
    .filter((name) => ending.test(name))
    .map((name) => {
      const bytes = readFileSync(join(vectors, folder, name));
      return { name, bytes: new Uint8Array(name.endsWith(".gz") ? gunzipSync(bytes) : bytes) };
    });
}

describe("detect", () => {
  test("names every Elephant file of a known release with its release", () => {
    const saves = files("elephant", /\.bin(\.gz)?$/).filter(({ name }) => !name.startsWith("errors"));
    expect(saves.length).toBeGreaterThan(600);
    for (const { name, bytes } of saves) {
      const found = detect(bytes);
      expect(found, name).toMatchObject({ format: "elephant", form: "binary", confidence: "certain" });
      if (/^legacy\/\d/.test(name)) expect(name).toContain(found!.release!);
    }
  });

  test("names Elephant's export strings, as text and as bytes", () => {
    const strings = files("elephant", /\.b64\.txt(\.gz)?$/);
    expect(strings.length).toBeGreaterThan(5);
    for (const { name, bytes } of strings) {
      const text = new TextDecoder().decode(bytes);
      expect(detect(text), name).toMatchObject({ format: "elephant", form: "export string", confidence: "certain" });
      expect(detect(bytes), name).toEqual(detect(text));
    }
  });

  test("names every ds string with its structure and generation", () => {
    const strings = files("ds", /\.txt(\.gz)?$/).filter(({ name }) => !/(^|\/)neg-/.test(name));
    expect(strings.length).toBeGreaterThan(150);
    for (const { name, bytes } of strings) {
      const kind = /(map|list|grid|stack|queue|priority)/.exec(name)![1];
      expect(detect(bytes), name).toMatchObject({ format: "ds", form: kind, confidence: "certain" });
    }
  });

  test("names ENIGMA saves and their backend", () => {
    const saves = files("enigma", /\.bin(\.gz)?$/).filter(({ name }) => !/(^|\/)(bad|neg|error)/.test(name));
    expect(saves.length).toBeGreaterThan(100);
    let named = 0;
    for (const { name, bytes } of saves) {
      const found = detect(bytes);
      if (found) {
        named++;
        expect(found.format, name).toBe("enigma");
        expect(found.form, name).toBe(name.includes(".json.") ? "json" : "binary");
      }
    }
    // Saves that the engine itself has damaged may be beyond recognition.
    expect(named / saves.length).toBeGreaterThan(0.9);
  });

  test("names an ENIGMA document behind any number of zero bytes, as the game's buffer had them", () => {
    const game: EnigmaGame = { backend: "json", active: [], inactive: [], backgrounds: [], room: 0 };
    for (const zeros of [0, 1, 16, 4079, 4080, 4095, 4096, 4097, 65536]) {
      const save = writeEnigma({ ...game, prefix: new Uint8Array(zeros) });
      expect(detect(save), `${zeros} zeros`).toEqual({ format: "enigma", form: "json", confidence: "likely" });
    }
    // Zeros alone are no document, whatever follows them.
    expect(detect(new Uint8Array(8192).fill(0x7b, -20))).toBeUndefined();
  });

  test("names introspection text", () => {
    const texts = files("introspection", /\.txt$/).filter(({ name }) => !/(error|warn-undefined-root)/.test(name));
    expect(texts.length).toBeGreaterThan(80);
    for (const { name, bytes } of texts) expect(detect(bytes), name).toMatchObject({ format: "introspection", form: "text" });
  });

  test.each(["ATMController", "PELEx", "CB000000", "ca000000", "C9000000", "F5010000", "f6010000", "F7010000"])(
    "names introspection text of an object called %s, which begins as other formats do",
    (name) => {
      const text = `${name} = 100001\n{\n\t_cash : int = 5\n}\n`;
      const found = { format: "introspection", form: "text", confidence: "certain" };
      expect([detect(text), detect(new TextEncoder().encode(text))]).toEqual([found, found]);
    },
  );

  test("looks at the first 4,096 bytes or characters of a text", () => {
    const text = (characters: number) => `${"n".repeat(characters - 6)} = 1\n{\n}\n`;
    for (const form of [(given: string) => given, (given: string) => new TextEncoder().encode(given)]) {
      expect(detect(form(text(4096)))).toMatchObject({ format: "introspection" });
      expect(detect(form(text(4097)))).toBeUndefined();
    }
  });

  test.each([
    ["nothing", new Uint8Array(0)],
    ["a PNG file", Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0)],
    ["JSON", new TextEncoder().encode('{"a": 1}')],
    ["base64 of something else", new TextEncoder().encode(btoa("something else entirely, and long enough"))],
    ["zlib of something else", new TextEncoder().encode("eJxLSixOTVEoz8gsSVVIzs8rSc0rAQBCBwXB")],
    ["hex of something else", new TextEncoder().encode("0123456789ABCDEF")],
  ])("says nothing of %s", (_, bytes) => {
    expect(detect(bytes)).toBeUndefined();
  });

  test("looks at views and buffers of every kind, and says nothing of what is none", () => {
    const save = createElephantSync().write({ gold: 5 });
    const shared = new Uint8Array(new SharedArrayBuffer(save.length));
    shared.set(save);
    for (const given of [Buffer.from(save), new DataView(save.buffer, save.byteOffset, save.length), shared, shared.buffer])
      expect(detect(given)).toMatchObject({ format: "elephant", form: "binary" });
    for (const none of [undefined, null, 5, 2 ** 53, {}, [80, 69, 76, 69]]) expect(detect(none as never)).toBeUndefined();
  });

  test("a release is named where it can be read: its magic number and its version belong together", () => {
    const codec = createElephantSync();
    for (const magic of ["ATMC", "PELE"])
      for (const version of ["1.0.0", "1.1.0", "1.2.0", "1.2.1", "1.3.0", "1.4.0", "1.5.0", "1.5.1", "1.6.0"]) {
        const [major, minor, patch] = version.split(".").map(Number);
        const save = new Uint8Array([...Buffer.from(magic), patch, minor, major, 0, 0, 0, 0, 0, 0]);
        let refused = "";
        try {
          codec.read(save);
        } catch (error) {
          refused = (error as TuskError).code;
        }
        const readable = refused !== "header" && refused !== "version";
        expect(detect(save), `${magic} ${version}`).toMatchObject(
          readable
            ? { release: version, confidence: "certain" }
            : { confidence: "likely", note: `version ${version} is not known behind "${magic}"` },
        );
      }
  });

  test("an unknown version of Elephant is likely Elephant, and the note says why", () => {
    expect(detect(Uint8Array.of(0x50, 0x45, 0x4c, 0x45, 9, 9, 1, 0, 0xcf))).toMatchObject({
      format: "elephant",
      confidence: "likely",
      note: expect.stringContaining("1.9.9"),
    });
  });
});

describe("export strings", () => {
  const elephant = createElephantSync();

  test("an export string with a line's end behind it", () => {
    for (const value of [1, "a", "ab", "abc"])
      for (const end of ["\n", "\r\n", "\0", "\n\0"])
        expect(detect(elephant.exportString(value) + end)).toMatchObject({ format: "elephant", form: "export string", release: "1.5.1" });
  });

  test("an export string that is cut anywhere is still named", () => {
    const whole = elephant.exportString({ a: "some text", b: [1, 2, 3] });
    for (let length = 40; length < whole.length; length++)
      expect(detect(whole.slice(0, length)), `${length}`).toMatchObject({ form: "export string" });
  });

  test("an export string that lacks a character and ends in padding or a line's end is still named", () => {
    for (const value of [1, "a", "ab", "abc", "abcd"]) {
      const whole = elephant.exportString(value).replace(/=+$/, "");
      for (const digits of [whole, whole.slice(0, -1), whole.slice(0, -2), whole.slice(0, -3)])
        for (const end of ["=", "==", "\n", "=\r\n", "==\n\n\n\n"])
          expect(detect(digits + end), digits + end).toMatchObject({ form: "export string" });
    }
  });

  test("the dialect of 1.4.0 inside an export string", () => {
    const save = bytes("50454c45 00040100 10 00 00 544e4148");
    expect(detect(save)).toMatchObject({ release: "1.4.0-dev" });
    expect(detect(deflateSync(save).toString("base64"))).toMatchObject({ form: "export string", release: "1.4.0-dev" });
  });
});
