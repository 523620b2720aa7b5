/**
 * Finds elements of an earlier snapshot again on the current page, by their fingerprints. For this, it takes
 * snapshots that the caller does not see. If an error names the found elements, the next answer does not
 * report them as new.
 */
import { setTimeout as pause } from "node:timers/promises";
import { byLabel, indicesOf } from "../../../../machines/session/actions/actions-to-recorded-steps.ts";
import type { Action } from "../../../../machines/session/actions/browser-action-parameters.ts";
import {
  type Bindings,
  type BoundElements,
  bestCandidates,
  bind,
  type Fingerprint,
  fingerprintOf,
  type Words,
} from "../../../../machines/session/controls/element-of-fingerprint.ts";
import type { HighlightedElement } from "../../../../machines/session/page/page-snapshot.ts";
import { sessionLimits } from "../../../../machines/session/session-limits.ts";
import type { Tab } from "../tabs/browser-tab.ts";
import { DocumentGone, type Frame, Frames } from "../tabs/tab-frames.ts";
import { acceptElements } from "./page-change-tracker.ts";

/**
 * The fingerprints (descriptions for recognition) of the elements to which an action refers, recorded before
 * the action runs.
 */
export interface IntendedElement {
  readonly url: string;
  readonly targets: Readonly<Record<string, Fingerprint>>;
  readonly labelled: Readonly<Record<string, Fingerprint>>;
}

/**
 * Returns the fingerprints (texts for recognition) that the elements of an action had in the caller's last
 * snapshot.
 */
export async function intendedElementOf(tab: Tab, { params }: Action): Promise<IntendedElement> {
  const { snapshots, url } = tab;
  const indices = indicesOf(params).flatMap(([path, index]) => {
    const element = snapshots.lastKnown(index);
    return element ? [[path, element] as const] : [];
  });
  const labels = [...labelsOf(params)].flatMap((label) => {
    const element = byLabel(snapshots.last?.elements ?? [], label);
    return element ? [[label, element] as const] : [];
  });
  const all = [...indices, ...labels].map(([, element]) => element);
  const words = await wordsOf(tab, all, false);
  const fingerprints = all.map((element, at) =>
    fingerprintOf(element, snapshots.last?.elements ?? [], words[at]),
  );
  const byName = <Name extends string>(names: readonly (readonly [Name, unknown])[], from: number) =>
    Object.fromEntries(
      names.flatMap(([name], at) => {
        const fingerprint = fingerprints[from + at];
        return fingerprint ? [[name, fingerprint]] : [];
      }),
    );
  return { url, targets: byName(indices, 0), labelled: byName(labels, indices.length) };
}

function* labelsOf(value: unknown): Generator<string> {
  if (typeof value !== "object" || value === null) return;
  for (const [name, item] of Object.entries(value)) {
    if (name === "label" && typeof item === "string") yield item;
    else yield* labelsOf(item);
  }
}

/**
 * Waits until every fingerprint (texts for recognition) matches an element of the page, and returns these
 * elements. After `within` milliseconds, returns the first fingerprint without a matching element.
 */
export async function bindAll(
  tab: Tab,
  targets: Readonly<Record<string, Fingerprint>>,
  within: number,
): Promise<Bindings> {
  const until = performance.now() + within;
  for (;;) {
    const found = await tryBind(tab, targets);
    if ("bound" in found || performance.now() >= until) return found;
    await pause(sessionLimits.pollEvery);
  }
}

async function tryBind(tab: Tab, targets: Readonly<Record<string, Fingerprint>>): Promise<Bindings> {
  if (tab.loading) await tab.waitForLoad();
  const { elements, url } = await tab.answer(tab.snapshots.peek());
  const bound: Record<string, BoundElements[string]> = {};
  for (const [path, wanted] of Object.entries(targets)) {
    const candidates = bestCandidates(wanted, elements);
    const words = await wordsOf(tab, candidates, true);
    const binding = bind(
      wanted,
      candidates.map((element, at) => ({ element, words: words[at] })),
      url,
    );
    if ("candidates" in binding) {
      await acceptElements(
        tab,
        binding.candidates.map(({ highlight_index }) => highlight_index),
      );
      return { path, candidates: binding.candidates };
    }
    bound[path] = binding;
  }
  await acceptElements(
    tab,
    Object.values(bound).map(({ index }) => index),
  );
  return { bound };
}

/**
 * Returns the words of each element and of the text around it. With `now`, they are read from the page;
 * otherwise they are the words in the caller's last snapshot.
 */
export async function wordsOf(
  tab: Tab,
  elements: readonly HighlightedElement[],
  now: boolean,
): Promise<readonly (Words | undefined)[]> {
  const { snapshots, frames } = tab;
  const wordsByElement = new Map<HighlightedElement, Words>();
  const requests = new Map<Frame, { readonly element: HighlightedElement; readonly id: number }[]>();
  for (const element of elements) {
    const place = snapshots.locationOf(element.highlight_index);
    const frame = place && frames.get(place.frameId);
    if (!frame || Frames.documentKey(frame) !== place.document) continue;
    const members = requests.get(frame) ?? [];
    members.push({ element, id: place.id });
    requests.set(frame, members);
  }
  await Promise.all(
    [...requests].map(async ([frame, members]) => {
      try {
        const ids = members.map(({ id }) => id);
        const words = await tab.answer(frames.call(frame, "fingerprints", "textsOf", ids, now));
        for (const [at, member] of members.entries()) {
          const text = words[at];
          if (text) wordsByElement.set(member.element, text);
        }
      } catch (error) {
        // The error is ignored: when the document was replaced, the elements no longer exist and have no
        // words.
        if (!(error instanceof DocumentGone)) throw error;
      }
    }),
  );
  return elements.map((element) => wordsByElement.get(element));
}
