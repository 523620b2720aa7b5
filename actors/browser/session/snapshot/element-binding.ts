/**
 * Elements known again: fingerprints of what an act means, and the elements of now that they stand for.
 *
 * It looks without showing anything; what it binds to, and the candidates it names, are meant from then on as they are.
 * Neighbours: `machines/session/binding.ts` decides, `injected/shown.ts` knows the words of elements.
 */
import { setTimeout as pause } from "node:timers/promises";
import type { Action } from "../../../../machines/session/actions.ts";
import {
  type Bindings,
  type BoundElements,
  bestCandidates,
  bind,
  type Fingerprint,
  fingerprintOf,
  type Words,
} from "../../../../machines/session/element-binding.ts";
import { sessionLimits } from "../../../../machines/session/limits.ts";
import type { HighlightedElement } from "../../../../machines/session/page-snapshot.ts";
import { byLabel, indicesOf } from "../../../../machines/session/recorded-step.ts";
import { DocumentGone, type Frame, Frames } from "../tabs/frames.ts";
import type { Tab } from "../tabs/tab.ts";
import { adopt } from "./page-changes.ts";

/** What an action means, before it is done. */
export interface IntendedElement {
  readonly url: string;
  readonly targets: Readonly<Record<string, Fingerprint>>;
  readonly labelled: Readonly<Record<string, Fingerprint>>;
}

/** The fingerprints of what an action means, as its caller was shown it. */
export async function intendedElementOf(tab: Tab, { params }: Action): Promise<IntendedElement> {
  const { looking, url } = tab;
  const indices = indicesOf(params).flatMap(([path, index]) => {
    const element = looking.shown(index);
    return element ? [[path, element] as const] : [];
  });
  const labels = [...labelsOf(params)].flatMap((label) => {
    const element = byLabel(looking.last?.elements ?? [], label);
    return element ? [[label, element] as const] : [];
  });
  const all = [...indices, ...labels].map(([, element]) => element);
  const said = await wordsOf(tab, all, false);
  const prints = all.map((element, at) => fingerprintOf(element, looking.last?.elements ?? [], said[at]));
  const named = <Name extends string>(names: readonly (readonly [Name, unknown])[], from: number) =>
    Object.fromEntries(
      names.flatMap(([name], at) => {
        const print = prints[from + at];
        return print ? [[name, print]] : [];
      }),
    );
  return { url, targets: named(indices, 0), labelled: named(labels, indices.length) };
}

function* labelsOf(value: unknown): Generator<string> {
  if (typeof value !== "object" || value === null) return;
  for (const [name, one] of Object.entries(value)) {
    if (name === "label" && typeof one === "string") yield one;
    else yield* labelsOf(one);
  }
}

/** Waits a while for elements to come that are meant; all of them, or the first that there is none for. */
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
  if (tab.loading) await tab.loaded();
  const { elements, url } = await tab.answer(tab.looking.peek());
  const bound: Record<string, BoundElements[string]> = {};
  for (const [path, wanted] of Object.entries(targets)) {
    const likely = bestCandidates(wanted, elements);
    const said = await wordsOf(tab, likely, true);
    const binding = bind(
      wanted,
      likely.map((element, at) => ({ element, words: said[at] })),
      url,
    );
    if ("candidates" in binding) {
      await adopt(
        tab,
        binding.candidates.map(({ highlight_index }) => highlight_index),
      );
      return { path, candidates: binding.candidates };
    }
    bound[path] = binding;
  }
  await adopt(
    tab,
    Object.values(bound).map(({ index }) => index),
  );
  return { bound };
}

async function wordsOf(
  tab: Tab,
  elements: readonly HighlightedElement[],
  now: boolean,
): Promise<readonly (Words | undefined)[]> {
  const { looking, frames } = tab;
  const said = new Map<HighlightedElement, Words>();
  const asked = new Map<Frame, { readonly element: HighlightedElement; readonly id: number }[]>();
  for (const element of elements) {
    const place = looking.place(element.highlight_index);
    const frame = place && frames.get(place.frameId);
    if (!frame || Frames.document(frame) !== place.document) continue;
    asked.set(frame, [...(asked.get(frame) ?? []), { element, id: place.id }]);
  }
  await Promise.all(
    [...asked].map(async ([frame, ones]) => {
      try {
        const ids = ones.map(({ id }) => id);
        const words = await tab.answer(frames.call(frame, "fingerprints", "textsOf", ids, now));
        for (const [at, one] of ones.entries()) {
          const told = words[at];
          if (told) said.set(one.element, told);
        }
      } catch (error) {
        // Its elements went with it.
        if (!(error instanceof DocumentGone)) throw error;
      }
    }),
  );
  return elements.map((element) => said.get(element));
}
