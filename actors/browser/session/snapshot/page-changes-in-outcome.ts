/** Adds the changes of the page to the outcome of an action. */
import type { ActionOutcome } from "../../../../machines/session/action-outcome.ts";
import type { PageChange } from "../../../../machines/session/page-change-summary.ts";
import type { PageMessage } from "../../page-script/observe/page-messages.ts";
import type { Data } from "../actions/page-input.ts";
import type { Tab } from "../tabs/browser-tab.ts";

/** Maximum number of characters of a message in an outcome. */
const MESSAGE_LENGTH = 200;

/**
 * Returns the changes of the page since the caller last saw it, as a part of an outcome. The result is empty
 * when nothing has changed. It is also empty when the page is loading or shows a dialog.
 */
export async function pageChangeOf(tab: Tab): Promise<{ readonly page?: PageChange }> {
  if (tab.dialog || tab.loading) return {};
  try {
    const page = await tab.answer(tab.pageChanges.sinceShown());
    return page && (page.changed > 0 || page.said || page.untold) ? { page } : {};
  } catch {
    // The action itself has succeeded, so an error in reading the page is ignored. The next snapshot reports
    // why the page cannot be read.
    return {};
  }
}

/**
 * Adds the changes of the page to the data of an action. When a hover has made new elements appear, `effect`
 * becomes "changed". A style rule alone may show such elements, without a mutation that the action itself
 * could detect.
 */
export async function withPageChange(data: Data, tab: Tab): Promise<Data> {
  const change = data.effect === "navigated" ? await arrivalOf(tab) : await pageChangeOf(tab);
  const seen = data.hovered === true && /^\*\[/m.test(change.page?.lines ?? "");
  return { ...data, ...(seen ? { effect: "changed" } : {}), ...change };
}

/**
 * Returns the messages of a new document to which an action has led, as new texts of the page. They may be
 * the only sign that the server has refused a form.
 */
async function arrivalOf(tab: Tab): Promise<{ readonly page?: PageChange }> {
  const texts = ((await messagesOf(tab)) ?? []).map(({ text }) => text.slice(0, MESSAGE_LENGTH));
  return texts.length === 0 ? {} : { page: { changed: 0, said: texts } };
}

/** Returns the messages that the page shows, or `undefined` when the page cannot be read right now. */
export async function messagesOf(tab: Tab): Promise<readonly PageMessage[] | undefined> {
  if (tab.dialog || tab.loading) return undefined;
  try {
    return await tab.answer(tab.frames.call(tab.frames.main, "pageMessages", "read"));
  } catch {
    // The action itself has succeeded, so an error in reading the page is ignored. The next snapshot reports
    // why the page cannot be read.
    return undefined;
  }
}

/**
 * Returns the outcome of a failed action. Adds the changes of the page when they may explain the failure: the
 * element was outdated, the action had no effect, or the mouse button was pressed before the failure.
 */
export async function withChangeOfFailure(outcome: ActionOutcome, tab: Tab): Promise<ActionOutcome> {
  const { code, pressed } = outcome.data;
  if (code !== "element_stale" && code !== "not_applied" && pressed !== true) return outcome;
  return { ...outcome, data: { ...outcome.data, ...(await pageChangeOf(tab)) } };
}
