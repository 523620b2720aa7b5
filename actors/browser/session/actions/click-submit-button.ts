/** Clicks the submit button of a form, unless only the keyboard reaches the button. */
import type { FormFound } from "../../page-script/actions/form-submission.ts";
import { ActionFailure } from "../action-error.ts";
import type { Target } from "./clickable-point.ts";
import { type Data, LEFT_CLICK, type PageInput } from "./pointer-and-key-input.ts";

/**
 * Clicks a submit button. Returns `undefined` if it is not visible, such as the real button that Dojo keeps off
 * the page behind a drawn one, or a button that is clipped away. The form is then
 * submitted as by the Enter key.
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
