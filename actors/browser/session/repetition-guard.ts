/**
 * Refuses an action that is repeated for the third time while the page stays the same. It compares state
 * hashes of the page instead of snapshots, so element indices keep their meaning. Before an action whose
 * outcome reports an effect, the hash is computed only for a repetition.
 */

import type { ActionOutcome } from "../../../machines/session/action-outcome.ts";
import type { Action } from "../../../machines/session/actions.ts";
import { ActionFailure } from "./action-failure.ts";
import { DocumentGone } from "./tabs/frames.ts";
import type { Tab } from "./tabs/tab.ts";

/** Times in a row that an action may run without changing the page. */
const MOST = 2;
/** Actions that may be repeated without limit: they wait for changes, or answer a dialog. */
const REPEATED: ReadonlySet<string> = new Set(["wait", "handle_dialog", "evaluate"]);
/** Error codes of actions that were not attempted. Such an action may be repeated and gets the same error. */
const UNTRIED: ReadonlySet<unknown> = new Set([
  "element_stale",
  "element_not_found",
  "no_analysis",
  "invalid_params",
  "dialog_open",
  "interrupted",
  "not_enabled",
]);
/** Actions whose outcome reports whether the page changed. */
const TELLING: ReadonlySet<string> = new Set([
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
const VAIN: ReadonlySet<unknown> = new Set(["nothing_changed", "focused"]);

/** The page at one moment. `pulse` is undefined if the state hash was not computed. */
interface Moment {
  readonly tab: string;
  readonly document: number;
  readonly url: string;
  readonly pulse: string | undefined;
}

interface Done {
  readonly key: string;
  readonly before: Moment;
  readonly outcome: ActionOutcome;
  /** Earlier runs in a row that changed nothing, without this one. */
  readonly vain: number;
}

export class RepetitionGuard {
  #last: Done | undefined;
  #now: { readonly key: string; readonly before: Moment; readonly vain: number } | undefined;

  /** Throws `no_progress` if the action already ran twice and the page is as it was before the first run. */
  async before(tab: Tab, action: Action): Promise<void> {
    const key = JSON.stringify(action);
    const last = this.#last;
    if (last?.key !== key || REPEATED.has(action.name) || tab.dialog) {
      const silent = !TELLING.has(action.name) && !tab.dialog;
      this.#now = { key, before: silent ? await feel(tab) : momentOf(tab), vain: 0 };
      return;
    }
    const before = await feel(tab);
    const vain = isSame(last, before) ? last.vain + 1 : 0;
    if (vain >= MOST) {
      const { success, error, data } = last.outcome;
      throw new ActionFailure(
        "no_progress",
        `${action.name} was done ${vain} times in a row, and the page is as it was. Do something else, or call analyze_page for what there is.`,
        { times: vain, last: { success, error, code: data.code, effect: data.effect } },
      );
    }
    this.#now = { key, before, vain };
  }

  after(outcome: ActionOutcome): void {
    const now = this.#now;
    this.#now = undefined;
    if (!now || outcome.data.code === "no_progress") return;
    this.#last = UNTRIED.has(outcome.data.code) ? undefined : { ...now, outcome };
  }
}

function isSame({ before, outcome: { success, data } }: Done, now: Moment): boolean {
  if (before.tab !== now.tab || before.document !== now.document || before.url !== now.url) return false;
  // Without a state hash from before the action, only its outcome can show that nothing changed.
  return before.pulse === undefined ? !success || VAIN.has(data.effect) : before.pulse === now.pulse;
}

function momentOf({ targetId, documents, url }: Tab): Moment {
  return { tab: targetId, document: documents, url, pulse: undefined };
}

async function feel(tab: Tab): Promise<Moment> {
  if (tab.loading) await tab.loaded();
  try {
    const felt = await Promise.all(
      tab.frames.all().map((frame) => tab.answer(tab.frames.call(frame, "stateHash", "compute"))),
    );
    return { ...momentOf(tab), pulse: felt.join() };
  } catch (error) {
    // A page that is navigating has changed.
    if (error instanceof DocumentGone) return { ...momentOf(tab), document: -1 };
    throw error;
  }
}
