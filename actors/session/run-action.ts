/**
 * An act of a session in its browser: done, found again where that was asked for, and put down where it is recorded.
 *
 * Neighbours: `../session.ts` has the effect, `machines/session/recording.ts` says what is recorded.
 */

import type { ActionOutcome } from "../../machines/session/action-outcome.ts";
import type { Action } from "../../machines/session/actions.ts";
import type { PendingAction } from "../../machines/session/machine.ts";
import { type RecordedStep, recordedStep, replayedParams } from "../../machines/session/recorded-step.ts";
import type { BrowserSession, Meant } from "../browser/index.ts";

type Do = (action: Action) => Promise<ActionOutcome>;

export interface Done {
  readonly outcome: ActionOutcome;
  readonly step?: RecordedStep | undefined;
}

export async function perform(browser: BrowserSession, pending: PendingAction, act: Do): Promise<Done> {
  const { action, retry = false, recorded = false } = pending;
  // What it means is known before it is done, or not any more; a page that does not say it is acted on all the same.
  const meant = recorded || retry ? await browser.meantBy(action).catch(() => undefined) : undefined;
  const first = await act(action);
  const outcome = retry && meant ? await again(browser, action, { first, meant, act }) : first;
  if (!recorded || !meant) return { outcome };
  const step = recordedStep(action, outcome, meant, (label) => meant.labelled[label]);
  return { outcome, step: step && browser.beside.redactor.mask(step) };
}

/** Once more on what was meant, where nothing was done yet and nothing else can be meant. */
async function again(
  browser: BrowserSession,
  action: Action,
  { first, meant, act }: { readonly first: ActionOutcome; readonly meant: Meant; readonly act: Do },
): Promise<ActionOutcome> {
  const { code, pressed } = first.data;
  if (code !== "element_stale" || pressed === true || Object.keys(meant.targets).length === 0) return first;
  const found = await browser.bindAll(meant.targets, 0).catch(() => undefined);
  if (!found || !("bound" in found)) return first;
  const indices = Object.fromEntries(Object.entries(found.bound).map(([path, { index }]) => [path, index]));
  const params = replayedParams(action, indices, {});
  const outcome = await act({ ...action, params } as Action); // Only its indices are others.
  return { ...outcome, data: { ...outcome.data, rebound: found.bound } };
}
