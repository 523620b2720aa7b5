/**
 * Answers the native dialogs of a session's page for a task, before and while the form of the task is searched for. A
 * question is answered with yes only if the caller has approved it, or if it is about values of failed tasks.
 */
import {
  asksBeforeLeaving,
  dialogOfOutcome,
  type NativeDialog,
  questionError,
  questionKey,
  questionText,
} from "../../../machines/dialogue/plan/question-before-leaving.ts";
import { Refused } from "../../../machines/errors.ts";
import type { AgentResponse } from "../../../machines/knowledge/knowledge-protocol.ts";
import type { Action } from "../../../machines/session/actions/browser-action-parameters.ts";
import { parseAction } from "../../../machines/session/actions/parse-action.ts";
import { areValuesOfFailedTasks } from "../../detect-values-of-failed-tasks.ts";
import { dialogThatBlocks } from "../../native-dialog-shown-in-session.ts";
import type { CairnSystem } from "../../typed-actor-system.ts";
import { refusal } from "../answers/agent-answer-builders.ts";
import type { Rooms } from "./adapt-map-answers-to-session.ts";

/** A question of the page that needs the approval of the caller. */
class QuestionAsked extends Refused {
  readonly question: string;

  constructor(question: string, message: string) {
    super("walk.question", message, { status: 409 });
    this.question = question;
  }
}

/** Maximum number of dialogs that are answered one after the other. */
const MOST_DIALOGS = 5;

export class QuestionsInSession {
  readonly #room: string;
  readonly #rooms: Rooms;
  readonly #system: Pick<CairnSystem, "query">;
  readonly #approved: string | undefined;

  constructor(
    room: string,
    services: { readonly rooms: Rooms; readonly system: Pick<CairnSystem, "query"> },
    approved: string | undefined,
  ) {
    this.#room = room;
    this.#rooms = services.rooms;
    this.#system = services.system;
    this.#approved = approved;
  }

  /**
   * Answers a dialog that is open before the task begins. Throws if the dialog needs an approval. Such a dialog
   * stays open, because another caller may be about to answer it.
   */
  async answerOpen(): Promise<void> {
    for (let dialogs = 1; dialogs <= MOST_DIALOGS; dialogs++) {
      const dialog = await this.#open();
      if (!dialog) return;
      const question = questionText(dialog);
      if (dialog.type !== "alert" && this.#approved !== questionKey(question)) {
        throw new QuestionAsked(
          question,
          `The page asks: "${question}". Nothing was done. Answer it with handle_dialog (accept: true answers yes, accept: false no), or ask again with approve_risk: "${questionKey(question)}" to answer yes. Values that are not saved may then be lost.`,
        );
      }
      await this.#answer(true);
    }
  }

  /** Performs an action. Returns `false` if it failed. Throws if the page asks a question that needs an approval. */
  async perform(action: Action): Promise<boolean> {
    const outcome = await this.#rooms.runAction(this.#room, action, { asks_before_leaving: true });
    const dialog = dialogOfOutcome(outcome);
    if (!dialog) return outcome.success;
    const question = questionText(dialog);
    const isYes =
      dialog.type === "alert" ||
      this.#approved === questionKey(question) ||
      (asksBeforeLeaving(dialog) && (await areValuesOfFailedTasks(this.#room, this.#system)));
    await this.#answer(isYes);
    if (!isYes) throw new QuestionAsked(question, questionError(question));
    if (dialog.type !== "beforeunload" || action.name !== "navigate") return outcome.success;
    return (await this.#rooms.runAction(this.#room, action)).success;
  }

  async #answer(accept: boolean): Promise<void> {
    await this.#rooms.runAction(this.#room, parseAction("handle_dialog", { accept }));
  }

  #open(): Promise<NativeDialog | undefined> {
    return dialogThatBlocks(() => this.#rooms.context(this.#room));
  }
}

/**
 * If a task could not be planned because the page asks a question, returns an answer with this question. Throws any
 * other error.
 */
export function answerOfQuestion(thrown: unknown): AgentResponse {
  if (!(thrown instanceof QuestionAsked)) throw thrown;
  return withQuestion(refusal(thrown.code, thrown.message), thrown.question);
}

/** Adds the question of a page to an answer, with the value of `approve_risk` that approves it. */
export const withQuestion = (answer: AgentResponse, question: string): AgentResponse => ({
  ...answer,
  metadata: { ...answer.metadata, question, approve_risk: questionKey(question) },
});
