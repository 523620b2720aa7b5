/** Opens the form of a sign-in that a page shows only after its button or link is pressed, such as in a dialog. */
import { nameOf } from "../../../../machines/session/page/element-line.ts";
import type { HighlightedElement } from "../../../../machines/session/page/page-snapshot.ts";
import { ActionFailure } from "../action-error.ts";
import { DialogOpened } from "../tabs/browser-tab.ts";
import { DocumentGone } from "../tabs/tab-frames.ts";
import { withoutConsentBanner } from "./answer-consent-banner.ts";
import { targetOf } from "./clickable-point.ts";
import { LEFT_CLICK, type PageInput } from "./pointer-and-key-input.ts";
import { SIGN_IN_NAME } from "./proof-of-sign-in.ts";

/** Whether an element is a visible field for a password. A field in a closed dialog has no size. */
const isPasswordField = ({ tagName, attributes, box: { width, height } }: HighlightedElement): boolean =>
  tagName === "input" && attributes.type === "password" && width > 0 && height > 0;

const WHOLE_NAME = new RegExp(`^\\s*${SIGN_IN_NAME}\\s*$`, "i");

/**
 * Presses the first control whose whole name means "sign in". A button that submits a form is left out,
 * because it opens no form. If the control cannot be pressed, nothing happens: the login then reports that
 * its field is missing.
 */
export async function openSignInForm(input: PageInput): Promise<void> {
  const { tab } = input;
  try {
    const { elements } = await tab.answer(tab.snapshots.take());
    const opener = elements.find(
      (element) => /^(?:click|navigate)$/.test(element.interactionType) && WHOLE_NAME.test(nameOf(element)),
    );
    // A page that shows a field for a password shows its form already, so the control would send the form.
    if (!opener || elements.some(isPasswordField)) return;
    const target = await targetOf(tab, opener.highlight_index);
    await withoutConsentBanner(input, () => input.click(target, LEFT_CLICK));
  } catch (error) {
    const isObstacle = error instanceof ActionFailure && error.code !== "timeout";
    if (!isObstacle && !(error instanceof DocumentGone) && !(error instanceof DialogOpened)) throw error;
  }
}
