// Paths as callers give them, and what is there.
import { fileURLToPath } from "node:url";
import { fileError, systemCode } from "./failure.ts";
import type { FileInfo, FileSystem } from "./file-system.ts";
import { answer, type Steps } from "./steps.ts";

export function pathText(path: string | URL): string {
  let text: string;
  try {
    text = typeof path === "string" ? path : fileURLToPath(path);
  } catch (cause) {
    throw fileError("bad-option", "a path is text or a URL of a file", cause);
  }
  // No system has such names.
  if (text === "" || text.includes("\0")) throw fileError("bad-option", "a path is not empty and has no NUL");
  // As the system gets it: halves of a character become one and the same replacement.
  return text.replace(/\p{Cs}/gu, "\ufffd");
}

export function mustBeFile(is: boolean, path: string): void {
  if (!is) throw fileError("not-a-file", `${path} is not a regular file`);
}

export function* infoOrNothing(fs: FileSystem, path: string, call: "lstat" | "stat" = "lstat"): Steps<FileInfo | undefined> {
  try {
    return yield* answer(fs[call](path));
  } catch (error) {
    if (systemCode(error) === "ENOENT") return undefined;
    throw error;
  }
}
