/**
 * Runs an action in the browser of a session and records it. On request, an action on an outdated element is
 * repeated with the element that now matches.
 */

import { asCairnError } from "../../machines/errors.ts";
import { type ActionOutcome, failedAction } from "../../machines/session/actions/action-outcome.ts";
import {
  type RecordedStep,
  recordedStep,
  replayedParams,
} from "../../machines/session/actions/actions-to-recorded-steps.ts";
import type { Action } from "../../machines/session/actions/browser-action-parameters.ts";
import type { DatePart } from "../../machines/session/controls/field-of-named-group.ts";
import type { Located, Locator, Locators } from "../../machines/session/controls/find-element-by-locator.ts";
import { sessionLimits } from "../../machines/session/session-limits.ts";
import type { PendingAction } from "../../machines/session/session-machine.ts";
import type { BrowserSession, IntendedElement } from "../browser/index.ts";

type PerformAction = (action: Action) => Promise<ActionOutcome>;

export interface ActionRun {
  readonly outcome: ActionOutcome;
  readonly step?: RecordedStep | undefined;
  /** The accessible name of the element that a click action has clicked. */
  readonly clicked?: string | undefined;
}

/**
 * Maximum number of times that an element is located for one action. The element is located again when the
 * page changes before the action is performed.
 */
const LOCATE_TRIES = 3;

export async function runAction(
  browser: BrowserSession,
  pending: PendingAction,
  perform: PerformAction,
): Promise<ActionRun> {
  for (let tries = 1; ; tries++) {
    const located = await locatedAction(browser, pending.action);
    if ("outcome" in located) return located;
    const run = await runLocated(browser, { ...pending, action: located.action }, perform);
    // The page has changed since the element was found. The locator may still match, so the element is
    // searched for again.
    const { code, pressed } = run.outcome.data;
    const isStale = code === "element_stale" && pressed !== true;
    if (!pending.action.locators || !isStale || tries >= LOCATE_TRIES) return run;
  }
}

async function runLocated(
  browser: BrowserSession,
  { action, retry = false, recorded = false }: PendingAction,
  perform: PerformAction,
): Promise<ActionRun> {
  // The target is described before the action, because the action may change it. If this fails, the action
  // runs anyway.
  const meant = recorded || retry ? await browser.intendedElements(action).catch(() => undefined) : undefined;
  const first = await perform(action);
  const outcome = retry && meant ? await retryOnRebound(browser, action, { first, meant, perform }) : first;
  const clicked = action.name === "click" ? nameOfClicked(outcome) : undefined;
  if (!recorded || !meant) return { outcome, clicked };
  const step = recordedStep(action, outcome, meant, (label) => meant.labelled[label]);
  return { outcome, clicked, step: step && browser.resources.redactor.mask(step) };
}

/** Returns the accessible name of the clicked element from the outcome of a click. */
function nameOfClicked({ data }: ActionOutcome): string | undefined {
  // The page script describes the clicked element with the fields `ariaLabel` and `textContent`, so the cast
  // is safe. An element without these fields has no name.
  const { ariaLabel, textContent } = (data.element ?? {}) as {
    readonly ariaLabel?: string;
    readonly textContent?: string;
  };
  return ariaLabel ?? textContent;
}

/**
 * Returns the action with element indices instead of locators. If a locator matches no element or several,
 * returns an outcome with the error.
 */
async function locatedAction(
  browser: BrowserSession,
  { locators, ...action }: Action,
): Promise<{ readonly action: Action } | { readonly outcome: ActionOutcome }> {
  const plain = action as Action; // `action` without its locators is an `Action`, so the cast is safe.
  if (!locators) return { action: plain };
  let located: Awaited<ReturnType<BrowserSession["locateAll"]>>;
  try {
    located = await browser.locateAll(locatorsFor(action, locators), sessionLimits.locateWithin);
  } catch (thrown) {
    const { code, message, details } = asCairnError(thrown);
    return { outcome: { success: false, error: message, data: { ...details, code: bareCode(code) } } };
  }
  const indices: Record<string, number> = {};
  for (const [path, one] of Object.entries(located)) {
    if ("index" in one) indices[path] = one.index;
    else return { outcome: notLocated(path, locators[path], one) };
  }
  const params = replayedParams(plain, indices, {});
  // The cast is safe: only parameters change here, and not the kind of the action.
  return { action: { ...plain, params } as Action };
}

/** Actions that type into the element that they name. */
const TYPING: ReadonlySet<Action["name"]> = new Set(["input", "type_slowly", "clear"]);

/**
 * Marks the locators of an action that types, or that enters only a date or only a time. A marked locator then
 * prefers fields to buttons of the same name, or finds the field for the date or the time in a named group.
 */
function locatorsFor(action: Pick<Action, "name" | "params">, locators: Locators): Locators {
  const part = datePartOf(action);
  if (!TYPING.has(action.name) && part === undefined) return locators;
  const mark = part === undefined ? { typed: true as const } : { part };
  return Object.fromEntries(
    Object.entries(locators).map(([path, locator]) => [path, { ...locator, ...mark }]),
  );
}

/** Whether `pick_date` enters only a date or only a time; `undefined` if it enters both, and for other actions. */
function datePartOf(action: Pick<Action, "name" | "params">): DatePart | undefined {
  if (action.name !== "pick_date") return undefined;
  // The cast is safe: these are the parameters of `pick_date`.
  const { date, time } = action.params as { readonly date?: string; readonly time?: string };
  if (date !== undefined && time !== undefined) return undefined;
  return time === undefined ? "date" : "time";
}

function notLocated(
  path: string,
  locator: Locator | undefined,
  { code, candidates, shown_by, shown_by_pointer }: Exclude<Located, { index: number }>,
): ActionOutcome {
  const what = locatorText(locator);
  if (shown_by !== undefined) {
    const showing = shown_by_pointer ? `Do a hover over [${shown_by}]` : `Click [${shown_by}]`;
    const hidden = `The element is hidden: ${what}. Nothing was done. ${showing}, which shows it, and repeat the action.`;
    const pointer = shown_by_pointer ? { shown_by_pointer } : {};
    return failedAction(code, hidden, { path, candidates, shown_by, ...pointer });
  }
  const message =
    code === "element_ambiguous"
      ? `Several elements fit, or the one that fits may be another: ${what}. Nothing was done. Choose one of the candidates by its index.`
      : `No element of the page has ${what}. Nothing was done. ${candidates.length > 0 ? "Choose among the candidates, or call analyze_page." : "Call analyze_page."}`;
  return failedAction(code, message, { path, candidates });
}

/** Describes a locator: `role "button", name "Save"`. */
function locatorText(locator: Locator | undefined): string {
  const parts = Object.entries(locator ?? {}).map(([name, value]) => `${name} ${JSON.stringify(value)}`);
  return parts.join(", ");
}

/**
 * Removes the part before the dot from an error code (`session.element_stale` becomes `element_stale`),
 * because outcomes of actions contain only the second part.
 */
const bareCode = (code: string): string => code.slice(code.indexOf(".") + 1);

/**
 * Repeats an action that failed because its element index was outdated. It is repeated only if it had no
 * effect, and if exactly one element matches each of its targets.
 */
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
  // The cast is safe: only the indices of the action were replaced.
  const outcome = await perform({ ...action, params } as Action);
  return { ...outcome, data: { ...outcome.data, rebound: found.bound } };
}
