/** The elements of a screen: its controls and its links, by label. */
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
  /** Address that a link or a form names; empty without one. */
  readonly url: string;
  /** The instance that a link leads to. */
  readonly leads_to: string | undefined;
  readonly source:
    | { readonly kind: "control"; readonly record: ActionRecord }
    | { readonly kind: "link"; readonly record: TransitionRecord };
}

/** The id of a link as an action: links are transitions, which have no id of their own. */
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
      // The knowledge kind wrote it as JSON of `TransitionAction`.
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

/** Least share of the wanted words in a label. */
const FITTING = 0.6;

/** The elements whose labels fit, best first: all the words, then the fewest others. */
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
