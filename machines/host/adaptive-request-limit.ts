/**
 * The adaptive limit of one host: how many requests may run at once, how much time is between them, and when
 * the host is paused. The workers that read from the host are its members. The state is not stored; after a
 * move to another process, the members report the current pause.
 */

import { readingLimits } from "../reading/page-reading-limits.ts";
import { hostLimits } from "./host-concurrency-limits.ts";
import type { Lease, LeaseReport, LeaseRequest } from "./host-lease-messages.ts";

const bounds = hostLimits,
  reading = readingLimits;

interface Member {
  wanted: number;
  share: number;
  /**
   * Number of running requests that the member (a worker) had in its last report. When the share was just reduced,
   * more requests may still be running than the new share allows.
   */
  active: number;
  /** Time at which the member (a worker) is forgotten, if it has not asked for a lease again by then. */
  until: number;
  /**
   * Time at which the worker got its share of the host's limit. While the worker waits for a share: the time at
   * which it began to wait.
   */
  since: number;
}

interface Turn {
  readonly member: string;
  /**
   * Time at which the member's turn (permission to send one request) counts as lost, if the member has not
   * reported the end of the turn by then.
   */
  readonly until: number;
}

/**
 * Limits the requests of all workers that read from one host (its members). The limit has three parts:
 *
 * - **Concurrency** grows additively and shrinks multiplicatively (Chiu and Jain 1989; slow start as in RFC
 * 5681). It doubles with each round of successful answers until the first problem, and then grows by one per
 * round. It is halved by 429, 503, lost requests and much slower answers. The limit grows only while it is
 * fully used. Members share it evenly.
 *
 * - **Distance**: a host with a crawl-delay gets one request at a time. The turn passes between members. The
 * time between the starts of two requests is at least the crawl-delay.
 *
 * - **Pause**: 429 and 503 pause the host for all members. The pause lasts as long as the answer's
 * Retry-After demands; without Retry-After, each pause is longer than the last.
 */
export class AdaptiveLimit {
  readonly #most: number;
  /**
   * Maximum number of concurrent requests to the host. It may be a fraction, because additive growth raises
   * it by less than one per answer.
   */
  #limit: number;
  /**
   * Up to this number of concurrent requests, the limit doubles with each round of answers. Above it, the
   * limit grows by one per round.
   */
  #threshold: number;
  #epoch = 0;
  /** Usual answer time of the host in milliseconds; 0 while it is unknown. */
  #normalTime = 0;
  #pausedUntil = 0;
  /**
   * Number of consecutive epochs with answers that report overload. A new epoch starts whenever the limit of
   * concurrent requests is decreased.
   */
  #overloads = 0;
  #nextStart = 0;
  #turn: Turn | undefined;
  /**
   * The members (workers) that wait for their turn to send a request. The value is the time until which the member
   * keeps its place in the queue.
   */
  readonly #queue = new Map<string, number>();
  readonly #members = new Map<string, Member>();

  /** @param most the maximum number of concurrent requests to the host */
  constructor(most: number = reading.perHost) {
    this.#most = most;
    this.#limit = Math.min(bounds.initial, most);
    this.#threshold = most;
  }

  /**
   * Whether the actor of the host has no state that matters. It can then be deleted, because a new actor
   * would decide in the same way.
   */
  isIdle(now: number): boolean {
    this.#forget(now);
    return this.#members.size === 0 && !this.#turn && this.#pausedUntil <= now && this.#nextStart <= now;
  }

  /**
   * Answers a worker that reports its finished requests to the host and asks for a new share of the limit.
   * Returns the worker's new lease.
   */
  ask(request: LeaseRequest, now: number): Lease {
    this.#forget(now);
    const known = this.#members.get(request.member);
    if (!known) this.#adopt(request);
    this.#pausedUntil = Math.max(this.#pausedUntil, now + Math.min(request.pausedFor, reading.retryAfter));
    this.#learn(request.report, now);
    return request.crawlDelay > 0 ? this.#turnOf(request, now) : this.#shareOf(request, known, now);
  }

  /**
   * Registers a worker whose lease (share of the limit) was granted by an earlier owner of this host's actor. The
   * limit becomes at least the number of requests that the worker has running.
   */
  #adopt({ active, report }: LeaseRequest): void {
    this.#epoch = Math.max(this.#epoch, report.epoch);
    this.#limit = Math.min(this.#most, Math.max(this.#limit, active));
  }

  #forget(now: number): void {
    for (const [name, { until }] of this.#members) if (until <= now) this.#members.delete(name);
    for (const [name, until] of this.#queue) if (until <= now) this.#queue.delete(name);
    if (this.#turn && this.#turn.until <= now) this.#turn = undefined;
  }

  #learn(report: LeaseReport, now: number): void {
    const { epoch, good, timed, latency, busiest, overloads, failures, retryAfter } = report;
    if (retryAfter !== null) {
      this.#pausedUntil = Math.max(this.#pausedUntil, now + Math.min(retryAfter, reading.retryAfter));
    }
    // Requests that started before the last decrease of the limit are ignored, because they do not show how the host
    // responds to the lower limit.
    if (epoch !== this.#epoch) return;
    if (overloads > 0) {
      this.#overloads += 1;
      if (retryAfter === null) {
        const pause = Math.min(reading.maxOverloadPause, reading.overloadPause * 2 ** (this.#overloads - 1));
        this.#pausedUntil = Math.max(this.#pausedUntil, now + pause);
      }
      this.#decrease();
    } else if (failures > 0) {
      this.#decrease();
    } else if (good > 0) {
      this.#overloads = 0;
      if (timed > 0 && this.#isSlower(latency, timed)) this.#decrease();
      else if (busiest * 2 >= this.#limit) this.#increase(good);
    }
  }

  #increase(good: number): void {
    const grown = this.#limit < this.#threshold ? this.#limit + good : this.#limit + good / this.#limit;
    this.#limit = Math.min(this.#most, grown);
  }

  #decrease(): void {
    this.#limit = Math.max(1, this.#limit / 2);
    this.#threshold = this.#limit;
    this.#epoch += 1;
  }

  /**
   * Whether answers are slow: several times slower than usual, and slower than a fixed number of
   * milliseconds.
   */
  #isSlower(latency: number, samples: number): boolean {
    const { slowAfter: slow, slowFactor, slowSamples, normalTimeWeight } = bounds;
    const before = this.#normalTime;
    // The usual answer time follows a faster answer at once, and slower answers slowly. If a host stays slow,
    // its slow answers become the usual ones, and the host no longer counts as overloaded.
    this.#normalTime =
      before === 0 || latency < before ? latency : before + (latency - before) * normalTimeWeight;
    return before > 0 && samples >= slowSamples && latency > slow && latency > before * slowFactor;
  }

  #shareOf(request: LeaseRequest, known: Member | undefined, now: number): Lease {
    const { member, wanted } = request;
    const own: Member = known ?? { wanted, share: 0, active: 0, until: 0, since: now };
    own.wanted = wanted;
    own.active = request.active;
    own.until = now + bounds.leaseFor;
    this.#members.set(member, own);
    const total = Math.max(1, Math.floor(this.#limit));
    let others = 0;
    for (const each of this.#members.values()) if (each !== own) others += Math.max(each.share, each.active);
    // A single member (worker) gets all permitted requests. When a second member arrives, it waits for the
    // next report of the first member, which then gets a smaller share.
    const fair = this.#members.size === 1 ? total : this.#fairShare(own, total);
    const share = Math.min(fair, Math.max(0, total - others));
    if (share > 0 !== own.share > 0) own.since = now;
    own.share = share;
    if (wanted === 0) this.#members.delete(member);
    const pausedFor = Math.max(0, this.#pausedUntil - now);
    const mayGrow = this.#limit < this.#most || own.share < Math.min(wanted, total);
    return {
      share: own.share,
      starts: null,
      wait: pausedFor,
      pausedFor,
      again: mayGrow ? bounds.growEvery : bounds.renewEvery,
      epoch: this.#epoch,
    };
  }

  /**
   * Distributes the permitted concurrent requests evenly among the members (workers). Remaining requests go
   * first to members without a share, and of these to the member that has waited longest. Then they go to the
   * members whose share is newest.
   */
  #fairShare(own: Member, total: number): number {
    const members = [...this.#members.values()].sort((one, other) => {
      const [hungry, sated] = [one.share === 0, other.share === 0];
      if (hungry !== sated) return hungry ? -1 : 1;
      return hungry ? one.since - other.since : other.since - one.since;
    });
    const given = new Map<Member, number>();
    let left = total;
    for (let before = -1; left > 0 && before !== left; ) {
      before = left;
      for (const member of members) {
        const has = given.get(member) ?? 0;
        if (left === 0 || has >= member.wanted) continue;
        given.set(member, has + 1);
        left -= 1;
      }
    }
    return given.get(own) ?? 0;
  }

  #turnOf({ member, wanted, crawlDelay, turnOver }: LeaseRequest, now: number): Lease {
    if (turnOver !== null && this.#turn?.member === member) this.#turn = undefined;
    if (turnOver !== null && turnOver >= 0) {
      this.#nextStart = Math.max(this.#nextStart, now - turnOver + crawlDelay);
    }
    const pausedFor = Math.max(0, this.#pausedUntil - now);
    const wait = Math.max(pausedFor, this.#nextStart - now);
    const lease = { pausedFor, epoch: this.#epoch };
    if (wanted === 0) {
      this.#queue.delete(member);
      return { ...lease, share: 0, starts: 0, wait, again: 0 };
    }
    const [first = member] = this.#queue.keys();
    if (this.#turn ? this.#turn.member === member : first === member) {
      this.#queue.delete(member);
      this.#turn = { member, until: now + wait + bounds.turnLostAfter };
      return { ...lease, share: 1, starts: 1, wait, again: wait + bounds.turnLostAfter };
    }
    const again = Math.min(Math.max(wait, bounds.growEvery), bounds.renewEvery);
    this.#queue.set(member, now + again + bounds.leaseFor);
    return { ...lease, share: 0, starts: 0, wait, again };
  }
}
