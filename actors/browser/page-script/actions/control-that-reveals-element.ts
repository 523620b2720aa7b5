/**
 * Finds the control that reveals a hidden element. Examples are the tab of a hidden panel, the summary of
 * closed details, and the heading of a closed accordion section.
 */
import { registry } from "../page-script-document-state.ts";
import { HIDDEN_SIZE, isSeen, VISIBLE } from "../shadow-dom.ts";

/** Selector of controls in the heading of an accordion section. */
const HEADING_CONTROL = "a[href],button,[role=button]";
const HEADING = "h1,h2,h3,h4,h5,h6,[role=heading]";

const rootOf = (element: Element): Document | ShadowRoot => {
  const root = element.getRootNode();
  return root instanceof ShadowRoot ? root : document;
};

/**
 * Returns the elements that refer to an element by its id: by ARIA or Bootstrap attributes, or as links to a
 * fragment.
 */
const referringTo = (element: Element): readonly Element[] => {
  if (element.id === "") return [];
  const id = CSS.escape(element.id);
  const target = CSS.escape(`#${element.id}`);
  const named = element.getAttribute("role") === "tabpanel" ? element.getAttribute("aria-labelledby") : null;
  return [
    ...rootOf(element).querySelectorAll(
      `[aria-controls~="${id}"],[data-target="${target}"],[data-bs-target="${target}"],a[href="${target}"]` +
        (named ? `,#${CSS.escape(named)}` : ""),
    ),
  ];
};

/** Returns the control in the heading directly before a section. */
const headingControl = ({ previousElementSibling: before }: Element): readonly Element[] => {
  const heading = before?.matches(HEADING) ? before : undefined;
  const controls = heading ? [...heading.querySelectorAll(HEADING_CONTROL)] : [];
  return controls.length === 1 ? controls : [];
};

/**
 * Whether an element hides its content by its height and clips it. Sections that open with a transition do
 * this: `max-height: 0` (pretalx, the accordion of W3Schools) or `height: 0` (react-animate-height).
 */
const isFolded = (element: Element): boolean =>
  element.clientHeight <= HIDDEN_SIZE && getComputedStyle(element).overflowY !== "visible";

const controlsOf = (element: Element): readonly Element[] => {
  if (element instanceof HTMLDetailsElement) {
    const summary = element.open ? null : element.querySelector(":scope > summary");
    return summary ? [summary] : [];
  }
  if (element.checkVisibility(VISIBLE) && !isFolded(element)) return [];
  return [...referringTo(element), ...headingControl(element)];
};

/** Selector of the entries of a menu bar, which may contain a menu of their own. */
const MENU_ENTRY = "li,[role=menuitem],[role=none],[role=presentation]";
/** Selector of controls that state that they open something. */
const OPENER = "[aria-haspopup]:not([aria-haspopup=false]),[aria-expanded]";
const MENU_CONTROL = `a[href],button,[role=button],[role=menuitem],${OPENER}`;

/** Whether the page has moved an element above or to the left of the page, where no scrolling reaches it. */
export function isMovedAway(element: Element): boolean {
  const { right, bottom } = element.getBoundingClientRect();
  return right + scrollX <= 0 || bottom + scrollY <= 0;
}

/**
 * Returns the control before a closed menu: the entry of a menu bar, or a button that declares that it opens
 * something.
 */
const menuControl = (menu: Element): Element | undefined => {
  const around = registry.parentOf(menu);
  if (!around || (menu.checkVisibility(VISIBLE) && !isMovedAway(menu))) return undefined;
  const children = [...around.children];
  return children
    .slice(0, children.indexOf(menu))
    .findLast(
      (one) =>
        one.matches(around.matches(MENU_ENTRY) ? MENU_CONTROL : OPENER) && isSeen(one) && !isMovedAway(one),
    );
};

/** Whether a click on the control opens another page. */
const opensPage = (control: Element): boolean =>
  !/^(?:#|javascript:|$)/i.test(control.getAttribute("href") ?? "");

export interface RevealingControl {
  readonly control: Element;
  /** Whether the element appears while the pointer is over the control, and not by a click on the control. */
  readonly byPointer: boolean;
}

/**
 * Returns the visible control that shows a hidden element or a hidden container around it. When hidden
 * containers are nested, the controls of the inner ones are usually hidden too, so only the control of the
 * outermost container is visible.
 *
 * A closed menu after the entry of a menu bar opens while the pointer is over the entry: in the administration of
 * WordPress, in the drop-downs of Superfish, and in menu bars by the ARIA patterns. If the entry opens no page, a
 * click may open the menu instead.
 */
export function revealingControl(hidden: Element): RevealingControl | undefined {
  for (let up: Element | null = hidden; up && up !== document.body; up = registry.parentOf(up)) {
    const control = controlsOf(up).find((one) => isSeen(one) && !hidden.contains(one));
    if (control) return { control, byPointer: false };
    const opener = menuControl(up);
    if (!opener) continue;
    const isPointed = opener.matches(":hover");
    if (!opensPage(opener)) return { control: opener, byPointer: !isPointed && !opener.matches(OPENER) };
    if (!isPointed) return { control: opener, byPointer: true };
  }
  return undefined;
}
