/**
 * Completes the outcome data of an action with its later effects: a new page, responses to requests, and the
 * changes that the responses cause.
 */
import { readyLimits, sessionLimits } from "../../../../machines/session/session-limits.ts";
import { isUnanswered } from "../action-error.ts";
import type { Data } from "../actions/pointer-and-key-input.ts";
import {
  hasReacted,
  isDrawingResponse,
  type PageState,
  pendingOfAction,
  waitForReaction,
  waitForResponses,
} from "../actions/wait-for-responses-of-action.ts";
import { timersOf, waitForTimers } from "../actions/wait-for-timers-of-action.ts";
import type { Tab } from "../tabs/browser-tab.ts";
import { arrivalOf, changeOrArrival, readForChange } from "./page-changes-in-outcome.ts";
import { type Arrival, shortened } from "./wait-until-page-ready.ts";

/**
 * Values of an action's `effect` that name no change of the page. If a later comparison finds a change, the value
 * becomes `changed`.
 */
const NO_KNOWN_CHANGE: ReadonlySet<unknown> = new Set(["unknown", "nothing_changed", "focused"]);

/**
 * Waits for the responses to the requests of an action, and adds the changes of the page to the action's
 * data. If the page does not answer meanwhile, the data states that the page is still loading. The action was done and
 * must not be repeated, so this is no failure.
 *
 * @param before state of the page when the action began
 * @param arrive waits for the page to which the action has led
 */
export async function outcomeAfterResponses(
  data: Data,
  tab: Tab,
  before: PageState,
  arrive: (data: Data) => Promise<Arrival>,
): Promise<Data> {
  try {
    return await withLaterEffects(data, tab, before, arrive);
  } catch (error) {
    if (!isUnanswered(error)) throw error;
    return { ...data, loading: true, pending: [] };
  }
}

async function withLaterEffects(
  data: Data,
  tab: Tab,
  before: PageState,
  arrive: (data: Data) => Promise<Arrival>,
): Promise<Data> {
  const { arrived, loading: unfinished } = await arrive(data);
  if (data.effect === "navigated") {
    const { http_status, ...arrival } = await arrivalOf(tab, arrived);
    // The status belongs to the response of a document. A step through the history of one document, as after
    // `pushState`, has no response.
    const hasResponse = tab.navigations !== before.navigations && http_status !== undefined;
    // A script may have opened another page during the wait. So the address is read after the title.
    return { ...data, ...arrival, ...(hasResponse ? { http_status } : {}), url: tab.url, ...unfinished };
  }
  if (data.effect === undefined) return { ...data, ...(await changeOrArrival(data, tab)), ...unfinished };
  let [now, loading, isSettled] = [data, unfinished, false];
  /**
   * Waits until the page that the action opens has loaded, or until the action's requests are answered. Returns
   * false if there is nothing to wait for.
   *
   * @param readAt `performance.now()` value at which the page was last read
   * @param known an earlier state of the tab; another address or document than in this state counts as a reaction
   */
  const settle = async (readAt: number, known: PageState): Promise<boolean> => {
    if (now.effect === "navigated") return false;
    const isDrawing = isDrawingResponse(tab, readAt);
    if (!isDrawing && !hasReacted(tab, known)) return false;
    await waitForResponses(tab, async () => !tab.dialog, isDrawing);
    if (tab.loading) await tab.waitForLoad();
    now = { ...now, ...arrivalSince(before, tab) };
    loading = (await arrive(now)).loading;
    isSettled = true;
    return true;
  };
  // The page is read before the requests are checked, because scripts may start requests during the read. If
  // no request is pending, and no response has arrived meanwhile, this read is compared with what the caller has
  // seen.
  const readAt = performance.now();
  const [read, timersAtFirst] = await Promise.all([readForChange(tab), timersOf(tab)]);
  // If the action has changed the address, the page has already reacted. Then only later changes count.
  let isLate = await settle(readAt, now.effect === "address_changed" ? stateOf(tab) : before);
  let timers = isLate ? await timersOf(tab) : timersAtFirst;
  for (let waits = 0; timers.length > 0 && waits < sessionLimits.timerWaits; waits++) {
    const [waitedAt, shown] = [performance.now(), stateOf(tab)];
    await waitForTimers(tab, timers);
    await settle(waitedAt, shown);
    [isLate, isSettled] = [true, true];
    timers = await timersOf(tab);
  }
  let change = await changeOrArrival(now, tab, isLate ? undefined : read);
  if (data.clicked === true && Object.keys(change).length === 0 && pendingOfAction(tab) === 0) {
    // The click has had no visible effect yet. Some pages react a moment later, so the code waits for a
    // reaction.
    const changeReadAt = performance.now();
    const known = now.effect === "address_changed" ? stateOf(tab) : before;
    await waitForReaction(tab, before);
    await settle(changeReadAt, known);
    change = await changeOrArrival(now, tab);
    isSettled = true;
  }
  const { pending: _, ...settled } = now;
  return { ...withEffectOf(change, settled, isSettled), ...pendingRequestsOf(tab), ...loading };
}

const stateOf = ({ url, navigations }: Tab): PageState => ({ url, navigations });

/** Names the pending requests of the action, so that the caller knows that the page may still change. */
function pendingRequestsOf({ requests, targetId }: Tab): Data {
  const pending = requests.pendingOfAction(targetId);
  if (pending.length === 0) return {};
  const named = pending.slice(0, readyLimits.named).map(({ method, url }) => `${method} ${shortened(url)}`);
  return { pending: pending.length, pending_requests: named };
}

/**
 * Adds the page's changes to the result of an action. `effect` becomes "changed" if a hover has shown new
 * elements. It also becomes "changed" if the result names no change so far, but the page has changed since.
 */
function withEffectOf(
  change: Awaited<ReturnType<typeof changeOrArrival>>,
  data: Data,
  isSettled: boolean,
): Data {
  const { page } = change;
  const seen = data.hovered === true && /^\*\[/m.test(page?.lines ?? "");
  const isNew = page !== undefined && (isSettled || data.effect === "unknown");
  const isChanged = seen || (isNew && NO_KNOWN_CHANGE.has(data.effect));
  return { ...data, ...(isChanged ? { effect: "changed" } : {}), ...change };
}

/**
 * Compares the tab with an earlier state of its page. If the tab has a new document or address, returns this
 * effect of the action; otherwise an empty result.
 */
function arrivalSince({ url, navigations }: PageState, tab: Tab): Data {
  if (tab.navigations !== navigations) return { effect: "navigated", url: tab.url };
  return tab.url === url ? {} : { effect: "address_changed", url: tab.url };
}
