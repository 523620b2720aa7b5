/**
 * Finds out whether an element belongs to the popup of the field into which the user has just typed, such as a
 * list of suggestions. Many such popups close a moment after the field has lost the focus: after 100 milliseconds
 * in Wagtail's autocomplete, after 150 in Bootstrap's typeahead.
 */
import { registry, unsavedInput } from "../page-script-document-state.ts";
import { isWithin } from "../shadow-dom.ts";

/** Selector of elements that are popups with entries by their role. */
const LIST = "[role=listbox],[role=menu],[role=tree],[role=grid]";
/** Maximum distance in pixels between a field and its popup. */
const MAX_DISTANCE = 40;
/** Number of pixels by which a popup may overlap the border and the padding of its field. */
const MAX_OVERLAP = 8;
/** The attributes by which a field refers to its popup, or to an entry of the popup. */
const REFERENCES = ["aria-controls", "aria-owns", "aria-activedescendant"];

const elementById = (id: string, from: Element): Element | null => {
  const root = from.getRootNode();
  return (root instanceof ShadowRoot ? root.getElementById(id) : null) ?? document.getElementById(id);
};

/** Returns the popups to which the field or the combobox around it refers. */
const declaredPopups = (field: Element): readonly Element[] =>
  [field, field.closest("[role=combobox]")].flatMap((element) =>
    REFERENCES.flatMap((name) =>
      (element?.getAttribute(name)?.split(/\s+/) ?? []).flatMap((id) => {
        const found = id === "" ? null : elementById(id, field);
        return found ? [name === "aria-activedescendant" ? (found.closest(LIST) ?? found) : found] : [];
      }),
    ),
  );

/**
 * Returns the outermost element that is positioned over the page, contains the given element (or is this
 * element), and does not contain the field.
 */
const positionedAround = (element: Element, field: Element): Element | undefined => {
  let found: Element | undefined;
  for (let up: Element | null = element; up && !isWithin(field, up); up = registry.parentOf(up))
    if (/absolute|fixed/.test(getComputedStyle(up).position)) found = up;
  return found;
};

/** Whether the popup is directly below or above the field. */
const isAdjacent = (popup: Element, field: Element): boolean => {
  const [one, other] = [popup.getBoundingClientRect(), field.getBoundingClientRect()];
  const distance = Math.max(one.top - other.bottom, other.top - one.bottom);
  return (
    distance >= -MAX_OVERLAP && distance <= MAX_DISTANCE && one.left < other.right && one.right > other.left
  );
};

export function isInPopupOfTypedField(element: Element): boolean {
  const typing = unsavedInput.typing();
  if (!typing) return false;
  const { field, newestId } = typing;
  if (declaredPopups(field).some((popup) => isWithin(element, popup) && !isWithin(field, popup))) return true;
  const list = element.closest(LIST) ?? undefined;
  // An element that is in no popup with a role counts as a suggestion only if it was found after the typing
  // had begun. A button that the page always shows beside the field is no suggestion.
  const isNew = registry.idOf(element) > newestId;
  const popup = positionedAround(element, field) ?? list ?? (isNew ? element.closest("ul,ol") : undefined);
  if (!popup || isWithin(field, popup)) return false;
  return (isNew || list !== undefined) && isAdjacent(popup, field);
}
