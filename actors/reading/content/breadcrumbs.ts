/**
 * Reads breadcrumbs: the path from the site's start page to the page, without the page itself.
 *
 * The source is schema.org's BreadcrumbList (JSON-LD or microdata). Without one, the links of an element that
 * a label, class or id marks as breadcrumbs are read.
 */
import { normaliseUrl, urlKey } from "../../../machines/exploration/crawl/normalise-url.ts";
import type { Crumb, StructuredValue } from "../../../machines/records/page-records.ts";
import type { HtmlDocument, HtmlElement } from "../parse/parse-html-document.ts";
import { collapse, cut, isInsideHidden, textOf } from "../parse/visible-text-of-html-element.ts";
import { isNode, type StructuredNode, typesOf } from "./structured-data.ts";

const NAME_LENGTH = 100;
const MAX_CRUMBS = 12;
const MARK = /bread-?_?crumb/i;

export interface CrumbSource {
  readonly document: HtmlDocument;
  readonly nodes: readonly StructuredNode[];
  readonly url: string;
  readonly base: string;
}

export function readBreadcrumbs(source: CrumbSource): readonly Crumb[] {
  const lists = source.nodes.filter((node) => typesOf(node).includes("BreadcrumbList"));
  // A page that can be reached by several paths has a list of breadcrumbs for each path. The longest list is
  // the most specific one, so it is used.
  const described = lists.map((list) => describedCrumbs(list, source)).sort((a, b) => b.length - a.length);
  return described.find((crumbs) => crumbs.length > 0) ?? visibleCrumbs(source);
}

function describedCrumbs(list: StructuredNode, { url, base }: CrumbSource): readonly Crumb[] {
  const written = list.itemListElement;
  const items = (Array.isArray(written) ? written : [written]).filter(isNode);
  const placed = items.map((item, at) => ({ item, position: Number(item.position ?? at + 1) }));
  placed.sort((a, b) => a.position - b.position);
  const crumbs = placed.flatMap(({ item }): Crumb[] => {
    const thing = isNode(item.item) ? item.item : undefined;
    const name = collapse(text(item.name) || text(thing?.name));
    const address =
      text(item.item) || text(thing?.["@id"]) || text(thing?.url) || text(item.url) || text(item["@id"]);
    return name === "" ? [] : [crumb(name, address, base)];
  });
  return withoutPage(crumbs, url);
}

function text(value: StructuredValue | undefined): string {
  return typeof value === "string" ? value : "";
}

function crumb(name: string, address: string, base: string): Crumb {
  return { name: cut(name, NAME_LENGTH), url: (address && normaliseUrl(address, base)) || null };
}

/** Removes the last breadcrumb when it is the page itself: it then has no URL, or the URL of the page. */
function withoutPage(crumbs: readonly Crumb[], url: string): readonly Crumb[] {
  const last = crumbs.at(-1);
  const isPage = last && (last.url === null || urlKey(last.url) === urlKey(url));
  return (isPage ? crumbs.slice(0, -1) : crumbs).slice(0, MAX_CRUMBS);
}

/** Returns the links of the first visible list of breadcrumbs. */
function visibleCrumbs({ document, url, base }: CrumbSource): readonly Crumb[] {
  const lists = new Map<HtmlElement, HtmlElement | null>();
  let list: HtmlElement | undefined;
  const crumbs: Crumb[] = [];
  for (const anchor of document.anchors) {
    const own = breadcrumbListOf(anchor.parent, lists);
    if (!own || (list && own !== list) || isInsideHidden(anchor)) continue;
    list = own;
    const name =
      textOf(anchor, NAME_LENGTH) || anchor.attributes["aria-label"] || anchor.attributes.title || "";
    if (name !== "") crumbs.push(crumb(name, anchor.attributes.href ?? "", base));
  }
  return withoutPage(crumbs, url);
}

/**
 * Returns the outermost of the element and its ancestors that is marked as breadcrumbs; `null` if none is
 * marked.
 *
 * @param known cache of the results, by element
 */
function breadcrumbListOf(
  element: HtmlElement | null,
  known: Map<HtmlElement, HtmlElement | null>,
): HtmlElement | null {
  if (element === null) return null;
  const before = known.get(element);
  if (before !== undefined) return before;
  const around = breadcrumbListOf(element.parent, known) ?? (isBreadcrumbList(element) ? element : null);
  known.set(element, around);
  return around;
}

function isBreadcrumbList({ tag, attributes }: HtmlElement): boolean {
  const { "aria-label": label, class: classes, id } = attributes;
  const hasMark = (text: string | undefined) => text !== undefined && MARK.test(text);
  return tag !== "body" && (hasMark(label) || hasMark(classes) || hasMark(id));
}
