// The digest where the platform has none, with modules that have not asked for it yet.
import { expect, test, vi } from "vitest";
import { ENGINES, fileOf, manifest } from "./vectors.ts";

test("without the platform's SHA-1 the kernel's is used", async () => {
  const platform = process.getBuiltinModule;
  try {
    Object.assign(process, { getBuiltinModule: undefined });
    vi.resetModules();
    const fresh = await import("../../src/enigma/index.ts");
    expect((await import("../../src/enigma/platform-sha1.ts")).platformSha1(new Uint8Array(1))).toBeUndefined();
    const bytes = fileOf(manifest.vectors.find(({ id }) => id === "bin-many-50")!);
    for (const engine of ENGINES) {
      expect(Buffer.compare(fresh.writeEnigma(fresh.readEnigma(bytes, { engine }), { engine }), bytes)).toBe(0);
      const wrong = bytes.slice();
      wrong[1000]! ^= 1;
      expect(() => fresh.readEnigma(wrong, { engine })).toThrow("checksum");
    }
  } finally {
    Object.assign(process, { getBuiltinModule: platform });
    vi.resetModules();
  }
});

test("the platform's takes less than 2 GiB; longer files have the kernel's", async () => {
  const platform = process.getBuiltinModule;
  const digest = new Uint8Array(20);
  const hash = { update: () => hash, digest: () => digest };
  try {
    Object.assign(process, { getBuiltinModule: () => ({ createHash: () => hash }) });
    vi.resetModules();
    const { platformSha1 } = await import("../../src/enigma/platform-sha1.ts");
    expect(platformSha1(new Uint8Array(2 ** 31))).toBeUndefined();
    expect(platformSha1(new Uint8Array(2 ** 31 - 1))).toBe(digest);
  } finally {
    Object.assign(process, { getBuiltinModule: platform });
    vi.resetModules();
  }
});
