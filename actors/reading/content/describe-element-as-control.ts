/**
 * Describes an element as a `Control` (machines/records/page-control-records.ts): role, name, locators and attributes.
 *
 * Names are computed as in accname 1.2, as far as this is possible without styles and scripts.
 */
import { readingLimits } from "../../../machines/reading/page-reading-limits.ts";
import {
  type Control,
  type FieldConstraints,
  KEPT_ATTRIBUTES,
} from "../../../machines/records/page-control-records.ts";
import { type AroundField, nameOfGroup } from "../../../machines/session/controls/field-names-in-groups.ts";
import { isLigature, isOfIconFont } from "../../../machines/session/controls/icon-font-ligatures.ts";
import { implicitRole } from "../../../machines/session/controls/implicit-aria-role.ts";
import type { Location } from "../parse/css-and-xpath-locators.ts";
import { LANDMARK_ROLES, LANDMARK_TAGS } from "../parse/html-tag-traits.ts";
import type { HtmlDocument, HtmlElement } from "../parse/parse-html-document.ts";
import { collapse, cut, textOf } from "../parse/visible-text-of-html-element.ts";
import { shownTextOf } from "./text-shown-in-component-slots.ts";

export const NAME_LENGTH = 200;
const VALUE_LENGTH = 300;

/** Returns the ARIA role: the `role` attribute, or else the implicit role of the tag. */
export function roleOf({ tag, attributes }: HtmlElement): string {
  const written = attributes.role?.trim().split(/\s+/)[0]?.toLowerCase();
  if (written) return written;
  const isList = attributes.multiple !== undefined || Number(attributes.size) > 1;
  const isEditable = attributes.contenteditable !== undefined;
  return implicitRole({ tag, type: attributes.type, isList, isEditable });
}

/** Returns the role of the nearest landmark that contains the element, such as `navigation`. */
export function landmarkOf(element: HtmlElement): string | undefined {
  for (let at = element.parent; at; at = at.parent) {
    const role = at.attributes.role;
    if (role !== undefined && LANDMARK_ROLES.has(role)) return role;
    const landmark = LANDMARK_TAGS[at.tag];
    if (landmark !== undefined) return landmark;
  }
  return undefined;
}

/** Computes accessible names, including those from `label` elements and `aria-labelledby`. */
export class Labels {
  readonly #byFor = new Map<string, HtmlElement[]>();
  readonly #document: HtmlDocument;
  #byId: Map<string, HtmlElement[]> | undefined;

  constructor(document: HtmlDocument) {
    this.#document = document;
    for (const label of document.labels) {
      const target = label.attributes.for;
      if (target === undefined) continue;
      const known = this.#byFor.get(target);
      if (known) known.push(label);
      else this.#byFor.set(target, [label]);
    }
  }

  nameOf(element: HtmlElement): string {
    const { tag, attributes } = element;
    const labelled = this.#labelledBy(element);
    if (labelled !== "") return labelled;
    const role = roleOf(element);
    // The text of an editable element is its value, and no name (ProseMirror, Quill, CodeMirror).
    const isField = /^(?:input|select|textarea)$/.test(tag) || /^(?:textbox|searchbox)$/.test(role);
    const candidates = [
      () => attributes["aria-label"],
      () =>
        isField
          ? this.#labelOf(element)
          : attributes.title && isIcon(element)
            ? undefined
            : shownTextOf(element, NAME_LENGTH),
      // The value of a button is its caption, so it is read. The values of other fields are not read, because
      // they may contain what a user has typed.
      () => (tag === "input" && role === "button" ? (attributes.value ?? attributes.alt) : undefined),
      // A button that is drawn as a radio button or checkbox has its name in a label or text beside it (Radix UI,
      // shadcn/ui, Headless UI).
      () => (!isField && isDrawnTick(role) ? (this.#labelOf(element) ?? textAroundTick(element)) : undefined),
      () => attributes.title,
      () => attributes.alt,
      () => attributes.placeholder,
      () => (tag === "input" && role === "button" ? attributes.type : undefined),
      () => attributes.name,
      () => tipOfBoxAround(element),
    ];
    for (const candidate of candidates) {
      const name = collapse(candidate() ?? "");
      if (name !== "") return cut(name, NAME_LENGTH);
    }
    return "";
  }

  /** Returns the texts of the elements to which `aria-labelledby` refers. */
  #labelledBy(element: HtmlElement): string {
    const parts = this.#namingElements(element).map(
      (found) => found.attributes["aria-label"]?.trim() || textOf(found, NAME_LENGTH),
    );
    return cut(collapse(parts.join(" ")), NAME_LENGTH);
  }

  /**
   * Returns the elements to which `aria-labelledby` refers. A list may refer to its label ("Audience") and to its
   * own value ("Everyone"); then only the label is returned (React Aria, Material UI, Headless UI).
   */
  #namingElements(element: HtmlElement): readonly HtmlElement[] {
    const ids = (element.attributes["aria-labelledby"] ?? "").split(/\s+/);
    const found = ids.flatMap((id) => (id === "" ? [] : (this.#find(id, element) ?? [])));
    const others = found.filter((one) => one !== element && !one.isInside(element));
    const isNamed = opensOptions(element) && others.some((one) => textOf(one, NAME_LENGTH) !== "");
    return isNamed ? others : found;
  }

  /**
   * Whether an element is a button that opens a list of options and gets its name from an element outside of it
   * (React Aria, Headless UI). Such a button is a field and no command.
   */
  isLabelledList(element: HtmlElement): boolean {
    if (roleOf(element) !== "button" || element.attributes["aria-haspopup"] !== "listbox") return false;
    const isOutside = (one: HtmlElement) => one !== element && !one.isInside(element);
    return this.#namingElements(element).some((one) => isOutside(one) && textOf(one, NAME_LENGTH) !== "");
  }

  /**
   * Returns the name of the `radiogroup` around a radio button that is drawn without an `input`; empty for other
   * elements.
   */
  radioGroupOf(element: HtmlElement): string {
    if (element.tag === "input" || roleOf(element) !== "radio") return "";
    for (let at = element.parent; at && at.tag !== "form"; at = at.parent)
      if (at.attributes.role === "radiogroup") return this.#ariaNameOf(at) || (this.groupOf(element) ?? "");
    return "";
  }

  /**
   * Whether a `<label>`, `aria-labelledby` or `aria-label` names a field.
   *
   * @param box an element around the field; labels inside of it do not count
   */
  hasLabel(element: HtmlElement, box = element): boolean {
    const { id, "aria-label": ariaLabel = "", "aria-labelledby": ids = "" } = element.attributes;
    const references = ids.split(/\s+/).map((one) => (one === "" ? undefined : this.#find(one, element)));
    const naming = [...references, ...(id === undefined ? [] : this.#labelsFor(id, element))];
    return (
      ariaLabel.trim() !== "" ||
      naming.some((one) => one && !one.isInside(box) && textOf(one, NAME_LENGTH) !== "")
    );
  }

  #ariaNameOf(element: HtmlElement): string {
    return this.#labelledBy(element) || cut(collapse(element.attributes["aria-label"] ?? ""), NAME_LENGTH);
  }

  /** Returns the name of the group of fields around a field, if it has one. */
  groupOf(element: HtmlElement): string | undefined {
    return nameOfGroup(this.#around(element));
  }

  *#around(element: HtmlElement): Generator<AroundField> {
    const text = (named: HtmlElement | undefined) => named && textOf(named, NAME_LENGTH);
    for (let at = element.parent; at; at = at.parent) {
      const group = at;
      const { id = "", role = "" } = group.attributes;
      yield {
        tag: group.tag,
        role,
        legend: () => text(group.children.find(isLegend)),
        label: () => text(this.#labelsFor(id, group)[0]),
        ariaName: () => this.#ariaNameOf(group),
      };
    }
  }

  #labelOf(element: HtmlElement): string | undefined {
    const id = element.attributes.id;
    // All labels of a field make up its name, as in browsers. So the name is the same as in a session's
    // snapshot.
    const labels = id === undefined ? [] : this.#labelsFor(id, element);
    // A label without a text, such as one around a drawn switch, names its field by its tooltip.
    const text = (label: HtmlElement) => textOf(label, NAME_LENGTH) || tooltipOf(label);
    if (labels.length > 0) return labels.map(text).join(" ");
    for (let at = element.parent; at; at = at.parent) if (at.tag === "label") return text(at);
    return undefined;
  }

  /**
   * Returns the labels that refer to an id. Only labels in the same shadow root as the element count, because an id
   * is only known there.
   */
  #labelsFor(id: string, element: HtmlElement): readonly HtmlElement[] {
    return (this.#byFor.get(id) ?? []).filter((label) => isInSameTree(label, element));
  }

  #find(id: string, element: HtmlElement): HtmlElement | undefined {
    if (!this.#byId) {
      const byId = new Map<string, HtmlElement[]>();
      const visit = (at: HtmlElement): void => {
        const { id: own } = at.attributes;
        const others = own === undefined ? undefined : byId.get(own);
        if (others) others.push(at);
        else if (own !== undefined) byId.set(own, [at]);
        for (const child of at.children) if (typeof child !== "string") visit(child);
      };
      visit(this.#document.html);
      this.#byId = byId;
    }
    return this.#byId.get(id)?.find((found) => isInSameTree(found, element));
  }
}

/** Whether two elements are in the same shadow root, or both in none. */
function isInSameTree(one: HtmlElement, other: HtmlElement): boolean {
  return hostOf(one) === hostOf(other);
}

/** Returns the host of the shadow root that contains an element; `null` for an element in none. */
function hostOf(element: HtmlElement): HtmlElement | null {
  let at: HtmlElement | null = element;
  while (at && !at.isInShadowRoot) at = at.parent;
  return at?.parent ?? null;
}

/**
 * Whether an element opens a list of options. The text of such an element is the selected value, and not its name.
 */
const opensOptions = (element: HtmlElement): boolean =>
  element.attributes["aria-haspopup"] === "listbox" ||
  (element.attributes.role === "combobox" && element.tag !== "input");

const isDrawnTick = (role: string): boolean => /^(?:radio|checkbox|switch)$/.test(role);

/** Number of boxes around a drawn radio button or checkbox that are searched for the text beside it. */
const TICK_BOXES = 2;

/** Whether an element is a table row. A tick that selects a row has no name of its own. */
const isRow = ({ tag, attributes }: HtmlElement): boolean => tag === "tr" || attributes.role === "row";

/**
 * Returns the text beside a radio button, checkbox or switch that is drawn without an `input`: the text of the
 * nearest box around it with a text. The search ends with `undefined` at a box that contains another control, and
 * at a table row.
 */
function textAroundTick(element: HtmlElement): string | undefined {
  let box = element.parent;
  for (let level = 0; box && !isRow(box) && level < TICK_BOXES; level++, box = box.parent) {
    if (hasOtherControl(box, element)) return undefined;
    const text = textOf(box, NAME_LENGTH).trim();
    if (text !== "") return text;
  }
  return undefined;
}

/** Whether an element contains a control that a person sees, apart from the given one. */
const hasOtherControl = (box: HtmlElement, element: HtmlElement): boolean =>
  box.children.some(
    (child) =>
      typeof child !== "string" &&
      child !== element &&
      ((/^(?:a|button|input|select|textarea)$/.test(child.tag) &&
        child.attributes["aria-hidden"] !== "true") ||
        isDrawnTick(child.attributes.role ?? "") ||
        hasOtherControl(child, element)),
  );

/**
 * Matches the tags of boxes whose tooltip may name the link or button in them. The snapshots of sessions use the
 * same tags.
 */
const TOOLTIP_BOX = /^(?:span|div)$/;

/**
 * Returns the name of the box around a link or button that only shows an icon, if the box contains nothing
 * else.
 */
function tipOfBoxAround({ tag, parent: box }: HtmlElement): string | undefined {
  if ((tag !== "a" && tag !== "button") || !box || !TOOLTIP_BOX.test(box.tag)) return undefined;
  const inner = box.children.filter((child) => typeof child !== "string");
  if (inner.length !== 1 || textOf(box, NAME_LENGTH).trim() !== "") return undefined;
  return box.attributes["aria-label"] || box.attributes.title;
}

/** Returns the tooltip of an element. A script of Bootstrap moves it to another attribute. */
const tooltipOf = ({ attributes }: HtmlElement): string =>
  attributes.title || attributes["data-original-title"] || attributes["data-bs-original-title"] || "";

/** Whether the text of an element is only the name of an icon that an icon font draws, such as `more_vert`. */
function isIcon(element: HtmlElement): boolean {
  const isOwn = (at: HtmlElement): boolean => {
    if (isOfIconFont(at.attributes.class ?? "")) return true;
    const inner = at.children.filter((child) => typeof child !== "string");
    return inner.length === 1 && inner.some(isOwn);
  };
  return isLigature(textOf(element, NAME_LENGTH)) && isOwn(element);
}

const isLegend = (child: HtmlElement | string): child is HtmlElement =>
  typeof child !== "string" && child.tag === "legend";

/**
 * Describes an element as a control.
 *
 * @param select the hidden select that the element replaces; the control gets the options and constraints of this
 * select
 */
export function controlOf(
  element: HtmlElement,
  name: string,
  { selector, xpath }: Location,
  select = element,
): Control {
  const attributes: Record<string, string> = { tag: element.tag };
  for (const key of KEPT_ATTRIBUTES) {
    const value = element.attributes[key];
    if (value !== undefined && value !== "") attributes[key] = cut(value, VALUE_LENGTH);
  }
  if (element.tag === "input" && element.attributes.readonly !== undefined) attributes.readonly = "readonly";
  const landmark = landmarkOf(element);
  if (landmark !== undefined) attributes.landmark = landmark;
  const constraints = constraintsOf(select);
  return {
    role: roleOf(element),
    name,
    selector,
    xpath,
    attributes,
    ...(constraints ? { constraints } : {}),
  };
}

/**
 * Maps the HTML attributes that restrict a field's value to the names of these restrictions in a `Control`.
 */
const CONSTRAINTS = {
  pattern: "pattern",
  min: "min",
  max: "max",
  minlength: "min_length",
  maxlength: "max_length",
  step: "step",
  accept: "accept",
} as const;
/** Maximum number of options of a list that are stored. */
const MOST_OPTIONS = 50;

function constraintsOf(element: HtmlElement): FieldConstraints | undefined {
  const { tag, attributes } = element;
  if (tag !== "input" && tag !== "select" && tag !== "textarea") return undefined;
  const constraints: { -readonly [Name in keyof FieldConstraints]: FieldConstraints[Name] } = {};
  if (attributes.required !== undefined || attributes["aria-required"] === "true")
    constraints.required = true;
  if (attributes.multiple !== undefined) constraints.multiple = true;
  for (const [written, name] of Object.entries(CONSTRAINTS) as [string, (typeof CONSTRAINTS)["min"]][]) {
    const value = attributes[written];
    if (value !== undefined && value !== "") constraints[name] = cut(value, VALUE_LENGTH);
  }
  if (tag === "select") constraints.options = optionsOf(element).slice(0, MOST_OPTIONS);
  // In a group of radio buttons, the required button and the selected button may be different ones. So whether it
  // has a value is read from every radio button. The value itself is not read.
  if ((constraints.required || attributes.type?.toLowerCase() === "radio") && hasValue(element))
    constraints.has_value = true;
  return Object.keys(constraints).length > 0 ? constraints : undefined;
}

/**
 * Whether a field has a value: a text, a check mark, or a selected option. Scripts may have set it in the browser (Vue,
 * Angular), or the HTML gives it.
 */
function hasValue(element: HtmlElement): boolean {
  const { tag, attributes } = element;
  if (attributes[readingLimits.filledMark] !== undefined) return true;
  if (tag === "textarea") return textOf(element, NAME_LENGTH).trim() !== "";
  if (tag === "input")
    return /^(?:checkbox|radio)$/i.test(attributes.type ?? "")
      ? attributes.checked !== undefined
      : (attributes.value ?? "") !== "";
  const options = optionElements(element);
  const isList = attributes.multiple !== undefined;
  const selected =
    options.find((option) => option.attributes.selected !== undefined) ??
    (isList ? undefined : options.find((option) => option.attributes.disabled === undefined));
  return selected !== undefined && (selected.attributes.value ?? textOf(selected, NAME_LENGTH).trim()) !== "";
}

function optionElements(element: HtmlElement): readonly HtmlElement[] {
  return element.children.flatMap((child): readonly HtmlElement[] => {
    if (typeof child === "string") return [];
    return child.tag === "option" ? [child] : optionElements(child);
  });
}

/** Returns the texts of a list's options, including those in option groups. */
function optionsOf(element: HtmlElement): readonly string[] {
  return optionElements(element).flatMap((option) => {
    const text = collapse(textOf(option, NAME_LENGTH));
    return text === "" ? [] : [text];
  });
}
