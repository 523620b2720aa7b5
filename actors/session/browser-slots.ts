/**
 * The places for live sessions in this worker's browser: so many and no more, whoever asks.
 *
 * A newcomer takes the place of the session that was idle longest, which goes to rest; where none may go he waits, first
 * come, first served. Neighbours: `browsing.ts` takes places, `keeper.ts` is who sits in one.
 */
import { Fenced } from "../../machines/errors.ts";
import type { MetricFamily } from "../../machines/runtime/metrics.ts";
import { lifecycleLimits } from "../../machines/session/limits.ts";

/** A live session that can be asked to go to rest. */
export interface Guest {
  /** `performance.now()` since when nobody needed it; `undefined` while somebody does. */
  readonly idleSince: number | undefined;
  /** Puts it to rest; its place is given back soon after. False: it must stay. */
  rest(): Promise<boolean>;
}

export interface Place {
  /** Who sits there from now on. */
  settle(guest: Guest): void;
  leave(): void;
}

interface Newcomer {
  readonly room: string;
  readonly come: () => void;
}

/** A guest who must stay, as it was when it was asked. */
interface Refusal {
  readonly idleSince: number | undefined;
  readonly at: number;
}

export class Places {
  readonly #most: number;
  #taken = 0;
  #peak = 0;
  readonly #guests = new Set<Guest>();
  /** Guests that are going to rest: their places are as good as free. */
  readonly #leaving = new Set<Guest>();
  readonly #refusals = new Map<Guest, Refusal>();
  readonly #newcomers: Newcomer[] = [];
  #again: ReturnType<typeof setTimeout> | undefined;

  constructor(most: number) {
    this.#most = most;
  }

  get taken(): number {
    return this.#taken;
  }

  measure(): MetricFamily {
    return {
      name: "cairn_live_sessions",
      help: "Browser sessions: with a browser, the most there ever were of them, and those that wait for one",
      type: "gauge",
      samples: [
        { labels: { what: "live" }, value: this.#taken },
        { labels: { what: "most" }, value: this.#peak },
        { labels: { what: "waiting" }, value: this.#newcomers.length },
      ],
    };
  }

  /** How many come before a room and itself, from 1; `undefined` when it does not wait. */
  position(room: string): number | undefined {
    const at = this.#newcomers.findIndex((newcomer) => newcomer.room === room);
    return at < 0 ? undefined : at + 1;
  }

  /** Resolves with a place once there is one; rejects when `signal` is aborted before. */
  async take(room: string, signal: AbortSignal): Promise<Place> {
    if (this.#taken >= this.#most || this.#newcomers.length > 0) await this.#wait(room, signal);
    else this.#taken++;
    this.#peak = Math.max(this.#peak, this.#taken);
    let guest: Guest | undefined;
    let left = false;
    return {
      settle: (settled) => {
        guest = settled;
        this.#guests.add(settled);
        this.#makeRoom();
      },
      leave: () => {
        if (left) return;
        left = true;
        if (guest) {
          this.#guests.delete(guest);
          this.#leaving.delete(guest);
          this.#refusals.delete(guest);
        }
        this.#taken--;
        this.#seat();
      },
    };
  }

  #wait(room: string, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const newcomer: Newcomer = {
        room,
        come: () => {
          signal.removeEventListener("abort", give);
          resolve();
        },
      };
      const give = (): void => {
        const at = this.#newcomers.indexOf(newcomer);
        if (at >= 0) this.#newcomers.splice(at, 1);
        reject(new Fenced("effect.superseded", "The place is wanted no more."));
      };
      signal.addEventListener("abort", give, { once: true });
      this.#newcomers.push(newcomer);
      this.#makeRoom();
    });
  }

  #seat(): void {
    while (this.#taken < this.#most) {
      const next = this.#newcomers.shift();
      if (!next) break;
      this.#taken++;
      next.come();
    }
    this.#makeRoom();
  }

  /** As many go to rest as newcomers wait, the longest idle first. */
  #makeRoom(): void {
    clearTimeout(this.#again);
    while (this.#newcomers.length > this.#leaving.size) {
      const guest = this.#longestIdle();
      if (!guest) {
        this.#again = setTimeout(() => this.#makeRoom(), lifecycleLimits.pollSlotEvery);
        return;
      }
      void this.#ask(guest);
    }
  }

  async #ask(guest: Guest): Promise<void> {
    const { idleSince } = guest;
    this.#leaving.add(guest);
    if (await guest.rest()) return;
    this.#leaving.delete(guest);
    this.#refusals.set(guest, { idleSince, at: performance.now() });
    this.#makeRoom();
  }

  #longestIdle(): Guest | undefined {
    let found: Guest | undefined;
    let since = Number.POSITIVE_INFINITY;
    for (const guest of this.#guests) {
      const { idleSince } = guest;
      if (idleSince === undefined || idleSince >= since || this.#leaving.has(guest)) continue;
      const refusal = this.#refusals.get(guest);
      const asked =
        refusal !== undefined && performance.now() - refusal.at < lifecycleLimits.retryHibernateEvery;
      // What kept it may be gone when somebody did something in it since.
      if (asked && refusal.idleSince === idleSince) continue;
      found = guest;
      since = idleSince;
    }
    return found;
  }
}
