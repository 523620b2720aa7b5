/**
 * Recognises a page that only asks for a confirmation, such as "Yes, I'm sure" and "No, take me back" in Django's
 * administration, or "Delete" and "Cancel" in pretix. It has a form without fields, with one button that confirms and,
 * except for a button with the name "Confirm" (WordPress, views of Django), one control that goes back. A step that
 * leads to such a page has not done its action yet.
 */

import { nameOf } from "../../session/page/element-line.ts";
import { formPath } from "../../session/page/form-of-element.ts";
import type { HighlightedElement, Segment } from "../../session/page/page-snapshot.ts";
import { isField, isList, isTick } from "../elements/texts-that-may-name-element.ts";
import {
  AGREES,
  closes,
  DELETES,
  type PageConfirmation,
  questionAround,
  REFUSES,
} from "./confirmation-question-on-page.ts";

/**
 * Returns the confirmation for which a new page asks. Returns `undefined` if the page still has elements of the page
 * before it, or if it does not have exactly one form that only asks for a confirmation.
 *
 * @param before indices of the elements that the page had before the step
 */
export function confirmationForm(
  page: {
    readonly highlightedElements: readonly HighlightedElement[];
    readonly segments: readonly Segment[];
  },
  before: ReadonlySet<number> | undefined,
): PageConfirmation | undefined {
  const { highlightedElements: elements, segments } = page;
  if (!before || elements.some(({ highlight_index }) => before.has(highlight_index))) return undefined;
  const forms = Map.groupBy(elements, (element) => formPath(element));
  const [asked, other] = [...forms].flatMap(([path, controls]): readonly PageConfirmation[] => {
    if (path === undefined) return [];
    const fields = controls.filter((one) => isField(one) || isList(one) || isTick(one));
    const dismiss = controls.find((one) => refuses(one));
    const buttons = controls.filter((one) => one.interactionType === "submit" && one !== dismiss);
    const [confirm, further] = buttons;
    if (!confirm || further || !confirms(confirm)) return [];
    const name = nameOf(confirm).trim();
    // A form that asks what to do with the content of a deleted user has fields too.
    const isClear = CONFIRMS.test(name) && (fields.length === 0 || DELETES.test(name));
    if (!isClear && (!dismiss || fields.length > 0)) return [];
    return [{ question: questionOf(confirm, segments), confirm, dismiss, fields }];
  });
  return other ? undefined : asked;
}

/** Matches the name of a button that only confirms, so that its form is no other form even without "Cancel". */
const CONFIRMS = /^(?:confirm|yes|bestätigen|ja|confirmer|oui|confirmar|sí|conferma|sì)(?!\p{L})/iu;

/** Returns the sentence before the first question mark in the text around the button; all the text if it asks nothing. */
function questionOf(confirm: HighlightedElement, segments: readonly Segment[]): string {
  const text = segments.find(({ index }) => index === confirm.segment)?.textContent ?? "";
  return /[^.?!\n]*\?/u.exec(text)?.[0].trim() ?? questionAround(confirm, segments);
}

const refuses = (one: HighlightedElement): boolean => REFUSES.test(nameOf(one).trim()) || closes(one);

const confirms = (one: HighlightedElement): boolean => {
  const name = nameOf(one).trim();
  return AGREES.test(name) || DELETES.test(name);
};
