/** Finds the controls that edit one object: in its row of a list, or in the menu of this row. */
import { nameOf } from "../../session/page/element-line.ts";
import type { HighlightedElement } from "../../session/page/page-snapshot.ts";
import { type Operation, operationOfName, stemOf, stemsOf } from "../screens/operation-and-thing-of-task.ts";
import { wordsOf } from "../screens/screen-name-index.ts";
import type { RemovalTarget } from "./removal-target.ts";

/** A row of a list with its controls. */
interface RowControls {
  readonly elements: readonly HighlightedElement[];
}

/**
 * Words beside the verb in the name of a control that removes one object, such as "permanently" in "Delete
 * permanently".
 */
const NEUTRAL: ReadonlySet<string> = new Set(
  stemsOf("this item entry row record object permanently forever the a from list now"),
);
/** Returns a text in the form in which names are compared: without capitals and a "#" before a number. */
export const comparable = (text: string): string =>
  text
    .replace(/\s+/gu, " ")
    .trim()
    .replace(/^#(?=\d)/u, "")
    .toLowerCase();

/**
 * Returns the buttons of a row that open the form of its object: "Edit", or a button with the name of the
 * object. Links are left out, because the form of a link is opened by its address.
 */
export function editingInRow(
  { elements }: RowControls,
  target: RemovalTarget,
): readonly HighlightedElement[] {
  const buttons = elements.filter(
    ({ tagName, role, disabled, attributes }) =>
      (tagName === "button" || role === "button") && disabled !== true && attributes.href === undefined,
  );
  const edits = buttons.filter((button) => namesOf(button).some((name) => isVerbFor(name, "edit", target)));
  if (edits.length > 0) return edits;
  return buttons.filter((button) => comparable(nameOf(button)) === comparable(target.name));
}

/** Returns the addresses of those links in a row that edit its object, such as "Edit". */
export function editingAddressesInRow({ elements }: RowControls, target: RemovalTarget): readonly string[] {
  const addresses = elements.flatMap((element) => {
    const { href } = element.attributes;
    if (element.disabled === true || href === undefined || href.startsWith("#")) return [];
    return namesOf(element).some((name) => isVerbFor(name, "edit", target)) ? [href] : [];
  });
  return [...new Set(addresses)];
}

/** Returns the texts that name a control. */
export const namesOf = (element: HighlightedElement): readonly string[] =>
  [nameOf(element), element.attributes.title ?? "", element.attributes["aria-label"] ?? ""].filter((name) =>
    /\p{L}/u.test(name),
  );

/**
 * Whether a name is only the verb of an operation, with no other words than those for the object: "Delete
 * user".
 */
export function isVerbFor(name: string, operation: Operation, target: RemovalTarget): boolean {
  const allowed = new Set([...target.kinds, ...stemsOf(target.name)]);
  return (
    operationOfName(name) === operation &&
    wordsOf(name).every((word) => {
      const stem = stemOf(word);
      return operationOfName(word) === operation || allowed.has(stem) || NEUTRAL.has(stem);
    })
  );
}

/** Returns the controls that appeared after the menu of an object's row was opened and that edit the object. */
export function editingInMenu(
  elements: readonly HighlightedElement[],
  before: ReadonlySet<number>,
  target: RemovalTarget,
): readonly HighlightedElement[] {
  return elements.filter(
    (element) =>
      !before.has(element.highlight_index) &&
      element.covered === undefined &&
      element.disabled !== true &&
      namesOf(element).some((name) => isVerbFor(name, "edit", target)),
  );
}
