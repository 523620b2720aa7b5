/** What the cache of a snapshot knows about one element. */
import type { SegmentType } from "../../../../machines/session/page-snapshot.ts";
import type { Fingerprint, Interaction } from "./describer.ts";
import type { RawElement } from "./raw-snapshot.ts";
import type { Rendering, Visual } from "./rendering-cache.ts";

/** Facts that follow from the tag and the attributes of an element. */
export interface Traits {
  readonly skipped: boolean;
  readonly kind: Interaction | undefined;
  readonly segment: SegmentType | undefined;
  /** Heading level from 1 to 6; 0 for other elements. */
  readonly level: number;
  readonly inert: boolean;
  readonly frame: boolean;
  readonly image: boolean;
  /** Whether the element is a custom element, which may have a closed shadow root. */
  readonly custom: boolean;
  /** Whether the element may have a shadow root. */
  readonly host: boolean;
  /**
   * Whether the element is a form control or has labels. Such an element has state outside of its attributes.
   */
  readonly field: boolean;
  /** Whether the value of the field is never reported, because it is or was a password. */
  readonly secret: boolean;
  /** Whether the element is hidden from assistive technology. Its text then names nothing. */
  readonly muted: boolean;
  /** Sort order of the column that the element heads, from `aria-sort`. */
  readonly sort: string;
  /** Whether a class such as `active` or `selected` marks the element as the current one. */
  readonly marked: boolean;
  /** Whether the element has a `tabindex`. This alone does not make it a control. */
  readonly focused: boolean;
  /** Whether `aria-labelledby` refers to other elements that name this one. */
  readonly named: boolean;
  /**
   * Whether the element is important in itself (a segment, frame, image or slot), so that it is never only a
   * wrapper.
   */
  readonly notable: boolean;
}

/**
 * An element as the last snapshot reported it, and the facts outside of the element on which the report
 * depends.
 */
export interface RecordedElement {
  /** The reported element. The box in it may be older than `x`, `y`, `width` and `height`. */
  record: RawElement;
  x: number;
  y: number;
  width: number;
  height: number;
  inViewport: boolean;
  coveredBy: string | undefined;
  /**
   * How the element differs from the previous snapshot: reported completely (`full`), another position
   * (`moved`), moved by `dx` and `dy` (`shifted`), or unchanged (`none`).
   */
  change: "full" | "moved" | "shifted" | "none";
  dx: number;
  dy: number;
  snapshot: number;
  /** Number of the snapshot before `snapshot`. */
  previousSnapshot: number;
  at: number;
  readonly text: string;
  /** Value, form and labels joined to one text for comparison. */
  readonly state: string;
  /** The icon and the generated text, when nothing else names the element. */
  readonly visual: Visual | undefined;
}

/** A text that depends on the labels of fields. */
export interface CachedText {
  readonly text: string;
  /** The count of label changes for which the text is valid. */
  readonly at: number;
}

export interface CachedElement {
  /**
   * How often the whole cache had been dropped when this entry was created. The entry is invalid after a
   * further drop.
   */
  readonly age: number;
  readonly element: Element;
  readonly tag: string;
  /** The computed style, a live object of the browser. It is always current. */
  readonly style: CSSStyleDeclaration;
  /** Whether elements with this tag are inline by default. */
  readonly flows: boolean;
  /**
   * When the element was first seen at its current place: the time of the logical clock, and the number of
   * the walk through the document.
   */
  readonly born: number;
  readonly walk: number;
  /** The time of the last change in the element. */
  touched: number;
  /** The facts from tag and attributes; `undefined` after an attribute has changed. */
  traits: Traits | undefined;
  /** The rendered children: elements, and texts with their white space. `undefined` after a change. */
  parts: readonly (CachedElement | string)[] | undefined;
  hasTexts: boolean;
  /** Whether the rendered children (`parts`) contain elements. */
  hasChildren: boolean;
  root: ShadowRoot | null;
  readonly reading: Rendering;
  /** Whether the last snapshot found the element rendered. */
  rendered: boolean;
  fingerprint: { readonly value: Fingerprint; readonly at: number } | undefined;
  recorded: RecordedElement | undefined;
  labels: CachedText | undefined;
  /** The accessible name without the element's own text. */
  name: (CachedText & { readonly touched: number }) | undefined;
  /** Whether nothing is painted for the element, and the time at which this was checked. */
  bare: { readonly is: boolean; readonly at: number } | undefined;
  /**
   * The value of the field in the last snapshot. It includes values of secret fields and is never reported.
   */
  value: string;
  /** The number in the element registry; 0 when none is assigned yet. */
  id: number;
}
