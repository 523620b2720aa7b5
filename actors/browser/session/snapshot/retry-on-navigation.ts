/**
 * The answer of a tab's page, asked for again when the page went to another document under it. Neighbour:
 * `browser-session.ts` looks with it.
 */
import { sessionLimits } from "../../../../machines/session/limits.ts";
import { DocumentGone } from "../tabs/frames.ts";
import type { Tab } from "../tabs/tab.ts";

/** Times that it is begun again. */
const TRIES = 5;

/** @param whole waits for a document that is coming; else what there is of it answers */
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
