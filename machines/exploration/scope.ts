/**
 * Which URLs a job explores, and what its site is called.
 *
 * A site is a host with its port, whatever the scheme, with a leading `www.` ignored. Its reference point is
 * the start URL after the start page's own redirects. URLs come in normalised (`url.ts`).
 */

/** The site of a normalised URL: `host[:port]` without a leading `www.`; two URLs of one site have the same. */
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

const MAX_ID_LENGTH = 100;

/** 32-bit FNV-1a over UTF-16 code units (hosts are ASCII), in hex; tells shortened names apart. */
function fingerprint(text: string): string {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, "0");
}

/**
 * The id that a map or a website gets by default: the site's name in the alphabet of ids
 * (`docs.example.com`, `localhost-8080`), at most 100 characters.
 */
export function siteId(url: string): string {
  const site = siteOf(url);
  const name = site.replace(/[^A-Za-z0-9._-]+/g, "-").replace(/^[^A-Za-z0-9]+/, "");
  // Where more is lost than the colon before the port (IPv6, very long names) a fingerprint keeps sites apart.
  if (name === site.replace(":", "-") && name.length <= MAX_ID_LENGTH) return name;
  const mark = fingerprint(site);
  return `${`site-${name}`.slice(0, MAX_ID_LENGTH - mark.length - 1)}-${mark}`;
}
