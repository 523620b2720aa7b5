/**
 * Decides how a step that removes an object answers the questions of the page. A question may be a native
 * dialog, a dialog of the page, two controls in the place of the pressed one, or a page with a form. Only a
 * question about this object is confirmed.
 */
import {
  confirmationOf,
  isAboutDeletion,
  isUnspecific,
} from "../dialogue/plan/confirmation-question-on-page.ts";
import { addressWords, operationOfName } from "../knowledge/screens/operation-and-thing-of-task.ts";
import { wordsOf } from "../knowledge/screens/screen-name-index.ts";
import { isInside } from "../knowledge/tasks/control-that-removes-object.ts";
import { nameOf } from "../session/page/element-line.ts";
import type { HighlightedElement, Segment } from "../session/page/page-snapshot.ts";
import type { PageTexts } from "../session/page/session-page-links-and-forms.ts";
import type { Removal } from "./walk-schemas.ts";

/** The page after the press of a control that removes an object. */
export interface PageAfterPress extends PageTexts {
  readonly url: string;
  readonly headings: readonly string[];
  readonly highlightedElements: readonly HighlightedElement[];
  readonly segments: readonly Segment[];
}

/**
 * A question that is confirmed: the control to press, and the fields into which the object's name must be
 * typed.
 */
export interface RemovalQuestion {
  readonly question: string;
  readonly confirm: HighlightedElement;
  /** The control that answers the question with no. Missing if the question is a separate page. */
  readonly dismiss?: HighlightedElement;
  readonly fields: readonly HighlightedElement[];
}

export type RemovalAnswer =
  | { readonly confirm: RemovalQuestion }
  /** The page asks a question that must not be confirmed. `dismiss` is the control that refuses it. */
  | { readonly refuse: string; readonly dismiss?: HighlightedElement }
  | { readonly none: true };

/** Matches the name of a control that agrees to a question. */
const AGREES =
  /^(?:yes|ok(?:ay)?|confirm|continue|proceed|i['’]m sure|i am sure|ja|bestätigen|oui|confirmer|s[ií]|confirmar|conferma)(?!\p{L})/iu;
/** Matches words of a page that asks whether something is really to be removed. */
const SURE =
  /(?<!\p{L})(?:sure|confirm|really|irreversibl[ey]|undone|permanently|wirklich|sicher|endgültig|vraiment|confirmer|seguro|confirmar|sicuro|conferma|weet u zeker)(?!\p{L})/iu;
/** Matches the name of a control that acts on several objects, such as "Delete all". */
const BULK = /(?<!\p{L})(?:all|selected|alle|ausgewählte|tous|todos|tutti)(?!\p{L})/iu;
/** Matches the name of a control that takes a removal back. */
const UNDOES = /^(?:undo|rückgängig|annuler|deshacer|annulla|ongedaan maken)(?!\p{L})/iu;
/** Maximum length of a question in an answer, in characters. */
const QUESTION_LENGTH = 300;

/** Matches a question that removes several objects, such as "Delete all vouchers?" and "Delete the 3 selected vouchers?" */
const SEVERAL =
  /(?:delet|remov|eras|clear|empty|supprim|elimin|borra|cancell|rimuov)\p{L}*\s+(?:(?:the|les|los|las|i|gli|le)\s+)?(?:\d{1,3}(?:[.,'’]\d{3})+|\d{2,}|[2-9]|all|every\p{L}*|selected|tous|toutes|tout|tod[oa]s?|tutt[oaie])(?!\p{L})|(?<!\p{L})(?:alle|sämtliche|ausgewählte)n?\s[^.?!]*(?:lösch|entfern)|(?<!\p{L})(?:\d{1,3}(?:[.'’]\d{3})+|\d{2,}|[2-9])\s[^.?!]*(?:lösch|entfern)/iu;
/** Matches a word for the ticked rows of a list. */
const SELECTED =
  /(?<![\p{L}\p{N}])(?:the\s+)?(?:1\s+)?(?:selected|ausgewählten?|sélectionnée?s?|seleccionad[oa]s?|selezionat[ieoa])(?!\p{L})/giu;
/** Matches words for a trash in a question. Many applications remove an object by moving it to a trash. */
const TRASH = /(?<!\p{L})(?:trash|bin|papierkorb|corbeille|papelera|cestino|prullenbak)(?!\p{L})/iu;

/**
 * Whether a question is about the object that is to be removed. The question must name this object, or only a
 * removal: "Are you sure?", "Delete this user?". "Discard your draft?" and "Delete all users?" are not about the
 * object.
 */
export function isAboutObject(question: string, { name, others, tick }: Removal): boolean {
  const spaced = (text: string): string => ` ${wordsOf(text).join(" ")} `;
  const has = (text: string, one: string): boolean => spaced(one).trim() !== "" && text.includes(spaced(one));
  const own = spaced(question);
  // The name of another object, such as "SUMMER 2025", may contain the name of this object, "SUMMER". Such
  // longer names are removed from the question first.
  const longer = others.filter((other) => spaced(other) !== spaced(name) && has(spaced(other), name));
  const withoutLonger = longer.reduce((text, other) => text.replaceAll(spaced(other), " "), own);
  if (has(withoutLonger, name)) return true;
  if (others.some((other) => has(own, other) && !has(spaced(name), other))) return false;
  // Only the row of the object is ticked, so "the selected users" in a question refers to this object alone.
  const written = tick === undefined ? question : question.replace(SELECTED, " ");
  if (SEVERAL.test(written)) return false;
  return (
    isUnspecific(question) ||
    isAboutDeletion(question) ||
    TRASH.test(question) ||
    wordsOf(question).some((word) => operationOfName(word) === "remove")
  );
}

/**
 * Returns how to answer the page after the control that removes an object was pressed.
 *
 * @param before indices of the elements before the press; `undefined` if the page is a new document
 */
export function answerToPage(
  page: PageAfterPress,
  before: ReadonlySet<number> | undefined,
  removal: Removal,
): RemovalAnswer {
  const asked = before && confirmationOf(page, before);
  if (asked) {
    const { question, confirm, dismiss, fields } = asked;
    const isOwn = isAboutObject(`${question} ${nameOf(confirm)}`, removal);
    const isRemoving = operationOfName(nameOf(confirm)) === "remove" || AGREES.test(nameOf(confirm).trim());
    const answer = removal.tick === undefined ? nameOf(confirm) : nameOf(confirm).replace(SELECTED, " ");
    if (!isOwn || !isRemoving || BULK.test(answer)) return { refuse: question, dismiss };
    return { confirm: { question, confirm, dismiss, fields } };
  }
  return answerToConfirmationPage(page, before, removal);
}

/** Returns how to answer a page, or a new part of a page, that asks whether to remove the object. */
function answerToConfirmationPage(
  page: PageAfterPress,
  before: ReadonlySet<number> | undefined,
  removal: Removal,
): RemovalAnswer {
  const isAt = (url: string | undefined): boolean => url !== undefined && pathOf(url) === pathOf(page.url);
  if (isAt(removal.list)) return { none: true };
  const text = page.texts.map((one) => one.text).join(" ");
  const asks =
    addressWords(page.url).operation === "remove" ||
    page.headings.some((heading) => operationOfName(heading) === "remove" || SURE.test(heading)) ||
    SURE.test(text);
  const controls = page.highlightedElements.filter(
    (element) =>
      before?.has(element.highlight_index) !== true && confirms(element) && !isInRow(page, element),
  );
  const [confirm, further] = controls;
  if (!asks || !confirm || (isAt(removal.page) && before === undefined && !SURE.test(text)))
    return { none: true };
  const question =
    page.texts.find((one) => SURE.test(one.text) || one.text.includes("?"))?.text ?? page.headings[0] ?? "";
  const shown = question.slice(0, QUESTION_LENGTH);
  if (further || !` ${wordsOf(text).join(" ")} `.includes(` ${wordsOf(removal.name).join(" ")} `))
    return { refuse: shown };
  return { confirm: { question: shown, confirm, fields: [] } };
}

/** Whether a control shows that a removal can still be taken back. */
export const takesBack = (element: HighlightedElement): boolean => UNDOES.test(nameOf(element).trim());

function confirms(element: HighlightedElement): boolean {
  const { tagName, interactionType, disabled } = element;
  const name = nameOf(element).trim();
  const isButton = interactionType === "submit" || tagName === "button" || element.role === "button";
  const isRemoving = operationOfName(name) === "remove" || AGREES.test(name);
  return isButton && disabled !== true && isRemoving && !BULK.test(name);
}

/**
 * Whether a control belongs to a row of a list: the row contains further texts, which are not names of controls such
 * as "Cancel".
 */
function isInRow({ rows, texts }: PageAfterPress, { xpath, ...element }: HighlightedElement): boolean {
  const name = nameOf({ xpath, ...element });
  return rows.some(
    (row) =>
      isInside(xpath, row) &&
      texts.some((text) => isInside(text.xpath, row) && !name.includes(text.text) && !isAnswer(text.text)),
  );
}

/** Whether a text is the name of a control that does not confirm, such as "Cancel". */
const isAnswer = (text: string): boolean =>
  /^(?:cancel|no|back|abbrechen|annuler|cancelar|annulla)(?!\p{L})/iu.test(text);

const pathOf = (url: string): string => {
  const parsed = URL.parse(url);
  return parsed
    ? `${parsed.origin}${parsed.pathname.replace(/\/$/u, "")}${parsed.hash.startsWith("#/") ? parsed.hash : ""}`
    : url;
};
