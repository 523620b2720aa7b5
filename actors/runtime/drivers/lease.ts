/**
 * The table of leases: one lease per shard, which one owner takes and renews. The lease decides which owner
 * should work on a shard; the fence in the store decides which owner can write. `MemoryLeases` is the table
 * of a single process.
 */
import type { Clock } from "../clock.ts";

export interface LeaseTable {
  /**
   * Takes the leases of these shards, except those that another owner holds. Returns the shards whose leases
   * were taken, including those that the same owner held already.
   */
  take(shards: readonly number[], owner: string): Promise<readonly number[]>;
  /** Extends the leases that the owner still holds, and returns their shards. */
  renew(shards: readonly number[], owner: string): Promise<readonly number[]>;
  release(shards: readonly number[], owner: string): Promise<void>;
  /**
   * Calls `listen` with the shards whose leases were released, until the returned function is called. Expired
   * leases are not reported.
   */
  onFreed(listen: (shards: readonly number[]) => void): () => void;
}

/** The lease table of a node. It also detects owners on this node that no longer work. */
export interface NodeLeases extends LeaseTable {
  /**
   * Whether an owner has let its leases expire without requesting their renewal. It is then dead or stuck. An
   * owner whose requests fail because the broker is unreachable is not silent.
   */
  isSilent(owner: string): boolean;
  /** Releases all leases of an owner that is known to be dead. */
  releaseAll(owner: string): Promise<void>;
}

export class MemoryLeases implements NodeLeases {
  readonly #clock: Clock;
  readonly #ttl: number;
  readonly #held = new Map<number, { readonly owner: string; readonly until: number }>();
  readonly #freedListeners = new Set<(shards: readonly number[]) => void>();

  constructor(clock: Clock, ttl: number) {
    this.#clock = clock;
    this.#ttl = ttl;
  }

  async take(shards: readonly number[], owner: string): Promise<readonly number[]> {
    const now = this.#clock.monotonic();
    return shards.filter((shard) => {
      const lease = this.#held.get(shard);
      if (lease && lease.owner !== owner && lease.until > now) return false;
      this.#held.set(shard, { owner, until: now + this.#ttl });
      return true;
    });
  }

  async renew(shards: readonly number[], owner: string): Promise<readonly number[]> {
    const now = this.#clock.monotonic();
    return shards.filter((shard) => {
      const lease = this.#held.get(shard);
      if (!lease || lease.owner !== owner || lease.until <= now) return false;
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

  isSilent(owner: string): boolean {
    const now = this.#clock.monotonic();
    for (const lease of this.#held.values()) if (lease.owner === owner && lease.until <= now) return true;
    return false;
  }

  async releaseAll(owner: string): Promise<void> {
    await this.release([...this.#held.keys()], owner);
  }
}
