/** Converts an error of a failed action or of a failed reading request to a result for the caller. */
import { CairnError, Fenced, Refused, TimedOut, Unavailable } from "../../../machines/errors.ts";
import { type ActionOutcome, failedAction } from "../../../machines/session/actions/action-outcome.ts";
import { ActionFailure } from "./action-error.ts";
import { DialogOpened } from "./tabs/browser-tab.ts";
import { DocumentGone } from "./tabs/tab-frames.ts";

const ADVICE = "Answer it with handle_dialog.";

export function outcomeOf(thrown: unknown): ActionOutcome {
  if (thrown instanceof ActionFailure) return failedAction(thrown.code, thrown.message, thrown.data);
  if (thrown instanceof DialogOpened)
    return failedAction("dialog_open", `${thrown.message}. ${ADVICE}`, { dialog: thrown.dialog });
  if (thrown instanceof DocumentGone)
    return failedAction("interrupted", "The page went to another document while it was acted on.");
  // `Fenced` means that this worker no longer owns the session, or may lose it before the end of the action.
  // `begun: false` means that the action was not started.
  if (thrown instanceof Fenced) return failedAction("interrupted", thrown.message, { begun: false });
  if (thrown instanceof CairnError)
    return failedAction("interrupted", thrown.message, { cause: thrown.code });
  return failedAction("failed", thrown instanceof Error ? thrown.message : String(thrown));
}

export function readError(thrown: unknown): unknown {
  if (thrown instanceof DialogOpened) {
    return new Refused("session.dialog_open", `${thrown.message}. ${ADVICE}`, {
      status: 409,
      details: { dialog: thrown.dialog },
    });
  }
  if (thrown instanceof DocumentGone) {
    return new Unavailable(
      "session.navigating",
      "The page keeps going to other documents. Try again in a moment.",
    );
  }
  if (!(thrown instanceof ActionFailure)) return thrown;
  const { code, message, data } = thrown;
  if (code === "timeout") return new TimedOut("session.timeout", message);
  return new Refused(`session.${code}`, message, { status: 409, details: data });
}
