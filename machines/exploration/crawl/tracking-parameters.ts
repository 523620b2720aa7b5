/**
 * URL parameters that never select content, such as tracking and session ids. They are removed, so that each
 * page has a single address. An ambiguous name (`sid`, `session`) is removed only if its value looks random.
 */

/** Tracking parameters in lower case. All names that start with `utm_` are tracking parameters too. */
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

/**
 * Parameters with a token against forged requests, in lower case. The token is different in each session, and
 * a page is the same without it. Plone adds it to links, and forms of Django and Rails with the method GET
 * send it.
 */
const FORGERY_TOKENS: ReadonlySet<string> = new Set(
  "_authenticator csrfmiddlewaretoken authenticity_token".split(" "),
);

/**
 * Names of parameters that usually contain a session id, each with a function that checks whether the value
 * looks like one.
 */
const MAYBE_SESSION: Readonly<Record<string, (value: string) => boolean>> = {
  sid: isLikelyRandom,
  sess: isLikelyRandom,
  session: isLikelyRandom,
  // The parameter `s` usually contains a search term. With at least 24 hex digits, it is a session id.
  s: (value) => /^[0-9a-f]{24,}$/i.test(value),
};

/**
 * Parameters whose value is a time in milliseconds. They only keep a browser from showing an answer from its cache:
 * `_` of jQuery (`cache: false`), `_dc` of Ext JS, `v` of Ghost's view of its own site.
 */
const FRESHNESS = /^(?:_|_dc|v|cb|nocache|_t|_ts)=1\d{12}$/i;

/** Whether a text mixes letters and digits. Numbers and most words do not. */
function isLikelyRandom(value: string): boolean {
  return /^[A-Za-z0-9_.-]{6,}$/.test(value) && /\d/.test(value) && /[A-Za-z]/.test(value);
}

/**
 * Whether a parameter, such as a tracking id, has no influence on the content of a page.
 *
 * @param parameter as written in the URL: `name=value`
 */
export function isIdleParameter(parameter: string): boolean {
  const equals = parameter.indexOf("=");
  const name = (equals < 0 ? parameter : parameter.slice(0, equals)).toLowerCase();
  if (name.startsWith("utm_") || TRACKING.has(name) || SESSION.has(name) || FORGERY_TOKENS.has(name))
    return true;
  if (FRESHNESS.test(parameter)) return true;
  // ASP appends random letters to the name of this parameter.
  if (name.startsWith("aspsessionid")) return true;
  return equals > 0 && Object.hasOwn(MAYBE_SESSION, name)
    ? (MAYBE_SESSION[name]?.(parameter.slice(equals + 1)) ?? false)
    : false;
}

/**
 * Parameters with which an authorization server sends the browser back to an application (RFC 6749, RFC 9207,
 * OpenID Connect). An address with them is not visited: the code is secret and can be used only once.
 */
const AUTHORIZATION_ANSWER = /^(?:code|state|session_state|iss)=/i;
/** Minimum length of an authorization code. Shorter codes, such as `code=AT&state=open`, select content. */
const MIN_CODE_LENGTH = 16;
/**
 * Minimum length of the parameter `state`, which an application sends to an authorization server. It must
 * also contain letters and digits.
 */
const MIN_STATE_LENGTH = 8;
/** Parameters that only an authorization server adds, beside a code and a state. */
const OF_SERVER = /^(?:session_state|iss)=./i;

/** Removes the answer of an authorization server from the parameters of a URL. */
export function withoutAuthorizationAnswer(parameters: readonly string[]): readonly string[] {
  const code = valueOfParameter(parameters, "code");
  const state = valueOfParameter(parameters, "state");
  // Without digits, the parameter `state` is only a word, as in `code=SUMMER2026SALE20&state=open`. Such
  // parameters select content, and are no answer of an authorization server.
  const isState = state.length >= MIN_STATE_LENGTH && /\d/.test(state) && /[A-Za-z]/.test(state);
  const isAnswer =
    code.length >= MIN_CODE_LENGTH &&
    isLikelyRandom(code) &&
    (isState || (state !== "" && parameters.some((parameter) => OF_SERVER.test(parameter))));
  return isAnswer ? parameters.filter((parameter) => !AUTHORIZATION_ANSWER.test(parameter)) : parameters;
}

/**
 * Matches a parameter with the token of a preview, in which an editor shows the pages of a site with changes that are not
 * saved: `customize_changeset_uuid` of WordPress, `x-craft-live-preview` of Craft CMS, `live-preview` of Statamic.
 */
const PREVIEW_TOKEN =
  /^(?=[^=]*(?:live[-_]?preview|preview[-_](?:token|key|session|uuid)|changeset[-_]uuid)=)([a-z]+)[\w-]*=(?=[^=]*\d)[\w-]{16,}$/i;

/**
 * Removes the token of a preview from the parameters of a URL, with the other parameters whose names start with the same
 * word. Each preview has a new token, and its links lead to all pages of the site again.
 */
export function withoutPreviewToken(parameters: readonly string[]): readonly string[] {
  const words = parameters.flatMap((parameter) => PREVIEW_TOKEN.exec(parameter)?.[1] ?? []);
  if (words.length === 0) return parameters;
  const start = new RegExp(`^(?:${words.join("|")})[-_]`, "i");
  return parameters.filter((parameter) => !start.test(parameter) && !PREVIEW_TOKEN.test(parameter));
}

function valueOfParameter(parameters: readonly string[], name: string): string {
  const start = `${name}=`;
  const found = parameters.find((parameter) => parameter.toLowerCase().startsWith(start));
  return found?.slice(start.length) ?? "";
}

/** Removes the session id that Java servlets write into the path (`/cart;jsessionid=…`). */
export function withoutPathSession(path: string): string {
  return path.includes(";") ? path.replace(/;(?:jsessionid|phpsessid|sid)=[^/;]*/gi, "") : path;
}
