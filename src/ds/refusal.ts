// What the writer refuses, while its place is still being found out: every level on the way out puts its part in front of the path.

import { TuskError } from "../errors.ts";

export type DsWriteErrorCode = "unsupported-value" | "count" | "depth";

export class Refusal extends Error {
  readonly code: DsWriteErrorCode;
  path: string;

  constructor(code: DsWriteErrorCode, message: string, path = "") {
    super(message);
    this.code = code;
    this.path = path;
  }
}

/** The same error, from one level further out; other errors (a getter's, say) pass as they are. */
export function fromInside(error: unknown, place: string): unknown {
  if (error instanceof Refusal) error.path = place + error.path;
  return error;
}

/** Refuses what the format or the generation cannot hold. */
export function unsupported(message: string, path?: string): never {
  throw new Refusal("unsupported-value", message, path);
}

/** What `work` gives; a refusal comes out as the error that callers see, with its own code or this one. */
export function located<T>(work: () => T, code?: string): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof Refusal ? new TuskError("ds", code ?? error.code, error.message, { path: error.path }) : error;
  }
}
