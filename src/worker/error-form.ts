// Errors on their way to another thread and back.
import { type ElephantErrorCode, elephantError } from "../elephant/errors.ts";
import { TuskError } from "../errors.ts";
import { defineMember } from "../graph/members.ts";
import type { ErrorForm } from "./protocol.ts";

/** Causes of causes of ... */
const DEEPEST = 8;

/** What `using` throws when both its block and its end do; Node has it since 24. */
const { SuppressedError } = globalThis as { SuppressedError?: new (error: unknown, suppressed: unknown, message: string) => Error };

/** Classes that a caller may ask for by `instanceof`. Some runtimes have no `DOMException`. */
const KNOWN: Record<string, new (...given: never[]) => Error> = {
  EvalError,
  RangeError,
  ReferenceError,
  SyntaxError,
  TypeError,
  URIError,
  AggregateError,
  ...(SuppressedError && { SuppressedError }),
  ...(typeof DOMException === "function" && { DOMException }),
};

/** `around`: the errors that this one is a cause of, or one of several in. Such as hold themselves are told once. */
export function errorForm(error: unknown, around: readonly unknown[] = []): ErrorForm {
  if (!(error instanceof Error)) return { name: "Error", reason: String(error) };
  const chain = [...around, error];
  const inner = (given: unknown): ErrorForm | undefined =>
    given !== undefined && chain.length <= DEEPEST && !chain.includes(given) ? errorForm(given, chain) : undefined;
  const cause = inner(error.cause);
  const { name, message, stack } = error;
  // By what it holds: the package's other copy, which a module of the worker's may have, has a class of its own.
  const { format, code, reason, offset, line, path } = error as TuskError;
  if (typeof format === "string" && typeof code === "string" && typeof reason === "string") {
    return { format, name, code, reason, offset, line, path, stack, cause };
  }
  const base = Object.keys(KNOWN).find((known) => error instanceof KNOWN[known]);
  const held = error as { errors?: unknown; error?: unknown; suppressed?: unknown };
  const errors = base === "AggregateError" ? held.errors : base === "SuppressedError" && [held.error, held.suppressed];
  return {
    name,
    base,
    reason: message,
    code: typeof code === "string" || typeof code === "number" ? code : undefined,
    stack,
    cause,
    errors: Array.isArray(errors) ? errors.map(inner) : undefined,
  };
}

/** An error that is no TuskError, of its class. */
function made({ name, base = name, reason, errors = [] }: ErrorForm, options: ErrorOptions | undefined): Error {
  const type = Object.hasOwn(KNOWN, base) ? KNOWN[base] : Error;
  const inner = errors.map((form) => form && errorOf(form));
  if (type === AggregateError) return new AggregateError(inner.filter(Boolean), reason, options);
  if (type === SuppressedError) return Object.assign(new SuppressedError!(inner[0], inner[1], reason), options);
  if (type === KNOWN.DOMException) return Object.assign(new DOMException(reason, name), options);
  return new (type as ErrorConstructor)(reason, options);
}

export function errorOf(form: ErrorForm): Error {
  const cause = form.cause && { cause: errorOf(form.cause) };
  let error: Error;
  if (form.format) {
    const { code, format, line, offset, path, reason } = form;
    const place = { offset, line, path, ...cause };
    error =
      format === "elephant" ? elephantError(code as ElephantErrorCode, reason, place) : new TuskError(format, String(code), reason, place);
  } else {
    error = made(form, cause);
    // A DOMException has both already, where nobody can write to them.
    if (error.name !== form.name) Object.defineProperty(error, "name", { value: form.name, configurable: true, writable: true });
    if (form.code !== undefined && (error as { code?: unknown }).code !== form.code) defineMember(error, "code", form.code);
  }
  if (form.stack) error.stack = form.stack;
  return error;
}
