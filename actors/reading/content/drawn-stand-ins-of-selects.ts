/**
 * Finds the native selects that a script has hidden and replaced by a drawn field beside or around them (select2,
 * Chosen, Choices.js, Tom Select). The map lists such a pair as one field.
 */
import type { HtmlDocument, HtmlElement } from "../parse/parse-html-document.ts";
import { isHidden, isInsideHidden } from "../parse/visible-text-of-html-element.ts";
import { type Labels, roleOf } from "./describe-element-as-control.ts";
import { SplitDates } from "./split-date-fields-in-html.ts";

/**
 * Number of elements before and after a hidden select among which its drawn field is searched for. Choices.js
 * needs two.
 */
const MAX_SIBLINGS = 2;
/** Number of boxes around a hidden select that may be its drawn field. Choices.js needs two. */
const MAX_BOXES = 2;
/** Roles of the fields in a drawn field. */
const DRAWN_ROLES = new Set(["combobox", "listbox", "textbox", "searchbox"]);

/** The hidden selects of a page that have a drawn field, and the element of each pair that stands for both. */
export class ReplacedSelects {
  /** The hidden selects that stand for their drawn fields, because the label belongs to the select. */
  readonly #listed = new Set<HtmlElement>();
  /**
   * The controls that are left out, because another control stands for their pair of select and drawn field.
   */
  readonly #omitted = new Set<HtmlElement>();
  /** Drawn controls that stand for a hidden select, because the label belongs to them (Tom Select, Radix UI). */
  readonly #selects = new Map<HtmlElement, HtmlElement>();

  readonly #dates: SplitDates;

  constructor(document: HtmlDocument, labels: Labels) {
    this.#dates = new SplitDates(document, labels);
    const controls = new Set(document.controls);
    for (const select of document.controls) {
      const list = select.tag === "select" ? labelledListAfter(select, document, labels) : undefined;
      if (list) {
        this.#selects.set(list, select);
        this.#omitted.add(select);
        continue;
      }
      const drawn = isOutOfUse(select) ? drawnFieldOf(select, controls) : undefined;
      if (!drawn) continue;
      const labelled = drawn.controls.filter((one) => labels.hasLabel(one, drawn.box));
      const [own] = labelled;
      const name = labels.nameOf(select);
      // Choices.js and Slim Select copy the label of the select to the drawn field.
      if (labels.hasLabel(select) && labelled.every((one) => labels.nameOf(one) === name)) {
        this.#listed.add(select);
        for (const one of drawn.controls) this.#omitted.add(one);
      } else if (own && !labels.hasLabel(select)) {
        this.#selects.set(own, select);
        for (const one of [select, ...drawn.controls]) if (one !== own) this.#omitted.add(one);
      }
    }
  }

  /** Whether the element is a hidden select that stands for its drawn field. */
  isListed(element: HtmlElement): boolean {
    return this.#listed.has(element);
  }

  /** Whether another element stands for this one. */
  isOmitted(element: HtmlElement): boolean {
    return this.#omitted.has(element) || this.#dates.isOmitted(element);
  }

  /** Returns the name of the date field with several parts for which an element stands. */
  dateNameOf(element: HtmlElement): string | undefined {
    return this.#dates.nameOf(element);
  }

  /** Returns the hidden select for which a drawn control stands. */
  selectOf(element: HtmlElement): HtmlElement | undefined {
    return this.#selects.get(element);
  }
}

/**
 * Returns the labelled button that opens a list and follows the box with a hidden select, which only exists for the
 * form (React Aria: Adobe Spectrum, KeystoneJS).
 */
function labelledListAfter(
  select: HtmlElement,
  { controls }: HtmlDocument,
  labels: Labels,
): HtmlElement | undefined {
  let box: HtmlElement | null = select;
  for (let level = 0; box && level <= MAX_BOXES; level++, box = box.parent) {
    if (box.attributes["aria-hidden"] !== "true") continue;
    const siblings = (box.parent?.children ?? []).filter((child) => typeof child !== "string");
    const next = siblings[siblings.indexOf(box) + 1];
    return next && controls.includes(next) && labels.isLabelledList(next) ? next : undefined;
  }
  return undefined;
}

/** Whether an element is a select that a person cannot use, although its surroundings are visible. */
function isOutOfUse(select: HtmlElement): boolean {
  const { tag, attributes, parent } = select;
  if (tag !== "select" || !(isHidden(select) || attributes.tabindex === "-1")) return false;
  return parent !== null && !isInsideHidden(parent);
}

interface DrawnField {
  readonly box: HtmlElement;
  readonly controls: readonly HtmlElement[];
}

/** Returns the drawn field that replaces a hidden select. */
function drawnFieldOf(select: HtmlElement, controls: ReadonlySet<HtmlElement>): DrawnField | undefined {
  let box = select.parent;
  for (let level = 0; box && level < MAX_BOXES; level++, box = box.parent) {
    if (!DRAWN_ROLES.has(box.attributes.role ?? "")) continue;
    const own = controlsIn(box, controls).filter((one) => one !== select);
    return own.some(isSent) ? undefined : { box, controls: own };
  }
  const children = (select.parent?.children ?? []).filter((child) => typeof child !== "string");
  const at = children.indexOf(select);
  const after = children.slice(at + 1, at + 1 + MAX_SIBLINGS);
  const before = children.slice(Math.max(0, at - MAX_SIBLINGS), at).toReversed();
  for (const near of [...after, ...before]) {
    if (near.tag === "label") continue;
    const own = controlsIn(near, controls);
    if (own.some(isSent)) continue;
    if (own.some((one) => DRAWN_ROLES.has(roleOf(one)))) return { box: near, controls: own };
  }
  return undefined;
}

/** Returns the controls among an element and the elements in it. */
function controlsIn(box: HtmlElement, controls: ReadonlySet<HtmlElement>): readonly HtmlElement[] {
  const inner = box.children.flatMap((child) =>
    typeof child === "string" ? [] : controlsIn(child, controls),
  );
  return controls.has(box) ? [box, ...inner] : inner;
}

/** Whether a form sends the value of a control, so that the control is a field of its own. */
function isSent({ tag, attributes }: HtmlElement): boolean {
  return /^(?:input|select|textarea)$/.test(tag) && (attributes.name ?? "") !== "";
}
