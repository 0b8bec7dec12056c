// Why a write stops: a value that cannot be stored.
import type { StringFault } from "../../graph/string-fault.ts";
import type { ElephantErrorCode } from "../errors.ts";

/** A value that cannot be stored, by the container that holds it; becomes a TuskError with the path. */
export class Problem {
  readonly code: ElephantErrorCode;
  readonly message: string;
  readonly holder: object | undefined;
  readonly key: string | number | undefined;

  constructor(code: ElephantErrorCode, message: string, holder?: object, key?: string | number) {
    this.code = code;
    this.message = message;
    this.holder = holder;
    this.key = key;
  }
}

/** What to say of a string that cannot be stored. */
export const FAULTS: Readonly<Record<StringFault, string>> = {
  "nul-in-string": "a string with U+0000 cannot be stored: it would end there",
  "lone-surrogate": "a string with a lone surrogate has no UTF-8 form",
};
