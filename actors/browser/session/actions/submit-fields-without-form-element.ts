/**
 * Presses the button that sends fields without a `<form>` around it, such as "Save" in a dialog, and verifies by
 * evidence that they were sent and accepted. A click alone proves neither.
 */
import { setTimeout as pause } from "node:timers/promises";
import { sessionLimits } from "../../../../machines/session/session-limits.ts";
import type { ButtonFields, ButtonFieldsShown } from "../../page-script/actions/fields-sent-by-button.ts";
import type { PageMessage } from "../../page-script/observe/page-status-messages.ts";
import { ActionFailure } from "../action-error.ts";
import type { AnsweredWrite } from "../journal/pending-requests-of-page.ts";
import { arrivalOf, messagesOf } from "../snapshot/page-changes-in-outcome.ts";
import { DialogOpened, type Tab } from "../tabs/browser-tab.ts";
import { DocumentGone, type Frame } from "../tabs/tab-frames.ts";
import type { Target } from "./clickable-point.ts";
import { type Data, LEFT_CLICK, type PageInput } from "./pointer-and-key-input.ts";
import {
  answerOf,
  isRefused,
  keepRefusal,
  messagesAdded,
  refusedForm,
  writesAfter,
  writesOfForm,
} from "./verify-form-acceptance.ts";
import {
  type PageState,
  pendingOfAction,
  waitForReaction,
  waitForResponses,
} from "./wait-for-responses-of-action.ts";

/** What was known before the button that sends the fields was pressed. What is seen afterwards is compared with it. */
interface BeforePress {
  readonly found: ButtonFields;
  readonly frame: Frame;
  readonly before: PageState;
  readonly messages: readonly PageMessage[];
  /** Number of the action's write requests that were answered before the button was pressed. */
  readonly writes: number;
}

/** What is seen after the button was pressed. */
interface Seen extends ButtonFieldsShown {
  /** Texts of the messages that the page has shown since the press. */
  readonly said: readonly string[];
  /** Texts of the messages in `said` that are errors. */
  readonly errors: readonly string[];
}

/**
 * Presses the button. Success needs evidence: an answered request with a text of the fields (`request`), or fields that
 * are no longer shown on a page that has changed (`form_closed`). Throws `form_invalid` if the server or the page has
 * refused the fields, and `not_applied` without evidence.
 */
export async function submitFieldsOfButton(
  input: PageInput,
  button: Target,
  found: ButtonFields,
): Promise<Data> {
  const { tab } = input;
  const pressed: BeforePress = {
    found,
    frame: button.frame,
    before: input.pageState(),
    messages: (await messagesOf(tab)) ?? [],
    writes: tab.requests.writesOfAction(tab.targetId).length,
  };
  const { pending: _, ...effect } = await input.click(button, LEFT_CLICK);
  await waitForReaction(tab, pressed.before);
  await waitForResponses(tab, async () => !tab.dialog);
  const seen = await waitForEvidence(tab, pressed);
  const evidence = await evidenceOf(tab, pressed, seen);
  keepRefusal(tab, []);
  const now = await input.effect(pressed.before, undefined, undefined);
  return {
    submitted: true,
    form: found.name,
    by_page: true,
    ...effect,
    ...(now.effect === "unknown" ? {} : now),
    ...evidence,
  };
}

/** Waits until the fields are gone, or the page or the server has refused them. */
async function waitForEvidence(tab: Tab, pressed: BeforePress): Promise<Seen> {
  const start = performance.now();
  for (;;) {
    if (tab.loading) await tab.waitForLoad();
    const seen = await readShown(tab, pressed);
    const isPending = pendingOfAction(tab) > 0;
    const hasErrors = seen.errors.length > 0 || seen.marked.length > 0;
    // A dialog may still show the error of an earlier attempt while its new request is accepted. So errors do
    // not count if a request was accepted.
    const isAccepted = writesOf(tab, pressed).some(isSuccess);
    const isUnread = writesOf(tab, pressed).some((write) => write.isUnread);
    if (tab.dialog || (!seen.isShown && !isUnread) || (hasErrors && !isAccepted && !isPending)) return seen;
    const within = isPending ? sessionLimits.submitAnswered : sessionLimits.dialogCloses;
    if (performance.now() - start >= within) return seen;
    await pause(sessionLimits.actionableEvery);
  }
}

async function readShown(tab: Tab, { frame, messages, before }: BeforePress): Promise<Seen> {
  const { said, errors } = messagesAdded(tab, messages, (await messagesOf(tab)) ?? messages);
  const none = { marked: [], said, errors };
  if (tab.dialog) return { ...none, isShown: true };
  if (tab.navigations !== before.navigations) return { ...none, isShown: false };
  try {
    const shown = await tab.answer(tab.frames.call(frame, "fieldsSentByButton", "shown"));
    return { ...shown, said, errors };
  } catch (error) {
    // A dialog of the browser blocks the page, so it is not known whether the fields are gone.
    if (error instanceof DialogOpened) return { ...none, isShown: true };
    if (error instanceof DocumentGone) return { ...none, isShown: false };
    throw error;
  }
}

/**
 * Returns the answered write requests that may have sent the fields: those that contain a text of the fields.
 * If there are none, returns all of them, because a page may send only the id of what was chosen in a field.
 */
function writesOf(tab: Tab, pressed: BeforePress): readonly AnsweredWrite[] {
  const own = writesOfForm(tab, pressed);
  return own.length > 0 ? own : writesAfter(tab, pressed);
}

const isSuccess = (write: AnsweredWrite): boolean => !isRefused(write);

/** Returns the evidence that the fields were accepted. Throws if there is none. */
async function evidenceOf(tab: Tab, pressed: BeforePress, seen: Seen): Promise<Data> {
  const { found, before } = pressed;
  const writes = writesOf(tab, pressed);
  const accepted = writes.find(isSuccess);
  const failed = writes.findLast((write) => !isSuccess(write));
  if (failed && (seen.isShown || !accepted)) {
    const said = messageOf(seen);
    const message = `The server refused the form: ${answerOf(failed)}${said}`;
    throw refused(tab, pressed, seen, { message, http_status: failed.status });
  }
  const isComplaint = seen.errors.length > 0 || seen.marked.length > 0;
  if (isComplaint && (seen.isShown || !accepted))
    throw refused(tab, pressed, seen, { message: `The page refused the form.${messageOf(seen)}` });
  // A request that contains no text of the fields may be about something else, such as statistics. Such a
  // request is evidence only if the page no longer shows the fields.
  if (accepted && (!seen.isShown || writesOfForm(tab, pressed).length > 0))
    return { evidence: "request", http_status: accepted.status };
  if (tab.dialog) {
    const { type, message } = tab.dialog;
    throw unproven(pressed, seen, `the page has opened a dialog (${type}): "${message}"`, {
      dialog: tab.dialog,
    });
  }
  if (seen.isShown) {
    const reason =
      pendingOfAction(tab) > 0
        ? "the server has not answered the request of the page yet"
        : accepted
          ? "the page still shows the form, and the requests that it sent do not contain its values"
          : "the page sent no request that writes, and still shows the form";
    throw unproven(pressed, seen, reason);
  }
  if (tab.navigations !== before.navigations) {
    const { http_status } = await arrivalOf(tab);
    if (http_status === undefined) return { evidence: "form_closed" };
    const message = `The page that followed the form has the HTTP status ${http_status}.${messageOf(seen)}`;
    throw refusedForm(found, message, seen.said);
  }
  if (tab.url !== before.url || (await isPageChanged(tab, pressed))) return { evidence: "form_closed" };
  throw unproven(
    pressed,
    seen,
    "the page no longer shows the form, but it sent no request that writes, and shows nothing else than before",
  );
}

/** Whether the page shows other texts than before, apart from the fields and their dialog. */
async function isPageChanged(tab: Tab, { frame }: BeforePress): Promise<boolean> {
  try {
    return await tab.answer(tab.frames.call(frame, "fieldsSentByButton", "isPageChanged"));
  } catch (error) {
    // Another document has replaced the fields' document, so the page has changed.
    if (error instanceof DocumentGone) return true;
    throw error;
  }
}

function refused(
  tab: Tab,
  { found }: BeforePress,
  { said, errors, marked }: Seen,
  { message, ...more }: { readonly message: string; readonly http_status?: number },
): ActionFailure {
  keepRefusal(tab, errors);
  const { code, data } = refusedForm(found, message, said, marked);
  return new ActionFailure(code, message, { ...data, ...more });
}

/**
 * Returns the error for the case that nothing shows whether the fields were accepted after the button was
 * pressed.
 */
function unproven({ found }: BeforePress, seen: Seen, reason: string, more: Data = {}): ActionFailure {
  const message = `The button of the form was pressed, but it is not known whether the form was accepted: ${reason}.${messageOf(seen)} Read the page before you press the button again.`;
  const fields = seen.marked.length > 0 ? { fields: seen.marked } : {};
  const data = { form: found.name, complaints: seen.said, ...fields, ...more, pressed: true };
  return new ActionFailure("not_applied", message, data);
}

/** Returns the messages of the page and of its marked fields as a sentence; empty if there are none. */
function messageOf({ said, errors, marked }: Seen): string {
  const fields = marked.map(({ label, name, message }) => `${label || name}: ${message}`);
  const texts = [...new Set([...errors, ...fields, ...said])];
  return texts.length > 0 ? ` The page says: ${texts.join("; ")}.` : "";
}
