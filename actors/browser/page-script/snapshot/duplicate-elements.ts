/**
 * Drops elements from a snapshot that duplicate another interactive element. Components often nest several
 * elements with click listeners that do the same, and the caller needs only one. When two elements may do
 * different things, both are kept.
 */

import type { Rect } from "../actionability/element-geometry.ts";
import { geometry } from "../actionability/element-geometry.ts";
import { registry } from "../page-script-document-state.ts";
import { deepElements, isSeen, VISIBLE } from "../shadow-dom.ts";
import { describer } from "./describe-element.ts";
import * as visualCues from "./element-appearance.ts";
import * as hoverCursors from "./pointer-cursor-only-on-hover.ts";
import type { Candidate } from "./snapshot-element-candidate.ts";
import { recorder } from "./snapshot-element-records.ts";
import * as renderingCache from "./style-and-box-cache.ts";

/** The evidence by which an element was classified as interactive. */
export interface FoundBy {
  /** Whether the element counts as interactive only because of a listener or a `tabindex`. */
  readonly weak: boolean;
  /** Whether the element has a pointer cursor that its parent does not have. */
  readonly byPointer: boolean;
  /** Whether the children of the element are separate items, such as the rows of a list. */
  readonly items: boolean;
}

/** Matches the actions of elements that may show only an icon instead of text. */
const HOLDS_ICON = /^(?:click|navigate|submit)$/;
/** Matches a text with at least one letter or digit. */
const HAS_WORDS = /[\p{L}\p{N}]/u;
/** Selector of elements with an attribute that names them. */
const LABELLED = "[aria-label],[aria-labelledby],[title]";
/**
 * Selector of elements with a name, a role or a `tabindex`. By these attributes, the page shows that a user
 * is meant to use the element.
 */
const NAMED_OR_FOCUSABLE = `${LABELLED},[tabindex],[role]`;
/** Tags of native controls. They are reported even if they are inside of another control. */
const NATIVE = "a,button,summary,label,input,select,textarea";
/** Selector of fields. They are reported even when another control contains them. */
const FIELDS = "input,select,textarea,[role=textbox],[role=searchbox],[role=combobox],[role=spinbutton]";
/** Selector of checkboxes and similar controls that scripts create. */
const ARIA_BOXES = "[role=checkbox],[role=switch],[role=radio]";
/**
 * Matches names of icons that draw the state of a control, such as "check" for a checkbox or "thumb" for a
 * switch.
 */
const STATE_ICON =
  /check|tick|mark|done|dot|circle|ellipse|radio|square|box|switch|toggle|thumb|knob|handle|slider|track|ripple|minus|dash|indeterminate/;
/**
 * Matches names of icons that delete an entry, such as "trash square". Some of these names also match
 * `STATE_ICON`.
 */
const DELETE_ICON = /trash|bin\b|delete|remove|erase|garbage|rubbish|waste/;
/** Selector of components that name a field by its id, in an attribute like the `for` of a `<label>`. */
const NAMES_FIELD = "[for],[html-for]";
/**
 * Maximum number of elements that are searched for the field of a component that may be only a label. The search
 * covers everything in the parent of the component.
 */
const MAX_LABEL_SURROUNDINGS = 200;
const TAB = "[role=tab]";
const DIALOG = "dialog,[role=dialog],[role=alertdialog],[aria-modal=true]";
/** Selector of drawings. A drawing without a name may show any icon. */
const DRAWINGS = "svg,img,canvas";
/** Selector of checkboxes and radio buttons. */
const BOXES = `input[type=checkbox],input[type=radio],${ARIA_BOXES}`;
/** Selector of elements that show a state, such as checked or expanded. */
const STATEFUL =
  "[aria-checked],[aria-selected],[aria-expanded],[aria-pressed],[aria-haspopup],[aria-current]";
/**
 * Selector of elements that the page itself declares, by a role or a `tabindex`, to be only parts of the
 * element around them.
 */
const DECLARED_PART = "[role=presentation],[role=none],[tabindex='-1']";
/** An inner element fills an outer element when it covers at least this share of the outer element's area. */
const FILLING_SHARE = 0.8;
/**
 * An area, such as a map, is reported as a background only if the interactive elements on it together cover
 * at most this share (0 to 1) of its area. If they cover more, the area is only a wrapper.
 */
const HALF_SHARE = 0.5;
/**
 * A card that contains interactive elements is reported only if these elements cover less than this share (0
 * to 1) of its area. A click on the free part of the card may have an effect of its own.
 */
const SPARSE_SHARE = 0.3;
/**
 * Minimum width and height of a card in pixels. A click on a card may have an effect of its own, besides the
 * controls in it.
 */
const MIN_CARD_SIZE = 100;
/**
 * Minimum width and height, in pixels, of a background: an area on which other elements are placed, such as a
 * map.
 */
const MIN_BACKGROUND_SIZE = [200, 150] as const;
/**
 * Maximum number of interactive elements inside a background, such as a map. An element that contains more of
 * them is taken for the whole page, and not for a background.
 */
const MAX_BACKGROUND_PARTS = 500;
/**
 * Maximum number of elements inside an area that are checked for an absolute or fixed position. If all of
 * them have such a position, the area is a background.
 */
const CHECKED_PARTS = 5;

const share = (inner: Rect, outer: Rect): number => {
  const width = Math.min(inner.right, outer.right) - Math.max(inner.left, outer.left);
  const height = Math.min(inner.bottom, outer.bottom) - Math.max(inner.top, outer.top);
  return width > 0 && height > 0 ? (width * height) / (outer.width * outer.height) : 0;
};
const area = ({ rect: { width, height } }: Candidate): number => width * height;
const covered = (candidate: Candidate, parts: readonly Candidate[]): number =>
  parts.reduce((sum, { rect }) => sum + share(rect, candidate.rect), 0);

/** Whether an interactive element contains words that do not belong to interactive elements inside of it. */
const hasOwnWords = ({ text }: Candidate, parts: readonly Candidate[]): boolean => {
  let rest = text;
  for (const part of parts) if (part.text !== "") rest = rest.replace(part.text, () => " ");
  if (!HAS_WORDS.test(rest)) return false;
  // Words in the label of an inner control belong to this control. So they do not count as words of the outer
  // element.
  const labels = parts.flatMap(({ element }) => describer.labelsOf(element));
  const labelTexts = labels.map((label) => describer.wordsOf(label).replace(/\s+/g, "")).join(" ");
  return !labelTexts.includes(rest.replace(/\s+/g, ""));
};

const nameOf = ({ cached }: Candidate): string => recorder.cachedNameOf(cached);

/**
 * Whether an interactive element has no name, or has the same name as an interactive element inside of it.
 */
const sharesName = (candidate: Candidate, parts: readonly Candidate[]): boolean => {
  if (!candidate.element.matches(LABELLED)) return true;
  const name = nameOf(candidate);
  return parts.some((part) => nameOf(part) === name);
};

/**
 * Whether an interactive element has neither words nor a name of its own, and contains only other interactive
 * elements.
 */
const isWrapper = (candidate: Candidate, parts: readonly Candidate[]): boolean => {
  if (hasOwnWords(candidate, parts) || !sharesName(candidate, parts)) return false;
  const sparse = covered(candidate, parts) < SPARSE_SHARE;
  if (!sparse) return true;
  const { width, height } = candidate.rect;
  const large = width >= MIN_CARD_SIZE && height >= MIN_CARD_SIZE;
  return parts.length === 1 && !large && (candidate.text !== "" || parts.some((part) => nameOf(part) !== ""));
};

const isPositioned = (part: Candidate, background: Element): boolean => {
  for (let up: Element | null = part.element; up && up !== background; up = geometry.renderedParent(up))
    if (/^(absolute|fixed)$/.test(getComputedStyle(up).position)) return true;
  return false;
};

/**
 * Whether an element is a large area with other elements on it, such as a map with markers. The snapshot then
 * lists both the area and the elements on it.
 */
const isBackgroundOf = (candidate: Candidate, parts: readonly Candidate[]): boolean => {
  const { element, rect, text, maxLength } = candidate;
  if (parts.length > MAX_BACKGROUND_PARTS) return false;
  if (element instanceof SVGElement && element.localName !== "svg" && hasOwnWords(candidate, parts))
    return true;
  if (
    rect.width < MIN_BACKGROUND_SIZE[0] ||
    rect.height < MIN_BACKGROUND_SIZE[1] ||
    !registry.hasClickListener(element)
  )
    return false;
  if (hasOwnWords(candidate, parts) || covered(candidate, parts) >= HALF_SHARE) return false;
  if (element instanceof SVGElement || getComputedStyle(element).touchAction === "none") return true;
  // A text of maximum length may have been cut, so it may lack words of inner elements. An element with such
  // a text does not count as a background.
  if (text.length >= maxLength) return false;
  return parts.slice(0, CHECKED_PARTS).every((part) => isPositioned(part, element));
};

/**
 * Whether an inner element only draws a part of the outer element. It has no name and no text, and either
 * fills the outer element or paints nothing.
 */
const isMerePart = (part: Candidate, outer: Candidate): boolean => {
  if (!part.weak || part.text !== "" || nameOf(part) !== "") return false;
  if (share(part.rect, outer.rect) >= FILLING_SHARE) return true;
  const { icon, generatedText } = renderingCache.visual(part.cached);
  return icon === "" && generatedText === "" && visualCues.isBare(part.cached);
};

/**
 * Whether an inner element is only the icon of the outer one. Some components give the icon a click listener,
 * although the click is for the link or button around it.
 */
const isIconOf = (part: Candidate, outer: Candidate): boolean => {
  const { width, height } = outer.rect;
  const isSmall = width < MIN_CARD_SIZE && height < MIN_CARD_SIZE;
  if (!isSmall || outer.text !== "" || part.text !== "" || !HOLDS_ICON.test(outer.action)) return false;
  if (part.element.matches(`${NATIVE},${STATEFUL},${LABELLED}`)) return false;
  const { icon } = renderingCache.visual(part.cached);
  return icon !== "" && icon === renderingCache.visual(outer.cached).icon;
};

/**
 * Whether an inner element is the tick or the thumb of a checkbox, radio button or switch, and not a further
 * control such as a bin that deletes the entry. An inner element counts as a tick only if its icon shows a
 * state. An element with another icon, or with a drawing without a name, is no tick.
 */
const isTickOf = (part: Candidate, outer: Candidate): boolean => {
  if (!outer.element.matches(ARIA_BOXES) || part.text !== "") return false;
  if (part.element.matches(`${BOXES},${FIELDS}`) || nameOf(part) !== "") return false;
  const { icon } = renderingCache.visual(part.cached);
  if (icon !== "") return STATE_ICON.test(icon) && !DELETE_ICON.test(icon);
  return !part.element.matches(DRAWINGS) && part.element.querySelector(DRAWINGS) === null;
};

/**
 * Returns the tab to omit if a tab contains another one with the same text. By ARIA, tabs do not
 * nest. The inner one is omitted, unless only the inner one can get the focus.
 */
const redundantTabOf = (outer: Candidate, parts: readonly Candidate[]): Candidate | undefined => {
  if (!outer.element.matches(TAB)) return undefined;
  const inner = parts.find((part) => part.element.matches(TAB) && part.text === outer.text);
  const isInnerFocusable = inner?.element.hasAttribute("tabindex") && !outer.element.hasAttribute("tabindex");
  return isInnerFocusable ? outer : inner;
};

/**
 * Whether an inner element only shows the text of a tab (role `tab`). It is interactive only because of a
 * listener, for example for drag and drop.
 */
const isWordsOfTab = (part: Candidate, { element, text }: Candidate): boolean =>
  element.matches(TAB) &&
  part.weak &&
  part.text === text &&
  !part.element.matches(`[tabindex],[role],${STATEFUL}`);

const isTicked = (element: Element): boolean =>
  element instanceof HTMLInputElement ? element.checked : element.getAttribute("aria-checked") === "true";

/**
 * Compares two nested controls. If a click on either does the same, returns the control that the snapshot
 * omits. Returns `undefined` if the snapshot must contain both.
 */
const redundantOf = (outer: Candidate, inner: Candidate): Candidate | undefined => {
  const [outerElement, innerElement] = [outer.element, inner.element];
  if (outerElement.matches(NATIVE)) return undefined;
  const alike = nameOf(outer) === nameOf(inner);
  if (outerElement.matches(ARIA_BOXES)) {
    if (!innerElement.matches(BOXES) || isTicked(outerElement) !== isTicked(innerElement)) return undefined;
    if (nameOf(inner) === "" || (alike && innerElement.matches(DECLARED_PART))) return inner;
    return alike ? outer : undefined;
  }
  // If the whole text of a button is the text of one link in it, a click on the button reaches the link. Both
  // do the same, so only one of them is reported, even if the button also has a label.
  const isLine =
    outer.text !== "" && outerElement.matches("[role=button]") && innerElement.matches("a,button");
  // A component, and the field for its value inside of it, may both have the role `combobox`. Then only the
  // field is reported.
  if (outerElement.matches("[role=combobox]") && innerElement.matches("input[role=combobox]")) return outer;
  if (!(alike || isLine) || outer.text !== inner.text || nameOf(outer) === "") return undefined;
  if (outerElement.matches(FIELDS) || innerElement.matches(FIELDS)) return undefined;
  // A draggable element around a link is kept, because dragging the link itself would drop the link's
  // address.
  if (outerElement.matches("[draggable=true]:not([role],[onclick])"))
    return innerElement.matches("a") ? undefined : outer;
  if (!outerElement.matches(STATEFUL)) return outer;
  return innerElement.matches(DECLARED_PART) && !innerElement.matches(STATEFUL) ? inner : undefined;
};

/**
 * Compares a link or button with a button in it that has the same text and name, or with an item in it that has
 * the same role and text. Scripts nest buttons, for example Radix for a tooltip and Headless UI for a menu, and
 * pages put a button into a link. A click on the inner element reaches the outer one too, so only one of them is
 * needed. Returns the one to omit: the inner one if the outer one is a link or has a state, otherwise the outer
 * one. Returns `undefined` if both are needed.
 */
const redundantNativeOf = (outer: Candidate, inner: Candidate): Candidate | undefined => {
  const [outerElement, innerElement] = [outer.element, inner.element];
  if (!outerElement.matches("a,button")) return undefined;
  if (!isDrawnByItem(outerElement, innerElement)) {
    if (!innerElement.matches("button")) return undefined;
    if (outer.text !== inner.text || nameOf(outer) !== nameOf(inner)) return undefined;
  }
  // A link may be a whole card with a button in it that does something else. So both are kept if the button
  // covers too small a share of the card.
  if (share(inner.rect, outer.rect) < (outerElement.matches("a") ? FILLING_SHARE : HALF_SHARE))
    return undefined;
  if (!outerElement.matches(`a,${STATEFUL}`)) return outer;
  return innerElement.matches(`:disabled,${STATEFUL}`) ? undefined : inner;
};

/**
 * Whether a link or button has the same role and the same text as the item in it. Home Assistant and YouTube
 * have such links in their side bars: each contains an item of Polymer.
 */
const isDrawnByItem = (outer: Element, inner: Element): boolean => {
  const role = outer.getAttribute("role");
  return role !== null && inner.getAttribute("role") === role && isSameText(outer, inner);
};

const isSameText = (one: Element, other: Element): boolean => {
  const textOf = ({ textContent }: Element): string => (textContent ?? "").replace(/\s+/g, "");
  return textOf(one) !== "" && textOf(one) === textOf(other);
};

/**
 * Returns the reported elements directly inside of a candidate (an element that the snapshot may report). An
 * element inside of another reported element is left out.
 */
const partsOf = (candidate: Candidate, inside: readonly Candidate[]): readonly Candidate[] =>
  inside.filter((other) => {
    if (other.dropped) return false;
    let up = other.outer;
    while (up && up !== candidate && up.dropped) up = up.outer;
    return up === candidate;
  });

/**
 * Whether an element contains everything that the page shows, and has only a click listener. Libraries listen to all
 * clicks of a page at the root of the application, which they find by its id, such as `#root` or `#app`.
 */
const isApplicationRoot = ({ element, cached }: Candidate): boolean => {
  if (element.id === "" || element.parentElement !== document.body) return false;
  if (element.matches(NAMED_OR_FOCUSABLE) || renderingCache.hasPointerCursor(cached)) return false;
  return ![...document.body.children].some((sibling) => sibling !== element && isSeen(sibling));
};

const isDropped = (candidate: Candidate, parts: readonly Candidate[], by: FoundBy): boolean => {
  const { cached } = candidate;
  const [only] = parts;
  if (!only) {
    const isBlank = candidate.text === "" && visualCues.isBlank(cached, candidate.rect);
    return isBlank || (by.weak && isApplicationRoot(candidate));
  }
  if (by.byPointer && by.items) return true;
  if (parts.length === 1 && by.byPointer && only.text === candidate.text) return true;
  // A wrapper that only has a click listener also receives clicks that bubble from its children, so it is
  // redundant. There are two exceptions: a wrapper with a pointer cursor, and a wrapper with words of its own
  // that gets a pointer cursor on hover. Such a wrapper may be a control of its own.
  const isPointed = (): boolean =>
    renderingCache.hasPointerCursor(cached) ||
    (hasOwnWords(candidate, parts) && hoverCursors.hasPointerOnHover(candidate.element));
  if (by.weak && !isPointed()) return !isBackgroundOf(candidate, parts);
  return isWrapper(candidate, parts);
};

/**
 * An interactive element may contain other interactive elements that belong to the same control. Removes such
 * duplicates, so that each control is reported once. Must be called after the inner elements were found.
 */
export function resolve(candidate: Candidate, inside: readonly Candidate[], by: FoundBy): void {
  if (!candidate.weak && inside.length === 0) return;
  const parts = partsOf(candidate, inside);
  if (isAreaOfTick(candidate, parts)) {
    candidate.dropped = true;
    return;
  }
  if (!candidate.weak) {
    const tab = redundantTabOf(candidate, parts);
    if (tab) tab.dropped = true;
    for (const part of parts)
      if (
        isMerePart(part, candidate) ||
        isIconOf(part, candidate) ||
        isTickOf(part, candidate) ||
        isWordsOfTab(part, candidate)
      )
        part.dropped = true;
    const [onlyPart, ...otherParts] = parts.filter((part) => !part.dropped);
    const native = onlyPart && otherParts.length === 0 ? redundantNativeOf(candidate, onlyPart) : undefined;
    if (native) native.dropped = true;
    const [only, ...others] = inside.filter((part) => !isTickOf(part, candidate));
    if (!only || others.length > 0 || only.dropped) return;
    const other = redundantOf(candidate, only);
    if (other) other.dropped = true;
    return;
  }
  if (by.weak && isDrawnByLayers(candidate, parts)) {
    for (const part of parts) part.dropped = true;
    return;
  }
  // If inner elements without text fill the area of an element with text, only the outer element is reported.
  const filling = candidate.text === "" ? [] : parts.filter((part) => isFilling(part, candidate));
  const others = parts.filter((part) => !filling.includes(part));
  candidate.dropped = isDropped(candidate, others, by);
  if (candidate.dropped) return;
  for (const part of filling) part.dropped = true;
  // The candidate (an element that the snapshot may report) is only a background on which other elements are
  // placed. All words in it belong to these elements, so it is reported without text.
  if (others.length > 0 && !hasOwnWords(candidate, others) && isBackgroundOf(candidate, others)) {
    candidate.isBackground = true;
    candidate.text = "";
  }
}

/**
 * Whether an element only enlarges the area in which a click reaches its checkbox, as the boxes in lists of Bugsink and
 * the cells of Tabulator do. An element with a name, words, a role, a state or a drawing may do something else.
 */
function isAreaOfTick({ element, text, rect }: Candidate, parts: readonly Candidate[]): boolean {
  const [only, ...others] = parts;
  const isSmall = rect.width < MIN_CARD_SIZE && rect.height < MIN_CARD_SIZE;
  if (!only || others.length > 0 || text !== "" || !isSmall) return false;
  if (element.matches(`${NATIVE},${NAMED_OR_FOCUSABLE},${STATEFUL}`)) return false;
  const isTick = only.element.matches("input[type=checkbox],input[type=radio]");
  return isTick && only.element.checkVisibility(VISIBLE) && element.querySelector(DRAWINGS) === null;
}

/**
 * Whether the parts of an element lie on top of each other, such as the icon of a checkbox and the ripple over the
 * icon. Only the upper one can be pressed, and the element has a click listener. So a press on any of
 * them does the same. Parts beside each other may differ, such as the stars of a rating.
 */
function isDrawnByLayers({ element, text, rect }: Candidate, parts: readonly Candidate[]): boolean {
  const isSmall = rect.width < MIN_CARD_SIZE && rect.height < MIN_CARD_SIZE;
  if (parts.length < 2 || text !== "" || !isSmall || !registry.hasClickListener(element)) return false;
  const largest = parts.reduce((one, other) => (area(other) > area(one) ? other : one));
  return parts.every(
    (part) =>
      part.weak &&
      part.text === "" &&
      nameOf(part) === "" &&
      !part.element.matches(`${NATIVE},${STATEFUL},[tabindex]`) &&
      (part === largest || !registry.hasClickListener(part.element)) &&
      share(part.rect, largest.rect) * area(largest) >= area(part) * FILLING_SHARE,
  );
}

/** Whether an element is a label whose control the snapshot reports. */
export function isRedundantLabel(element: Element): boolean {
  if (isLabelComponent(element)) return true;
  if (!(element instanceof HTMLLabelElement)) return false;
  const { control } = element;
  // A label of an `<input>` or `<select>` is never reported, because such a field is reported even when it is
  // not rendered. Any other label is reported only if its control is not rendered.
  if (control) return control.matches("input,select") || control.checkVisibility();
  return describer.isCaption(element);
}

/**
 * Whether a component only draws the label of a field. A click on such a component only focuses its field, as in
 * Spectrum and Siemens iX. The result is false for a component that can receive the focus. It is also false for
 * one that has a click listener, refers to no field and has no field beside it: it is a control itself.
 */
function isLabelComponent(element: Element): boolean {
  if (element.hasAttribute("tabindex")) return false;
  const drawn = [...(registry.rootOf(element)?.children ?? [])].filter(
    (child) => !child.matches("style,link"),
  );
  const [label] = drawn;
  if (drawn.length !== 1 || !(label instanceof HTMLLabelElement) || label.querySelector(FIELDS)) return false;
  return !registry.hasClickListener(element) || element.matches(NAMES_FIELD) || hasFieldInParent(element);
}

/** Whether the parent of an element contains a field, including a field that a component draws. */
function hasFieldInParent(element: Element): boolean {
  const parent = registry.parentOf(element);
  let left = parent ? MAX_LABEL_SURROUNDINGS : 0;
  for (const near of parent ? deepElements(parent) : []) {
    if (near.matches(`${FIELDS},${BOXES}`)) return true;
    // The search ends here, although the parent may contain more elements. One of them may be the field that
    // the component names, so the result is true.
    if (--left <= 0) return true;
  }
  return false;
}

/**
 * Whether an element, such as a canvas, only lies behind other elements. It has no click listener, and it has
 * a presentational role or is hidden from assistive technology.
 */
export function isBackdrop(element: Element, muted: boolean): boolean {
  return (muted || element.matches("[role=presentation],[role=none]")) && !registry.hasClickListener(element);
}

/**
 * Whether an element is only the surface behind an open dialog: it is empty, has no name, covers the whole
 * viewport, and its parent is the dialog or contains the dialog. A click on it closes the dialog, as the key
 * Escape or a button of the dialog does.
 */
export function isSurfaceBehindDialog(element: Element): boolean {
  if (element.firstElementChild || HAS_WORDS.test(element.textContent ?? "") || element.matches(LABELLED))
    return false;
  const around = registry.parentOf(element);
  if (!around || around === document.body) return false;
  const dialogs = around.matches(DIALOG) ? [around] : [...around.querySelectorAll(DIALOG)];
  if (!dialogs.some((dialog) => dialog.checkVisibility(VISIBLE))) return false;
  const { left, top, right, bottom } = element.getBoundingClientRect();
  return left <= 0 && top <= 0 && right >= document.documentElement.clientWidth && bottom >= innerHeight;
}

function isFilling(part: Candidate, outer: Candidate): boolean {
  return isMerePart(part, outer) && share(part.rect, outer.rect) >= FILLING_SHARE;
}
