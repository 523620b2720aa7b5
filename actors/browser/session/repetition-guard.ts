/**
 * Whether acts that are repeated get anywhere: the same one, for the third time on a page that stays as it was, is not
 * done.
 *
 * It is felt, not looked at: indices go on meaning what they meant. Before acts that tell themselves what came of them
 * that is done with repetitions only, so it costs others nothing. Neighbours: `injected/pulse.ts` feels, `browser-session.ts` asks before each act.
 */

import type { ActionOutcome } from "../../../machines/session/action-outcome.ts";
import type { Action } from "../../../machines/session/actions.ts";
import { ActionFailure } from "./action-failure.ts";
import { DocumentGone } from "./tabs/frames.ts";
import type { Tab } from "./tabs/tab.ts";

/** Times that it is done. */
const MOST = 2;
/** These are repeated for what comes by itself meanwhile, or answer something that is on top of the page. */
const REPEATED: ReadonlySet<string> = new Set(["wait", "handle_dialog", "evaluate"]);
/** Nothing was tried: that is told again. */
const UNTRIED: ReadonlySet<unknown> = new Set([
  "element_stale",
  "element_not_found",
  "no_analysis",
  "invalid_params",
  "dialog_open",
  "interrupted",
  "not_enabled",
]);
/** They tell what came of them. */
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

/** A page at one moment; without a `pulse` nobody felt for it. */
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
  /** Times in a row that it changed nothing, this one not counted. */
  readonly vain: number;
}

export class RepetitionGuard {
  #last: Done | undefined;
  #now: { readonly key: string; readonly before: Moment; readonly vain: number } | undefined;

  /** Throws `no_progress` when the act was done twice already, and the page is as it was before the first time. */
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
  // Where nobody had felt before, the act itself has to say that nothing came of it.
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
    // A page that goes to another document is not as it was.
    if (error instanceof DocumentGone) return { ...momentOf(tab), document: -1 };
    throw error;
  }
}
