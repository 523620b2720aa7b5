/**
 * Recognises containers such as rows and cards. Their text distinguishes the elements in them from elements
 * with the same name.
 */

/**
 * Tags of elements such as list items and table rows. Their text distinguishes an element inside of them from
 * elements with the same name.
 */
const GROUP_TAGS = new Set(
  "li tr article fieldset form dialog section tbody table ul ol dl figure details".split(" "),
);
/**
 * Roles of containers, such as rows and options, whose text distinguishes the elements in them from similar
 * ones.
 */
const GROUP_ROLES = new Set(
  "row listitem option article group dialog alertdialog treeitem gridcell".split(" "),
);

/**
 * Whether one of two elements has all classes of the other. The classes need not be equal, because a page often
 * adds a class, and icons, to the row under the pointer. If only one of them has classes, and their numbers of
 * children differ, both must have text. For example, a side bar and the handle that changes its width are no rows.
 */
const haveLikeClasses = (element: Element, sibling: Element): boolean => {
  // Most siblings have equal classes. Comparing the attributes is faster than comparing each class.
  if (element.getAttribute("class") === sibling.getAttribute("class")) return true;
  const [{ classList: one }, { classList: other }] = [element, sibling];
  const [few, many] = one.length < other.length ? [one, other] : [other, one];
  if (few.length === 0 && element.childElementCount !== sibling.childElementCount)
    return /\S/.test(element.textContent ?? "") && /\S/.test(sibling.textContent ?? "");
  return [...few].every((name) => many.contains(name));
};

const isGroup = (element: Element): boolean => {
  if (GROUP_TAGS.has(element.localName) || GROUP_ROLES.has(element.getAttribute("role") ?? "")) return true;
  // An element with siblings of the same structure is a row or card of a list, so its text describes the
  // elements in it.
  const { localName, firstElementChild: first } = element;
  return [element.nextElementSibling, element.previousElementSibling].some(
    (other) =>
      other?.localName === localName &&
      other.firstElementChild?.localName === first?.localName &&
      haveLikeClasses(other, element),
  );
};

/**
 * Returns a function that checks whether an element is a container such as a row or a card. The function
 * caches its results, so it may be used for one snapshot only.
 */
export const checker = (): ((element: Element) => boolean) => {
  const known = new Map<Element, boolean>();
  return (element) => {
    const found = known.get(element) ?? isGroup(element);
    known.set(element, found);
    return found;
  };
};
