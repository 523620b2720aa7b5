/**
 * The messages between actors: commands and outcomes. They are JSON even inside one process, so nothing works
 * only locally.
 */
import { asCairnError, type CairnError, type ErrorBody, errorFromBody } from "../../machines/errors.ts";
import { addressLimits } from "../../machines/runtime/limits.ts";
import type { Address } from "./address.ts";
import { mailboxLimits } from "./limits.ts";

export interface CommandBody {
  readonly type: string;
  readonly [field: string]: unknown;
}

export interface Message {
  /** Identity of the command: a repeated id is applied once and answered the same. */
  readonly id: string;
  readonly to: Address;
  readonly body: CommandBody;
  /** Topic for the outcome; absent when no caller waits. */
  readonly replyTo?: string;
  /** Milliseconds since the epoch after which no caller waits: the command is not started later. */
  readonly expires?: number;
  /** The sending actor and the number of this send. Sends of one actor are applied in order, once each. */
  readonly from?: { readonly actor: string; readonly seq: number };
  /** The actors whose effects ask for this command, the outermost first, as `kind/id`. */
  readonly askers?: readonly string[];
}

/** A received value as a message; `undefined` for anything else, such as bytes of another program. */
export function readMessage(given: unknown): Message | undefined {
  if (!isRecord(given) || typeof given.id !== "string" || !isRecord(given.to) || !isRecord(given.body)) {
    return undefined;
  }
  const { kind, id } = given.to;
  if (typeof kind !== "string" || typeof id !== "string" || typeof given.body.type !== "string") {
    return undefined;
  }
  // Checked for every delivery; the sender has validated the address in detail.
  if (kind === "" || id === "" || id.length > addressLimits.maxIdBytes) return undefined;
  return given as unknown as Message; // The checks above prove the shape.
}

/** The kind of unreadable messages; no actor kind has this name. */
const UNREADABLE = "unreadable";

/**
 * An unreadable value as a message without a target, so that it becomes a dead letter. A driver passes bytes
 * that are not JSON as text.
 */
export function unreadable(given: unknown, shard: number): Message {
  const raw = typeof given === "string" ? given : JSON.stringify(given);
  const body = { type: UNREADABLE, raw: (raw ?? "").slice(0, mailboxLimits.unreadableLength) };
  return { id: crypto.randomUUID(), to: { kind: UNREADABLE, id: `shard-${shard}` }, body };
}

export const isUnreadable = ({ to }: Message) => to.kind === UNREADABLE;

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The outcome of a command or query as it crosses the bus. */
export type Outcome =
  | { readonly ok: true; readonly body: unknown }
  | { readonly ok: false; readonly error: ErrorBody & { readonly status: number } };

/** The message to a command's `replyTo` topic. */
export interface Reply {
  readonly id: string;
  /** The actor that answered, as `kind/id`. */
  readonly from: string;
  readonly outcome: Outcome;
}

export function failure(thrown: unknown): Outcome {
  const error: CairnError = asCairnError(thrown);
  return { ok: false, error: { ...error.toBody(), status: error.status } };
}

/** Returns the body, or throws the typed error. */
export function unwrap(outcome: Outcome): unknown {
  if (outcome.ok) return outcome.body;
  throw errorFromBody(outcome.error);
}
