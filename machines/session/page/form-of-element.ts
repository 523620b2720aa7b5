/** Identifies the `<form>` around an element, even if the form has neither an id nor a name. */
import type { HighlightedElement } from "./page-snapshot.ts";

/** Returns the XPath of the form that contains an element; `undefined` outside of forms. */
export function formPath({ xpath, frame }: HighlightedElement): string | undefined {
  const [path] = /^.*\/form(?:\[\d+\])?(?=\/)/u.exec(xpath) ?? [];
  return path === undefined ? undefined : [...frame, path].join(" ");
}

/**
 * Whether an element belongs to the form around a field. A button outside of its form, such as one in the
 * footer of a dialog, names the form's id in its attribute `form`.
 */
export function isOfFormAround(field: HighlightedElement, element: HighlightedElement): boolean {
  if (formPath(field) === undefined) return false;
  if (formPath(element) === formPath(field)) return true;
  const isInFrame = element.frame.join(" ") === field.frame.join(" ");
  return isInFrame && field.formId !== undefined && element.formId === field.formId;
}
