/**
 * Recognises a confirmation that the page itself shows, over its content or in the place of the pressed control, such
 * as "Delete user? Cancel, Delete".
 * Many pages draw such a question as elements, and do not use the browser's dialog `confirm`.
 */
import { isHighRisk } from "../../risk/risk-words.ts";
import { nameOf } from "../../session/page/element-line.ts";
import type { HighlightedElement, Segment } from "../../session/page/page-snapshot.ts";
import { isField, isList, isTick, roleOf, rowText } from "../elements/texts-that-may-name-element.ts";
import { partsOf } from "../task/split-task-at-imperatives.ts";
import { contentWords, plainWords } from "../words/normalised-words.ts";
import { wordScore } from "../words/word-similarity.ts";
import { isRiskyElement } from "./build-plan-step.ts";
import type { PlanStep } from "./plan-schemas.ts";
import { stepElement } from "./plan-step-element.ts";

/** A question of the page, with the control that confirms it and the one that closes it. */
export interface PageConfirmation {
  readonly question: string;
  readonly confirm: HighlightedElement;
  /** The control that refuses; missing on a page that only has a button to confirm. */
  readonly dismiss?: HighlightedElement | undefined;
  /** Text fields beside the question, such as one for the name of the thing to delete. */
  readonly fields: readonly HighlightedElement[];
  /** Whether the question stands in the place of the pressed control, instead of over the page. */
  readonly inPlace?: true;
}

/** A confirmation that the page also lets a person refuse. */
export interface RefusableConfirmation extends PageConfirmation {
  readonly dismiss: HighlightedElement;
}

interface PageAfterStep {
  readonly highlightedElements: readonly HighlightedElement[];
  readonly segments: readonly Segment[];
}

/** Matches the name of a control that answers a question with no. */
export const REFUSES =
  /^(?:cancel|no(?:,.*)?|keep(?:\s.*)?|not\s+now|abbrechen|nein(?:,.*)?|annuler|non(?:,.*)?|cancelar|annulla)$/iu;
/** Matches the name of a control that closes any dialog, even one that only shows something. */
const CLOSES =
  /^(?:close|(?:go\s+)?back|dismiss|schließen|zurück|fermer|retour|cerrar|volver|chiudi|indietro|[×✕✖x])$/iu;
/**
 * Matches the icon of a control without a name that closes a dialog: `fa-times` and `fa-xmark` (Font Awesome in Kanboard),
 * `bi-x-lg` (Bootstrap), `mdi-close` (Material Design).
 */
const CLOSING_ICON = /^(?:times|close|xmark|x|cross)(?:[\s-]*(?:circle|square|lg|mark|outline|thick|\d))*$/iu;
/** Matches the beginning of a name that agrees to a question, such as "Yes" and "Yes, delete it". */
export const AGREES =
  /^(?:(?:yes|ok(?:ay)?|(?:i['’]m\s+|i\s+am\s+)?sure|confirm|continue|proceed|go\s+ahead|(?:i\s+)?(?:agree|understand)|accept|ja|bestätigen|fortfahren|weiter|oui|confirmer|continuer|valider|s[ií]|confirmar|continuar|aceptar|conferma|continua|procedi)(?!\p{L})[\s,.!]*)+/iu;
/** Matches the name of a control that deletes something. */
export const DELETES =
  /\b(?:delet\p{L}*|remov\p{L}*|erase|destroy|lösch\p{L}*|entfern\p{L}*|supprim\p{L}*|elimin\p{L}*|borra\p{L}*|cancella\p{L}*|rimuov\p{L}*)/iu;
/** Matches the name of a control that only shows an icon for deleting: `fa-trash`, `bi-trash`, `trash-2` (Feather). */
const DELETION_ICON = /^trash(?:[\s-]*(?:can|alt|bin|o|\d))*$/iu;
/**
 * Minimum similarity (0 to 1) at which a word of a question or of its control counts as the same as a word of
 * the step. Synonyms have the similarity 0.8.
 */
const SAME = 0.8;
/**
 * A new dialog counts as a question only if it covers at least this share (0 to 1) of the other visible
 * elements.
 */
const MIN_COVERED = 0.5;
/** Maximum length of the question in an error or in the evidence of a step, in characters. */
const QUESTION_LENGTH = 300;

/**
 * Returns the confirmation that a step has opened; `undefined` if it has opened none. A dialog with several controls
 * to choose from is no confirmation. A dialog with fields is one only if its control deletes something.
 *
 * @param before indices of the elements that the page had before the step; `undefined` if they are not known
 */
export function confirmationOf(
  { highlightedElements, segments }: PageAfterStep,
  before: ReadonlySet<number> | undefined,
): RefusableConfirmation | undefined {
  const seen = highlightedElements.filter(({ in_viewport, disabled }) => in_viewport && disabled !== true);
  const isNew = ({ highlight_index, covered }: HighlightedElement): boolean =>
    covered === undefined && before?.has(highlight_index) !== true;
  const [own, others] = [seen.filter(isNew), seen.filter((one) => !isNew(one))];
  const covered = others.filter((one) => one.covered !== undefined);
  const inPlace = before && questionInPlace(highlightedElements, own, before);
  if (inPlace) return inPlace;
  if (before === undefined && covered.length === 0) return undefined;
  if (covered.length < MIN_COVERED * others.length) return undefined;
  const entries = own.filter((one) => isField(one) || isList(one) || isTick(one));
  const dismissing = own.filter((one) => REFUSES.test(nameOf(one).trim()) || closes(one));
  const [confirm, further] = own.filter(
    (one) => !dismissing.includes(one) && !entries.includes(one) && !isShownOnly(one) && !isSurface(one),
  );
  const dismiss = dismissing.find((one) => !closes(one)) ?? dismissing[0];
  if (!confirm || further || !dismiss || !/^(?:button|link)$/u.test(roleOf(confirm))) return undefined;
  if (entries.length > 0 && !(entries.every(isField) && DELETES.test(nameOf(confirm)))) return undefined;
  return { question: questionAround(confirm, segments), confirm, dismiss, fields: entries };
}

/**
 * Returns the question that has taken the place of the pressed control, such as "Are you sure? yes, no" of Miniflux
 * and "Cancel, Confirm" of Linkding. This is assumed if one control is gone and only two are new: one refuses, and
 * the other agrees or deletes something. Otherwise returns `undefined`.
 */
function questionInPlace(
  page: readonly HighlightedElement[],
  own: readonly HighlightedElement[],
  before: ReadonlySet<number>,
): RefusableConfirmation | undefined {
  const present = new Set(page.map(({ highlight_index }) => highlight_index));
  const added = page.filter(({ highlight_index }) => !before.has(highlight_index));
  if (added.length !== 2 || own.length !== 2) return undefined;
  if ([...before].filter((index) => !present.has(index)).length !== 1) return undefined;
  const dismiss = own.find((one) => REFUSES.test(nameOf(one).trim()));
  const confirm = own.find((one) => one !== dismiss);
  if (!dismiss || !confirm || !/^(?:button|link)$/u.test(roleOf(confirm))) return undefined;
  const name = nameOf(confirm).trim();
  if (!AGREES.test(name) && !DELETES.test(name)) return undefined;
  return { question: shortened(rowText(confirm) || name), confirm, dismiss, fields: [], inPlace: true };
}

/**
 * Whether a confirmation needs the approval of the person. It does if it replaces the pressed control, asks a
 * question, or has a control of high risk. A dialog with a control "Close" may only show a record, with a button
 * "Delete". So it needs approval only if it asks a question and its control agrees ("Yes") or has a high risk.
 */
export function asksForApproval({ question, confirm, dismiss, inPlace }: PageConfirmation): boolean {
  if (inPlace || !dismiss) return true;
  const isQuestion = question.includes("?");
  const isRisky = isRiskyElement(confirm);
  return closes(dismiss)
    ? isQuestion && (isRisky || AGREES.test(nameOf(confirm).trim()))
    : isQuestion || isRisky;
}

/**
 * Whether the approval of a step is also the approval of the confirmation that the step has opened. There are
 * three cases: the person has approved the question, the control only agrees ("Yes"), or the control does
 * what the step does. For a step "Delete", the question "Leave without saving?" is none of them.
 */
export function isApproved({ question, confirm }: PageConfirmation, { target, approved }: PlanStep): boolean {
  if (approved === question) return true;
  const name = nameOf(confirm).trim();
  const action = name.replace(AGREES, "");
  const stepWords = [target?.name ?? "", ...(target?.also ?? [])].join(" ");
  const icon = target?.attributes?.icon ?? target?.name.trim() ?? "";
  const deletes = DELETES.test(stepWords) || DELETION_ICON.test(icon);
  if (DELETES.test(action) && deletes) return true;
  const words = contentWords(action);
  if (words.length === 0) return name !== "";
  const risky = plainWords(stepWords).filter(isHighRisk);
  const isOf = (word: string, text: string): boolean => wordScore(word, contentWords(text)) >= SAME;
  // If the step has risky words, the control must have one of them. In other steps, the first word of the control
  // must be a word of the step. This word is usually the verb. A noun in both, such as "user", proves nothing.
  return risky.length > 0
    ? words.some((word) => isOf(word, risky.join(" ")))
    : words.slice(0, 1).some((word) => isOf(word, stepWords));
}

/**
 * Whether the next step of the plan answers the confirmation, because the step uses a control or a field of this
 * confirmation. A step "Delete" that was planned for another row does not answer it, even if the confirmation has a
 * control "Delete".
 */
export function isLeftToStep(asked: PageConfirmation, next: PlanStep | undefined): boolean {
  if (!next) return false;
  const { confirm, dismiss, fields } = asked;
  const found = stepElement(next, [confirm, ...(dismiss ? [dismiss] : []), ...fields]);
  if (!("element" in found)) return false;
  const { element } = found;
  return element === dismiss || next.targetId === null || next.targetId === element.highlight_index;
}

/**
 * Whether an element is a list entry on which a click does nothing. A confirmation of Vuetify lists the
 * things to delete in such entries.
 */
const isShownOnly = ({ role, attributes: { tabindex } }: HighlightedElement): boolean =>
  role === "listitem" && tabindex === "-1";

/**
 * Whether an element is the empty surface behind a dialog: it has neither a name nor an icon, and only a script makes
 * it a control (`v-overlay` of Directus, `modal-background` of Bulma). A click on it closes the dialog.
 */
const isSurface = (element: HighlightedElement): boolean =>
  /^(?:div|span)$/u.test(element.tagName.toLowerCase()) &&
  !element.role &&
  !element.icon &&
  nameOf(element).trim() === "";

/** Whether a layer covers so much of the page that it may be a question. */
export function coversPage(shown: readonly HighlightedElement[]): boolean {
  const covered = shown.filter((one) => one.covered !== undefined).length;
  return covered > 0 && covered >= (shown.length - covered) * MIN_COVERED;
}

export const closes = (element: HighlightedElement): boolean => {
  const name = nameOf(element).trim();
  return name === "" ? CLOSING_ICON.test(element.icon ?? "") : CLOSES.test(name);
};

/**
 * Returns the text of a question, which is the text around the control that confirms it: that of the control's row or
 * segment. If there is none, returns the name of the control.
 */
export function questionAround(confirm: HighlightedElement, segments: readonly Segment[]): string {
  const segment = segments.find(({ index }) => index === confirm.segment)?.textContent ?? "";
  const [longest = ""] = [rowText(confirm), segment].toSorted((one, other) => other.length - one.length);
  return shortened(longest || nameOf(confirm));
}

const shortened = (text: string): string => text.replace(/\s+/gu, " ").trim().slice(0, QUESTION_LENGTH);

/** A dialog of the browser that asks something: `confirm`, `prompt` or `beforeunload`. */
interface BrowserDialog {
  readonly type: string;
  readonly message: string;
}

/** Words of questions that do not say what they ask about, such as "Are you sure? This cannot be undone." */
const UNSPECIFIC: ReadonlySet<string> = new Set(
  contentWords(
    "are you sure really certain want do does did would like wish continue proceed confirm action operation change changes this " +
      "cannot can not be undone undo irreversible permanent permanently ok yes no will go ahead item entry record selected " +
      "sind sie sicher wirklich mochten wollen fortfahren aktion kann nicht ruckgangig gemacht werden diese bestatigen eintrag " +
      "etes vous sur sure vraiment voulez vouloir continuer action irreversible confirmer cette ne peut pas etre annulee " +
      "esta seguro segura realmente quiere desea continuar accion deshacer no se puede confirmar esta " +
      "sei sicuro sicura davvero vuoi voler continuare azione annullabile non confermare",
  ),
);

/** Whether a question does not say what it asks about. */
export const isUnspecific = (question: string): boolean =>
  contentWords(question).every((word) => UNSPECIFIC.has(word));

/** Whether a text is about deleting something. */
export const isAboutDeletion = (text: string): boolean => DELETES.test(text);

/**
 * Whether the approval of a step also accepts a dialog of the browser. A `beforeunload` dialog is accepted
 * only if the person has approved its question. A `confirm` dialog is also accepted if its question is
 * unspecific ("Are you sure?"), or names the action of the step or its task. For a step "Sign out", the
 * question "Discard your draft?" is not accepted.
 */
export function isDialogApproved(
  { type, message }: BrowserDialog,
  { target, approved, description }: PlanStep,
  task: string,
): boolean {
  if (type !== "confirm") return approved === message && type === "beforeunload";
  if (approved === message) return true;
  if (isUnspecific(message)) return true;
  const words = contentWords(message);
  // If the task has several parts, its words are not compared with the question: the part that deletes something may
  // belong to another step.
  const parts = partsOf(task, 2).length > 1 ? [] : [task];
  const said = [target?.name ?? "", ...(target?.also ?? []), description, ...parts].join(" ");
  if (DELETES.test(message) && DELETES.test(said)) return true;
  const verbs = plainWords(said).filter(isHighRisk);
  // If neither the step nor its task has a risky word, the question must contain the first word of the step's
  // control.
  const [first] = contentWords(target?.name ?? "");
  const acts = verbs.length > 0 ? contentWords(verbs.join(" ")) : first === undefined ? [] : [first];
  return words.some((word) => wordScore(word, acts) >= SAME);
}
