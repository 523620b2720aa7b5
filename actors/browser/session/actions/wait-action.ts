/** Waits for a time, an element, a text, an idle network, or downloads, without sending input to the page. */
import { setTimeout as pause } from "node:timers/promises";
import type { Action } from "../../../../machines/session/actions/browser-action-parameters.ts";
import { logLimits, sessionLimits } from "../../../../machines/session/session-limits.ts";
import { ActionFailure } from "../action-error.ts";
import type { Journal } from "../journal/console-and-network-journal.ts";
import { fileResultOf } from "../snapshot/save-pdf.ts";
import type { Downloads } from "../state/session-downloads.ts";
import type { Tab } from "../tabs/browser-tab.ts";
import { DocumentGone } from "../tabs/tab-frames.ts";
import type { Data } from "./pointer-and-key-input.ts";

type Params = Extract<Action, { name: "wait" }>["params"];

interface WaitSources {
  readonly journal: Journal;
  readonly downloads: Downloads | undefined;
}

export async function waitFor(tab: Tab, params: Params, { journal, downloads }: WaitSources): Promise<Data> {
  const { seconds, selector, text, network_idle, downloads: files } = params;
  const from = performance.now();
  const until = from + seconds * 1_000;
  const waited = () => Math.round(performance.now() - from) / 1_000;
  const timeoutFailure = (what: string, data: Data = {}) =>
    new ActionFailure("timeout", `${what} within ${seconds} s on ${tab.url}.`, data);
  if (selector === undefined && text === undefined && !network_idle && !files) {
    await pause(seconds * 1_000);
    return { waited: seconds };
  }
  const done: Record<string, unknown> = {};
  if (selector !== undefined || text !== undefined) {
    while (!(await isOnPage(tab, selector, text))) {
      const what = [selector, text && `the text "${text}"`].filter(Boolean).join(" with ");
      if (performance.now() >= until) throw timeoutFailure(`${what} did not appear`);
      await pause(sessionLimits.pollEvery);
    }
    done.found = true;
  }
  if (network_idle) {
    const { targetId } = tab;
    const isIdle = () =>
      !tab.loading &&
      journal.pendingCount(targetId) === 0 &&
      journal.quietFor(targetId) >= logLimits.idleAfter;
    while (!isIdle()) {
      if (performance.now() >= until)
        throw timeoutFailure("The network did not become idle", { pending: journal.pendingCount(targetId) });
      await pause(sessionLimits.pollEvery);
    }
    done.network_idle = true;
  }
  if (files) {
    while (downloads?.busy) {
      const remaining = until - performance.now();
      if (remaining <= 0)
        throw timeoutFailure("Not all downloads completed", { files: downloads.all().map(fileResultOf) });
      await downloads.nextChange(remaining);
    }
    done.files = downloads?.all().map(fileResultOf) ?? [];
  }
  return { waited: waited(), ...done };
}

export async function isOnPage(
  tab: Tab,
  selector: string | undefined,
  text: string | undefined,
): Promise<boolean> {
  for (const frame of tab.frames.all()) {
    try {
      if (text !== undefined && !(await tab.answer(tab.frames.call(frame, "textSearch", "contains", text))))
        continue;
      if (selector === undefined) return true;
      const found = await tab.answer(tab.frames.call(frame, "textSearch", "isSelectorVisible", selector));
      if (found === "bad_selector")
        throw new ActionFailure("invalid_params", `"${selector}" is no CSS selector.`, { selector });
      if (found) return true;
    } catch (error) {
      // The error is ignored: a frame that is navigating is checked again in its next document.
      if (!(error instanceof DocumentGone)) throw error;
    }
  }
  return false;
}
