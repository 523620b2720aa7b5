/**
 * What is open in a session as it is given up, closed so that the rest can be saved: its owner stops, or another is to
 * have it.
 *
 * Neighbours: `saving.ts` saves, `browser-session.ts` has the tabs.
 */

import type { SavedState } from "./state/capture-state.ts";
import type { Downloads } from "./state/downloads.ts";
import type { Tab } from "./tabs/tab.ts";

/** @returns what that ended, in words */
export async function closeWhatIsOpen(
  tabs: readonly Tab[],
  downloads: Downloads | undefined,
): Promise<readonly string[]> {
  const dialogs = await Promise.all(tabs.map((tab) => tab.handleDialog(false, undefined)));
  const under = downloads?.all().filter(({ state }) => state === "in_progress") ?? [];
  return [
    ...dialogs.flatMap((dialog) =>
      dialog ? [`the ${dialog.type} "${dialog.message}", which was dismissed`] : [],
    ),
    ...under.map(({ name }) => `the download of ${name}, which was under way`),
  ];
}

/** What was saved after that: nothing holds it any more. */
export function withLost({ session, heap }: SavedState, lost: readonly string[]): SavedState {
  return { session: { ...session, lost: [...session.lost, ...lost] }, heap, held: undefined };
}
