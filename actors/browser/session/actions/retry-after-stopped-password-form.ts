/**
 * Repeats an action if the browser would have sent a form with a password by GET. Such a form is stopped,
 * because the password would become part of the address. Usually a script of the page is meant to send it, so
 * the action is repeated when this script may be ready.
 */
import { setTimeout as pause } from "node:timers/promises";
import { readyLimits, sessionLimits } from "../../../../machines/session/session-limits.ts";
import { ActionFailure } from "../action-error.ts";
import { expectContent, waitUntilReady } from "../snapshot/wait-until-page-ready.ts";
import { DialogOpened, type Tab } from "../tabs/browser-tab.ts";
import { DocumentGone } from "../tabs/tab-frames.ts";
import { releaseEvents } from "./clickable-point.ts";
import { ElementActions } from "./element-actions.ts";
import type { Data, PageInput } from "./pointer-and-key-input.ts";

/** Limits for the repetition of an action whose form was stopped. Tests use shorter limits. */
export interface ResendLimits {
  /** Milliseconds from the first attempt until the page's script must be ready to send the form. */
  readonly scriptReadyWithin: number;
}

/**
 * Performs an action that may send a form. Rejects with `not_applied` if the script of the page does not become
 * ready in time.
 *
 * @param refill fills the fields of the form again, because the script may have missed or removed their texts. By
 * default, it types the texts that the stopped form had.
 * @param isByKey whether the action only presses keys
 */
export async function withPasswordFormSentByScript<Result>(
  input: PageInput,
  perform: () => Promise<Result>,
  {
    limits = sessionLimits,
    refill = () => typeTextsAgain(input),
    isByKey = false,
  }: {
    readonly limits?: ResendLimits;
    readonly refill?: () => Promise<void>;
    readonly isByKey?: boolean;
  } = {},
): Promise<Result> {
  const { tab } = input;
  const until = performance.now() + limits.scriptReadyWithin;
  for (let delay: number = sessionLimits.resendAfter; ; delay *= 2) {
    const [forms, addresses] = [tab.stoppedPasswordForms, tab.stoppedPasswordAddresses];
    const attempt = await perform().then(
      (result) => () => result,
      (error: unknown) => () => {
        throw error;
      },
    );
    if (isByKey) await receiveReports(tab);
    // A script of the page has opened an address that contains the password. Repeating the action would cause
    // this again, so the action fails.
    if (tab.stoppedPasswordAddresses !== addresses) throw notSent(tab.url, BY_SCRIPT);
    if (tab.stoppedPasswordForms === forms) return attempt();
    if (performance.now() + delay > until) throw notSent(tab.url, BY_BROWSER);
    await pause(delay);
    if (tab.loading) await tab.waitForLoad();
    expectContent(tab);
    await waitUntilReady(tab, Math.min(readyLimits.patience.withControls, until - performance.now()));
    await refill();
  }
}

/**
 * Waits until the page script has reported what it has stopped. The confirmation of a key press does not wait
 * for these reports, so it may arrive earlier.
 */
async function receiveReports(tab: Tab): Promise<void> {
  if (tab.loading || tab.dialog) return;
  const own = tab.frames.all().filter(({ session }) => session === tab.session);
  const reading = own.map((frame) => tab.frames.evaluate(frame, "0"));
  try {
    await tab.answer(Promise.all(reading));
  } catch (error) {
    // `DocumentGone` and `DialogOpened` are ignored. A page that navigates has sent the form. A dialog that has
    // opened is reported by the outcome of the action.
    if (!(error instanceof DocumentGone) && !(error instanceof DialogOpened)) throw error;
  }
}

const BY_SCRIPT =
  "The password was not sent: a script of the page has opened an address that contains the password, and addresses are " +
  "stored. This site cannot be used with this password field.";
const BY_BROWSER =
  "The form with the password was not sent: the browser would have put the password into the address (a form with " +
  "the method GET). Such a form is sent by a script of the page, and this script was not ready in time. Name the button " +
  "that sends it (`submit` of a login), or check the console messages of the page for an error of its script.";

function notSent(url: string, message: string): ActionFailure {
  return new ActionFailure("not_applied", message, { url, password_form: "not_sent" });
}

async function typeTextsAgain(input: PageInput): Promise<void> {
  const { tab } = input;
  const actions = new ElementActions(input);
  for (const frame of tab.frames.all()) {
    const form = await tab
      .answer(tab.frames.call(frame, "formSubmission", "takeStoppedPasswordForm"))
      .catch((error: unknown) => {
        // No field is filled after `DocumentGone` and `DialogOpened`. A frame that is navigating has no stopped
        // form any more. An open dialog is reported by the repeated action.
        if (error instanceof DocumentGone || error instanceof DialogOpened) return undefined;
        throw error;
      });
    for (const { id, text } of form?.fields ?? []) {
      const info = await tab.answer(tab.frames.call(frame, "actionability", "describe", id));
      // The page may have removed this field to draw its form again. The field is then not filled, and the
      // repeated action reports that its element is gone.
      if (info) await actions.inputInto({ index: -1, frame, id, info }, { text, clear: true });
    }
  }
  // The Enter key causes a click on the submit button. The event guard of the field that was filled last
  // would stop this click, so the guard is ended.
  await releaseEvents(tab);
}

/** Whether an action of this kind may send a form. */
export const maySendForm = (name: string, { keys, submit }: Data): boolean =>
  name === "click" ||
  name === "double_click" ||
  name === "submit_form" ||
  (name === "fill_form" && submit === true) ||
  (name === "send_keys" && /enter|return/i.test(String(keys)));
