/**
 * Who keeps a live session: saves it while it works, and puts it to rest when nobody needs it.
 *
 * To rest it goes in this order: it is saved whole, that is durable, and then its machine is told, which may refuse
 * because an act came meanwhile; only when the machine has left its live state is the browser closed. Neighbours:
 * `browsing.ts` makes one for each live session, `places.ts` asks them to make room.
 */
import { setTimeout as pause } from "node:timers/promises";
import { asCairnError } from "../../machines/errors.ts";
import { lifecycleLimits, sessionLimits } from "../../machines/session/limits.ts";
import type { BrowserSession } from "../browser/index.ts";
import type { Log } from "../runtime/index.ts";
import type { Guest } from "./browser-slots.ts";
import type { SessionRef, SessionStates } from "./saved-states.ts";

export interface Keeping {
  readonly ref: SessionRef;
  readonly session: BrowserSession;
  readonly states: SessionStates;
  readonly signal: AbortSignal;
  /** Resolves when the machine has heard it: that it rests, if it may; that it is given up; that it was, saved. */
  readonly tell: (news: "RESTED" | "LEAVING" | "LEFT") => Promise<void>;
  /** Looks wait, or wait no more. */
  readonly changed: () => void;
  /** It holds more than it may, in bytes. */
  readonly exceeded: (heap: number) => void;
  readonly log: Log;
  /** Milliseconds without use after which it rests. */
  readonly idle: number;
}

export class Keeper implements Guest {
  readonly #keeping: Keeping;
  #resting = false;
  /** Until when it is kept for who had it woken, unless that one has used it before. */
  #promised: { readonly until: number; readonly before: number } | undefined;
  #idleTimer: ReturnType<typeof setTimeout> | undefined;
  #saveTimer: ReturnType<typeof setTimeout> | undefined;
  /** `performance.now()` of the first act that is not saved yet. */
  #unsavedSince: number | undefined;
  #notBefore = 0;
  /** The save that is under way: no other begins before it is durable, or an older state would follow a newer. */
  #saving: Promise<void> | undefined;
  /** The machine is being told that the session rests, and has not said yet whether it does. */
  #telling: Promise<void> | undefined;
  #actsBegun = 0;
  #actsDone = 0;
  /** `performance.now()` of the last of them. */
  #actedAt = 0;
  #last = "";
  #ended = false;

  /** @param promised somebody had it woken, and is about to use it */
  constructor(keeping: Keeping, promised: boolean) {
    this.#keeping = keeping;
    const now = performance.now();
    if (promised) {
      this.#promised = {
        until: now + lifecycleLimits.keptAfterRestore,
        before: keeping.session.idleSince ?? now,
      };
    }
    this.#watchIdle();
    this.#saveIn(lifecycleLimits.saveAfter);
  }

  get resting(): boolean {
    return this.#resting;
  }

  get idleSince(): number | undefined {
    if (this.#resting || this.#ended || this.#actsBegun > this.#actsDone) return undefined;
    const { idleSince } = this.#keeping.session;
    const promised = this.#promised;
    if (promised && idleSince === promised.before && performance.now() < promised.until) return undefined;
    // Its machine hears of an act after the browser is done with it.
    return idleSince && Math.max(idleSince, this.#actedAt);
  }

  /**
   * An act begins, as soon as it is sure that the session does not rest before it. The answer is called when the
   * machine has heard what came of it.
   */
  async begin(): Promise<() => void> {
    await this.#telling;
    this.#actsBegun += 1;
    return () => {
      this.#actsDone += 1;
      this.#actedAt = performance.now();
      this.#unsavedSince ??= this.#actedAt;
      this.#saveSoon();
    };
  }

  #saveSoon(): void {
    const now = performance.now();
    const { saveAfter, saveWithin } = lifecycleLimits;
    this.#saveIn(Math.min(saveAfter, Math.max(0, (this.#unsavedSince ?? now) + saveWithin - now)));
  }

  rest(): Promise<boolean> {
    return this.#rest("RESTED");
  }

  /** Puts it to rest whatever is open in it: whoever has it gives it up. Resolves when that is done, or not to be had. */
  async leave(): Promise<void> {
    const { signal, tell } = this.#keeping;
    await tell("LEAVING");
    while (!signal.aborted && !this.#ended && !(await this.#rest("LEFT")))
      await pause(sessionLimits.pollEvery);
  }

  async #rest(news: "RESTED" | "LEFT"): Promise<boolean> {
    const { session, signal, tell, changed } = this.#keeping;
    if (this.#resting || this.#ended) return false;
    this.#resting = true;
    try {
      await this.#saving;
      const before = this.#actsDone;
      const saved = await (news === "LEFT" ? session.part() : session.save(true));
      if (saved.held !== undefined || this.#ended) return false;
      await this.#write(saved.session);
      // What an act has done since is not in what was saved.
      if (this.#actsDone !== before || this.#actsBegun !== before) return false;
      const told = Promise.resolve().then(() => tell(news));
      this.#telling = told.catch(() => {}); // Who waits for it wants to know that it is over.
      await told;
      return signal.aborted;
    } catch (error) {
      // It stays as it is; what is wrong with it shows itself to who uses it next.
      this.#failed(error, "a session could not be put to rest");
      return false;
    } finally {
      this.#telling = undefined;
      this.#resting = false;
      if (!signal.aborted) this.#saveSoon();
      changed();
    }
  }

  end(): void {
    this.#ended = true;
    clearTimeout(this.#idleTimer);
    clearTimeout(this.#saveTimer);
  }

  #watchIdle(): void {
    const { idle } = this.#keeping;
    const now = performance.now();
    const since = this.idleSince ?? now;
    this.#wakeAfter(Math.max(since + idle - now, lifecycleLimits.pollSlotEvery));
  }

  #wakeAfter(wait: number): void {
    clearTimeout(this.#idleTimer);
    if (this.#ended) return;
    this.#idleTimer = setTimeout(() => void this.#restIfIdle(), wait);
    this.#idleTimer.unref();
  }

  async #restIfIdle(): Promise<void> {
    const { idle } = this.#keeping;
    const since = this.idleSince;
    if (since === undefined || performance.now() - since < idle) this.#watchIdle();
    else if (!(await this.rest())) this.#wakeAfter(lifecycleLimits.retryHibernateEvery);
  }

  #saveIn(wait: number): void {
    clearTimeout(this.#saveTimer);
    if (this.#ended) return;
    const rest = this.#notBefore - performance.now();
    this.#saveTimer = setTimeout(
      () => {
        if (this.#saving || this.#resting || this.#ended) return;
        this.#saving = this.#save().finally(() => {
          this.#saving = undefined;
        });
      },
      Math.max(wait, rest),
    );
    this.#saveTimer.unref();
  }

  async #save(): Promise<void> {
    const began = performance.now();
    this.#unsavedSince = undefined;
    try {
      const { session, heap } = await this.#keeping.session.save(false);
      if (heap > lifecycleLimits.maxHeap) this.#keeping.exceeded(heap);
      else if (!this.#ended) await this.#write(session);
    } catch (error) {
      // A dialog, a page on its way: the next one may succeed.
      this.#failed(error, "a session could not be saved");
    } finally {
      const now = performance.now();
      this.#notBefore = now + (now - began) * lifecycleLimits.savePauseFactor;
      if (this.#unsavedSince === undefined) this.#saveIn(lifecycleLimits.saveEvery);
      else this.#saveSoon();
    }
  }

  async #write(saved: Awaited<ReturnType<BrowserSession["save"]>>["session"]): Promise<void> {
    const { ref, states } = this.#keeping;
    const { saved_at: _, ...rest } = saved;
    const now = JSON.stringify(rest);
    if (now === this.#last) return;
    await states.write(ref, saved);
    this.#last = now;
  }

  #failed(error: unknown, what: string): void {
    if (this.#ended || this.#keeping.signal.aborted) return;
    const { code, message } = asCairnError(error);
    this.#keeping.log("info", what, { session: this.#keeping.ref.room, code, error: message });
  }
}
