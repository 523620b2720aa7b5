/**
 * The interface by which the actor runtime uses the store. `surreal-actor-store.ts` implements it in
 * SurrealDB and `memory-actor-store.ts` in memory. An actor is one row; a JSON string in it contains the
 * actor's state, timers and unsent messages, and is replaced after each message that the actor has handled.
 */
import type { StoreWrite } from "../../machines/machine-emissions.ts";

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
  /**
   * Time at which the runtime must activate the actor next, in milliseconds since the epoch; `null` if
   * nothing is scheduled.
   */
  readonly wake_at: number | null;
  /** Name of the actor's state, as it is shown in lists of actors. */
  readonly state: string;
  readonly updated_at: number;
}

/** An actor row without its state, which may take megabytes. */
export type ActorHead = Omit<ActorRow, "data">;

export interface DeadLetterRow {
  readonly id: string;
  readonly kind: string;
  readonly actor_id: string;
  /** The message that the actor could not handle, as JSON. */
  readonly message: string;
  readonly error_code: string;
  readonly error_message: string;
  readonly attempts: number;
  readonly at: number;
}

/**
 * A commit: changes of one shard, which is a group of actors with one owner at a time. Either all changes are
 * written or none.
 */
export interface CommitUnit {
  readonly shard: number;
  /**
   * The fence of this owner, as returned by `raiseFences`. It is a number that grows with each change of
   * owner. The store refuses the commit if the shard has a higher fence.
   */
  readonly fence: number;
  /**
   * Number of this commit, counted from 1 since the owner received its fence. After a commit has timed out,
   * the owner uses a greater number for the next commit. If the timed-out commit still arrives after the next
   * one, the store refuses it as fenced, because it would overwrite a newer state.
   */
  readonly step: number;
  readonly rows: readonly ActorRow[];
  readonly writes: readonly StoreWrite[];
  readonly deadLetters: readonly DeadLetterRow[];
  /**
   * Ids of dead letters that this commit replays. The commit also deletes them, so that no dead letter is
   * replayed twice.
   */
  readonly replayed?: readonly string[];
}

/** Identifies a commit whose result is unknown, because the answer of the store was lost. */
export type Attempt = Pick<CommitUnit, "shard" | "fence" | "step"> & { readonly row: ActorRow };

/**
 * The result of a commit. It fails as `store.fenced` if another owner has raised the shard's fence, or if a
 * later commit of the shard arrived first. Nothing of a failed commit is written.
 */
export type CommitOutcome = { readonly ok: true } | { readonly ok: false; readonly error: Error };

export interface ActorStore {
  /**
   * Increments the fence of each shard and returns the new values. Afterwards, the store refuses commits of
   * earlier owners, and the new owner numbers its commits from 1.
   */
  raiseFences(shards: readonly number[]): Promise<ReadonlyMap<number, number>>;
  load(key: ActorKey): Promise<ActorRow | undefined>;
  /**
   * Writes all given commits in one transaction. If that fails, the commits are repeated one by one, so that
   * only a failing commit is lost. The results have the order of `units`. A failed result contains `Fenced`
   * for a fenced commit, and `Unavailable` if the store cannot be reached.
   */
  commit(units: readonly CommitUnit[]): Promise<readonly CommitOutcome[]>;
  /**
   * Returns whether the store has written a commit whose answer was lost. After the result `false`, the store
   * also refuses the commit if it arrives later. Do not send the commit again instead: it could restore rows
   * that other actors have deleted since. Throws `Fenced` if another owner has raised the shard's fence.
   */
  landed(attempt: Attempt): Promise<boolean>;
  /** Returns the actors of the given shards whose `wake_at` is before `until`, earliest first. */
  due(
    shards: readonly number[],
    until: number,
    limit: number,
  ): Promise<readonly (ActorKey & { wake_at: number })[]>;
  /**
   * Lists actors sorted by kind and id. `after` is the last key of the previous page. `state` includes nested
   * states (`active` matches `active.queued`). With `order: "updated"`, the actors that changed last come
   * first; this reads all actors of the kind, and `after` cannot be used.
   */
  list(query: {
    readonly kind?: string | undefined;
    readonly state?: string | undefined;
    readonly order?: "updated" | undefined;
    readonly limit: number;
    readonly after?: ActorKey | undefined;
  }): Promise<readonly ActorHead[]>;
  remove(key: ActorKey): Promise<void>;
  /**
   * Lists dead letters (messages that actors could not handle) sorted by id, and so by time. `after` is the last id
   * of the previous page.
   */
  deadLetters(query: {
    readonly limit: number;
    readonly after?: string | undefined;
  }): Promise<readonly DeadLetterRow[]>;
  deadLetter(id: string): Promise<DeadLetterRow | undefined>;
  /** Deletes a dead letter (a message that an actor could not handle). Returns false if it did not exist. */
  removeDeadLetter(id: string): Promise<boolean>;
}
