/** Lists the elements that a snapshot of a tab omits, with the reasons, for all frames. */

import { withLeftOut } from "../../../../machines/session/page/analyze-page-answer.ts";
import type { AnalysisData, LeftOut } from "../../../../machines/session/page/page-snapshot.ts";
import { leftOutLimits } from "../../../../machines/session/session-limits.ts";
import type { Tab } from "../tabs/browser-tab.ts";
import { DocumentGone, type Frame } from "../tabs/tab-frames.ts";

export async function listOmittedElements(
  tab: Tab,
  answer: AnalysisData,
  budget: number | undefined,
): Promise<AnalysisData> {
  const { maxElements, textLength } = leftOutLimits;
  const found: LeftOut[] = [];
  let moreCount = 0;
  for (const frame of tab.frames.all()) {
    try {
      const call = tab.frames.call(frame, "omittedElements", "list", maxElements - found.length, textLength);
      const list = await tab.answer(call);
      const path = pathTo(tab, frame);
      found.push(...list.elements.map((element) => ({ ...element, frame: path })));
      moreCount += list.more;
    } catch (error) {
      // A child frame that was removed meanwhile is left out. When the main frame cannot be read, the call
      // fails.
      if (!(error instanceof DocumentGone) || frame.parent === undefined) throw error;
    }
  }
  return withLeftOut(answer, found, moreCount, budget);
}

/**
 * Returns the path to a frame: the selectors of its frame element and of all frame elements around it, the
 * outermost first. If the last snapshot did not contain a frame element, the address of the frame is used
 * instead.
 */
function pathTo(tab: Tab, frame: Frame): string[] {
  const path: string[] = [];
  for (let at: Frame | undefined = frame; at?.parent !== undefined; at = tab.frames.get(at.parent))
    path.unshift(tab.snapshots.selectorOf(at.id) ?? at.url);
  return path;
}
