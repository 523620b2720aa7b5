/**
 * What a page says of other pages beside its links: where it really lives, what it belongs to, what not to follow.
 *
 * `link` elements, `meta` elements and the headers of the answer speak here (RFC 8288 for `Link`). None of these
 * is a link that a person can click, so none becomes an edge of the map; the crawl takes them as discoveries.
 * `page.ts` calls it; what is made of it is decided in actors/crawl.
 */
import { normaliseUrl, routeOf, urlKey } from "../../../machines/exploration/normalise-url.ts";
import type { HtmlDocument, HtmlElement } from "../parse/html-document.ts";
import { withoutAnchor } from "./hash-routes.ts";

/** What the headers of the answer add; as they were sent, several of one name joined with commas. */
export interface RelationHeaders {
  readonly link?: string | undefined;
  /** `X-Robots-Tag`. */
  readonly robots?: string | undefined;
}

export interface Relative {
  /** Normalised. */
  readonly url: string;
  readonly key: string;
  /** How the page names it: the next or previous of a series, itself in another language, where it leads in time. */
  readonly rel: "next" | "prev" | "hreflang" | "refresh";
}

export interface PageRelations {
  /** The address that the page gives as its own, when it is another; `undefined` too when it gives several. */
  readonly canonical: string | undefined;
  readonly relatives: readonly Relative[];
  /** RSS and Atom feeds. */
  readonly feeds: readonly string[];
  /** Where the page sends its visitor at once (`meta refresh`). */
  readonly refresh: string | undefined;
  /** None of its links are to be followed (`nofollow` or `none` of robots meta or X-Robots-Tag). */
  readonly nofollow: boolean;
}

export const NO_RELATIONS: PageRelations = {
  canonical: undefined,
  relatives: [],
  feeds: [],
  refresh: undefined,
  nofollow: false,
};

/** A relation as it is written. */
interface Named {
  readonly rel: readonly string[];
  readonly href: string;
  readonly type: string;
  readonly hreflang: boolean;
}

const FEED_TYPES = /^application\/(?:rss|atom|rdf)\+xml\b/i;
/** Longer headers are cut: no page has a use for them. */
const HEADER_LENGTH = 8_192;

/**
 * @param url where the document was found
 * @param base what relative addresses in it are resolved against; those of headers are resolved against `url`
 * @param robot our own product token: rules for other robots are not ours
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
  const take = ({ rel, href, type, hreflang }: Named, from: string): void => {
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
  // A document's own canonical address says nothing of the routes in it, but a route may lead to a place on another.
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

function ofElement({ attributes }: HtmlElement): Named {
  return {
    rel: tokens(attributes.rel),
    href: attributes.href ?? "",
    type: attributes.type ?? "",
    hreflang: attributes.hreflang !== undefined,
  };
}

/** `<a>; rel="next", <b>; rel=canonical` (RFC 8288 §3). */
function ofHeader(header: string): Named[] {
  const found = header
    .slice(0, HEADER_LENGTH)
    .matchAll(/<([^<>]*)>((?:\s*;\s*[\w*-]+(?:\s*=\s*(?:"[^"]*"|[^\s;,"]*))?)*)/g);
  return Array.from(found, ([, href = "", parameters = ""]) => {
    const values = new Map<string, string>();
    for (const [, name = "", quoted, bare] of parameters.matchAll(
      /([\w*-]+)\s*=\s*(?:"([^"]*)"|([^\s;,"]*))/g,
    )) {
      // The first of a name counts (§3.3).
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

/** Directives of `X-Robots-Tag` that have a value of their own after a colon, and so name no robot. */
const VALUED = new Set(["unavailable_after", "max-snippet", "max-image-preview", "max-video-preview"]);

function forbidsFollowing(document: HtmlDocument, header: string, robot: string): boolean {
  const forbids = (directive: string) => directive === "nofollow" || directive === "none";
  const us = robot.toLowerCase();
  for (const { attributes } of document.metas) {
    const name = attributes.name?.trim().toLowerCase();
    if (name !== "robots" && name !== us) continue;
    if (
      (attributes.content ?? "")
        .toLowerCase()
        .split(/[\s,]+/)
        .some(forbids)
    )
      return true;
  }
  let speaksTo = "";
  for (const part of header.slice(0, HEADER_LENGTH).toLowerCase().split(",")) {
    const [, name = "", rest = ""] = /^\s*([\w*-]+)\s*:(.*)$/.exec(part) ?? [];
    const names = name !== "" && !VALUED.has(name);
    if (names) speaksTo = name === "*" ? "" : name;
    if ((speaksTo === "" || speaksTo === us) && forbids((names ? rest : part).trim())) return true;
  }
  return false;
}

/** `<meta http-equiv="refresh" content="0; url=…">`; one that acts within a second is as good as a redirect. */
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
