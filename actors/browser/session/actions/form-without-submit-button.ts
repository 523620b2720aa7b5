/**
 * Sends a form that has no submit button: finds the button by which the page sends the form, and recognises that a
 * script of the page has stopped the form without doing anything.
 */
import {
  buttonOutsideForm,
  savingButtonInForm,
} from "../../../../machines/session/controls/button-outside-form.ts";
import { formPath } from "../../../../machines/session/page/form-of-element.ts";
import type { HighlightedElement } from "../../../../machines/session/page/page-snapshot.ts";
import type { ButtonFields } from "../../page-script/actions/fields-sent-by-button.ts";
import type { FormFound } from "../../page-script/actions/form-submission.ts";
import type { Tab } from "../tabs/browser-tab.ts";
import type { Frame } from "../tabs/tab-frames.ts";
import { inDocument, type Target, targetOf } from "./clickable-point.ts";

/** A button that sends fields only by a script of the page, and these fields. */
export interface ButtonWithFields {
  readonly target: Target;
  readonly fields: ButtonFields;
}

const hasOwnButton = ({ submitter, disabledSubmitter }: FormFound): boolean =>
  submitter !== undefined || disabledSubmitter !== undefined;

/**
 * Returns the button by which a page sends a form that has no submit button of its own: a button in the form that
 * only runs a script, or a button outside of it, such as "Save" in the title bar of the page. Returns `undefined`
 * if there is none.
 *
 * @param index an element of the form; without it, the form must be the only one of the page
 */
export async function findSavingButton(
  tab: Tab,
  index: number | undefined,
  found: FormFound,
): Promise<ButtonWithFields | undefined> {
  if (found.isSubmitterUnseen || found.isSearch) return undefined;
  const { elements } = await tab.answer(tab.snapshots.take());
  const field = elements.find(({ highlight_index }) => highlight_index === index) ?? onlyForm(elements);
  const inside = field && !hasOwnButton(found) ? savingButtonInForm(field, elements) : undefined;
  const button = inside ?? (field && buttonOutsideForm(field, elements));
  if (!button) return undefined;
  const target = await targetOf(tab, button.highlight_index);
  const call = tab.frames.call(target.frame, "fieldsSentByButton", "find", target.id, found.form);
  const fields = await inDocument(tab, index ?? -1, call);
  return fields ? { target, fields } : undefined;
}

/** Returns an element of the only form of the page; `undefined` if the page has none or several. */
function onlyForm(elements: readonly HighlightedElement[]): HighlightedElement | undefined {
  const inForms = elements.filter((one) => formPath(one) !== undefined);
  const [first] = inForms;
  return first && inForms.every((one) => formPath(one) === formPath(first)) ? first : undefined;
}

/**
 * Must be called before a form without a submit button is sent. The returned function returns whether sending
 * the form had no effect: the page has sent no request, and shows no new text.
 */
export async function watchWithoutButton(
  tab: Tab,
  frame: Frame,
  found: FormFound,
): Promise<() => Promise<boolean>> {
  const { form, lines, values, texts } = found;
  if (hasOwnButton(found)) return async () => false;
  await tab.answer(tab.frames.call(frame, "fieldsSentByButton", "find", null, form));
  const sent = tab.requests.sentOfAction(tab.targetId);
  return async () => {
    if (tab.requests.sentOfAction(tab.targetId) !== sent || tab.dialog) return false;
    if (await tab.answer(tab.frames.call(frame, "fieldsSentByButton", "isPageChanged"))) return false;
    const now = await tab.answer(tab.frames.call(frame, "formSubmission", "find", form));
    const state = JSON.stringify([lines, values, texts]);
    return "form" in now && JSON.stringify([now.lines, now.values, now.texts]) === state;
  };
}
