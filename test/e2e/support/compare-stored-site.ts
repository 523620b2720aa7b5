/**
 * Reads the pages and links that a finished job has stored, and compares them with the result of
 * `page-count-without-cairn.ts`.
 */
import type { Cairn } from "./cairn-test-process.ts";
import { keyOf, type SiteCount } from "./page-count-without-cairn.ts";

export interface StoredSite {
  /** Keys of the stored pages. A page that is stored twice occurs twice in the list. */
  readonly pages: readonly string[];
  readonly titles: ReadonlyMap<string, string>;
  /** The text of each page as Markdown, by the page's key. */
  readonly texts: ReadonlyMap<string, string>;
  /**
   * The stored links within the site, each as `from to` with the keys of the two pages. A link that is stored
   * twice occurs twice.
   */
  readonly internal: readonly string[];
  readonly external: readonly string[];
  readonly pagesStored: number;
  /**
   * All stored links, each as `from to` with the keys (normalised addresses) of two pages. They are read from
   * the edges of the map.
   */
  readonly edges: readonly string[];
  /** Number of links that the summary of the results reports. */
  readonly linksStored: number;
  readonly externalDetected: number;
  readonly errors: readonly string[];
}

export async function storedSite(cairn: Cairn, jobId: string): Promise<StoredSite> {
  const { status, body } = await cairn.get(`/api/knowledge/explore/results/${jobId}`);
  if (status !== 200) throw new Error(`results of ${jobId} answered ${status}: ${JSON.stringify(body)}`);
  const links: { from: string; to: string; type: string }[] = body.links;
  const pages: { url: string; title: string; content: string }[] = body.pages;
  const pairs = (type: string) =>
    links.filter((link) => link.type === type).map((link) => `${keyOf(link.from)} ${keyOf(link.to)}`);
  return {
    pages: pages.map((page) => keyOf(page.url)),
    titles: new Map(pages.map((page) => [keyOf(page.url), page.title])),
    texts: new Map(pages.map((page) => [keyOf(page.url), page.content])),
    internal: pairs("internal"),
    external: pairs("external"),
    edges: await storedEdges(cairn, jobId, pages),
    pagesStored: body.results.pages_stored,
    linksStored: body.results.links_stored,
    externalDetected: body.results.external_links_detected,
    errors: body.results.errors.map((error: { url: string }) => keyOf(error.url)),
  };
}

/** Maximum number of requests that are sent at the same time. */
const AT_ONCE = 16;

/**
 * Returns the edges of the map that start at these pages, each as `from to` with the keys (normalised
 * addresses) of the pages.
 */
async function storedEdges(
  cairn: Cairn,
  jobId: string,
  pages: readonly { readonly url: string }[],
): Promise<readonly string[]> {
  const { knowledge_id } = await cairn.status(jobId);
  const edges: string[] = [];
  for (let at = 0; at < pages.length; at += AT_ONCE) {
    const answers = await Promise.all(
      pages.slice(at, at + AT_ONCE).map(({ url }) =>
        cairn.post("/api/knowledge/query", {
          query_type: "links",
          params: { url, direction: "from" },
          knowledge_id,
        }),
      ),
    );
    for (const { body } of answers) {
      for (const { from, to } of body.data.links) edges.push(`${keyOf(from)} ${keyOf(to)}`);
    }
  }
  return edges;
}

/**
 * Returns how the stored site differs from an independent count of the same site, and which rows the store
 * contains twice. All lists are empty if Cairn has stored the site correctly.
 */
export function differences(stored: StoredSite, count: SiteCount): Record<string, readonly string[]> {
  const found: Record<string, readonly string[]> = {
    ...compare("pages", stored.pages, new Set(count.pages.keys())),
    ...compare("internal links", stored.internal, count.internal),
    ...compare("external links", stored.external, count.external),
    ...compare("edges", stored.edges, new Set([...count.internal, ...count.external])),
    ...compare("failed pages", stored.errors, count.failed),
  };
  if (stored.pagesStored !== stored.pages.length) {
    found.pages_stored = [`says ${stored.pagesStored}, lists ${stored.pages.length}`];
  }
  if (stored.linksStored !== stored.internal.length) {
    found.links_stored = [`says ${stored.linksStored}, lists ${stored.internal.length}`];
  }
  if (stored.externalDetected !== stored.external.length) {
    found.external_links_detected = [`says ${stored.externalDetected}, lists ${stored.external.length}`];
  }
  return found;
}

function compare(
  what: string,
  stored: readonly string[],
  wanted: ReadonlySet<string>,
): Record<string, string[]> {
  const have = new Set<string>();
  const twice = stored.filter((key) => have.size === have.add(key).size);
  const sets = {
    [`${what} missing`]: [...wanted].filter((key) => !have.has(key)),
    [`${what} too many`]: [...have].filter((key) => !wanted.has(key)),
    [`${what} twice`]: twice,
  };
  return Object.fromEntries(Object.entries(sets).filter(([, keys]) => keys.length > 0));
}
