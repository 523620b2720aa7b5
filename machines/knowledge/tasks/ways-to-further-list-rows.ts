/**
 * Finds how to reach the rows that a list does not show: its search box, and its next page. Searching and paging change
 * no data.
 */

import { nameOf } from "../../session/page/element-line.ts";
import { formPath } from "../../session/page/form-of-element.ts";
import type { HighlightedElement } from "../../session/page/page-snapshot.ts";
import type { SessionPage } from "../../session/page/session-page-links-and-forms.ts";
import { isSameList } from "../addresses/page-address-parts.ts";

/** Matches the name of a search field. */
const SEARCH =
  /(?<!\p{L})(?:search|filter|find|suche?n?|filtern|rechercher?|filtrer|buscar?|filtrar|cerca|filtra|zoek(?:en)?|q)(?!\p{L})/iu;
/** Matches the name of a field that searches for something and adds it to the list. */
const ADDS =
  /(?<!\p{L})(?:add|invite|assign|hinzufügen|einladen|zuweisen|ajouter|inviter|añadir|agregar|invitar|aggiungi|invita|toevoegen)(?!\p{L})/iu;
/** Matches the name of a control that shows the next page of a list. "Next month" does not. */
const NEXT =
  /^(?:(?:go to (?:the )?)?next(?: page)?|nächste(?: seite)?|(?:page )?suivante?|(?:página )?siguiente|(?:pagina )?successiva|volgende(?: pagina)?|chevron[ _-]?right|[›»→>])(?:\s*[›»→>])?$/iu;
/**
 * Matches the XPath of an element in the navigation, header, footer or side bar, where the search of the
 * whole site usually is.
 */
const AROUND = /\/(?:nav|header|footer|aside)\b/;

type Elements = readonly HighlightedElement[];

/**
 * Returns the only field by which a list is searched; `undefined` if there is none or several. Fields in
 * headers and side bars, and fields of forms that are sent by POST are left out. So are fields such as
 * "Search for a user to add" and fields with suggestions, because they may add what is typed.
 */
export function searchFieldOf(
  elements: Elements,
  { controls }: Pick<SessionPage, "controls">,
): HighlightedElement | undefined {
  const fields = elements.filter((element) => {
    const { interactionType, type, role, disabled, covered, xpath, attributes, placeholder } = element;
    if (interactionType !== "input" || disabled === true || covered !== undefined) return false;
    if (AROUND.test(xpath) || !/^(?:search|text|)$/.test(type)) return false;
    const names = [nameOf(element), placeholder ?? "", attributes.name ?? "", attributes.title ?? ""];
    if (type !== "search" && role !== "searchbox" && !names.some((name) => SEARCH.test(name))) return false;
    if (role === "combobox" || names.some((name) => ADDS.test(name))) return false;
    if (formPath(element) === undefined) return true;
    const forms = controls.forms.filter((one) => one.fields.includes(attributes.name ?? ""));
    return forms.length > 0 && forms.every(({ method }) => method === "get" || method === "");
  });
  const [only, further] = fields;
  return further === undefined ? only : undefined;
}

/**
 * Returns the address of the next page of a list. If there is no link "Next", returns the address of the link with
 * the lowest page number that was not read yet; `undefined` if there is no such link.
 */
export function nextPageAddress(
  { url, links }: Pick<SessionPage, "url" | "links">,
  read: ReadonlySet<string>,
): string | undefined {
  const further = links.filter((link) => isFurther(link.url, url) && !read.has(link.url));
  const named = further.find(
    ({ text, control }) =>
      control.attributes.rel === "next" || [text, control.name].some((name) => NEXT.test(name.trim())),
  );
  if (named) return named.url;
  const numbered = further
    .flatMap((link) => (/^\d+$/.test(link.text.trim()) ? [{ url: link.url, number: Number(link.text) }] : []))
    .filter(({ number }) => number > 1)
    .sort((a, b) => a.number - b.number);
  return numbered[0]?.url;
}

/**
 * Returns the button that shows the next page of a list. Of several, it is the last one, because the same button may
 * be above and below the list.
 */
export function nextPageButton(elements: Elements): HighlightedElement | undefined {
  return elements.findLast((element) => {
    const { tagName, role, disabled, covered, attributes } = element;
    const isButton = (tagName === "button" || role === "button") && attributes.href === undefined;
    if (!isButton || covered !== undefined || formPath(element) !== undefined || disabled === true)
      return false;
    return [nameOf(element), attributes.title ?? "", attributes["aria-label"] ?? ""].some((name) =>
      NEXT.test(name.trim()),
    );
  });
}

/** Whether an address is that of the same list, on another page: only the query or the end of the path differs. */
function isFurther(address: string, list: string): boolean {
  const [one, other] = [URL.parse(address), URL.parse(list)];
  if (!one || !other || one.href === other.href || one.origin !== other.origin) return false;
  const path = (url: URL): string => url.pathname.replace(/(?:\/page)?\/\d+\/?$/u, "").replace(/\/$/u, "");
  return isSameList(address, list) || (path(one) === path(other) && one.pathname !== other.pathname);
}
