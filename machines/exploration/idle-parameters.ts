/**
 * Parts of a URL that never say what is shown: where a visitor came from, and which session it is.
 *
 * `url.ts` drops them from every URL, so that one page has one address however often a server writes a new
 * session into its links. A name is listed here only when it cannot mean anything else; names that can
 * (`sid`, `session`, …) count only with a value that looks like nothing but a session's.
 */

/** Where a visitor came from. Compared in lower case; `utm_…` besides. */
const TRACKING: ReadonlySet<string> = new Set(
  (
    "gclid gclsrc gbraid wbraid dclid fbclid msclkid yclid ysclid twclid ttclid igshid igsh srsltid li_fat_id " +
    "mc_cid mc_eid mkt_tok vero_id oly_enc_id oly_anon_id _ga _gl _hsenc _hsmi __hstc __hssc __hsfp hsctatracking"
  ).split(" "),
);

/** Sessions of PHP, Java, ASP, ColdFusion and of shops and forums that name theirs. In lower case. */
const SESSION: ReadonlySet<string> = new Set(
  (
    "phpsessid jsessionid aspsessionid asp.net_sessionid cfid cftoken jservsessionid sessionid session_id " +
    "sess_id sessid oscsid zenid xtcsid viewsessionid jwsessionid"
  ).split(" "),
);

/** Names that mostly mean a session, and sometimes something of the site's own: the value has to look random. */
const MAYBE_SESSION: Readonly<Record<string, (value: string) => boolean>> = {
  sid: looksRandom,
  sess: looksRandom,
  session: looksRandom,
  // A search term by this name is common, and 24 hex digits are none.
  s: (value) => /^[0-9a-f]{24,}$/i.test(value),
};

/** Letters and digits mixed, as in no number and in hardly any word. */
function looksRandom(value: string): boolean {
  return /^[A-Za-z0-9_.-]{6,}$/.test(value) && /\d/.test(value) && /[A-Za-z]/.test(value);
}

/** Whether a parameter (`name=value`, as written) says nothing about what is shown. */
export function isIdleParameter(parameter: string): boolean {
  const equals = parameter.indexOf("=");
  const name = (equals < 0 ? parameter : parameter.slice(0, equals)).toLowerCase();
  if (name.startsWith("utm_") || TRACKING.has(name) || SESSION.has(name)) return true;
  if (name.startsWith("aspsessionid")) return true; // with letters of the server's choice behind it
  return equals > 0 && Object.hasOwn(MAYBE_SESSION, name)
    ? (MAYBE_SESSION[name]?.(parameter.slice(equals + 1)) ?? false)
    : false;
}

/** A path without the session that servlets write into it (`/cart;jsessionid=…`). */
export function withoutPathSession(path: string): string {
  return path.includes(";") ? path.replace(/;(?:jsessionid|phpsessid|sid)=[^/;]*/gi, "") : path;
}
