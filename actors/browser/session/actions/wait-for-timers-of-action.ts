/**
 * Waits for timers that the page has set because of an action, if they may send a request. For example, a
 * search starts some time after the last key press, and a page may save or redirect a moment after a click.
 */
import { setTimeout as pause } from "node:timers/promises";
import type { Action } from "../../../../machines/session/actions/browser-action-parameters.ts";
import { sessionLimits } from "../../../../machines/session/session-limits.ts";
import type { RecordedTimer } from "../../page-script/record-timers-of-page.ts";
import { DialogOpened, type Tab } from "../tabs/browser-tab.ts";
import { DocumentGone } from "../tabs/tab-frames.ts";

/** Actions that send input to the page. Only their timers are recorded. */
const INPUT_ACTIONS: ReadonlySet<Action["name"]> = new Set([
  "click",
  "double_click",
  "right_click",
  "input",
  "type_slowly",
  "clear",
  "cut",
  "paste",
  "drag_drop",
  "fill_form",
  "submit_form",
  "reset_form",
  "upload_file",
  "pick_date",
  "select_dropdown",
  "send_keys",
]);

/** A timer of the page for which an action may wait. */
export interface AwaitedTimer {
  readonly key: string;
  /** The `performance.now()` value at which the timer is due. */
  readonly due: number;
}

/**
 * Maximum number of timers that are stored for a tab. When it is reached, all of them are forgotten, so that
 * actions wait for them again.
 */
const MAX_KNOWN_TIMERS = 500;

/**
 * For each tab and each timer, by its key: how many times the page has sent no request after the timer. The
 * number is minus infinity if the timer has sent a request once, because actions then always wait for it.
 * Requests that the page also sends by itself, such as a heartbeat, do not count.
 */
const misses = new WeakMap<Tab, Map<string, number>>();

/** Starts to record the timers of the page. Must be called before an action sends input. */
export function recordTimers(tab: Tab, { name }: Action): void {
  if (INPUT_ACTIONS.has(name)) callAll(tab, "recordTimers");
}

/** Ends the recording of timers. The page then has the browser's own timer functions again. */
export function stopTimers(tab: Tab): void {
  callAll(tab, "stopTimers");
}

function callAll({ frames }: Tab, method: "recordTimers" | "stopTimers"): void {
  // A call fails if the document of the frame is replaced. Its timers are gone then, so the error is ignored.
  for (const frame of frames.all()) frames.call(frame, "scheduledWork", method).catch(() => {});
}

/** Returns the timers of the page that are worth waiting for. */
export async function timersOf(tab: Tab): Promise<readonly AwaitedTimer[]> {
  if (tab.dialog || tab.loading) return [];
  const { frames } = tab;
  const missed = misses.get(tab);
  try {
    const found = await tab.answer(
      Promise.all(frames.all().map((frame) => frames.call(frame, "scheduledWork", "timers"))),
    );
    const now = performance.now();
    const isAwaited = ({ key, delay }: RecordedTimer): boolean =>
      delay <= sessionLimits.timerWithin && (missed?.get(key) ?? 0) < sessionLimits.timerMisses;
    return found
      .flat()
      .filter(isAwaited)
      .map(({ key, dueIn }) => ({ key, due: now + dueIn }));
  } catch (error) {
    if (error instanceof DocumentGone || error instanceof DialogOpened) return [];
    throw error;
  }
}

/**
 * Waits until the timers have run, or until the page has sent a request or navigates. Remembers which timers were
 * followed by a request.
 */
export async function waitForTimers(tab: Tab, timers: readonly AwaitedTimer[]): Promise<void> {
  const { navigations, requests, targetId, url } = tab;
  const sent = requests.sentOfAction(targetId);
  const repeated = requests.repeatedOfAction(targetId);
  const hasReacted = (): boolean =>
    requests.sentOfAction(targetId) > sent ||
    tab.loading ||
    tab.navigations !== navigations ||
    tab.url !== url;
  const { timerReacts, timerEvery } = sessionLimits;
  const last = Math.max(...timers.map(({ due }) => due)) + timerReacts;
  while (!hasReacted() && !tab.dialog && performance.now() < last) await pause(timerEvery);
  const end = performance.now();
  const counts = misses.get(tab) ?? new Map<string, number>();
  misses.set(tab, counts);
  if (counts.size >= MAX_KNOWN_TIMERS) counts.clear();
  for (const { key, due } of timers) {
    // The due time is known only roughly, so the page may have sent its request a little earlier.
    const isFollowed = hasReacted() && Math.abs(end - due) <= timerReacts;
    if (due > end && !isFollowed) continue;
    const isHeartbeat = requests.repeatedOfAction(targetId) > repeated;
    const count = isHeartbeat ? Math.max(0, counts.get(key) ?? 0) : (counts.get(key) ?? 0);
    counts.set(key, isFollowed ? Number.NEGATIVE_INFINITY : count + 1);
  }
}
