/**
 * Judges the requests of an exploring page: those that would change something at the server are held back.
 * A read by POST is let through on evidence: a GraphQL query, a request of the kind that the page sends while it loads,
 * or an endpoint that is named after searching.
 */
import { isWritingAddress } from "../risk/risk-classes.ts";

export interface JudgedRequest {
  readonly url: string;
  readonly method: string;
  readonly body: string | undefined;
}

const READING = new Set(["GET", "HEAD", "OPTIONS"]);
/** Endpoints that take a question by POST, by the last words of their path. */
const SEARCHES =
  /\/(?:_?search|_?msearch|query|queries|list|filter|find|lookup|suggest|suggestions|autocomplete|graphql-read)(?:[/?.]|$)/i;
/** Presses of different elements after which a kind of held request is noise, such as usage statistics. */
const NOISE = 4;

export class WriteGuard {
  /** Kinds of requests that pages sent by themselves while they loaded. */
  readonly #seen = new Set<string>();
  /** Elements behind each kind of held request. */
  readonly #causes = new Map<string, Set<string>>();
  #loading = true;
  #cause: string | undefined;
  #blamed = false;
  #open = false;
  #held = 0;

  /** Requests that were held back. */
  get held(): number {
    return this.#held;
  }

  /** Whether the page loads by itself; else what it sends comes from an action. */
  set loading(loading: boolean) {
    this.#loading = loading;
  }

  /** Lets everything through, such as the request of a sign-in. */
  set open(open: boolean) {
    this.#open = open;
  }

  /** Begins a press of an element. What is held from now on is blamed on it. */
  begin(element: string): void {
    this.#cause = element;
    this.#blamed = false;
  }

  /** Whether the press would have written. */
  get blamed(): boolean {
    return this.#blamed;
  }

  /** `false`: the request must not leave. */
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

/** Method, path without numbers, and names of what is sent: another form to the same address is another kind. */
function kindOf({ url, method, body }: JudgedRequest): string {
  const parsed = parsedBody(body);
  const fields =
    typeof parsed === "object" && parsed !== null && !Array.isArray(parsed) ? Object.keys(parsed).sort() : [];
  return `${method} ${pathOf(url).replace(/\d+/g, "#")} ${fields.join(",")}`;
}

function pathOf(url: string): string {
  return URL.parse(url)?.pathname ?? url;
}

/** GraphQL by GET has its operation in the address. */
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
    return undefined; // Not JSON: no GraphQL request.
  }
}

/** The operation of a GraphQL request; `undefined` for another body. A batch is a mutation when one of it is. */
function graphQlOperation(body: string | undefined): "query" | "mutation" | undefined {
  const parsed = parsedBody(body);
  if (parsed === undefined) return undefined;
  const requests: readonly unknown[] = Array.isArray(parsed) ? parsed : [parsed];
  const queries = requests.map((request) =>
    typeof request === "object" && request !== null && "query" in request ? request.query : undefined,
  );
  if (queries.length === 0 || !queries.every((query) => typeof query === "string")) return undefined;
  // A search has words as its query, not an operation.
  if (!queries.every((query) => /\{/.test(String(query)))) return undefined;
  return queries.some((query) => /(?:^|[\s}])(?:mutation|subscription)\b/.test(String(query)))
    ? "mutation"
    : "query";
}
