/**
 * Dismisses the dialogs of a session that ends or moves to another worker, so that its pages can be saved.
 * Running downloads are lost.
 */

import type { SavedState } from "./state/capture-session-state.ts";
import type { Downloads } from "./state/session-downloads.ts";
import type { Tab } from "./tabs/browser-tab.ts";

/**
 * Dismisses the open dialogs of the given tabs. Running downloads are not cancelled here, but they end with
 * the browser.
 *
 * @returns one description for each dismissed dialog and each running download
 */
export async function closeDialogsAndDownloads(
  tabs: readonly Tab[],
  downloads: Downloads | undefined,
): Promise<readonly string[]> {
  const dialogs = await Promise.all(tabs.map((tab) => tab.handleDialog(false, undefined)));
  const running = downloads?.all().filter(({ state }) => state === "in_progress") ?? [];
  return [
    ...dialogs.flatMap((dialog) =>
      dialog ? [`the ${dialog.type} "${dialog.message}", which was dismissed`] : [],
    ),
    ...running.map(({ name }) => `the download of ${name}, which was under way`),
  ];
}

/**
 * Adds descriptions of what was lost to the saved state of a session. It also clears `holdReason`, because
 * the dialog or download that prevented the hibernation has been closed.
 */
export function withLost({ session, heapBytes }: SavedState, lost: readonly string[]): SavedState {
  return {
    session: { ...session, lost: [...session.lost, ...lost] },
    heapBytes,
    holdReason: undefined,
  };
}
