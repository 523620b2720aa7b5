/**
 * The messages between actors: commands and outcomes. They are JSON even inside one process, so whatever
 * works in one process also works between nodes.
 */

import { asCairnError, type CairnError, type ErrorBody, errorFromBody } from "../../machines/errors.ts";
import { isRecord } from "../../machines/is-plain-object.ts";
import { addressLimits } from "../../machines/runtime/shared-runtime-limits.ts";
import type { Address } from "./actor-address.ts";
import { mailboxLimits } from "./actor-runtime-limits.ts";

export interface CommandBody {
  readonly type: string;
  readonly [field: string]: unknown;
}

export interface Message {
  /**
   * The id of the command. A command that is repeated with the same id is applied once and gets the same
   * answer.
   */
  readonly id: string;
  readonly to: Address;
  readonly body: CommandBody;
  /** The topic to which the outcome is published; absent when no caller waits for it. */
  readonly replyTo?: string;
  /**
   * The deadline of the command, in milliseconds since the epoch. After the deadline no caller waits for the
   * outcome, so the command is not started.
   */
  readonly expires?: number;
  /**
   * The address of the sending actor and the number that it gave this message. The messages of one sender are
   * applied once each, in the order of their numbers.
   */
  readonly from?: { readonly actor: string; readonly seq: number };
  /**
   * The actors that wait for the outcome of this command, as addresses (`kind/id`). Each actor waits for the
   * next actor in the list, and the last actor has sent this command.
   */
  readonly askers?: readonly string[];
}

/**
 * Returns a received value as a message, or `undefined` for anything else, such as bytes of another program.
 */
export function readMessage(given: unknown): Message | undefined {
  if (!isRecord(given) || typeof given.id !== "string" || !isRecord(given.to) || !isRecord(given.body)) {
    return undefined;
  }
  const { kind, id } = given.to;
  if (typeof kind !== "string" || typeof id !== "string" || typeof given.body.type !== "string") {
    return undefined;
  }
  // The address gets only basic checks here, because this code runs for every delivery. The sender has
  // already validated it completely.
  if (kind === "" || id === "" || id.length > addressLimits.maxIdBytes) return undefined;
  // The checks above prove that the value is a `Message`, so the cast is safe.
  return given as unknown as Message;
}

/** The actor kind that an unreadable message gets. No real actor kind has this name. */
const UNREADABLE = "unreadable";

/**
 * Creates a message for a value that is not a valid message. Its actor kind is the reserved kind
 * `unreadable`, so it becomes a dead letter. Bytes that are not JSON arrive here as text.
 */
export function unreadable(given: unknown, shard: number): Message {
  const raw = typeof given === "string" ? given : JSON.stringify(given);
  const body = { type: UNREADABLE, raw: (raw ?? "").slice(0, mailboxLimits.unreadableLength) };
  return { id: crypto.randomUUID(), to: { kind: UNREADABLE, id: `shard-${shard}` }, body };
}

export const isUnreadable = ({ to }: Message) => to.kind === UNREADABLE;

/** The outcome of a command or query, in the form in which the bus sends it. */
export type Outcome =
  | { readonly ok: true; readonly body: unknown }
  | { readonly ok: false; readonly error: ErrorBody & { readonly status: number } };

/** The message that is published to the topic `replyTo` of a command. */
export interface Reply {
  readonly id: string;
  /** The address of the actor that answered, `kind/id`. */
  readonly from: string;
  readonly outcome: Outcome;
}

export function failure(thrown: unknown): Outcome {
  const error: CairnError = asCairnError(thrown);
  return { ok: false, error: { ...error.toBody(), status: error.status } };
}

/** Returns the body of a successful outcome. Throws the typed error of a failed outcome. */
export function unwrap(outcome: Outcome): unknown {
  if (outcome.ok) return outcome.body;
  throw errorFromBody(outcome.error);
}
