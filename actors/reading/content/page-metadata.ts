/**
 * Reads the metadata of a page: description, authors, dates, site, image, structured data.
 *
 * When sources disagree, JSON-LD and microdata about this page come first, then cards and `meta` elements,
 * then visible elements (`time`, `rel=author`). A page that describes several articles, such as the front
 * page of a blog, has no date.
 */
import { normaliseUrl, urlKey } from "../../../machines/exploration/crawl/normalise-url.ts";
import type { PageMetadata, PageTable, StructuredValue } from "../../../machines/records/page-records.ts";
import type { HtmlDocument, HtmlElement } from "../parse/parse-html-document.ts";
import { collapse, cut, isInsideHidden, textOf } from "../parse/visible-text-of-html-element.ts";
import { readBreadcrumbs } from "./breadcrumbs.ts";
import { readDate } from "./page-date-parser.ts";
import { isNode, nodesOf, readStructured, type StructuredNode, typesOf } from "./structured-data.ts";

const DESCRIPTION_LENGTH = 500;
const NAME_LENGTH = 100;
const MAX_AUTHORS = 10;

const DESCRIPTION = [
  "description",
  "og:description",
  "twitter:description",
  "dc.description",
  "dcterms.description",
];
const AUTHOR = [
  "author",
  "article:author",
  "dc.creator",
  "dcterms.creator",
  "citation_author",
  "parsely-author",
  "sailthru.author",
];
const SITE = ["og:site_name", "application-name", "apple-mobile-web-app-title"];
const IMAGE = ["og:image:secure_url", "og:image:url", "og:image", "twitter:image", "twitter:image:src"];
const PUBLISHED = [
  "article:published_time",
  "og:article:published_time",
  "datepublished",
  "dc.date.issued",
  "dcterms.issued",
  "dc.date.created",
  "dcterms.created",
  "citation_publication_date",
  "citation_date",
  "parsely-pub-date",
  "sailthru.date",
  "pubdate",
  "publish-date",
  "publish_date",
  "publication_date",
  "dc.date",
  "dcterms.date",
  "date",
];
const MODIFIED = [
  "article:modified_time",
  "og:updated_time",
  "datemodified",
  "dcterms.modified",
  "dc.date.modified",
  "last-modified",
  "last_modified",
  "revised",
];

/**
 * Types of schema.org items that describe parts or surroundings of the page, such as its breadcrumbs or its
 * site, but not the page itself.
 */
const ACCOMPANYING_TYPES = new Set(
  "WebSite Organization Corporation NewsMediaOrganization Person BreadcrumbList ListItem ImageObject SearchAction SiteNavigationElement WPHeader WPFooter WPSideBar".split(
    " ",
  ),
);
const ARTICLE = /(?:Article|Posting|Report|Recipe|Review|VideoObject|Course|Book|ScholarlyArticle)$/;

/**
 * The `meta` elements of a page. Each content is stored by the lower-case value of `property`, `name` or
 * `http-equiv`.
 */
export class Metas {
  readonly #contents = new Map<string, string[]>();

  constructor(document: HtmlDocument) {
    for (const { attributes } of document.metas) {
      const name = attributes.property ?? attributes.name ?? attributes["http-equiv"];
      const content = attributes.content;
      if (name === undefined || content === undefined || content === "") continue;
      const key = name.toLowerCase();
      const known = this.#contents.get(key);
      if (known) known.push(content);
      else this.#contents.set(key, [content]);
    }
  }

  all(name: string): readonly string[] {
    return this.#contents.get(name) ?? [];
  }

  /**
   * Returns the first content of a `meta` element with one of these names that is not empty. Names that come
   * first are preferred.
   */
  first(...names: readonly string[]): string {
    for (const name of names) {
      for (const content of this.all(name)) {
        const text = collapse(content);
        if (text !== "") return text;
      }
    }
    return "";
  }
}

/** Returns the structured items that describe the page itself, the most specific first. */
function subjectsOf(nodes: readonly StructuredNode[], url: string): readonly StructuredNode[] {
  const articles = nodes.filter((node) => typesOf(node).some((type) => ARTICLE.test(type)));
  const own = articles.length > 1 ? articles.filter((node) => isAbout(node, url)) : articles;
  const pages = nodes.filter((node) => typesOf(node).some((type) => /Page$/.test(type)));
  const others = nodes.filter((node) => {
    if (articles.includes(node) || pages.includes(node)) return false;
    return !typesOf(node).some((type) => ACCOMPANYING_TYPES.has(type));
  });
  return [...own, ...pages, ...(others.length === 1 ? others : [])];
}

function isAbout(node: StructuredNode, url: string): boolean {
  const main = node.mainEntityOfPage;
  const names = [node.url, node["@id"], main, isNode(main) ? (main["@id"] ?? main.url) : undefined];
  return names.some((name) => {
    const written = typeof name === "string" ? normaliseUrl(name, url) : undefined;
    return written !== undefined && urlKey(written) === urlKey(url);
  });
}

/**
 * Returns all names in the value of a structured property. The value may be a text, an item that has a name,
 * or a list of such values.
 */
function namesOf(value: StructuredValue | undefined, known: readonly StructuredNode[], depth = 0): string[] {
  if (typeof value === "string") return [value];
  if (depth > 3 || value === undefined || typeof value !== "object") return [];
  if (Array.isArray(value)) return value.flatMap((part) => namesOf(part, known, depth + 1));
  if (!isNode(value)) return [];
  if (value.name !== undefined) return namesOf(value.name, known, depth + 1);
  const id = value["@id"];
  const meant =
    typeof id === "string" ? known.find((node) => node["@id"] === id && node !== value) : undefined;
  return meant?.name === undefined ? [] : namesOf(meant.name, known, depth + 1);
}

function addressesOf(value: StructuredValue | undefined, depth = 0): string[] {
  if (typeof value === "string") return [value];
  if (depth > 3 || value === undefined || typeof value !== "object") return [];
  if (Array.isArray(value)) return value.flatMap((part) => addressesOf(part, depth + 1));
  return isNode(value) ? addressesOf(value.url ?? value.contentUrl ?? value["@id"], depth + 1) : [];
}

/** Removes duplicates, and values that are not names of people, such as URLs and account names. */
function people(names: readonly string[]): string[] {
  const found = new Map<string, string>();
  for (const name of names) {
    const text = collapse(name).replace(/^by\s+/i, "");
    if (text === "" || text.length > NAME_LENGTH || /^(?:https?:|www\.|@|\/)/.test(text)) continue;
    if (found.size < MAX_AUTHORS && !found.has(text.toLowerCase())) found.set(text.toLowerCase(), text);
  }
  return [...found.values()];
}

function firstOf<Value>(...candidates: readonly (() => Value | undefined)[]): Value | undefined {
  for (const candidate of candidates) {
    const value = candidate();
    if (value !== undefined) return value;
  }
  return undefined;
}

function textsOf(nodes: readonly StructuredNode[], property: string): string[] {
  return nodes.flatMap((node) => {
    const value = node[property];
    return typeof value === "string" ? [value] : [];
  });
}

export interface MetadataSource {
  readonly document: HtmlDocument;
  readonly metas: Metas;
  /** The element that contains the main content. */
  readonly content: HtmlElement;
  /** The URL of the page. */
  readonly url: string;
  /** The base URL for the relative URLs of the page. */
  readonly base: string;
  /** The current time in milliseconds since the epoch. */
  readonly now: number;
  readonly images: PageMetadata["images"];
  readonly tables: readonly PageTable[];
}

export function readMetadata(source: MetadataSource): PageMetadata {
  const { document, metas, base, url, now, images, tables } = source;
  const structured = readStructured(document);
  const nodes = nodesOf(structured);
  const subjects = subjectsOf(nodes, url);
  const date = (written: readonly string[]): string | undefined =>
    firstOf(...written.map((text) => () => readDate(text, now)));
  const named = (names: readonly string[]): string | undefined =>
    date(names.flatMap((name) => metas.all(name)));
  const published =
    date(textsOf(subjects, "datePublished")) ??
    named(PUBLISHED) ??
    visibleDate(
      source,
      /(?:^|[\s_-])(?:dt-published|published|pubdate|entry-date|post-date)(?:$|[\s_-])/,
      true,
    );
  const modified =
    date(textsOf(subjects, "dateModified")) ??
    named(MODIFIED) ??
    visibleDate(source, /(?:^|[\s_-])(?:dt-updated|updated|modified)(?:$|[\s_-])/, false);
  return {
    description:
      cut(
        metas.first(...DESCRIPTION) || collapse(textsOf(subjects, "description")[0] ?? ""),
        DESCRIPTION_LENGTH,
      ) || null,
    authors: authorsOf(source, nodes, subjects),
    site_name: cut(metas.first(...SITE) || siteOf(nodes, subjects), NAME_LENGTH) || null,
    published_at: published ?? null,
    // A modification date before the publication date is dropped. One of the two dates is wrong, and most
    // likely it is the modification date.
    modified_at:
      modified === undefined || (published !== undefined && modified.slice(0, 10) < published.slice(0, 10))
        ? null
        : modified,
    image:
      firstOf(
        ...[
          ...IMAGE.flatMap((name) => metas.all(name)),
          ...subjects.flatMap((node) => addressesOf(node.image)),
        ].map((written) => () => normaliseUrl(written, base)),
      ) ?? null,
    images,
    tables,
    breadcrumbs: readBreadcrumbs({ document, nodes, url, base }),
    structured,
  };
}

function authorsOf(
  { document, metas }: MetadataSource,
  nodes: readonly StructuredNode[],
  subjects: readonly StructuredNode[],
): string[] {
  const described = people(subjects.flatMap((node) => namesOf(node.author ?? node.creator, nodes)));
  if (described.length > 0) return described;
  for (const name of AUTHOR) {
    const written = people(metas.all(name));
    if (written.length > 0) return written;
  }
  const linked = document.anchors.filter(({ attributes }) =>
    /(?:^|\s)author(?:\s|$)/i.test(attributes.rel ?? ""),
  );
  return people(linked.slice(0, MAX_AUTHORS).map((anchor) => textOf(anchor, NAME_LENGTH)));
}

function siteOf(nodes: readonly StructuredNode[], subjects: readonly StructuredNode[]): string {
  const site = nodes.find((node) => typesOf(node).includes("WebSite"));
  const publishers = subjects.flatMap((node) => namesOf(node.publisher, nodes));
  return collapse((site && namesOf(site.name, nodes)[0]) ?? publishers[0] ?? "");
}

/**
 * Returns the date of a `time` element with a class that matches `kind`, such as "published".
 *
 * @param only whether a single `time` element in the content counts without such a class
 */
function visibleDate(
  { document, content, now }: MetadataSource,
  kind: RegExp,
  only: boolean,
): string | undefined {
  const dates = new Set<string>();
  for (const element of document.times.slice(0, 50)) {
    const date = readDate(element.attributes.datetime ?? textOf(element, NAME_LENGTH), now);
    if (date === undefined || isInsideHidden(element)) continue;
    const { attributes } = element;
    if (attributes.pubdate !== undefined ? only : kind.test(attributes.class ?? "")) return date;
    if (element.isInside(content)) dates.add(date);
  }
  const [first] = dates;
  return only && dates.size === 1 ? first : undefined;
}
