/** Runs an action in the session's browser: retries it on a rebound element if requested, and records it. */

import type { ActionOutcome } from "../../machines/session/action-outcome.ts";
import type { Action } from "../../machines/session/actions.ts";
import type { PendingAction } from "../../machines/session/machine.ts";
import { type RecordedStep, recordedStep, replayedParams } from "../../machines/session/recorded-step.ts";
import type { BrowserSession, IntendedElement } from "../browser/index.ts";

type PerformAction = (action: Action) => Promise<ActionOutcome>;

export interface ActionRun {
  readonly outcome: ActionOutcome;
  readonly step?: RecordedStep | undefined;
}

export async function runAction(
  browser: BrowserSession,
  pending: PendingAction,
  perform: PerformAction,
): Promise<ActionRun> {
  const { action, retry = false, recorded = false } = pending;
  // The target is described before the action changes it. The action also runs when that fails.
  const meant = recorded || retry ? await browser.intendedElements(action).catch(() => undefined) : undefined;
  const first = await perform(action);
  const outcome = retry && meant ? await retryOnRebound(browser, action, { first, meant, perform }) : first;
  if (!recorded || !meant) return { outcome };
  const step = recordedStep(action, outcome, meant, (label) => meant.labelled[label]);
  return { outcome, step: step && browser.resources.redactor.mask(step) };
}

/** Repeats a stale action that did nothing, when exactly one element matches each of its targets. */
async function retryOnRebound(
  browser: BrowserSession,
  action: Action,
  {
    first,
    meant,
    perform,
  }: { readonly first: ActionOutcome; readonly meant: IntendedElement; readonly perform: PerformAction },
): Promise<ActionOutcome> {
  const { code, pressed } = first.data;
  if (code !== "element_stale" || pressed === true || Object.keys(meant.targets).length === 0) return first;
  const found = await browser.bindAll(meant.targets, 0).catch(() => undefined);
  if (!found || !("bound" in found)) return first;
  const indices = Object.fromEntries(Object.entries(found.bound).map(([path, { index }]) => [path, index]));
  const params = replayedParams(action, indices, {});
  const outcome = await perform({ ...action, params } as Action); // The same action with other indices.
  return { ...outcome, data: { ...outcome.data, rebound: found.bound } };
}
