// Errors on their way to another thread and back.
import { TuskError } from "../errors.ts";
import type { ErrorForm } from "./protocol.ts";

/** Causes of causes of ... */
const DEEPEST = 8;

export function errorForm(error: unknown, depth = 0): ErrorForm {
  if (!(error instanceof Error)) return { name: "Error", reason: String(error) };
  const cause = error.cause !== undefined && depth < DEEPEST ? errorForm(error.cause, depth + 1) : undefined;
  const { name, message, stack } = error;
  if (error instanceof TuskError) {
    const { format, code, reason, offset, line, path } = error;
    return { format, name, code, reason, offset, line, path, stack, cause };
  }
  const { code } = error as { code?: unknown };
  return { name, reason: message, code: typeof code === "string" || typeof code === "number" ? code : undefined, stack, cause };
}

/** Classes that a caller may ask for by `instanceof`. */
const KNOWN: Record<string, new (message: string, options?: ErrorOptions) => Error> = {
  EvalError,
  RangeError,
  ReferenceError,
  SyntaxError,
  TypeError,
  URIError,
};

export function errorOf(form: ErrorForm): Error {
  const cause = form.cause && errorOf(form.cause);
  let error: Error;
  if (form.format) {
    const { offset, line, path } = form;
    error = new TuskError(form.format, String(form.code), form.reason, { offset, line, path, ...(cause && { cause }) });
  } else {
    error = new (KNOWN[form.name] ?? Error)(form.reason, cause && { cause });
    if (error.name !== form.name) Object.defineProperty(error, "name", { value: form.name, configurable: true, writable: true });
    if (form.code !== undefined) (error as { code?: string | number }).code = form.code;
  }
  if (form.stack) error.stack = form.stack;
  return error;
}
