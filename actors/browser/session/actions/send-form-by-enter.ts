/** Sends a form without a submit button by pressing the Enter key in its last field, as a person does. */
import { sessionLimits } from "../../../../machines/session/session-limits.ts";
import type { FormFound } from "../../page-script/actions/form-submission.ts";
import { inDocument, obstacleFailure, releaseEvents, type Target } from "./clickable-point.ts";
import type { PageInput } from "./pointer-and-key-input.ts";
import { hasReacted, waitForReactionOfBusyPage } from "./wait-for-responses-of-action.ts";

/**
 * Whether only the Enter key sends the form: it has no button, and it holds a password that the browser
 * itself would send by GET. If Cairn submitted the form by script, the page's listener for the Enter key
 * would not run (doccano).
 */
export function isSentByKeyOnly({ submitter, isGet, holdsPassword }: FormFound): boolean {
  return submitter === undefined && isGet && holdsPassword;
}

/** Presses Enter in a field. Returns whether the page has sent a request or has navigated. */
export async function sendByEnter(input: PageInput, field: Target): Promise<boolean> {
  const { tab } = input;
  const { frame, id, index } = field;
  const before = input.pageState();
  const focusing = tab.frames.call(frame, "actionability", "focus", id, "as_it_is");
  const obstacle = await inDocument(tab, index, focusing);
  // The Enter key may cause events of elements other than the field. The event guard would stop these events,
  // so it is ended first.
  await releaseEvents(tab);
  if (obstacle) throw await obstacleFailure(tab, index, obstacle);
  await input.awaitPermit();
  await input.press("Enter");
  await waitForReactionOfBusyPage(tab, before, sessionLimits.submitStarts);
  return hasReacted(tab, before) || tab.dialog !== undefined;
}
