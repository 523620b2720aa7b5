/** Shows numbered boxes on the page itself, for people who watch the browser. */
import type { PageAnalysis } from "../../../../machines/session/page/page-snapshot.ts";
import type { Tab } from "../tabs/browser-tab.ts";

/**
 * Shows boxes for the elements of a snapshot, in place of earlier boxes. Without a snapshot, it removes the
 * boxes.
 */
export async function showOverlay(tab: Tab, analysis: PageAnalysis | undefined): Promise<void> {
  const boxes = (analysis?.elements ?? []).map(({ highlight_index, box }) => ({
    number: highlight_index,
    ...box,
  }));
  await tab.answer(tab.frames.call(tab.frames.main, "boxOverlay", "show", boxes));
}
