/** The twelve pages for the benches of analyses, from a few elements to more than 10,000. */
import { join } from "node:path";
import { pythonManual } from "../../e2e/support/python-manual-site.ts";
import { type ServedSite, serveFolder } from "../../sites/serve-test-folder.ts";
import { html, type ScriptedSite, serveSite } from "../../sites/test-site-with-given-routes.ts";
import { generatedPage } from "./bench-generated-page.ts";

export interface BenchPages {
  readonly pages: readonly (readonly [name: string, url: string])[];
  readonly served: readonly (ServedSite | ScriptedSite)[];
}

export async function servePages(): Promise<BenchPages> {
  const modules = join(import.meta.dir, "../node_modules");
  const own = serveSite({
    "/tiny": html("Tiny", `<h1>Tiny</h1><a href="/a">A</a><button>B</button><input aria-label="C">`),
    "/570": generatedPage(570),
    "/2700": generatedPage(2_700),
  });
  const sb = serveFolder(join(modules, "startbootstrap-sb-admin-2"));
  const gentelella = serveFolder(join(modules, "gentelella/dist"));
  const manual = serveFolder(await pythonManual());
  return {
    served: [own, sb, gentelella, manual],
    pages: [
      ["tiny", own.url("/tiny")],
      ["sb-admin login", `${sb.origin}/login.html`],
      ["sb-admin dashboard", `${sb.origin}/index.html`],
      ["sb-admin tables", `${sb.origin}/tables.html`],
      ["gentelella dashboard", `${gentelella.origin}/production/index.html`],
      ["gentelella form", `${gentelella.origin}/production/form.html`],
      ["gentelella tables", `${gentelella.origin}/production/tables_dynamic.html`],
      ["generated dashboard", own.url("/570")],
      ["manual os", `${manual.origin}/library/os.html`],
      ["generated forms", own.url("/2700")],
      ["manual contents", `${manual.origin}/contents.html`],
      ["manual index", `${manual.origin}/genindex-all.html`],
    ],
  };
}
