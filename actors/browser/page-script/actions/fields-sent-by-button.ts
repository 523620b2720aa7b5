/**
 * Finds the fields that a button sends without a `<form>` around it, such as those of a dialog, and reports whether
 * the page still shows them.
 */
import { registry } from "../page-script-document-state.ts";
import { deepElements, isSeen, isWithin, OPAQUE, shorten } from "../shadow-dom.ts";
import { describer, identity } from "../world-bundle-modules-for-actions-bundle.ts";
import { formOf, labelOf, MARKED, type RefusedField, refusedField } from "./form-submission.ts";

/** A button outside of any `<form>`, and the fields that it sends. */
export interface ButtonFields {
  /** The name of the dialog around the fields, or else the words of the button. */
  readonly name: string;
  /** The typed texts of the fields, without passwords. */
  readonly texts: readonly string[];
}

/** What the page shows after the button was pressed. */
export interface ButtonFieldsShown {
  /** Whether the page still shows the fields, also if it has drawn them again as other elements. */
  readonly isShown: boolean;
  /** Fields that the page marks as invalid. */
  readonly marked: readonly RefusedField[];
}

export interface FieldsSentByButton {
  /**
   * Returns the fields that a button sends. Returns `null` if the element is no button, if it is in another form
   * than the given one, or if no element around it has a visible field. The other functions of this module are
   * about the fields that the last call has found.
   *
   * @param button `null` for a form that has no button
   * @param form the form whose fields the button sends. Without it, the button sends the fields around it.
   */
  find(button: number | null, form?: number): ButtonFields | null;
  shown(): ButtonFieldsShown;
  /** Whether the visible texts outside of the box with the fields have changed since `find` was called. */
  isPageChanged(): boolean;
}

interface Found {
  readonly box: Element;
  readonly fields: readonly Element[];
  readonly labels: readonly string[];
  readonly page: string;
}

const BUTTON = "button,input[type=button],input[type=submit],[role=button],a:not([href])";
const DIALOG = "dialog,[role=dialog],[role=alertdialog]";
const FIELD = "input,textarea,select,[contenteditable=true],[role=combobox],[role=textbox]";
const NO_FIELD = "[type=hidden],[type=submit],[type=button],[type=reset],[type=image]";
const HEADING = "h1,h2,h3,h4,h5,h6,[role=heading]";
/** Maximum number of characters of the name of a dialog. */
const MAX_NAME = 80;

let found: Found | undefined;

const visibleFields = (root: Document | Element): readonly Element[] =>
  [...deepElements(root)].filter(
    (element) => element.matches(FIELD) && !element.matches(NO_FIELD) && isSeen(element),
  );

/** Returns the dialog around a button, or else the smallest element around it that has a field. */
const boxOf = (button: Element): Element | undefined => {
  let smallest: Element | undefined;
  for (let up = registry.parentOf(button); up; up = registry.parentOf(up)) {
    if (!smallest && visibleFields(up).length > 0) smallest = up;
    if (smallest && up.matches(DIALOG)) return up;
  }
  return smallest;
};

const nameOf = (box: Element, button: Element): string => {
  const [title] = box.ariaLabelledByElements ?? [];
  const heading = title ?? [...deepElements(box)].find((element) => element.matches(HEADING));
  const words = box.getAttribute("aria-label") ?? (heading ? describer.wordsOf(heading) : "");
  return shorten(words.trim() || describer.wordsOf(button) || "form", MAX_NAME);
};

const labelsOf = (fields: readonly Element[]): readonly string[] =>
  fields.map(labelOf).filter((label) => label !== "");

const textOf = (field: Element): string => {
  if (registry.isSecret(field)) return "";
  if (field instanceof HTMLTextAreaElement) return field.value.trim();
  if (field instanceof HTMLInputElement)
    return /^(?:checkbox|radio|password|file|range|color)$/.test(field.type) ? "" : field.value.trim();
  return field.matches("[contenteditable=true]") ? (field.textContent ?? "").trim() : "";
};

/** Returns the visible texts of the document outside of the element. */
const textsOutside = (box: Element): string => {
  const texts: string[] = [];
  for (const element of deepElements(document.body)) {
    const own = [...element.childNodes].filter((node) => node instanceof Text && node.data.trim() !== "");
    if (own.length === 0 || element.matches("script,style,template")) continue;
    if (isWithin(element, box) || !element.checkVisibility(OPAQUE)) continue;
    texts.push(...own.map((node) => (node.nodeValue ?? "").trim()));
  }
  return texts.join("\n");
};

/** Returns the elements in which a page may have drawn the fields again. */
const placesOf = ({ box }: Found): readonly (Document | Element)[] => {
  if (box.isConnected) return [box];
  return box.matches(DIALOG)
    ? [...deepElements(document)].filter((element) => element.matches(DIALOG))
    : [document];
};

/** Returns the visible fields, also if the page has drawn them again; empty if it does not show them any more. */
const fieldsShown = (group: Found): readonly Element[] => {
  const { fields, labels } = group;
  const places = placesOf(group).map(visibleFields);
  if (fields.some((field) => field.isConnected && isSeen(field))) return places.flat();
  const again = places.find((own) => {
    const now = new Set(labelsOf(own));
    return labels.length > 0 && labels.every((label) => now.has(label));
  });
  return again ?? [];
};

export const fieldsSentByButton: FieldsSentByButton = {
  find(id, form) {
    const button = id === null ? undefined : identity.find(id);
    found = undefined;
    const given = form === undefined ? undefined : identity.find(form);
    const around = button && formOf(button);
    if (id !== null && (!button?.matches(BUTTON) || (around && around !== given))) return null;
    const box = form === undefined ? button && boxOf(button) : given;
    if (!box) return null;
    const fields = visibleFields(box);
    found = { box, fields, labels: labelsOf(fields), page: textsOutside(box) };
    return { name: nameOf(box, button ?? box), texts: fields.map(textOf).filter((text) => text !== "") };
  },

  shown() {
    const fields = found ? fieldsShown(found) : [];
    const marked = fields.filter((field) => field.matches(MARKED)).map(refusedField);
    return { isShown: fields.length > 0, marked };
  },

  isPageChanged() {
    return found !== undefined && textsOutside(found.box) !== found.page;
  },
};
