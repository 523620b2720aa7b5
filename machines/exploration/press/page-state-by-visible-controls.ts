/**
 * Describes the visible state of a screen by its controls and headings. Two views of a screen are different
 * states if a panel, a dialog or a menu differs. Different list rows, texts or field values alone make no new
 * state.
 */
import { difference, parseSketch, sketchOf } from "../../knowledge/screens/page-feature-sketch.ts";
import type { HighlightedElement } from "../../session/page/page-snapshot.ts";

/**
 * Minimum number of containers that must have equal elements, such as "Delete" buttons, so that these
 * elements count as parts of list rows.
 */
const ROWS = 4;
/**
 * If one container has at least this number of equal elements, they are treated as cells of a grid or items of
 * a list. With fewer, they are treated as a toolbar.
 */
const CELLS = 13;
/**
 * Two snapshots show the same state only if at most this share (0 to 1) of their features (controls and headings)
 * differ.
 */
const OTHER_SHARE = 0.07;
/** Two snapshots show the same state only if at most this number of their features (controls and headings) differ. */
const OTHER_FEATURES = 6;
/**
 * Number of features (facts by which states are compared) that a list (`<li>` elements with controls) adds to a
 * state. An opened menu is often such a list. The number exceeds `OTHER_FEATURES`, so that the page with the menu
 * counts as a different state.
 */
const LIST_FEATURES = OTHER_FEATURES + 1;
/**
 * Number of features that the chosen tab or button of a group adds to a state. For another tab, these
 * features are replaced by the same number of others. Together, more than `OTHER_FEATURES` features then
 * differ, so two tabs with equal controls are different states.
 */
const SWITCH_FEATURES = OTHER_FEATURES / 2 + 1;
/**
 * Number of features that each named control of a layer, such as a drawer, adds to a state. If one such
 * control is replaced by another, more than `OTHER_FEATURES` features differ. Two drawers, for connections
 * and for users, may differ only in the name of a button (SQLPad; CoreUI in the tests).
 */
const LAYER_FEATURES = OTHER_FEATURES / 2 + 1;
/** A layer is open if it covers more than this share (0 to 1) of the controls in the viewport. */
const COVERED_BY_LAYER = 1 / 2;
/**
 * The only sibling with a different class counts as the chosen one if the group has at least this number of
 * elements. In a group of two, it is unclear which one is different.
 */
const SIBLINGS = 3;
/** Maximum number of features (such as controls and headings) that describe a state. */
const FEATURES = 1_000;
const NAME_LENGTH = 40;
/**
 * Matches the place of a link or button in a list item. A place is the role of an element and its XPath
 * without positions: `link /ul/li/a`.
 */
const ITEM = /\/li\/(?:a|button)$/;

export interface UiState {
  /** The normalised address, without parts that never select content, such as tracking ids. */
  readonly url: string;
  readonly title: string;
  readonly headings: readonly string[];
  readonly elements: readonly HighlightedElement[];
}

/**
 * Computes a sketch (compact signature) of a state's features, by which two states are compared
 * (knowledge/screens/page-feature-sketch.ts).
 */
export function stateSketchOf(features: Iterable<string>): string {
  return sketchOf(features, FEATURES);
}

/**
 * Returns the features by which states are compared: places of controls, names of controls outside of lists,
 * selected items, and headings.
 */
export function stateFeatures({
  elements,
  headings,
}: Pick<UiState, "elements" | "headings">): ReadonlySet<string> {
  const rows = rowPlaces(elements);
  const oddOnes = oddSiblings(elements);
  const hasLayer = isUnderLayer(elements);
  const isRow = hasLayer ? rowChecker(elements, rows) : () => true;
  const features = new Set<string>();
  for (const element of elements) {
    const place = placeOf(element);
    features.add(place);
    // Covered elements cannot be used, so a state with covered elements is a different state. For example, an
    // open side bar covers elements, while a closed one often stays in the document.
    if (element.covered !== undefined)
      features.add(`covered ${place} ${rows.has(place) ? "" : nameOf(element)}`);
    const written = nameOf(element).replace(/\d+/g, "#").slice(0, NAME_LENGTH);
    if (hasLayer && element.covered === undefined && isCaption(element, written) && !isRow(element))
      for (let at = 1; at <= LAYER_FEATURES; at++) features.add(`layer ${at} ${written}`);
    if (rows.has(place) && !isMenuEntry(element)) {
      if (ITEM.test(place)) for (let at = 1; at < LIST_FEATURES; at++) features.add(`list ${at} ${place}`);
      continue;
    }
    const name = written;
    features.add(`${place} ${name}`);
    if (element.selected) features.add(`selected ${name}`);
    if ((element.selected || element.current || oddOnes.has(element)) && isSwitch(element, name))
      for (let at = 1; at <= SWITCH_FEATURES; at++) features.add(`chosen ${at} ${name}`);
    if (element.attributes["aria-expanded"] === "true") features.add(`expanded ${name}`);
  }
  for (const heading of headings) {
    // A heading adds two features. A control adds two as well, for its name and for its place, so both count
    // equally.
    const name = heading.replace(/\d+/g, "#").slice(0, NAME_LENGTH);
    features.add(`heading ${name}`).add(`under ${name}`);
  }
  return features;
}

/** Whether a layer, such as a drawer or a dialog, covers most kinds of controls of the page. */
function isUnderLayer(elements: readonly HighlightedElement[]): boolean {
  const shown = elements.filter(({ in_viewport }) => in_viewport);
  const kindsOf = (some: readonly HighlightedElement[]): number =>
    new Set(some.map((element) => `${placeOf(element)} ${nameOf(element)}`)).size;
  const covered = kindsOf(shown.filter((element) => element.covered !== undefined));
  return covered > kindsOf(shown) * COVERED_BY_LAYER;
}

/**
 * Returns a function that checks whether a control belongs to the rows of a list. In the rows, names such as
 * "Edit" and "Delete" repeat. A button above the rows may have the same place, but its name occurs only once
 * (SQLPad).
 */
function rowChecker(
  elements: readonly HighlightedElement[],
  rows: ReadonlySet<string>,
): (element: HighlightedElement) => boolean {
  const counts = new Map<string, Map<string, number>>();
  for (const element of elements) {
    const names = counts.get(placeOf(element)) ?? new Map<string, number>();
    counts.set(placeOf(element), names.set(nameOf(element), (names.get(nameOf(element)) ?? 0) + 1));
  }
  return (element) => {
    if (!rows.has(placeOf(element))) return false;
    const names = counts.get(placeOf(element)) ?? new Map<string, number>();
    return names.get(nameOf(element)) !== 1 || ![...names.values()].some((count) => count > 1);
  };
}

/**
 * Whether the name of an element, such as the button "Add user", says what its layer is for. Only buttons
 * with words count, because the name of a checkbox or an icon may change.
 */
function isCaption({ tagName, role }: HighlightedElement, name: string): boolean {
  return (tagName.toLowerCase() === "button" || role === "button") && /\p{L}{2}/u.test(name);
}

/**
 * Whether choosing this element instead of a similar one shows another state of the page. This is so for
 * tabs, and for buttons with letters in their name. It is not so for rows of lists and for page numbers.
 */
function isSwitch({ role, tagName }: HighlightedElement, name: string): boolean {
  const isButton = tagName.toLowerCase() === "button" && (role ?? "button") === "button";
  return (role === "tab" || isButton) && /\p{L}/u.test(name);
}

/**
 * Returns each element whose class differs from the class that all its siblings share. Frameworks such as
 * Bootstrap and Tailwind mark the chosen one of several buttons by a class and not by a role.
 */
function oddSiblings(elements: readonly HighlightedElement[]): ReadonlySet<HighlightedElement> {
  const groups = Map.groupBy(elements, (element) => `${placeOf(element)} ${parentOf(element)}`);
  const odd = new Set<HighlightedElement>();
  for (const siblings of groups.values()) {
    if (siblings.length < SIBLINGS) continue;
    const classes = Map.groupBy(siblings, ({ attributes }) => attributes.class ?? "");
    const [one] = [...classes.values()].filter((alike) => alike.length === 1).flat();
    if (one && classes.size === 2) odd.add(one);
  }
  return odd;
}

function parentOf({ xpath }: HighlightedElement): string {
  return xpath.slice(0, xpath.lastIndexOf("/"));
}

export function isSameState(a: string, b: string): boolean {
  const [left, right] = [parseSketch(a), parseSketch(b)];
  const most = Math.min(OTHER_FEATURES, OTHER_SHARE * Math.max(left.length, right.length));
  return difference(left, right) <= most;
}

/**
 * Maximum number of features (controls and headings) by which a page may differ from an earlier state, so that a
 * press counts as a return to this state. For example, the page may show a new message with a closing control.
 */
const RETURN_FEATURES = 4;

/** Returns a sketch (compact signature) of the form fields on a page, by their places in the document. */
export function fieldSketch(elements: readonly HighlightedElement[]): string {
  return stateSketchOf(
    elements.filter(({ interactionType }) => /^(?:input|select)$/.test(interactionType)).map(placeOf),
  );
}

/**
 * Whether a press, such as "Close" in a dialog, has led back to the earlier state. The page must be more
 * similar to the earlier state than to the state with the dialog (`from`). It may differ from the earlier
 * state by at most `RETURN_FEATURES` features, such as a new message, but by no new field.
 *
 * @param state sketches of the two states and of the page; `fields` is the result of `fieldSketch` for the
 * page
 */
export function isReturn(state: {
  readonly earlier: string;
  readonly from: string;
  readonly shown: string;
  readonly fields: string;
}): boolean {
  const shown = parseSketch(state.shown);
  const earlier = parseSketch(state.earlier);
  const other = difference(shown, earlier);
  if (other > RETURN_FEATURES || other >= difference(shown, parseSketch(state.from))) return false;
  const known = new Set(earlier);
  const end = earlier.length < FEATURES ? Number.POSITIVE_INFINITY : (earlier.at(-1) ?? 0);
  return parseSketch(state.fields).every((field) => known.has(field) || field > end);
}

/**
 * Returns the places in the document at which similar elements repeat, such as the links in the rows of a
 * list.
 */
export function rowPlaces(elements: readonly HighlightedElement[]): ReadonlySet<string> {
  const parents = new Map<string, Map<string, number>>();
  for (const element of elements) {
    const place = placeOf(element);
    const parent = parentOf(element);
    const counts = parents.get(place) ?? new Map<string, number>();
    counts.set(parent, (counts.get(parent) ?? 0) + 1);
    parents.set(place, counts);
  }
  return new Set(
    [...parents].flatMap(([place, counts]) =>
      counts.size >= ROWS || Math.max(...counts.values()) >= CELLS ? [place] : [],
    ),
  );
}

/**
 * Returns the kind of place of an element: its role, and its XPath without positions. Elements in different
 * rows of one list have the same result.
 */
export function placeOf({ xpath, role, tagName, type }: HighlightedElement): string {
  return `${role ?? tagName}.${type} ${xpath.replace(/\[\d+\]/g, "")}`;
}

/** Whether the element is an entry of a menu. Such entries look alike, but each leads to another place. */
export function isMenuEntry({ role, xpath }: Pick<HighlightedElement, "role" | "xpath">): boolean {
  return (
    role === "tab" || role === "menuitem" || role === "treeitem" || /\/(?:nav|header|aside)\b/.test(xpath)
  );
}

export function nameOf({
  ariaLabel,
  labelText,
  textContent,
  icon,
  placeholder,
  attributes,
}: HighlightedElement): string {
  const named =
    ariaLabel ??
    textContent ??
    labelText ??
    fragmentWords(attributes) ??
    icon ??
    placeholder ??
    attributes.title;
  return (named ?? idWords(attributes.id)).replace(/\s+/g, " ").trim();
}

/** Matches ids that consist of words. Other ids are often generated, so they are not used as names. */
const WORDS = /^[a-z]{2,}(?:[-_][a-z]{2,})*$/i;

/**
 * Returns the words of the fragment in a link: "profile" for `<a href="#profile"><i class="fa
 * fa-user"></i></a>` (Bootstrap, AdminLTE). So a link that shows only an icon is named after the panel that
 * it opens.
 */
function fragmentWords({ href = "" }: HighlightedElement["attributes"]): string | undefined {
  const words = href.startsWith("#") ? idWords(href.slice(1)) : "";
  return words === "" ? undefined : words;
}

/** Returns the words of an element's id. They serve as the name of an element that has no other name. */
function idWords(id = ""): string {
  return WORDS.test(id) ? id.replace(/[-_]/g, " ") : "";
}
