/**
 * Keeps the leases of an owner's shards: which it wants, which it has, and until when they are certain.
 * The owner trusts a lease for 2/3 of its time on a monotonic clock, so it stops before another owner can
 * begin.
 */
import { leaseLimits } from "../../../machines/runtime/limits.ts";
import type { Clock } from "../clock.ts";
import type { LeaseTable } from "../drivers/lease.ts";

export interface Tenancy {
  readonly owner: string;
  readonly leases: LeaseTable;
  readonly leaseTtl: number;
  readonly clock: Clock;
  /** The shards that are hosted. */
  held(): readonly number[];
  /** Starts to host shards whose leases were just taken, as far as `still` confirms them at that time. */
  own(shards: readonly number[], still: (shard: number) => boolean): Promise<void>;
  /** Finishes running work of a shard; resolves when another owner may have it. */
  retire(shard: number): Promise<void>;
  /** Stops hosting at once. */
  drop(shard: number, why: string): void;
  failed(error: unknown): void;
}

export class LeaseKeeper {
  readonly #tenancy: Tenancy;
  #desired: ReadonlySet<number> = new Set();
  readonly #retiring = new Set<number>();
  /** Shards whose leases were taken and that are not hosted yet. */
  readonly #coming = new Set<number>();
  /** Monotonic time of the last renewal request. */
  #renewed = 0;
  /** Monotonic time until which the leases are certain. */
  #sureUntil = 0;
  #cancelExpiry = () => {};
  readonly #stopListening: () => void;
  #taking: Promise<void> | undefined;
  #takeAgain = false;
  #draining = false;
  #closed = false;

  constructor(tenancy: Tenancy) {
    this.#tenancy = tenancy;
    this.#stopListening = tenancy.leases.freed((shards) => {
      const held = new Set(tenancy.held());
      if (shards.some((shard) => this.#desired.has(shard) && !held.has(shard))) this.#takeSoon();
    });
  }

  /** Milliseconds for which the held leases are certain; 0 when they are not. */
  get sureFor(): number {
    return Math.max(0, this.#sureUntil - this.#tenancy.clock.monotonic());
  }

  /** Whether the held leases are certain at this moment. */
  get sure(): boolean {
    return this.#tenancy.clock.monotonic() < this.#sureUntil;
  }

  /** Whether the shard should be held. */
  wants(shard: number): boolean {
    return this.#desired.has(shard);
  }

  /** Sets the wanted shards. Others are given up gently; wanted ones are taken when they are free. */
  desire(shards: readonly number[]): void {
    this.#desired = new Set(shards);
    this.#giveUpUnwanted();
    this.#takeSoon();
  }

  /** Like `desire`; resolves when the free ones were taken. */
  async begin(shards: readonly number[]): Promise<void> {
    this.#desired = new Set(shards);
    await this.#renew();
    await this.#take();
  }

  /**
   * Renews held leases, drops lost ones, and requests wanted ones; while draining it only renews. Taking runs
   * in the background, because it waits for the store.
   */
  async tend(): Promise<void> {
    await this.#renew();
    this.#takeSoon();
  }

  async #renew(): Promise<void> {
    const { leases, leaseTtl, clock, owner, held, drop } = this.#tenancy;
    // Measured before the request, because the renewal may have happened at that moment.
    const asked = clock.monotonic();
    if (asked >= this.#sureUntil) this.#dropAll();
    this.#renewed = asked;
    const ours = new Set([...held(), ...this.#coming]);
    const kept = new Set(await leases.renew([...ours], owner));
    if (this.#closed) return;
    for (const shard of ours) {
      if (kept.has(shard)) continue;
      this.#coming.delete(shard);
      drop(shard, "lease lost");
    }
    this.#sureUntil = asked + leaseTtl * leaseLimits.giveUpAt;
    this.#cancelExpiry();
    // Independent of the next round, which may wait for a slow lease table.
    this.#cancelExpiry = clock.after(this.#sureUntil - clock.monotonic(), () => this.#dropAll());
  }

  /** Takes no more shards. */
  drain(): void {
    this.#draining = true;
  }

  close(): void {
    this.#draining = true;
    this.#closed = true;
    this.#cancelExpiry();
    this.#stopListening();
  }

  #dropAll(): void {
    this.#coming.clear();
    for (const shard of this.#tenancy.held()) this.#tenancy.drop(shard, "lease ran out");
  }

  #takeSoon(): void {
    // Without certain leases the next round must renew first.
    if (this.#draining || !this.sure) return;
    if (this.#taking) this.#takeAgain = true;
    else this.#take().catch((error) => this.#tenancy.failed(error));
  }

  /** One at a time: two would take the same shard and raise its fence against each other. */
  async #take(): Promise<void> {
    if (this.#taking) {
      this.#takeAgain = true;
      await this.#taking;
      return;
    }
    this.#taking = (async () => {
      do {
        this.#takeAgain = false;
        await this.#takeMissing();
      } while (this.#takeAgain);
    })();
    try {
      await this.#taking;
    } finally {
      this.#taking = undefined;
    }
  }

  async #takeMissing(): Promise<void> {
    const { leases, owner, held, own, clock } = this.#tenancy;
    if (this.#draining) return;
    const holding = new Set(held());
    const missing = [...this.#desired].filter((shard) => !holding.has(shard));
    if (missing.length === 0) return;
    const asked = clock.monotonic();
    const taken = await leases.take(missing, owner);
    if (taken.length === 0) return;
    for (const shard of taken) this.#coming.add(shard);
    try {
      // A renewal in between did not include these leases, so their time is measured from it.
      if (this.#renewed > asked) await this.#keepComing(taken);
      await own(taken, (shard) => this.#coming.has(shard));
    } finally {
      for (const shard of taken) this.#coming.delete(shard);
      this.#giveUpUnwanted();
    }
  }

  async #keepComing(shards: readonly number[]): Promise<void> {
    const kept = new Set(await this.#tenancy.leases.renew(shards, this.#tenancy.owner));
    for (const shard of shards) if (!kept.has(shard)) this.#coming.delete(shard);
  }

  #giveUpUnwanted(): void {
    for (const shard of this.#tenancy.held()) if (!this.#desired.has(shard)) void this.#giveUp(shard);
  }

  async #giveUp(shard: number): Promise<void> {
    if (this.#retiring.has(shard)) return;
    this.#retiring.add(shard);
    const { leases, owner, retire, failed } = this.#tenancy;
    try {
      await retire(shard);
      await leases.release([shard], owner);
    } catch (error) {
      failed(error);
    } finally {
      this.#retiring.delete(shard);
      // The shard may be wanted again meanwhile.
      if (this.#desired.has(shard)) this.#takeSoon();
    }
  }
}
