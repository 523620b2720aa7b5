/**
 * Recognises the question of an application whether to leave a page with values that are not saved. The browser asks
 * it (`beforeunload`), a script does (`confirm`), or the page draws it as a dialog.
 */
import { shortHash } from "../../knowledge/screens/screen-id.ts";
import type { ActionOutcome } from "../../session/actions/action-outcome.ts";
import { nameOf } from "../../session/page/element-line.ts";
import type { HighlightedElement, Segment } from "../../session/page/page-snapshot.ts";
import { roleOf } from "../elements/texts-that-may-name-element.ts";
import { coversPage, questionAround, REFUSES } from "./confirmation-question-on-page.ts";

/** A native dialog of a page. `type` is `alert`, `confirm`, `prompt` or `beforeunload`. */
export interface NativeDialog {
  readonly type: string;
  readonly message: string;
}

/**
 * Matches a question about values that are not saved. "There are unsaved changes, are you sure you want to exit?" is
 * from KeystoneJS, "Some of your changes weren't saved" from React Admin, "Discard changes?" from Directus.
 */
const ABOUT_UNSAVED =
  /\bunsaved\b|\b(?:not|\p{L}+n['’]t)\s+(?:yet\s+)?(?:been\s+)?saved\b|\b(?:changes|edits|entries|input|data)\b.*\b(?:lost|discard\p{L}*|lose)\b|\b(?:discard|lose|abandon)\b.*\b(?:changes|edits|draft|entries)\b|\bleave\s+(?:this|the)\s+(?:page|site|form|screen)\b|ungespeichert|nicht\s+gespeichert|änderungen.*(?:verlor|verwerfen)|(?:non|pas\s+(?:été\s+)?)\s*(?:enregistr|sauvegard)|modifications.*perdu|sin\s+guardar|cambios.*(?:perder|descartar)|non\s+salvat|não\s+salv|niet\s+opgeslagen/iu;

/** Matches the name of a control that leaves the page, so that the values are lost. */
const LEAVES =
  /^(?:(?:discard|leave|exit|ignore)(?:\s.*)?|(?:don['’]t|do\s+not)\s+save|yes(?:[\s,].*)?|ok(?:ay)?|confirm|continue|proceed|(?:seite\s+)?verlassen|(?:änderungen\s+)?verwerfen|ja|quitter|oui|salir|descartar|sí)$/iu;
/** Matches the name of a control that stays on the page, in addition to those that refuse any question. */
const STAYS =
  /^(?:stay(?:\s.*)?|continue\s+editing|go\s+back|bleiben|weiter\s+bearbeiten|rester|quedarse)$/iu;

/** Whether a native dialog asks whether to leave a page with values that are not saved. */
export const asksBeforeLeaving = ({ type, message }: NativeDialog): boolean =>
  type === "beforeunload" || (type === "confirm" && ABOUT_UNSAVED.test(message));

/** Returns the native dialog that an action has opened or that has blocked it; `undefined` if there was none. */
export function dialogOfOutcome({
  data: { effect, code, dialog },
}: Pick<ActionOutcome, "data">): NativeDialog | undefined {
  // The cast is safe: the session adds the dialog to such outcomes.
  return effect === "dialog_opened" || code === "dialog_open" ? (dialog as NativeDialog) : undefined;
}

/**
 * The question whether to leave a page, which the page itself shows as a dialog, with the controls for both answers.
 */
export interface QuestionBeforeLeaving {
  readonly question: string;
  readonly leave: HighlightedElement;
  readonly stay: HighlightedElement;
}

/** Returns the question of the page before it is left; `undefined` if the page shows none. */
export function questionBeforeLeaving(page: {
  readonly highlightedElements: readonly HighlightedElement[];
  readonly segments: readonly Segment[];
}): QuestionBeforeLeaving | undefined {
  const shown = page.highlightedElements.filter(
    ({ in_viewport, disabled }) => in_viewport && disabled !== true,
  );
  if (!coversPage(shown)) return undefined;
  const controls = shown.filter((one) => one.covered === undefined && /^(?:button|link)$/u.test(roleOf(one)));
  const named = (pattern: RegExp) => controls.find((one) => pattern.test(nameOf(one).trim()));
  const stay = named(STAYS) ?? named(REFUSES);
  const leave = controls.find((one) => one !== stay && LEAVES.test(nameOf(one).trim()));
  if (!leave || !stay) return undefined;
  const question = questionAround(leave, page.segments);
  return ABOUT_UNSAVED.test(question) ? { question, leave, stay } : undefined;
}

/** Returns the value of `approve_risk` that approves exactly this question. */
export const questionKey = (question: string): string => `answer-yes-${shortHash(question)}`;

/** Returns the text of a native dialog. A `beforeunload` dialog has no message that a page may choose. */
export const questionText = ({ type, message }: NativeDialog): string =>
  message.trim() === "" && type === "beforeunload" ? "Leave the page? Changes may not be saved." : message;

/** Returns the error of a task whose question was answered with no. */
export const questionError = (question: string): string =>
  `The page asks: "${question}". It was answered with no, so nothing was lost. To answer yes, ask again with approve_risk: "${questionKey(question)}", and with another id, if you give one. Values that are not saved may then be lost.`;
