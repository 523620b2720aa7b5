/** Clicks the submit button of a form, unless only the keyboard reaches the button. */
import type { FormFound } from "../../page-script/actions/form-submission.ts";
import { ActionFailure } from "../action-error.ts";
import type { Target } from "./clickable-point.ts";
import { type Data, LEFT_CLICK, type PageInput } from "./pointer-and-key-input.ts";

/**
 * Clicks a submit button. Returns `undefined` if the button is not visible: it is clipped away, or the page
 * draws another button in its place and keeps it off the screen (Dojo). The form is then submitted as by the
 * Enter key.
 */
export async function clickSubmitButton(
  input: PageInput,
  { isSubmitterUnseen }: Pick<FormFound, "isSubmitterUnseen">,
  button: Target,
): Promise<Data | undefined> {
  if (isSubmitterUnseen) return undefined;
  try {
    return await input.click(button, LEFT_CLICK);
  } catch (error) {
    if (error instanceof ActionFailure && error.code === "element_not_visible") return undefined;
    throw error;
  }
}
