/**
 * Detects that a layer such as a welcome dialog or a guided tour covers a page, and finds the control that
 * closes it.
 */
import { riskOf } from "../../risk/risk-classes.ts";
import type { HighlightedElement } from "../../session/page/page-snapshot.ts";
import { nameOf } from "./page-state-by-visible-controls.ts";

/**
 * A layer covers the page if more than this share (0 to 1) of the visible elements is covered. A sticky
 * header or a cookie bar covers fewer; a modal dialog covers everything except its own buttons.
 */
const COVERED = 1 / 2;

export function isCovered(elements: readonly HighlightedElement[]): boolean {
  const visible = elements.filter((element) => element.in_viewport);
  const covered = visible.filter((element) => element.covered !== undefined).length;
  return covered > visible.length * COVERED;
}

/**
 * Returns the description of the element that covers the largest number of visible elements; `undefined` if
 * none is covered.
 */
export function coveringLayer(elements: readonly HighlightedElement[]): string | undefined {
  const counts = new Map<string, number>();
  for (const { in_viewport, covered } of elements)
    if (in_viewport && covered !== undefined) counts.set(covered, (counts.get(covered) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0];
}

/** Names of controls that close a layer: words or icon names for closing, then refusals such as "Not now". */
const CLOSES_OR_DECLINES: readonly RegExp[] = [
  /^(?:[×✕✖⨯x]|times|xmark|cross|close|dismiss|skip|schließen|überspringen|fermer|passer|ignorer|cerrar|omitir)(?:$|[^\p{L}])/iu,
  /^(?:no|not now|later|maybe later|cancel|nein|nicht jetzt|später|abbrechen|non|pas maintenant|plus tard|annuler|ahora no|más tarde|cancelar)(?:$|[^\p{L}])/iu,
];
/**
 * Patterns for the names of controls that close a layer. Names that certainly close are first; confirmations
 * such as "OK" are last.
 */
const CLOSES: readonly RegExp[] = [
  ...CLOSES_OR_DECLINES,
  /^(?:ok|okay|got it|understood|verstanden|compris|entendido)(?:$|[^\p{L}])/iu,
];

/** Whether a control with this name closes a layer or declines what the layer asks. */
export function closesLayer(name: string): boolean {
  return CLOSES_OR_DECLINES.some((pattern) => pattern.test(name));
}

/**
 * Returns the visible control that closes the layer over the page; `undefined` if the page shows no such
 * control.
 */
export function layerControl(elements: readonly HighlightedElement[]): HighlightedElement | undefined {
  const controls = elements.filter(
    ({ in_viewport, covered, disabled, interactionType, attributes }) =>
      in_viewport &&
      covered === undefined &&
      !disabled &&
      (interactionType === "click" || interactionType === "submit") &&
      (attributes.href === undefined || attributes.href.startsWith("#")),
  );
  for (const pattern of CLOSES) {
    const control = controls.find(
      (element) =>
        pattern.test(nameOf(element)) &&
        riskOf({ name: nameOf(element), icon: element.icon, attributes: element.attributes }) === undefined,
    );
    if (control) return control;
  }
  return undefined;
}
