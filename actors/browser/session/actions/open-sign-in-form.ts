/** Opens the form of a sign-in that a page shows only after its button or link is pressed, such as in a dialog. */
import { nameOf } from "../../../../machines/session/element-line.ts";
import { targetOf } from "./clickable-point.ts";
import { LEFT_CLICK, type PageInput } from "./pointer-and-key-input.ts";
import { SIGN_IN_NAME } from "./proof-of-sign-in.ts";

const WHOLE_NAME = new RegExp(`^\\s*${SIGN_IN_NAME}\\s*$`, "i");

/**
 * Presses the first control whose whole name means "sign in". A button that submits a form does not open one. Returns
 * whether the page has such a control.
 */
export async function openSignInForm(input: PageInput): Promise<boolean> {
  const { tab } = input;
  const { elements } = await tab.answer(tab.snapshots.take());
  const opener = elements.find(
    (element) => /^(?:click|navigate)$/.test(element.interactionType) && WHOLE_NAME.test(nameOf(element)),
  );
  if (!opener) return false;
  await input.click(await targetOf(tab, opener.highlight_index), LEFT_CLICK);
  return true;
}
