/**
 * Serves a folder as a website on a free loopback port, like a plain static server. A folder is answered with
 * its `index.html`, `folder` redirects to `folder/`, and a missing file is answered with 404.
 */
import { realpathSync, statSync } from "node:fs";
import { join } from "node:path";
import { serveOnUnusedPort } from "./serve-on-unused-port.ts";

export interface ServedSite {
  /** The address of the site, `http://127.0.0.1:<port>`, without a final slash. */
  readonly origin: string;
  /** Path and query of every request in the order of arrival. */
  readonly requests: readonly string[];
  stop(): Promise<void>;
}

function stat(path: string): "file" | "folder" | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  return found?.isFile() ? "file" : found?.isDirectory() ? "folder" : undefined;
}

/** Serves a folder until it is stopped; symbolic links that leave the folder are not followed. */
export function serveFolder(folder: string): ServedSite {
  const root = realpathSync(folder);
  const requests: string[] = [];
  const notFound = () =>
    new Response("<!doctype html><title>404</title><h1>Not found</h1>", {
      status: 404,
      headers: { "content-type": "text/html; charset=utf-8" },
    });
  const server = serveOnUnusedPort(() =>
    Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      fetch(request) {
        const url = new URL(request.url);
        requests.push(url.pathname + url.search);
        let path: string;
        try {
          path = join(root, decodeURIComponent(url.pathname));
        } catch {
          return notFound();
        }
        let kind = stat(path);
        if (kind === "folder") {
          if (!url.pathname.endsWith("/")) {
            return new Response(null, {
              status: 301,
              headers: { location: `${url.pathname}/${url.search}` },
            });
          }
          path = join(path, "index.html");
          kind = stat(path);
        }
        if (kind !== "file" || !realpathSync(path).startsWith(`${root}/`)) return notFound();
        // Bun derives the content type from the file's extension.
        return new Response(Bun.file(path));
      },
    }),
  );
  return {
    origin: `http://127.0.0.1:${server.port}`,
    requests,
    stop: () => server.stop(true),
  };
}
