/** Lists the elements of a screen, which are its controls and its links, and finds them by label. */
import { wordsOf } from "../../machines/knowledge/name-index.ts";
import { parseControl, type TransitionAction } from "../../machines/knowledge/page-screen.ts";
import type { ActionRecord, Control, TransitionRecord } from "../../machines/records.ts";
import type { OpenMap } from "./recognise-screen.ts";

export interface ScreenElement {
  readonly action_id: string;
  readonly screen_id: string;
  readonly action_type: string;
  readonly label: string;
  readonly control: Control | null;
  /** The address to which a link or a form leads; empty when there is none. */
  readonly url: string;
  /** The page (instance of a screen) to which a link leads. */
  readonly leads_to: string | undefined;
  readonly source:
    | { readonly kind: "control"; readonly record: ActionRecord }
    | { readonly kind: "link"; readonly record: TransitionRecord };
}

/**
 * Returns an id by which answers list a link as an action. Links are stored as transitions, which have no
 * action id.
 */
export function linkId(from: string, to: string): string {
  return `${from}>${to}`;
}

export async function elementsOf(
  { knowledgeId, source, atlas }: OpenMap,
  screenId: string,
): Promise<readonly ScreenElement[]> {
  const [transitions, controls] = await Promise.all([
    source.screens.transitionsFrom(knowledgeId, screenId),
    source.screens.actions(knowledgeId, screenId),
  ]);
  return [
    ...controls.map((record): ScreenElement => {
      const control = parseControl(record.target) ?? null;
      return {
        action_id: record.action_id,
        screen_id: screenId,
        action_type: record.action_type,
        label: record.name || control?.name || "",
        control,
        url: control?.attributes.action ?? "",
        leads_to: undefined,
        source: { kind: "control", record },
      };
    }),
    ...transitions.map((record): ScreenElement => {
      // The map actor wrote the action as JSON of `TransitionAction`, so the cast is safe.
      const { name, target, url, action_type } = JSON.parse(record.action) as TransitionAction;
      return {
        action_id: linkId(screenId, record.out[1]),
        screen_id: screenId,
        action_type,
        label: name || target?.name || "",
        control: target,
        url,
        leads_to: atlas.routes.resolve(record.out[1]) ?? record.out[1],
        source: { kind: "link", record },
      };
    }),
  ];
}

/** Minimum share (0 to 1) of the target's words that the label of an element must contain. */
const FITTING = 0.6;

/**
 * Returns the elements whose labels fit the target, best first. Labels with all the words come first, and
 * among them those with the fewest further words.
 */
export function fitting(elements: readonly ScreenElement[], target: string): readonly ScreenElement[] {
  const wanted = wordsOf(target);
  if (wanted.length === 0) return [];
  return elements
    .flatMap((element) => {
      const own = new Set(wordsOf(element.label));
      const share = wanted.filter((word) => own.has(word)).length / wanted.length;
      return share < FITTING || own.size === 0 ? [] : [{ element, share, others: own.size }];
    })
    .sort((a, b) => b.share - a.share || a.others - b.others)
    .map(({ element }) => element);
}
