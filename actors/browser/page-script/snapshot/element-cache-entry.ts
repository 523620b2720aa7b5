/** The entry of one element in the cache of snapshots. */
import type { SegmentType } from "../../../../machines/session/page/page-snapshot.ts";
import type { Rect } from "../actionability/element-geometry.ts";
import type { Fingerprint, Interaction } from "./describe-element.ts";
import type { RawElement } from "./raw-frame-snapshot.ts";
import type { PreparedText } from "./words-and-white-space-of-text.ts";

/** Cached style and box of one element. Each value is `undefined` until it is first read. */
export interface Rendering {
  /**
   * Number of style changes in the document at the time when the values were read. When the current number is
   * higher, the values are invalid.
   */
  styles: number;
  /**
   * Number of layout changes in the document at the time when the values were read. When the current number
   * is higher, the values are invalid.
   */
  boxes: number;
  seen: boolean | undefined;
  clear: boolean | undefined;
  cursor: Cursor | undefined;
  overflow: string | undefined;
  icons: boolean | undefined;
  display: string | undefined;
  flow: Flow | undefined;
  padded: boolean | undefined;
  drawn: Visual | undefined;
  rect: Rect | undefined;
  /** The element that covers this element; `null` when none covers it. */
  over: Element | null | undefined;
}

/**
 * What shows the purpose of an element without text: its icon, and the text that CSS generates (`::before`,
 * `::after`).
 */
export interface Visual {
  readonly generatedText: string;
  readonly icon: string;
  /**
   * The element's last change before the icon and the text were computed, by the cache's clock (a counter of
   * changes). After a later change, both are computed again.
   */
  readonly changedAt: number;
}

/**
 * How an element separates its text from the text around it. `none`: the element has no box. `line`: it
 * begins a line, as a block does. `word`: it separates words, as an inline block does. `inline`: it separates
 * words only if it has padding.
 */
export type Flow = "none" | "line" | "word" | "inline";

/** What the cursor over an element shows: `pointer` for clicking or dragging, `text` for typing. */
export type Cursor = "pointer" | "text" | "other";

/** Facts about an element that depend only on its tag and attributes. */
export interface Traits {
  readonly skipped: boolean;
  readonly kind: Interaction | undefined;
  readonly segment: SegmentType | undefined;
  /** Whether the element is a dialog, by role or tag. */
  readonly dialog: boolean;
  /** Heading level from 1 to 6; 0 for other elements. */
  readonly level: number;
  readonly inert: boolean;
  readonly frame: boolean;
  readonly image: boolean;
  /**
   * Whether the element is an `SVGElement`. The result is cached, because `instanceof` is slow for DOM nodes.
   */
  readonly svg: boolean;
  /** Whether the element is a custom element, which may have a closed shadow root. */
  readonly custom: boolean;
  /** Whether the element may have a shadow root. Other elements are not searched for one. */
  readonly host: boolean;
  /**
   * Whether the element is a form control or has labels. Such an element may change while its attributes stay
   * the same, for example when a user types.
   */
  readonly field: boolean;
  /** Whether the value of the field is never reported, because it is or was a password. */
  readonly secret: boolean;
  /**
   * Whether the element is hidden from assistive technology. The name of another element then does not
   * contain its text.
   */
  readonly muted: boolean;
  /** Sort order of the column that the element heads, from `aria-sort`. */
  readonly sort: string;
  /** Whether a class such as `active` or `selected` marks the element as the current one. */
  readonly marked: boolean;
  /**
   * Whether the element has the attribute `tabindex`. Elements without it are not checked for being one of
   * several focusable items.
   */
  readonly hasTabIndex: boolean;
  /** Whether the element's `aria-labelledby` refers to other elements, whose texts are its name. */
  readonly named: boolean;
  /**
   * True for segments (such as main or navigation), frames, images and `<slot>`s. Such an element is never
   * treated as a mere wrapper, even when it has no content.
   */
  readonly notable: boolean;
}

/**
 * The record of an element in the last snapshot, with the values from which it was built. If these values are
 * still the same, the next snapshot uses the record again.
 */
export interface RecordedElement {
  /**
   * The element's record when it was last built. The box in it may be outdated; the current box is in `x`,
   * `y`, `width` and `height`.
   */
  record: RawElement;
  x: number;
  y: number;
  width: number;
  height: number;
  inViewport: boolean;
  coveredBy: string | undefined;
  /**
   * How the element differs from the previous snapshot. `full`: the whole element is sent. `moved`: only its
   * new position is sent. `shifted`: it has moved by `dx` and `dy`. `none`: nothing is sent.
   */
  change: "full" | "moved" | "shifted" | "none";
  dx: number;
  dy: number;
  snapshot: number;
  /**
   * Number of the second-newest snapshot that contained the element. `snapshot` is the number of the newest.
   */
  previousSnapshot: number;
  at: number;
  readonly text: string;
  /**
   * The value, the form and the labels of the field as one text. When this text changes, the cached record of
   * the field is no longer valid.
   */
  readonly state: string;
  /**
   * The icon of the element, and its text from CSS (`::before`, `::after`). Both are read only when the
   * element has no other name.
   */
  readonly visual: Visual | undefined;
}

/** A cached text, such as an accessible name, that is computed from the labels of fields. */
export interface CachedText {
  readonly text: string;
  /**
   * Value of the counter `labelChanges` when the text was computed. The text is outdated when the counter has
   * increased.
   */
  readonly at: number;
}

export interface CachedElement {
  /**
   * Value of the cache's counter `forgotten` when this entry was created. If the counter is higher now, the
   * entry is invalid, because the whole cache was cleared in the meantime.
   */
  readonly age: number;
  readonly element: Element;
  readonly tag: string;
  /**
   * The computed style of the element. It is `undefined` until a snapshot first reads a style of the element,
   * because many elements never need it.
   */
  style: CSSStyleDeclaration | undefined;
  /** Whether elements with this tag are displayed inline by default. */
  readonly flows: boolean;
  /**
   * When the element was first seen with its current parent: `born` is the time by the cache's clock (a
   * counter of changes), and `walk` is the number of the traversal of the document.
   */
  readonly born: number;
  readonly walk: number;
  /**
   * Value of the cache's clock at the last change inside of the element. The clock counts changes, not time.
   */
  touched: number;
  /**
   * The facts that depend only on the element's tag and attributes. They are `undefined` after an attribute
   * has changed, until they are read again.
   */
  traits: Traits | undefined;
  /**
   * The rendered children: entries of elements, and texts with their white space. `undefined` if they must be
   * read again after a change.
   */
  parts: readonly (CachedElement | PreparedText)[] | undefined;
  hasTexts: boolean;
  /** Whether `parts` (the rendered children) contains at least one element. */
  hasChildren: boolean;
  root: ShadowRoot | null;
  /**
   * Whether the element has a click listener. The value is outdated when the registry's counter of changes
   * differs from `listensAt`.
   */
  listens: boolean;
  listensAt: number;
  readonly reading: Rendering;
  /** Whether the last snapshot found that the browser renders the element. */
  rendered: boolean;
  fingerprint: { readonly value: Fingerprint; readonly at: number } | undefined;
  recorded: RecordedElement | undefined;
  labels: CachedText | undefined;
  name: (CachedText & { readonly touched: number }) | undefined;
  /**
   * The result (`is`) of the last check whether the browser paints nothing for this element. The check is
   * repeated when `touched` (the time of the element's last change) differs from `at`.
   */
  bare: { readonly is: boolean; readonly at: number } | undefined;
  /**
   * The value of the field in the last snapshot, for comparison only. It may be a password, so it is never
   * reported.
   */
  value: string;
  /** Number by which the page script finds the element again; 0 if it has none yet. */
  id: number;
}
