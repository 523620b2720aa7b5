import { describe, expect, test } from "bun:test";
import { access, readdir, readFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { anchorOf } from "../../../gateway/docs/guide-pages.ts";
import { testGateway } from "../test-gateway.ts";

const ROOT = join(import.meta.dir, "../../..");
const GUIDE = join(ROOT, "gateway/docs/guide");

const pages = (await readdir(GUIDE)).filter((name) => name.endsWith(".md")).sort();
const documents = [
  "README.md",
  "CONTRIBUTING.md",
  "actors/README.md",
  ...pages.map((name) => `gateway/docs/guide/${name}`),
];

/** Returns the targets of the Markdown links in a document. Links in code are left out. */
function linksIn(markdown: string): readonly string[] {
  const prose = markdown.replace(/```[\s\S]*?```/g, "").replace(/`[^`\n]*`/g, "");
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, href = ""]) => href);
}

function anchorsIn(markdown: string): ReadonlySet<string> {
  const prose = markdown.replace(/```[\s\S]*?```/g, "");
  return new Set([...prose.matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) => anchorOf(heading)));
}

describe("the documents of the repository", () => {
  test.each(documents)("the document %s links only to files and headings that exist", async (path) => {
    const broken: string[] = [];
    for (const href of linksIn(await readFile(join(ROOT, path), "utf8"))) {
      if (/^(https?:|mailto:)/.test(href)) continue;
      const [file = "", anchor] = href.split("#");
      const target = file === "" ? join(ROOT, path) : join(ROOT, dirname(path), file);
      const exists = await access(target).then(
        () => true,
        () => false,
      );
      const found = exists && (anchor === undefined || anchorsIn(await readFile(target, "utf8")).has(anchor));
      if (!found) broken.push(`${href} (${relative(ROOT, target)})`);
    }
    expect(broken).toEqual([]);
  });

  test("the contents page of the guide lists every page", async () => {
    const contents = linksIn(await readFile(join(GUIDE, "index.md"), "utf8"));
    expect([...contents].sort()).toEqual(pages.filter((name) => name !== "index.md"));
  });
});

describe("GET /guide", () => {
  const gateway = testGateway();
  const get = async (path: string) => await gateway.app.handle(new Request(`http://127.0.0.1${path}`));

  test("shows the contents with links to every page", async () => {
    const answer = await get("/guide");
    expect(answer.status).toBe(200);
    const text = await answer.text();
    for (const name of pages.filter((page) => page !== "index.md")) {
      expect(text).toContain(`href="/guide/${name.replace(/\.md$/, "")}"`);
    }
  });

  test("renders a page with its tables, code and anchors", async () => {
    const text = await (await get("/guide/sessions")).text();
    expect(text).toContain('<h2 id="indices">Indices</h2>');
    expect(text).toContain("<td><code>element_stale</code></td>");
    expect(text).toContain('href="/guide/security"');
  });

  test("answers 404 for a page that does not exist, and reads no other file", async () => {
    for (const name of ["nothing", "..%2f..%2fREADME"]) {
      expect((await get(`/guide/${name}`)).status).toBe(404);
    }
  });
});
