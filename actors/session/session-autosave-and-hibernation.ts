/**
 * Saves a live session while it works, and hibernates it when it is unused. Hibernation first stores the
 * session's state, and then notifies the session's machine. The machine refuses if a new action has arrived;
 * otherwise it leaves its live state, and the browser closes.
 */
import { setTimeout as pause } from "node:timers/promises";
import { asCairnError } from "../../machines/errors.ts";
import { lifecycleLimits, sessionLimits } from "../../machines/session/session-limits.ts";
import type { BrowserSession } from "../browser/index.ts";
import type { Log } from "../runtime/index.ts";
import type { SlotHolder } from "./browser-slots.ts";
import type { SessionRef, SessionStates } from "./encrypted-session-states.ts";

export interface AutosaveOptions {
  readonly ref: SessionRef;
  readonly session: BrowserSession;
  readonly states: SessionStates;
  readonly signal: AbortSignal;
  /** Sends an event to the session's machine. It resolves when the machine has processed the event. */
  readonly notify: (event: "RESTED" | "LEAVING" | "LEFT") => Promise<void>;
  /** Called after a change of the session, so that waiting queries are answered. */
  readonly changed: () => void;
  /**
   * Called with the size in bytes of the session's JavaScript heap (of all its tabs) when it exceeds the
   * limit.
   */
  readonly exceeded: (heap: number) => void;
  readonly log: Log;
  /** Milliseconds without use after which the session hibernates. */
  readonly idle: number;
}

/**
 * Errors that only mean that a page cannot be read at this moment: it shows a dialog, or it is navigating. The
 * session is saved later.
 */
const EXPECTED: ReadonlySet<string> = new Set(["session.dialog_open", "session.navigating"]);

export class Autosave implements SlotHolder {
  readonly #options: AutosaveOptions;
  #hibernating = false;
  /**
   * Set when a caller has restored the session. Until the time `until`, the session does not hibernate, even if
   * it is not used. The session's first use ends this: `idleSince` then differs from `before`.
   */
  #reserved: { readonly until: number; readonly before: number } | undefined;
  #idleTimer: ReturnType<typeof setTimeout> | undefined;
  #saveTimer: ReturnType<typeof setTimeout> | undefined;
  /** `performance.now()` of the first action since the last save. */
  #unsavedSince: number | undefined;
  /** Earliest time, as a `performance.now()` value, at which the next save may start. */
  #nextSaveAfter = 0;
  /**
   * The save that is running. The next save starts after this save has ended, so that an older state never
   * replaces a newer state.
   */
  #saving: Promise<void> | undefined;
  /**
   * A promise that is pending while the state machine decides whether the session hibernates. New actions
   * wait for it. `undefined` at all other times.
   */
  #notifying: Promise<void> | undefined;
  #actionsBegun = 0;
  #actionsDone = 0;
  /** Time of the last action, as a `performance.now()` value. */
  #lastActionAt = 0;
  /** The last written state as JSON. An equal state is not written again. */
  #lastWritten = "";
  #ended = false;

  /**
   * Starts the timers that save the session and that hibernate it.
   *
   * @param reserved true if a caller has just restored the session; it then stays live for a while without
   * being used
   */
  constructor(options: AutosaveOptions, reserved: boolean) {
    this.#options = options;
    const now = performance.now();
    if (reserved) {
      this.#reserved = {
        until: now + lifecycleLimits.keptAfterRestore,
        before: options.session.idleSince ?? now,
      };
    }
    this.#watchIdle();
    this.#saveIn(lifecycleLimits.saveAfter);
  }

  get hibernating(): boolean {
    return this.#hibernating;
  }

  get idleSince(): number | undefined {
    if (this.#hibernating || this.#ended || this.#actionsBegun > this.#actionsDone) return undefined;
    const { idleSince } = this.#options.session;
    const reserved = this.#reserved;
    if (reserved && idleSince === reserved.before && performance.now() < reserved.until) return undefined;
    // A session is in use by browser requests (until `idleSince`) and by actions (until `#lastActionAt`). It
    // has been unused since the later of the two times.
    return idleSince && Math.max(idleSince, this.#lastActionAt);
  }

  /**
   * Marks the start of an action. If the machine is just deciding whether the session hibernates, waits for
   * this decision first. The returned function marks the end of the action.
   */
  async begin(): Promise<() => void> {
    await this.#notifying;
    this.#actionsBegun += 1;
    return () => {
      this.#actionsDone += 1;
      this.#lastActionAt = performance.now();
      this.#unsavedSince ??= this.#lastActionAt;
      this.#saveSoon();
    };
  }

  #saveSoon(): void {
    const now = performance.now();
    const { saveAfter, saveWithin } = lifecycleLimits;
    this.#saveIn(Math.min(saveAfter, Math.max(0, (this.#unsavedSince ?? now) + saveWithin - now)));
  }

  hibernate(): Promise<boolean> {
    return this.#saveAndNotify("RESTED");
  }

  /**
   * Hibernates the session because this node gives up the session's shard. Open dialogs are dismissed, and
   * running downloads are lost. A failed attempt is repeated until the session has ended or `signal` aborts.
   */
  async handOver(): Promise<void> {
    const { signal, notify } = this.#options;
    await notify("LEAVING");
    while (!signal.aborted && !this.#ended && !(await this.#saveAndNotify("LEFT")))
      await pause(sessionLimits.pollEvery);
  }

  async #saveAndNotify(event: "RESTED" | "LEFT"): Promise<boolean> {
    const { session, signal, notify, changed } = this.#options;
    if (this.#hibernating || this.#ended) return false;
    this.#hibernating = true;
    try {
      await this.#saving;
      const before = this.#actionsDone;
      const saved = await (event === "LEFT" ? session.closeAndSave() : session.save(true));
      if (saved.holdReason !== undefined || this.#ended) return false;
      await this.#write(saved.session);
      // If an action ran during the save, the saved state is already out of date. So the session must not
      // hibernate.
      if (this.#actionsDone !== before || this.#actionsBegun !== before) return false;
      const reported = Promise.resolve().then(() => notify(event));
      // New actions wait until the machine has processed this notification. The promise also resolves if the
      // notification fails.
      this.#notifying = reported.catch(() => {});
      await reported;
      return signal.aborted;
    } catch (error) {
      // The hibernation failed, so the session stays live. Its next use reports the problem.
      this.#failed(error, "a session could not hibernate");
      return false;
    } finally {
      this.#notifying = undefined;
      this.#hibernating = false;
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
    const { idle } = this.#options;
    const now = performance.now();
    const since = this.idleSince ?? now;
    this.#wakeAfter(Math.max(since + idle - now, lifecycleLimits.pollSlotEvery));
  }

  #wakeAfter(wait: number): void {
    clearTimeout(this.#idleTimer);
    if (this.#ended) return;
    this.#idleTimer = setTimeout(() => void this.#hibernateIfIdle(), wait);
    this.#idleTimer.unref();
  }

  async #hibernateIfIdle(): Promise<void> {
    const { idle } = this.#options;
    const since = this.idleSince;
    if (since === undefined || performance.now() - since < idle) this.#watchIdle();
    else if (!(await this.hibernate())) this.#wakeAfter(lifecycleLimits.retryHibernateEvery);
  }

  #saveIn(wait: number): void {
    clearTimeout(this.#saveTimer);
    if (this.#ended) return;
    const pauseLeft = this.#nextSaveAfter - performance.now();
    this.#saveTimer = setTimeout(
      () => {
        if (this.#saving || this.#hibernating || this.#ended) return;
        this.#saving = this.#save().finally(() => {
          this.#saving = undefined;
        });
      },
      Math.max(wait, pauseLeft),
    );
    this.#saveTimer.unref();
  }

  async #save(): Promise<void> {
    const began = performance.now();
    this.#unsavedSince = undefined;
    try {
      const { session, heapBytes: heap } = await this.#options.session.save(false);
      if (heap > lifecycleLimits.maxHeap) this.#options.exceeded(heap);
      else if (!this.#ended) await this.#write(session);
    } catch (error) {
      // The save failed, for example because a dialog is open or the page is navigating. The next save may
      // succeed.
      this.#failed(error, "a session could not be saved");
    } finally {
      const now = performance.now();
      this.#nextSaveAfter = now + (now - began) * lifecycleLimits.savePauseFactor;
      if (this.#unsavedSince === undefined) this.#saveIn(lifecycleLimits.saveEvery);
      else this.#saveSoon();
    }
  }

  async #write(saved: Awaited<ReturnType<BrowserSession["save"]>>["session"]): Promise<void> {
    const { ref, states } = this.#options;
    const { saved_at: _, ...rest } = saved;
    const now = JSON.stringify(rest);
    if (now === this.#lastWritten) return;
    await states.write(ref, saved);
    this.#lastWritten = now;
  }

  #failed(error: unknown, what: string): void {
    if (this.#ended || this.#options.signal.aborted) return;
    const { code, message } = asCairnError(error);
    const level = EXPECTED.has(code) ? "debug" : "info";
    this.#options.log(level, what, { session: this.#options.ref.room, code, error: message });
  }
}
