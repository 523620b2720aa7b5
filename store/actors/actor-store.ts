/**
 * The interface by which the actor runtime uses the store. `surreal-actor-store.ts` implements it in
 * SurrealDB and `memory-actor-store.ts` in memory. An actor is one row: its snapshot, timers, effects, outbox
 * and remembered commands are one JSON string, which each step replaces.
 */
import type { StoreWrite } from "../../machines/emitted.ts";

export interface ActorKey {
  readonly kind: string;
  readonly id: string;
}

export interface ActorRow extends ActorKey {
  readonly shard: number;
  /** Version of the state machine that wrote the row. */
  readonly version: number;
  /** The state of the actor as JSON, which the store does not interpret. */
  readonly data: string;
  /** When the actor is to be activated, in milliseconds since the epoch; `null` when nothing is pending. */
  readonly wake_at: number | null;
  /** The name of the actor's state, for lists. */
  readonly state: string;
  readonly updated_at: number;
}

/** An actor row without its state, which may take megabytes. */
export type ActorHead = Omit<ActorRow, "data">;

export interface DeadLetterRow {
  readonly id: string;
  readonly kind: string;
  readonly actor_id: string;
  /** The message that could not be handled, as JSON. */
  readonly message: string;
  readonly error_code: string;
  readonly error_message: string;
  readonly attempts: number;
  readonly at: number;
}

/** Changes of one shard that are committed together or not at all. */
export interface CommitUnit {
  readonly shard: number;
  /**
   * The fence that this owner received from `raiseFences`. The commit is refused when the store has a higher
   * fence for the shard.
   */
  readonly fence: number;
  /**
   * Number of this commit under its fence, starting at 1. It is greater than that of every earlier unit of
   * the shard. A unit that arrives after one with a greater number is refused as fenced: its sender has timed
   * out and continued, so the unit would overwrite a newer state.
   */
  readonly step: number;
  readonly rows: readonly ActorRow[];
  readonly writes: readonly StoreWrite[];
  readonly deadLetters: readonly DeadLetterRow[];
  /**
   * Ids of dead letters that this unit replays. They are deleted in the same commit, so that none is replayed
   * twice.
   */
  readonly replayed?: readonly string[];
}

/** A commit attempt whose answer was lost. */
export type Attempt = Pick<CommitUnit, "shard" | "fence" | "step"> & { readonly row: ActorRow };

/**
 * `fenced`: another owner has raised the shard's fence, or a later unit arrived first. Nothing of the unit
 * was written.
 */
export type CommitOutcome = { readonly ok: true } | { readonly ok: false; readonly error: Error };

export interface ActorStore {
  /**
   * Increments the fence of each shard and returns the new values. Older owners can no longer write, and the
   * new owner counts its steps from 1.
   */
  raiseFences(shards: readonly number[]): Promise<ReadonlyMap<number, number>>;
  load(key: ActorKey): Promise<ActorRow | undefined>;
  /**
   * Writes all units in one transaction. If a unit is fenced or its writes fail, the units are committed one
   * by one, so that only the failing unit is lost. The outcomes have the order of the units: `Fenced`
   * (`store.fenced`) for a fenced unit, and `Unavailable` when the store cannot be reached.
   */
  commit(units: readonly CommitUnit[]): Promise<readonly CommitOutcome[]>;
  /**
   * Whether a commit without an answer was written. The call also refuses every later attempt of the shard up
   * to this step, so the answer stays true. Repeating the commit instead could restore rows that other actors
   * have deleted since. Throws `Fenced` when another owner has raised the shard's fence.
   */
  landed(attempt: Attempt): Promise<boolean>;
  /** Actors of the given shards whose `wake_at` is before `until`, earliest first. */
  due(
    shards: readonly number[],
    until: number,
    limit: number,
  ): Promise<readonly (ActorKey & { wake_at: number })[]>;
  /**
   * Lists actors sorted by kind and id. `after` is the last key of the previous page. `state` includes nested
   * states (`active` matches `active.queued`).
   */
  list(query: {
    readonly kind?: string | undefined;
    readonly state?: string | undefined;
    readonly limit: number;
    readonly after?: ActorKey | undefined;
  }): Promise<readonly ActorHead[]>;
  remove(key: ActorKey): Promise<void>;
  /**
   * Lists dead letters by id, which is also the order of time. `after` is the last id of the previous page.
   */
  deadLetters(query: {
    readonly limit: number;
    readonly after?: string | undefined;
  }): Promise<readonly DeadLetterRow[]>;
  deadLetter(id: string): Promise<DeadLetterRow | undefined>;
  /** Returns false if the dead letter did not exist. */
  removeDeadLetter(id: string): Promise<boolean>;
}
