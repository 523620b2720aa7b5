/**
 * Completes the data of an action with what follows after it: the new page, the responses to its requests, and
 * the changes that they bring.
 */
import type { LoadingState } from "../../../../machines/session/unsettled-page-fields.ts";
import type { Data, PageState } from "../actions/page-input.ts";
import {
  hasReacted,
  pendingOfAction,
  waitForReaction,
  waitForResponses,
} from "../actions/responses-of-action.ts";
import type { Tab } from "../tabs/browser-tab.ts";
import { changeOrArrival, readForChange } from "./page-changes-in-outcome.ts";

/** Effects that do not exclude that the page itself has changed. */
const NO_KNOWN_CHANGE: ReadonlySet<unknown> = new Set(["unknown", "nothing_changed", "focused"]);

/**
 * @param before the page before the action
 * @param arrive waits for the page to which the action has led
 */
export async function outcomeAfterResponses(
  data: Data,
  tab: Tab,
  before: PageState,
  arrive: (data: Data) => Promise<LoadingState | undefined>,
): Promise<Data> {
  let [now, loading, isSettled] = [data, await arrive(data), false];
  if (data.effect === undefined || data.effect === "navigated")
    return { ...data, ...(await changeOrArrival(data, tab)), ...loading };
  /** Waits for the page and the responses that the action has caused until now, if there are any. */
  const settle = async (): Promise<boolean> => {
    // A new address that has already been waited for is no further reaction. The tab's present state then
    // replaces the state before the action.
    const known = now.effect === "address_changed" ? tab : before;
    if (now.effect === "navigated" || !hasReacted(tab, known)) return false;
    await waitForResponses(tab, async () => !tab.dialog);
    if (tab.loading) await tab.waitForLoad();
    const { pending: _, ...rest } = now;
    const pending = pendingOfAction(tab);
    now = { ...rest, ...arrivalSince(before, tab), ...(pending > 0 ? { pending } : {}) };
    loading = (await arrive(now)) ?? loading;
    isSettled = true;
    return true;
  };
  // Reading the page takes a moment, in which scripts may start further requests. So the page is read before
  // the check for such requests. If there are none, the page as read is compared with what the caller has seen.
  const read = await readForChange(tab);
  const isLate = await settle();
  let change = await changeOrArrival(now, tab, isLate ? undefined : read);
  if (data.clicked === true && Object.keys(change).length === 0 && pendingOfAction(tab) === 0) {
    // Nothing that a caller can see has followed from the click yet. Some pages react a moment later.
    await waitForReaction(tab, before);
    await settle();
    change = await changeOrArrival(now, tab);
    isSettled = true;
  }
  return { ...withEffectOf(change, now, isSettled), ...loading };
}

/**
 * Adds the changes of the page to the data of an action. When they came later than the effect was determined,
 * `effect` becomes "changed". The same holds for a hover that has made new elements appear, because a style rule
 * alone may show them.
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

/** Returns the page to which the tab has gone since a state was recorded, as the effect of an action. */
function arrivalSince({ url, navigations }: PageState, tab: Tab): Data {
  if (tab.navigations !== navigations) return { effect: "navigated", url: tab.url };
  return tab.url === url ? {} : { effect: "address_changed", url: tab.url };
}
