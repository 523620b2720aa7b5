/**
 * Waits until a document shows something and has settled. An application may be empty for seconds after its
 * load event, while its scripts and data are loading. Polling, animations and sockets do not extend the wait.
 */
import { setTimeout as pause } from "node:timers/promises";
import type { LoadingState } from "../../../../machines/session/page/answer-fields-for-unsettled-page.ts";
import { readyLimits } from "../../../../machines/session/session-limits.ts";
import type { TitleAndMessages } from "../../page-script/observe/page-status-messages.ts";
import type { Shown } from "../../page-script/observe/whether-page-shows-content.ts";
import type { Tab } from "../tabs/browser-tab.ts";
import { DocumentGone, Frames } from "../tabs/tab-frames.ts";
import { retryOnNavigation } from "./retry-on-navigation.ts";

/** Whether a document has settled when the wait for it ends. */
export interface Arrival {
  /** What the document was still waiting for, if the wait ended before the document had settled. */
  readonly loading?: LoadingState;
  /**
   * Title of the document and the messages that it shows, such as "Saved". They are read only if the document
   * has settled at the first check.
   */
  readonly arrived?: TitleAndMessages;
}

/**
 * For each tab, the key of the document for which a wait has ended. `waitUntilReady` returns at once while the
 * tab still shows this document.
 */
const waitedFor = new WeakMap<Tab, string>();

/**
 * Tabs that were navigated to another route of the same document, until `waitUntilReady` waits for the route.
 */
const navigatedInDocument = new WeakSet<Tab>();

/**
 * Makes the next `waitUntilReady` wait again for the same document, after a script has changed the address.
 */
export function expectContent(tab: Tab): void {
  waitedFor.delete(tab);
}

/**
 * Must be called after a navigation within the same document, such as one to a route after `#`. The next
 * `waitUntilReady` then waits again, because the application requests the content of the route a moment after
 * the navigation.
 */
export function expectRoute(tab: Tab): void {
  if (waitedFor.get(tab) !== Frames.documentKey(tab.frames.main)) return;
  waitedFor.delete(tab);
  navigatedInDocument.add(tab);
}

/**
 * Waits until a document is ready. Returns at once when the document shows something and has no pending
 * requests.
 * @param within the maximum wait in milliseconds
 */
export async function waitUntilReady(tab: Tab, within: number): Promise<Arrival> {
  const startedAt = performance.now();
  const { requests, targetId } = tab;
  const isRoute = navigatedInDocument.delete(tab);
  let [size, sizeChangedAt] = [0, 0];
  for (let surveys = 0; ; surveys++) {
    if (tab.dialog || !/^https?:/.test(tab.url)) return {};
    if (waitedFor.get(tab) === Frames.documentKey(tab.frames.main)) return {};
    const { shown, document } = await retryOnNavigation(tab, () => survey(tab, surveys === 0), false);
    const now = performance.now();
    if (surveys > 0 && shown.size !== size) sizeChangedAt = now;
    size = shown.size;
    const isComplete = shown.controls && !shown.loading;
    const patience = isComplete
      ? readyLimits.patience.withControls
      : shown.text && !shown.loading
        ? readyLimits.patience.withTextOnly
        : within;
    const pending = requests.pending(targetId, patience);
    const activity = requests.lastActivity(targetId);
    // An animation may change a document forever. So after a complete load, a change extends the wait only if
    // it comes within a short time after the last request.
    const change = isComplete ? Math.min(sizeChangedAt, activity + readyLimits.drawsWithin) : sizeChangedAt;
    const rest = isRoute ? restOfRoute(shown, startedAt) : restOf(shown, surveys > 0 || activity > startedAt);
    const isQuiet = now - Math.max(activity, change, rest.from(startedAt)) >= rest.quiet;
    // Waits for the load event at most `patience` milliseconds. Pending requests have the same limit.
    const isLoading = tab.loading && now - startedAt < patience;
    const settled = pending.length === 0 && isQuiet && !isLoading;
    const isLate = now - startedAt >= within;
    if (settled || isLate) {
      waitedFor.set(tab, document);
      const left = requests.pending(targetId, Number.POSITIVE_INFINITY);
      requests.pending(targetId, patience, true);
      // A page that shows nothing but a loading mark is still at work, also when it has no request for a while.
      const isOnlyLoading = shown.loading && !shown.controls;
      const isUnfinished =
        left.length > 0 || tab.loading || isOnlyLoading || (isLate && (shown.loading || isEmpty(shown)));
      return {
        ...(isUnfinished
          ? { loading: { loading: true, pending: left.slice(0, readyLimits.named).map(shortened) } }
          : {}),
        ...(shown.arrived ? { arrived: shown.arrived } : {}),
      };
    }
    await pause(readyLimits.every);
  }
}

/**
 * Waits until a document is ready and shows something. It is used when a document that showed something is
 * loaded again. If the document is empty, its application is still starting, even when it sends no request
 * for a while.
 *
 * @param within the maximum wait in milliseconds
 */
export async function waitUntilDrawn(tab: Tab, within: number): Promise<Arrival> {
  const until = performance.now() + within;
  for (;;) {
    const arrival = await waitUntilReady(tab, Math.max(0, until - performance.now()));
    if (tab.dialog || !/^https?:/.test(tab.url)) return arrival;
    const { shown } = await retryOnNavigation(tab, () => survey(tab, false), false);
    if (!isEmpty(shown)) return arrival;
    if (performance.now() >= until)
      return { ...arrival, loading: arrival.loading ?? { loading: true, pending: [] } };
    expectContent(tab);
    await pause(readyLimits.every);
  }
}

/**
 * Whether a document with scripts shows neither a text nor a control. Its application is still starting, even
 * when it has no pending request, because it may compile or run its scripts for long.
 */
export async function isStillBlank(tab: Tab): Promise<boolean> {
  const { shown } = await retryOnNavigation(tab, () => survey(tab, false), false);
  return isEmpty(shown) && shown.scripted;
}

const isEmpty = ({ controls, text }: Shown): boolean => !controls && !text;

/**
 * Returns the time without a change after which the document counts as settled, in milliseconds.
 *
 * @param waited true if requests have started since the wait began; the document may still be drawing their
 * results
 */
function restOf(
  shown: Shown,
  waited: boolean,
): { readonly quiet: number; readonly from: (startedAt: number) => number } {
  const { quiet } = readyLimits;
  const fromStart = (startedAt: number): number => startedAt;
  const fromBefore = (): number => 0;
  if (shown.loading) return { quiet: quiet.whileLoading, from: fromStart };
  if (isEmpty(shown)) return { quiet: shown.scripted ? quiet.whileEmpty : 0, from: fromStart };
  if (!shown.controls && shown.scripted) return { quiet: quiet.withTextOnly, from: fromStart };
  return waited ? { quiet: quiet.drawing, from: fromBefore } : { quiet: 0, from: fromBefore };
}

/**
 * Returns how long a document must be unchanged after a navigation to another route in it. The time counts
 * from the navigation, because at first the document still shows the old route.
 */
function restOfRoute(shown: Shown, startedAt: number): ReturnType<typeof restOf> {
  const { quiet } = restOf(shown, true);
  return { quiet, from: () => startedAt };
}

/**
 * Summarises what all frames of the tab show.
 * @param withMessages whether to read title and messages of the main frame too
 */
async function survey(
  tab: Tab,
  withMessages: boolean,
): Promise<{ readonly shown: Shown; readonly document: string }> {
  const { frames } = tab;
  const document = Frames.documentKey(frames.main);
  const seen = await Promise.all(
    frames.all().map(async (frame) => {
      try {
        return await frames.call(frame, "shownContent", "survey", withMessages && frame === frames.main);
      } catch (error) {
        // A child frame that was removed or is navigating does not count in the summary. When the main frame
        // is navigating, the call fails.
        if (!(error instanceof DocumentGone) || frame.parent === undefined) throw error;
        return undefined;
      }
    }),
  );
  const found = seen.filter((one) => one !== undefined);
  const arrived = found.find((one) => one.arrived)?.arrived;
  const any = (is: (one: Shown) => boolean): boolean => found.some(is);
  const shown: Shown = {
    controls: any(({ controls }) => controls),
    text: any(({ text }) => text),
    loading: any(({ loading }) => loading),
    scripted: any(({ scripted }) => scripted),
    size: found.reduce((sum, one) => sum + one.size, 0),
    ...(arrived ? { arrived } : {}),
  };
  // Controls that scripts create from other elements are only found by a snapshot. It is taken only if the
  // page shows text but no native control.
  if (shown.controls || !shown.text || shown.loading) return { shown, document };
  const { elements } = await tab.snapshots.peek();
  return { shown: { ...shown, controls: elements.length > 0 }, document };
}

/** Returns an address without query and fragment. The middle of a long address is left out. */
export function shortened(url: string): string {
  const plain = url.replace(/[?#].*/s, "");
  const { urlLength } = readyLimits;
  if (plain.length <= urlLength) return plain;
  const half = Math.floor((urlLength - 1) / 2);
  return `${plain.slice(0, half)}…${plain.slice(-half)}`;
}
