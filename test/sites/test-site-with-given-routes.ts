/**
 * A website on a free loopback port, whose routes the test defines. A string is served as an HTML page, a
 * `Response` is sent unchanged, and a function is called for each request. `robots.txt` without a route is
 * answered with 404.
 */
import { serveOnUnusedPort } from "./serve-on-unused-port.ts";
import type { ServedSite } from "./serve-test-folder.ts";

export interface SiteRequest {
  readonly method: string;
  /** Path and query of the request. */
  readonly path: string;
  readonly headers: Headers;
  /** Time of the request in milliseconds since the epoch. */
  readonly at: number;
  /**
   * Time at which the last byte of the response was sent, in milliseconds since the epoch; null while the
   * request runs.
   */
  readonly ended: number | null;
}

export type Answer = string | Response;
export type Route = Answer | ((request: Request) => Answer | Promise<Answer>);

export interface ScriptedSite extends ServedSite {
  readonly routes: Map<string, Route>;
  readonly log: readonly SiteRequest[];
  /** Number of requests in progress: `now` at present, and `most` at the busiest moment so far. */
  readonly load: { now: number; most: number };
  /** Returns the absolute URL of a path of this site. */
  url(path: string): string;
}

/** Returns a response with an HTML page that has this title and body. */
export function html(title: string, body: string, head = ""): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title>${head}</head><body>${body}</body></html>`;
}

/**
 * @param routes the answer for each path. A path with its query (`/a?page=2`) takes precedence over the path
 * alone; `*` serves every other path
 *
 * @param options.hostname the address to listen on; `127.0.0.2` makes a second site on the same machine
 */
export function serveSite(
  routes: Readonly<Record<string, Route>>,
  options: { readonly hostname?: string } = {},
): ScriptedSite {
  const table = new Map(Object.entries(routes));
  const log: SiteRequest[] = [];
  const load = { now: 0, most: 0 };
  const hostname = options.hostname ?? "127.0.0.1";
  const server = serveOnUnusedPort(() =>
    Bun.serve({
      hostname,
      port: 0,
      // The server has no idle time-out, because some tests keep connections open on purpose.
      idleTimeout: 0,
      async fetch(request) {
        const { pathname, search } = new URL(request.url);
        const path = pathname + search;
        const { method, headers } = request;
        const entry: SiteRequest & { ended: number | null } = {
          method,
          path,
          headers,
          at: Date.now(),
          ended: null,
        };
        log.push(entry);
        const route =
          table.get(path) ?? table.get(pathname) ?? (pathname === "/robots.txt" ? undefined : table.get("*"));
        if (route === undefined)
          return new Response("not found", { status: 404, headers: { "content-type": "text/html" } });
        load.now++;
        load.most = Math.max(load.most, load.now);
        try {
          const answer = typeof route === "function" ? await route(request) : route;
          if (typeof answer !== "string") return answer.clone();
          return new Response(answer, { headers: { "content-type": "text/html; charset=utf-8" } });
        } finally {
          load.now--;
          entry.ended = Date.now();
        }
      },
    }),
  );
  const origin = `http://${hostname}:${server.port}`;
  return {
    origin,
    routes: table,
    log,
    load,
    get requests() {
      return log.map(({ path }) => path);
    },
    url: (path) => origin + path,
    stop: () => server.stop(true),
  };
}
