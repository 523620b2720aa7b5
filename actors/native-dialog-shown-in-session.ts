/** Reads the native dialog (alert, confirm, prompt) that blocks the page of a session, for other actors. */
import type { NativeDialog } from "../machines/dialogue/plan/question-before-leaving.ts";
import { asCairnError } from "../machines/errors.ts";
import type { EffectScope } from "./runtime/index.ts";
import type { CairnServices } from "./worker-services.ts";

/** Returns the dialog that blocks the page of the session. */
export function openDialog(
  room: string,
  scope: EffectScope<CairnServices>,
): Promise<NativeDialog | undefined> {
  return dialogThatBlocks(() => scope.query("session", room, "context", null));
}

/** Returns the dialog because of which a session refuses to be read; `undefined` if it can be read. */
export async function dialogThatBlocks(read: () => Promise<unknown>): Promise<NativeDialog | undefined> {
  try {
    await read();
    return undefined;
  } catch (thrown) {
    const { code, details } = asCairnError(thrown);
    if (code !== "session.dialog_open") throw thrown;
    // The cast is safe: the session adds the dialog to the details of this error.
    return (details as { readonly dialog: NativeDialog }).dialog;
  }
}
