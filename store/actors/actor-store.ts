/**
 * What the actor runtime needs of a store, and nothing of how it is kept.
 *
 * `actor-store.surreal.ts` keeps actors in SurrealDB, `actor-store.memory.ts` is the in-process twin; one
 * contract suite runs on both. An actor is one row: its snapshot with its timers, effects, outbox and
 * remembered commands is one JSON string, written whole by each step.
 */
import type { StoreWrite } from "../../machines/emitted.ts";

export interface ActorKey {
  readonly kind: string;
  readonly id: string;
}

export interface ActorRow extends ActorKey {
  readonly shard: number;
  /** Of the kind's machine. */
  readonly version: number;
  /** JSON, opaque to the store. */
  readonly data: string;
  /** Milliseconds since the epoch when the actor wants to be activated; `null` when nothing is pending. */
  readonly wake_at: number | null;
  /** The state's name, for lists. */
  readonly state: string;
  readonly updated_at: number;
}

/** An actor as lists show it: its state may weigh megabytes. */
export type ActorHead = Omit<ActorRow, "data">;

export interface DeadLetterRow {
  readonly id: string;
  readonly kind: string;
  readonly actor_id: string;
  /** JSON of the message as it was delivered. */
  readonly message: string;
  readonly error_code: string;
  readonly error_message: string;
  readonly attempts: number;
  readonly at: number;
}

/** What one shard's owner wants to be durable, all of it or nothing. */
export interface CommitUnit {
  readonly shard: number;
  /** The fence this owner got from `raiseFences`; the commit is refused when the store's is higher. */
  readonly fence: number;
  /**
   * The number of this attempt under its fence: 1 or more, and greater than that of any unit of the shard before.
   * A unit that arrives after one with a greater number is refused as fenced. Its sender has given it up as
   * unanswered, tried again and gone on since, so that it would put an old state over a newer one.
   */
  readonly step: number;
  readonly rows: readonly ActorRow[];
  readonly writes: readonly StoreWrite[];
  readonly deadLetters: readonly DeadLetterRow[];
  /** Ids of dead letters that this unit makes good: they go with its commit, so that none is made good twice. */
  readonly replayed?: readonly string[];
}

/** An attempt at a commit that nobody heard of. */
export type Attempt = Pick<CommitUnit, "shard" | "fence" | "step"> & { readonly row: ActorRow };

/** `fenced`: another owner raised the shard's fence, or a later unit was here first; nothing of the unit was written. */
export type CommitOutcome = { readonly ok: true } | { readonly ok: false; readonly error: Error };

export interface ActorStore {
  /**
   * Adds one to the fence of each shard and answers the new values: from then on older owners cannot write, and
   * the new one counts its steps from 1.
   */
  raiseFences(shards: readonly number[]): Promise<ReadonlyMap<number, number>>;
  load(key: ActorKey): Promise<ActorRow | undefined>;
  /**
   * Writes all units in one transaction. When a unit is fenced, or its writes fail, the units are tried one by
   * one, so that one unit's failure is its own: the outcomes stand in the order of the units.
   * `Fenced` (`store.fenced`) is the error of a fenced unit; `Unavailable` when the store cannot be reached.
   */
  commit(units: readonly CommitUnit[]): Promise<readonly CommitOutcome[]>;
  /**
   * Was an attempt carried out that had no answer? Its row is the stored one, then. From here on no attempt of the
   * shard under this step can be, so that what is told stays true. To repeat a commit without asking would bring
   * back rows that others have taken since. Throws `Fenced` when another owner raised the shard's fence.
   */
  landed(attempt: Attempt): Promise<boolean>;
  /** Actors of these shards that want to be active before `until`, the earliest first. */
  due(
    shards: readonly number[],
    until: number,
    limit: number,
  ): Promise<readonly (ActorKey & { wake_at: number })[]>;
  /**
   * Actors in order of (kind, id); `after` is the last key of the page before. `state` is a state's name, which stands
   * for all within it (`active` for `active.queued`).
   */
  list(query: {
    readonly kind?: string | undefined;
    readonly state?: string | undefined;
    readonly limit: number;
    readonly after?: ActorKey | undefined;
  }): Promise<readonly ActorHead[]>;
  remove(key: ActorKey): Promise<void>;
  /** In order of their ids, hence of their time; `after` is the last id of the page before. */
  deadLetters(query: {
    readonly limit: number;
    readonly after?: string | undefined;
  }): Promise<readonly DeadLetterRow[]>;
  deadLetter(id: string): Promise<DeadLetterRow | undefined>;
  /** False when there was none. */
  removeDeadLetter(id: string): Promise<boolean>;
}
