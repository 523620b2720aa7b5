/**
 * Which scope each route needs. It stands in the route's own description, so none can be without; one that is all the
 * same needs the highest.
 *
 * Neighbours: `../rest/operation.ts` describes the routes of REST, `../app.ts` holds every request to it.
 */
import { assertScope, type Caller, type Scope, unauthorized } from "./scope.ts";

/** `open`: nobody is asked for a key. */
export type RouteScope = Scope | "open";

const MARK = "x-scope";

/** For the description of a route. */
export function scopeMark(scope: RouteScope): Readonly<Record<typeof MARK, RouteScope>> {
  return { [MARK]: scope };
}

/** Of a route that OpenAPI does not tell of. */
export function hidden(scope: RouteScope) {
  return { detail: { hide: true, ...scopeMark(scope) } } as const;
}

/** Of plugins, which describe nothing. */
const OTHERS: Readonly<Record<string, RouteScope>> = { "/openapi.json": "read" };

/** The part of Elysia's routes that is needed here. */
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

export class RouteScopes {
  readonly #scopes: ReadonlyMap<string, RouteScope | undefined>;

  constructor(routes: readonly Route[]) {
    this.#scopes = new Map(
      routes.map(({ method, path, hooks }) => [`${method} ${path}`, OTHERS[path] ?? markOf(hooks)]),
    );
  }

  /** Routes that say nothing, as `GET /path`. */
  get unsaid(): readonly string[] {
    return [...this.#scopes].flatMap(([route, scope]) => (scope === undefined ? [route] : []));
  }

  /** Of `path` as it is registered. */
  of(method: string, path: string): RouteScope {
    const ways = [method === "HEAD" ? "GET" : method, "ALL", "WS"];
    for (const way of ways) {
      const scope = this.#scopes.get(`${way} ${path}`);
      if (scope !== undefined) return scope;
    }
    return "admin";
  }

  /** Throws `security.unauthorized` (401) or `security.scope` (403). */
  check(caller: Caller | undefined, method: string, path: string): void {
    const needed = this.of(method, path);
    if (needed === "open") return;
    if (caller === undefined) throw unauthorized();
    assertScope(caller, needed, `${method} ${path}`);
  }
}
