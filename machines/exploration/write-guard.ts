/**
 * Judges the requests of an exploring page: those that would change something at the server are held back.
 * A read by POST is let through on evidence: a GraphQL query, a request of the kind that the page sends while it loads,
 * or an endpoint that is named after searching.
 */

export interface JudgedRequest {
  readonly url: string;
  readonly method: string;
  readonly body: string | undefined;
}

const READING = new Set(["GET", "HEAD", "OPTIONS"]);
/** Endpoints that take a question by POST, by the last words of their path. */
const SEARCHES =
  /\/(?:_?search|_?msearch|query|queries|list|filter|find|lookup|suggest|suggestions|autocomplete|graphql-read)(?:[/?.]|$)/i;
/** GET requests that change something, by their path: signing out above all. */
const WRITING_PATH = /\/(?:log[-_]?out|sign[-_]?out|delete|remove|destroy|unsubscribe|purge)(?:[/?.]|$)/i;

export class WriteGuard {
  /** Kinds of requests that pages sent by themselves while they loaded. */
  readonly #seen = new Set<string>();
  #loading = true;
  readonly held: JudgedRequest[] = [];

  /** Whether the page loads by itself; else what it sends comes from an action. */
  set loading(loading: boolean) {
    this.#loading = loading;
  }

  /** `false`: the request must not leave. */
  permits(request: JudgedRequest): boolean {
    if (this.#isRead(request)) return true;
    this.held.push(request);
    return false;
  }

  #isRead({ url, method, body }: JudgedRequest): boolean {
    const path = pathOf(url);
    if (READING.has(method.toUpperCase())) return this.#loading || !WRITING_PATH.test(path);
    if (method.toUpperCase() !== "POST") return false;
    const operation = graphQlOperation(body);
    if (operation !== undefined) return operation === "query";
    const kind = `${method} ${path.replace(/\d+/g, "#")}`;
    if (this.#loading) this.#seen.add(kind);
    return this.#loading || this.#seen.has(kind) || SEARCHES.test(path);
  }
}

function pathOf(url: string): string {
  return URL.parse(url)?.pathname ?? url;
}

/** The operation of a GraphQL request; `undefined` for another body. A batch is a mutation when one of it is. */
function graphQlOperation(body: string | undefined): "query" | "mutation" | undefined {
  if (body === undefined || !/^\s*[[{]/.test(body)) return undefined;
  let parsed: unknown;
  try {
    parsed = JSON.parse(body);
  } catch {
    return undefined; // Not JSON: no GraphQL request.
  }
  const requests: readonly unknown[] = Array.isArray(parsed) ? parsed : [parsed];
  const queries = requests.map((request) =>
    typeof request === "object" && request !== null && "query" in request ? request.query : undefined,
  );
  if (queries.length === 0 || !queries.every((query) => typeof query === "string")) return undefined;
  return queries.some((query) => /(?:^|[\s}])(?:mutation|subscription)\b/.test(String(query)))
    ? "mutation"
    : "query";
}
