// The messages between a client and its worker. One conversation for each call: a request, any number of reports, one reply. In front of each message of a call
// stands one that says whose it is. A service that is ended says so once, to all of its clients. Kinds that a side does not know are passed over.
import type { ElephantOptions } from "../elephant/codec.ts";
import type { ElephantSchema } from "../elephant/schema.ts";
import type { FormatName, TuskWarning } from "../errors.ts";
import type { Marks } from "./instances.ts";

/** In every message, so that others can use the same port. The number changes when the sides of two protocols would not understand each other. */
export const TAG = "tusk-1";

/** The first call of every client; {@link Settings} are its argument. */
export const SETUP = "tusk:setup";

/** What a client has of its own. */
export interface Settings extends Pick<ElephantOptions, "unknownConstructor" | "limits" | "engine" | "wasm" | "codeGeneration"> {
  /** Schemas by name; undefined for a class without. */
  constructors: Record<string, ElephantSchema | undefined>;
}

interface Message {
  readonly tag: typeof TAG;
  /** Never 0, which stands for no call. Those of several clients of one port must not meet: each counts from a number taken at random, its own. */
  readonly id: number;
}

export interface Request extends Message {
  readonly kind: "call";
  /** Who calls: each client has settings of its own. */
  readonly client: number;
  readonly method: string;
  readonly args: unknown[];
  readonly marks: Marks | undefined;
}

/** The client does not want the reply any more. */
interface Cancel extends Message {
  readonly kind: "cancel";
}

/** Nobody calls any more for the client whose id this is: what is kept for it can go. */
interface Leave extends Message {
  readonly kind: "leave";
}

interface Report extends Message {
  readonly kind: "progress";
  readonly progress: unknown;
}

interface WarningReport extends Message {
  readonly kind: "warning";
  readonly warning: TuskWarning;
}

interface Result extends Message {
  readonly kind: "result";
  readonly value: unknown;
  readonly marks: Marks | undefined;
}

interface Failure extends Message {
  readonly kind: "error";
  readonly error: ErrorForm;
}

/** The message that follows is of this call: should it not be readable, no other call is concerned. */
interface Next extends Message {
  readonly kind: "next";
}

/** Nobody answers from here on: neither the calls under way nor later ones. Of no call. */
interface End extends Message {
  readonly kind: "end";
}

export type AnyMessage = End | Leave | Next | Request | Cancel | Report | WarningReport | Result | Failure;

/** An error as plain data: posted as it is, one of an own class would lose class, code and place. */
export interface ErrorForm {
  /** Of a {@link TuskError}; absent for any other error. */
  readonly format?: FormatName;
  readonly name: string;
  /** The built-in class that it is of, if that is more than `Error`; an own class may extend one. */
  readonly base?: string | undefined;
  readonly code?: string | number | undefined;
  /** The message; of a TuskError without code and place. */
  readonly reason: string;
  readonly offset?: number | undefined;
  readonly line?: number | undefined;
  readonly path?: string | undefined;
  readonly stack?: string | undefined;
  readonly cause?: ErrorForm | undefined;
  /** Of an `AggregateError`; of a `SuppressedError` both. Undefined where one holds itself, or causes of causes go too deep. */
  readonly errors?: (ErrorForm | undefined)[] | undefined;
}

export function isMessage(data: unknown): data is AnyMessage {
  return (data as Partial<Message> | null | undefined)?.tag === TAG;
}
