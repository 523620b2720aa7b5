/**
 * Recognises a confirmation that the page itself shows over its content, such as "Delete user? Cancel, Delete".
 * Most libraries draw such a question as elements of the page (Bootstrap, Material UI, Kolibri) and do not use
 * the browser's dialog `confirm`.
 */
import { nameOf } from "../session/element-line.ts";
import type { HighlightedElement, Segment } from "../session/page-snapshot.ts";
import { isRiskyElement } from "./build-plan-step.ts";
import { isField, isList, isTick, roleOf, rowText } from "./element-names.ts";

/** A question of the page, with the control that confirms it and the one that closes it. */
export interface PageConfirmation {
  readonly question: string;
  readonly confirm: HighlightedElement;
  readonly dismiss: HighlightedElement;
  /** Whether the page asks for a text too, such as the name of the thing to delete. No plan has this text. */
  readonly needsText: boolean;
}

interface PageAfterStep {
  readonly highlightedElements: readonly HighlightedElement[];
  readonly segments: readonly Segment[];
}

/** Matches the name of a control that closes a question without doing anything. */
const DISMISSES =
  /^(?:cancel|no(?:,.*)?|close|(?:go\s+)?back|keep(?:\s.*)?|dismiss|not\s+now|abbrechen|nein(?:,.*)?|schließen|zurück|annuler|non(?:,.*)?|fermer|retour|cancelar|cerrar|volver|annulla|chiudi|indietro|[×✕✖x])$/iu;
/** Matches the name of a control that deletes something. */
const DELETES =
  /\b(?:delete|remove|erase|destroy|lösch\p{L}*|entfern\p{L}*|supprim\p{L}*|elimin\p{L}*|borra\p{L}*|cancella\p{L}*|rimuov\p{L}*)/iu;
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
  const dismissing = own.filter((one) => DISMISSES.test(nameOf(one).trim()));
  const [confirm, further] = own.filter((one) => !dismissing.includes(one) && !entries.includes(one));
  const [dismiss] = dismissing.toSorted((one, other) => nameOf(other).length - nameOf(one).length);
  if (!confirm || further || !dismiss || !/^(?:button|link)$/u.test(roleOf(confirm))) return undefined;
  if (entries.length > 0 && !(entries.every(isField) && DELETES.test(nameOf(confirm)))) return undefined;
  return { question: questionOf(confirm, segments), confirm, dismiss, needsText: entries.length > 0 };
}

/** Whether a confirmation asks something, or its control does something that may not be undone. */
export const asksForApproval = ({ question, confirm }: PageConfirmation): boolean =>
  question.includes("?") || isRiskyElement(confirm);

function questionOf(confirm: HighlightedElement, segments: readonly Segment[]): string {
  const segment = segments.find(({ index }) => index === confirm.segment)?.textContent ?? "";
  const [longest = ""] = [rowText(confirm), segment].toSorted((one, other) => other.length - one.length);
  return (longest || nameOf(confirm)).replace(/\s+/gu, " ").trim().slice(0, QUESTION_LENGTH);
}
