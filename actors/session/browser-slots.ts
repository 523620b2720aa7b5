/**
 * The browser slots of this worker: they limit the number of sessions with a browser. A new session takes the
 * slot of the session that was unused longest, which hibernates. When no session can hibernate, new sessions
 * wait in order of arrival.
 */
import { Fenced } from "../../machines/errors.ts";
import type { MetricFamily } from "../../machines/runtime/metric-counters.ts";
import { lifecycleLimits } from "../../machines/session/session-limits.ts";

/** A session with a browser, which occupies a slot. */
export interface SlotHolder {
  /** `performance.now()` of the session's last use; `undefined` while the session is in use. */
  readonly idleSince: number | undefined;
  /**
   * Hibernates the session to free its slot. Resolves with true if the slot becomes free soon, and with false
   * if the session must stay live.
   */
  hibernate(): Promise<boolean>;
}

export interface BrowserSlot {
  /** Marks the browser slot as occupied by a session. */
  assign(holder: SlotHolder): void;
  /** Frees the browser slot. Further calls have no effect. */
  release(): void;
}

interface WaitingRoom {
  readonly room: string;
  readonly admit: () => void;
}

/** Records that a session could not hibernate when another session needed its browser slot. */
interface RefusedHibernation {
  /** Time of the session's last use before the failed attempt, as a `performance.now()` value. */
  readonly idleSince: number | undefined;
  /** Time of the failed attempt to hibernate the session, as a `performance.now()` value. */
  readonly at: number;
}

export class BrowserSlots {
  readonly #capacity: number;
  #taken = 0;
  #peak = 0;
  /** Number of browser slots that exploration jobs occupy. */
  #jobs = 0;
  readonly #waitingJobs: (() => void)[] = [];
  readonly #holders = new Set<SlotHolder>();
  /** Sessions that are hibernating now. Their browser slots count as free. */
  readonly #hibernating = new Set<SlotHolder>();
  readonly #refusals = new Map<SlotHolder, RefusedHibernation>();
  readonly #waiting: WaitingRoom[] = [];
  #retryTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  get taken(): number {
    return this.#taken;
  }

  measure(): MetricFamily {
    return {
      name: "cairn_live_sessions",
      help: "Browser sessions: with a browser now, the highest number so far, and waiting for a browser",
      type: "gauge",
      samples: [
        { labels: { what: "live" }, value: this.#taken },
        { labels: { what: "most" }, value: this.#peak },
        { labels: { what: "waiting" }, value: this.#waiting.length },
      ],
    };
  }

  /**
   * Returns the position of a session in the queue for a browser slot, from 1; `undefined` when the session
   * does not wait.
   */
  position(room: string): number | undefined {
    const at = this.#waiting.findIndex((entry) => entry.room === room);
    return at < 0 ? undefined : at + 1;
  }

  /** Waits for a browser slot. Rejects when the signal is aborted first. */
  async take(room: string, signal: AbortSignal): Promise<BrowserSlot> {
    if (this.#taken >= this.#capacity || this.#waiting.length > 0) await this.#wait(room, signal);
    else this.#taken++;
    this.#peak = Math.max(this.#peak, this.#taken);
    let holder: SlotHolder | undefined;
    let released = false;
    return {
      assign: (session) => {
        holder = session;
        this.#holders.add(session);
        this.#hibernateForWaiting();
      },
      release: () => {
        if (released) return;
        released = true;
        if (holder) {
          this.#holders.delete(holder);
          this.#hibernating.delete(holder);
          this.#refusals.delete(holder);
        }
        this.#taken--;
        this.#admitWaiting();
      },
    };
  }

  /**
   * Waits for a slot for the session of an exploration job. The sessions of all jobs together get at most
   * half of the slots, but at least one slot.
   */
  async takeForJob(job: string, signal: AbortSignal): Promise<BrowserSlot> {
    while (this.#jobs >= Math.max(1, Math.floor(this.#capacity / 2))) await this.#jobReleased(signal);
    this.#jobs++;
    const done = (): void => {
      this.#jobs--;
      for (const wake of this.#waitingJobs.splice(0)) wake();
    };
    let slot: BrowserSlot;
    try {
      slot = await this.take(job, signal);
    } catch (error) {
      done();
      throw error;
    }
    let released = false;
    return {
      assign: (holder) => slot.assign(holder),
      release: () => {
        if (released) return;
        released = true;
        slot.release();
        done();
      },
    };
  }

  #jobReleased(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const giveUp = (): void => reject(new Fenced("effect.superseded", "The slot is no longer needed."));
      if (signal.aborted) return giveUp();
      signal.addEventListener("abort", giveUp, { once: true });
      this.#waitingJobs.push(() => {
        signal.removeEventListener("abort", giveUp);
        resolve();
      });
    });
  }

  #wait(room: string, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const entry: WaitingRoom = {
        room,
        admit: () => {
          signal.removeEventListener("abort", giveUp);
          resolve();
        },
      };
      const giveUp = (): void => {
        const at = this.#waiting.indexOf(entry);
        if (at >= 0) this.#waiting.splice(at, 1);
        reject(new Fenced("effect.superseded", "The browser slot is no longer needed."));
      };
      signal.addEventListener("abort", giveUp, { once: true });
      this.#waiting.push(entry);
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

  /**
   * Hibernates as many sessions as sessions wait for a browser. Those that have been unused longest come
   * first.
   */
  #hibernateForWaiting(): void {
    clearTimeout(this.#retryTimer);
    while (this.#waiting.length > this.#hibernating.size) {
      const holder = this.#longestIdle();
      if (!holder) {
        this.#retryTimer = setTimeout(() => this.#hibernateForWaiting(), lifecycleLimits.pollSlotEvery);
        return;
      }
      void this.#hibernate(holder);
    }
  }

  async #hibernate(holder: SlotHolder): Promise<void> {
    const { idleSince } = holder;
    this.#hibernating.add(holder);
    if (await holder.hibernate()) return;
    this.#hibernating.delete(holder);
    this.#refusals.set(holder, { idleSince, at: performance.now() });
    this.#hibernateForWaiting();
  }

  #longestIdle(): SlotHolder | undefined {
    let found: SlotHolder | undefined;
    let since = Number.POSITIVE_INFINITY;
    for (const holder of this.#holders) {
      const { idleSince } = holder;
      if (idleSince === undefined || idleSince >= since || this.#hibernating.has(holder)) continue;
      const refusal = this.#refusals.get(holder);
      const refusedRecently =
        refusal !== undefined && performance.now() - refusal.at < lifecycleLimits.retryHibernateEvery;
      // The failed attempt to hibernate this session is recent. If the session was used since then, another
      // attempt may succeed. Otherwise the session is skipped.
      if (refusedRecently && refusal.idleSince === idleSince) continue;
      found = holder;
      since = idleSince;
    }
    return found;
  }
}
