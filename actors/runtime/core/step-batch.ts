/**
 * A batch: items that one commit makes durable, stepped in sequence. Pure.
 * A batch ends at the first item whose step throws; the others are committed.
 */
import type { StoreWrite } from "../../../machines/emitted.ts";
import { type CairnError, Defect } from "../../../machines/errors.ts";
import type { DeadLetterRow } from "../../../store/index.ts";
import { type Address, formatAddress } from "../address.ts";
import type { AnyActorDefinition } from "../definition.ts";
import type { Delivery } from "../drivers/bus.ts";
import { failure } from "../message.ts";
import { type ActorState, type Item, remember, type StepResult, step } from "./step.ts";

/** An item in a mailbox with its waiting callers. */
export interface WaitingItem {
  readonly item: Item;
  readonly delivery?: Delivery;
  /** For `notify`: called when the item is durable, or with the error. */
  readonly settle?: (error?: Error) => void;
}

export interface Batch {
  readonly state: ActorState;
  readonly changed: boolean;
  readonly done: readonly { readonly waiting: WaitingItem; readonly result: StepResult }[];
  readonly writes: readonly StoreWrite[];
  readonly publishes: StepResult["publishes"];
  readonly deadLetters: readonly DeadLetterRow[];
  /** Ids of dead letters that were replayed. */
  readonly replayed?: readonly string[];
  /** The item whose step threw and ended the batch. */
  readonly poison: { readonly waiting: WaitingItem; readonly error: Error } | undefined;
}

/** Steps items in sequence, up to the first that throws. */
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

/** A batch without items, for a state that an operation or a dead letter made. */
export function batchOf(state: ActorState, more: Partial<Batch> = {}): Batch {
  const nothing = { done: [], writes: [], publishes: [], deadLetters: [], poison: undefined };
  return { state, changed: true, ...nothing, ...more };
}

export interface DeadLetterBatch {
  readonly batch: Batch;
  readonly letter: DeadLetterRow;
  /** The error for the item's callers. */
  readonly callerError: Defect;
}

/** The batch that turns an item into a dead letter; `parks`: and parks its actor. */
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
  // Remembered like any outcome: a repetition or a redelivery gets the same error.
  const state = item.kind === "command" ? remember(before, item.message, failure(callerError)) : before;
  const parked = parks ? { code: error.code, message: error.message, at: now } : state.record.parked;
  const batch = batchOf({ ...state, record: { ...state.record, parked } }, { deadLetters: [letter] });
  return { batch, letter, callerError };
}

/** The dead letter row of an item, and the error for its callers. */
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

/** Ids in chronological order that are safe in a URL. */
function deadLetterId(now: number): string {
  return `dl-${now.toString(36).padStart(9, "0")}-${crypto.randomUUID().slice(0, 13)}`;
}

/** The step may have failed because its item cannot be serialised, such as an effect's result with a cycle. */
function toText(item: Item): string {
  try {
    return JSON.stringify(item.kind === "command" ? item.message : { item });
  } catch (error) {
    return JSON.stringify({ item: { kind: item.kind }, unwritable: String(error) });
  }
}
