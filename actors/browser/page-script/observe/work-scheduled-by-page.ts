/**
 * Finds out whether the page has scheduled work since an action began: a timer, an animation frame or an idle
 * callback. In a window, the browser numbers each kind of work in order, for the page and for isolated worlds
 * alike. So if Cairn requests such work twice and the numbers have a gap, the page has scheduled work in between.
 */
import { EVENT_NAMES } from "../page-script-event-names.ts";
import type { RecordedTimer } from "../record-timers-of-page.ts";

export interface ScheduledWork {
  /**
   * Whether scripts of the page may still run because of the action. Resolves when the page has no task left
   * to run.
   */
  mayRun(): Promise<boolean>;
  /** Starts to record the timers that the page sets. */
  recordTimers(): void;
  /** Returns the timers that were set since the recording began and are not due yet. */
  timers(): readonly RecordedTimer[];
  /** Ends the recording of timers. */
  stopTimers(): void;
}

interface Numbers {
  readonly timer: number;
  readonly frame: number;
  readonly idle: number;
}

/**
 * The numbers of the timer, the animation frame and the idle callback that Cairn requested last. They are
 * absent when the page has scheduled work since the action began.
 */
let before: Numbers | undefined;

/** Requests a timer, an animation frame and an idle callback, cancels them again, and returns their numbers. */
const takeNumbers = (): Numbers => {
  const timer = Number(setTimeout(() => {}));
  clearTimeout(timer);
  const frame = requestAnimationFrame(() => {});
  cancelAnimationFrame(frame);
  const idle = requestIdleCallback(() => {});
  cancelIdleCallback(idle);
  return { timer, frame, idle };
};

/** Whether the page has scheduled work since the action began. */
const hasScheduled = (): boolean => {
  const then = before;
  if (!then) return true;
  const now = takeNumbers();
  const isGap = now.timer !== then.timer + 1 || now.frame !== then.frame + 1 || now.idle !== then.idle + 1;
  // After a gap, the page has scheduled work, and it is unknown when this work runs. So the numbers are
  // dropped, and `hasScheduled` returns true until the next action begins.
  before = isGap ? undefined : now;
  return isGap;
};

/**
 * Must be called before an action, so that `mayRun` can find out whether the page has scheduled work since
 * then.
 */
export function begin(): void {
  before = takeNumbers();
}

export const scheduledWork: ScheduledWork = {
  async mayRun() {
    if (hasScheduled()) return true;
    // A task of this priority runs when no task of the page is left, such as a message or a step of rendering.
    await scheduler.postTask(() => {}, { priority: "background" });
    return hasScheduled();
  },

  recordTimers() {
    document.dispatchEvent(new Event(EVENT_NAMES.recordTimers));
  },

  timers() {
    let timers = "[]";
    const read = (event: Event): void => {
      if (event instanceof CustomEvent) timers = String(event.detail);
    };
    document.addEventListener(EVENT_NAMES.timers, read, { once: true });
    document.dispatchEvent(new Event(EVENT_NAMES.requestTimers));
    document.removeEventListener(EVENT_NAMES.timers, read);
    // The cast is safe: the main world's part of the page script has written this text. Pages do not know the
    // random names of the events, so they cannot write it.
    return JSON.parse(timers) as readonly RecordedTimer[];
  },

  stopTimers() {
    document.dispatchEvent(new Event(EVENT_NAMES.stopTimers));
  },
};
