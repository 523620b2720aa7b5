/**
 * A folder served over HTTP on loopback, with a record of every request.
 *
 * Tests serve it in their own process to see what a crawl asked for; benches run this file as a process of its
 * own (`bun test/e2e/static-site.ts <folder>` prints the URL) so that its CPU time is not counted. Copies make a
 * larger site of the same pages: `/copy-3/library/os.html` is `library/os.html` with a title of its own.
 */
import { existsSync, statSync } from "node:fs";
import { join, normalize } from "node:path";

export interface SiteRequest {
  readonly path: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

export interface StaticSite {
  /** Ends with a slash. */
  readonly url: string;
  readonly requests: readonly SiteRequest[];
  stop(): Promise<void>;
}

export interface StaticSiteOptions {
  /** Milliseconds each answer waits. */
  readonly delay?: number;
  /** How many copies of the folder the site has below `/copy-<n>/`, listed by `/copies.html`. */
  readonly copies?: number;
}

export function serveFolder(folder: string, options: StaticSiteOptions = {}): StaticSite {
  return serveWith((path) => fileResponse(folder, path, options.copies ?? 0), options.delay ?? 0);
}

/** Pages made by a function: what it leaves `undefined` is a 404. */
export function servePages(
  page: (path: string) => string | undefined,
  options: StaticSiteOptions = {},
): StaticSite {
  return serveWith((path) => {
    const html = page(path);
    return html === undefined ? notFound() : htmlResponse(html);
  }, options.delay ?? 0);
}

function serveWith(answer: (path: string) => Response | Promise<Response>, delay: number): StaticSite {
  const requests: SiteRequest[] = [];
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    idleTimeout: 0,
    fetch: async (request) => {
      const path = decodeURIComponent(new URL(request.url).pathname);
      requests.push({ path, at: Date.now() });
      if (delay > 0) await Bun.sleep(delay);
      return answer(path);
    },
  });
  return {
    url: `http://127.0.0.1:${server.port}/`,
    requests,
    stop: () => server.stop(true),
  };
}

function fileResponse(folder: string, path: string, copies: number): Response | Promise<Response> {
  if (copies > 0 && path === "/copies.html") return copiesPage(copies);
  const copy = /^\/copy-(\d+)(\/.*)$/.exec(path);
  if (copy && Number(copy[1]) < copies) return copyOf(folder, copy[2] ?? "/", Number(copy[1]));
  const file = fileFor(folder, path);
  return file ? new Response(Bun.file(file)) : notFound();
}

function copiesPage(copies: number): Response {
  const items = Array.from(
    { length: copies },
    (_, n) => `<li><a href="/copy-${n}/contents.html">Copy ${n}</a></li>`,
  );
  return htmlResponse(`<!doctype html><title>Copies</title><ul>${items.join("")}</ul>`);
}

/** Same size and structure, but not the same text: nothing that recognises equal pages may make it cheaper. */
async function copyOf(folder: string, path: string, copy: number): Promise<Response> {
  const file = fileFor(folder, path);
  if (!file) return notFound();
  const content = Bun.file(file);
  if (!content.type.startsWith("text/html")) return new Response(content);
  const html = await content.text();
  return htmlResponse(
    html.replace("<title>", `<title>Copy ${copy}: `).replaceAll('href="/', `href="/copy-${copy}/`),
  );
}

function fileFor(folder: string, path: string): string | undefined {
  const file = join(folder, normalize(`/${path}`), path.endsWith("/") ? "index.html" : "");
  return existsSync(file) && statSync(file).isFile() ? file : undefined;
}

function notFound(): Response {
  return htmlResponse("<!doctype html><title>Not found</title>", 404);
}

function htmlResponse(html: string, status = 200): Response {
  return new Response(html, { status, headers: { "content-type": "text/html; charset=utf-8" } });
}

if (import.meta.main) {
  const [folder, copies] = process.argv.slice(2);
  if (!folder) throw new Error("usage: bun test/e2e/static-site.ts <folder> [copies]");
  console.log(serveFolder(folder, { copies: Number(copies ?? 0) }).url);
}
