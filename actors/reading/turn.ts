/**
 * Leave to send a request to a host, and the line of those who wait for it.
 *
 * Two kinds of line hand out turns: `shared-line.ts` where several requests may be under way, `single-line.ts`
 * where a host asks for a delay between them. Neighbour: `politeness.ts` finds the line of a host.
 */
import type { Lease, LeaseRequest } from "../../machines/host/host-lease.ts";
import { readingLimits } from "../../machines/reading/limits.ts";
import type { Clock } from "./clock.ts";

/**
 * What became of a request, as far as the host's load goes: answered, answered in a time that is not the host's own
 * (a browser's visit), without answer, stopped by us, or answered by 429 or 503, with the milliseconds of its
 * Retry-After.
 */
export type Ending = "good" | "untimed" | "failed" | "stopped" | { readonly retryAfter: number | undefined };

/** Leave to send a request; hold it while the request is under way. */
export interface Turn {
  /** Waits until a further request of this turn, such as a redirect's on the same host, may begin. */
  again(signal: AbortSignal): Promise<void>;
  /** Gives the turn back, once; a second call does nothing. */
  leave(ending: Ending): void;
}

/** What a line needs of its host. */
export interface LineContext {
  readonly member: string;
  readonly clock: Clock;
  readonly ask: (request: LeaseRequest) => Promise<Lease>;
  /** Until when the host is left alone; both lines of a host share it. */
  readonly pause: { until: number };
}

/** Those who wait, in order of arrival. */
export class Waiting {
  readonly #line: ((turn: Turn) => void)[] = [];

  get length(): number {
    return this.#line.length;
  }

  /** Rejects with the signal's reason when aborted; `changed` is called when somebody came or went. */
  wait(signal: AbortSignal, changed: () => void): Promise<Turn> {
    if (signal.aborted) return Promise.reject(signal.reason);
    return new Promise((resolve, reject) => {
      const begin = (turn: Turn): void => {
        signal.removeEventListener("abort", abort);
        resolve(turn);
      };
      const abort = (): void => {
        this.#line.splice(this.#line.indexOf(begin), 1);
        reject(signal.reason);
        changed();
      };
      this.#line.push(begin);
      signal.addEventListener("abort", abort, { once: true });
      changed();
    });
  }

  /** Gives the first one its turn. */
  begin(turn: Turn): void {
    this.#line.shift()?.(turn);
  }
}

/** One moment to look again; the earliest that was asked for wins. */
export class Alarm {
  readonly #clock: Clock;
  readonly #ring: () => void;
  #set: { readonly at: number; readonly controller: AbortController } | undefined;

  constructor(clock: Clock, ring: () => void) {
    this.#clock = clock;
    this.#ring = ring;
  }

  /** Rings at this moment and at no other; `undefined`: not at all. */
  set(at: number | undefined): void {
    if (this.#set?.at === at) return;
    this.#set?.controller.abort();
    this.#set = undefined;
    if (at === undefined) return;
    const controller = new AbortController();
    const set = { at, controller };
    this.#set = set;
    this.#clock.sleep(Math.max(0, at - this.#clock.now()), controller.signal).then(
      () => {
        if (this.#set !== set) return;
        this.#set = undefined;
        this.#ring();
      },
      () => {
        // Set to another moment.
      },
    );
  }
}

/** Waits until a host is not paused any more. */
export async function pauseOver({ pause, clock }: LineContext, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  for (;;) {
    const left = pause.until - clock.now();
    if (left <= 0) return;
    await clock.sleep(left, signal);
  }
}

/** A host that says it has too much is left alone here at once, before the others are told. */
export function pauseFor({ pause, clock }: LineContext, retryAfter: number | undefined): void {
  const asked = Math.min(retryAfter ?? readingLimits.overloadPause, readingLimits.retryAfter);
  pause.until = Math.max(pause.until, clock.now() + asked);
}
