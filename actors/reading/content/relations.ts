/**
 * Relations of a page to other pages: canonical URL, series, languages, feeds, refresh, nofollow.
 *
 * The sources are `link` and `meta` elements and the response headers (RFC 8288 for `Link`). They are not
 * clickable, so they do not become edges of the map; the crawl uses them as discoveries.
 */
import { normaliseUrl, routeOf, urlKey } from "../../../machines/exploration/normalise-url.ts";
import type { HtmlDocument, HtmlElement } from "../parse/html-document.ts";
import { withoutAnchor } from "./hash-routes.ts";

/** Response headers as sent; several headers of one name are joined with commas. */
export interface RelationHeaders {
  readonly link?: string | undefined;
  /** The `X-Robots-Tag` header. */
  readonly robots?: string | undefined;
}

export interface Relative {
  /** Normalised. */
  readonly url: string;
  readonly key: string;
  /**
   * The relation: next or previous page of a series, the page in another language, or the target of a delayed
   * refresh.
   */
  readonly rel: "next" | "prev" | "hreflang" | "refresh";
}

export interface PageRelations {
  /** The declared canonical URL if it differs from the page's; `undefined` if the page declares several. */
  readonly canonical: string | undefined;
  readonly relatives: readonly Relative[];
  /** RSS and Atom feeds. */
  readonly feeds: readonly string[];
  /** Target of an immediate `meta` refresh. */
  readonly refresh: string | undefined;
  /** True if no link of the page may be followed (`nofollow` or `none` in a robots `meta` or X-Robots-Tag). */
  readonly nofollow: boolean;
}

export const NO_RELATIONS: PageRelations = {
  canonical: undefined,
  relatives: [],
  feeds: [],
  refresh: undefined,
  nofollow: false,
};

/** A relation as written. */
interface WrittenRelation {
  readonly rel: readonly string[];
  readonly href: string;
  readonly type: string;
  readonly hreflang: boolean;
}

const FEED_TYPES = /^application\/(?:rss|atom|rdf)\+xml\b/i;
/** Characters of a header that are parsed; real headers are shorter. */
const HEADER_LENGTH = 8_192;

/**
 * @param url URL of the document
 * @param base base of relative URLs in the document; URLs in headers are resolved against `url`
 * @param robot product token of this crawler: rules addressed to other robots are ignored
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
  // A canonical URL is declared for the document, so it does not apply to its hash routes. A route may still
  // stand for a place on another route.
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

/** Parses `<a>; rel="next", <b>; rel=canonical` (RFC 8288 §3). */
function ofHeader(header: string): WrittenRelation[] {
  const found = header
    .slice(0, HEADER_LENGTH)
    .matchAll(/<([^<>]*)>((?:\s*;\s*[\w*-]+(?:\s*=\s*(?:"[^"]*"|[^\s;,"]*))?)*)/g);
  return Array.from(found, ([, href = "", parameters = ""]) => {
    const values = new Map<string, string>();
    for (const [, name = "", quoted, bare] of parameters.matchAll(
      /([\w*-]+)\s*=\s*(?:"([^"]*)"|([^\s;,"]*))/g,
    )) {
      // The first parameter of a name counts (§3.3).
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

/** Directives of `X-Robots-Tag` with a value after a colon, so that the name before the colon is not a robot's. */
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

/** Parses `<meta http-equiv="refresh" content="0; url=…">`. A refresh within a second is treated as a redirect. */
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
