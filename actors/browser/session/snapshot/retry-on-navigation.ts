/** Repeats a request to a tab's page if the page navigates meanwhile. */
import { sessionLimits } from "../../../../machines/session/limits.ts";
import { DocumentGone } from "../tabs/frames.ts";
import type { Tab } from "../tabs/tab.ts";

/** Number of attempts. */
const TRIES = 5;

/** @param whole wait until a loading document is complete; otherwise its current part answers */
export async function retryOnNavigation<Answer>(
  tab: Tab,
  ask: () => Promise<Answer>,
  whole = true,
): Promise<Answer> {
  for (let tries = 1; ; tries++) {
    if (whole && tab.loading) await tab.loaded();
    try {
      return await tab.answer(ask());
    } catch (error) {
      if (!(error instanceof DocumentGone) || tries === TRIES) throw error;
      await tab.until(() => !tab.loading, sessionLimits.loadWithin);
    }
  }
}
