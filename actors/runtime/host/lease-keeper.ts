/**
 * An owner's hold on its shards: which it wants, which leases it has, until when they are sure.
 *
 * A lease is asked for where a shard is wanted, renewed while it is held, and given back gently when the shard is
 * wanted elsewhere. The owner trusts a lease for 2/3 of its life only, on a monotonic clock, so that it has stopped
 * before another can begin. Neighbours: `shard-host.ts` hosts what is held here, `lease.ts` is the table.
 */
import { leaseLimits } from "../../../machines/runtime/limits.ts";
import type { Clock } from "../clock.ts";
import type { LeaseTable } from "../drivers/lease.ts";

export interface Tenancy {
  readonly owner: string;
  readonly leases: LeaseTable;
  readonly leaseTtl: number;
  readonly clock: Clock;
  /** The shards that are hosted now. */
  held(): readonly number[];
  /** Begins to host shards whose leases were just taken: those that are `still` ours when that has come so far. */
  own(shards: readonly number[], still: (shard: number) => boolean): Promise<void>;
  /** Finishes what is under way in a shard, and hosts it no more: resolves when it can be somebody else's. */
  retire(shard: number): Promise<void>;
  /** Stops hosting at once. */
  drop(shard: number, why: string): void;
  failed(error: unknown): void;
}

export class Tenure {
  readonly #tenancy: Tenancy;
  #desired: ReadonlySet<number> = new Set();
  readonly #retiring = new Set<number>();
  /** Shards whose leases were taken and that are not hosted yet. */
  readonly #coming = new Set<number>();
  /** Monotonic moment at which the leases were last asked to be renewed. */
  #renewed = 0;
  /** Monotonic moment until which the leases are sure. */
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

  /** Milliseconds for which the leases that are held are sure to be ours; 0 when they are not. */
  get sureFor(): number {
    return Math.max(0, this.#sureUntil - this.#tenancy.clock.monotonic());
  }

  /** Are the leases that are held sure to be ours at this moment? */
  get sure(): boolean {
    return this.#tenancy.clock.monotonic() < this.#sureUntil;
  }

  /** Is this shard to be held, or given up? */
  wants(shard: number): boolean {
    return this.#desired.has(shard);
  }

  /** The shards to hold from now on. Others that are held are given up gently; those wanted are taken when free. */
  desire(shards: readonly number[]): void {
    this.#desired = new Set(shards);
    this.#giveUpUnwanted();
    this.#takeSoon();
  }

  /** As `desire`, and resolves when those that are free were taken. */
  async begin(shards: readonly number[]): Promise<void> {
    this.#desired = new Set(shards);
    await this.#renew();
    await this.#take();
  }

  /**
   * Renews what is held, drops what was lost, has taken what is wanted and free. While draining it only renews. Nobody
   * waits for the taking here: it waits for the store, and what is held must be renewed meanwhile.
   */
  async tend(): Promise<void> {
    await this.#renew();
    this.#takeSoon();
  }

  async #renew(): Promise<void> {
    const { leases, leaseTtl, clock, owner, held, drop } = this.#tenancy;
    // Measured before the request: the lease may have been renewed then, and not a moment later.
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
    // Not left to the next tending, which may wait for a lease table that does not answer.
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
    // Without sure leases the next tending must come first.
    if (this.#draining || !this.sure) return;
    if (this.#taking) this.#takeAgain = true;
    else this.#take().catch((error) => this.#tenancy.failed(error));
  }

  /** One taking at a time: two would both be given a shard, and raise its fence against each other. */
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
      // How long leases are sure was measured from a renewal that came between and was not of these.
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
      // It may be wanted again by now.
      if (this.#desired.has(shard)) this.#takeSoon();
    }
  }
}
