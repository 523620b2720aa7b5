/**
 * How one host is treated by everybody together: how many requests at once, how far apart, and when none at all.
 *
 * - **At once**: a limit that follows what the host bears, by additive increase and multiplicative decrease (Chiu and
 *   Jain 1989; slow start as in RFC 5681; the rule that only a limit which is used may grow is that of Netflix's
 *   concurrency-limits, `AIMDLimit`). It starts small, doubles with each round of good answers until the first
 *   trouble, grows by one a round from then on, and is halved by 429, 503, lost requests and answers that have become
 *   several times slower. Members share it evenly.
 * - **Apart**: a host with a crawl-delay is read by one request at a time. The turn goes round among the members, and
 *   the next one begins no sooner than the delay after the last began.
 * - **None**: a host that answers 429 or 503 is paused for all, by its Retry-After or by a pause that grows.
 *
 * What is known lasts as long as it is used and is not stored: members bring the pause they know of, so a manager
 * that takes over from one that is gone goes on where it was. Pure: `now` comes from outside.
 */

import { readingLimits } from "../reading/limits.ts";
import type { Lease, LeaseReport, LeaseRequest } from "./lease.ts";
import { hostLimits } from "./limits.ts";

const bounds = hostLimits,
  reading = readingLimits;

interface Member {
  wanted: number;
  share: number;
  /** Requests under way when it last asked: more than its share for a while after that has become smaller. */
  active: number;
  /** Forgotten after this moment, unless it asks again. */
  until: number;
  /** Since when it has had a share, or has had none. */
  since: number;
}

interface Turn {
  readonly member: string;
  /** When it counts as lost. */
  readonly until: number;
}

export class HostManners {
  readonly #most: number;
  /** Requests at once, with the fraction that growth by parts of one needs. */
  #limit: number;
  /** Below it the limit doubles by the round. */
  #threshold: number;
  #epoch = 0;
  /** What an answer takes when the host is at ease, in milliseconds; 0: not known. */
  #ease = 0;
  #pausedUntil = 0;
  /** Overload answers in a row, those of one epoch counted once. */
  #overloads = 0;
  #nextStart = 0;
  #turn: Turn | undefined;
  /** Who waits for the turn, until when they are believed to. */
  readonly #queue = new Map<string, number>();
  readonly #members = new Map<string, Member>();

  /** @param most requests at once, at the most */
  constructor(most: number = reading.perHost) {
    this.#most = most;
    this.#limit = Math.min(bounds.begin, most);
    this.#threshold = most;
  }

  /** Whether anything is known that would be lost with it. */
  isIdle(now: number): boolean {
    this.#forget(now);
    return this.#members.size === 0 && !this.#turn && this.#pausedUntil <= now && this.#nextStart <= now;
  }

  /** Takes a report and answers a lease. */
  ask(request: LeaseRequest, now: number): Lease {
    this.#forget(now);
    const known = this.#members.get(request.member);
    if (!known) this.#adopt(request);
    this.#pausedUntil = Math.max(this.#pausedUntil, now + Math.min(request.pausedFor, reading.retryAfter));
    this.#learn(request.report, now);
    return request.crawlDelay > 0 ? this.#turnOf(request, now) : this.#shareOf(request, known, now);
  }

  /** A member of a manager before this one: what it was given goes on. */
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
    // What was begun before the last decrease says nothing of how the host is now.
    if (epoch !== this.#epoch) return;
    if (overloads > 0) {
      this.#overloads += 1;
      if (retryAfter === null) {
        const pause = Math.min(reading.longestPause, reading.firstPause * 2 ** (this.#overloads - 1));
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

  /** Whether answers take several times as long as the host needs at ease, and long enough for anybody to mind. */
  #isSlower(latency: number, samples: number): boolean {
    const { slow, slowFactor, slowSamples, easeFollows } = bounds;
    const before = this.#ease;
    // Down at once, up slowly: a host that stays slow is not overloaded, it is slow.
    this.#ease = before === 0 || latency < before ? latency : before + (latency - before) * easeFollows;
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
    // Alone, all of it: who comes later finds room at the next asking.
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
   * One each in turn until there are no more: those first who have none, the longest waiting before others, and last
   * whoever has had its share for longest.
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
      this.#turn = { member, until: now + wait + bounds.turnFor };
      return { ...lease, share: 1, starts: 1, wait, again: wait + bounds.turnFor };
    }
    const again = Math.min(Math.max(wait, bounds.growEvery), bounds.renewEvery);
    this.#queue.set(member, now + again + bounds.leaseFor);
    return { ...lease, share: 0, starts: 0, wait, again };
  }
}
