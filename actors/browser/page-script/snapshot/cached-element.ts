/**
 * What is known of one element in the page. Neighbour: `notes.ts` keeps it for as long as nothing of the element changes.
 */
import type { SegmentType } from "../../../../machines/session/page-snapshot.ts";
import type { Fingerprint, Interaction } from "./describer.ts";
import type { RawElement } from "./raw-snapshot.ts";
import type { Rendering, Visual } from "./rendering-cache.ts";

/** What an element is by its tag and attributes. */
export interface Traits {
  readonly skipped: boolean;
  readonly kind: Interaction | undefined;
  readonly segment: SegmentType | undefined;
  /** 1 to 6 for headings, else 0. */
  readonly level: number;
  readonly inert: boolean;
  readonly frame: boolean;
  readonly image: boolean;
  /** May hide a closed root. */
  readonly custom: boolean;
  /** May hold a shadow root. */
  readonly host: boolean;
  /** Belongs to forms or has labels, which say more of it than its attributes do. */
  readonly field: boolean;
  /** What it holds is told to nobody. */
  readonly secret: boolean;
  /** To be looked at only: what is written in it names nothing around it. */
  readonly muted: boolean;
  /** How a column is sorted whose head it is. */
  readonly sort: string;
  /** A class of it marks it among others. */
  readonly marked: boolean;
  /** Scripts may put the focus on it, which alone says little of what it is. */
  readonly focused: boolean;
  /** Named by other elements. */
  readonly named: boolean;
  /** Says by itself whether it is operated: never a mere wrapper. */
  readonly notable: boolean;
}

/** An element as it was told in a look, where it is, and what that depends on beside the element itself. */
export interface RecordedElement {
  /** Its place in it may be an older one. */
  record: RawElement;
  x: number;
  y: number;
  width: number;
  height: number;
  inViewport: boolean;
  coveredBy: string | undefined;
  /** Against the look before: told anew, placed anew, only shifted by `dx` and `dy`, or as it was. */
  change: "anew" | "placed" | "shifted" | "none";
  dx: number;
  dy: number;
  snapshot: number;
  /** The look before that. */
  previousSnapshot: number;
  at: number;
  readonly text: string;
  /** What it holds, its form and labels. */
  readonly state: string;
  /** What was drawn on it, where nothing else names it. */
  readonly visual: Visual | undefined;
}

/** What the labels of a field say. */
export interface CachedText {
  readonly text: string;
  /** As long as labels were not found anew. */
  readonly at: number;
}

export interface CachedElement {
  /** How often everything had been forgotten when it was made: one from before a later time is none. */
  readonly age: number;
  readonly element: Element;
  readonly tag: string;
  /** Alive: always of now. */
  readonly style: CSSStyleDeclaration;
  /** By its tag it is in a line with the text around it. */
  readonly flows: boolean;
  /** Time and walk in which it was first seen since it came where it is. */
  readonly born: number;
  readonly walk: number;
  /** Time of the last change of it or in it. */
  touched: number;
  /** Nothing after an attribute changed. */
  traits: Traits | undefined;
  /** What is drawn in it: elements, and texts with the blanks around them; nothing after that changed. */
  parts: readonly (CachedElement | string)[] | undefined;
  hasTexts: boolean;
  /** Elements are among its parts. */
  hasChildren: boolean;
  root: ShadowRoot | null;
  readonly reading: Rendering;
  /** At the last look. */
  rendered: boolean;
  fingerprint: { readonly print: Fingerprint; readonly at: number } | undefined;
  recorded: RecordedElement | undefined;
  labels: CachedText | undefined;
  /** What it is called, without a text in it. */
  name: (CachedText & { readonly touched: number }) | undefined;
  /** Nothing of it is to be seen; of a time when nothing of it had changed since. */
  bare: { readonly is: boolean; readonly at: number } | undefined;
  /** What a field held at the last look, secret or not. */
  value: string;
  /** See `registry.ts`; 0: not asked for yet. */
  id: number;
}
