/**
 * Decides whether a press (click) only showed or hid a part of the page, such as a section, a menu or a side
 * bar. Such a part belongs to the screen of the page. A dialog, a tab or a step of a wizard is a screen of
 * its own.
 */
import type { HighlightedElement } from "../../session/page/page-snapshot.ts";
import { advances, isTab } from "./controls-to-press.ts";
import { closesLayer } from "./covering-layer.ts";
import { isMenuEntry, nameOf, placeOf, rowPlaces, type UiState } from "./page-state-by-visible-controls.ts";

type View = Pick<UiState, "elements" | "headings">;

/**
 * Maximum number of controls and headings that disappear when a press shows a part of the page, such as the
 * label "Expand all". For each of them, the part must show at least `NOISE_RATIO` elements. The same limits
 * apply to elements that appear when a press hides a part.
 */
const NOISE = 2;
const NOISE_RATIO = 3;

/** Roles of the entries of menus and lists of options. */
const ENTRIES = new Set(["menuitem", "menuitemcheckbox", "menuitemradio", "option", "treeitem"]);

/** Values of `aria-haspopup` that announce a list or menu. A dialog is not included. */
const LISTS = new Set(["true", "menu", "listbox", "tree"]);

/**
 * Values of Bootstrap's attributes `data-toggle` and `data-bs-toggle` for controls that show a part of the
 * page.
 */
const BOOTSTRAP_PARTS = new Set(["collapse", "dropdown"]);

/**
 * Value of Bootstrap's attributes `data-dismiss` and `data-bs-dismiss` for a control that closes a message
 * (Kiwi TCMS, Kallithea, Nautobot). Closing a message only hides a part of the page, so the screen stays the
 * same.
 */
const CLOSED_MESSAGE = "alert";

/**
 * What a press on a control did to a part of the page, such as a section. `shows`, `hides`: it only showed or
 * hid this part. `may-show`, `may-hide`: it probably did, but only a second press that restores the page
 * proves it.
 */
export type Disclosure = "shows" | "hides" | "may-show" | "may-hide";

/**
 * Returns whether a press has shown or hidden a part of the page. Returns `undefined` if the press led to
 * another state, such as a dialog or another tab.
 *
 * @param pressed the control before the press
 */
export function disclosureOf(before: View, pressed: HighlightedElement, after: View): Disclosure | undefined {
  if (isTab(pressed) || pressed.attributes["aria-haspopup"] === "dialog" || advances(nameOf(pressed)))
    return undefined;
  const control = controlIn(after.elements, pressed);
  if (control === undefined && closesMessage(pressed))
    return added(before, after, pressed) === 0 ? "hides" : undefined;
  // An open menu of Material UI covers the whole page with a transparent layer, including the pressed
  // control. So if the control is covered or gone, the press has shown a part of the page only on one
  // condition: all new elements are entries of a menu or list.
  if (control === undefined || control.covered !== undefined)
    return opensEntries(before, after) ? "shows" : undefined;
  const shown = added(before, after, pressed);
  const hidden = added(after, before, pressed);
  const isMarked = isDisclosure(pressed, control);
  if (outweighs(shown, hidden)) {
    if (hasOwnClosing(before, after)) return undefined;
    return isMarked ? "shows" : "may-show";
  }
  if (outweighs(hidden, shown)) return isMarked ? "hides" : "may-hide";
  return isMarked && isExclusive(before, pressed, after) ? "shows" : undefined;
}

function closesMessage({ attributes }: HighlightedElement): boolean {
  return [attributes["data-dismiss"], attributes["data-bs-dismiss"]].includes(CLOSED_MESSAGE);
}

function outweighs(part: number, other: number): boolean {
  return part > 0 && other <= Math.min(NOISE, part / NOISE_RATIO);
}

/**
 * Finds the pressed control among the elements of another snapshot. The press may have changed the control's
 * name, such as "Show" to "Hide".
 */
function controlIn(
  elements: readonly HighlightedElement[],
  pressed: HighlightedElement,
): HighlightedElement | undefined {
  const alike = elements.filter((one) => placeOf(one) === placeOf(pressed));
  return (
    alike.find((one) => one.xpath === pressed.xpath && nameOf(one) === nameOf(pressed)) ??
    alike.find((one) => nameOf(one) === nameOf(pressed)) ??
    alike.find((one) => one.xpath === pressed.xpath)
  );
}

/**
 * Whether the HTML says that a press on the control shows and hides a part of the page, as `aria-expanded`
 * does.
 */
function isDisclosure(before: HighlightedElement, after: HighlightedElement): boolean {
  const { attributes, tagName, role } = before;
  if (tagName.toLowerCase() === "summary" || role === "treeitem") return true;
  const { "data-toggle": toggle = "", "data-bs-toggle": bootstrap = "" } = attributes;
  if (BOOTSTRAP_PARTS.has(toggle) || BOOTSTRAP_PARTS.has(bootstrap)) return true;
  if (LISTS.has(attributes["aria-haspopup"] ?? "")) return true;
  const expanded = attributes["aria-expanded"];
  return expanded !== undefined && expanded !== after.attributes["aria-expanded"];
}

/**
 * Returns how many controls and headings are in the view `other` and not in the view `one`. The pressed
 * control does not count. Rows of lists count once for each place in the DOM tree, because their texts are
 * data.
 */
function added(one: View, other: View, pressed: HighlightedElement): number {
  const rows = rowPlaces(one.elements).union(rowPlaces(other.elements));
  const key = (element: HighlightedElement) =>
    rows.has(placeOf(element)) && !isMenuEntry(element) ? placeOf(element) : fullKey(element);
  const known = new Set(one.elements.map(key));
  const own = controlIn(other.elements, pressed);
  const elements = other.elements.filter((element) => element !== own && !known.has(key(element)));
  const headings = new Set(one.headings.map(masked));
  return (
    new Set(elements.map(key)).size + other.headings.filter((text) => !headings.has(masked(text))).length
  );
}

function fullKey(element: HighlightedElement): string {
  return `${placeOf(element)} ${masked(nameOf(element))}`;
}

function masked(text: string): string {
  return text.replace(/\d+/g, "#");
}

/** Whether every new element is an entry of a menu or an option of a list. */
function opensEntries(before: View, after: View): boolean {
  const entries = newElements(before, after);
  return entries.length > 0 && entries.every(({ role }) => role !== undefined && ENTRIES.has(role));
}

/**
 * Whether the press has added a control such as "Close". New dialogs and forms contain one, and menus do not.
 */
function hasOwnClosing(before: View, after: View): boolean {
  return newElements(before, after).some((element) => !isMenuEntry(element) && closesLayer(nameOf(element)));
}

function newElements(before: View, after: View): readonly HighlightedElement[] {
  const known = new Set(before.elements.map(fullKey));
  return after.elements.filter((one) => !known.has(fullKey(one)));
}

/** Whether the press has opened one part of the page and closed another, as in an accordion. */
function isExclusive(before: View, pressed: HighlightedElement, after: View): boolean {
  return before.elements.some(
    (one) =>
      one.attributes["aria-expanded"] === "true" &&
      placeOf(one) === placeOf(pressed) &&
      controlIn(after.elements, one)?.attributes["aria-expanded"] === "false",
  );
}
