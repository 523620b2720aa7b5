/**
 * Who may host a shard: a lease per shard, taken by one owner, renewed while it lives.
 *
 * The lease says who should act; the fence in the store says who can write. `MemoryLeases` is the table of one
 * process, `lease.nats.ts` keeps them at a broker.
 */
import type { Clock } from "../clock.ts";

export interface LeaseTable {
  /** Takes the free ones of these shards and answers which were taken; an owner's own ones count as free. */
  take(shards: readonly number[], owner: string): Promise<readonly number[]>;
  /** Extends those that this owner still holds and answers which. */
  renew(shards: readonly number[], owner: string): Promise<readonly number[]>;
  release(shards: readonly number[], owner: string): Promise<void>;
  /** Calls `tell` with leases that were given back, until the answer is called. That one ran out nobody tells. */
  freed(tell: (shards: readonly number[]) => void): () => void;
}

/** What a node knows beside of the owners that live in it. */
export interface NodeLeases extends LeaseTable {
  /**
   * Does an owner hold leases that it has let run out, without a word? Then it lives no more, or is stuck. One that asks
   * for them in vain, because there is nobody to have them from, is not.
   */
  silent(owner: string): boolean;
  /** Gives back everything that an owner held, for one that is known to be dead. */
  releaseAll(owner: string): Promise<void>;
}

export class MemoryLeases implements NodeLeases {
  readonly #clock: Clock;
  readonly #ttl: number;
  readonly #held = new Map<number, { readonly owner: string; readonly until: number }>();
  readonly #told = new Set<(shards: readonly number[]) => void>();

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
    if (freed.length > 0) for (const tell of [...this.#told]) tell(freed);
  }

  freed(tell: (shards: readonly number[]) => void): () => void {
    this.#told.add(tell);
    return () => {
      this.#told.delete(tell);
    };
  }

  silent(owner: string): boolean {
    const now = this.#clock.monotonic();
    for (const lease of this.#held.values()) if (lease.owner === owner && lease.until <= now) return true;
    return false;
  }

  async releaseAll(owner: string): Promise<void> {
    await this.release([...this.#held.keys()], owner);
  }
}
