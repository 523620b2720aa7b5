/**
 * Finds the checkbox of a row and the only button that removes the ticked rows of the list: "Delete
 * selected", or a "Delete" that is disabled until a row is ticked.
 */
import { nameOf } from "../../session/page/element-line.ts";
import type { HighlightedElement } from "../../session/page/page-snapshot.ts";
import { operationOfName } from "../screens/operation-and-thing-of-task.ts";
import { wordsOf } from "../screens/screen-name-index.ts";
import { isInside, type ObjectRow, type RemovalPage, removes } from "./control-that-removes-object.ts";
import { opensRowMenu } from "./controls-that-open-menus.ts";
import type { RemovalTarget } from "./removal-target.ts";

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

/** Matches the name of a checkbox that only selects a row or all rows: "Select row", "Select all". */
const SELECTS =
  /(?<!\p{L})(?:select|tick|check)\s+(?:all|row|this|item|entry)|(?:alle|zeile)\s+(?:aus|an)wählen|tout\s+sélectionner|seleccionar\s+(?:todo|fila)|seleziona\s+tutt[oi]/iu;

/**
 * Matches the verb in the name of a row's checkbox, before the texts of the row: "Select" in "Select
 * Regatta".
 */
const SELECT = /^(?:select|wähle|sélectionner|seleccionar|seleziona)\s+/iu;

/**
 * Whether the name of a checkbox is "Select" and the first texts of its row: "Select Regatta" in the tables of React Aria
 * (Keystone) and of Polaris.
 */
function selectsByName(tick: HighlightedElement, row: ObjectRow): boolean {
  const name = nameOf(tick).trim();
  const words = (text: string): string => ` ${wordsOf(text).join(" ")} `;
  const named = words(name.replace(SELECT, ""));
  return SELECT.test(name) && named.trim() !== "" && words(row.text).includes(named);
}

/**
 * Returns the checkbox of a row if ticking it certainly only selects the row: its own name or that of a checkbox in the
 * head of the list says so. Other checkboxes may change the object, such as "Done" of a task.
 */
export function selectingTick(page: RemovalPage, row: ObjectRow): HighlightedElement | undefined {
  const [tick, other] = row.elements.filter((element) => isTick(element) && element.disabled !== true);
  if (!tick || other || tick.checked === true || page.elements.some(isTicked)) return undefined;
  const named = page.elements.filter((element) => isTick(element) && SELECTS.test(nameOf(element)));
  const isNamed = named.some((one) => one === tick || !page.rows.some((place) => isInside(one.xpath, place)));
  return isNamed || selectsByName(tick, row) || isInHeadWithTick(page, row) ? tick : undefined;
}

const isTicked = (element: HighlightedElement): boolean => isTick(element) && element.checked === true;

/** Whether the head of the row's table has a checkbox, which selects all rows. */
function isInHeadWithTick({ elements }: RemovalPage, { xpath }: ObjectRow): boolean {
  const [table = ""] = xpath.split(/\/(?:tbody|tr)\b/).slice(0, 1);
  return (
    table !== xpath &&
    elements.some((element) => {
      const inTable = element.xpath.startsWith(`${table}/`) ? element.xpath.slice(table.length) : "";
      return isTick(element) && (/^\/thead\b/.test(inTable) || /\/th\b/.test(inTable));
    })
  );
}

/** Returns the controls that appeared after a row was ticked and that remove the ticked rows. */
export function removingAfterTick(
  elements: readonly HighlightedElement[],
  before: ReadonlySet<number>,
  target: RemovalTarget,
): readonly HighlightedElement[] {
  return elements.filter((element) => {
    if (before.has(element.highlight_index) || element.disabled === true) return false;
    const name = nameOf(element);
    return TICKED.test(name)
      ? isButton(element) && operationOfName(name) === "remove"
      : removes(element, target);
  });
}

/** Returns the buttons that appeared after a row was ticked and open a menu: "With 1 selected…" (Vendure). */
export function menusAfterTick(
  elements: readonly HighlightedElement[],
  before: ReadonlySet<number>,
): readonly HighlightedElement[] {
  return elements.filter(
    (element) =>
      !before.has(element.highlight_index) &&
      isButton(element) &&
      (opensRowMenu(element) || TICKED.test(nameOf(element))),
  );
}

/**
 * Whether exactly one row of a list is ticked, and its checkbox has the XPath `tick`. The tick may have moved the
 * whole list, because the page now shows a bar or an announcement before it (React Aria).
 *
 * @param wasDisabled whether the control for the ticked rows was disabled before this row was ticked. If it was, no
 * other row was ticked, so the state of a drawn checkbox need not be read.
 */
export function isOnlyTicked(
  elements: readonly HighlightedElement[],
  tick: string,
  wasDisabled: boolean,
): boolean {
  const own = elements.find(({ xpath }) => xpath === tick);
  if (own && wasDisabled && own.checked === undefined && !isDeclaredTick(own)) return true;
  const place = (xpath: string): string => xpath.replace(/\[\d+\]/g, "");
  const list = elements.filter((element) => isTick(element) && place(element.xpath) === place(tick));
  const [ticked, further] = list.filter(({ checked }) => checked === true);
  if (!ticked || further) return false;
  const paths = list.map(({ xpath }) => stepsOf(xpath));
  const now = stepsOf(ticked.xpath);
  return stepsOf(tick).every((step, at) => step === now[at] || paths.every((one) => one[at] === now[at]));
}

/**
 * Returns the steps of an XPath. A step without a position gets `[1]`, because its element is the first of
 * its kind.
 */
const stepsOf = (xpath: string): readonly string[] =>
  xpath.split("/").map((step) => (/\]$/.test(step) ? step : `${step}[1]`));

const isDeclaredTick = ({ type, role }: HighlightedElement): boolean =>
  type === "checkbox" || role === "checkbox";

const isTick = (element: HighlightedElement): boolean =>
  isDeclaredTick(element) ||
  (element.interactionType === "click" && DRAWN_TICK.test(element.attributes.class ?? ""));

const isButton = ({ tagName, role, type }: HighlightedElement): boolean =>
  tagName === "button" || role === "button" || type === "submit";

const listOf = (row: string): string => row.slice(0, row.lastIndexOf("/"));
