/**
 * Answers the dialogs of a page (alert, confirm, prompt) for a dialogue. An open dialog blocks the page, so no
 * step can run and no plan can be made before it is answered.
 */
import { dialogueLimits } from "../../machines/dialogue/dialogue-limits.ts";
import type { NativeDialog } from "../../machines/dialogue/plan/question-before-leaving.ts";
import { asCairnError } from "../../machines/errors.ts";
import { openDialog } from "../native-dialog-shown-in-session.ts";
import { performInSession } from "../run-session-action-for-actor.ts";
import type { EffectScope } from "../runtime/index.ts";
import type { CairnServices } from "../worker-services.ts";

type Scope = EffectScope<CairnServices>;

export interface AnsweredDialog extends NativeDialog {
  readonly accepted: boolean;
}

interface AnswerRequest {
  readonly room: string;
  /** The ids of the actions that answer the dialogs start with this text. */
  readonly id: string;
  /** Returns whether to accept the dialog. `undefined` leaves it open. */
  readonly decide: (dialog: NativeDialog) => boolean | undefined | Promise<boolean>;
}

/** Maximum number of dialogs that are answered one after another. A page may open a new one each time. */
const MOST_DIALOGS = 5;

/** Answers open dialogs until none is open, or `decide` leaves one open. */
export async function answerDialogs(
  { room, id, decide }: AnswerRequest,
  scope: Scope,
): Promise<readonly AnsweredDialog[]> {
  const answered: AnsweredDialog[] = [];
  while (answered.length < MOST_DIALOGS) {
    const dialog = await openDialog(room, scope);
    const accepted = dialog && (await decide(dialog));
    if (!dialog || accepted === undefined) break;
    const action = { name: "handle_dialog", params: { accept: accepted } } as const;
    const request = { room, action, id: `${id}-dialog-${answered.length + 1}` };
    await performInSession({ ...request, within: dialogueLimits.stepWithin }, scope);
    answered.push({ type: dialog.type, message: dialog.message, accepted });
  }
  return answered;
}

/** Maximum number of times that a page is read again because a dialog blocks it. */
const MOST_READS = 5;

/**
 * Reads the page of a session. A timer of the page may open a dialog at any time, which blocks the page. Then
 * the dialog is answered and the page is read again: an alert is accepted, and any other dialog is dismissed.
 *
 * @param id prefix for the ids of the actions that answer the dialogs
 */
export async function readBehindDialogs<Result>(
  { room, id }: Pick<AnswerRequest, "room" | "id">,
  scope: Scope,
  read: () => Promise<Result>,
): Promise<Result> {
  for (let reads = 1; ; reads++) {
    try {
      return await read();
    } catch (thrown) {
      if (asCairnError(thrown).code !== "session.dialog_open" || reads === MOST_READS) throw thrown;
    }
    await answerDialogs({ room, id: `${id}-${reads}`, decide: ({ type }) => type === "alert" }, scope);
  }
}
