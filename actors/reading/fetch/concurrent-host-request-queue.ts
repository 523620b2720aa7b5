/**
 * The queue of requests to a host without a crawl-delay. A lease says how many requests this worker may run
 * at the same time.
 *
 * The lease is renewed periodically, and also at once in two cases: the host is overloaded, or callers wait
 * because all permitted requests are running.
 */
import { hostLimits } from "../../../machines/host/host-concurrency-limits.ts";
import { HostReport } from "./host-request-report.ts";
import {
  Alarm,
  pauseFor,
  type QueueContext,
  type Turn,
  TurnQueue,
  type TurnResult,
  untilPauseEnds,
} from "./shared-code-of-host-request-queues.ts";

export class ConcurrentQueue {
  readonly #context: QueueContext;
  readonly #waiting = new TurnQueue();
  readonly #report = new HostReport();
  readonly #alarm: Alarm;
  #active = 0;
  #share = 0;
  /**
   * The time at which the lease (the permission for concurrent requests to the host) must be renewed, in
   * milliseconds.
   */
  #renewAt = 0;
  /** The earliest time at which this worker may request a larger lease, that is, more concurrent requests. */
  #moreAt = 0;
  /**
   * The time at which the lease ends. If a request is still running then, the lease ends with this request.
   */
  #lapsesAt = 0;
  #asking = false;
  #urgent = false;

  constructor(context: QueueContext) {
    this.#context = context;
    this.#alarm = new Alarm(context.clock, () => this.#update());
  }

  get idle(): boolean {
    return this.#active === 0 && this.#waiting.length === 0 && !this.#asking;
  }

  enter(signal: AbortSignal): Promise<Turn> {
    return this.#waiting.wait(signal, () => this.#update());
  }

  /**
   * Does the work that is due: starts requests that the lease (the permission for concurrent requests)
   * allows, renews the lease, and sets the timer for the next call.
   */
  #update(): void {
    const { clock, pause } = this.#context;
    const now = clock.now();
    if (this.#active === 0 && this.#lapsesAt <= now) this.#share = 0;
    while (this.#waiting.length > 0 && this.#active < this.#share && pause.until <= now) this.#begin(now);
    const askAt = this.#askAt();
    if (askAt !== undefined && askAt <= now) {
      if (!this.#asking) void this.#ask(now);
      this.#alarm.set(undefined);
      return;
    }
    const held = this.#waiting.length > 0 && pause.until > now ? pause.until : undefined;
    this.#alarm.set(askAt === undefined || held === undefined ? (askAt ?? held) : Math.min(askAt, held));
  }

  #begin(now: number): void {
    this.#active += 1;
    this.#report.countStart(this.#active);
    const { epoch } = this.#report;
    let left = false;
    this.#waiting.begin({
      waitForNext: (signal) => untilPauseEnds(this.#context, signal),
      leave: (ending) => {
        if (left) return;
        left = true;
        this.#active -= 1;
        this.#finish(ending, epoch, this.#context.clock.now() - now);
      },
    });
  }

  #finish(ending: TurnResult, epoch: number, took: number): void {
    const news = this.#report.countResult(ending, epoch, took);
    if (news) this.#urgent = true;
    if (news && typeof ending === "object") pauseFor(this.#context, ending.retryAfter);
    this.#update();
  }

  /**
   * Returns the time at which the next lease must be requested from the host's manager (the actor that limits
   * requests to the host). 0 means now. `undefined` means that no request is running or waiting, so no lease
   * is needed.
   */
  #askAt(): number | undefined {
    if (this.#urgent) return 0;
    if (this.#active === 0 && this.#waiting.length === 0) return undefined;
    const wantsMore = this.#waiting.length > 0 && this.#active >= this.#share;
    return wantsMore ? Math.min(this.#moreAt, this.#renewAt) : this.#renewAt;
  }

  async #ask(now: number): Promise<void> {
    const { member, pause, clock, ask } = this.#context;
    this.#asking = true;
    this.#urgent = false;
    const report = this.#report.takeReport(this.#active);
    try {
      const lease = await ask({
        member,
        wanted: this.#waiting.length + this.#active,
        active: this.#active,
        crawlDelay: 0,
        turnOver: null,
        pausedFor: Math.max(0, pause.until - now),
        report,
      });
      const at = clock.now();
      this.#share = lease.share;
      pause.until = Math.max(pause.until, at + lease.pausedFor);
      this.#report.applyEpoch(lease.epoch, this.#active);
      this.#moreAt = at + lease.again;
      this.#renewAt = at + hostLimits.renewEvery;
      this.#lapsesAt = at + hostLimits.leaseFor;
    } catch {
      // The manager of the host (the actor that grants leases) has not answered, so the current lease stays
      // valid. The counts of this report are sent again with the next one.
      this.#report.restore(report);
      this.#moreAt = clock.now() + hostLimits.askAgain;
      this.#renewAt = this.#moreAt;
    }
    this.#asking = false;
    this.#update();
  }
}
