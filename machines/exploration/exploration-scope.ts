/**
 * Decides which URLs a job explores, and names its site: the host with its port, without a leading `www.`. A
 * link is *internal* when it belongs to the site, and *followed* when scope and patterns allow it. The start
 * page is always read, even outside the scope.
 */
import { isCommandPage } from "../risk/manual-pages-named-after-commands.ts";
import { isWritingAddress, isWritingAddressOfSession } from "../risk/risk-classes.ts";
import { matchesPieces } from "./crawl/wildcard-match.ts";
import type { ScopeKind, ScopeRules } from "./exploration-request.ts";

export interface Scope {
  /** Whether a normalised URL belongs to the site. */
  readonly isInternal: (url: string) => boolean;
  /** Whether the job follows links to the URL. A URL that is followed is also internal. */
  readonly follows: (url: string) => boolean;
  /**
   * Like `follows`, but for a URL that is known to be a page of a manual. A signed-in job then also follows a
   * page that is named after a command, such as `/docs/cli/enable`.
   */
  readonly followsInManual: (url: string) => boolean;
}

/** The site of a normalised URL: `host[:port]` without a leading `www.`. */
export function siteOf(url: string): string {
  const start = url.indexOf("//") + 2;
  let end = start;
  while (end < url.length && !"/?#".includes(url.charAt(end))) end++;
  const host = url.slice(start, end);
  return host.startsWith("www.") && host.indexOf(".", 4) > 0 ? host.slice(4) : host;
}

/** Whether two normalised URLs belong to the same site. */
export function sameSite(url: string, startUrl: string): boolean {
  return siteOf(url) === siteOf(startUrl);
}

function matcher(pattern: string): (url: string) => boolean {
  const pieces = pattern.split("*");
  if (!pattern.startsWith("/")) return (url) => matchesPieces(pieces, true, url);
  return (url) => matchesPieces(pieces, true, url.slice(url.indexOf("/", url.indexOf("//") + 2)));
}

function pathOf(url: string): string {
  return new URL(url).pathname;
}

/** Returns the folder of a page. It is `/docs/` for `/docs/index.html`, `/docs` and `/docs/`. */
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

/**
 * Returns the host and the port of a URL, such as `["example.com", ":8080"]`. The port is empty if the URL
 * has none.
 */
function hostAndPort(url: string): readonly [host: string, port: string] {
  const site = siteOf(url);
  const port = /:\d+$/.exec(site)?.[0] ?? "";
  return [site.slice(0, site.length - port.length), port];
}

/** Returns the registrable domain of a host; `null` when it has none, such as an IP address. */
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
 * Builds the scope of a job.
 *
 * @param startUrl the requested start URL, normalised
 *
 * @param site the start page's address after redirects; `null` until it is known
 *
 * @param domainOf returns the registrable domain of a host; used only for the scope `subdomains`
 */
export function scopeOf(
  { scope, include, exclude, mode = "links", login }: ScopeRules,
  startUrl: string,
  site: string | null,
  domainOf: DomainOf = () => null,
): Scope {
  const reference = site ?? startUrl;
  const isInternal = siteTest(scope, reference, domainOf);
  const asked = folderOf(startUrl);
  // If the start page redirects to another folder, the folder of the target is the scope.
  const folder = isUnder(reference, asked) ? asked : folderOf(reference);
  const included = include.map(matcher);
  const excluded = exclude.map(matcher);
  // Some applications delete data when a link is opened. An exploration that is signed in or presses controls does
  // not follow a link if its address names a change of data. The browser would block the request, and the address
  // would only use up a page of `max_pages`.
  const isWriting =
    login !== undefined ? isWritingAddressOfSession : mode === "links" ? () => false : isWritingAddress;
  const isRequested = (url: string): boolean =>
    isInternal(url) &&
    (scope !== "path" || isUnder(url, folder)) &&
    (included.length === 0 || included.some((matches) => matches(url))) &&
    !excluded.some((matches) => matches(url));
  return {
    isInternal,
    follows: (url) => isRequested(url) && !isWriting(url),
    followsInManual: (url) => isRequested(url) && (!isWriting(url) || isCommandPage(url)),
  };
}

const MAX_ID_LENGTH = 100;

/** Returns the 32-bit FNV-1a hash over UTF-16 code units, in hex. The hash keeps shortened names distinct. */
function fingerprint(text: string): string {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, "0");
}

/**
 * Returns the default id of a map or website: the name of the site, limited to the characters that ids allow
 * and to 100 characters (`docs.example.com`, `localhost-8080`).
 */
export function siteId(url: string): string {
  const site = siteOf(url);
  const name = site.replace(/[^A-Za-z0-9._-]+/g, "-").replace(/^[^A-Za-z0-9]+/, "");
  // The name is unique if only the colon before the port was replaced. In any other case, such as an IPv6
  // address or a very long name, a hash is added, so that different sites have different ids.
  if (name === site.replace(":", "-") && name.length <= MAX_ID_LENGTH) return name;
  const mark = fingerprint(site);
  return `${`site-${name}`.slice(0, MAX_ID_LENGTH - mark.length - 1)}-${mark}`;
}
