// SHA-1 by the platform where it has a synchronous one (Node and Electron; reading is synchronous, so WebCrypto does not fit).

interface NodeHash {
  update(bytes: Uint8Array): NodeHash;
  digest(): Uint8Array;
}

interface NodeCrypto {
  createHash(name: string): NodeHash;
}

interface NodeProcess {
  getBuiltinModule?(name: string): unknown;
}

let found: NodeCrypto | null | undefined;

function platform(): NodeCrypto | null {
  if (found !== undefined) return found;
  try {
    const process = (globalThis as { process?: NodeProcess }).process;
    found = (process?.getBuiltinModule?.("node:crypto") as NodeCrypto | undefined) ?? null;
    // A build of Node without SHA-1 (FIPS) says so only when asked.
    found?.createHash("sha1");
  } catch {
    found = null;
  }
  return found;
}

/** The digest by the platform, or undefined where there is none, or none of so many bytes. */
export function platformSha1(bytes: Uint8Array): Uint8Array | undefined {
  return bytes.length < 2 ** 31 ? platform()?.createHash("sha1").update(bytes).digest() : undefined;
}
