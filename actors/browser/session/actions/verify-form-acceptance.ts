/**
 * Decides by evidence whether a form that was sent was accepted: messages, fields marked as invalid, HTTP
 * statuses, and values that the page shows again.
 */

import { percentDecoded } from "../../../../machines/percent-decoding.ts";
import { isFormComplaint } from "../../../../machines/session/controls/words-of-form-complaints.ts";
import type { FormFound, RefusedField, ShownForm } from "../../page-script/actions/form-submission.ts";
import type { PageMessage } from "../../page-script/observe/page-status-messages.ts";
import { ActionFailure } from "../action-error.ts";
import type { AnsweredWrite } from "../journal/pending-requests-of-page.ts";
import { messagesOf } from "../snapshot/page-changes-in-outcome.ts";
import type { Tab } from "../tabs/browser-tab.ts";
import type { Frame } from "../tabs/tab-frames.ts";

/** A form that was sent, with the state of its page before. */
export interface SentForm {
  readonly found: FormFound;
  readonly frame: Frame;
  readonly messages: readonly PageMessage[];
  /** Number of the action's write requests that were answered before the form was sent. */
  readonly writes: number;
  /** Number of navigations of the tab before the form was sent. */
  readonly navigations: number;
}

/** The texts that were sent, and the number of write requests that were answered before. */
interface SentTexts extends Pick<SentForm, "writes"> {
  readonly found: Pick<FormFound, "texts">;
}

/** The lowest HTTP status that reports an error. */
export const FIRST_ERROR_STATUS = 400;

/**
 * Minimum length of a form's text by which a request is recognised as a request with the form's content. A
 * shorter text may be in any request.
 */
const SHORTEST_TEXT = 3;

/** Maximum number of new texts of a refused form that its error contains. */
const MAX_NEW_LINES = 5;

/** For each tab, the error messages that its page showed when it refused the last form. */
const refusalsOf = new WeakMap<Tab, ReadonlySet<string>>();

/**
 * Throws `form_invalid` if the server or the page has refused the form. The evidence is: error messages,
 * marked fields, HTTP statuses of the page's requests, messages of success, redirects, and whether the page
 * shows the sent values again.
 */
export async function assertAccepted(tab: Tab, sent: SentForm): Promise<void> {
  const { found, messages: before } = sent;
  const after = await messagesAfter(tab);
  if (!after) {
    // The page reports its answer to the form in a dialog, which the outcome of the action contains.
    if (tab.dialog) return;
    throw new ActionFailure(
      "not_applied",
      "The form was sent, but the page cannot be read, so it is not known whether it was accepted. Read the page before you send the form again.",
      { form: found.name, pressed: true },
    );
  }
  const { added, said, errors } = messagesAdded(tab, before, after);
  const shown = await shownAgain(tab, sent);
  refusalsOf.delete(tab);
  if (shown && errors.length > 0) {
    keepRefusal(tab, errors);
    throw refusedForm(found, `The page refused the form: ${errors.join("; ")}`, errors, shown.marked);
  }
  const isNewDocument = tab.navigations !== sent.navigations;
  // All messages of a new document count, because the document may show the same message after each save.
  const reports = isNewDocument ? after : added;
  if (shown?.isRedirected || reports.some(({ isSuccess }) => isSuccess)) return;
  if (shown && shown.marked.length > 0) {
    const fields = shown.marked.map(({ label, name, message }) => `${label || name}: ${message}`);
    throw refusedForm(found, `The page refused the form: ${fields.join("; ")}`, said, shown.marked);
  }
  const own = writesOfForm(tab, sent);
  // A politely announced message proves that the page has accepted the form, but only if the server has not refused
  // it. Refused requests without a text of the form do not count then, because they may belong to something else.
  const isReported = reports.some(({ isPolite }) => isPolite);
  const writes = own.length > 0 || isReported ? own : writesAfter(tab, sent);
  const [write] = writes;
  if (write && writes.every(isRefused))
    throw refusedForm(found, `The server refused the form: ${answerOf(write)}`, said);
  if (isReported) return;
  if (shown && isNewDocument && found.isAltered && shown.values === found.values) {
    // Some pages show the errors of fields as plain texts that are not marked as messages (Bugsink, Kiwi
    // TCMS). So if the page shows no message, the new texts of the form say why it was refused.
    const lines = shown.lines.filter((line) => !found.lines.includes(line)).slice(0, MAX_NEW_LINES);
    const complaints = said.length > 0 ? said : lines;
    const texts =
      complaints.length > 0 ? `The page says: ${complaints.join("; ")}` : "The page shows no message";
    throw refusedForm(
      found,
      `The form was probably refused: the server shows it again with the same values and without a message of success. ${texts}. Read the page before you send the form again.`,
      complaints,
    );
  }
}

/**
 * Throws `form_invalid` if a script has stopped the form, has sent nothing, and the form has new texts that complain
 * about a value. Many scripts show such texts without a mark on the field (the guides of Formik and React Hook Form,
 * Keystone).
 *
 * @param lines the texts of the form (see `FormOutcome.lines`)
 */
export async function assertNotStoppedByScript(
  tab: Tab,
  sent: SentForm,
  lines: readonly string[],
): Promise<void> {
  if (tab.dialog || writesAfter(tab, sent).length > 0) return;
  const { added } = messagesAdded(tab, sent.messages, (await messagesOf(tab)) ?? sent.messages);
  if (added.some(({ isSuccess }) => isSuccess)) return;
  const complaints = lines
    .filter((line) => !sent.found.lines.includes(line) && isFormComplaint(line))
    .slice(0, MAX_NEW_LINES);
  if (complaints.length === 0) return;
  throw refusedForm(
    sent.found,
    `The form was not sent: a script of the page has stopped it, and the page says: ${complaints.join("; ")}`,
    complaints,
  );
}

/** Whether a server has refused a write: by its HTTP status, or by the errors of a GraphQL response. */
export const isRefused = ({ status, errors = [] }: AnsweredWrite): boolean =>
  status >= FIRST_ERROR_STATUS || errors.length > 0;

/** Describes the answer of a server that has refused a write. */
export const answerOf = ({ status, errors = [] }: AnsweredWrite): string =>
  errors.length > 0
    ? `it answered with errors: ${errors.join("; ")}.`
    : `it answered with the HTTP status ${status}.`;

/**
 * Returns the messages that a page has shown since a form was sent, their texts, and the texts of those that
 * are errors.
 */
export function messagesAdded(tab: Tab, before: readonly PageMessage[], after: readonly PageMessage[]) {
  const refusals = refusalsOf.get(tab) ?? new Set<string>();
  const added = after.filter(({ text }) => refusals.has(text) || !before.some((one) => one.text === text));
  const errors = added.filter(({ isError }) => isError);
  return { added, said: added.map(({ text }) => text), errors: errors.map(({ text }) => text) };
}

/**
 * Stores the error messages of a refused form until the result of the next form was checked. If the page then
 * still shows such a message, it counts as new (see `messagesAdded`), because the form may have failed again
 * for the same reason. An empty list deletes the stored messages.
 */
export function keepRefusal(tab: Tab, messages: readonly string[]): void {
  if (messages.length > 0) refusalsOf.set(tab, new Set(messages));
  else refusalsOf.delete(tab);
}

/**
 * Returns the answered requests by which scripts of the page have sent the form. Their bodies contain a text of
 * the form. Other requests may be sent at the same time: a page may report each click to a server of statistics
 * (PostHog, Matomo), or call its own server at intervals (the heartbeat of WordPress). A body that cannot be
 * read counts as one that contains the text, and so does any body for a form without a text.
 */
export function writesOfForm(tab: Tab, sent: SentTexts): readonly AnsweredWrite[] {
  const texts = sent.found.texts.filter((text) => text.length >= SHORTEST_TEXT);
  return writesAfter(tab, sent).filter(({ body }) => {
    if (body === undefined || texts.length === 0) return true;
    const decoded = percentDecoded(body.replaceAll("+", " ")).replaceAll("\r\n", "\n");
    return texts.some((text) =>
      [text, JSON.stringify(text).slice(1, -1)].some((one) => body.includes(one) || decoded.includes(one)),
    );
  });
}

/** Returns the answered write requests that scripts of the page have sent since Cairn submitted the form. */
export function writesAfter(tab: Tab, { writes }: Pick<SentForm, "writes">): readonly AnsweredWrite[] {
  return tab.requests.writesOfAction(tab.targetId).slice(writes);
}

/** Returns the page's messages after a form was sent; `undefined` if the page cannot be read. */
async function messagesAfter(tab: Tab): Promise<readonly PageMessage[] | undefined> {
  const messages = await messagesOf(tab);
  if (messages || tab.dialog) return messages;
  if (tab.loading) await tab.waitForLoad();
  return await messagesOf(tab);
}

/** Returns the form if the page shows it again, in the frame from which it was sent or in the main frame. */
async function shownAgain(tab: Tab, { found: { fields }, frame }: SentForm): Promise<ShownForm | undefined> {
  for (const place of new Set([frame, tab.frames.main])) {
    // The error is ignored. It means that another document has replaced the frame's document, so the page
    // did not refuse the form.
    const shown = await tab
      .answer(tab.frames.call(place, "formSubmission", "shownAgain", fields))
      .catch(() => null);
    if (shown) return shown;
  }
  return undefined;
}

/**
 * Returns the error for a form that was refused.
 *
 * @param complaints messages of the page
 * @param fields fields that the page marks as invalid
 */
export function refusedForm(
  { name }: Pick<FormFound, "name">,
  message: string,
  complaints: readonly string[],
  fields: readonly RefusedField[] = [],
): ActionFailure {
  const marked = fields.length > 0 ? { fields } : {};
  return new ActionFailure("form_invalid", message, { form: name, complaints, ...marked, pressed: true });
}
