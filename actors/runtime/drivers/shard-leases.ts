/**
 * The table of leases: one lease per shard, which one owner takes and renews. The lease decides which owner
 * should work on a shard; the fence in the store decides which owner can write. `MemoryLeases` is the table
 * of a single process.
 */
import type { Clock } from "../runtime-clock.ts";

export interface LeaseTable {
  /**
   * Takes the leases of these shards, except those that another owner holds. Returns the shards whose leases
   * were taken, including shards whose leases this owner held already.
   */
  take(shards: readonly number[], owner: string): Promise<readonly number[]>;
  /**
   * Extends the leases that the owner still holds, and returns their shards. A lease that another owner has
   * held in the meantime is never extended.
   */
  renew(shards: readonly number[], owner: string): Promise<readonly number[]>;
  release(shards: readonly number[], owner: string): Promise<void>;
  /**
   * Calls `listen` with the shards of released leases, each time that leases are released. The returned
   * function ends these calls. Expired leases are not reported.
   */
  onFreed(listen: (shards: readonly number[]) => void): () => void;
}

/** The lease table of a node. It also detects owners on this node that no longer work. */
export interface NodeLeases extends LeaseTable {
  /**
   * Whether an owner is silent: it holds leases, but has tried neither to take nor to renew one since the
   * given monotonic time. A silent owner is busy, stuck or dead. An owner that cannot reach the broker of the
   * leases is not silent, because it tries.
   */
  isSilentSince(owner: string, since: number): boolean;
  /**
   * Extends the leases that an owner still holds. It is called for an owner whose thread runs, but is too
   * busy to renew its leases itself.
   */
  extend(owner: string): Promise<void>;
  /** Releases all leases of an owner that is known to be dead. */
  releaseAll(owner: string): Promise<void>;
}

export class MemoryLeases implements NodeLeases {
  readonly #clock: Clock;
  readonly #ttl: number;
  readonly #held = new Map<number, { readonly owner: string; readonly until: number }>();
  /** For each owner, the monotonic time of its last request. */
  readonly #requested = new Map<string, number>();
  readonly #freedListeners = new Set<(shards: readonly number[]) => void>();

  constructor(clock: Clock, ttl: number) {
    this.#clock = clock;
    this.#ttl = ttl;
  }

  async take(shards: readonly number[], owner: string): Promise<readonly number[]> {
    const now = this.#clock.monotonic();
    this.#requested.set(owner, now);
    return shards.filter((shard) => {
      const lease = this.#held.get(shard);
      if (lease && lease.owner !== owner && lease.until > now) return false;
      this.#held.set(shard, { owner, until: now + this.#ttl });
      return true;
    });
  }

  /**
   * Extends the leases that the owner holds, including leases that have expired while no other owner took
   * them. A lease expires in this way when this process was suspended or very busy.
   */
  async renew(shards: readonly number[], owner: string): Promise<readonly number[]> {
    const now = this.#clock.monotonic();
    this.#requested.set(owner, now);
    return shards.filter((shard) => {
      if (this.#held.get(shard)?.owner !== owner) return false;
      this.#held.set(shard, { owner, until: now + this.#ttl });
      return true;
    });
  }

  async release(shards: readonly number[], owner: string): Promise<void> {
    const freed = shards.filter((shard) => this.#held.get(shard)?.owner === owner);
    for (const shard of freed) this.#held.delete(shard);
    if (freed.length > 0) for (const listen of [...this.#freedListeners]) listen(freed);
  }

  onFreed(listen: (shards: readonly number[]) => void): () => void {
    this.#freedListeners.add(listen);
    return () => {
      this.#freedListeners.delete(listen);
    };
  }

  isSilentSince(owner: string, since: number): boolean {
    if ((this.#requested.get(owner) ?? 0) > since) return false;
    return [...this.#held.values()].some((lease) => lease.owner === owner);
  }

  async extend(owner: string): Promise<void> {
    const until = this.#clock.monotonic() + this.#ttl;
    for (const [shard, lease] of this.#held)
      if (lease.owner === owner) this.#held.set(shard, { owner, until });
  }

  async releaseAll(owner: string): Promise<void> {
    await this.release([...this.#held.keys()], owner);
    this.#requested.delete(owner);
  }
}
