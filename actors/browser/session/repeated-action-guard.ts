/**
 * Refuses an action that is repeated for the third time while the page does not change. It compares hashes of
 * the page's state and takes no snapshots, because later actions compare elements with the last snapshot. If
 * the outcome of an action reports an effect, the hash is computed only before a repetition.
 */

import type { ActionOutcome } from "../../../machines/session/actions/action-outcome.ts";
import type { Action } from "../../../machines/session/actions/browser-action-parameters.ts";
import { ActionFailure } from "./action-error.ts";
import type { Tab } from "./tabs/browser-tab.ts";
import { DocumentGone } from "./tabs/tab-frames.ts";

/** Number of times in a row that an action may run without changing the page. */
const MAX_RUNS = 2;
/** Actions that may be repeated without limit. */
const REPEATABLE: ReadonlySet<string> = new Set(["wait", "handle_dialog", "evaluate"]);
/**
 * Error codes of actions that have not touched the page. Such a failure does not count as a repetition of the
 * action.
 */
const NOT_ATTEMPTED: ReadonlySet<unknown> = new Set([
  "element_stale",
  "element_not_found",
  "no_analysis",
  "invalid_params",
  "dialog_open",
  "interrupted",
  "not_enabled",
]);
/** Actions whose outcome reports whether the page has changed. */
const REPORT_EFFECT: ReadonlySet<string> = new Set([
  "navigate",
  "go_back",
  "go_forward",
  "refresh",
  "click",
  "double_click",
  "right_click",
  "hover",
  "input",
  "clear",
  "scroll",
  "wait",
  "handle_dialog",
  "evaluate",
  "switch",
  "close",
]);
const NO_EFFECT: ReadonlySet<unknown> = new Set(["nothing_changed", "focused"]);

/**
 * The state of a tab's page at one moment. `stateHash` is a hash of the page's content, if it was computed.
 */
interface HashedState {
  readonly tab: string;
  readonly navigations: number;
  readonly url: string;
  readonly stateHash: string | undefined;
}

interface PreviousRun {
  readonly key: string;
  readonly before: HashedState;
  readonly outcome: ActionOutcome;
  /** Number of runs of this action in a row that have not changed the page. */
  readonly runsWithoutEffect: number;
}

export class RepetitionGuard {
  #last: PreviousRun | undefined;
  #current:
    | { readonly key: string; readonly before: HashedState; readonly runsWithoutEffect: number }
    | undefined;

  /**
   * Must be called before each action. Throws `no_progress` when the same action has run twice in a row and
   * the page is still as it was before the first run.
   */
  async before(tab: Tab, action: Action): Promise<void> {
    const key = JSON.stringify(action);
    const last = this.#last;
    if (last?.key !== key || REPEATABLE.has(action.name) || tab.dialog) {
      const needsHash = !REPORT_EFFECT.has(action.name) && !tab.dialog;
      this.#current = {
        key,
        before: needsHash ? await stateWithHash(tab) : stateOf(tab),
        runsWithoutEffect: 0,
      };
      return;
    }
    const before = await stateWithHash(tab);
    const runsWithoutEffect = isUnchanged(last, before) ? last.runsWithoutEffect + 1 : 0;
    if (runsWithoutEffect >= MAX_RUNS) {
      const { success, error, data } = last.outcome;
      throw new ActionFailure(
        "no_progress",
        `${action.name} was done ${runsWithoutEffect} times in a row, and the page is as it was. Do something else, or call analyze_page for what there is.`,
        { times: runsWithoutEffect, last: { success, error, code: data.code, effect: data.effect } },
      );
    }
    this.#current = { key, before, runsWithoutEffect };
  }

  after(outcome: ActionOutcome): void {
    const current = this.#current;
    this.#current = undefined;
    if (!current || outcome.data.code === "no_progress") return;
    this.#last = NOT_ATTEMPTED.has(outcome.data.code) ? undefined : { ...current, outcome };
  }
}

function isUnchanged({ before, outcome: { success, data } }: PreviousRun, current: HashedState): boolean {
  if (before.tab !== current.tab || before.navigations !== current.navigations || before.url !== current.url)
    return false;
  // If no state hash was computed before the action, the outcome decides whether the page has changed. The
  // page counts as unchanged if the action failed or had no effect.
  return before.stateHash === undefined
    ? !success || NO_EFFECT.has(data.effect)
    : before.stateHash === current.stateHash;
}

function stateOf({ targetId, navigations, url }: Tab): HashedState {
  return { tab: targetId, navigations, url, stateHash: undefined };
}

async function stateWithHash(tab: Tab): Promise<HashedState> {
  if (tab.loading) await tab.waitForLoad();
  try {
    const hashes = await Promise.all(
      tab.frames.all().map((frame) => tab.answer(tab.frames.call(frame, "stateHash", "compute"))),
    );
    return { ...stateOf(tab), stateHash: hashes.join() };
  } catch (error) {
    // If the page navigates now, the state gets `-1` navigations. This differs from every other state, so it
    // counts as changed.
    if (error instanceof DocumentGone) return { ...stateOf(tab), navigations: -1 };
    throw error;
  }
}
