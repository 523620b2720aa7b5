/**
 * The queue of requests to a host with a crawl-delay (minimum time between the starts of two requests). The
 * host's manager gives a turn, the permission for one request, to one worker at a time. The worker returns the
 * turn and the time at which its request started.
 */
import { hostLimits } from "../../../machines/host/host-concurrency-limits.ts";
import { HostReport } from "./host-request-report.ts";
import {
  Alarm,
  pauseFor,
  type QueueContext,
  type Turn,
  TurnQueue,
  untilPauseEnds,
} from "./shared-code-of-host-request-queues.ts";

export class SerialQueue {
  readonly #context: QueueContext;
  readonly #waiting = new TurnQueue();
  readonly #report = new HostReport();
  readonly #alarm: Alarm;
  /**
   * Milliseconds between the starts of two requests, as the robots.txt of the host demands. The newest value
   * is used.
   */
  #delay = 0;
  /**
   * The permission to send one request. The host's manager (the actor that limits the requests to a host) has
   * given it to this worker. The request may start at the time `from` or later. `used` is true while the
   * request is running.
   */
  #turn: { readonly from: number; used: boolean } | undefined;
  /**
   * The last turn (permission to send one request) that has ended, until its end is reported to the manager
   * of the host. `startedAt` is the start time of the request, or `null` if no request was sent.
   */
  #over: { readonly startedAt: number | null } | undefined;
  #askAt = 0;
  /** The earliest time at which the host's manager is called again after it did not answer. */
  #retryAt = 0;
  #asking = false;

  constructor(context: QueueContext) {
    this.#context = context;
    this.#alarm = new Alarm(context.clock, () => this.#update());
  }

  get idle(): boolean {
    return this.#waiting.length === 0 && !this.#turn && !this.#over && !this.#asking;
  }

  enter(crawlDelay: number, signal: AbortSignal): Promise<Turn> {
    this.#delay = crawlDelay;
    return this.#waiting.wait(signal, () => this.#update());
  }

  #update(): void {
    const { clock, pause } = this.#context;
    const now = clock.now();
    const turn = this.#turn;
    if (turn && !turn.used) {
      const from = Math.max(turn.from, pause.until);
      if (this.#waiting.length === 0) {
        // If no caller waits, the new turn (permission to send one request) is returned unused.
        this.#turn = undefined;
        this.#over = { startedAt: null };
      } else if (from <= now) this.#begin(turn, now);
      else this.#alarm.set(from);
    }
    const wanted = this.#over !== undefined || (this.#waiting.length > 0 && !this.#turn);
    if (!wanted || this.#asking) return;
    const askAt = Math.max(this.#over === undefined ? this.#askAt : 0, this.#retryAt);
    if (askAt <= now) void this.#ask(now);
    else this.#alarm.set(askAt);
  }

  #begin(turn: { used: boolean }, now: number): void {
    turn.used = true;
    let startedAt = now;
    let left = false;
    const { epoch } = this.#report;
    this.#report.countStart(1);
    this.#waiting.begin({
      waitForNext: async (signal) => {
        signal.throwIfAborted();
        const { clock } = this.#context;
        const wait = startedAt + this.#delay - clock.now();
        if (wait > 0) await clock.sleep(wait, signal);
        await untilPauseEnds(this.#context, signal);
        startedAt = clock.now();
      },
      leave: (ending) => {
        if (left) return;
        left = true;
        this.#turn = undefined;
        this.#over = { startedAt };
        const news = this.#report.countResult(ending, epoch, this.#context.clock.now() - startedAt);
        if (news && typeof ending === "object") pauseFor(this.#context, ending.retryAfter);
        this.#update();
      },
    });
  }

  async #ask(now: number): Promise<void> {
    const { member, pause, clock, ask } = this.#context;
    this.#asking = true;
    const over = this.#over;
    const report = this.#report.takeReport(0);
    this.#over = undefined;
    try {
      const lease = await ask({
        member,
        wanted: this.#waiting.length,
        active: 0,
        crawlDelay: this.#delay,
        turnOver: over === undefined ? null : over.startedAt === null ? -1 : now - over.startedAt,
        pausedFor: Math.max(0, pause.until - now),
        report,
      });
      const at = clock.now();
      pause.until = Math.max(pause.until, at + lease.pausedFor);
      this.#report.applyEpoch(lease.epoch, 0);
      this.#askAt = at + lease.again;
      if (lease.share > 0) this.#turn = { from: at + lease.wait, used: false };
    } catch {
      // The host's manager (the actor that limits the requests to a host) has not answered. So the waiting
      // requests stay in the queue, and the report is sent again with the next message.
      this.#report.restore(report);
      this.#over = over;
      this.#retryAt = clock.now() + hostLimits.askAgain;
    }
    this.#asking = false;
    this.#update();
  }
}
