/**
 * Finds the elements that locators describe. When several elements fit a locator, these candidates are
 * returned instead. Afterwards, found elements and candidates count as seen by the caller, so actions check
 * whether they have changed since.
 */
import { setTimeout as pause } from "node:timers/promises";
import { bestCandidates, bind } from "../../../../machines/session/controls/element-of-fingerprint.ts";
import { fieldsOf } from "../../../../machines/session/controls/field-by-label.ts";
import {
  fieldsOfNamedGroup,
  isUnclearInGroup,
} from "../../../../machines/session/controls/field-of-named-group.ts";
import {
  candidatesOf,
  isSessionFingerprint,
  type Located,
  type Locator,
  type Locators,
  locate,
} from "../../../../machines/session/controls/find-element-by-locator.ts";
import type { HighlightedElement } from "../../../../machines/session/page/page-snapshot.ts";
import { sessionLimits } from "../../../../machines/session/session-limits.ts";
import { ActionFailure } from "../action-error.ts";
import type { Tab } from "../tabs/browser-tab.ts";
import { DocumentGone, Frames } from "../tabs/tab-frames.ts";
import { groupsFor } from "./find-form-field-by-label.ts";
import { acceptElements } from "./page-change-tracker.ts";
import { wordsOf } from "./refind-elements.ts";

/**
 * Maximum number of elements per frame that a selector returns. Only these elements are compared with the
 * other fields of the locator, or returned to the caller as candidates.
 */
const MAX_SELECTED = 20;

/**
 * Finds the element of each locator, and waits up to `within` milliseconds for missing elements. The keys of
 * the result are the locators' paths in the parameters of the action.
 */
export async function locateAll(
  tab: Tab,
  locators: Locators,
  within: number,
): Promise<Readonly<Record<string, Located>>> {
  const start = performance.now();
  for (let isFirst = true; ; isFirst = false) {
    const located = await locateNow(tab, locators);
    const missing = Object.entries(located).filter(
      ([, one]) => "code" in one && one.code === "element_not_found",
    );
    const elapsed = performance.now() - start;
    if (
      missing.length === 0 ||
      elapsed >= Math.min(within, sessionLimits.hiddenAfter) ||
      (await isQuiet(tab, isFirst))
    ) {
      const shown = await withRevealingControls(tab, locators, located);
      const isHidden = missing.every(([path]) => {
        const one = shown[path];
        return one !== undefined && "shown_by" in one;
      });
      if (isHidden || elapsed >= within) return shown;
    }
    await pause(sessionLimits.pollEvery);
  }
}

/**
 * Whether the page is loaded and has not changed for a while, so that no menu or section is opening.
 *
 * @param isFirst true for the first check of a wait; the time without changes is counted from this check on
 */
async function isQuiet(tab: Tab, isFirst: boolean): Promise<boolean> {
  if (tab.loading || tab.pendingRequests() > 0) return false;
  const { frames } = tab;
  const times = await Promise.all(
    frames.all().map(async (frame) => {
      try {
        return await tab.answer(frames.call(frame, "pageIdle", "quietFor", isFirst));
      } catch (error) {
        if (error instanceof DocumentGone) return 0;
        throw error;
      }
    }),
  );
  return Math.min(...times) >= sessionLimits.hiddenUnchangedAfter;
}

/** Extends the result: for each element that is on the page but hidden, adds the control that shows it. */
async function withRevealingControls(
  tab: Tab,
  locators: Locators,
  located: Readonly<Record<string, Located>>,
): Promise<Readonly<Record<string, Located>>> {
  if (Object.values(located).every((one) => !("code" in one))) return located;
  const { elements, url } = await tab.answer(tab.snapshots.peek());
  const all: Record<string, Located> = { ...located };
  for (const [path, one] of Object.entries(located)) {
    const locator = locators[path];
    if (!("code" in one) || locator?.selector === undefined) continue;
    // If the locator has an address (`href`), a visible link with the same name, such as "Review" in another
    // menu, is another link. So the control that shows the hidden link is searched for even if such links
    // were found.
    if (one.code !== "element_not_found" && locator.fingerprint?.attributes?.href === undefined) continue;
    const revealing = await revealingControlOf(tab, locator.selector);
    const control = elements.find(({ highlight_index }) => highlight_index === revealing?.index);
    if (!control) continue;
    const shown_by = control.highlight_index;
    await acceptElements(tab, [shown_by]);
    all[path] = {
      code: "element_not_found",
      candidates: candidatesOf(locator, [control], url),
      shown_by,
      ...(revealing?.byPointer ? { shown_by_pointer: true } : {}),
    };
  }
  return all;
}

async function revealingControlOf(tab: Tab, selector: string) {
  const { frames, snapshots } = tab;
  for (const frame of frames.all()) {
    const document = Frames.documentKey(frame);
    const found = await tab.answer(frames.call(frame, "elementSearch", "revealing", selector));
    if (found) return { index: snapshots.indexFor(frame, document, found.id), byPointer: found.byPointer };
  }
  return undefined;
}

async function locateNow(tab: Tab, locators: Locators): Promise<Readonly<Record<string, Located>>> {
  if (tab.loading) await tab.waitForLoad();
  const { elements, url } = await tab.answer(tab.snapshots.peek());
  const located: Record<string, Located> = {};
  for (const [path, locator] of Object.entries(locators))
    located[path] = await locateOne(tab, locator, elements, url);
  const shown = Object.values(located).flatMap((one) =>
    "index" in one ? [one.index] : one.candidates.map(({ highlight_index }) => highlight_index),
  );
  await acceptElements(tab, shown);
  return located;
}

async function locateOne(
  tab: Tab,
  locator: Locator,
  elements: readonly HighlightedElement[],
  url: string,
): Promise<Located> {
  const { fingerprint, selector } = locator;
  if (isSessionFingerprint(fingerprint)) {
    const candidates = bestCandidates(fingerprint, elements);
    const words = await wordsOf(tab, candidates, true);
    const compared = candidates.map((element, at) => ({ element, words: words[at] }));
    const binding = bind(fingerprint, compared, url);
    return "index" in binding ? { index: binding.index } : { code: "element_not_found", ...binding };
  }
  // A locator from a map may have a fingerprint (description of the element). Then the selector is ignored,
  // because it may be outdated: it shows where the element was during the crawl.
  if (fingerprint || selector === undefined) {
    const located = locate(locator, elements, url);
    const inGroup = "code" in located ? await locateInGroup(tab, locator, elements, url) : undefined;
    const isBetter = inGroup && ("index" in inGroup || ("code" in located && located.code !== inGroup.code));
    return isBetter ? inGroup : located;
  }
  const selected = await selectedBy(tab, selector, locator.frame);
  const { role, name, label, text } = locator;
  const isBare = [role, name, label, text].every((one) => one === undefined);
  const [only] = selected;
  // A locator that consists only of a selector may also find an element that snapshots do not list, such as a
  // heading.
  if (isBare && only !== undefined && selected.length === 1) return { index: only };
  const located = locate(locator, elements, url, new Set(selected));
  const hasOnlyText = [role, name, label].every((one) => one === undefined);
  if (!("code" in located) || text === undefined || !hasOnlyText) return located;
  // Together with the text of the locator, the selector may find a cell of a grid that snapshots do not list.
  const [cell, ...others] = await selectedBy(tab, selector, locator.frame, text);
  return cell === undefined || others.length > 0 ? located : { index: cell };
}

/**
 * Finds a field by its label and the group around it, such as "Street" in the group "Billing address". Returns
 * `undefined` if the label names no group.
 */
async function locateInGroup(
  tab: Tab,
  locator: Locator,
  elements: readonly HighlightedElement[],
  url: string,
): Promise<Located | undefined> {
  const { fingerprint, role, name, label, text, part } = locator;
  if (label === undefined || [fingerprint, role, name, text].some((one) => one !== undefined))
    return undefined;
  const groups = await groupsFor(tab, fieldsOf(elements), [{ label }]);
  const found = fieldsOfNamedGroup(elements, label, groups, part);
  const [field] = found;
  if (!field) return undefined;
  if (!isUnclearInGroup(found, label)) return { index: field.highlight_index };
  return { code: "element_ambiguous", candidates: candidatesOf(locator, found, url) };
}

/**
 * Returns the indices of the elements that match a selector in the given frame, or in any frame if none is
 * given.
 */
async function selectedBy(
  tab: Tab,
  selector: string,
  path: readonly string[] | undefined,
  text?: string,
): Promise<readonly number[]> {
  const { frames, snapshots } = tab;
  const indices: number[] = [];
  for (const frame of frames.all()) {
    if (path && !isAt(tab, frame.id, path)) continue;
    const document = Frames.documentKey(frame);
    const found = await tab.answer(
      frames.call(frame, "elementSearch", "bySelector", selector, MAX_SELECTED, text ?? null),
    );
    if (found === "bad_selector")
      throw new ActionFailure("invalid_params", `"${selector}" is no CSS selector.`, { selector });
    for (const id of found.ids) {
      const index = snapshots.indexFor(frame, document, id);
      if (index !== undefined) indices.push(index);
    }
  }
  return indices;
}

/**
 * Whether a frame has this path. A path consists of the selectors of the frame elements around the frame,
 * from the outermost to the innermost.
 */
function isAt({ frames, snapshots }: Tab, frameId: string, path: readonly string[]): boolean {
  let at = frames.get(frameId);
  for (const selector of path.toReversed()) {
    if (!at || at.parent === undefined || snapshots.selectorOf(at.id) !== selector) return false;
    at = frames.get(at.parent);
  }
  return at !== undefined && at.parent === undefined;
}
