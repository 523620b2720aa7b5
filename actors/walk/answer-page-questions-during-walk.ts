/**
 * Answers the questions that a page asks during a step of a walk, so that none stays open and blocks the session. An
 * alert is accepted. Any other question is accepted only if the caller has approved it, or if it asks about leaving
 * values of failed tasks.
 */
import {
  asksBeforeLeaving,
  dialogOfOutcome,
  type NativeDialog,
  questionBeforeLeaving,
  questionKey,
  questionText,
} from "../../machines/dialogue/plan/question-before-leaving.ts";
import type { ActionOutcome } from "../../machines/session/actions/action-outcome.ts";
import type { Action } from "../../machines/session/actions/browser-action-parameters.ts";
import type { AnalysisData } from "../../machines/session/page/page-snapshot.ts";
import type { StepInput } from "../../machines/walk/walk-context.ts";
import { areValuesOfFailedTasks } from "../detect-values-of-failed-tasks.ts";
import { openDialog } from "../native-dialog-shown-in-session.ts";
import type { EffectScope } from "../runtime/index.ts";
import type { CairnServices } from "../worker-services.ts";

type Scope = EffectScope<CairnServices>;

/** The outcome of an action after its questions, or the question that was answered with no. */
export type AfterQuestions = { readonly outcome: ActionOutcome } | { readonly question: string };

interface AskedAction {
  readonly action: Action;
  readonly input: StepInput;
  /** Performs an action of the step. The id of the action is `action_id`, extended by `part`. */
  readonly act: (action: Action, part: string) => Promise<ActionOutcome>;
}

/** Maximum number of questions that are answered after one action. A page may ask again after each answer. */
const MOST_QUESTIONS = 5;

const DONE: ActionOutcome = { success: true, error: null, data: { effect: "unknown" } };

/** Answers the native dialogs that an action has opened. */
export async function afterDialogs(
  first: ActionOutcome,
  { action, input, act }: AskedAction,
  scope: Scope,
): Promise<AfterQuestions> {
  let outcome = first;
  for (let question = 1; question <= MOST_QUESTIONS; question++) {
    const dialog = dialogOfOutcome(outcome);
    // A dialog that has blocked the action was open before it. Only `beforeunload` is caused by the action.
    if (!dialog || (!outcome.success && dialog.type !== "beforeunload")) return { outcome };
    const text = questionText(dialog);
    const accept =
      dialog.type === "alert" || (await mayAccept(text, asksBeforeLeaving(dialog), input, scope));
    await act({ name: "handle_dialog", params: { accept } }, `question-${question}`);
    if (!accept) return { question: text };
    outcome = await nextOutcome(action, dialog, input, scope, () => act(action, `left-${question}`));
  }
  return { outcome };
}

async function nextOutcome(
  { name }: Action,
  { type }: NativeDialog,
  { request }: StepInput,
  scope: Scope,
  again: () => Promise<ActionOutcome>,
): Promise<ActionOutcome> {
  if (type === "beforeunload" && name === "navigate") return await again();
  const dialog = await openDialog(request.room_name, scope);
  return dialog ? { ...DONE, data: { effect: "dialog_opened", dialog } } : DONE;
}

/**
 * After a click, answers a question such as "Leave without saving?" that the page shows as a part of itself, and
 * not as a native dialog.
 */
export async function afterPageQuestion(
  outcome: ActionOutcome,
  { action, input, act }: AskedAction,
  scope: Scope,
  read: () => Promise<AnalysisData>,
): Promise<AfterQuestions> {
  const { effect } = outcome.data;
  const hasMoved = effect === "navigated" || effect === "address_changed";
  if (action.name !== "click" || !outcome.success || hasMoved) return { outcome };
  const asked = questionBeforeLeaving(await read());
  if (!asked) return { outcome };
  const { question, leave, stay } = asked;
  const accept = await mayAccept(question, true, input, scope);
  const { highlight_index: index } = accept ? leave : stay;
  const pressed = await act({ name: "click", params: { index } }, "page-question");
  return accept ? { outcome: pressed } : { question };
}

async function mayAccept(
  question: string,
  isBeforeLeaving: boolean,
  { request }: StepInput,
  scope: Scope,
): Promise<boolean> {
  if (request.approved_question === questionKey(question)) return true;
  const { kind, id } = scope.address;
  return isBeforeLeaving && (await areValuesOfFailedTasks(request.room_name, scope, `${kind}/${id}`));
}
