/** Finds the options of a custom list, reads their labels, and decides whether they can be chosen. */

import { registry } from "../page-script-document-state.ts";
import { flatTreeElements, HIDDEN_SIZE, isSeen, shorten } from "../shadow-dom.ts";
import { describer, identity } from "../world-bundle-modules-for-actions-bundle.ts";

export interface OptionText {
  readonly label: string;
  readonly value: string;
  /**
   * The first line of a label that has several lines. For example, a list of user roles may show the name of
   * a role above its description.
   */
  readonly title?: string | undefined;
}

/** Selector of elements whose ARIA role makes them options. */
export const OPTION =
  "[role=option],[role=menuitem],[role=menuitemradio],[role=menuitemcheckbox],[role=treeitem]";
/** Selector of elements that are lists by their role. */
export const LIST = "[role=listbox],[role=menu],[role=tree]";
/** Selector of checkboxes and radio buttons. */
const BOX = "[role=radio],[role=checkbox],input[type=radio],input[type=checkbox]";
/** Selector of live regions, which are meant for screen readers. */
const LIVE_REGION = "[aria-live]:not([aria-live=off]),[role=log],[role=status],[role=alert]";
/**
 * Number of elements that are checked for whether they clip an element: the element itself and its nearest
 * ancestors.
 */
const MAX_LEVELS = 4;

/** Whether an element is visible on the screen. Some elements exist only for screen readers. */
export const isForEyes = (element: Element): boolean => {
  if (element.closest(LIVE_REGION)) return false;
  let up: Element | null = element;
  for (let level = 0; up && level < MAX_LEVELS; level++, up = registry.parentOf(up)) {
    const { width, height } = up.getBoundingClientRect();
    const { clip, clipPath, overflow } = getComputedStyle(up);
    if (clip !== "auto" && clip !== "") return false;
    if (/^inset\((100|50)%/.test(clipPath)) return false;
    if ((width <= HIDDEN_SIZE || height <= HIDDEN_SIZE) && overflow !== "visible") return false;
  }
  return true;
};

export const textOf = (element: Element): string => {
  // biome-ignore lint/performance/useDomNodeTextContent: only what is rendered counts
  const text = element instanceof HTMLElement ? element.innerText : element.textContent;
  // `innerText` is empty if the text of an element is slotted. Then the text is collected by a traversal of
  // the rendered tree.
  return shorten(text?.trim() ? text : describer.wordsOf(element), 200);
};

/** Returns the options and the checkboxes among the elements. A checkbox is represented by its label. */
export const boxesIn = (elements: readonly Element[]): readonly Element[] => {
  const found = new Set<Element>();
  for (const element of elements) {
    if (!element.matches(BOX)) continue;
    const box = isSeen(element) ? element : undefined;
    // A checkbox that a component hides is represented by its label, which is still visible and has the
    // checkbox's name.
    const label = describer.labelsOf(element).find(isSeen);
    const named = box && (box.hasAttribute("aria-label") || textOf(box) !== "") ? box : (label ?? box);
    if (named) found.add(named);
  }
  return [...found];
};

/** Returns the checkbox or radio button of an option: the option itself, or the control of its label. */
export const boxOf = (option: Element): Element | undefined => {
  if (option.matches(BOX)) return option;
  const control = option instanceof HTMLLabelElement ? option.control : null;
  return control?.matches(BOX) ? control : undefined;
};

/**
 * Returns the visible options of a list.
 *
 * @param marked true if only elements with a role or a checkbox are options; otherwise each child of the list
 * may be one
 */
export function optionsIn(list: Element, marked: boolean = false): readonly Element[] {
  const within = flatTreeElements(list);
  const roles = within.filter((element) => element.matches(OPTION));
  if (roles.length > 0) return roles.filter(isSeen);
  const boxes = boxesIn(within);
  if (boxes.length > 1) return boxes;
  const items = within.filter(
    (element) => element.matches("li,[data-value]") && !element.querySelector("li,[data-value]"),
  );
  const found =
    items.length > 0 || marked
      ? items
      : [...(within.find((element) => element.matches(LIST)) ?? list).children];
  return found.filter((element) => isSeen(element) && textOf(element) !== "");
}

/** Returns the label of an option, and its value in the HTML. */
export function optionText(option: Element): OptionText {
  const box = boxOf(option);
  const value = (element: Element): string =>
    element.getAttribute("data-value") ?? element.getAttribute("value") ?? "";
  return {
    label: option.getAttribute("aria-label") ?? (textOf(option) || (box?.getAttribute("aria-label") ?? "")),
    value: value(option) || (box ? value(box) : ""),
    title: titleOf(option),
  };
}

/** Returns the first line of an option that shows several lines. */
function titleOf(option: Element): string | undefined {
  if (!(option instanceof HTMLElement) || option.childElementCount === 0) return undefined;
  // biome-ignore lint/performance/useDomNodeTextContent: only the rendered text has lines.
  const [first, second] = option.innerText.split("\n").filter((line) => line.trim() !== "");
  return second === undefined ? undefined : first?.trim();
}

/** Whether an option cannot be chosen, as its attributes, classes or cursor show. */
export function isDisabled(option: Element, list: Element): boolean {
  const box = boxOf(option);
  if (identity.isDisabled(option) || (box && identity.isDisabled(box))) return true;
  const marks = option
    .getAttributeNames()
    .some((name) => /^data-([a-z-]*-)?disabled$/.test(name) && option.getAttribute(name) !== "false");
  if (marks || /(^|[-_\s])disabled(\s|$)/i.test(option.getAttribute("class") ?? "")) return true;
  // A whole list may ignore the pointer while it appears. So an option counts as disabled only when its style
  // differs from the style of its list.
  const [own, around] = [getComputedStyle(option), getComputedStyle(list)];
  return (
    (own.pointerEvents === "none" && around.pointerEvents !== "none") ||
    (own.cursor === "not-allowed" && around.cursor !== "not-allowed")
  );
}
