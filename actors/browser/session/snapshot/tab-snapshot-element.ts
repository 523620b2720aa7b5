/**
 * Converts an element of a frame's snapshot to an element of the tab's snapshot, with coordinates on the
 * page. An element that has not changed is returned as the same object.
 */

import { withBox } from "../../../../machines/session/page/element-line-cache.ts";
import type { Box, HighlightedElement } from "../../../../machines/session/page/page-snapshot.ts";
import type { RawElement, RawSnapshot } from "../../page-script/snapshot/raw-frame-snapshot.ts";

/**
 * How to convert coordinates of a frame to coordinates of the tab's viewport: multiply by `scale`, then add
 * `x` and `y`.
 */
export interface Offset {
  readonly x: number;
  readonly y: number;
  readonly scale: number;
}

/**
 * Where an element's frame is on the page. With this data, positions and selectors in the frame are converted
 * to those of the page.
 */
export interface ElementPlace {
  readonly path: readonly string[];
  readonly offset: Offset;
  /** The scroll position of the element's frame. */
  readonly frameScroll: RawSnapshot["scroll"];
  /** The scroll position of the tab's main document. */
  readonly pageScroll: RawSnapshot["scroll"];
  readonly segment: number | null;
}

export interface PageElement {
  readonly raw: RawElement;
  readonly place: ElementPlace;
  readonly element: HighlightedElement;
}

/**
 * Returns an element for the tab's snapshot. When the element has not changed, it returns the object of the
 * previous snapshot.
 */
export function pageElementOf(
  raw: RawElement,
  index: number,
  place: ElementPlace,
  before: PageElement | undefined,
): PageElement {
  if (before && before.raw === raw && isAt(before.place, place)) return before;
  if (before && isMovedOnly(before, raw, place)) return { raw, place, element: movedOf(before, raw, place) };
  const element = elementOf(raw, index, place);
  return { raw, place, element: before && isEqual(before.element, element) ? before.element : element };
}

/**
 * True if only the position of the element can have changed. For any other change, the page script sends a
 * new `attributes` object.
 */
function isMovedOnly(before: PageElement, raw: RawElement, { path, segment }: ElementPlace): boolean {
  return (
    before.raw.attributes === raw.attributes &&
    before.raw.coveredBy === raw.coveredBy &&
    before.place.segment === segment &&
    isSamePath(before.place.path, path)
  );
}

function movedOf({ element }: PageElement, raw: RawElement, place: ElementPlace): HighlightedElement {
  const { box, in_viewport } = positionOf(raw, place);
  const earlier = element.box;
  const isUnmoved =
    earlier.x === box.x &&
    earlier.y === box.y &&
    earlier.width === box.width &&
    earlier.height === box.height;
  return isUnmoved && element.in_viewport === in_viewport ? element : withBox(element, box, in_viewport);
}

const isSamePath = (left: readonly string[], right: readonly string[]): boolean =>
  left === right || (left.length === right.length && left.every((selector, at) => selector === right[at]));

function isAt(left: ElementPlace, right: ElementPlace): boolean {
  return (
    left.segment === right.segment &&
    left.frameScroll === right.frameScroll &&
    left.pageScroll === right.pageScroll &&
    left.offset.x === right.offset.x &&
    left.offset.y === right.offset.y &&
    left.offset.scale === right.offset.scale &&
    isSamePath(left.path, right.path)
  );
}

const isEqual = (left: unknown, right: unknown): boolean => JSON.stringify(left) === JSON.stringify(right);

/** Returns the element's position on the page, and whether the element is in the viewport. */
function positionOf(
  { box, inViewport: isVisible }: RawElement,
  { offset, frameScroll, pageScroll }: ElementPlace,
): { readonly box: Box; readonly in_viewport: boolean } {
  const x = offset.x + (box[0] - frameScroll.x) * offset.scale;
  const y = offset.y + (box[1] - frameScroll.y) * offset.scale;
  const [width, height] = [box[2] * offset.scale, box[3] * offset.scale];
  const { viewport_width, viewport_height } = pageScroll;
  return {
    box: {
      x: Math.round(x + pageScroll.x),
      y: Math.round(y + pageScroll.y),
      width: Math.round(width),
      height: Math.round(height),
    },
    in_viewport: isVisible && x < viewport_width && y < viewport_height && x + width > 0 && y + height > 0,
  };
}

function elementOf(raw: RawElement, highlight_index: number, place: ElementPlace): HighlightedElement {
  const { tag, type, action: interaction, selector, xpath, text, labels, scrolls, attributes } = raw;
  const {
    value,
    valueLabel: value_label,
    placeholder,
    ariaLabel,
    role,
    disabled,
    hidden,
    required,
    checked,
    mixed,
    selected,
    sorted,
    current,
  } = raw;
  const { formId, formName, options, coveredBy: covered, contextLabel: around, rowLabel: row, icon } = raw;
  return {
    highlight_index,
    tagName: tag,
    type,
    interactionType: interaction,
    selector,
    xpath,
    ...(text === undefined ? {} : { textContent: text }),
    ...(icon === undefined ? {} : { icon }),
    ...(value === undefined ? {} : { value }),
    ...(value_label === undefined ? {} : { value_label }),
    ...(placeholder === undefined ? {} : { placeholder }),
    ...(ariaLabel === undefined ? {} : { ariaLabel }),
    ...(role === undefined ? {} : { role }),
    ...(disabled ? { disabled } : {}),
    ...(hidden ? { hidden } : {}),
    ...(required ? { required } : {}),
    ...(checked === undefined ? {} : { checked }),
    ...(mixed ? { mixed } : {}),
    ...(selected === undefined ? {} : { selected }),
    ...(sorted === undefined ? {} : { sorted }),
    ...(current ? { current } : {}),
    ...(formId === undefined ? {} : { formId }),
    ...(formName === undefined ? {} : { formName }),
    ...(labels === undefined ? {} : { labelText: labels.join(" "), associatedLabels: [...labels] }),
    ...(around === undefined ? {} : { around }),
    ...(row === undefined ? {} : { row }),
    attributes: { ...attributes },
    ...(options === undefined ? {} : { options: [...options] }),
    ...positionOf(raw, place),
    ...(covered === undefined ? {} : { covered }),
    frame: [...place.path],
    segment: place.segment,
    ...(scrolls ? { scroll: { above: scrolls[0], below: scrolls[1] } } : {}),
  };
}
