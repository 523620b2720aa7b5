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
/** Roles of the controls that scripts draw in place of a select. */
const DRAWN_ROLES = new Set(["combobox", "listbox", "textbox", "searchbox"]);

/**
 * The hidden selects of a page that are replaced by a drawn field. One element of each such pair is listed as a
 * control and stands for both.
 */
export class ReplacedSelects {
  /** The hidden selects that are listed as controls instead of their drawn fields, because they have the label. */
  readonly #listed = new Set<HtmlElement>();
  /** The controls that are not listed, because the other element of their pair stands for both. */
  readonly #omitted = new Set<HtmlElement>();
  /**
   * Maps each drawn control that is listed as a control to its hidden select, which is not listed. The label belongs
   * to these drawn controls (Tom Select, Radix UI).
   */
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
      // If the select has a label, it is listed. The drawn field may have a label with the same name, because
      // Choices.js and Slim Select copy it.
      if (labels.hasLabel(select) && labelled.every((one) => labels.nameOf(one) === name)) {
        this.#listed.add(select);
        for (const one of drawn.controls) this.#omitted.add(one);
      } else if (own && !labels.hasLabel(select)) {
        this.#selects.set(own, select);
        for (const one of [select, ...drawn.controls]) if (one !== own) this.#omitted.add(one);
      }
    }
  }

  /** Whether the element is a hidden select that is listed as a control instead of its drawn field. */
  isListed(element: HtmlElement): boolean {
    return this.#listed.has(element);
  }

  /** Whether the element is not listed as a control, because another element stands for it. */
  isOmitted(element: HtmlElement): boolean {
    return this.#omitted.has(element) || this.#dates.isOmitted(element);
  }

  /**
   * If an element is the first part of a date field with several parts, returns the name of this field; otherwise
   * `undefined`.
   */
  dateNameOf(element: HtmlElement): string | undefined {
    return this.#dates.nameOf(element);
  }

  /** Returns the hidden select that a drawn control replaces; `undefined` for other elements. */
  selectOf(element: HtmlElement): HtmlElement | undefined {
    return this.#selects.get(element);
  }
}

/**
 * Returns the button that opens a list in place of a select, if it is labelled and directly follows the hidden box
 * with this select (React Aria: Adobe Spectrum, KeystoneJS). The form only uses the select to send the value.
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

/** Whether an element is a hidden select, or one that the Tab key skips, while the elements around it are visible. */
function isOutOfUse(select: HtmlElement): boolean {
  const { tag, attributes, parent } = select;
  if (tag !== "select" || !(isHidden(select) || attributes.tabindex === "-1")) return false;
  return parent !== null && !isInsideHidden(parent);
}

interface DrawnField {
  readonly box: HtmlElement;
  readonly controls: readonly HtmlElement[];
}

/**
 * Returns the drawn field that replaces a hidden select: an element around the select, or else one beside it.
 * Returns `undefined` if there is none.
 */
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

/**
 * Whether a form sends the value of a control under a name of its own. Then the control is a field of its own, and
 * no part of a drawn field.
 */
function isSent({ tag, attributes }: HtmlElement): boolean {
  return /^(?:input|select|textarea)$/.test(tag) && (attributes.name ?? "") !== "";
}
