/** Describes the current state of a session briefly: address and title of the page, the pointer, the tabs. */
import type { PageAnalysis } from "../../../machines/session/page/page-snapshot.ts";
import { summaryOf } from "../../../machines/session/page/page-summary.ts";
import type { BrowserContextInfo, ScreenContent } from "../../../machines/session/session-protocol.ts";
import type { PageHead } from "../page-script/snapshot/raw-frame-snapshot.ts";
import type { Tab } from "./tabs/browser-tab.ts";

export function contextOf(
  { url, title, ready_state, scroll }: PageHead,
  activeTab: Tab,
  tabs: readonly Tab[],
): BrowserContextInfo {
  const { pointer } = activeTab;
  return {
    url,
    title,
    ready_state,
    scroll_x: scroll.x,
    scroll_y: scroll.y,
    viewport_width: scroll.viewport_width,
    viewport_height: scroll.viewport_height,
    cursor_x: Math.round(pointer.x),
    cursor_y: Math.round(pointer.y),
    tab: tabs.indexOf(activeTab),
    tabs: tabs.map((tab) => ({ url: tab.url })),
  };
}

/**
 * Returns what a model needs to know about the session: page, pointer and tabs, with the text of the page.
 */
export function contentOf(
  { ready_state: _, ...context }: BrowserContextInfo,
  analysis: PageAnalysis,
): ScreenContent {
  return {
    ...context,
    dom_summary: summaryOf(analysis),
    visible_elements_count: analysis.elements.filter(({ in_viewport }) => in_viewport).length,
  };
}
