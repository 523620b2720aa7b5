/**
 * Who may host a shard: a lease per shard, taken by one owner, renewed while it lives.
 *
 * The lease says who should act; the fence in the store says who can write. `MemoryLeases` is the table of one
 * process; a broker's key-value bucket comes by adding a driver.
 */
import type { Clock } from "./clock.ts";

export interface LeaseTable {
  /** Takes the free ones of these shards and answers which were taken; an owner's own ones count as free. */
  take(shards: readonly number[], owner: string): Promise<readonly number[]>;
  /** Extends those that this owner still holds and answers which. */
  renew(shards: readonly number[], owner: string): Promise<readonly number[]>;
  release(shards: readonly number[], owner: string): Promise<void>;
}

export class MemoryLeases implements LeaseTable {
  readonly #clock: Clock;
  readonly #ttl: number;
  readonly #held = new Map<number, { readonly owner: string; readonly until: number }>();

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
    for (const shard of shards) if (this.#held.get(shard)?.owner === owner) this.#held.delete(shard);
  }

  /** Does an owner hold leases that it has let run out? Then it lives no more, or is stuck. */
  silent(owner: string): boolean {
    const now = this.#clock.monotonic();
    for (const lease of this.#held.values()) if (lease.owner === owner && lease.until <= now) return true;
    return false;
  }

  /** Everything an owner held, at once: for an owner that is known to be dead. */
  releaseAll(owner: string): void {
    for (const [shard, lease] of this.#held) if (lease.owner === owner) this.#held.delete(shard);
  }
}
