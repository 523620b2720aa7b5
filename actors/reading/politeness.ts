/**
 * Politeness: when a request to a host may begin.
 *
 * What a host bears is decided in one place for all who read it, by `machines/host/manners.ts`; in a running Cairn
 * that is the actor `host/<host>`, wherever it lives. Asking it before every request would cost each page a way over
 * the bus and back, so a worker asks for a *lease*: so many requests at once, until further notice. It renews the
 * lease twice a second while it reads the host, reports with it what came of the requests, and asks at once for what
 * cannot wait: more, when all of its share is used, and less, when the host is overloaded. At a host without delays
 * a crawl of hundreds of pages a second sends a few small messages. Only where a host asks for a crawl-delay does
 * each request need a turn of its own, and there it has time for that.
 *
 * An actor rather than a table on a node's main thread, because a shard has one owner in the whole cluster and gets
 * another when that one dies. Its queries commit nothing: what it knows is rebuilt from what its members tell it.
 *
 * Waiting is always by the waiter's own signal, so a job that is paused or cancelled leaves at once. When nobody
 * answers for the host (its owner is being replaced), what was agreed goes on, and what was not waits.
 * Neighbours: `reader.ts` enters and leaves; `shared-line.ts` and `single-line.ts` are the two ways to wait.
 */

import { AdaptiveLimit } from "../../machines/host/adaptive-limit.ts";
import type { Lease, LeaseRequest } from "../../machines/host/host-lease.ts";
import { readingLimits } from "../../machines/reading/limits.ts";
import { type Clock, systemClock } from "./clock.ts";
import { SharedLine } from "./shared-line.ts";
import { SingleLine } from "./single-line.ts";
import type { LineContext, Turn } from "./turn.ts";

/** Asks whoever decides for a host (`host:port`). May reject while nobody does. */
export type AskHost = (host: string, request: LeaseRequest) => Promise<Lease>;

export interface PolitenessOptions {
  readonly clock?: Clock | undefined;
  /** This worker's name among those who read a host. */
  readonly member?: string | undefined;
  /** Absent: this reader is the only one there is, and decides by itself. */
  readonly ask?: AskHost | undefined;
  /** Requests under way at one host, at the most, where this reader decides by itself. */
  readonly perHost?: number | undefined;
}

interface Host {
  readonly pause: { until: number };
  readonly shared: SharedLine;
  readonly single: SingleLine;
}

export class Politeness {
  readonly #clock: Clock;
  readonly #member: string;
  readonly #ask: AskHost;
  readonly #hosts = new Map<string, Host>();

  constructor({ clock = systemClock, member = crypto.randomUUID(), ask, perHost }: PolitenessOptions = {}) {
    this.#clock = clock;
    this.#member = member;
    this.#ask = ask ?? alone(clock, perHost);
  }

  /**
   * Waits for a turn at a host (`host:port`). Rejects with the signal's reason when aborted.
   *
   * @param crawlDelay milliseconds between the starts of two requests; with one, requests come one at a time
   */
  enter(name: string, crawlDelay: number, signal: AbortSignal): Promise<Turn> {
    const { shared, single } = this.#host(name);
    return crawlDelay > 0 ? single.enter(crawlDelay, signal) : shared.enter(signal);
  }

  #host(name: string): Host {
    let host = this.#hosts.get(name);
    if (host) {
      // The map is kept in the order of use.
      this.#hosts.delete(name);
    } else {
      const context: LineContext = {
        member: this.#member,
        clock: this.#clock,
        ask: (request) => this.#ask(name, request),
        pause: { until: 0 },
      };
      host = { pause: context.pause, shared: new SharedLine(context), single: new SingleLine(context) };
      this.#forgetIdle();
    }
    this.#hosts.set(name, host);
    return host;
  }

  #forgetIdle(): void {
    if (this.#hosts.size < readingLimits.hosts) return;
    const now = this.#clock.now();
    for (const [name, { shared, single, pause }] of this.#hosts) {
      if (!shared.idle || !single.idle || pause.until > now) continue;
      this.#hosts.delete(name);
      return;
    }
  }
}

/** Decides for every host itself. */
function alone(clock: Clock, perHost: number | undefined): AskHost {
  const hosts = new Map<string, AdaptiveLimit>();
  return async (name, request) => {
    const now = clock.now();
    let manners = hosts.get(name);
    if (!manners) {
      if (hosts.size >= readingLimits.hosts) {
        for (const [other, known] of hosts) if (known.isIdle(now)) hosts.delete(other);
      }
      manners = new AdaptiveLimit(perHost);
      hosts.set(name, manners);
    }
    return manners.ask(request, now);
  };
}
