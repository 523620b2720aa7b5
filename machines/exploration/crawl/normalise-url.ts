/**
 * Normalises URLs (RFC 3986 §6.2) and computes the key by which duplicates are found. All code that stores or
 * compares URLs uses this module. The WHATWG parser does the parsing; tracking parameters, session ids,
 * fragments and percent-encoding are handled here.
 */
import { Refused } from "../../errors.ts";
import { readingLimits } from "../../reading/page-reading-limits.ts";
import {
  isIdleParameter,
  withoutAuthorizationAnswer,
  withoutPathSession,
  withoutPreviewToken,
} from "./tracking-parameters.ts";

const MAX_URL_LENGTH = readingLimits.urlLength;

/**
 * Returns the query of a URL without parameters that never select content, such as tracking ids. The other
 * parameters keep their order and spelling.
 */
function withoutIdle(search: string): string {
  const kept = withoutPreviewToken(withoutAuthorizationAnswer(search.slice(1).split("&"))).filter(
    (parameter) => parameter !== "" && !isIdleParameter(parameter),
  );
  return kept.length > 0 ? `?${kept.join("&")}` : "";
}

/**
 * Normalises percent-encoding by RFC 3986 §6.2.2.1 and §6.2.2.2: hex digits in upper case, unreserved
 * characters decoded, everything else unchanged.
 */
export function normalisePercentEncoding(text: string): string {
  if (!text.includes("%")) return text;
  return text.replace(/%([0-9a-fA-F]{2})/g, (_, hex: string) => {
    const character = String.fromCharCode(Number.parseInt(hex, 16));
    return /[A-Za-z0-9._~-]/.test(character) ? character : `%${hex.toUpperCase()}`;
  });
}

/** Matches a fragment that is a route of a single-page application: `#/orders`, `#!/orders`, `#!orders`. */
const ROUTE = /^#(?:\/|!\/?)(?!\/*$)/;

/** Whether a fragment is a route of a single-page application rather than a position on a page. */
export function isRoute(hash: string): boolean {
  return ROUTE.test(hash);
}

/** Returns the client-side route of a URL, starting with its `#`; empty without a route. */
export function routeOf(url: string): string {
  const hash = url.indexOf("#");
  return hash >= 0 && isRoute(url.slice(hash)) ? url.slice(hash) : "";
}

/**
 * The URL as it is fetched, stored and shown; `undefined` when it is not http(s), cannot be parsed, or is
 * longer than `readingLimits.urlLength`.
 *
 * Scheme and host are written in lower case, and the host in punycode. The default port, dot segments,
 * parameters that never select content, an empty query and the fragment are dropped; a fragment that is a
 * client-side route stays (see {@link isRoute}). Path case, parameter order and a trailing slash stay,
 * because servers may distinguish them. Credentials are dropped, because a map must not contain secrets.
 *
 * @param raw the URL as written in a page or header; white space around and inside it is ignored
 *
 * @param base absolute URL for a relative `raw`
 */
export function normaliseUrl(raw: string, base?: string): string | undefined {
  const hash = raw.indexOf("#");
  const route = hash >= 0 && isRoute(raw.slice(hash).trim()) ? raw.slice(hash) : "";
  const bare = hash < 0 ? raw : raw.slice(0, hash) + route;
  // Parsing shortens an address with many "../../", so this limit is a multiple of `MAX_URL_LENGTH`. A longer
  // address is refused without parsing, because no real address has this length.
  if (bare.length > 4 * MAX_URL_LENGTH) return undefined;
  const url = URL.parse(bare, base);
  if (!url || (url.protocol !== "http:" && url.protocol !== "https:")) return undefined;
  const search = url.search === "" ? "" : withoutIdle(url.search);
  const path = withoutPathSession(url.pathname);
  const normalised = normalisePercentEncoding(`${url.protocol}//${url.host}${path}${search}${url.hash}`);
  return normalised.length > MAX_URL_LENGTH ? undefined : normalised;
}

/**
 * Returns the key of a normalised URL. Two URLs with the same key are duplicates. The key has no trailing
 * slash, except for the root path, and its parameters are sorted by name. It is only for comparison and not a
 * valid address.
 */
export function urlKey(url: string): string {
  const route = url.indexOf("#");
  // A client-side route (`#/path?query`) contains a path and a query too. Both are normalised like the path
  // and the query of the URL.
  return route < 0 ? keyOf(url) : keyOf(url.slice(0, route)) + keyOf(url.slice(route));
}

function keyOf(address: string): string {
  const question = address.indexOf("?");
  if (question < 0) return withoutSlash(address);
  return withoutSlash(address.slice(0, question)) + sortedQuery(address.slice(question));
}

function withoutSlash(address: string): string {
  const end = address.length - 1;
  if (address.charCodeAt(end) !== 0x2f) return address;
  const pathStart = address.indexOf("/", address.indexOf("//") + 2);
  return pathStart < 0 || pathStart >= end ? address : address.slice(0, end);
}

function sortedQuery(query: string): string {
  if (!query.includes("&")) return query;
  const named = query
    .slice(1)
    .split("&")
    .map((parameter) => ({ parameter, name: parameter.split("=", 1)[0] ?? "" }));
  named.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  return `?${named.map(({ parameter }) => parameter).join("&")}`;
}

function refuse(message: string, given: string): Refused {
  return new Refused("exploration.bad_url", message, { details: { start_url: given.slice(0, 200) } });
}

/** Matches `host[:port][/…]` as a person types it, without a scheme. */
const BARE_HOST =
  /^(localhost|\[[0-9a-fA-F:.]+\]|[\p{L}\p{N}_-]+(\.[\p{L}\p{N}_-]+)+)(:\d{1,5})?([/?#]\S*)?$/u;

/**
 * Normalises a start URL that a person typed.
 *
 * @throws Refused `exploration.bad_url` (400) with the problem: no scheme, a scheme other than http(s),
 * credentials (a stored map must not contain them), too long, or not a URL.
 */
export function parseStartUrl(text: string): string {
  const given = text.trim();
  if (given === "")
    throw refuse("start_url is empty. Give the address of a page, such as https://example.com/.", given);
  if (BARE_HOST.test(given)) {
    throw refuse(
      `"${given.slice(0, 200)}" has no scheme. Did you mean https://${given.slice(0, 200)}?`,
      given,
    );
  }
  const url = URL.parse(given);
  if (!url) {
    throw refuse(
      `"${given.slice(0, 200)}" is not a URL. Give the full address of a page, such as https://example.com/.`,
      given,
    );
  }
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    throw refuse(
      `Only http and https can be explored; "${given.slice(0, 200)}" is ${url.protocol.slice(0, -1)}.`,
      given,
    );
  }
  if (url.username !== "" || url.password !== "") {
    // The message leaves out the address, because the address contains a password.
    throw refuse(
      "start_url holds a user name or password. Leave it out: it would be stored with every page.",
      "",
    );
  }
  const normalised = normaliseUrl(given);
  if (normalised === undefined) {
    throw refuse(
      `start_url is longer than ${MAX_URL_LENGTH} characters. Start from a shorter address.`,
      given,
    );
  }
  return normalised;
}
