/**
 * Turns at a host with a crawl-delay: one request at a time among all workers, each a delay after the one before.
 *
 * The host's manager gives the turn to one worker for one request; the worker gives it back when that is over, with
 * the moment it began. Neighbours: `politeness.ts` tells the whole story, `turn.ts` has the parts.
 */
import { hostLimits } from "../../machines/host/limits.ts";
import { Conduct } from "./conduct.ts";
import { Alarm, type LineContext, pauseFor, pauseOver, type Turn, Waiting } from "./turn.ts";

export class SingleLine {
  readonly #context: LineContext;
  readonly #waiting = new Waiting();
  readonly #conduct = new Conduct();
  readonly #alarm: Alarm;
  /** Milliseconds between the starts of two requests, as robots.txt has it now. */
  #delay = 0;
  /** The turn is this worker's, to be used from a moment on; `used` when a request has it. */
  #turn: { readonly from: number; used: boolean } | undefined;
  /** A turn that is over and not given back yet: when its request began, `null` when there was none. */
  #over: { readonly startedAt: number | null } | undefined;
  #askAt = 0;
  /** Nobody answered: not before this moment. */
  #retryAt = 0;
  #asking = false;

  constructor(context: LineContext) {
    this.#context = context;
    this.#alarm = new Alarm(context.clock, () => this.#look());
  }

  get idle(): boolean {
    return this.#waiting.length === 0 && !this.#turn && !this.#over && !this.#asking;
  }

  enter(crawlDelay: number, signal: AbortSignal): Promise<Turn> {
    this.#delay = crawlDelay;
    return this.#waiting.wait(signal, () => this.#look());
  }

  #look(): void {
    const { clock, pause } = this.#context;
    const now = clock.now();
    const turn = this.#turn;
    if (turn && !turn.used) {
      const from = Math.max(turn.from, pause.until);
      if (this.#waiting.length === 0) {
        // Whoever it was for is gone.
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
    const { epoch } = this.#conduct;
    this.#conduct.began(1);
    this.#waiting.begin({
      again: async (signal) => {
        signal.throwIfAborted();
        const { clock } = this.#context;
        const wait = startedAt + this.#delay - clock.now();
        if (wait > 0) await clock.sleep(wait, signal);
        await pauseOver(this.#context, signal);
        startedAt = clock.now();
      },
      leave: (ending) => {
        if (left) return;
        left = true;
        this.#turn = undefined;
        this.#over = { startedAt };
        const news = this.#conduct.ended(ending, epoch, this.#context.clock.now() - startedAt);
        if (news && typeof ending === "object") pauseFor(this.#context, ending.retryAfter);
        this.#look();
      },
    });
  }

  async #ask(now: number): Promise<void> {
    const { member, pause, clock, ask } = this.#context;
    this.#asking = true;
    const over = this.#over;
    const report = this.#conduct.take(0);
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
      this.#conduct.told(lease.epoch, 0);
      this.#askAt = at + lease.again;
      if (lease.share > 0) this.#turn = { from: at + lease.wait, used: false };
    } catch {
      // Nobody answers for the host now, and without a turn nothing begins.
      this.#conduct.restore(report);
      this.#over = over;
      this.#retryAt = clock.now() + hostLimits.askAgain;
    }
    this.#asking = false;
    this.#look();
  }
}
