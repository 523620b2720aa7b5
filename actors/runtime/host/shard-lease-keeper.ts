/**
 * Keeps the leases of the shards that an owner wants, and records until when each lease is certainly valid.
 *
 * The owner writes only during the first 2/3 of a lease's time. If its thread was busy for longer, the lease
 * table decides whether the owner still has its shards.
 */
import { leaseLimits } from "../../../machines/runtime/shared-runtime-limits.ts";
import type { LeaseTable } from "../drivers/shard-leases.ts";
import type { Clock } from "../runtime-clock.ts";

/** When a timer fires late by more than this share of the lease's lifetime, this thread counts as busy. */
const LATE = 1 / 100;

export interface LeaseKeeperOptions {
  readonly owner: string;
  readonly leases: LeaseTable;
  readonly leaseTtl: number;
  readonly clock: Clock;
  /**
   * True if the lease table is in this process, so that renewals are awaited without a time limit. While such
   * a table does not answer, no other owner can get a lease either.
   */
  readonly localTable?: boolean | undefined;
  /** Returns the shards that are hosted now. */
  held(): readonly number[];
  /**
   * Starts to host shards whose leases this owner has just taken. `still` returns whether the owner still
   * holds the lease of a shard.
   */
  hostShards(shards: readonly number[], still: (shard: number) => boolean): Promise<void>;
  /**
   * Finishes the running work of a shard. Resolves when the work is finished, so that the lease can be
   * released to another owner.
   */
  retire(shard: number): Promise<void>;
  /** Stops hosting a shard at once, without finishing its work. */
  drop(shard: number, why: string): void;
  failed(error: unknown): void;
}

export class LeaseKeeper {
  readonly #options: LeaseKeeperOptions;
  #desired: ReadonlySet<number> = new Set();
  readonly #retiring = new Set<number>();
  /** Shards whose leases this owner has taken, but which it does not host yet. */
  readonly #beingTaken = new Set<number>();
  /** Monotonic time of the last request to renew the leases. */
  #renewed = 0;
  /** Monotonic time until which the leases are certainly valid. */
  #certainUntil = 0;
  #cancelExpiry = () => {};
  /** The renewal of the leases that is running; `undefined` while none runs. */
  #renewal: { overdue: boolean } | undefined;
  /** Whether the last renewal failed, because the lease table cannot be reached. */
  #isUnreachable = false;
  #undecided: (() => void)[] = [];
  readonly #stopListening: () => void;
  #taking: Promise<void> | undefined;
  #takeAgain = false;
  #draining = false;
  #closed = false;

  constructor(options: LeaseKeeperOptions) {
    this.#options = options;
    this.#stopListening = options.leases.onFreed((shards) => {
      const held = new Set(options.held());
      if (shards.some((shard) => this.#desired.has(shard) && !held.has(shard))) this.#takeSoon();
    });
  }

  /** Milliseconds for which the held leases are certainly valid; 0 when they may have expired. */
  get certainFor(): number {
    return Math.max(0, this.#certainUntil - this.#options.clock.monotonic());
  }

  /** Whether the held leases are certainly valid now. */
  get isCertain(): boolean {
    return this.#options.clock.monotonic() < this.#certainUntil;
  }

  /**
   * Resolves when it is decided whether this owner still has its leases: they are valid again, or their
   * shards are dropped. Call it only while `isCertain` is false.
   */
  whenDecided(): Promise<void> {
    return new Promise((resolve) => {
      this.#undecided.push(resolve);
    });
  }

  /** Whether this owner should host the shard. */
  wants(shard: number): boolean {
    return this.#desired.has(shard);
  }

  /**
   * Sets the shards that this owner must hold. Other shards are given up when their work has ended. Missing
   * shards are taken when no other owner holds them.
   */
  desire(shards: readonly number[]): void {
    this.#desired = new Set(shards);
    this.#giveUpUnwanted();
    this.#takeSoon();
  }

  /**
   * Sets the shards that this owner should hold, and takes those of them that are free. Resolves when they
   * are taken.
   */
  async begin(shards: readonly number[]): Promise<void> {
    this.#desired = new Set(shards);
    await this.#renew();
    await this.#take();
  }

  /**
   * Renews the held leases, drops shards with lost leases, and takes the leases of wanted shards. Leases are
   * taken in the background, because taking them waits for the store. During a drain, no leases are taken.
   */
  async tend(): Promise<void> {
    await this.#renew();
    this.#takeSoon();
  }

  async #renew(): Promise<void> {
    const { leases, leaseTtl, clock, owner, held, drop } = this.#options;
    // The lifetime of the leases is counted from the time before the request. The lease table counts it from
    // a later time, so this owner stops relying on a lease before it expires in the table.
    const asked = clock.monotonic();
    this.#renewed = asked;
    const all = new Set([...held(), ...this.#beingTaken]);
    const renewal = { overdue: false };
    this.#renewal = renewal;
    const cancelOverdue = this.#watch(renewal);
    let kept: ReadonlySet<number>;
    try {
      kept = new Set(await leases.renew([...all], owner));
      this.#isUnreachable = false;
    } catch (error) {
      this.#isUnreachable = true;
      if (!this.isCertain) this.#dropAll();
      throw error;
    } finally {
      cancelOverdue();
      if (this.#renewal === renewal) this.#renewal = undefined;
    }
    if (this.#closed) return;
    for (const shard of all) {
      if (kept.has(shard)) continue;
      this.#beingTaken.delete(shard);
      drop(shard, "lease lost");
    }
    this.#certainUntil = asked + leaseTtl * leaseLimits.giveUpAt;
    this.#cancelExpiry();
    this.#cancelExpiry = clock.after(this.#certainUntil - clock.monotonic(), () => this.#expired());
    if (this.isCertain) this.#decided();
  }

  /** Marks a renewal as overdue when it is not answered in time. Returns a function that ends the watch. */
  #watch(renewal: { overdue: boolean }): () => void {
    const { localTable, clock, leaseTtl } = this.#options;
    if (localTable) return () => {};
    const within = leaseTtl * (leaseLimits.giveUpAt - leaseLimits.renewEvery);
    const due = clock.monotonic() + within;
    let isExtended = false;
    const check = (): void => {
      // A late timer shows that this thread was busy, so the answer may be waiting in its queue. The wait is
      // extended only once, because the lease table may also be unreachable.
      if (!isExtended && clock.monotonic() - due > leaseTtl * LATE) {
        isExtended = true;
        cancel = clock.after(within, check);
        return;
      }
      renewal.overdue = true;
      if (!this.isCertain) this.#dropAll();
    };
    let cancel = clock.after(within, check);
    return () => cancel();
  }

  /**
   * Called when the leases may have expired. If the lease table cannot be reached, all shards are given up,
   * because other owners may take them. Otherwise this thread was only busy, and the leases are renewed.
   */
  #expired(): void {
    if (this.#closed || this.isCertain) return;
    if (this.#renewal?.overdue || this.#isUnreachable) this.#dropAll();
    else if (!this.#renewal) this.#renew().catch((error) => this.#options.failed(error));
  }

  /** Stops acquiring further shards, because this owner will stop. */
  drain(): void {
    this.#draining = true;
  }

  close(): void {
    this.#draining = true;
    this.#closed = true;
    this.#cancelExpiry();
    this.#stopListening();
    this.#decided();
  }

  #dropAll(): void {
    this.#beingTaken.clear();
    for (const shard of this.#options.held()) this.#options.drop(shard, "lease expired");
    this.#decided();
  }

  #decided(): void {
    for (const decided of this.#undecided.splice(0)) decided();
  }

  #takeSoon(): void {
    // While it is uncertain whether the owner still holds its leases, no shard is taken. A renewal must
    // succeed first.
    if (this.#draining || !this.isCertain) return;
    if (this.#taking) this.#takeAgain = true;
    else this.#take().catch((error) => this.#options.failed(error));
  }

  /**
   * Takes the wanted shards. Only one run of this function is active at a time. Two runs could take the same
   * shard and would both raise its fence (owner number), so that one of them loses the shard again.
   */
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
    const { leases, owner, held, hostShards: own, clock } = this.#options;
    if (this.#draining) return;
    const holding = new Set(held());
    const missing = [...this.#desired].filter((shard) => !holding.has(shard));
    if (missing.length === 0) return;
    const asked = clock.monotonic();
    const taken = await leases.take(missing, owner);
    if (taken.length === 0) return;
    for (const shard of taken) this.#beingTaken.add(shard);
    try {
      // During `take`, a renewal has extended `#certainUntil`, the time until which all held leases are
      // valid. The new leases may end earlier, because they were not part of this renewal. So they are
      // renewed before they are used.
      if (this.#renewed > asked) await this.#renewTaken(taken);
      await own(taken, (shard) => this.#beingTaken.has(shard));
    } finally {
      for (const shard of taken) this.#beingTaken.delete(shard);
      this.#giveUpUnwanted();
    }
  }

  async #renewTaken(shards: readonly number[]): Promise<void> {
    const kept = new Set(await this.#options.leases.renew(shards, this.#options.owner));
    for (const shard of shards) if (!kept.has(shard)) this.#beingTaken.delete(shard);
  }

  #giveUpUnwanted(): void {
    for (const shard of this.#options.held()) if (!this.#desired.has(shard)) void this.#giveUp(shard);
  }

  async #giveUp(shard: number): Promise<void> {
    if (this.#retiring.has(shard)) return;
    this.#retiring.add(shard);
    const { leases, owner, retire, failed } = this.#options;
    try {
      await retire(shard);
      await leases.release([shard], owner);
    } catch (error) {
      failed(error);
    } finally {
      this.#retiring.delete(shard);
      // This owner may have to host the shard again, because the assignment has changed during the release.
      if (this.#desired.has(shard)) this.#takeSoon();
    }
  }
}
