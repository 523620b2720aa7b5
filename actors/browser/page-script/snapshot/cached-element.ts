/** What the element cache knows about one element. */
import type { SegmentType } from "../../../../machines/session/page-snapshot.ts";
import type { Fingerprint, Interaction } from "./describer.ts";
import type { RawElement } from "./raw-snapshot.ts";
import type { Rendering, Visual } from "./rendering-cache.ts";

/** What the tag and the attributes of an element say about it. */
export interface Traits {
  readonly skipped: boolean;
  readonly kind: Interaction | undefined;
  readonly segment: SegmentType | undefined;
  /** Heading level 1 to 6, else 0. */
  readonly level: number;
  readonly inert: boolean;
  readonly frame: boolean;
  readonly image: boolean;
  /** A custom element, which may have a closed shadow root. */
  readonly custom: boolean;
  /** An element that may have a shadow root. */
  readonly host: boolean;
  /** A form control, or an element with labels: it has state outside of its attributes. */
  readonly field: boolean;
  /** The value is never reported. */
  readonly secret: boolean;
  /** Hidden from assistive technology: its text does not name anything around it. */
  readonly muted: boolean;
  /** Sort order of the column that the element heads, from `aria-sort`. */
  readonly sort: string;
  /** A class such as `active` or `selected` marks the element among others. */
  readonly marked: boolean;
  /** Has a `tabindex`, which alone says little. */
  readonly focused: boolean;
  /** Named by other elements, through `aria-labelledby`. */
  readonly named: boolean;
  /** Never a mere wrapper: a segment, frame, image or slot. */
  readonly notable: boolean;
}

/** An element as the last snapshot reported it, and the inputs of that report outside of the element. */
export interface RecordedElement {
  /** The box in it may be older than `x`, `y`, `width` and `height`. */
  record: RawElement;
  x: number;
  y: number;
  width: number;
  height: number;
  inViewport: boolean;
  coveredBy: string | undefined;
  /**
   * Against the snapshot before: reported in full (`full`), only its position differs (`moved`), moved by
   * `dx` and `dy` (`shifted`), or unchanged.
   */
  change: "full" | "moved" | "shifted" | "none";
  dx: number;
  dy: number;
  snapshot: number;
  /** Number of the snapshot before `snapshot`. */
  previousSnapshot: number;
  at: number;
  readonly text: string;
  /** Value, form and labels as one text to compare. */
  readonly state: string;
  /** Icon and generated text, where nothing else names the element. */
  readonly visual: Visual | undefined;
}

/** A text that depends on the labels of fields. */
export interface CachedText {
  readonly text: string;
  /** Label change counter for which the text is valid. */
  readonly at: number;
}

export interface CachedElement {
  /** Value of `forgotten` when the entry was created; a different value makes the entry invalid. */
  readonly age: number;
  readonly element: Element;
  readonly tag: string;
  /** A live object of the browser: always current. */
  readonly style: CSSStyleDeclaration;
  /** The tag is inline by default. */
  readonly flows: boolean;
  /** Time and walk in which the element was first seen at its present place. */
  readonly born: number;
  readonly walk: number;
  /** Time of the last change in the element. */
  touched: number;
  /** `undefined` after an attribute has changed. */
  traits: Traits | undefined;
  /** Rendered children: elements, and texts with their spaces. `undefined` after a change. */
  parts: readonly (CachedElement | string)[] | undefined;
  hasTexts: boolean;
  /** There are elements among the parts. */
  hasChildren: boolean;
  root: ShadowRoot | null;
  readonly reading: Rendering;
  /** Whether the element was rendered in the last snapshot. */
  rendered: boolean;
  fingerprint: { readonly value: Fingerprint; readonly at: number } | undefined;
  recorded: RecordedElement | undefined;
  labels: CachedText | undefined;
  /** Accessible name without the element's own text. */
  name: (CachedText & { readonly touched: number }) | undefined;
  /** Whether nothing is painted for the element, with the time for which this holds. */
  bare: { readonly is: boolean; readonly at: number } | undefined;
  /** Value of a field in the last snapshot, secret fields included; never reported. */
  value: string;
  /** Number in the element registry; 0: not assigned yet. */
  id: number;
}
