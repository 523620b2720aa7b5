/**
 * Finds out whether the page has scheduled work since an action began: a timer, an animation frame or an idle
 * callback. In a window, the browser numbers each kind of work in order, for the page and for isolated worlds
 * alike. So a gap between two numbers that Cairn gets shows that the page has scheduled work.
 */

export interface ScheduledWork {
  /**
   * Whether scripts of the page may still run because of the action. Resolves when the page has no task left
   * to run.
   */
  mayRun(): Promise<boolean>;
}

interface Numbers {
  readonly timer: number;
  readonly frame: number;
  readonly idle: number;
}

/**
 * The numbers that Cairn's last calls got from the browser; absent when the page has scheduled work since the
 * action began.
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
  // After the page has scheduled work, this function returns true until the next action, because it is
  // unknown when the work runs.
  before = isGap ? undefined : now;
  return isGap;
};

/** Must be called before an action after which `mayRun` is called. */
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
};
