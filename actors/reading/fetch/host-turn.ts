/** A turn is permission to send a request to a host; this file has its types and the parts both queues share. */
import type { Lease, LeaseRequest } from "../../../machines/host/host-lease.ts";
import { readingLimits } from "../../../machines/reading/limits.ts";
import type { Clock } from "../reading-clock.ts";

/**
 * Result of a request with respect to the host's load: answered; answered, but the time is not the host's own
 * (a browser's visit); no answer; stopped by this process; or 429 or 503 with the milliseconds of its
 * Retry-After.
 */
export type TurnResult =
  | "good"
  | "untimed"
  | "failed"
  | "stopped"
  | { readonly retryAfter: number | undefined };

/** Permission to send a request. The caller holds it while the request is in progress. */
export interface Turn {
  /** Waits until the next request of this turn may start, for example a redirect on the same host. */
  waitForNext(signal: AbortSignal): Promise<void>;
  /** Returns the turn. Later calls have no effect. */
  leave(ending: TurnResult): void;
}

/** What a queue needs of its host. */
export interface QueueContext {
  readonly member: string;
  readonly clock: Clock;
  readonly ask: (request: LeaseRequest) => Promise<Lease>;
  /** No requests are sent before this time. Both queues of a host share it. */
  readonly pause: { until: number };
}

/** Callers waiting for a turn, in order of arrival. */
export class TurnQueue {
  readonly #callers: ((turn: Turn) => void)[] = [];

  get length(): number {
    return this.#callers.length;
  }

  /** Rejects with the signal's reason when aborted. `changed` is called when a caller joins or leaves the queue. */
  wait(signal: AbortSignal, changed: () => void): Promise<Turn> {
    if (signal.aborted) return Promise.reject(signal.reason);
    return new Promise((resolve, reject) => {
      const begin = (turn: Turn): void => {
        signal.removeEventListener("abort", abort);
        resolve(turn);
      };
      const abort = (): void => {
        this.#callers.splice(this.#callers.indexOf(begin), 1);
        reject(signal.reason);
        changed();
      };
      this.#callers.push(begin);
      signal.addEventListener("abort", abort, { once: true });
      changed();
    });
  }

  /** Gives a turn to the first caller in the queue. */
  begin(turn: Turn): void {
    this.#callers.shift()?.(turn);
  }
}

/** A single timer; setting it replaces the previous time. */
export class Alarm {
  readonly #clock: Clock;
  readonly #ring: () => void;
  #set: { readonly at: number; readonly controller: AbortController } | undefined;

  constructor(clock: Clock, ring: () => void) {
    this.#clock = clock;
    this.#ring = ring;
  }

  /** Calls `ring` at this time only; `undefined` cancels the timer. */
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
        // The timer was set to another time.
      },
    );
  }
}

/** Waits until the host's pause is over. */
export async function untilPauseEnds({ pause, clock }: QueueContext, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  for (;;) {
    const left = pause.until - clock.now();
    if (left <= 0) return;
    await clock.sleep(left, signal);
  }
}

/** Pauses an overloaded host in this worker at once, before the host's manager informs the other workers. */
export function pauseFor({ pause, clock }: QueueContext, retryAfter: number | undefined): void {
  const asked = Math.min(retryAfter ?? readingLimits.overloadPause, readingLimits.retryAfter);
  pause.until = Math.max(pause.until, clock.now() + asked);
}
