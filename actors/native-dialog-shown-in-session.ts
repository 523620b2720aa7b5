/** Reads the native dialog (alert, confirm, prompt) that blocks the page of a session, for other actors. */
import { asCairnError } from "../machines/errors.ts";
import type { EffectScope } from "./runtime/index.ts";
import type { CairnServices } from "./worker-services.ts";

export interface PageDialog {
  /** `alert`, `confirm`, `prompt` or `beforeunload`. */
  readonly type: string;
  readonly message: string;
}

/** Returns the dialog that blocks the page of the session. */
export async function openDialog(
  room: string,
  scope: EffectScope<CairnServices>,
): Promise<PageDialog | undefined> {
  try {
    await scope.query("session", room, "context", null);
    return undefined;
  } catch (thrown) {
    const { code, details } = asCairnError(thrown);
    if (code !== "session.dialog_open") throw thrown;
    // The cast is safe: the session adds the dialog to the details of this error.
    return (details as { readonly dialog: PageDialog }).dialog;
  }
}
