/** Repeats a request to the page of a tab if the page navigates during the request. */
import { sessionLimits } from "../../../../machines/session/session-limits.ts";
import type { Tab } from "../tabs/browser-tab.ts";
import { DocumentGone } from "../tabs/tab-frames.ts";

/** Maximum number of times that one request is tried, including the first time. */
const MAX_ATTEMPTS = 5;

/**
 * Runs a request, and repeats it when the page navigates meanwhile.
 * @param whole whether to wait until a loading document is complete before the request; otherwise the request
 * reads what has loaded so far
 */
export async function retryOnNavigation<Answer>(
  tab: Tab,
  request: () => Promise<Answer>,
  whole = true,
): Promise<Answer> {
  for (let attempt = 1; ; attempt++) {
    if (whole && tab.loading) await tab.waitForLoad();
    try {
      return await tab.answer(request());
    } catch (error) {
      if (!(error instanceof DocumentGone) || attempt === MAX_ATTEMPTS) throw error;
      await tab.waitUntil(() => !tab.loading, sessionLimits.loadWithin);
    }
  }
}
