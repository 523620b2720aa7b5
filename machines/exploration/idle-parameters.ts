/**
 * URL parameters that never select content: tracking and session ids. They are dropped, so that one page has one
 * address. Ambiguous names (`sid`, `session`, …) count only with a random-looking value.
 */

/** Tracking parameters in lower case; `utm_…` in addition. */
const TRACKING: ReadonlySet<string> = new Set(
  (
    "gclid gclsrc gbraid wbraid dclid fbclid msclkid yclid ysclid twclid ttclid igshid igsh srsltid li_fat_id " +
    "mc_cid mc_eid mkt_tok vero_id oly_enc_id oly_anon_id _ga _gl _hsenc _hsmi __hstc __hssc __hsfp hsctatracking"
  ).split(" "),
);

/** Session parameters of PHP, Java, ASP, ColdFusion, shops and forums, in lower case. */
const SESSION: ReadonlySet<string> = new Set(
  (
    "phpsessid jsessionid aspsessionid asp.net_sessionid cfid cftoken jservsessionid sessionid session_id " +
    "sess_id sessid oscsid zenid xtcsid viewsessionid jwsessionid"
  ).split(" "),
);

/** Names that usually mean a session. The value must look random. */
const MAYBE_SESSION: Readonly<Record<string, (value: string) => boolean>> = {
  sid: isLikelyRandom,
  sess: isLikelyRandom,
  session: isLikelyRandom,
  // A search term under this name is common; 24 hex digits are none.
  s: (value) => /^[0-9a-f]{24,}$/i.test(value),
};

/** Mixed letters and digits, unlike numbers and most words. */
function isLikelyRandom(value: string): boolean {
  return /^[A-Za-z0-9_.-]{6,}$/.test(value) && /\d/.test(value) && /[A-Za-z]/.test(value);
}

/** Whether a parameter (`name=value`, as written) selects no content. */
export function isIdleParameter(parameter: string): boolean {
  const equals = parameter.indexOf("=");
  const name = (equals < 0 ? parameter : parameter.slice(0, equals)).toLowerCase();
  if (name.startsWith("utm_") || TRACKING.has(name) || SESSION.has(name)) return true;
  if (name.startsWith("aspsessionid")) return true; // The server adds letters of its own to the name.
  return equals > 0 && Object.hasOwn(MAYBE_SESSION, name)
    ? (MAYBE_SESSION[name]?.(parameter.slice(equals + 1)) ?? false)
    : false;
}

/** Removes the session that servlets write into the path (`/cart;jsessionid=…`). */
export function withoutPathSession(path: string): string {
  return path.includes(";") ? path.replace(/;(?:jsessionid|phpsessid|sid)=[^/;]*/gi, "") : path;
}
