/**
 * The way from a site's start to a page, as the page itself shows it: its breadcrumbs, without the page.
 *
 * What is written for machines (schema.org's BreadcrumbList, as JSON-LD or microdata) comes first, then a list that
 * is marked as breadcrumbs for people who do not see it, or by its class. Neighbour: `metadata.ts` keeps it.
 */
import { normaliseUrl, urlKey } from "../../../machines/exploration/normalise-url.ts";
import type { Crumb, StructuredValue } from "../../../machines/records.ts";
import type { HtmlDocument, HtmlElement } from "../parse/html-document.ts";
import { collapse, cut, isInsideHidden, textOf } from "../parse/text.ts";
import { isNode, type Node, typesOf } from "./structured-data.ts";

const NAME_LENGTH = 100;
const MOST_CRUMBS = 12;
const MARK = /bread-?_?crumb/i;

export interface CrumbSource {
  readonly document: HtmlDocument;
  readonly nodes: readonly Node[];
  readonly url: string;
  readonly base: string;
}

export function readBreadcrumbs(source: CrumbSource): readonly Crumb[] {
  const lists = source.nodes.filter((node) => typesOf(node).includes("BreadcrumbList"));
  // A page that stands in several places says so in several lists; the longest says most.
  const described = lists.map((list) => describedCrumbs(list, source)).sort((a, b) => b.length - a.length);
  return described.find((crumbs) => crumbs.length > 0) ?? shownCrumbs(source);
}

function describedCrumbs(list: Node, { url, base }: CrumbSource): readonly Crumb[] {
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

/** The last crumb is the page itself when it says so, or leads nowhere. */
function withoutPage(crumbs: readonly Crumb[], url: string): readonly Crumb[] {
  const last = crumbs.at(-1);
  const isPage = last && (last.url === null || urlKey(last.url) === urlKey(url));
  return (isPage ? crumbs.slice(0, -1) : crumbs).slice(0, MOST_CRUMBS);
}

/** The links of the first list of breadcrumbs that can be seen. */
function shownCrumbs({ document, url, base }: CrumbSource): readonly Crumb[] {
  const lists = new Map<HtmlElement, HtmlElement | null>();
  let list: HtmlElement | undefined;
  const crumbs: Crumb[] = [];
  for (const anchor of document.anchors) {
    const own = listAround(anchor.parent, lists);
    if (!own || (list && own !== list) || isInsideHidden(anchor)) continue;
    list = own;
    const name =
      textOf(anchor, NAME_LENGTH) || anchor.attributes["aria-label"] || anchor.attributes.title || "";
    if (name !== "") crumbs.push(crumb(name, anchor.attributes.href ?? "", base));
  }
  return withoutPage(crumbs, url);
}

/** The outermost element around that is marked as breadcrumbs; each element is looked at once. */
function listAround(
  element: HtmlElement | null,
  known: Map<HtmlElement, HtmlElement | null>,
): HtmlElement | null {
  if (element === null) return null;
  const before = known.get(element);
  if (before !== undefined) return before;
  const { attributes } = element;
  const mark = `${attributes["aria-label"] ?? ""} ${attributes.class ?? ""} ${attributes.id ?? ""}`;
  const around =
    listAround(element.parent, known) ?? (MARK.test(mark) && element.tag !== "body" ? element : null);
  known.set(element, around);
  return around;
}
