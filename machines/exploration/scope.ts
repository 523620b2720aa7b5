/**
 * Which URLs a job explores, and the name of its site: a host with its port, without scheme and leading
 * `www.`.
 * A link is *internal* when it belongs to the site; it is *followed* when scope and patterns allow it. The
 * start page
 * is always read.
 */
import { isWritingAddress } from "../risk/risk-classes.ts";
import type { ExplorationMode } from "./protocol.ts";
import { matchesPieces } from "./wildcard.ts";

/**
 * How much of a site: its `host`; its `subdomains`, that is every host under the registrable domain
 * (`example.co.uk` of `docs.example.co.uk`) on the same port; or the `path` of the start URL.
 */
export type ScopeKind = "host" | "subdomains" | "path";

export interface ScopeRules {
  readonly scope: ScopeKind;
  /** Patterns (see {@link isUrlPattern}). When there are any, only matching URLs are followed. */
  readonly include: readonly string[];
  /** URLs that match one of these patterns are never followed. */
  readonly exclude: readonly string[];
  /** Absent: `links`. */
  readonly mode?: ExplorationMode;
}

export interface Scope {
  /** Whether a normalised URL belongs to the site. */
  readonly isInternal: (url: string) => boolean;
  /** Whether the job follows the URL. Every followed URL is internal. */
  readonly follows: (url: string) => boolean;
}

/** The site of a normalised URL: `host[:port]` without a leading `www.`. */
export function siteOf(url: string): string {
  const start = url.indexOf("//") + 2;
  let end = start;
  while (end < url.length && !"/?#".includes(url.charAt(end))) end++;
  const host = url.slice(start, end);
  return host.startsWith("www.") && host.indexOf(".", 4) > 0 ? host.slice(4) : host;
}

/** Whether a normalised URL belongs to the site of another. */
export function sameSite(url: string, startUrl: string): boolean {
  return siteOf(url) === siteOf(startUrl);
}

/**
 * A pattern of a request: `*` matches anything, including slashes, and the whole text must match. A pattern
 * that starts with `/` is matched against path and query; one with `*`, `http://` or `https://` against the
 * URL.
 */
export function isUrlPattern(pattern: string): boolean {
  return /^(?:\/|\*|https?:\/\/)/.test(pattern) && !/[\s#]/.test(pattern);
}

function matcher(pattern: string): (url: string) => boolean {
  const pieces = pattern.split("*");
  if (!pattern.startsWith("/")) return (url) => matchesPieces(pieces, true, url);
  return (url) => matchesPieces(pieces, true, url.slice(url.indexOf("/", url.indexOf("//") + 2)));
}

function pathOf(url: string): string {
  return new URL(url).pathname;
}

/** The folder of a page: `/docs/` of `/docs/index.html`, and of `/docs` and `/docs/`. */
function folderOf(url: string): string {
  const path = pathOf(url);
  const slash = path.lastIndexOf("/");
  const last = path.slice(slash + 1);
  return last === "" || last.includes(".") ? path.slice(0, slash + 1) : `${path}/`;
}

function isUnder(url: string, folder: string): boolean {
  const path = pathOf(url);
  return path.startsWith(folder) || `${path}/` === folder;
}

/** Host and port: `["example.com", ":8080"]`. */
function hostAndPort(url: string): readonly [host: string, port: string] {
  const site = siteOf(url);
  const port = /:\d+$/.exec(site)?.[0] ?? "";
  return [site.slice(0, site.length - port.length), port];
}

/** The registrable domain of a host; `null` when it has none, such as an IP address. */
export type DomainOf = (host: string) => string | null;

function siteTest(kind: ScopeKind, reference: string, domainOf: DomainOf): (url: string) => boolean {
  const site = siteOf(reference);
  if (kind !== "subdomains") return (url) => siteOf(url) === site;
  const [host, port] = hostAndPort(reference);
  const domain = domainOf(host);
  if (domain === null) return (url) => siteOf(url) === site;
  return (url) => {
    const [other, otherPort] = hostAndPort(url);
    return otherPort === port && (other === domain || other.endsWith(`.${domain}`));
  };
}

/**
 * The scope of a job.
 *
 * @param startUrl the requested start URL, normalised
 * @param site the start page's address after redirects; `null` until it is known
 * @param domainOf used only for the scope `subdomains`
 */
export function scopeOf(
  { scope, include, exclude, mode = "links" }: ScopeRules,
  startUrl: string,
  site: string | null,
  domainOf: DomainOf = () => null,
): Scope {
  const reference = site ?? startUrl;
  const isInternal = siteTest(scope, reference, domainOf);
  const asked = folderOf(startUrl);
  // A start page that redirects out of its folder means the target's folder.
  const folder = isUnder(reference, asked) ? asked : folderOf(reference);
  const included = include.map(matcher);
  const excluded = exclude.map(matcher);
  return {
    isInternal,
    follows: (url) =>
      isInternal(url) &&
      (scope !== "path" || isUnder(url, folder)) &&
      (included.length === 0 || included.some((matches) => matches(url))) &&
      !excluded.some((matches) => matches(url)) &&
      // An exploration that presses may be signed in, and some applications delete by a link.
      (mode === "links" || !isWritingAddress(url)),
  };
}

const MAX_ID_LENGTH = 100;

/** 32-bit FNV-1a over UTF-16 code units (hosts are ASCII), in hex; distinguishes shortened names. */
function fingerprint(text: string): string {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, "0");
}

/**
 * The default id of a map or website: the site's name in the alphabet of ids (`docs.example.com`,
 * `localhost-8080`), at most 100 characters.
 */
export function siteId(url: string): string {
  const site = siteOf(url);
  const name = site.replace(/[^A-Za-z0-9._-]+/g, "-").replace(/^[^A-Za-z0-9]+/, "");
  // A fingerprint keeps sites apart whose name loses more than the colon before the port (IPv6, very long
  // names).
  if (name === site.replace(":", "-") && name.length <= MAX_ID_LENGTH) return name;
  const mark = fingerprint(site);
  return `${`site-${name}`.slice(0, MAX_ID_LENGTH - mark.length - 1)}-${mark}`;
}
