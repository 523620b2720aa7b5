/**
 * A batch: the items that one commit makes durable, stepped one after another in memory. Pure.
 *
 * A batch ends at the first item whose step throws; what comes out of the others is committed all the same.
 * Neighbours: `step.ts` steps one item, `activation.ts` commits a batch and buries what cannot be stepped.
 */
import type { StoreWrite } from "../../../machines/emitted.ts";
import { type CairnError, Defect } from "../../../machines/errors.ts";
import type { DeadLetterRow } from "../../../store/index.ts";
import { type Address, formatAddress } from "../address.ts";
import type { AnyActorDefinition } from "../definition.ts";
import type { Delivery } from "../drivers/bus.ts";
import { failure } from "../message.ts";
import { type ActorState, type Item, remember, type StepResult, step } from "./step.ts";

/** An item in a mailbox, and who waits for it. */
export interface Waiting {
  readonly item: Item;
  readonly delivery?: Delivery;
  /** For notify: told when the item is durable, or why it is not. */
  readonly settle?: (error?: Error) => void;
}

export interface Batch {
  readonly state: ActorState;
  readonly changed: boolean;
  readonly done: readonly { readonly waiting: Waiting; readonly result: StepResult }[];
  readonly writes: readonly StoreWrite[];
  readonly publishes: StepResult["publishes"];
  readonly deadLetters: readonly DeadLetterRow[];
  /** Ids of dead letters that it makes good. */
  readonly replayed?: readonly string[];
  /** The item at which the batch stopped because its step threw. */
  readonly poison: { readonly waiting: Waiting; readonly error: Error } | undefined;
}

/** Steps the items one after another, up to the first whose step throws. */
export function stepAll(
  definition: AnyActorDefinition,
  before: ActorState,
  items: readonly Waiting[],
  now: number,
): Batch {
  let state = before;
  let changed = false;
  let poison: Batch["poison"];
  const done: { waiting: Waiting; result: StepResult }[] = [];
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

/** A batch of no items: a state that an operator or a burial made. */
export function batchOf(state: ActorState, more: Partial<Batch> = {}): Batch {
  const nothing = { done: [], writes: [], publishes: [], deadLetters: [], poison: undefined };
  return { state, changed: true, ...nothing, ...more };
}

export interface Burial {
  readonly batch: Batch;
  readonly letter: DeadLetterRow;
  /** What whoever waits for the item is told. */
  readonly told: Defect;
}

/** What puts an item away that cannot be stepped; `parks`: and its actor with it. */
export function burial(
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
): Burial {
  const { letter, told } = deadLetter(target, item, error, attempts, now);
  // Remembered like any other outcome: a repetition, or a second delivery after a crash, is told the same.
  const state = item.kind === "command" ? remember(before, item.message, failure(told)) : before;
  const parked = parks ? { code: error.code, message: error.message, at: now } : state.record.parked;
  const batch = batchOf({ ...state, record: { ...state.record, parked } }, { deadLetters: [letter] });
  return { batch, letter, told };
}

/** The row in which an item that cannot be stepped is kept, and what whoever waits for it is told. */
export function deadLetter(
  target: Address,
  item: Item,
  error: CairnError,
  attempts: number,
  now: number,
): { readonly letter: DeadLetterRow; readonly told: Defect } {
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
  const told = new Defect("actor.step_failed", `${name} failed on this ${item.kind}: ${error.message}`, {
    cause: error,
    details: { dead_letter: letter.id },
  });
  return { letter, told };
}

/** Ids in the order of time, that can stand in a URL. */
function deadLetterId(now: number): string {
  return `dl-${now.toString(36).padStart(9, "0")}-${crypto.randomUUID().slice(0, 13)}`;
}

/** What made a step fail may be that its item cannot be written down, such as an effect's result with a cycle. */
function toText(item: Item): string {
  try {
    return JSON.stringify(item.kind === "command" ? item.message : { item });
  } catch (error) {
    return JSON.stringify({ item: { kind: item.kind }, unwritable: String(error) });
  }
}
