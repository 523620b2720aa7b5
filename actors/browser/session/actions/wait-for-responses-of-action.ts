/**
 * Waits for the responses to requests that an action has started. A page usually shows first that it is
 * working, so changes of the page do not end the wait.
 */
import { setTimeout as pause } from "node:timers/promises";
import { sessionLimits } from "../../../../machines/session/session-limits.ts";
import { isUnanswered } from "../action-error.ts";
import { DialogOpened, type Tab } from "../tabs/browser-tab.ts";
import { DocumentGone } from "../tabs/tab-frames.ts";

/**
 * A tab's address and its number of navigations before an action. If one of them differs after the action,
 * the tab shows another page.
 */
export interface PageState {
  readonly url: string;
  readonly navigations: number;
}

/** Returns how many requests of the tab's last action are still pending. */
export function pendingOfAction({ requests, targetId }: Tab): number {
  return requests.pendingOfAction(targetId).length;
}

/** Whether the tab's last action has started a request whose response is worth waiting for. */
function isAwaiting({ requests, targetId }: Tab): boolean {
  return requests.isAwaitedOfAction(targetId);
}

/**
 * Whether the page may still be drawing a response that arrived at the given time or later. A page draws
 * shortly after it has received a response, so a response from just before this time counts too.
 */
export function isDrawingResponse({ requests, targetId }: Tab, since: number): boolean {
  return requests.endedOfAction(targetId, since - sessionLimits.actionableEvery);
}

/**
 * Waits for the responses to the requests of an action, and to further requests that these responses cause. A
 * navigation ends the wait.
 *
 * @param read reads the page after each pause; when it resolves with false, the wait ends
 * @param isDrawing whether the page may be drawing a response; it is then read at least once
 */
export async function waitForResponses(
  tab: Tab,
  read: () => Promise<boolean>,
  isDrawing = false,
): Promise<void> {
  const { navigations, requests, targetId } = tab;
  const until = requests.awaitedUntil(targetId, requests.responsesWithin);
  for (let isPending = isDrawing || isAwaiting(tab); isPending && performance.now() < until; ) {
    if (tab.loading || tab.navigations !== navigations) return;
    // A page changes shortly after it has received its last response, so it must be read once more after
    // that. Therefore `isPending` is set before the pause.
    isPending = isAwaiting(tab);
    await pause(sessionLimits.actionableEvery);
    if (!(await read())) return;
  }
  if (performance.now() >= until) requests.giveUpAction(targetId);
}

/**
 * Whether the page has reacted to the last action: it waits for a response to a request of the action, is loading,
 * or shows another page than in the given state.
 */
export function hasReacted(tab: Tab, { url, navigations }: PageState): boolean {
  return isAwaiting(tab) || tab.loading || tab.url !== url || tab.navigations !== navigations;
}

/**
 * Whether the page may still react to the last action. It cannot if the page has scheduled no work and sent
 * no request since the input, and has no other source of data. In a page with several frames, the answer is
 * always true, because any frame may react to a message of another one.
 *
 * @param within maximum wait for the page's tasks that run already
 */
export async function mayReact(tab: Tab, within: number): Promise<boolean> {
  const { frames, requests, targetId } = tab;
  if (frames.all().length > 1 || requests.mayReceive(targetId)) return true;
  try {
    const work = tab.answer(frames.callAsync(frames.main, "scheduledWork", "mayRun"));
    if (await Promise.race([work, pause(within, true)])) return true;
  } catch (error) {
    if (error instanceof DocumentGone || error instanceof DialogOpened) return true;
    throw error;
  }
  // A script of the page may have sent a request while `mayRun` waited for the page's tasks.
  return requests.mayReceive(targetId);
}

/**
 * Waits a moment for a request or a navigation of a page that has not reacted to a click yet. The wait ends early
 * if the page cannot react any more.
 *
 * @param within maximum duration of the wait in milliseconds
 */
export async function waitForReaction(
  tab: Tab,
  before: PageState,
  within: number = sessionLimits.reactsWithin,
): Promise<void> {
  const start = performance.now();
  while (!tab.dialog && !hasReacted(tab, before) && performance.now() - start < within) {
    await pause(sessionLimits.reactionEvery);
    if (!(await mayReact(tab, sessionLimits.actionableEvery))) return;
  }
}

/**
 * Waits like `waitForReaction`, but counts only the time in which the page answers. A page whose scripts compute for
 * seconds, as on a loaded machine, may not have handled the input yet.
 *
 * @param within maximum duration of the wait in milliseconds, for a page that answers
 */
export async function waitForReactionOfBusyPage(tab: Tab, before: PageState, within: number): Promise<void> {
  const until = performance.now() + sessionLimits.answerWithin;
  for (let isBusy = true; isBusy && performance.now() < until; ) {
    await waitForReaction(tab, before, within);
    if (tab.dialog || hasReacted(tab, before)) return;
    const askedAt = performance.now();
    await waitForAnswer(tab);
    isBusy = performance.now() - askedAt > sessionLimits.actionableEvery;
  }
}

/** Waits until the page has no task left to run. */
async function waitForAnswer(tab: Tab): Promise<void> {
  const { frames } = tab;
  try {
    await tab.answer(frames.callAsync(frames.main, "scheduledWork", "mayRun"));
  } catch (error) {
    if (!(error instanceof DocumentGone || error instanceof DialogOpened || isUnanswered(error))) throw error;
  }
}

/**
 * Waits until a page may have taken the text of a field that has just lost the focus. Ends at once if the
 * page has scheduled no work and sent no request since then.
 *
 * @param within duration of the wait in milliseconds, for a page that is still working
 */
export async function waitForTypedText(
  tab: Tab,
  within: number = sessionLimits.pressAfterTyping,
): Promise<void> {
  const start = performance.now();
  if (await mayReact(tab, within)) await pause(Math.max(0, within - (performance.now() - start)));
}
