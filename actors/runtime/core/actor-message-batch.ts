/**
 * Processes the messages of a batch one after another; one commit makes the whole batch durable. The batch
 * ends at the first message whose step throws, and the messages before it are committed. These functions are
 * pure.
 */

import { type CairnError, Defect } from "../../../machines/errors.ts";
import type { StoreWrite } from "../../../machines/machine-emissions.ts";
import type { DeadLetterRow } from "../../../store/index.ts";
import { type Address, formatAddress } from "../actor-address.ts";
import { failure } from "../actor-messages.ts";
import type { AnyActorDefinition } from "../define-actor.ts";
import type { Delivery } from "../drivers/message-bus.ts";
import { type ActorState, type Item, remember, type StepResult, step } from "./actor-step.ts";

/** A message in a mailbox, and the callers that wait for the message's outcome. */
export interface WaitingItem {
  readonly item: Item;
  readonly delivery?: Delivery;
  /**
   * Called when a message of `notify` is durable, or with the error if it failed. Other messages have no such
   * callback.
   */
  readonly settle?: (error?: Error) => void;
}

export interface Batch {
  readonly state: ActorState;
  readonly changed: boolean;
  readonly done: readonly { readonly waiting: WaitingItem; readonly result: StepResult }[];
  readonly writes: readonly StoreWrite[];
  readonly publishes: StepResult["publishes"];
  readonly deadLetters: readonly DeadLetterRow[];
  /** Ids of dead letters that this batch has replayed. */
  readonly replayed?: readonly string[];
  /** The message whose step threw and ended the batch. */
  readonly poison: { readonly waiting: WaitingItem; readonly error: Error } | undefined;
}

/** Processes messages one after another, and stops at the first one that throws an error. */
export function stepAll(
  definition: AnyActorDefinition,
  before: ActorState,
  items: readonly WaitingItem[],
  now: number,
): Batch {
  let state = before;
  let changed = false;
  let poison: Batch["poison"];
  const done: { waiting: WaitingItem; result: StepResult }[] = [];
  const writes: StoreWrite[] = [];
  const publishes: StepResult["publishes"][number][] = [];
  for (const waiting of items) {
    try {
      const result = step(definition, state, waiting.item, now);
      state = result.state;
      changed ||= result.changed;
      writes.push(...result.writes);
      publishes.push(...result.publishes);
      done.push({ waiting, result });
    } catch (error) {
      poison = { waiting, error: error instanceof Error ? error : new Error(String(error)) };
      break;
    }
  }
  return { state, changed, done, writes, publishes, deadLetters: [], poison };
}

/**
 * Returns a batch that commits a given state without processing a message. The tasks of operators and dead
 * letters need such a batch.
 */
export function batchOf(state: ActorState, more: Partial<Batch> = {}): Batch {
  const nothing = { done: [], writes: [], publishes: [], deadLetters: [], poison: undefined };
  return { state, changed: true, ...nothing, ...more };
}

export interface DeadLetterBatch {
  readonly batch: Batch;
  readonly letter: DeadLetterRow;
  /** The error that the callers of the message receive. */
  readonly callerError: Defect;
}

/** Returns the batch that makes a message a dead letter. With `parks` it also parks the actor. */
export function deadLetterBatch(
  target: Address,
  before: ActorState,
  item: Item,
  {
    error,
    attempts,
    parks,
    now,
  }: {
    readonly error: CairnError;
    readonly attempts: number;
    readonly parks: boolean;
    readonly now: number;
  },
): DeadLetterBatch {
  const { letter, callerError } = deadLetter(target, item, error, attempts, now);
  // The error is recorded like any outcome, so that a repeated or redelivered command gets it too.
  const state = item.kind === "command" ? remember(before, item.message, failure(callerError)) : before;
  const parked = parks ? { code: error.code, message: error.message, at: now } : state.record.parked;
  const batch = batchOf({ ...state, record: { ...state.record, parked } }, { deadLetters: [letter] });
  return { batch, letter, callerError };
}

/** Returns the dead-letter row of a message, and the error for its callers. */
export function deadLetter(
  target: Address,
  item: Item,
  error: CairnError,
  attempts: number,
  now: number,
): { readonly letter: DeadLetterRow; readonly callerError: Defect } {
  const name = formatAddress(target);
  const letter: DeadLetterRow = {
    id: deadLetterId(now),
    kind: target.kind,
    actor_id: target.id,
    message: toText(item),
    error_code: error.code,
    error_message: error.message,
    attempts,
    at: now,
  };
  const callerError = new Defect(
    "actor.step_failed",
    `${name} failed on this ${item.kind}: ${error.message}`,
    {
      cause: error,
      details: { dead_letter: letter.id },
    },
  );
  return { letter, callerError };
}

/** Returns an id that sorts by time and is safe in a URL. */
function deadLetterId(now: number): string {
  return `dl-${now.toString(36).padStart(9, "0")}-${crypto.randomUUID().slice(0, 13)}`;
}

/**
 * Returns the text of a message for its dead letter. A message that cannot be serialised, such as an effect's
 * result that contains itself, also makes its step fail. The text then contains only the kind of the message
 * and the error.
 */
function toText(item: Item): string {
  try {
    return JSON.stringify(item.kind === "command" ? item.message : { item });
  } catch (error) {
    return JSON.stringify({ item: { kind: item.kind }, unwritable: String(error) });
  }
}
