/**
 * Reads the relations of a page to other pages: canonical URL, series, languages, feeds, refresh and
 * `nofollow`.
 *
 * The sources are `link` and `meta` elements and response headers (RFC 8288 for `Link`). A user cannot click
 * them, so they become URLs of the crawl but not transitions of the map.
 */
import { normaliseUrl, routeOf, urlKey } from "../../../machines/exploration/crawl/normalise-url.ts";
import type { HtmlDocument, HtmlElement } from "../parse/parse-html-document.ts";
import { withoutAnchor } from "./client-side-routes-after-hash.ts";

/**
 * The headers of an HTTP response that describe relations of the page. Headers with the same name are joined
 * by commas.
 */
export interface RelationHeaders {
  readonly link?: string | undefined;
  /** The value of the response header `X-Robots-Tag`. */
  readonly robots?: string | undefined;
}

export interface Relative {
  /** The normalised URL of the related page. */
  readonly url: string;
  readonly key: string;
  /**
   * What the URL is for this page: the next or previous page of a series, the page in another language, or
   * the target of a delayed refresh.
   */
  readonly rel: "next" | "prev" | "hreflang" | "refresh";
}

export interface PageRelations {
  /**
   * The canonical URL, when it differs from the page's own URL. It is `undefined` when the page declares
   * several canonical URLs.
   */
  readonly canonical: string | undefined;
  readonly relatives: readonly Relative[];
  /** URLs of the RSS and Atom feeds that the page names. */
  readonly feeds: readonly string[];
  /** The URL to which an immediate `meta` refresh of the page leads. */
  readonly refresh: string | undefined;
  /**
   * Whether no link of the page may be followed (`nofollow` or `none` in a robots `meta` or in X-Robots-Tag).
   */
  readonly nofollow: boolean;
}

export const NO_RELATIONS: PageRelations = {
  canonical: undefined,
  relatives: [],
  feeds: [],
  refresh: undefined,
  nofollow: false,
};

/** A link relation with the URL as it is written in the page or header, before it is resolved. */
interface WrittenRelation {
  readonly rel: readonly string[];
  readonly href: string;
  readonly type: string;
  readonly hreflang: boolean;
}

const FEED_TYPES = /^application\/(?:rss|atom|rdf)\+xml\b/i;
/** Maximum number of characters that are parsed of a header. Real headers are shorter. */
const HEADER_LENGTH = 8_192;

/**
 * Returns the relations of a page to other pages.
 *
 * @param url URL of the document, against which URLs in headers are resolved
 *
 * @param base URL against which URLs in the document are resolved
 *
 * @param robot name of this crawler; rules for other robots are ignored
 */
export function readRelations(
  document: HtmlDocument,
  {
    url,
    base,
    headers,
    robot,
  }: {
    readonly url: string;
    readonly base: string;
    readonly headers: RelationHeaders;
    readonly robot: string;
  },
): PageRelations {
  const canonicals = new Set<string>();
  const relatives = new Map<string, Relative>();
  const feeds = new Set<string>();
  const own = urlKey(url);
  const relate = (target: string | undefined, rel: Relative["rel"]): void => {
    if (target === undefined) return;
    const key = urlKey(target);
    if (key !== own && !relatives.has(key)) relatives.set(key, { url: target, key, rel });
  };
  const take = ({ rel, href, type, hreflang }: WrittenRelation, from: string): void => {
    const target = normaliseUrl(href, from);
    if (target === undefined) return;
    if (rel.includes("canonical")) canonicals.add(target);
    if (rel.includes("next")) relate(target, "next");
    if (rel.includes("prev") || rel.includes("previous")) relate(target, "prev");
    if (!rel.includes("alternate") || rel.includes("stylesheet")) return;
    if (FEED_TYPES.test(type)) feeds.add(target);
    else if (hreflang) relate(target, "hreflang");
  };
  for (const named of ofHeader(headers.link ?? "")) take(named, url);
  for (const element of document.relations) take(ofElement(element), base);
  const refresh = refreshOf(document, base);
  if (refresh && !refresh.atOnce) relate(refresh.url, "refresh");
  const [named, another] = canonicals;
  const page = withoutAnchor(url, document);
  // All client-side routes of an application share one document and its canonical URL, so this URL says
  // nothing about a route. The canonical URL of a route is its own address without an anchor.
  const canonical = routeOf(url) === "" ? named : page === url ? undefined : page;
  return {
    canonical:
      canonical === undefined || another !== undefined || urlKey(canonical) === own ? undefined : canonical,
    relatives: [...relatives.values()],
    feeds: [...feeds],
    refresh: refresh?.atOnce ? refresh.url : undefined,
    nofollow: forbidsFollowing(document, headers.robots ?? "", robot),
  };
}

function tokens(text: string | undefined): string[] {
  return (text ?? "").toLowerCase().split(/\s+/).filter(Boolean);
}

function ofElement({ attributes }: HtmlElement): WrittenRelation {
  return {
    rel: tokens(attributes.rel),
    href: attributes.href ?? "",
    type: attributes.type ?? "",
    hreflang: attributes.hreflang !== undefined,
  };
}

/** Parses the value of a `Link` header such as `<a>; rel="next", <b>; rel=canonical` (RFC 8288 §3). */
function ofHeader(header: string): WrittenRelation[] {
  const found = header
    .slice(0, HEADER_LENGTH)
    .matchAll(/<([^<>]*)>((?:\s*;\s*[\w*-]+(?:\s*=\s*(?:"[^"]*"|[^\s;,"]*))?)*)/g);
  return Array.from(found, ([, href = "", parameters = ""]) => {
    const values = new Map<string, string>();
    for (const [, name = "", quoted, bare] of parameters.matchAll(
      /([\w*-]+)\s*=\s*(?:"([^"]*)"|([^\s;,"]*))/g,
    )) {
      // When a parameter occurs twice, the first one counts (RFC 8288 §3.3).
      if (!values.has(name.toLowerCase())) values.set(name.toLowerCase(), quoted ?? bare ?? "");
    }
    return {
      rel: tokens(values.get("rel")),
      href,
      type: values.get("type") ?? "",
      hreflang: values.has("hreflang"),
    };
  });
}

/**
 * Directives of `X-Robots-Tag` that have a value after a colon, such as `max-snippet: 20`. In all other
 * cases, the text before a colon is the name of a robot.
 */
const VALUED = new Set(["unavailable_after", "max-snippet", "max-image-preview", "max-video-preview"]);

function forbidsFollowing(document: HtmlDocument, header: string, robot: string): boolean {
  const forbids = (directive: string) => directive === "nofollow" || directive === "none";
  const ownToken = robot.toLowerCase();
  for (const { attributes } of document.metas) {
    const name = attributes.name?.trim().toLowerCase();
    if (name !== "robots" && name !== ownToken) continue;
    if (
      (attributes.content ?? "")
        .toLowerCase()
        .split(/[\s,]+/)
        .some(forbids)
    )
      return true;
  }
  let addressedTo = "";
  for (const part of header.slice(0, HEADER_LENGTH).toLowerCase().split(",")) {
    const [, name = "", rest = ""] = /^\s*([\w*-]+)\s*:(.*)$/.exec(part) ?? [];
    const names = name !== "" && !VALUED.has(name);
    if (names) addressedTo = name === "*" ? "" : name;
    if ((addressedTo === "" || addressedTo === ownToken) && forbids((names ? rest : part).trim()))
      return true;
  }
  return false;
}

/**
 * Parses `<meta http-equiv="refresh" content="0; url=…">`. A refresh within one second is treated as a
 * redirect.
 */
function refreshOf(
  document: HtmlDocument,
  base: string,
): { readonly url: string; readonly atOnce: boolean } | undefined {
  const meta = document.metas.find(
    ({ attributes, parent }) =>
      attributes["http-equiv"]?.toLowerCase() === "refresh" && parent?.tag !== "noscript",
  );
  const parts = /^\s*([\d.]+)\s*[;,]\s*(?:url\s*=\s*)?["']?([^"']+)["']?\s*$/i.exec(
    meta?.attributes.content ?? "",
  );
  const url = parts ? normaliseUrl(parts[2] ?? "", base) : undefined;
  return url === undefined ? undefined : { url, atOnce: Number(parts?.[1]) <= 1 };
}
