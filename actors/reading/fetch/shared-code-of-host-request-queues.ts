/**
 * The common code of the two queues of requests to a host: the queue with a crawl-delay, and the queue
 * without a crawl-delay. Both queues give turns. A turn is the permission to send a request to the host.
 */
import type { Lease, LeaseRequest } from "../../../machines/host/host-lease-messages.ts";
import { readingLimits } from "../../../machines/reading/page-reading-limits.ts";
import type { Clock } from "../clock-of-page-reader.ts";

/**
 * The result of a request, from which the actor `host/<host>` computes the load of the host.
 *
 * - `good`: the host has answered, and the time measures its load.
 *
 * - `untimed`: the host has answered, but the time does not measure its load, as in a visit by a browser.
 *
 * - `failed`: the host has not answered.
 *
 * - `stopped`: this process has stopped the request.
 *
 * - `retryAfter`: the host has sent status 429 or 503. The value is its `Retry-After` header in milliseconds.
 */
export type TurnResult =
  | "good"
  | "untimed"
  | "failed"
  | "stopped"
  | { readonly retryAfter: number | undefined };

/** The permission to send a request. The caller holds it while the request is running. */
export interface Turn {
  /**
   * Waits until the holder of this turn (permission to send a request) may send a further request to the same
   * host, for example to follow a redirect.
   */
  waitForNext(signal: AbortSignal): Promise<void>;
  /**
   * Gives the turn (permission to send a request) back, so that another request may start. Only the first
   * call has an effect.
   */
  leave(ending: TurnResult): void;
}

/** What a queue needs to request turns (permissions to send a request) from the manager of its host. */
export interface QueueContext {
  readonly member: string;
  readonly clock: Clock;
  readonly ask: (request: LeaseRequest) => Promise<Lease>;
  /**
   * The pause of requests to an overloaded host: no request is sent before the time `until`. Both queues of
   * the host share this object.
   */
  readonly pause: { until: number };
}

/** Callers that wait for a turn (permission to send a request), in order of arrival. */
export class TurnQueue {
  readonly #callers: ((turn: Turn) => void)[] = [];

  get length(): number {
    return this.#callers.length;
  }

  /**
   * Waits for a turn (permission to send a request). Rejects with the signal's reason when the signal aborts.
   *
   * @param changed called when a caller has joined or left the queue
   */
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

  /** Gives the permission to send a request to the first waiting caller. */
  begin(turn: Turn): void {
    this.#callers.shift()?.(turn);
  }
}

/** A timer that calls the function `ring` at a set time. Until then, the time can be changed. */
export class Alarm {
  readonly #clock: Clock;
  readonly #ring: () => void;
  #set: { readonly at: number; readonly controller: AbortController } | undefined;

  constructor(clock: Clock, ring: () => void) {
    this.#clock = clock;
    this.#ring = ring;
  }

  /**
   * Calls `ring` at the time `at`. Any time that was set before is cancelled. With `undefined`, no time is
   * set.
   */
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
        // The sleep was aborted, because the alarm was cancelled or set to another time. Nothing is left to
        // do.
      },
    );
  }
}

/** Waits until the pause in requests to this host ends. */
export async function untilPauseEnds({ pause, clock }: QueueContext, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  for (;;) {
    const left = pause.until - clock.now();
    if (left <= 0) return;
    await clock.sleep(left, signal);
  }
}

/**
 * Pauses this worker's requests to an overloaded host at once. Other workers pause when they are informed by
 * the actor that limits the requests to the host.
 */
export function pauseFor({ pause, clock }: QueueContext, retryAfter: number | undefined): void {
  const asked = Math.min(retryAfter ?? readingLimits.overloadPause, readingLimits.retryAfter);
  pause.until = Math.max(pause.until, clock.now() + asked);
}
