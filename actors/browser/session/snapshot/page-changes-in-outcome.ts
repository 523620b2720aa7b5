/** Adds the changes of the page to the outcome of an action. */
import type { ActionOutcome } from "../../../../machines/session/actions/action-outcome.ts";
import type { Action } from "../../../../machines/session/actions/browser-action-parameters.ts";
import type { PageChange } from "../../../../machines/session/page/page-change-summary.ts";
import type { PageAnalysis } from "../../../../machines/session/page/page-snapshot.ts";
import type { PageMessage, TitleAndMessages } from "../../page-script/observe/page-status-messages.ts";
import type { Data } from "../actions/pointer-and-key-input.ts";
import type { Tab } from "../tabs/browser-tab.ts";

/** Maximum number of characters of a message in an outcome. */
const MESSAGE_LENGTH = 200;

/**
 * Actions whose outcome lists no changes of the page, because they lead to another page or tab or change
 * nothing.
 */
const UNCOMPARED: ReadonlySet<Action["name"]> = new Set([
  "navigate",
  "go_back",
  "go_forward",
  "refresh",
  "switch",
  "close",
  "screenshot",
  "save_as_pdf",
]);

/**
 * Reads the page before an action. Without this, the outcome could not report what has changed on a page that
 * the caller has never seen.
 */
export async function recordPageBefore(tab: Tab, { name }: Action): Promise<void> {
  if (!UNCOMPARED.has(name)) await readIfPossible(tab, () => tab.pageChanges.recordUnseen());
}

/**
 * Reads the page before or after an action. Returns `undefined` if the page is loading, shows a dialog or
 * cannot be read. The action itself does not fail because of this.
 */
async function readIfPossible<Value>(tab: Tab, read: () => Promise<Value>): Promise<Value | undefined> {
  if (tab.dialog || tab.loading) return undefined;
  try {
    return await tab.answer(read());
  } catch {
    return undefined;
  }
}

/**
 * Returns the page's changes since the caller last saw the page, for an outcome. The result is empty if
 * nothing has changed, or while the page is loading or shows a dialog.
 *
 * @param current a snapshot of the page as it is now, if it has been read already
 */
async function pageChangeOf(tab: Tab, current?: PageAnalysis): Promise<{ readonly page?: PageChange }> {
  const page = await readIfPossible(tab, () => tab.pageChanges.sinceShown(current));
  return page && (page.changed > 0 || page.said || page.untold) ? { page } : {};
}

/**
 * Reads the page after an action, so that `changeOrArrival` can compare it with its state before the action.
 * Returns `undefined` if the two states cannot be compared.
 */
export async function readForChange(tab: Tab): Promise<PageAnalysis | undefined> {
  return await readIfPossible(tab, () => tab.pageChanges.read());
}

/**
 * Returns the changes that an action has caused, for its outcome. For a new document, these are its title and
 * messages; otherwise, they are the changes of the present document.
 *
 * @param current a snapshot of the page as it is now, if it has been read already
 */
export async function changeOrArrival(
  { effect }: Data,
  tab: Tab,
  current?: PageAnalysis,
): Promise<{ readonly page?: PageChange; readonly title?: string }> {
  if (effect === "navigated") return await arrivalOf(tab);
  const [change, title] = await Promise.all([
    pageChangeOf(tab, current),
    effect === "address_changed" ? titleOf(tab) : undefined,
  ]);
  return { ...(title ? { title } : {}), ...change };
}

/** Returns the title of the page to which an action has led. */
async function titleOf(tab: Tab): Promise<string | undefined> {
  const { frames } = tab;
  return (await readIfPossible(tab, () => frames.call(frames.main, "snapshots", "head")))?.title;
}

/**
 * Returns the title of the document to which an action has led, and its messages, such as "Name is required".
 * Such a message may be the only sign that the server has refused a form. An HTTP status that reports an error
 * is returned too, because the page may not show it.
 *
 * @param read title and messages of the document, if they have been read already
 */
export async function arrivalOf(
  tab: Tab,
  read?: TitleAndMessages,
): Promise<{ readonly page?: PageChange; readonly title?: string; readonly http_status?: number }> {
  const { frames } = tab;
  const arrived = await readIfPossible(
    tab,
    async () => read ?? (await frames.call(frames.main, "pageMessages", "readWithTitle")),
  );
  if (!arrived) return {};
  const { title, messages, errorStatus } = arrived;
  const said = messages.map(({ text }) => text.slice(0, MESSAGE_LENGTH));
  return {
    ...(title ? { title } : {}),
    ...(errorStatus === undefined ? {} : { http_status: errorStatus }),
    ...(said.length > 0 ? { page: { changed: 0, said } } : {}),
  };
}

/** Returns the messages on the page; `undefined` if the page cannot be read now. */
export async function messagesOf(tab: Tab): Promise<readonly PageMessage[] | undefined> {
  return await readIfPossible(tab, () => tab.frames.call(tab.frames.main, "pageMessages", "read"));
}

/**
 * Returns the outcome of a failed action, with the changes of the page if these may explain the failure. The
 * changes may explain it if the element was outdated, if the action had no effect, or if the page had already
 * received the press of the mouse button.
 */
export async function withChangeOfFailure(outcome: ActionOutcome, tab: Tab): Promise<ActionOutcome> {
  const { code, pressed } = outcome.data;
  if (code !== "element_stale" && code !== "not_applied" && pressed !== true) return outcome;
  return { ...outcome, data: { ...outcome.data, ...(await pageChangeOf(tab)) } };
}
