/**
 * The browser slots of this worker: a fixed number of live sessions.
 * A new session takes the slot of the longest idle one, which hibernates. When none can, it waits in order of
 * arrival.
 */
import { Fenced } from "../../machines/errors.ts";
import type { MetricFamily } from "../../machines/runtime/metrics.ts";
import { lifecycleLimits } from "../../machines/session/limits.ts";

/** A live session that can be asked to hibernate. */
export interface SlotHolder {
  /** `performance.now()` since it is unused; `undefined` while it is in use. */
  readonly idleSince: number | undefined;
  /** Hibernates it; its slot becomes free soon. Returns false when it must stay. */
  hibernate(): Promise<boolean>;
}

export interface BrowserSlot {
  /** Assigns the slot to a session. */
  assign(guest: SlotHolder): void;
  release(): void;
}

interface WaitingRoom {
  readonly room: string;
  readonly admit: () => void;
}

/** A session that must stay, with its state when it was asked. */
interface RefusedHibernation {
  readonly idleSince: number | undefined;
  readonly at: number;
}

export class BrowserSlots {
  readonly #capacity: number;
  #taken = 0;
  #peak = 0;
  readonly #holders = new Set<SlotHolder>();
  /** Sessions that are hibernating: their slots count as free. */
  readonly #hibernating = new Set<SlotHolder>();
  readonly #refusals = new Map<SlotHolder, RefusedHibernation>();
  readonly #waiting: WaitingRoom[] = [];
  #retryTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(most: number) {
    this.#capacity = most;
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
        { labels: { what: "waiting" }, value: this.#waiting.length },
      ],
    };
  }

  /** The position of a waiting room, from 1; `undefined` when it does not wait. */
  position(room: string): number | undefined {
    const at = this.#waiting.findIndex((newcomer) => newcomer.room === room);
    return at < 0 ? undefined : at + 1;
  }

  /** Resolves with a slot; rejects when `signal` is aborted before. */
  async take(room: string, signal: AbortSignal): Promise<BrowserSlot> {
    if (this.#taken >= this.#capacity || this.#waiting.length > 0) await this.#wait(room, signal);
    else this.#taken++;
    this.#peak = Math.max(this.#peak, this.#taken);
    let guest: SlotHolder | undefined;
    let left = false;
    return {
      assign: (settled) => {
        guest = settled;
        this.#holders.add(settled);
        this.#hibernateForWaiting();
      },
      release: () => {
        if (left) return;
        left = true;
        if (guest) {
          this.#holders.delete(guest);
          this.#hibernating.delete(guest);
          this.#refusals.delete(guest);
        }
        this.#taken--;
        this.#admitWaiting();
      },
    };
  }

  #wait(room: string, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const newcomer: WaitingRoom = {
        room,
        admit: () => {
          signal.removeEventListener("abort", give);
          resolve();
        },
      };
      const give = (): void => {
        const at = this.#waiting.indexOf(newcomer);
        if (at >= 0) this.#waiting.splice(at, 1);
        reject(new Fenced("effect.superseded", "The place is wanted no more."));
      };
      signal.addEventListener("abort", give, { once: true });
      this.#waiting.push(newcomer);
      this.#hibernateForWaiting();
    });
  }

  #admitWaiting(): void {
    while (this.#taken < this.#capacity) {
      const next = this.#waiting.shift();
      if (!next) break;
      this.#taken++;
      next.admit();
    }
    this.#hibernateForWaiting();
  }

  /** Hibernates as many sessions as wait, longest idle first. */
  #hibernateForWaiting(): void {
    clearTimeout(this.#retryTimer);
    while (this.#waiting.length > this.#hibernating.size) {
      const guest = this.#longestIdle();
      if (!guest) {
        this.#retryTimer = setTimeout(() => this.#hibernateForWaiting(), lifecycleLimits.pollSlotEvery);
        return;
      }
      void this.#hibernate(guest);
    }
  }

  async #hibernate(guest: SlotHolder): Promise<void> {
    const { idleSince } = guest;
    this.#hibernating.add(guest);
    if (await guest.hibernate()) return;
    this.#hibernating.delete(guest);
    this.#refusals.set(guest, { idleSince, at: performance.now() });
    this.#hibernateForWaiting();
  }

  #longestIdle(): SlotHolder | undefined {
    let found: SlotHolder | undefined;
    let since = Number.POSITIVE_INFINITY;
    for (const guest of this.#holders) {
      const { idleSince } = guest;
      if (idleSince === undefined || idleSince >= since || this.#hibernating.has(guest)) continue;
      const refusal = this.#refusals.get(guest);
      const asked =
        refusal !== undefined && performance.now() - refusal.at < lifecycleLimits.retryHibernateEvery;
      // The obstacle may have gone if the session was used since.
      if (asked && refusal.idleSince === idleSince) continue;
      found = guest;
      since = idleSince;
    }
    return found;
  }
}
