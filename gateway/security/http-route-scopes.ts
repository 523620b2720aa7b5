/**
 * Finds the scope that a route needs, which is declared with the route. A route without a declared scope
 * needs the highest scope.
 */
import { assertScope, type Caller, type Scope, unauthorized } from "./api-key-scopes.ts";

/** The scope that a route requires of the caller's key. `open`: no key is required. */
export type RouteScope = Scope | "open";

const MARK = "x-scope";

/** Returns the field of a route's description that contains the scope of the route. */
export function scopeMark(scope: RouteScope): Readonly<Record<typeof MARK, RouteScope>> {
  return { [MARK]: scope };
}

/** Returns route options that hide the route from OpenAPI and declare its scope. */
export function hidden(scope: RouteScope) {
  return { detail: { hide: true, ...scopeMark(scope) } } as const;
}

/**
 * Scopes of the routes that Elysia's plugins register, by path. Cairn cannot write the scope of such a route
 * into the route's description.
 */
const OTHERS: Readonly<Record<string, RouteScope>> = { "/openapi.json": "read" };

/** The fields of Elysia's route objects that this module reads. */
interface Route {
  readonly method: string;
  readonly path: string;
  readonly hooks: unknown;
}

function markOf(hooks: unknown): RouteScope | undefined {
  if (typeof hooks !== "object" || hooks === null || !("detail" in hooks)) return undefined;
  const { detail } = hooks;
  if (typeof detail !== "object" || detail === null || !(MARK in detail)) return undefined;
  const mark = detail[MARK];
  return mark === "open" || mark === "read" || mark === "act" || mark === "admin" ? mark : undefined;
}

/**
 * Whether a requested path matches a registered route. In the route, `:name` stands for one segment and `*`
 * for all remaining segments.
 */
function matches(pattern: string, path: string): boolean {
  const wanted = pattern.split("/");
  const given = path.split("/");
  if (wanted.at(-1) === "*") return wanted.slice(0, -1).every((part, at) => part === given[at]);
  return (
    wanted.length === given.length &&
    wanted.every((part, at) => part === given[at] || (part.startsWith(":") && given[at] !== ""))
  );
}

export class RouteScopes {
  readonly #scopes: ReadonlyMap<string, RouteScope | undefined>;

  constructor(routes: readonly Route[]) {
    this.#scopes = new Map(
      routes.map(({ method, path, hooks }) => [`${method} ${path}`, OTHERS[path] ?? markOf(hooks)]),
    );
  }

  /** Returns the routes without a declared scope, written as `GET /path`. */
  get unmarked(): readonly string[] {
    return [...this.#scopes].flatMap(([route, scope]) => (scope === undefined ? [route] : []));
  }

  /** Returns the HTTP methods of the routes that match a requested path; empty for an unknown path. */
  methodsAt(path: string): readonly string[] {
    const matching = [...this.#scopes.keys()].flatMap((route) => {
      const [method = "", pattern = ""] = route.split(" ");
      return matches(pattern, path) ? [method] : [];
    });
    const methods = new Set(matching.map((method) => (method === "WS" ? "GET" : method)));
    if (methods.has("GET")) methods.add("HEAD");
    return [...methods].sort();
  }

  /**
   * Returns the scope that a route declares. A route without a declared scope needs `admin`.
   *
   * @param path the path in its registered form, such as `/api/actors/:kind/:id`
   */
  of(method: string, path: string): RouteScope {
    const ways = [method === "HEAD" ? "GET" : method, "ALL", "WS"];
    for (const way of ways) {
      const scope = this.#scopes.get(`${way} ${path}`);
      if (scope !== undefined) return scope;
    }
    return "admin";
  }

  /**
   * Checks that the caller has the scope of the route. Throws `security.unauthorized` (401) or
   * `security.scope` (403).
   */
  check(caller: Caller | undefined, method: string, path: string): void {
    const needed = this.of(method, path);
    if (needed === "open") return;
    if (caller === undefined) throw unauthorized();
    assertScope(caller, needed, `${method} ${path}`);
  }
}
