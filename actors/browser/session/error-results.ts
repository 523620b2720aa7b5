/**
 * What was thrown while a session was acted in or looked at, as its caller is told.
 *
 * Neighbours: `failure.ts` is what acts throw themselves, `browser-session.ts` tells.
 */
import { CairnError, Fenced, Refused, TimedOut, Unavailable } from "../../../machines/errors.ts";
import { type ActionOutcome, failedAct } from "../../../machines/session/action-outcome.ts";
import { ActionFailure } from "./action-failure.ts";
import { DocumentGone } from "./tabs/frames.ts";
import { DialogOpened } from "./tabs/tab.ts";

const ADVICE = "Answer it with handle_dialog.";

export function outcomeOf(thrown: unknown): ActionOutcome {
  if (thrown instanceof ActionFailure) return failedAct(thrown.code, thrown.message, thrown.data);
  if (thrown instanceof DialogOpened)
    return failedAct("dialog_open", `${thrown.message}. ${ADVICE}`, { dialog: thrown.dialog });
  if (thrown instanceof DocumentGone)
    return failedAct("interrupted", "The page went to another document while it was acted on.");
  // The lease was not sure enough: nothing was begun.
  if (thrown instanceof Fenced) return failedAct("interrupted", thrown.message, { begun: false });
  if (thrown instanceof CairnError) return failedAct("interrupted", thrown.message, { cause: thrown.code });
  return failedAct("failed", thrown instanceof Error ? thrown.message : String(thrown));
}

export function lookError(thrown: unknown): unknown {
  if (thrown instanceof DialogOpened) {
    return new Refused("session.dialog_open", `${thrown.message}. ${ADVICE}`, {
      status: 409,
      details: { dialog: thrown.dialog },
    });
  }
  if (thrown instanceof DocumentGone) {
    return new Unavailable(
      "session.navigating",
      "The page keeps going to other documents. Look again in a moment.",
    );
  }
  if (!(thrown instanceof ActionFailure)) return thrown;
  const { code, message, data } = thrown;
  if (code === "timeout") return new TimedOut("session.timeout", message);
  return new Refused(`session.${code}`, message, { status: 409, details: data });
}
