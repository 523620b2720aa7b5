/** Identifies the `<form>` around an element, even if the form has neither an id nor a name. */
import type { HighlightedElement } from "./page-snapshot.ts";

/** Returns the XPath of the form that contains an element; `undefined` outside of forms. */
export function formPath({ xpath, frame }: HighlightedElement): string | undefined {
  const [path] = /^.*\/form(?:\[\d+\])?(?=\/)/u.exec(xpath) ?? [];
  return path === undefined ? undefined : [...frame, path].join(" ");
}
