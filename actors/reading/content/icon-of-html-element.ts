/** Reads the name of the icon that an element of a page shows, from its HTML alone. */
import { ICON_NAME_ATTRIBUTES } from "../../../machines/session/controls/attributes-with-icon-name.ts";
import { isLigature, isOfIconFont } from "../../../machines/session/controls/icon-font-ligatures.ts";
import type { HtmlElement } from "../parse/parse-html-document.ts";

/** Maximum number of an element's descendants that are searched for an icon. */
const MAX_PARTS = 12;
/** Matches the class of an icon in an icon font, and captures its name: `fa-save`, `mdi-content-save`, `ti-check`. */
const ICON_CLASS = /^(?:fa|mdi|bi|ti|ri|la|ph|pi|icon|lucide|glyphicon|tabler-icon)-([a-z][a-z-]*)$/;

/** Returns the name of the icon in words, such as `content save`; empty if no name is known. */
export function iconOf(element: HtmlElement): string {
  const parts = [element, ...descendantsOf(element, MAX_PARTS)];
  for (const part of parts) {
    const name = nameIn(part);
    if (name !== "")
      return (
        name
          .split(":")
          .at(-1)
          ?.replace(/[-_\s]+/g, " ")
          .toLowerCase() ?? ""
      );
  }
  return "";
}

function nameIn({ tag, attributes, children }: HtmlElement): string {
  const named = tag === "ion-icon" ? [...ICON_NAME_ATTRIBUTES, "name"] : ICON_NAME_ATTRIBUTES;
  for (const key of named) if (attributes[key]) return attributes[key];
  const classes = attributes.class ?? "";
  const text = children.length === 1 && typeof children[0] === "string" ? children[0].trim() : "";
  if (isOfIconFont(classes) && isLigature(text)) return text;
  for (const one of classes.split(/\s+/)) {
    const [, name] = ICON_CLASS.exec(one) ?? [];
    if (name !== undefined) return name;
  }
  return "";
}

function descendantsOf(element: HtmlElement, most: number): readonly HtmlElement[] {
  const found: HtmlElement[] = [];
  const visit = (at: HtmlElement): void => {
    for (const child of at.children) {
      if (typeof child === "string" || found.length >= most) continue;
      found.push(child);
      visit(child);
    }
  };
  visit(element);
  return found;
}
