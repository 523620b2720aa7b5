/**
 * The lease table: one lease per shard, taken by one owner and renewed.
 * The lease decides who should act; the fence in the store decides who can write. `MemoryLeases` is the table
 * of one process.
 */
import type { Clock } from "../clock.ts";

export interface LeaseTable {
  /** Takes the free leases of these shards and returns them. A lease of the same owner counts as free. */
  take(shards: readonly number[], owner: string): Promise<readonly number[]>;
  /** Extends the leases that the owner still holds and returns them. */
  renew(shards: readonly number[], owner: string): Promise<readonly number[]>;
  release(shards: readonly number[], owner: string): Promise<void>;
  /** Calls `listen` with released leases; the returned function ends that. Expired leases are not announced. */
  onFreed(listen: (shards: readonly number[]) => void): () => void;
}

/** The lease table of a node, which also watches the node's owners. */
export interface NodeLeases extends LeaseTable {
  /**
   * Whether an owner let its leases expire without asking: it is dead or stuck. An owner whose requests fail,
   * because the broker is away, is not silent.
   */
  isSilent(owner: string): boolean;
  /** Returns everything of an owner that is known to be dead. */
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
