/**
 * The history of a tab: the addresses before and after the current page. It consists of the browser's own
 * history and of the saved history from an earlier browser.
 */
import { withoutPasswords } from "../../../../machines/session/state/passwords-in-addresses.ts";
import type { Tab } from "./browser-tab.ts";

export interface HistoryEntry {
  readonly id: number;
  readonly url: string;
  readonly transitionType: string;
}

export interface TabHistory {
  readonly current: HistoryEntry | undefined;
  /**
   * The entries of the browser's own history before the current page. They are in order of time: the last
   * entry is the page directly before the current one.
   */
  readonly before: readonly HistoryEntry[];
  /**
   * Entries of the browser's own history after the current page. The first entry is the page directly after
   * the current one.
   */
  readonly after: readonly HistoryEntry[];
  /**
   * Addresses that the tab showed before the session was restored. They are older than the entries of
   * `before`. The browser has no history entries for them, so going back to one opens its address.
   */
  readonly past: readonly string[];
  readonly future: readonly string[];
}

export async function tabHistoryOf(tab: Tab): Promise<TabHistory> {
  const history = await tab.answer(tab.session.send("Page.getNavigationHistory"));
  const { currentIndex } = history;
  const entries = history.entries.map((entry) => ({ ...entry, url: withoutPasswords(entry.url) }));
  // The empty page before a tab's first address is not an entry of the history.
  const first = entries[0]?.url === "about:blank" && currentIndex > 0 ? 1 : 0;
  const { past, future } = tab.savedHistory;
  return {
    current: entries[currentIndex],
    before: entries.slice(first, currentIndex),
    after: entries.slice(currentIndex + 1),
    past,
    // When the tab opens another address, the addresses after the current page are dropped, as browsers do
    // with the forward part of their history.
    future: entries.length === 1 ? future : [],
  };
}
