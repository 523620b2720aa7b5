/** Limits how fast Cairn requests pages of one host: it decides when a request may start. */

import { AdaptiveLimit } from "../../../machines/host/adaptive-request-limit.ts";
import type { Lease, LeaseRequest } from "../../../machines/host/host-lease-messages.ts";
import { readingLimits } from "../../../machines/reading/page-reading-limits.ts";
import { type Clock, systemClock } from "../clock-of-page-reader.ts";
import { ConcurrentQueue } from "./concurrent-host-request-queue.ts";
import { SerialQueue } from "./crawl-delay-queue.ts";
import type { QueueContext, Turn } from "./shared-code-of-host-request-queues.ts";

/**
 * Requests a lease (a share of the concurrent requests to a host) from the manager of the host. The host is
 * given as `host:port`. Rejects when no node currently runs the manager.
 */
export type AskHost = (host: string, request: LeaseRequest) => Promise<Lease>;

export interface PolitenessOptions {
  readonly clock?: Clock | undefined;
  /** The name of this worker. The actors that limit the requests to hosts distinguish the workers by it. */
  readonly member?: string | undefined;
  /**
   * Requests a lease (permission for concurrent requests) from the actor that limits the requests to a host.
   * Without this function, the reader limits only its own requests, as if no other process reads the hosts.
   */
  readonly ask?: AskHost | undefined;
  /**
   * Maximum number of concurrent requests to one host, if `ask` is absent. With `ask`, a manager decides this
   * number.
   */
  readonly perHost?: number | undefined;
}

interface Host {
  readonly pause: { until: number };
  readonly concurrent: ConcurrentQueue;
  readonly serial: SerialQueue;
}

/**
 * Limits the requests of this worker to each host. The actor `host/<host>`, called the manager, decides for
 * all workers.
 *
 * To avoid a message to the manager before every request, a worker requests a lease: the permission for a
 * number of concurrent requests. It renews the lease twice a second, and earlier when all permitted requests
 * are running or the host is overloaded. For a host with a crawl-delay, it requests a permission for each
 * request.
 *
 * While the manager does not answer, the current lease stays valid; without a lease, callers wait.
 */
export class Politeness {
  readonly #clock: Clock;
  readonly #member: string;
  readonly #ask: AskHost;
  readonly #hosts = new Map<string, Host>();

  constructor({ clock = systemClock, member = crypto.randomUUID(), ask, perHost }: PolitenessOptions = {}) {
    this.#clock = clock;
    this.#member = member;
    this.#ask = ask ?? localManager(clock, perHost);
  }

  /**
   * Waits for the permission to send a request to a host (`host:port`). Rejects with the signal's reason when
   * the signal aborts.
   *
   * @param crawlDelay minimum time between the starts of two requests, in milliseconds. Above 0, only one
   * request runs at a time.
   */
  enter(name: string, crawlDelay: number, signal: AbortSignal): Promise<Turn> {
    const { concurrent, serial } = this.#host(name);
    return crawlDelay > 0 ? serial.enter(crawlDelay, signal) : concurrent.enter(signal);
  }

  #host(name: string): Host {
    let host = this.#hosts.get(name);
    if (host) {
      // The host's entry is deleted and inserted again, which moves it to the end of the Map. So the hosts
      // are in order of last use.
      this.#hosts.delete(name);
    } else {
      const context: QueueContext = {
        member: this.#member,
        clock: this.#clock,
        ask: (request) => this.#ask(name, request),
        pause: { until: 0 },
      };
      host = {
        pause: context.pause,
        concurrent: new ConcurrentQueue(context),
        serial: new SerialQueue(context),
      };
      this.#forgetIdle();
    }
    this.#hosts.set(name, host);
    return host;
  }

  #forgetIdle(): void {
    if (this.#hosts.size < readingLimits.hosts) return;
    const now = this.#clock.now();
    for (const [name, { concurrent, serial, pause }] of this.#hosts) {
      if (!concurrent.idle || !serial.idle || pause.until > now) continue;
      this.#hosts.delete(name);
      return;
    }
  }
}

/**
 * Returns a function that grants leases (permissions for concurrent requests) within this process. It is used
 * when there is no function `ask`, which would request them from the actor `host/<host>`.
 */
function localManager(clock: Clock, perHost: number | undefined): AskHost {
  const hosts = new Map<string, AdaptiveLimit>();
  return async (name, request) => {
    const now = clock.now();
    let limit = hosts.get(name);
    if (!limit) {
      if (hosts.size >= readingLimits.hosts) {
        for (const [other, known] of hosts) if (known.isIdle(now)) hosts.delete(other);
      }
      limit = new AdaptiveLimit(perHost);
      hosts.set(name, limit);
    }
    return limit.ask(request, now);
  };
}
