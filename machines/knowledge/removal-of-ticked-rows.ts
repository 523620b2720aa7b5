/**
 * Finds the checkbox of a row and the only button that removes the ticked rows of the list: "Delete
 * selected", or a "Delete" that is disabled until a row is ticked.
 */
import { nameOf } from "../session/element-line.ts";
import type { HighlightedElement } from "../session/page-snapshot.ts";
import { isInside, type ObjectRow, type RemovalPage, removes } from "./removal-control.ts";
import type { RemovalTarget } from "./removal-target.ts";
import { operationOfName } from "./words-of-task.ts";

/** Matches the name of a control that acts on the ticked rows, such as "Delete selected". */
const TICKED =
  /(?<!\p{L})(?:selected|checked|ticked|ausgewählte?[nrs]?|markierte?[nrs]?|sélectionnée?s?|sélection|seleccionad[oa]s?|selezionat[ieoa]|geselecteerde)(?!\p{L})/iu;

/** Matches the class of a checkbox that a page draws as a plain element, as Vuetify 2 and Quasar do. */
const DRAWN_TICK = /(?:^|[\s_-])(?:simple-)?checkbox(?:$|[\s_])/;

/** The controls that remove one ticked row. */
export interface TickedRemoval {
  readonly tick: HighlightedElement;
  readonly control: HighlightedElement;
}

/** Returns the controls that remove a row of a list; `undefined` if it is not clear which. */
export function tickedRemoval(
  page: RemovalPage,
  row: ObjectRow,
  target: RemovalTarget,
): TickedRemoval | undefined {
  const [tick, otherTick] = row.elements.filter((element) => isTick(element) && element.disabled !== true);
  if (!tick || otherTick) return undefined;
  const [control, further] = page.elements.filter((element) => {
    if (page.rows.some((one) => isInside(element.xpath, one) && isInside(one, listOf(row.xpath))))
      return false;
    const name = nameOf(element);
    if (TICKED.test(name)) return operationOfName(name) === "remove" && isButton(element);
    // A "Delete" that is disabled until a row is ticked removes the ticked row. An enabled one may delete the
    // object to which the list belongs.
    return element.disabled === true && removes({ ...element, disabled: false }, target);
  });
  return control && !further ? { tick, control } : undefined;
}

/**
 * Whether exactly one row of a list is ticked, and its checkbox has the XPath `tick`.
 *
 * @param wasDisabled whether the control for the ticked rows was disabled before this row was ticked; no
 * other row was ticked then, so a drawn checkbox needs no readable state
 */
export function isOnlyTicked(
  elements: readonly HighlightedElement[],
  tick: string,
  wasDisabled: boolean,
): boolean {
  const own = elements.find(({ xpath }) => xpath === tick);
  if (own && wasDisabled && own.checked === undefined && !isDeclaredTick(own)) return true;
  const place = (xpath: string): string => xpath.replace(/\[\d+\]/g, "");
  const ticked = elements.filter(
    (element) => isTick(element) && element.checked === true && place(element.xpath) === place(tick),
  );
  return ticked.length === 1 && ticked[0]?.xpath === tick;
}

const isDeclaredTick = ({ type, role }: HighlightedElement): boolean =>
  type === "checkbox" || role === "checkbox";

const isTick = (element: HighlightedElement): boolean =>
  isDeclaredTick(element) ||
  (element.interactionType === "click" && DRAWN_TICK.test(element.attributes.class ?? ""));

const isButton = ({ tagName, role, type }: HighlightedElement): boolean =>
  tagName === "button" || role === "button" || type === "submit";

const listOf = (row: string): string => row.slice(0, row.lastIndexOf("/"));
