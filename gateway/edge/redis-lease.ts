/**
 * The lease in Redis: the node that holds it consumes the queues and publishes the events. It is stored in the same
 * Redis as the queues. If that Redis is unavailable, no node needs the lease.
 */

import type { RedisClient } from "./redis-connection.ts";
import { edgeLimits } from "./redis-queue-limits.ts";

/** The key of the lease, after the prefix of all names in Redis. */
const LEASE = "cairn:edge:leader";
/** Redis scripts that renew or delete the lease of the leader, but only if this process holds the lease. */
const RENEW =
  'if redis.call("GET", KEYS[1]) == ARGV[1] then return redis.call("PEXPIRE", KEYS[1], ARGV[2]) end return 0';
const RETURN = 'if redis.call("GET", KEYS[1]) == ARGV[1] then return redis.call("DEL", KEYS[1]) end return 0';

export interface LeaseEvents {
  taken(): Promise<void>;
  lost(): Promise<void>;
}

export class RedisLease {
  readonly #redis: RedisClient;
  readonly #key: string;
  readonly #owner: string;
  readonly #events: LeaseEvents;
  /** Until this time (a `performance.now()` value), no other process can take the lease of the queues. */
  #until = 0;
  #held = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #closed = false;
  #round: Promise<void> = Promise.resolve();

  constructor(redis: RedisClient, prefix: string, owner: string, events: LeaseEvents) {
    this.#redis = redis;
    this.#key = `${prefix}${LEASE}`;
    this.#owner = owner;
    this.#events = events;
  }

  get held(): boolean {
    return this.#held && performance.now() < this.#until;
  }

  start(): void {
    this.#round = this.#tend().finally(() => {
      if (!this.#closed) this.#timer = setTimeout(() => this.start(), edgeLimits.renewEvery);
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    await this.#round;
    if (!this.#held) return;
    await this.#release();
    // The error is ignored, because the lease expires by itself if Redis is unavailable.
    await this.#redis.eval(RETURN, 1, this.#key, this.#owner).catch(() => {});
  }

  async #tend(): Promise<void> {
    const asked = performance.now();
    const isOwn = await this.#ask().catch(() => undefined);
    if (isOwn === true) {
      this.#until = asked + edgeLimits.lease;
      if (!this.#held && !this.#closed) {
        this.#held = true;
        await this.#events.taken();
      }
    } else if (this.#held && (isOwn === false || performance.now() >= this.#until)) await this.#release();
  }

  async #ask(): Promise<boolean> {
    // The time to wait for Redis is limited. The lease may expire while Redis does not answer. Without the limit,
    // this process would detect the expiry too late.
    const answer = this.#held
      ? this.#redis.eval(RENEW, 1, this.#key, this.#owner, edgeLimits.lease)
      : this.#redis.set(this.#key, this.#owner, "PX", edgeLimits.lease, "NX");
    const late = new Promise<never>((_, reject) =>
      setTimeout(() => reject(new Error("Redis did not answer.")), edgeLimits.renewEvery).unref(),
    );
    const given = await Promise.race([answer, late]);
    return given === "OK" || given === 1;
  }

  async #release(): Promise<void> {
    this.#held = false;
    await this.#events.lost();
  }
}
