/**
 * The process that serves a site to crawl. `bun bench-site-process.ts <folder> [copies]` and `bun bench-site-process.ts
 * generated <pages>` print the site's origin. Copies make the site larger: they have the same pages with
 * different titles, so that a crawler cannot skip them as duplicates.
 */
import { join, normalize } from "node:path";
import { serveFolder } from "../../sites/serve-test-folder.ts";
import { serveSite } from "../../sites/test-site-with-given-routes.ts";
import { serveGenerated } from "./bench-generated-site.ts";

const [folder, copies = "0"] = process.argv.slice(2);
if (!folder) throw new Error("usage: bun test/bench/support/bench-site-process.ts <folder> [copies]");
const site =
  folder === "generated"
    ? serveGenerated(Number(copies))
    : Number(copies) > 0
      ? serveCopies(folder, Number(copies))
      : serveFolder(folder);
console.log(site.origin);

function serveCopies(root: string, wanted: number) {
  const links = Array.from(
    { length: wanted },
    (_, n) => `<li><a href="/copy-${n}/contents.html">Copy ${n}</a></li>`,
  );
  return serveSite({
    "/copies.html": `<!doctype html><title>Copies</title><ul>${links.join("")}</ul>`,
    "*": async (request) => {
      const [, copy, path] =
        /^\/copy-(\d+)(\/.*)$/.exec(decodeURIComponent(new URL(request.url).pathname)) ?? [];
      const file = Bun.file(join(root, normalize(path ?? "/")));
      if (path === undefined || !(await file.exists())) return new Response("not found", { status: 404 });
      if (!file.type.startsWith("text/html")) return new Response(file);
      const html = await file.text();
      return html.replace("<title>", `<title>Copy ${copy}: `).replaceAll('href="/', `href="/copy-${copy}/`);
    },
  });
}
