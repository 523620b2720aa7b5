/**
 * Blocks requests of an exploring page that would change data on the server. A POST request passes if it
 * probably only reads: it is a GraphQL query, the page sends such requests while it loads, or the endpoint's
 * name means a search.
 */
import { isWritingAddress } from "../risk/risk-classes.ts";

export interface JudgedRequest {
  readonly url: string;
  readonly method: string;
  readonly body: string | undefined;
}

const READING = new Set(["GET", "HEAD", "OPTIONS"]);
/** The last words in the path of an endpoint that accepts a search by POST. */
const SEARCHES =
  /\/(?:_?search|_?msearch|query|queries|list|filter|find|lookup|suggest|suggestions|autocomplete|graphql-read)(?:[/?.]|$)/i;
/**
 * If presses of this number of different elements cause the same kind of blocked request, it is noise such as
 * usage statistics.
 */
const NOISE = 4;

export class WriteGuard {
  /** The kinds of requests that pages send by themselves while they load. */
  readonly #seen = new Set<string>();
  /** For each kind of blocked request, the pressed elements that caused it. */
  readonly #causes = new Map<string, Set<string>>();
  #loading = true;
  #cause: string | undefined;
  #blamed = false;
  #open = false;
  #held = 0;

  /** Number of requests that were blocked so far, because they would change data. */
  get held(): number {
    return this.#held;
  }

  /** Whether the page is loading by itself. Otherwise its requests are results of an action. */
  set loading(loading: boolean) {
    this.#loading = loading;
  }

  /** Permits all requests, such as those of a sign-in. */
  set open(open: boolean) {
    this.#open = open;
  }

  /** Starts the press of an element. Requests that are blocked from now on are attributed to it. */
  begin(element: string): void {
    this.#cause = element;
    this.#blamed = false;
  }

  /** Whether the current press caused a request that would change data. */
  get blamed(): boolean {
    return this.#blamed;
  }

  /** Returns `false` when the request must be blocked. */
  permits(request: JudgedRequest): boolean {
    if (this.#open || this.#isRead(request)) return true;
    this.#held += 1;
    const kind = kindOf(request);
    const causes = this.#causes.get(kind) ?? new Set();
    this.#causes.set(kind, causes);
    if (this.#cause !== undefined) causes.add(this.#cause);
    if (causes.size < NOISE) this.#blamed = true;
    return false;
  }

  #isRead(request: JudgedRequest): boolean {
    const { url, method, body } = request;
    if (READING.has(method.toUpperCase())) return !isWritingAddress(url) && !hasMutation(url);
    if (method.toUpperCase() !== "POST") return false;
    const operation = graphQlOperation(body);
    if (operation !== undefined) return operation === "query";
    const kind = kindOf(request);
    if (this.#loading) this.#seen.add(kind);
    return this.#loading || this.#seen.has(kind) || SEARCHES.test(pathOf(url));
  }
}

/**
 * The kind of a request: method, path without numbers, and names of the sent fields. Another form that uses
 * the same address is another kind.
 */
function kindOf({ url, method, body }: JudgedRequest): string {
  const parsed = parsedBody(body);
  const fields =
    typeof parsed === "object" && parsed !== null && !Array.isArray(parsed) ? Object.keys(parsed).sort() : [];
  return `${method} ${pathOf(url).replace(/\d+/g, "#")} ${fields.join(",")}`;
}

function pathOf(url: string): string {
  return URL.parse(url)?.pathname ?? url;
}

/**
 * Whether the address contains a GraphQL mutation. A GraphQL request by GET has its operation in the address.
 */
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
    return undefined; // A body that is not JSON is no GraphQL request.
  }
}

/**
 * The operation of a GraphQL request; `undefined` for other bodies. A batch with at least one mutation is a
 * mutation.
 */
function graphQlOperation(body: string | undefined): "query" | "mutation" | undefined {
  const parsed = parsedBody(body);
  if (parsed === undefined) return undefined;
  const requests: readonly unknown[] = Array.isArray(parsed) ? parsed : [parsed];
  const queries = requests.map((request) =>
    typeof request === "object" && request !== null && "query" in request ? request.query : undefined,
  );
  if (queries.length === 0 || !queries.every((query) => typeof query === "string")) return undefined;
  // An operation has braces. Other APIs use the field `query` for search words, which are not a GraphQL
  // operation.
  if (!queries.every((query) => /\{/.test(String(query)))) return undefined;
  return queries.some((query) => /(?:^|[\s}])(?:mutation|subscription)\b/.test(String(query)))
    ? "mutation"
    : "query";
}
