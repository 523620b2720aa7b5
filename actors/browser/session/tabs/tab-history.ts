/**
 * Where a tab was before and after the page that it shows: its own history, and beyond it the list of one that is gone.
 *
 * Neighbours: `navigation.ts` goes there, `saving.ts` keeps it.
 */
import type { Tab } from "./tab.ts";

export interface HistoryEntry {
  readonly id: number;
  readonly url: string;
  readonly transitionType: string;
}

export interface TabHistory {
  readonly current: HistoryEntry | undefined;
  /** Of the browser's own history, the nearest at the end … */
  readonly before: readonly HistoryEntry[];
  /** … and at the beginning. */
  readonly after: readonly HistoryEntry[];
  /** Of the list, beyond those; to be opened anew. */
  readonly past: readonly string[];
  readonly future: readonly string[];
}

export async function tabHistoryOf(tab: Tab): Promise<TabHistory> {
  const { currentIndex, entries } = await tab.answer(tab.session.send("Page.getNavigationHistory"));
  // What a tab shows before its first address is nothing to go back to.
  const first = entries[0]?.url === "about:blank" && currentIndex > 0 ? 1 : 0;
  const { past, future } = tab.former;
  return {
    current: entries[currentIndex],
    before: entries.slice(first, currentIndex),
    after: entries.slice(currentIndex + 1),
    past,
    // Whoever has gone elsewhere from here has left what came after.
    future: entries.length === 1 ? future : [],
  };
}
