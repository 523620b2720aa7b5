/** Repeats a request to a tab's page if the page navigates meanwhile. */
import { sessionLimits } from "../../../../machines/session/limits.ts";
import { DocumentGone } from "../tabs/frames.ts";
import type { Tab } from "../tabs/tab.ts";

/** Number of attempts. */
const MAX_ATTEMPTS = 5;

/** @param whole wait until a loading document is complete; otherwise its current part answers */
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
