/**
 * Turns at a host that asks for no delay: as many at once as this worker's lease says.
 *
 * The lease is renewed while the host is read, and sooner for what cannot wait: more when all of it is used, and the
 * news of an overload. Neighbours: `politeness.ts` tells the whole story, `turn.ts` has the parts.
 */
import { hostLimits } from "../../machines/host/limits.ts";
import { Conduct } from "./conduct.ts";
import { Alarm, type Ending, type LineContext, pauseFor, pauseOver, type Turn, Waiting } from "./turn.ts";

export class SharedLine {
  readonly #context: LineContext;
  readonly #waiting = new Waiting();
  readonly #conduct = new Conduct();
  readonly #alarm: Alarm;
  #active = 0;
  #share = 0;
  /** The lease is renewed at this moment … */
  #renewAt = 0;
  /** … and more may be asked for from this one on. */
  #moreAt = 0;
  /** When nothing of it is left, unless requests are under way. */
  #lapsesAt = 0;
  #asking = false;
  #urgent = false;

  constructor(context: LineContext) {
    this.#context = context;
    this.#alarm = new Alarm(context.clock, () => this.#look());
  }

  get idle(): boolean {
    return this.#active === 0 && this.#waiting.length === 0 && !this.#asking;
  }

  enter(signal: AbortSignal): Promise<Turn> {
    return this.#waiting.wait(signal, () => this.#look());
  }

  /** Lets begin what may, asks for what is missing, and says when to look again. */
  #look(): void {
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
    this.#conduct.began(this.#active);
    const { epoch } = this.#conduct;
    let left = false;
    this.#waiting.begin({
      again: (signal) => pauseOver(this.#context, signal),
      leave: (ending) => {
        if (left) return;
        left = true;
        this.#active -= 1;
        this.#ended(ending, epoch, this.#context.clock.now() - now);
      },
    });
  }

  #ended(ending: Ending, epoch: number, took: number): void {
    const news = this.#conduct.ended(ending, epoch, took);
    if (news) this.#urgent = true;
    if (news && typeof ending === "object") pauseFor(this.#context, ending.retryAfter);
    this.#look();
  }

  /** When the host's manager is to be asked, `undefined` while there is nothing to ask. */
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
    const report = this.#conduct.take(this.#active);
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
      this.#conduct.told(lease.epoch, this.#active);
      this.#moreAt = at + lease.again;
      this.#renewAt = at + hostLimits.renewEvery;
      this.#lapsesAt = at + hostLimits.leaseFor;
    } catch {
      // Nobody answers for the host now: what is agreed holds, and what was to be told is told at the next asking.
      this.#conduct.restore(report);
      this.#moreAt = clock.now() + hostLimits.askAgain;
      this.#renewAt = this.#moreAt;
    }
    this.#asking = false;
    this.#look();
  }
}
