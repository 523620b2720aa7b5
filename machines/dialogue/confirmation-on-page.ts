/**
 * Recognises a confirmation that the page itself shows over its content, such as "Delete user? Cancel, Delete".
 * Many pages draw such a question as elements, and do not use the browser's dialog `confirm`.
 */
import { isHighRisk } from "../risk/risk-words.ts";
import { nameOf } from "../session/element-line.ts";
import type { HighlightedElement, Segment } from "../session/page-snapshot.ts";
import { isRiskyElement } from "./build-plan-step.ts";
import { isField, isList, isTick, roleOf, rowText } from "./element-names.ts";
import { contentWords, plainWords } from "./normalised-words.ts";
import type { PlanStep } from "./plan-schemas.ts";
import { stepElement } from "./plan-step-element.ts";
import { partsOf } from "./split-task-at-imperatives.ts";
import { wordScore } from "./word-similarity.ts";

/** A question of the page, with the control that confirms it and the one that closes it. */
export interface PageConfirmation {
  readonly question: string;
  readonly confirm: HighlightedElement;
  readonly dismiss: HighlightedElement;
  /** Fields for a text that the page asks for too, such as the name of the thing to delete. */
  readonly fields: readonly HighlightedElement[];
}

interface PageAfterStep {
  readonly highlightedElements: readonly HighlightedElement[];
  readonly segments: readonly Segment[];
}

/** Matches the name of a control that answers a question with no. */
const REFUSES =
  /^(?:cancel|no(?:,.*)?|keep(?:\s.*)?|not\s+now|abbrechen|nein(?:,.*)?|annuler|non(?:,.*)?|cancelar|annulla)$/iu;
/** Matches the name of a control that closes any dialog, also one that only shows something. */
const CLOSES =
  /^(?:close|(?:go\s+)?back|dismiss|schließen|zurück|fermer|retour|cerrar|volver|chiudi|indietro|[×✕✖x])$/iu;
/** Matches the beginning of a name that agrees to a question, such as "Yes" and "Yes, delete it". */
const AGREES =
  /^(?:(?:yes|ok(?:ay)?|(?:i['’]m\s+|i\s+am\s+)?sure|confirm|continue|proceed|go\s+ahead|(?:i\s+)?(?:agree|understand)|accept|ja|bestätigen|fortfahren|weiter|oui|confirmer|continuer|valider|s[ií]|confirmar|continuar|aceptar|conferma|continua|procedi)(?!\p{L})[\s,.!]*)+/iu;
/** Matches the name of a control that deletes something. */
const DELETES =
  /\b(?:delet\p{L}*|remov\p{L}*|erase|destroy|lösch\p{L}*|entfern\p{L}*|supprim\p{L}*|elimin\p{L}*|borra\p{L}*|cancella\p{L}*|rimuov\p{L}*)/iu;
/** Minimum score (0 to 1) of a word of a control as a word of the step. Synonyms score 0.8. */
const SAME = 0.8;
/** Minimum share (0 to 1) of the elements of the page that a question covers. */
const MIN_COVERED = 0.5;
/** Maximum length of the question in an error or in the evidence of a step, in characters. */
const QUESTION_LENGTH = 300;

/**
 * Returns the confirmation that a step has opened; `undefined` if it has opened none. A dialog with fields is a
 * form, unless its control deletes something. A dialog with several controls that do something is a choice.
 *
 * @param before indices of the elements that the page had before the step; `undefined` if they are not known
 */
export function confirmationOf(
  { highlightedElements, segments }: PageAfterStep,
  before: ReadonlySet<number> | undefined,
): PageConfirmation | undefined {
  const seen = highlightedElements.filter(({ in_viewport, disabled }) => in_viewport && disabled !== true);
  const isNew = ({ highlight_index, covered }: HighlightedElement): boolean =>
    covered === undefined && before?.has(highlight_index) !== true;
  const [own, others] = [seen.filter(isNew), seen.filter((one) => !isNew(one))];
  const covered = others.filter((one) => one.covered !== undefined);
  if (before === undefined && covered.length === 0) return undefined;
  if (covered.length < MIN_COVERED * others.length) return undefined;
  const entries = own.filter((one) => isField(one) || isList(one) || isTick(one));
  const dismissing = own.filter((one) => REFUSES.test(nameOf(one).trim()) || closes(one));
  const [confirm, further] = own.filter((one) => !dismissing.includes(one) && !entries.includes(one));
  const dismiss = dismissing.find((one) => !closes(one)) ?? dismissing[0];
  if (!confirm || further || !dismiss || !/^(?:button|link)$/u.test(roleOf(confirm))) return undefined;
  if (entries.length > 0 && !(entries.every(isField) && DELETES.test(nameOf(confirm)))) return undefined;
  return { question: questionOf(confirm, segments), confirm, dismiss, fields: entries };
}

/**
 * Whether a confirmation asks something, or its control does something that may not be undone. A dialog with "Close"
 * may also only show something, such as a record with a button "Delete". So it must ask whether to do it.
 */
export function asksForApproval({ question, confirm, dismiss }: PageConfirmation): boolean {
  const isQuestion = question.includes("?");
  const isRisky = isRiskyElement(confirm);
  return closes(dismiss)
    ? isQuestion && (isRisky || AGREES.test(nameOf(confirm).trim()))
    : isQuestion || isRisky;
}

/**
 * Whether the approval of a step also counts for the confirmation: the person has approved this question, or its
 * control agrees to it or does what the step does. A step "Delete" is no approval of "Leave without saving?".
 */
export function isApproved({ question, confirm }: PageConfirmation, { target, approved }: PlanStep): boolean {
  if (approved === question) return true;
  const name = nameOf(confirm).trim();
  const action = name.replace(AGREES, "");
  const stepWords = [target?.name ?? "", ...(target?.also ?? [])].join(" ");
  if (DELETES.test(action) && DELETES.test(stepWords)) return true;
  const words = contentWords(action);
  if (words.length === 0) return name !== "";
  const risky = plainWords(stepWords).filter(isHighRisk);
  const isOf = (word: string, text: string): boolean => wordScore(word, contentWords(text)) >= SAME;
  // Without a word of risk, the first word decides. A noun that both have, such as "user", says nothing.
  return risky.length > 0
    ? words.some((word) => isOf(word, risky.join(" ")))
    : words.slice(0, 1).some((word) => isOf(word, stepWords));
}

/**
 * Whether the next step of the plan uses a control or a field of the confirmation. A step for an element that the page had
 * when the plan was made, such as "Delete" in another row, does not confirm the question by its name.
 */
export function isLeftToStep(asked: PageConfirmation, next: PlanStep | undefined): boolean {
  if (!next) return false;
  const { confirm, dismiss, fields } = asked;
  const found = stepElement(next, [confirm, dismiss, ...fields]);
  if (!("element" in found)) return false;
  const { element } = found;
  return element === dismiss || next.targetId === null || next.targetId === element.highlight_index;
}

const closes = (element: HighlightedElement): boolean => CLOSES.test(nameOf(element).trim());

function questionOf(confirm: HighlightedElement, segments: readonly Segment[]): string {
  const segment = segments.find(({ index }) => index === confirm.segment)?.textContent ?? "";
  const [longest = ""] = [rowText(confirm), segment].toSorted((one, other) => other.length - one.length);
  return (longest || nameOf(confirm)).replace(/\s+/gu, " ").trim().slice(0, QUESTION_LENGTH);
}

/** A dialog of the browser that asks something: `confirm`, `prompt` or `beforeunload`. */
interface BrowserDialog {
  readonly type: string;
  readonly message: string;
}

/** Words of a question that says nothing about what it is for, such as "Are you sure? This cannot be undone." */
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

/** Whether a question says nothing about what it is for. */
export const isUnspecific = (question: string): boolean =>
  contentWords(question).every((word) => UNSPECIFIC.has(word));

/** Whether a text is about deleting something. */
export const isAboutDeletion = (text: string): boolean => DELETES.test(text);

/**
 * Whether the approval of a step counts for a `confirm` of the browser: the person has approved this question, or it
 * says nothing about what it is for, or it names the action of the step or of its task. "Discard your draft?" is none
 * of these for a step "Sign out". Leaving a page with unsaved values (`beforeunload`) is no action of a step.
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
  // Of several parts of a task, another one than that of the step may delete something.
  const parts = partsOf(task, 2).length > 1 ? [] : [task];
  const said = [target?.name ?? "", ...(target?.also ?? []), description, ...parts].join(" ");
  if (DELETES.test(message) && DELETES.test(said)) return true;
  const verbs = plainWords(said).filter(isHighRisk);
  // Without a word of risk, the first word of the control decides.
  const [first] = contentWords(target?.name ?? "");
  const acts = verbs.length > 0 ? contentWords(verbs.join(" ")) : first === undefined ? [] : [first];
  return words.some((word) => wordScore(word, acts) >= SAME);
}
