/**
 * Politeness: how many requests a host gets at once, how far apart, and when it is left alone.
 *
 * In memory, for one node; every reader of the node shares one. A host that answers 429 or 503 is paused for
 * everybody, by its `Retry-After` or by a growing pause. Neighbour: `reader.ts`.
 */
import { limits } from "../../machines/limits.ts";

/** Time, so that tests can hold it. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Resolves after the time, rejects with the signal's reason when aborted. */
  sleep(milliseconds: number, signal: AbortSignal): Promise<void>;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (milliseconds, signal) =>
    new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason);
      const abort = (): void => {
        clearTimeout(timer);
        reject(signal.reason);
      };
      const timer = setTimeout(() => {
        signal.removeEventListener("abort", abort);
        resolve();
      }, milliseconds);
      signal.addEventListener("abort", abort, { once: true });
    }),
};

interface Waiter {
  readonly atOnce: number;
  readonly wake: () => void;
}

interface Host {
  active: number;
  /** In order of arrival. */
  readonly waiting: Waiter[];
  /** No request starts before: the crawl-delay after the last one. */
  nextAt: number;
  pausedUntil: number;
  /** Overload answers since the last good one. */
  overloads: number;
}

export interface PolitenessOptions {
  /** Requests under way at one host that asks for no crawl-delay. */
  readonly perHost?: number;
  readonly clock?: Clock;
}

export class Politeness {
  readonly #perHost: number;
  readonly #clock: Clock;
  readonly #hosts = new Map<string, Host>();

  constructor({ perHost = limits.reading.perHost, clock = systemClock }: PolitenessOptions = {}) {
    this.#perHost = perHost;
    this.#clock = clock;
  }

  /**
   * Waits for a turn at a host (`host:port`); call what it answers when the request is over. A host with a
   * crawl-delay gets one request at a time. Rejects with the signal's reason when aborted.
   *
   * @param crawlDelay milliseconds between the starts of two requests
   */
  async enter(name: string, crawlDelay: number, signal: AbortSignal): Promise<() => void> {
    const host = this.#host(name);
    await this.#slot(host, crawlDelay > 0 ? 1 : this.#perHost, signal);
    let left = false;
    const leave = (): void => {
      if (left) return;
      left = true;
      host.active--;
      wakeNext(host);
    };
    try {
      await this.space(name, crawlDelay, signal);
    } catch (aborted) {
      leave();
      throw aborted;
    }
    return leave;
  }

  /** Waits until a further request of a turn that is held already (a redirect's) may start. */
  async space(name: string, crawlDelay: number, signal: AbortSignal): Promise<void> {
    const host = this.#host(name);
    signal.throwIfAborted();
    for (;;) {
      const now = this.#clock.now();
      const at = Math.max(host.pausedUntil, host.nextAt);
      if (at <= now) {
        host.nextAt = now + crawlDelay;
        return;
      }
      await this.#clock.sleep(at - now, signal);
    }
  }

  /** The host asked to be left alone: nothing starts there for a while. */
  overloaded(name: string, retryAfter: number | undefined): void {
    const host = this.#host(name);
    const now = this.#clock.now();
    // Those that were under way together fail together, and count once.
    if (host.pausedUntil <= now) host.overloads++;
    const { firstPause, longestPause, retryAfter: longest } = limits.reading;
    const grown = Math.min(longestPause, firstPause * 2 ** (host.overloads - 1));
    const until = now + (retryAfter === undefined ? grown : Math.min(retryAfter, longest));
    host.pausedUntil = Math.max(host.pausedUntil, until);
  }

  /** The host answered as it should. */
  recovered(name: string): void {
    const host = this.#hosts.get(name);
    if (host && host.pausedUntil <= this.#clock.now()) host.overloads = 0;
  }

  #host(name: string): Host {
    let host = this.#hosts.get(name);
    if (host) {
      // The map is kept in the order of use.
      this.#hosts.delete(name);
    } else {
      host = { active: 0, waiting: [], nextAt: 0, pausedUntil: 0, overloads: 0 };
      this.#forgetIdle();
    }
    this.#hosts.set(name, host);
    return host;
  }

  #forgetIdle(): void {
    if (this.#hosts.size < limits.reading.hosts) return;
    const now = this.#clock.now();
    for (const [name, { active, waiting, nextAt, pausedUntil }] of this.#hosts) {
      if (active === 0 && waiting.length === 0 && nextAt <= now && pausedUntil <= now) {
        this.#hosts.delete(name);
        return;
      }
    }
  }

  #slot(host: Host, atOnce: number, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return Promise.reject(signal.reason);
    if (host.active < atOnce && host.waiting.length === 0) {
      host.active++;
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      const abort = (): void => {
        host.waiting.splice(host.waiting.indexOf(waiter), 1);
        reject(signal.reason);
        // The one behind may want less.
        wakeNext(host);
      };
      const waiter: Waiter = {
        atOnce,
        wake: () => {
          signal.removeEventListener("abort", abort);
          resolve();
        },
      };
      host.waiting.push(waiter);
      signal.addEventListener("abort", abort, { once: true });
    });
  }
}

function wakeNext(host: Host): void {
  for (;;) {
    const [next] = host.waiting;
    if (!next || host.active >= next.atOnce) return;
    host.waiting.shift();
    host.active++;
    next.wake();
  }
}
