/**
 * Reads custom lists that open when their control is clicked: their options and the current choice. A list is
 * found by ARIA attributes of its control, by roles, or as the group of elements that appeared after the
 * click.
 */

import { registry } from "../page-script-document-state.ts";
import { comparable, flatTreeElements, isSeen, isWithin, OPAQUE } from "../shadow-dom.ts";
import { identity } from "../world-bundle-modules-for-actions-bundle.ts";
import type { OptionText } from "./custom-list-options.ts";
import {
  boxesIn,
  boxOf,
  isDisabled,
  isForEyes,
  LIST,
  OPTION,
  optionsIn,
  optionText,
  textOf,
} from "./custom-list-options.ts";
import * as popups from "./new-elements-after-click.ts";
import { hiddenSelectOf, proxyFor, widgetOf } from "./proxy-controls-of-hidden-fields.ts";

export interface ListOption extends OptionText {
  readonly id: number;
  readonly chosen: boolean;
  readonly disabled: boolean;
  /** Whether a click on the option runs an action, as a menu entry does. No value is chosen then. */
  readonly acts: boolean;
}

export interface Listing {
  readonly options: readonly ListOption[];
  /** Whether the list has more options that only scrolling shows. */
  readonly scrolls: boolean;
  readonly busy: boolean;
}

export interface Listbox {
  /**
   * Records the elements that are visible before the list opens. `read` finds the list among the elements
   * that appear later.
   */
  mark(id: number): void;
  /** Reads the list that the control has opened. Returns `undefined` when no list is visible. */
  read(id: number): Listing | undefined;
  /**
   * Scrolls the list by a part of its height, or to its start if `fromStart` is true. Returns false when the
   * list did not move.
   */
  scrollOn(id: number, fromStart: boolean): boolean;
  /**
   * Whether the control declares that its list is open. The list may still be empty while its options are
   * loading.
   */
  isOpen(id: number): boolean;
  /**
   * Focuses the search field of the list, selects its text, and returns this text. Returns `undefined` if the
   * list has no search field.
   */
  focusSearch(id: number): string | undefined;
  /** Returns the text by which the control shows its choice, together with the value of its hidden select. */
  displayed(id: number): string;
  /**
   * Whether the page marks the option as chosen. The result is `undefined` if the page has no such marks. The
   * text of the control must then show the choice.
   */
  isChosen(id: number, option: number, wanted: OptionText): boolean | undefined;
  /**
   * Whether the list is closed, and the control's text field contains the text of the option, or its first line.
   */
  fieldHolds(id: number, wanted: OptionText): boolean;
  /**
   * Whether the page has added the option to a list of chosen values outside of the control. This is a new element
   * with exactly the option's text, and beside it a button that removes it again.
   */
  addedWithRemoval(id: number, wanted: OptionText): boolean;
  /**
   * Stores the text around the control before an option is chosen. `replacedBy` compares the stored text with
   * the text after the choice.
   */
  rememberSurroundings(id: number): void;
  /**
   * Whether the text of the chosen option is shown where the control was, after the control and its list have
   * disappeared. Returns `undefined` while one of them exists.
   */
  replacedBy(id: number, wanted: OptionText): boolean | undefined;
  /** Whether something that the control has opened is visible: its list, or a dialog. */
  isShowing(id: number): boolean;
  /** Whether the control has the focus, or the list or dialog that it has opened. */
  hasFocus(id: number): boolean;
  /** Returns the field for editing a table cell, which has appeared in the cell or over it. */
  editor(id: number): number | undefined;
  /** Returns the button of the popup that confirms the choice (`take`) or cancels the popup (`leave`). */
  button(id: number, way: "take" | "leave"): number | undefined;
  /** Returns the visible control that represents a label or a hidden select. */
  proxy(id: number): number | undefined;
  /**
   * Gives the control a new number by which the page script finds it with its present text. After a choice,
   * the control's text may have changed, and its old number is then invalid.
   */
  identify(id: number): number | undefined;
}

const DIALOG = "dialog,[role=dialog],[role=alertdialog]";
/** Selector of list entries whose click runs an action instead of choosing a value. */
const ACTING_ENTRY = "a[href],button,[role=menuitem]";
/** Selector of the button in a chip (a chosen value) that removes the chip. */
const REMOVE_BUTTON = "button,[role=button]";
/** Matches names of buttons that remove one of several chosen values, such as "Remove" and "Clear Ada". */
const REMOVES =
  /^(?:remove|delete|clear|unlink|[×✕✖⨯]|entfernen|löschen|supprimer|retirer|quitar|eliminar|rimuovi|elimina|remover|verwijderen)(?!\p{L})/iu;
/**
 * Maximum number of ancestors of a chosen value that are searched for the button that removes it. In Strapi, this
 * button is not directly beside the name, but beside a box that contains the name and its tooltip.
 */
const ROW_LEVELS = 3;
/**
 * Maximum number of characters in a row with a chosen value. An element with a longer text is a list or a panel.
 */
const ROW_TEXT = 200;
/** Maximum number of options that are read from a list at once. */
const MAX_OPTIONS = 1_000;
/** Number of ancestors of a list that are checked for being the element that scrolls it. */
const SCROLLER_LEVELS = 3;
/** A list is scrolled by this share of its visible height, but at least by `MIN_SCROLL` pixels. */
const SCROLL_SHARE = 0.8;
const MIN_SCROLL = 20;
/**
 * Number of ancestors of a control whose texts are recorded before an option is chosen. Afterwards they are
 * compared with the current texts.
 */
const REMEMBERED_LEVELS = 3;
/** The list of options that was found last. The page may have closed this list in the meantime. */
let latestList: Element | undefined;
/** Whether the list that was found last is inside its control. */
let isLatestListInControl = false;
/** The place of the control in the document, recorded before an option was chosen. */
let placeOfControl: readonly (readonly [string, number])[] | undefined;

/**
 * Returns the place of an element in the document: its tag and those of its ancestors below `<body>`, each with the number
 * of earlier siblings of this tag. `undefined` in a shadow root.
 */
const placeOf = (element: Element): readonly (readonly [string, number])[] | undefined => {
  const steps: (readonly [string, number])[] = [];
  let at = element;
  while (at !== document.body) {
    const { parentElement, localName } = at;
    if (!parentElement) return undefined;
    const like = [...parentElement.children].filter((child) => child.localName === localName);
    steps.unshift([localName, like.indexOf(at)]);
    at = parentElement;
  }
  return steps;
};

const elementAtPlace = (place: readonly (readonly [string, number])[]): Element | undefined => {
  let at: Element | undefined = document.body;
  for (const [tag, before] of place)
    at = at && [...at.children].filter((child) => child.localName === tag)[before];
  return at;
};
/**
 * The texts of the control's nearest ancestors, recorded before an option was chosen. The innermost ancestor
 * is the first.
 */
let surrounding: { readonly place: Element; readonly text: string }[] = [];

const declaredList = (control: Element): Element | undefined => {
  const inner = control.querySelector("[aria-controls],[aria-owns]");
  for (const element of [control, inner, control.closest("[aria-controls],[aria-owns]")]) {
    const ids = `${element?.getAttribute("aria-controls") ?? ""} ${element?.getAttribute("aria-owns") ?? ""}`;
    for (const id of ids.split(/\s+/)) {
      const root = control.getRootNode();
      const found =
        id === ""
          ? null
          : ((root instanceof ShadowRoot ? root.getElementById(id) : null) ?? document.getElementById(id));
      if (found && isSeen(found) && optionsIn(found, found.matches(DIALOG)).length > 0) return found;
    }
  }
  return undefined;
};

/**
 * Whether the control itself is an open list of options. Its role is not enough: a closed control may have
 * the role of a list and contain only its current choice.
 */
const isOpenList = (control: Element): boolean => {
  if (!control.matches(LIST)) return false;
  if (optionsIn(control, true).length > 0) return true;
  return !control.matches("[aria-expanded],[aria-haspopup]") && optionsIn(control).length > 1;
};

/**
 * Returns the list that contains the option to which the control's attribute `aria-activedescendant` refers.
 */
const activeIn = (control: Element): Element | undefined => {
  const inner = control.querySelector("[aria-activedescendant]");
  for (const element of [control, inner, control.closest("[aria-activedescendant]")]) {
    const id = element?.getAttribute("aria-activedescendant");
    const root = control.getRootNode();
    const option = id && root instanceof ShadowRoot ? root.getElementById(id) : null;
    const found = (option ?? (id ? document.getElementById(id) : null))?.closest(LIST);
    if (found && isSeen(found) && optionsIn(found).length > 0) return found;
  }
  return undefined;
};

/**
 * Whether an option is a chip: a chosen value that is marked up as an option and has a button to remove it.
 */
const isChip = (control: Element, option: Element): boolean =>
  option.querySelector(REMOVE_BUTTON) !== null &&
  hiddenOptionOf(control, optionText(option))?.selected === true;

/**
 * Returns the group to which an option belongs: its nearest ancestor with more than one option. For a single
 * option, returns its parent.
 */
const groupOf = (option: Element): Element | undefined => {
  const parent = registry.parentOf(option) ?? undefined;
  for (let up = parent; up && up !== document.body; up = registry.parentOf(up) ?? undefined) {
    if (optionsIn(up).length > 1) return up;
  }
  return parent;
};

const listOf = (control: Element): Element | undefined => {
  const list = search(control);
  if (list) {
    latestList = list;
    isLatestListInControl = isWithin(list, control);
  }
  return list;
};

const search = (control: Element): Element | undefined => {
  const own = declaredList(control);
  if (own) return own;
  if (isOpenList(control)) return control;
  const surrounding = control.matches(OPTION) ? control.closest(LIST) : null;
  if (surrounding && isSeen(surrounding)) return surrounding;
  const active = activeIn(control);
  if (active) return active;
  const appeared = flatTreeElements(document).filter((element) => popups.isNew(element));
  const seen = appeared.filter(isSeen);
  const list = seen.find((element) => {
    const options = element.matches(LIST) ? optionsIn(element) : [];
    return options.length > 0 && !options.every((option) => isChip(control, option));
  });
  if (list) return list;
  const option = seen.find((element) => element.matches(OPTION) && !isChip(control, element));
  if (option) return groupOf(option);
  // The options may be checkboxes in a dialog that the control has opened.
  const box = boxesIn(appeared).find((element) => popups.isNew(element) && !isWithin(element, control));
  if (box) return groupOf(box);
  // After a search, the list may have a single option, and then it is no longer recognised as a list. The
  // list that was found before the search is used while it is visible.
  if (latestList?.isConnected && isSeen(latestList) && optionsIn(latestList).length > 0) return latestList;
  // The list from before the click is hidden, so the click has closed it. What has appeared after the click
  // is the chosen option, and not a list.
  if (latestList?.isConnected && !isSeen(latestList)) return undefined;
  // If no element has a role such as `listbox` or `option`, the largest group of similar new elements counts
  // as the list.
  const groups = new Map<Element, number>();
  for (const element of seen) {
    const parent = registry.parentOf(element);
    const like = element.nextElementSibling ?? element.previousElementSibling;
    // An element that appeared as a sibling of the control shows the current choice, so it does not count as
    // an option.
    if (parent === registry.parentOf(control)) continue;
    // The list was outside of the control and has been removed. An element that appeared in the control shows
    // the current choice.
    if (latestList && !isLatestListInControl && isWithin(element, control)) continue;
    if (!parent || like?.localName !== element.localName || textOf(element) === "") continue;
    if (!/^(li|div|a|button|span|td|tr)$/.test(element.localName)) continue;
    if (!groups.has(parent) && !isForEyes(parent)) continue;
    groups.set(parent, (groups.get(parent) ?? 0) + 1);
  }
  const [group] = [...groups].toSorted(([, first], [, other]) => other - first)[0] ?? [];
  if (group) return group;
  const item = seen.find(
    (element) => element.localName === "li" && textOf(element) !== "" && isForEyes(element),
  );
  return (item && registry.parentOf(item)) ?? undefined;
};

/** Returns the option of the control's hidden select that has the wanted label or value. */
const hiddenOptionOf = (control: Element, wanted: OptionText): HTMLOptionElement | undefined => {
  const [label, value] = [comparable(wanted.label), comparable(wanted.value)];
  return [...(hiddenSelectOf(control)?.options ?? [])].find(
    (option) => comparable(option.label) === label || (value !== "" && comparable(option.value) === value),
  );
};

/**
 * Whether an option is chosen. `aria-selected` is not sufficient, because it may only mark the option under
 * the pointer or the keyboard.
 */
const isChosen = (control: Element, option: Element | undefined, wanted: OptionText): boolean | undefined => {
  const label = comparable(wanted.label);
  const held = hiddenOptionOf(control, wanted);
  if (held) return held.selected;
  const box = option && boxOf(option);
  if (box instanceof HTMLInputElement && box.checked) return true;
  if ((box ?? option)?.getAttribute("aria-checked") === "true") return true;
  if (option?.getAttribute("aria-selected") !== "true") return undefined;
  const several = option.closest("[aria-multiselectable=true]") !== null;
  return several || control.matches(LIST) || control.contains(option) || displayedBy(control).includes(label)
    ? true
    : undefined;
};

const displayedBy = (control: Element): string => {
  const list = listOf(control);
  const texts: string[] = [];
  const read = (element: Element): void => {
    if (element === list || element.matches(LIST) || element.matches(OPTION)) return;
    if (element instanceof HTMLInputElement && element.type !== "hidden") texts.push(element.value);
    // The text content of a textarea is only its initial value, so its current value is read.
    if (element instanceof HTMLTextAreaElement) texts.push(element.value);
    for (const child of element instanceof HTMLTextAreaElement ? [] : element.childNodes) {
      if (child instanceof Text && element.checkVisibility(OPAQUE)) texts.push(child.data);
      if (child instanceof Element && popups.isNew(child) && child.querySelector(OPTION)) continue;
      if (child instanceof HTMLSelectElement)
        for (const { label } of child.selectedOptions) texts.push(label);
      else if (child instanceof Element) read(child);
    }
    const root = registry.rootOf(element);
    for (const child of root?.children ?? []) read(child);
  };
  read(control);
  // The text of the control's parent is read too, because a search field may show its choice in an element
  // beside it, such as a chip.
  const parent = registry.parentOf(control);
  if (parent && parent !== document.body && (parent.textContent ?? "").length < 2_000) read(parent);
  const widget = widgetOf(control);
  if (widget !== control && widget !== parent) read(widget);
  return comparable(texts.join(" "));
};

/** Whether a row around the element has a button that removes the element. */
const isRemovable = (element: Element): boolean => {
  let row: Element | undefined = element;
  for (let level = 0; row && row !== document.body && level <= ROW_LEVELS; level++) {
    if ((row.textContent ?? "").length > ROW_TEXT) return false;
    const buttons = [...row.querySelectorAll(REMOVE_BUTTON)];
    if (
      buttons.some((button) => {
        const name = button.getAttribute("aria-label") ?? button.textContent ?? "";
        return isSeen(button) && REMOVES.test(name.trim() || (button.getAttribute("title") ?? ""));
      })
    )
      return true;
    row = registry.parentOf(row) ?? undefined;
  }
  return false;
};

const scrollerOf = (list: Element): Element | undefined => {
  const scrolls = (element: Element): boolean =>
    element.scrollHeight > element.clientHeight + 1 &&
    /auto|scroll/.test(getComputedStyle(element).overflowY);
  for (const element of [list, ...flatTreeElements(list)]) if (scrolls(element)) return element;
  let up = registry.parentOf(list);
  for (let level = 0; up && level < SCROLLER_LEVELS; level++, up = registry.parentOf(up)) {
    if (up !== document.body && up !== document.documentElement && scrolls(up)) return up;
  }
  return undefined;
};

export const listbox: Listbox = {
  mark() {
    latestList = undefined;
    popups.mark();
  },

  read(id) {
    const control = identity.find(id);
    const list = control && listOf(control);
    if (!list) return undefined;
    const options = optionsIn(list).slice(0, MAX_OPTIONS);
    const scroller = scrollerOf(list);
    return {
      options: options.map((option) => {
        const wanted = optionText(option);
        return {
          id: identity.identify(option, true),
          ...wanted,
          chosen: isChosen(control, option, wanted) ?? false,
          disabled: isDisabled(option, list),
          acts:
            boxOf(option) === undefined &&
            (option.matches(ACTING_ENTRY) || option.querySelector(`:scope > :is(${ACTING_ENTRY})`) !== null),
        };
      }),
      scrolls: scroller !== undefined,
      busy: list.closest("[aria-busy=true]") !== null || list.querySelector("[aria-busy=true]") !== null,
    };
  },

  isOpen(id) {
    return identity.find(id)?.closest("[aria-expanded]")?.getAttribute("aria-expanded") === "true";
  },

  scrollOn(id, fromStart) {
    const control = identity.find(id);
    const list = control && listOf(control);
    const scroller = list && scrollerOf(list);
    if (!scroller) return false;
    const then = scroller.scrollTop;
    const way = fromStart
      ? -scroller.scrollHeight
      : Math.max(MIN_SCROLL, scroller.clientHeight * SCROLL_SHARE);
    scroller.scrollBy({ top: way, behavior: "instant" });
    return scroller.scrollTop !== then;
  },

  focusSearch(id) {
    const control = identity.find(id);
    const found = control && popups.searchOf(control, listOf(control));
    if (!found) return undefined;
    found.focus({ preventScroll: true });
    found.select();
    return found.value;
  },

  displayed(id) {
    const control = identity.find(id);
    return control ? displayedBy(control) : "";
  },

  isChosen(id, option, wanted) {
    const control = identity.find(id);
    return control && isChosen(control, identity.find(option), wanted);
  },

  fieldHolds(id, wanted) {
    const control = identity.find(id);
    const field = control && popups.fieldOf(control);
    if (!field || field.value.trim() === "") return false;
    const parts = [field.value, ...field.value.split(/[,;\n]/)].map(comparable);
    const texts = [wanted.label, wanted.value, wanted.title ?? ""].map(comparable);
    if (!texts.some((text) => text !== "" && parts.includes(text))) return false;
    return control.getAttribute("aria-expanded") === "false" || listOf(control) === undefined;
  },

  addedWithRemoval(id, wanted) {
    const control = identity.find(id);
    if (!control) return false;
    const list = listOf(control);
    const label = comparable(wanted.label);
    return flatTreeElements(document).some(
      (element) =>
        popups.isNew(element) &&
        !element.matches(LIST) &&
        element.closest(OPTION) === null &&
        !(list && isWithin(element, list)) &&
        comparable(element.textContent ?? "") === label &&
        isSeen(element) &&
        isRemovable(element),
    );
  },

  rememberSurroundings(id) {
    const control = identity.find(id);
    placeOfControl = control && placeOf(control);
    surrounding = [];
    for (let up = identity.find(id); up && up !== document.body && surrounding.length < REMEMBERED_LEVELS; ) {
      up = registry.parentOf(up) ?? undefined;
      if (up && up !== document.body) surrounding.push({ place: up, text: comparable(textOf(up)) });
    }
  },

  replacedBy(id, wanted) {
    if (identity.find(id) || (latestList?.isConnected && isSeen(latestList))) return undefined;
    const then = surrounding.find(({ place }) => place.isConnected);
    if (!then) {
      // The page has drawn all of its content again, for example because the chosen option filters a list (Ghost,
      // frames of Turbo). The new control at the place of the old one then shows the choice.
      const again = placeOfControl && elementAtPlace(placeOfControl);
      return again !== undefined && isSeen(again) && comparable(textOf(again)) === comparable(wanted.label);
    }
    const now = comparable(textOf(then.place));
    return [comparable(wanted.label), comparable(wanted.value)].some(
      (text) => text !== "" && (now === text || (now !== then.text && now.includes(text))),
    );
  },

  isShowing(id) {
    const control = identity.find(id);
    return control !== undefined && (listOf(control) ?? popups.dialogOf(control)) !== undefined;
  },

  hasFocus(id) {
    const control = identity.find(id);
    return control !== undefined && popups.hasFocus(control);
  },

  editor(id) {
    const cell = identity.find(id);
    const found = cell && popups.editorOf(cell);
    return found && identity.identify(found);
  },

  button(id, way) {
    const control = identity.find(id);
    const list = control && (listOf(control) ?? (way === "leave" ? popups.dialogOf(control) : undefined));
    const found = list && popups.buttonOf(control, list, way);
    return found && !identity.isDisabled(found) ? identity.identify(found) : undefined;
  },

  identify(id) {
    const control = identity.find(id);
    return control && identity.identify(control);
  },

  proxy(id) {
    const select = identity.find(id);
    const found = select && proxyFor(select);
    return found && identity.identify(found);
  },
};
