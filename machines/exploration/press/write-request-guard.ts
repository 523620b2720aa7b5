/**
 * Blocks requests that would change data on the server, while an exploration presses controls. A POST request
 * passes if it probably only reads. Examples are a GraphQL query, an endpoint such as `/search`, and a kind
 * of request that pages send while they load.
 */
import { isRecord } from "../../is-plain-object.ts";
import { isReadingMethod } from "../../risk/http-methods-that-read.ts";
import { isCommandPage } from "../../risk/manual-pages-named-after-commands.ts";
import { isWritingAddress, isWritingAddressOfSession, riskOfName } from "../../risk/risk-classes.ts";
import { urlKey } from "../crawl/normalise-url.ts";

export interface JudgedRequest {
  readonly url: string;
  readonly method: string;
  readonly body: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** Methods of requests that change data. */
const CHANGING = /^(?:PUT|PATCH|DELETE)$/i;
/**
 * Headers that replace the method of a POST request, such as `X-HTTP-Method-Override: PUT` of the editor of
 * WordPress and of Rack, Symfony and Express.
 */
const METHOD_HEADERS = new Set(["x-http-method-override", "x-http-method", "x-method-override"]);
/** The field of a form that replaces its method (Rails, Laravel, Symfony). */
const METHOD_FIELD = "_method";
/**
 * Matches a parameter or field that selects the function of an address with many functions, such as `action` in
 * admin-ajax.php of WordPress, `call` in ajax.php of DokuWiki, and `method` in JSON-RPC.
 */
const FUNCTION_FIELD =
  /^(?:a|act|action|call|cmd|controller|do|func|function|method|op|operation|route|task)$/i;
/** Matches a value that names a function, with at most 60 characters. */
const FUNCTION_NAME = /^[\w.:/-]{1,60}$/;
/**
 * Matches a path that ends with a word for a search, such as `/search` and `/orders/query`, and `/search/users`. A POST
 * request to such an address is not blocked. A word before an id names a container: `/list/5/items` may add an item to
 * a list.
 */
const SEARCHES =
  /\/(?:(?:_?search|_?msearch|find|lookup|suggest|suggestions|autocomplete)(?:\/[a-z_-]+)?|query|queries|list|filter|graphql-read)(?:\.\w+)?\/?$/i;
/**
 * Verbs at the end of a path that mark an item for the user, such as `star` and `unfollow`. A page may keep
 * such a mark in local storage and send it at its next load (pretalx). So these requests are blocked while a
 * page loads, too.
 */
const MARKS =
  /\/(?:un)?(?:favou?rite|bookmark|star|like|vote|upvote|downvote|follow|subscribe|watch|pin)\/?$/i;
/**
 * A kind of blocked request is noise, such as usage statistics, if at least this number of different pressed
 * elements have caused it. Noise is not attributed to any element.
 */
const NOISE = 4;

export class WriteGuard {
  /** The kinds of requests that pages send on their own while they load. */
  readonly #seen = new Set<string>();
  /**
   * The kinds of blocked requests that pages send on their own while they load, such as a report of the opened page
   * (Directus) or of the user's presence (Nextcloud). No pressed control causes them, and they stay blocked.
   */
  readonly #blockedAtLoad = new Set<string>();
  /** Maps each kind of blocked request to the pressed elements that caused it. */
  readonly #causes = new Map<string, Set<string>>();
  readonly #isWritingAddress: (url: string) => boolean;
  #loading = true;
  #cause: string | undefined;
  #blamed = false;
  #open = false;
  #page: string | undefined;
  #held = 0;

  /** @param isSignedIn whether the pages are opened in a session that is signed in */
  constructor(isSignedIn: boolean) {
    this.#isWritingAddress = isSignedIn ? isWritingAddressOfSession : isWritingAddress;
  }

  /** Number of requests that were blocked so far, because they would have changed data. */
  get held(): number {
    return this.#held;
  }

  /**
   * Sets whether the page is loading. Requests that a page sends while it loads are not caused by a pressed
   * control.
   */
  set loading(loading: boolean) {
    this.#loading = loading;
  }

  /** Switches the write guard off, so that all requests pass, such as those of a sign-in. */
  set open(open: boolean) {
    this.#open = open;
  }

  /**
   * The address of the page that the exploration opens, as the crawl has decided. If it is a page of a manual
   * that is named after a command, such as `/docs/cli/enable`, the request for it is not blocked.
   */
  set page(url: string) {
    this.#page = urlKey(url);
  }

  /**
   * Must be called before an element is pressed. Requests that are blocked afterwards are recorded as caused
   * by this element.
   */
  begin(element: string): void {
    this.#cause = element;
    this.#blamed = false;
  }

  /** Whether the pressed element has caused a request that would have changed data, since `begin`. */
  get blamed(): boolean {
    return this.#blamed;
  }

  /** Whether a request of a page may be sent. Returns `false` for a request that must be blocked. */
  permits(request: JudgedRequest): boolean {
    if (this.#open || this.#isRead(request)) return true;
    this.#held += 1;
    const kind = kindOf(request);
    if (this.#loading) this.#blockedAtLoad.add(kind);
    if (this.#blockedAtLoad.has(kind) || isReportOfVisit(request)) return false;
    const causes = this.#causes.get(kind) ?? new Set();
    this.#causes.set(kind, causes);
    if (this.#cause !== undefined) causes.add(this.#cause);
    if (causes.size < NOISE) this.#blamed = true;
    return false;
  }

  #isRead(request: JudgedRequest): boolean {
    const { url, method, body } = request;
    if (isReadingMethod(method))
      return (!this.#isWritingAddress(url) || this.#isPageOfManual(url)) && !hasMutation(url);
    if (method.toUpperCase() !== "POST" || replacesMethod(request)) return false;
    const operation = graphQlOperation(body);
    if (operation !== undefined) return operation === "query";
    if (MARKS.test(pathOf(url))) return false;
    const kind = kindOf(request);
    if (this.#loading) this.#seen.add(kind);
    return this.#loading || this.#seen.has(kind) || isSearch(url);
  }

  #isPageOfManual(url: string): boolean {
    return isCommandPage(url) && urlKey(url) === this.#page;
  }
}

/**
 * Returns the kind of a request: its method, its path, the names of its parameters and fields, and the
 * function that it selects, all without numbers. Two forms with the same address are different kinds if their
 * fields differ.
 */
function kindOf({ url, method, body }: JudgedRequest): string {
  const parameters = [...(URL.parse(url)?.searchParams ?? []), ...fieldsOf(body)];
  const named = parameters.map(([name, value]) => {
    const selects = FUNCTION_FIELD.test(name) && typeof value === "string" && FUNCTION_NAME.test(value);
    return (selects ? `${name}=${value}` : name).replace(/\d+/g, "#");
  });
  return `${method} ${pathOf(url).replace(/\d+/g, "#")} ${[...new Set(named)].sort().join(",")}`;
}

/** Returns the fields of a body in JSON, of a form, or of a form with files. */
function fieldsOf(body: string | undefined): readonly (readonly [name: string, value: unknown])[] {
  const parsed = parsedBody(body);
  if (isRecord(parsed)) return Object.entries(parsed);
  if (body === undefined || parsed !== undefined) return [];
  const parts = [...body.matchAll(MULTIPART_FIELD)].map(
    ([, name = "", value = ""]) => [name, value] as const,
  );
  if (parts.length > 0) return parts;
  return body.includes("=") ? [...new URLSearchParams(body)] : [];
}

/** Matches a field in a `multipart/form-data` body. It captures the name and the first line of the value. */
const MULTIPART_FIELD =
  /^content-disposition: form-data; name="([^"]*)"[^\r\n]*\r?\n(?:[^\r\n]+\r?\n)*\r?\n([^\r\n]*)/gim;

/** Whether a header or a field replaces the method POST by one that changes data. */
function replacesMethod({ url, body, headers }: JudgedRequest): boolean {
  const fields = [...(URL.parse(url)?.searchParams ?? []), ...fieldsOf(body)];
  return (
    Object.entries(headers ?? {}).some(
      ([name, value]) => METHOD_HEADERS.has(name.toLowerCase()) && CHANGING.test(value),
    ) || fields.some(([name, value]) => name === METHOD_FIELD && CHANGING.test(String(value)))
  );
}

function isSearch(url: string): boolean {
  const last = pathOf(url).replace(/\/$/, "").split("/").at(-1) ?? "";
  return SEARCHES.test(pathOf(url)) && !isWritingAddressOfSession(url) && riskOfName(last) === undefined;
}

function pathOf(url: string): string {
  return URL.parse(url)?.pathname ?? url;
}

/**
 * Whether the fields of a request have nothing but the address of the page that sends it, or the end of this address's
 * path. Such a request reports which page is shown, so it says nothing about the pressed element. It stays blocked.
 */
function isReportOfVisit({ body, headers }: JudgedRequest): boolean {
  const [, referrer = ""] =
    Object.entries(headers ?? {}).find(([name]) => name.toLowerCase() === "referer") ?? [];
  const page = URL.parse(referrer);
  const fields = fieldsOf(body);
  if (!page || fields.length === 0) return false;
  const isShown = (value: string): boolean =>
    value === page.href ||
    (/^\/[^/]/.test(value) && `${page.pathname}${page.search}`.endsWith(value)) ||
    value === page.pathname;
  return fields.every(([, value]) => typeof value === "string" && isShown(value));
}

/** Whether the URL of a GET request contains a GraphQL mutation. */
function hasMutation(url: string): boolean {
  const query = URL.parse(url)?.searchParams.get("query");
  return query !== null && query !== undefined && MUTATION.test(query);
}

const MUTATION = /(?:^|[\s}])(?:mutation|subscription)\b[^:]*\{/;

function parsedBody(body: string | undefined): unknown {
  if (body === undefined || !/^\s*[[{]/.test(body)) return undefined;
  try {
    return JSON.parse(body);
  } catch {
    return undefined; // A body that is not JSON is not a GraphQL request.
  }
}

/**
 * Returns the operation of a GraphQL request; `undefined` for any other body. A batch of operations counts as
 * a mutation if it contains one.
 */
function graphQlOperation(body: string | undefined): "query" | "mutation" | undefined {
  const parsed = parsedBody(body);
  if (parsed === undefined) return undefined;
  const requests: readonly unknown[] = Array.isArray(parsed) ? parsed : [parsed];
  const queries = requests.map((request) =>
    typeof request === "object" && request !== null && "query" in request ? request.query : undefined,
  );
  if (queries.length === 0 || !queries.every((query) => typeof query === "string")) return undefined;
  // A GraphQL query contains braces. In other APIs, the field `query` contains search words.
  if (!queries.every((query) => /\{/.test(String(query)))) return undefined;
  return queries.some((query) => /(?:^|[\s}])(?:mutation|subscription)\b/.test(String(query)))
    ? "mutation"
    : "query";
}
