/**
 * Numbered boxes on the page itself, for people who watch it.
 *
 * Neighbour: `injected/overlay.ts` draws them.
 */
import type { PageAnalysis } from "../../../../machines/session/page-snapshot.ts";
import type { Tab } from "../tabs/tab.ts";

/** Shows the elements of an analysis in place of what was shown; without one it takes the boxes away. */
export async function showOverlay(tab: Tab, analysis: PageAnalysis | undefined): Promise<void> {
  const boxes = (analysis?.elements ?? []).map(({ highlight_index, box }) => ({
    number: highlight_index,
    ...box,
  }));
  await tab.answer(tab.frames.call(tab.frames.main, "boxOverlay", "show", boxes));
}
