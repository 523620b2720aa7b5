/**
 * Commits the steps of many actors in one transaction, because each transaction costs an fsync. While a
 * transaction runs, the next steps are collected, so a step waits only under load. A shard is in one
 * transaction at a time, because each transaction writes the shard's fence (owner number).
 */

import { Fenced } from "../../../machines/errors.ts";
import type { StoreWrite } from "../../../machines/machine-emissions.ts";
import { commitLimits } from "../../../machines/runtime/shared-runtime-limits.ts";
import type { ActorRow, ActorStore, DeadLetterRow } from "../../../store/index.ts";
import type { Durations } from "../inspection/metrics-of-actor-kinds.ts";

/** The rows that one actor commits. The store saves all of them or none. */
export interface ActorCommit {
  readonly shard: number;
  readonly fence: number;
  /**
   * The actor's row to store. Absent if the commit only stores a dead letter for an address without an actor.
   */
  readonly row?: ActorRow;
  readonly writes: readonly StoreWrite[];
  readonly deadLetters: readonly DeadLetterRow[];
  /** Ids of dead letters that this commit has replayed. */
  readonly replayed?: readonly string[];
  /**
   * True if this commit was attempted before, and it is unknown whether the attempt succeeded. The store is
   * then checked first.
   */
  readonly repeated?: boolean;
}

interface Pending {
  readonly commit: ActorCommit;
  readonly bytes: number;
  readonly settle: (error?: Error) => void;
}

export class Committer {
  readonly #store: ActorStore;
  /**
   * Returns whether this node's lease of the shard is still valid. Called just before each transaction,
   * because an owner whose lease has expired must not write.
   */
  readonly #mayWrite: (shard: number, fence: number) => boolean;
  /**
   * Returns a promise if it is uncertain whether the leases are still valid. It resolves when this is
   * decided. Returns `undefined` if the leases are certainly valid.
   */
  readonly #leasesDecided: () => Promise<void> | undefined;
  /** The commits that wait for a transaction, by shard. The shard that has waited longest comes first. */
  readonly #waiting = new Map<number, Pending[]>();
  readonly #busyShards = new Set<number>();
  /**
   * For each shard: the number of the last request to the store. It starts at 0 again when the fence (owner
   * number) changes.
   */
  readonly #steps = new Map<number, { readonly fence: number; step: number }>();
  readonly #times: Durations | undefined;
  #inFlight = 0;

  constructor(
    store: ActorStore,
    mayWrite: (shard: number, fence: number) => boolean,
    times?: Durations,
    leasesDecided: () => Promise<void> | undefined = () => undefined,
  ) {
    this.#store = store;
    this.#mayWrite = mayWrite;
    this.#leasesDecided = leasesDecided;
    this.#times = times;
  }

  /**
   * Resolves when the commit is durable. Rejects with `Fenced`, with `Unavailable`, or with the store's
   * error.
   */
  commit(commit: ActorCommit): Promise<void> {
    return new Promise((resolve, reject) => {
      // A transaction is limited by its bytes and not by its number of rows, because one step of a crawl may
      // store megabytes of pages.
      const bytes = (commit.row?.data.length ?? 0) + weigh(commit.writes);
      const pending = { commit, bytes, settle: (error?: Error) => (error ? reject(error) : resolve()) };
      const others = this.#waiting.get(commit.shard);
      if (others) others.push(pending);
      else this.#waiting.set(commit.shard, [pending]);
      this.#pump();
    });
  }

  #pump(): void {
    while (this.#inFlight < commitLimits.inFlight) {
      const group = this.#gather();
      if (group.length === 0) return;
      const shards = new Set(group.map((pending) => pending.commit.shard));
      for (const shard of shards) this.#busyShards.add(shard);
      this.#inFlight += 1;
      this.#write(group).finally(() => {
        this.#inFlight -= 1;
        for (const shard of shards) this.#busyShards.delete(shard);
        this.#pump();
      });
    }
  }

  /**
   * Chooses the commits of the next transaction. The shard that has waited longest comes first. Few shards
   * are used, because each needs one more row: its fence (owner number).
   */
  #gather(): Pending[] {
    const group: Pending[] = [];
    let bytes = 0;
    const left = new Map<number, Pending[]>();
    for (const [shard, pending] of this.#waiting) {
      if (this.#busyShards.has(shard)) continue;
      let taken = 0;
      for (const next of pending) {
        const fits = group.length < commitLimits.group && bytes + next.bytes <= commitLimits.groupBytes;
        if (!fits && group.length > 0) break;
        group.push(next);
        bytes += next.bytes;
        taken += 1;
      }
      if (taken === 0) continue;
      this.#waiting.delete(shard);
      if (taken < pending.length) left.set(shard, pending.slice(taken));
      if (group.length >= commitLimits.group) break;
    }
    // Commits that did not fit into this transaction wait for a later one. Their shards are put at the end of
    // the queue, so that every shard has its turn.
    for (const [shard, pending] of left) this.#waiting.set(shard, pending);
    return group;
  }

  /**
   * Returns the number of the next request to the store for a shard. The store refuses a request whose number
   * is not higher than the last one. If a delayed request is repeated, the repetition gets a higher number,
   * and the store refuses the delayed one.
   */
  #step(shard: number, fence: number): number {
    let tried = this.#steps.get(shard);
    if (tried?.fence !== fence) {
      tried = { fence, step: 0 };
      this.#steps.set(shard, tried);
    }
    tried.step += 1;
    return tried.step;
  }

  async #write(group: readonly Pending[]): Promise<void> {
    const open: Pending[] = [];
    for (const pending of group)
      if (!pending.commit.repeated || !(await this.#landed(pending))) open.push(pending);
    const undecided = this.#leasesDecided();
    if (undecided) await undecided;
    const allowed = open.filter((pending) => this.#allowed(pending));
    if (allowed.length === 0) return;
    const units = allowed.map(({ commit: { shard, fence, row, writes, deadLetters, replayed } }) => ({
      shard,
      fence,
      step: this.#step(shard, fence),
      rows: row ? [row] : [],
      writes,
      deadLetters,
      ...(replayed ? { replayed } : {}),
    }));
    const began = performance.now();
    try {
      const outcomes = await this.#store.commit(units);
      this.#times?.add(performance.now() - began);
      allowed.forEach((pending, i) => {
        const outcome = outcomes[i];
        pending.settle(
          outcome?.ok
            ? undefined
            : (outcome?.error ?? new Error("The store answered fewer outcomes than units.")),
        );
      });
    } catch (error) {
      for (const pending of allowed) pending.settle(asError(error));
    }
  }

  #allowed({ commit: { shard, fence }, settle }: Pending): boolean {
    if (this.#mayWrite(shard, fence)) return true;
    settle(new Fenced("lease.lost", `The lease of shard ${shard} expired before a commit.`));
    return false;
  }

  /**
   * Checks whether a commit whose answer was lost has stored its row. Returns `true` if the caller has got a
   * result: success, or the error of this check. Returns `false` if the row is not stored, so that the commit
   * must be repeated.
   */
  async #landed({ commit: { shard, fence, row }, settle }: Pending): Promise<boolean> {
    if (!row) return false;
    try {
      const landed = await this.#store.landed({ shard, fence, row, step: this.#step(shard, fence) });
      if (landed) settle();
      return landed;
    } catch (error) {
      settle(asError(error));
      return true;
    }
  }
}

function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}

/** Estimates the size of writes in bytes, by the length of their strings. */
function weigh(writes: readonly StoreWrite[]): number {
  let bytes = 0;
  for (const write of writes) {
    if (!("rows" in write)) continue;
    for (const row of write.rows) {
      for (const value of Object.values(row)) bytes += typeof value === "string" ? value.length : 16;
    }
  }
  return bytes;
}
