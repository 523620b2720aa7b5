/** Lists the elements of a screen, which are its controls and its links, and finds them by label. */

import { parseControl, type TransitionAction } from "../../../machines/knowledge/screens/page-to-screen.ts";
import { wordsOf } from "../../../machines/knowledge/screens/screen-name-index.ts";
import { simpleSelector } from "../../../machines/knowledge/tasks/simple-css-selector.ts";
import type { ActionRecord, TransitionRecord } from "../../../machines/records/map-records.ts";
import type { Control } from "../../../machines/records/page-control-records.ts";
import type { OpenMap } from "./recognise-screen.ts";

export interface ScreenElement {
  readonly action_id: string;
  readonly screen_id: string;
  readonly action_type: string;
  readonly label: string;
  readonly control: Control | null;
  /** The address to which a link or form leads; empty for other elements. */
  readonly url: string;
  /** The page (instance of a screen) to which a link leads. */
  readonly leads_to: string | undefined;
  readonly source:
    | { readonly kind: "control"; readonly record: ActionRecord }
    | { readonly kind: "link"; readonly record: TransitionRecord };
}

/**
 * Returns an action id for a link. Links are stored as transitions, which have no action id, but answers list
 * links as actions.
 */
function linkId(from: string, to: string): string {
  return `${from}>${to}`;
}

export async function elementsOf(
  { knowledgeId, source, atlas }: OpenMap,
  screenId: string,
): Promise<readonly ScreenElement[]> {
  const { transitions, actions: controls } = await source.screens.offers(knowledgeId, screenId);
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

/**
 * Returns the element of a screen that a recorded control describes; `undefined` if none or several fit. The
 * recorded selector counts first, because role and name may change with the language of the page.
 */
export function describedBy(
  elements: readonly ScreenElement[],
  recorded: Control,
): ScreenElement | undefined {
  // A recorded step uses a single field or button. A form also counts as an element of the screen, so it is
  // left out here.
  const single = elements.filter(({ action_type, control }) => control && action_type !== "submit_form");
  const selected = single.filter(({ control }) => control && isSelected(control, recorded.selector));
  if (selected.length === 1) return selected[0];
  if (recorded.name === "") return undefined;
  const named = (selected.length > 0 ? selected : single).filter(
    ({ label, control }) =>
      sameText(label, recorded.name) && (recorded.role === "" || control?.role === recorded.role),
  );
  return named.length === 1 ? named[0] : undefined;
}

function sameText(a: string, b: string): boolean {
  return a.trim().toLowerCase() === b.trim().toLowerCase();
}

/**
 * Whether the selector `wanted` describes this control. It must be equal to the control's stored selector, or
 * name a tag and attributes that the control has.
 */
function isSelected({ selector, attributes }: Control, wanted: string): boolean {
  if (wanted === "") return false;
  if (wanted === selector) return true;
  const simple = simpleSelector(wanted);
  return (
    simple !== undefined &&
    (simple.tag === undefined || simple.tag === attributes.tag) &&
    Object.entries(simple.attributes).every(([name, value]) => attributes[name] === value)
  );
}

/**
 * An element fits a target (the caller's words for it) if its label contains at least this share (0 to 1) of
 * the words.
 */
const FITTING = 0.6;

/**
 * Returns the elements whose labels match the words of `target`, the best one first. If two labels contain
 * equally many of these words, the label with fewer other words is better.
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
